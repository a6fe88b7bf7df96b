"""The writing of a page as its transcript is read.

Ink alone does not say which end of a page that lies on its side is the top, whether lines go on
over a gutter, or in which order the words of a line with two scripts are read. The transcript does:
of all ways that the ink allows the one is taken in which its words have the lowest price.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from madcat_studio.images.ink import Ink
from madcat_studio.model.document import Page
from madcat_studio.pages.direction import right_to_left, scripts_mixed
from madcat_studio.pages.lines_of_text import lines_of_text
from madcat_studio.pages.proposals import Proposal, price_of, propose
from madcat_studio.pages.touching import words_by_shape
from madcat_studio.pages.writing import Part, Writing, writing_of

__all__ = ["STEPS", "find_writing", "in_reading_order", "sure_words"]

STEPS = 3
"""The ink, the lines in it, the words in these."""

_CLEAR = 0.75
"""Where so many words are sure, gaps tell enough."""
_ON_ITS_SIDE = 45.0
"""Degrees: a page that was turned by more lay on its side."""


def find_writing(
    ink_of: Callable[[int | None], Ink],
    texts: Sequence[str],
    page: Page | None = None,
    *,
    open_end: bool = False,
    leftwards: bool | None = None,
    step: Callable[[int], None] = lambda _: None,
) -> Writing:
    """Find the writing of a page.

    Args:
        ink_of: reads its ink, with so many quarter turns; None: as many as it seems to need.
        texts: the words of the transcript that may stand on it; none if there is no transcript.
        page: where it has lines with outlines, these are the lines.
        open_end: whether the last words may stand on another page.
        leftwards: whether it is read from right to left; None: as the words are.
        step: is told how many of :data:`STEPS` are done; it may raise to end the work.
    """
    step(0)
    ink = ink_of(None)
    step(1)
    towards = right_to_left(texts) if leftwards is None else leftwards
    found = [writing_of(ink, page, right_to_left=towards)]
    if not texts:
        return found[0]
    if abs((ink.turn + 180) % 360 - 180) > _ON_ITS_SIDE:
        other = ink_of(3 if ink.turn < 180 else 1)
        found.append(writing_of(other, page, right_to_left=towards))
    found += [
        writing_of(one.ink, page, right_to_left=towards, columns=False)
        for one in found
        if one.columns
    ]
    step(2)
    if len(found) > 1:
        found.sort(key=lambda one: price_of(one, texts, open_end=open_end))
    read = in_reading_order(found[0], texts, open_end=open_end)
    return read if open_end else _by_shape(read, texts)


def _by_shape(writing: Writing, texts: Sequence[str]) -> Writing:
    """Where gaps leave most words in doubt: by their shapes, if these leave fewer."""
    sure = sure_words(writing, texts)
    if sure >= _CLEAR * len(texts):
        return writing
    apart = words_by_shape(writing, texts)
    if apart is None:
        return writing
    return apart if sure_words(apart, texts) > sure else writing


def sure_words(writing: Writing, texts: Sequence[str], *, open_end: bool = False) -> int:
    """How many words get a proposal that is sure: by this one writing is better than another."""
    proposals = propose(writing, texts, open_end=open_end)
    return sum(proposal.sure for proposal in proposals)


def in_reading_order(writing: Writing, texts: Sequence[str], *, open_end: bool = False) -> Writing:
    """The same writing with its parts in the order in which a transcript is read."""
    towards = right_to_left(texts)
    if not writing.parts or not texts or writing.read:
        return writing
    if writing.right_to_left != towards:
        writing = replace(writing, parts=_turned_round(writing.parts), right_to_left=towards)
    if not scripts_mixed(texts):
        return writing
    found = lines_of_text(writing, texts, open_end=open_end)
    as_written = [texts[number] for number in found.order]
    proposals = propose(writing, as_written, open_end=open_end)
    parts = tuple(
        replace(part, odd=True) if part.line in found.doubtful else part for part in writing.parts
    )
    return _reordered(replace(writing, parts=parts), found.order, proposals)


def _turned_round(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Each line from its other end."""
    lines: dict[int, list[Part]] = {}
    for part in parts:
        lines.setdefault(part.line, []).append(part)
    return tuple(part for line in lines.values() for part in line[::-1])


def _reordered(writing: Writing, order: Sequence[int], proposals: Sequence[Proposal]) -> Writing:
    """Parts in the order of the words; what no word has stays behind the part before it."""
    owner = [-1] * len(writing.parts)
    for number, proposal in zip(order, proposals, strict=True):
        for part in proposal.parts:
            owner[part] = number
    last = -1
    keys = []
    for part, number in enumerate(owner):
        last = number if number >= 0 else last
        keys.append((writing.parts[part].line, last, part))
    # A line that no word stands in keeps its place; within a line the words decide.
    parts = tuple(writing.parts[part] for _, _, part in sorted(keys))
    return replace(writing, parts=parts, read=True)
