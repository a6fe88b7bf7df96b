"""How the passes of kits stand, read from claims, releases, hand-overs and takings back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.model.campaign import PassState
from madcat_studio.store import schema

__all__ = ["NOBODY", "Hold", "PassKey", "holds"]

PassKey = tuple[str, str, str]
"""The keys of kit and team, and the pass."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Where one pass of one team over one kit stands, by keys.

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

    def rows(table: sa.Table, more: Sequence[str], *order: str) -> list[Any]:
        columns = ("kit_id", "team_id", "pass_", "turn", *more)
        query = sa.select(*(table.c[name] for name in columns)).order_by(
            *(table.c[name] for name in order)
        )
        if chosen is not None:
            query = query.where(table.c.kit_id.in_(chosen))
        return list(connection.execute(query))

    def key(row: Any) -> PassKey:
        return row.kit_id, row.team_id, row.pass_

    latest = {key(row): row for row in rows(schema.claims, ("editor_id", "machine", "at"), "turn")}
    released = {(key(row), row.turn) for row in rows(schema.releases, ())}
    handed = {key(row): row for row in rows(schema.handovers, ("number", "at"), "number")}
    taken = {(key(row), row.number) for row in rows(schema.takebacks, ("number",))}
    found = {}
    for one, claim in latest.items():
        handover = handed.get(one)
        finished = handover is not None and (one, handover.number) not in taken
        found[one] = Hold(
            turn=claim.turn,
            editor=claim.editor_id,
            machine=claim.machine,
            at=handover.at if finished and handover is not None else claim.at,
            claimed=not finished and (one, claim.turn) not in released,
            handed_over=finished,
            handovers=0 if handover is None else handover.number,
        )
    return found
