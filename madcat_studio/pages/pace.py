"""Pages an hour, from the steps that the queue keeps: of whoever worked or checked, and by kind.

What counts is the time from claiming a page to finishing it. Somebody who gives a page back and
takes it again goes on with it; what somebody else took over is left out. A page that was held for
longer than a limit lay idle: nobody knows how long the work took, so it is counted apart.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from madcat_studio.model.pagework import PageWork, WorkState

__all__ = ["LONGEST", "Done", "Pace", "done_in", "paces"]

LONGEST = 4.0
"""Hours for which a page may be held in all; beyond that the time says nothing."""

_TASKS = {WorkState.IN_WORK: "work", WorkState.IN_CHECK: "check"}


@dataclass(frozen=True, slots=True)
class Done:
    """One page that one person finished.

    Attributes:
        page: its name.
        kind: what kind of page it is, "" where nobody asked.
        person: who finished it.
        task: ``work``, or ``check`` for its second check.
        hours: for how long the page was in this person's hands.
        at: when it was finished (UTC).
    """

    page: str
    person: str
    task: str
    hours: float
    at: datetime
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast pages were done.

    Attributes:
        name: of the person or the kind.
        task: ``work`` or ``check``.
        pages: how many count.
        hours: which they took in all.
        per_hour: pages an hour; None where none counts or they took no time.
        median_minutes: a page; None where none counts.
        left_out: pages that were held for too long.
    """

    name: str
    task: str
    pages: int
    hours: float
    per_hour: float | None
    median_minutes: float | None
    left_out: int


def done_in(history: Sequence[PageWork]) -> list[Done]:
    """What was finished in the history of one page, its first step first."""
    found: list[Done] = []
    spent: dict[tuple[str, str], float] = {}
    since: datetime | None = None
    before: PageWork | None = None
    for step in history:
        held = None if before is None else _TASKS.get(before.state)
        moved = before is None or (before.state, before.holder) != (step.state, step.holder)
        if moved and held is not None and before is not None and since and step.at:
            stay = max((step.at - since).total_seconds() / 3600, 0.0)
            key = before.holder, held
            spent[key] = spent.get(key, 0.0) + stay
            if step.step == "finish":
                found.append(Done(step.page, before.holder, held, spent.pop(key), step.at))
                spent = {other: hours for other, hours in spent.items() if other[1] != held}
            elif step.state in _TASKS:  # somebody else has it now
                del spent[key]
        if moved:
            since = step.at
        before = step
    return found


def paces(
    done: Iterable[Done], key: Callable[[Done], str], *, longest: float = LONGEST
) -> list[Pace]:
    """The pace of each person, or of each kind, by task; the names in order."""
    groups: dict[tuple[str, str], list[float]] = {}
    for each in done:
        groups.setdefault((key(each), each.task), []).append(each.hours)
    found = []
    for name, task in sorted(groups, key=lambda group: (group[0], group[1] != "work")):
        all_hours = groups[name, task]
        hours = [each for each in all_hours if each <= longest]
        total = sum(hours)
        found.append(
            Pace(
                name,
                task,
                len(hours),
                total,
                len(hours) / total if total else None,
                statistics.median(hours) * 60 if hours else None,
                len(all_hours) - len(hours),
            )
        )
    return found
