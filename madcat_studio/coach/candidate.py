"""A change of the text that may save edits, before the engine has counted it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from madcat_studio.coach.agreement import Sides
from madcat_studio.coach.values import AdviceKind, applied
from madcat_studio.model.characters import clean_line
from madcat_studio.scoring.changes import Splice

__all__ = ["Candidate", "span", "written"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change to be counted.

    Attributes:
        kind: why it may be made.
        splices: what it changes, from the left to the right.
        size: words that it touches.
        whole: it is in one place.
        solid: nothing within it is unchanged.
    """

    kind: AdviceKind
    splices: tuple[Splice, ...]
    size: int
    whole: bool = True
    solid: bool = True

    def apply(self, text: str) -> str:
        """The changed text."""
        return applied(self.splices, text)


def span(spans: Sequence[tuple[int, int] | None]) -> tuple[int, int]:
    """From the first to the last of places that are known."""
    first, last = spans[0], spans[-1]
    assert first is not None
    assert last is not None
    return first[0], last[1]


def written(sides: Sides, part: range) -> str | None:
    """Words of the output as it writes them, on one line."""
    known = [sides.alignment.output_places[place] for place in part]
    if None in known:
        return None
    if not known:
        return ""
    start, end = span(known)
    return clean_line(sides.alignment.output[start:end])[0]  # as a box takes what is put in
