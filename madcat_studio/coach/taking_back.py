"""What could be taken back: parts of a text in which the output's words would do."""

from __future__ import annotations

from collections.abc import Iterator

from madcat_studio.coach.agreement import Sides
from madcat_studio.coach.candidate import Candidate, span, written
from madcat_studio.coach.characters import folded
from madcat_studio.coach.parts import Part, parts
from madcat_studio.coach.values import AdviceKind
from madcat_studio.scoring.changes import Splice, removal
from madcat_studio.scoring.columns import Column, ColumnKind

__all__ = ["agreed_again", "moved_back", "taken_back"]


def taken_back(sides: Sides) -> Iterator[Candidate]:
    """Parts with the output's words again, where something speaks for it."""
    for part in parts(sides.columns):
        kind = _why(sides, part)
        if kind is None:
            continue
        behind = sides.alignment.end_before(part.first)
        splice = _output_again(sides, part.output, part.text, behind)
        if splice is not None:
            size = len(part.output) + len(part.text)
            yield Candidate(kind, (splice,), size, solid=part.solid)


def agreed_again(sides: Sides) -> Iterator[Candidate]:
    """Words that text and reference differ in, as the output had them.

    The alignment of output and text may have set other words against them.
    """
    places = sides.alignment.text_places
    for output, text in sides.differences():
        if sides.loses(output, text) or not sides.output_agrees(output, text):
            continue
        before = places[text.start - 1] if text.start else (0, 0)
        splice = _output_again(sides, output, text, before[1]) if before is not None else None
        if splice is not None:
            yield Candidate(AdviceKind.AGREED, (splice,), len(output) + len(text))


def _why(sides: Sides, part: Part) -> AdviceKind | None:
    """Why a part may be taken back; None where nothing speaks for it."""
    before, after = sides.output_words(part.output), sides.text_words(part.text)
    if before == after:
        return None
    loses = sides.loses(part.output, part.text)
    glued, other = "".join(before), "".join(after)
    if before and folded(glued) == folded(other):
        forms = (folded(glued), folded(other)) != (glued, other)
        return AdviceKind.CHARACTER if forms or not loses else None
    if loses:
        return None
    if sides.output_agrees(part.output, part.text):
        return AdviceKind.AGREED
    if glued.lower() == other.lower():
        return None  # a capital is no other word: a sentence may begin there now
    if not sides.reference_has(part.output, part.text):
        return None
    if not part.text:
        right = sides.may_return(part.output, part.text.start)
        return AdviceKind.REWORDING if right else None
    if part.solid and not part.moved and not set(before) & set(after):
        return AdviceKind.REWORDING
    # Words that stay would stand in another order: only in the reference's.
    right = sides.all_met(part.output) and sides.in_order(part.output)
    return AdviceKind.REWORDING if right else None


def _output_again(sides: Sides, output: range, text: range, behind: int) -> Splice | None:
    """What puts the output's words in the place of the text's; None where they are not found.

    Args:
        sides: the three texts.
        output, text: words of either.
        behind: where words come to stand that take no others' place.
    """
    alignment = sides.alignment
    spans = [alignment.text_places[place] for place in text]
    words = written(sides, output)
    if words is None or None in spans:
        return None
    if not spans:
        return alignment.insertion(behind, words, output.start in alignment.output_joined)
    start, end = span(spans)
    return Splice(start, end, words) if words else removal(alignment.text, start, end)


def moved_back(sides: Sides) -> Iterator[Candidate]:
    """Blocks that stood where the reference has them, further than the widest part."""
    seen: set[int] = set()
    for number, column in enumerate(sides.columns):
        if column.kind is not ColumnKind.MATCH or not column.shift or column.shift in seen:
            continue
        seen.add(column.shift)
        block = [one.output_at for one in sides.columns if _of_block(one, column.shift)]
        if sides.stood_right(range(min(block), max(block) + 1)):
            splices = sides.alignment.reverted(number)
            if splices:
                yield Candidate(AdviceKind.AGREED, splices[::-1], 2 * len(block), whole=False)


def _of_block(column: Column, shift: int) -> bool:
    return column.shift == shift and column.kind is not ColumnKind.ORIGIN
