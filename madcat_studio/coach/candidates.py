"""All changes of a text that may save edits: what could be taken back, moved or written otherwise.

Nothing here is a claim: each candidate is counted by the engine before anybody hears of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from madcat_studio.coach.agreement import Sides
from madcat_studio.coach.candidate import Candidate
from madcat_studio.coach.characters import items, other_forms
from madcat_studio.coach.moving import moves
from madcat_studio.coach.parts import changed
from madcat_studio.coach.taking_back import agreed_again, moved_back, taken_back
from madcat_studio.coach.values import AdviceKind
from madcat_studio.scoring.changes import Splice

__all__ = ["candidates"]


def candidates(sides: Sides) -> Iterator[Candidate]:
    """All that is worth counting."""
    yield from _characters(sides)
    yield from taken_back(sides)
    yield from agreed_again(sides)
    yield from moved_back(sides)
    yield from moves(sides)


def _characters(sides: Sides) -> Iterator[Candidate]:
    """Quotes, dashes and blanks in words that count as changed, in the output's forms."""
    text, alignment = sides.alignment.text, sides.alignment
    for column in sides.columns:
        span = alignment.place(column)
        if span is None or not changed(column):
            continue
        found = list(items(text, *span))
        for item in found:
            for form in other_forms(item, alignment.output):
                yield Candidate(AdviceKind.CHARACTER, (form,), 1)
        if len(found) > 1:
            odd = [one for one in found if one.form != one.plain]
            plain = tuple(Splice(one.start, one.end, one.plain) for one in odd)
            yield Candidate(AdviceKind.CHARACTER, plain, len(odd))
