"""The one question that claims, revisions, progress and scores all ask: what is the latest text?"""

from __future__ import annotations

from functools import cache

import sqlalchemy as sa

from madcat_studio.store import schema
from madcat_studio.store.odd import Setting, sound

__all__ = ["latest_in_kits", "latest_in_pass", "latest_revisions"]

_KEY = ("team_id", "kit_id", "pass_", "segment_id")


@cache
def latest_revisions(setting: Setting) -> sa.Subquery:
    """The latest revision of every segment in every pass, side revisions left out."""
    return _latest(sound(setting, schema.revisions), sa.true())


@cache
def latest_in_pass(setting: Setting, prefix: str = "") -> sa.Subquery:
    """Those of one pass, whose key the parameters ``kit``, ``team`` and ``pass_`` hold.

    ``prefix`` stands before the names of the parameters, where a question asks for two passes.
    """
    table = sound(setting, schema.revisions)
    of_pass = sa.and_(
        table.c.kit_id == sa.bindparam(f"{prefix}kit"),
        table.c.team_id == sa.bindparam(f"{prefix}team"),
        table.c.pass_ == sa.bindparam(f"{prefix}pass_"),
    )
    return _latest(table, of_pass)


@cache
def latest_in_kits(setting: Setting) -> sa.Subquery:
    """Those of some kits, whose keys the parameter ``kits`` holds."""
    table = sound(setting, schema.revisions)
    return _latest(table, table.c.kit_id.in_(sa.bindparam("kits", expanding=True)))


def _latest(table: sa.FromClause, chosen: sa.ColumnElement[bool]) -> sa.Subquery:
    key = [table.c[name] for name in _KEY]
    number = sa.func.max(table.c.number).label("number")
    newest = sa.select(*key, number).where(table.c.side.is_(False), chosen)
    grouped = newest.group_by(*key).subquery()
    same = (table.c[name] == grouped.c[name] for name in (*_KEY, "number"))
    return sa.select(table).join(grouped, sa.and_(*same)).subquery()
