"""How the passes of kits stand, read from claims, releases, hand-overs and takings back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.model.campaign import PassState
from madcat_studio.store import schema
from madcat_studio.store.odd import Setting, setting_of, sound

__all__ = ["NOBODY", "Hold", "PassKey", "holds"]

PassKey = tuple[str, str, str]
"""The keys of kit and team, and the pass."""


# By names of their own: asking the enumeration for a member costs as much as the whole answer.
_OPEN, _CLAIMED = PassState.OPEN, PassState.CLAIMED
_WAITING, _HANDED_OVER = PassState.WAITING, PassState.HANDED_OVER


class Hold(NamedTuple):
    """Where one pass of one team over one kit stands, by keys. A tuple: a board has thousands.

    Attributes:
        turn: of the latest claim; 0 where there was none. ``editor`` and ``machine`` are that
            claim's, None where there was none.
        at: when it was claimed, or handed over.
        claimed: held now; ``handed_over``: finished.
        handovers: how many there were, taken back or not.
    """

    turn: int = 0
    editor: str | None = None
    machine: str | None = None
    at: datetime | None = None
    claimed: bool = False
    handed_over: bool = False
    handovers: int = 0

    def state(self, before: Hold | None) -> PassState:
        """The state to show; ``before`` is the hold of the first pass, for a review."""
        if self.handed_over:
            return _HANDED_OVER
        if self.claimed:
            return _CLAIMED
        if before is not None and not before.handed_over:
            return _WAITING
        return _OPEN


NOBODY = Hold()
"""A pass that was never claimed."""


def holds(connection: Connection, kits: Iterable[str] | None = None) -> dict[PassKey, Hold]:
    """(kit, team, pass) -> how it stands, for passes that were ever claimed."""
    setting = setting_of(connection)
    if kits is None:
        rows = connection.execute(_query(setting))
    else:
        rows = connection.execute(_query_of_kits(setting), {"kits": list(kits)})
    found: dict[PassKey, Hold] = {}
    for kit, team, pass_, *hold in rows.all():
        one = Hold._make(hold)
        before = found.setdefault((kit, team, pass_), one)
        if before is not one and (one.turn, one.handovers) > (before.turn, before.handovers):
            found[kit, team, pass_] = one
    return found


@cache
def _query_of_kits(setting: Setting) -> sa.Select[Any]:
    query = _query(setting)
    kit = query.selected_columns[0]
    return query.where(kit.in_(sa.bindparam("kits", expanding=True)))


@cache
def _query(setting: Setting) -> sa.Select[Any]:
    claims, handovers, releases, takebacks = (
        sound(setting, table)
        for table in (schema.claims, schema.handovers, schema.releases, schema.takebacks)
    )
    finished = sa.and_(handovers.c.number.is_not(None), takebacks.c.number.is_(None))
    # One question, and one time of each pass: a board has thousands, and each value that is
    # fetched costs. Unsorted: the latest row of a pass is found in passing.
    return sa.select(
        claims.c.kit_id,
        claims.c.team_id,
        claims.c.pass_,
        claims.c.turn,
        claims.c.editor_id,
        claims.c.machine,
        sa.case((finished, handovers.c.at), else_=claims.c.at),
        sa.and_(sa.not_(finished), releases.c.turn.is_(None)),
        finished,
        sa.func.coalesce(handovers.c.number, 0),
    ).select_from(
        claims.outerjoin(handovers, _same(handovers, claims))
        .outerjoin(takebacks, _same(takebacks, handovers, "turn", "number"))
        .outerjoin(releases, _same(releases, claims, "turn"))
    )


def _same(one: sa.FromClause, other: sa.FromClause, *more: str) -> sa.ColumnElement[bool]:
    """Rows of the same pass."""
    return sa.and_(
        *(one.c[name] == other.c[name] for name in ("kit_id", "team_id", "pass_", *more))
    )
