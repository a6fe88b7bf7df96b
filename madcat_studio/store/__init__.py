"""Campaigns in a database: the only room that knows SQLAlchemy."""

from __future__ import annotations

from madcat_studio.store.audit import AuditEntry
from madcat_studio.store.backup import (
    BACKUP_SUFFIX,
    BackupFacts,
    back_up,
    read_backup,
    restore,
)
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
from madcat_studio.store.inspection import ServerFacts, inspect_server
from madcat_studio.store.passwords import ask_with, keep_password, without_password
from madcat_studio.store.selection import SelectionRecord
from madcat_studio.store.server import LoginState, Server
from madcat_studio.store.watch import Watch

__all__ = [
    "BACKUP_SUFFIX",
    "BUNDLE_SUFFIX",
    "AuditEntry",
    "BackupFacts",
    "Bundle",
    "Campaign",
    "LoginState",
    "OptionValue",
    "ReadBundle",
    "Returned",
    "SelectionRecord",
    "Server",
    "ServerFacts",
    "Watch",
    "Work",
    "ask_with",
    "back_up",
    "campaign_there",
    "copy_campaign",
    "create_campaign",
    "discard_campaign",
    "give_out",
    "inspect_server",
    "is_locked",
    "is_url",
    "keep_password",
    "open_campaign",
    "read_backup",
    "read_bundle",
    "restore",
    "take_back",
    "without_password",
    "write_bundle",
]
