"""Campaigns in a database: the only room that knows SQLAlchemy."""

from __future__ import annotations

from madcat_studio.store.audit import AuditEntry
from madcat_studio.store.bundle import BUNDLE_SUFFIX, Bundle, Work, read_bundle, write_bundle
from madcat_studio.store.campaigns import (
    Campaign,
    OptionValue,
    campaign_there,
    copy_campaign,
    create_campaign,
    discard_campaign,
    open_campaign,
)
from madcat_studio.store.exchange import Returned, give_out, take_back

__all__ = [
    "BUNDLE_SUFFIX",
    "AuditEntry",
    "Bundle",
    "Campaign",
    "OptionValue",
    "Returned",
    "Work",
    "campaign_there",
    "copy_campaign",
    "create_campaign",
    "discard_campaign",
    "give_out",
    "open_campaign",
    "read_bundle",
    "take_back",
    "write_bundle",
]
