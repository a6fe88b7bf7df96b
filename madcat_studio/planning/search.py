"""Local search with restarts, shared by kits and teams: seeded, cancellable, never worse.

A problem offers random exchanges; the search takes those that help and, while it is warm, some
that do not. It returns to the best plan that was seen, so more effort never gives a worse one.
"""

from __future__ import annotations

import math
import random
from typing import Protocol

from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = ["Problem", "improve", "usual_steps"]


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


_CHUNK = 500


def usual_steps(things: int, each: int) -> int:
    """Proposals for so many things to place: ``each`` times as many.

    So few as have fewer exchanges than that get a hundred times their number squared, and no fewer
    than 1,500 for each.
    """
    return max(1_500 * things, min(each * things, 100 * things * things))


def improve(
    problem: Problem,
    *,
    seed: int,
    steps: int,
    hot: float,
    cold: float,
    progress: Progress = SILENT,
    text: str = "",
) -> float:
    """Improve a plan in place; its cost afterwards, never above the one before.

    Simulated annealing (Kirkpatrick, Gelatt and Vecchi, "Optimization by Simulated Annealing",
    Science 220, 1983): an exchange that costs d more is made with the chance
    exp(-d / temperature), and the temperature falls evenly on a logarithmic scale. Two thirds of
    the steps begin hot; then the search restarts twice from the best plan so far, an eighth as hot.

    Args:
        problem: the plan.
        seed: the same seed gives the same plan.
        steps: proposals in all.
        hot, cold: the temperature at the beginning and at the end, in units of the cost.
        progress: told now and then, with the cost so far; may cancel.
        text: what the progress says.

    Raises:
        Cancelled: ``progress`` said so. The plan is then the best that was seen.
    """
    chance = random.Random(seed)
    cost = best = problem.cost()
    kept = problem.snapshot()
    done = 0
    for number, (share, highest_temperature) in enumerate(((4, hot), (1, hot / 8), (1, hot / 8))):
        if number:
            problem.restore(kept)
            cost = best
        count = max(1, steps * share // 6)
        fall = math.log(cold / highest_temperature) / count
        temperature = highest_temperature
        for step in range(count):
            if step % _CHUNK == 0:
                temperature = highest_temperature * math.exp(fall * step)
                progress.advance(done, steps, f"{text}: cost {best:.2f}")
                if progress.cancelled():
                    problem.restore(kept)
                    raise Cancelled
            done += 1
            difference = problem.propose(chance)
            if difference is None:
                continue
            if difference > 0 and chance.random() >= math.exp(-difference / temperature):
                continue
            problem.accept()
            cost += difference
            if cost < best - 1e-9:
                best = cost
                kept = problem.snapshot()
    problem.restore(kept)
    progress.advance(steps, steps, f"{text}: cost {best:.2f}")
    return problem.cost()
