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

    def rows(table: sa.Table, *more: str) -> Sequence[Any]:
        columns = ("kit_id", "team_id", "pass_", *more)
        query = sa.select(*(table.c[name] for name in columns))
        if chosen is not None:
            query = query.where(table.c.kit_id.in_(chosen))
        # All at once: a row at a time costs as much again. Unsorted: the highest turn is found
        # in passing, and sorting thousands of rows by long keys is not free.
        return connection.execute(query).all()

    latest: dict[PassKey, tuple[int, str, str, datetime]] = {}
    for kit, team, pass_, *claim in rows(schema.claims, "turn", "editor_id", "machine", "at"):
        before = latest.get((kit, team, pass_))
        if before is None or claim[0] > before[0]:
            latest[kit, team, pass_] = (claim[0], claim[1], claim[2], claim[3])
    released = {tuple(row) for row in rows(schema.releases, "turn")}
    handed: dict[PassKey, tuple[int, datetime]] = {}
    for kit, team, pass_, number, at in rows(schema.handovers, "number", "at"):
        if number > handed.get((kit, team, pass_), (0,))[0]:
            handed[kit, team, pass_] = (number, at)
    taken = {tuple(row) for row in rows(schema.takebacks, "number")}
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
