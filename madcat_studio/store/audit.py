"""The audit trail: who did what to the campaign, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.model.campaign import new_id
from madcat_studio.store import schema

__all__ = ["AuditEntry", "entries", "note"]


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One thing that somebody did: at UTC, by whom, where, what, to what."""

    at: datetime
    who: str
    machine: str
    action: str
    subject: str
    detail: str


def note(
    connection: Connection,
    at: datetime,
    action: str,
    subject: str,
    *,
    who: str = "",
    machine: str = "",
    detail: str = "",
) -> None:
    """Write one entry, in the transaction of what it tells of."""
    connection.execute(
        schema.audit.insert(),
        {
            "id": new_id(),
            "at": at,
            "who": who,
            "machine": machine,
            "action": action,
            "subject": subject,
            "detail": detail,
        },
    )


def entries(
    connection: Connection, limit: int, *, who: str = "", about: str = ""
) -> tuple[AuditEntry, ...]:
    """The latest entries, newest first: of one person, about something, where that is asked."""
    table = schema.audit
    query = sa.select(table).order_by(table.c.at.desc()).limit(limit)
    if who:
        query = query.where(table.c.who == who)
    if about:
        query = query.where(
            sa.or_(
                *(
                    column.icontains(about, autoescape=True)
                    for column in (table.c.action, table.c.subject, table.c.detail)
                )
            )
        )
    return tuple(
        AuditEntry(row.at, row.who, row.machine, row.action, row.subject, row.detail)
        for row in connection.execute(query)
    )
