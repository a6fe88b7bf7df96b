"""Nothing of what is evaluated is claimed before editing begins, by the calendar of its track.

A practice kit may be. The rule stands in both databases: on a server in the functions by which
its policies decide, in a file as a trigger. The server's clock counts; in a folder, that of the
machine that asks.
"""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.errors import ConflictError
from madcat_studio.model.calendar import OF_TRACK, Calendar, Date, option_of

__all__ = ["BEGIN_OPTION", "NOT_BEGUN", "begins", "check_begun", "not_begun"]

BEGIN_OPTION = option_of(Date.EDITING_BEGINS)
"""The option with the moment before which only practice kits may be claimed; a track may have one
of its own."""

NOT_BEGUN = "store.editing-not-begun"
"""The code of the refusal."""


def begins(kit: str, *, postgresql: bool) -> str:
    """The question for the moment from which on a kit may be claimed; NULL: it always may.

    Should a kit hold pages of several tracks, the last of their moments counts.

    Args:
        kit: how SQL names its key.
        postgresql: in whose SQL.
    """
    value = "(o.value #>> '{}')::timestamptz" if postgresql else "json_extract(o.value, '$')"
    asked = f"SELECT {value} FROM options o WHERE o.name = '{BEGIN_OPTION}"
    return (
        f"SELECT max(coalesce(({asked}{OF_TRACK}' || d.track), ({asked}')))"
        " FROM kits k LEFT JOIN kit_items i ON i.kit_id = k.id"
        " LEFT JOIN documents d ON d.id = i.document_id"
        f" WHERE k.id = {kit} AND NOT k.practice"
    )


_BEGINS_IN_FILE = sa.text(begins(":kit", postgresql=False))


def not_begun(kit: str) -> str:
    """The condition, in a file's SQL, that a kit may not be claimed yet.

    What is no moment for SQLite lets nobody in either.
    """
    moment = begins(kit, postgresql=False)
    come = "coalesce(julianday(b.moment) <= julianday('now'), 0)"
    return (
        f"EXISTS (SELECT 1 FROM (SELECT ({moment}) AS moment) b"
        f" WHERE b.moment NOTNULL AND NOT {come})"
    )


def check_begun(connection: Connection, kit: str, now: datetime, where: str) -> None:
    """Refuse to claim a kit before its time.

    Args:
        connection: to the campaign.
        kit: its key.
        now: the database's time.
        where: for the message.

    Raises:
        ConflictError: ``store.editing-not-begun``.
        InputError: ``calendar.moment``.
    """
    if connection.dialect.name == "postgresql":
        # An editor's login sees neither tracks nor their dates: a function knows them.
        moment = connection.scalar(sa.text("SELECT studio_begins(:kit)"), {"kit": kit})
    else:
        spelt = connection.scalar(_BEGINS_IN_FILE, {"kit": kit})
        moment = Calendar.of({BEGIN_OPTION: spelt}).dates.get(Date.EDITING_BEGINS)
    if moment is None or now >= moment:
        return
    raise ConflictError(
        "store.editing-not-begun",
        f"Editing begins on {moment.astimezone(UTC):%Y-%m-%d} at "
        f"{moment.astimezone(UTC):%H:%M} UTC, and nobody can see this kit before",
        where=where,
        remedy="Ask again then; a practice kit can be edited earlier",
    )
