"""Words that went here and came there in another form: the same ones would be one shift."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache

from madcat_studio.coach.agreement import Sides
from madcat_studio.coach.candidate import Candidate, span, written
from madcat_studio.coach.characters import folded
from madcat_studio.coach.parts import Part, stretches
from madcat_studio.coach.values import AdviceKind
from madcat_studio.scoring.changes import Splice
from madcat_studio.scoring.columns import ColumnKind

__all__ = ["moves"]

_MOST_MOVES = 120
"""Moves that are tried, the shortest ways first."""

_SAME_STEM = 0.6
"""Of a word, that two forms of it have in common."""


def moves(sides: Sides) -> Iterator[Candidate]:
    """Words that were left out here, in the place of others that were put in there."""
    gone = list(stretches(sides.columns, ColumnKind.INSERTION))
    come = list(stretches(sides.columns, ColumnKind.DELETION))
    count = 0
    for there, here in sorted(
        _pairs(sides, come, gone),
        key=lambda pair: abs(pair[0].first - pair[1].first),
    ):
        if count == _MOST_MOVES:
            return
        spans = [sides.alignment.text_places[place] for place in there.text]
        words = written(sides, here.output)
        if words is None or None in spans or _overlap(there, here):
            continue
        count += 1
        size = len(here.output) + len(there.text)
        yield Candidate(AdviceKind.SHIFT, (Splice(*span(spans), words),), size)


def _pairs(sides: Sides, come: Sequence[Part], gone: Sequence[Part]) -> Iterator[tuple[Part, Part]]:
    """What came with what may have been meant by it, as near as a shift can bring it."""
    firsts = [one.first for one in gone]
    far = sides.farthest
    for there in come:
        low, high = bisect_left(firsts, there.first - far), bisect_left(firsts, there.first + far)
        yield from ((there, here) for here in gone[low:high] if _may_move(sides, here, there))


def _overlap(one: Part, other: Part) -> bool:
    """Whether a part is in the same place as another: that would be no move."""
    return bool(set(one.output) & set(other.output) or set(one.text) & set(other.text))


def _may_move(sides: Sides, here: Part, there: Part) -> bool:
    """Whether the output's words that went may stand for the text's that came elsewhere."""
    output, text = here.output, there.text
    before, after = sides.output_words(output), sides.text_words(text)
    if before == after:
        return False
    fits = _like(before, after) or (
        sides.knows(output)
        and sides.belongs_between(output, text)
        and sides.reference_has(output, text)
    )
    return fits and not sides.loses(output, text)


def _like(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether words differ in their ends, in case or in characters only."""
    if len(before) != len(after) or not before:
        return False
    return before[0][:1].lower() == after[0][:1].lower() and all(map(_alike, before, after))


@lru_cache(maxsize=4096)
def _alike(one: str, other: str) -> bool:
    left, right = folded(one).lower(), folded(other).lower()
    if left == right:
        return True
    least = max(3, math.ceil(_SAME_STEM * max(len(left), len(right))))
    return len(left) >= least and left[:least] == right[:least]
