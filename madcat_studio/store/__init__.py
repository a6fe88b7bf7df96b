"""Campaigns in a database: the only room that knows SQLAlchemy."""

from __future__ import annotations

from madcat_studio.store.audit import AuditEntry
from madcat_studio.store.campaigns import (
    Campaign,
    OptionValue,
    campaign_there,
    copy_campaign,
    create_campaign,
    discard_campaign,
    open_campaign,
)

__all__ = [
    "AuditEntry",
    "Campaign",
    "OptionValue",
    "campaign_there",
    "copy_campaign",
    "create_campaign",
    "discard_campaign",
    "open_campaign",
]
