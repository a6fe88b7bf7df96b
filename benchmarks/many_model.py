"""How long parts take on many machines: a model of what each of them costs whom.

The command (the driver) makes parts and takes results, the scheduler passes both on, workers
compute. Each does one thing at a time; all that share a machine share its processors. No more
parts are on their way than :mod:`madcat_studio.operations.many` sends.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

FROM_DRIVER, TO_WORKERS, WORK, TO_DRIVER, KEEP = range(5)
BUSY = 3  # as operations/many.py has it


@dataclass(frozen=True)
class Costs:
    """Of one part, in seconds of a processor, and bytes.

    Attributes:
        driver: to make it and to keep its result.
        scheduler: to pass both on.
        worker: to compute it.
        waiting: seconds in which the worker is busy without a processor.
        size: of its texts; the driver has them twice while the part is on its way.
    """

    driver: float
    scheduler: float
    worker: float
    waiting: float = 0.0
    size: int = 0


def seconds(costs: Costs, workers: int, parts: int, processors: float | None = None) -> float:
    """How long so many parts take.

    Args:
        costs: of each part.
        workers: how many there are, of one thread each.
        parts: how many.
        processors: that driver, scheduler and workers share; None: each has one of its own.
    """
    stages = [costs.driver * 0.7, costs.scheduler / 2, costs.worker, costs.scheduler / 2]
    stages.append(costs.driver * 0.3)
    queues: list[deque[float]] = [deque() for _ in stages]  # what is left of each part
    servers = (1, 1, workers, 1, 1)
    active: list[list[float]] = [[] for _ in stages]  # [what is left] of those being worked on
    made = flying = done = 0
    now = 0.0
    waits = costs.waiting
    resting: list[float] = []  # ends of the waiting of workers
    while done < parts:
        # Who can begin does. Driver and scheduler serve two stages each, one thing at a time.
        if not active[FROM_DRIVER] and not active[KEEP]:
            if queues[KEEP]:
                active[KEEP].append(queues[KEEP].popleft())
            elif made < parts and flying < BUSY * workers:
                made, flying = made + 1, flying + 1
                active[FROM_DRIVER].append(stages[FROM_DRIVER])
        if not active[TO_WORKERS] and not active[TO_DRIVER]:
            for stage in (TO_DRIVER, TO_WORKERS):
                if queues[stage]:
                    active[stage].append(queues[stage].popleft())
                    break
        while queues[WORK] and len(active[WORK]) + len(resting) < servers[WORK]:
            active[WORK].append(queues[WORK].popleft())
        running = sum(map(len, active))
        rate = 1.0 if processors is None else min(1.0, processors / max(running, 1))
        nearest = min((left / rate for some in active for left in some), default=float("inf"))
        if resting:
            nearest = min(nearest, resting[0] - now)
        now += nearest
        while resting and resting[0] <= now + 1e-12:
            resting.pop(0)
            queues[TO_DRIVER].append(stages[TO_DRIVER])
        for stage, some in enumerate(active):
            rest = [left - nearest * rate for left in some]
            active[stage] = [left for left in rest if left > 1e-12]
            for _ in range(len(rest) - len(active[stage])):
                if stage == WORK and waits:
                    resting.append(now + waits)
                elif stage == KEEP:
                    done, flying = done + 1, flying - 1
                else:
                    queues[stage + 1].append(stages[stage + 1])
    return now


def memory(costs: Costs, workers: int, base: int) -> int:
    """Bytes of the driver: itself, and the texts of all parts on their way."""
    return base + 2 * BUSY * workers * costs.size
