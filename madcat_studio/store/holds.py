"""How the passes of kits stand, read from claims, releases, hand-overs and takings back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.model.campaign import PassState
from madcat_studio.store import schema

__all__ = ["NOBODY", "Hold", "PassKey", "holds"]

PassKey = tuple[str, str, str]
"""The keys of kit and team, and the pass."""


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
            return PassState.HANDED_OVER
        if self.claimed:
            return PassState.CLAIMED
        if before is not None and not before.handed_over:
            return PassState.WAITING
        return PassState.OPEN


NOBODY = Hold()
"""A pass that was never claimed."""


def holds(connection: Connection, kits: Iterable[str] | None = None) -> dict[PassKey, Hold]:
    """(kit, team, pass) -> how it stands, for passes that were ever claimed."""
    chosen = None if kits is None else list(kits)

    def rows(table: sa.Table, more: Sequence[str], *order: str) -> Sequence[Any]:
        columns = ("kit_id", "team_id", "pass_", "turn", *more)
        query = sa.select(*(table.c[name] for name in columns)).order_by(
            *(table.c[name] for name in order)
        )
        if chosen is not None:
            query = query.where(table.c.kit_id.in_(chosen))
        # All at once: a row at a time costs as much again.
        return connection.execute(query).all()

    latest = {
        (kit, team, pass_): rest
        for kit, team, pass_, *rest in rows(schema.claims, ("editor_id", "machine", "at"), "turn")
    }
    released = {tuple(row) for row in rows(schema.releases, ())}
    handed = {
        (kit, team, pass_): (number, at)
        for kit, team, pass_, _, number, at in rows(schema.handovers, ("number", "at"), "number")
    }
    taken = {
        (kit, team, pass_, number)
        for kit, team, pass_, _, number in rows(schema.takebacks, ("number",))
    }
    found = {}
    for one, (turn, editor, machine, at) in latest.items():
        number, handed_at = handed.get(one, (0, None))
        finished = number > 0 and (*one, number) not in taken
        found[one] = Hold(
            turn,
            editor,
            machine,
            handed_at if finished else at,
            not finished and (*one, turn) not in released,
            finished,
            number,
        )
    return found
