"""The one question that claims, revisions, progress and scores all ask: what is the latest text?"""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.store import schema
from madcat_studio.store.odd import sound

__all__ = ["latest_revisions"]

_KEY = ("team_id", "kit_id", "pass_", "segment_id")


def latest_revisions(
    connection: Connection,
    key: tuple[str, str, str] | None = None,
    kits: Collection[str] | None = None,
) -> sa.Subquery:
    """The latest revision of every segment in every pass, side revisions left out.

    Args:
        connection: of the question.
        key: of kit and team, and the pass: that pass only.
        kits: keys of kits: those only.
    """
    table = sound(connection, schema.revisions)
    newest = sa.select(
        *(table.c[name] for name in _KEY), sa.func.max(table.c.number).label("number")
    ).where(table.c.side.is_(False))
    if key is not None:
        newest = newest.where(
            table.c.kit_id == key[0], table.c.team_id == key[1], table.c.pass_ == key[2]
        )
    if kits is not None:
        newest = newest.where(table.c.kit_id.in_(kits))
    grouped = newest.group_by(*(table.c[name] for name in _KEY)).subquery()
    same = (table.c[name] == grouped.c[name] for name in (*_KEY, "number"))
    return sa.select(table).join(grouped, sa.and_(*same)).subquery()
