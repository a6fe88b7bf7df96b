"""The audit trail: who did what to the campaign, and when.

What happened to the passes of kits stands in their own rows, which nobody changes, and the trail
is read from these; nobody but the campaign's owner writes anything else into it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.model.campaign import new_id
from madcat_studio.store import schema
from madcat_studio.store.odd import Setting, setting_of, sound
from madcat_studio.store.rules import storable

__all__ = ["RETURN_REASON", "AuditEntry", "entries", "note"]

RETURN_REASON = "returned to the first pass"
"""Why a review was released whose segments went back."""


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
            "who": storable(who),
            "machine": storable(machine),
            "action": action,
            "subject": storable(subject),
            "detail": storable(detail),
        },
    )


def entries(
    connection: Connection, limit: int, *, who: str = "", about: str = ""
) -> tuple[AuditEntry, ...]:
    """The latest entries, newest first: of one person, about something, where that is asked."""
    told = _trail(setting_of(connection))
    query = sa.select(told).order_by(told.c.at.desc()).limit(limit)
    if who:
        query = query.where(told.c.who == who)
    if about:
        query = query.where(
            sa.or_(
                *(
                    column.icontains(about, autoescape=True)
                    for column in (told.c.action, told.c.subject, told.c.detail)
                )
            )
        )
    return tuple(
        AuditEntry(row.at, row.who, row.machine, row.action, row.subject, row.detail)
        for row in connection.execute(query)
    )


@cache
def _trail(setting: Setting) -> sa.Subquery:
    return sa.union_all(*_told(setting)).subquery()


def _told(setting: Setting) -> Iterator[sa.Select[Any]]:
    """What is written down, and what the rows of the passes tell of themselves."""
    table = sound(setting, schema.audit)
    yield sa.select(
        table.c.at, table.c.who, table.c.machine, table.c.action, table.c.subject, table.c.detail
    )
    claims, releases, handovers, takebacks, roles = (
        sound(setting, one)
        for one in (
            *(schema.claims, schema.releases, schema.handovers, schema.takebacks),
            schema.roles,
        )
    )
    editors, none = schema.editors, sa.literal("")
    of_claim = claims.join(editors, editors.c.id == claims.c.editor_id)
    yield _event(claims, of_claim, editors.c.name, claims.c.machine, sa.literal("claim"), none)
    for rows, action, detail in (
        (releases, sa.literal("release"), None),
        (handovers, sa.literal("hand over"), none),
        # Who takes back what another handed over is the reviewer, and returns it.
        (takebacks, sa.case((takebacks.c.by == editors.c.name, "take back"), else_="return"), none),
    ):
        same = (rows.c[name] == claims.c[name] for name in ("kit_id", "team_id", "pass_", "turn"))
        yield _event(
            rows,
            of_claim.join(rows, sa.and_(*same)),
            rows.c.by,
            claims.c.machine if detail is not None else none,
            action,
            rows.c.reason if detail is None else detail,
        )
    chosen = roles.outerjoin(editors, editors.c.id == roles.c.editor_id)
    name = sa.func.coalesce(editors.c.name, "")
    action = sa.literal("replace editor")
    yield _event(roles, chosen, roles.c.by, none, action, name).where(roles.c.turn > 1)


def _event(
    rows: sa.FromClause,
    source: sa.FromClause,
    who: sa.ColumnElement[str],
    machine: sa.ColumnElement[str],
    action: sa.ColumnElement[str],
    detail: sa.ColumnElement[str],
) -> sa.Select[Any]:
    kits, teams = schema.kits, schema.teams
    subject = "kit " + kits.c.name + ", team " + teams.c.name + ", " + rows.c.pass_ + " pass"
    return sa.select(rows.c.at, who, machine, action, subject, detail).select_from(
        source.join(kits, kits.c.id == rows.c.kit_id).join(teams, teams.c.id == rows.c.team_id)
    )
