"""Of all changes that would save edits, those to tell of: no smaller ones would do as well."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from madcat_studio.coach.candidate import Candidate
from madcat_studio.scoring.changes import Splice

__all__ = ["Counted", "spliced", "told"]


@dataclass(frozen=True, slots=True)
class Counted:
    """A candidate with what it saves."""

    candidate: Candidate
    saved: float

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.candidate.splices[0].start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.candidate.splices[-1].end

    @property
    def whole(self) -> bool:
        """Whether it is in one place, and not here and there."""
        return self.candidate.whole


def told(found: Sequence[Counted]) -> list[Counted]:
    """Those to tell of, the most first; none touches another."""
    kept: list[Counted] = []
    for one in sorted(_simplest(found), key=lambda one: (-one.saved, _order(one))):
        if not any(_touch(one, other) for other in kept):
            kept.append(one)
    return kept


def _order(one: Counted) -> tuple[int, int]:
    return one.candidate.size, one.start


def _touch(one: Counted, other: Counted) -> bool:
    return any(
        mine.start <= theirs.end and theirs.start <= mine.end
        for mine in one.candidate.splices
        for theirs in other.candidate.splices
    )


def _simplest(found: Sequence[Counted]) -> list[Counted]:
    """Without those that are no better than smaller ones within them.

    Neighbours of one kind stay together, where nothing between them is unchanged.
    """
    kept: list[Counted] = []
    for one in sorted(found, key=_order):
        within = [
            other
            for other in kept
            if other.whole and one.start <= other.start and other.end <= one.end
        ]
        parts = _most(within) if one.whole else 0.0
        alike = all(other.candidate.kind is one.candidate.kind for other in within)
        if one.saved > parts or (one.saved == parts and one.candidate.solid and alike):
            kept.append(one)
    return kept


def _most(parts: Sequence[Counted]) -> float:
    """The most that parts save together, by their own counts, where none touches another."""
    ordered = sorted(parts, key=lambda one: one.end)
    ends = [one.end for one in ordered]
    most = [0.0]
    for number, one in enumerate(ordered):
        before = bisect_left(ends, one.start, 0, number)
        most.append(max(most[-1], most[before] + one.saved))
    return most[-1]


def spliced(found: Sequence[Counted]) -> tuple[Splice, ...]:
    """All their splices."""
    return tuple(splice for one in found for splice in one.candidate.splices)
