"""Campaigns in a database: the only room that knows SQLAlchemy.

Here is what whoever opens a campaign needs. Backups (:mod:`store.backup`), the administration of a
server (:mod:`store.server`, :mod:`store.inspection`) and watching (:mod:`store.watch`) are few
modules' business, which import them from there.
"""

from __future__ import annotations

from madcat_studio.store.audit import AuditEntry
from madcat_studio.store.bundle import Bundle, Work
from madcat_studio.store.bundlefile import (
    BUNDLE_SUFFIX,
    ReadBundle,
    is_locked,
    read_bundle,
    write_bundle,
)
from madcat_studio.store.campaigns import (
    Campaign,
    OptionValue,
    campaign_there,
    copy_campaign,
    create_campaign,
    discard_campaign,
    open_campaign,
)
from madcat_studio.store.database import is_url
from madcat_studio.store.exchange import Returned, give_out, take_back
from madcat_studio.store.passwords import ask_with, keep_password, without_password
from madcat_studio.store.roomlock import ask_passphrase_with, lock_rooms

__all__ = [
    "BUNDLE_SUFFIX",
    "AuditEntry",
    "Bundle",
    "Campaign",
    "OptionValue",
    "ReadBundle",
    "Returned",
    "Work",
    "ask_passphrase_with",
    "ask_with",
    "campaign_there",
    "copy_campaign",
    "create_campaign",
    "discard_campaign",
    "give_out",
    "is_locked",
    "is_url",
    "keep_password",
    "lock_rooms",
    "open_campaign",
    "read_bundle",
    "take_back",
    "without_password",
    "write_bundle",
]
