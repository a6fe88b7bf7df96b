"""Local search with restarts, shared by kits and teams: seeded, cancellable, never worse.

A problem offers random exchanges; the search takes those that help and, while it is warm, some
that do not. It returns to the best plan that was seen, so more effort never gives a worse one.
"""

from __future__ import annotations

import math
import random
from typing import Protocol

from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = ["Problem", "improve"]


class Problem(Protocol):
    """A plan that can be changed by exchanges, each of which is looked at before it is made."""

    def cost(self) -> float:
        """The cost of the plan as it is; the search keeps the sum of differences."""
        ...

    def propose(self, chance: random.Random) -> float | None:
        """Think of one random exchange: by how much would the cost change? None: not allowed.

        The plan stays as it is; most proposals are thrown away.
        """

    def accept(self) -> None:
        """Make the exchange that was proposed last."""

    def snapshot(self) -> object:
        """The plan as it is, to come back to."""

    def restore(self, snapshot: object) -> None:
        """Come back to a plan."""


_CHUNK = 2_000


def improve(
    problem: Problem,
    *,
    seed: int,
    steps: int,
    restarts: int = 4,
    progress: Progress = SILENT,
    text: str = "",
) -> float:
    """Improve a plan in place; its cost afterwards, never above the one before.

    First only exchanges that help are taken; then the search is warmed and cooled again
    ``restarts`` times, each time from the best plan so far.

    Args:
        problem: the plan.
        seed: the same seed gives the same plan.
        steps: proposals in all.
        restarts: how often the search is warmed.
        progress: told now and then; may cancel.
        text: what the progress says, before the lowest cost so far.

    Raises:
        Cancelled: ``progress`` said so. The plan is then the best that was seen.
    """
    chance = random.Random(seed)
    cost = best = problem.cost()
    kept = problem.snapshot()
    rounds = restarts + 1
    share = max(1, steps // rounds)
    done = 0
    for number in range(rounds):
        if number:
            problem.restore(kept)
            cost = best
        # A step that costs a thousandth of the plan is taken often at first, and hardly at the end.
        start = 0.0 if number == 0 else max(best, 1e-9) / 1_000 / (1 + number)
        for step in range(share):
            if step % _CHUNK == 0:
                progress.advance(done, steps, f"{text}, cost {best:,.3f}")
                if progress.cancelled():
                    problem.restore(kept)
                    raise Cancelled
            done += 1
            difference = problem.propose(chance)
            if difference is None:
                continue
            warmth = start * (1 - step / share)
            if difference > 0 and (
                warmth <= 0 or chance.random() >= math.exp(-difference / warmth)
            ):
                continue
            problem.accept()
            cost += difference
            if cost < best - 1e-9:
                best = cost
                kept = problem.snapshot()
    problem.restore(kept)
    progress.advance(steps, steps, f"{text}, cost {best:,.3f}")
    return problem.cost()
