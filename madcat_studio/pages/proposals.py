"""Which part of the writing is which word of the transcript: proposals for outlines.

The transcript is known, so that the parts need only be shared out among its words, in order
(:mod:`madcat_studio.pages.sharing`). How wide a letter of this hand is, the page itself tells.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from madcat_studio.model.document import Polygon
from madcat_studio.pages.confidence import is_sure
from madcat_studio.pages.letters import letter_width
from madcat_studio.pages.sharing import Runs, Sharing, share_out
from madcat_studio.pages.writing import Writing

__all__ = ["Proposal", "letter_size", "price_of", "propose"]

_USUAL_LETTER = 0.55
"""The width of an ordinary letter, in heights of the writing."""
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed for one word.

    Attributes:
        parts: indices in :attr:`Writing.parts`; none where the word seems not to be there.
        polygon: around them, in stored pixels.
        sure: whether nothing else is nearly as likely.
    """

    parts: tuple[int, ...]
    polygon: Polygon
    sure: bool = False


def propose(
    writing: Writing,
    texts: Sequence[str],
    *,
    taken: Collection[int] = (),
    first: int = 0,
    stop: int | None = None,
    open_end: bool = False,
    letter: float | None = None,
) -> list[Proposal]:
    """Share out parts of the writing among words.

    Args:
        writing: of the page.
        texts: the words that are still to be marked, in order.
        taken: parts that are marked already.
        first: the first part that may be used.
        stop: the part before which to stop; None for the end.
        open_end: whether the last words may stand on another page.
        letter: how wide an ordinary letter is, in cells, where it is known (:func:`letter_size`).

    Returns:
        One proposal for each of ``texts``.
    """
    end = len(writing.parts) if stop is None else stop
    free = [number for number in range(first, end) if number not in taken]
    if not free or not texts:
        return [Proposal((), ()) for _ in texts]
    sharing, letter = _cheapest(Runs(writing, free), texts, open_end, letter)
    found = []
    for number, (begin, over) in enumerate(sharing.ranges):
        numbers = tuple(free[begin:over])
        sure = is_sure(writing, texts, free, sharing, number, letter)
        found.append(Proposal(numbers, writing.outline(numbers), sure))
    return found


def price_of(writing: Writing, texts: Sequence[str], *, open_end: bool = False) -> float:
    """The price of the cheapest way to share out all the writing, for each word that gets some."""
    free = list(range(len(writing.parts)))
    if not free or not texts:
        return float("inf")
    sharing, _ = _cheapest(Runs(writing, free), texts, open_end, None)
    return sharing.price / max(1, sum(over > begin for begin, over in sharing.ranges))


def _cheapest(
    runs: Runs, texts: Sequence[str], open_end: bool, letter: float | None
) -> tuple[Sharing, float]:
    """The cheapest way, and the width of a letter that it was found with."""
    best: tuple[Sharing, float] | None = None
    usual = _USUAL_LETTER * runs.height
    if letter is not None:
        sizes = [letter]
    elif open_end:
        sizes = [usual]  # who knows how many of the words are here
    else:
        sizes = _letter_sizes(runs, texts)
    for first in sizes:
        size = first
        for _ in range(_ROUNDS):
            sharing = share_out(runs, texts, size, open_end)
            # With an open end a price says nothing against another: fewer words cost less.
            if best is None or sharing.price < best[0].price or open_end:
                best = sharing, size
            measured = _measured(runs, texts, sharing.ranges)
            if letter is not None or measured is None or abs(np.log(measured / size)) < 0.08:
                break
            size = measured
    assert best is not None
    return best


def letter_size(writing: Writing, words: Sequence[tuple[str, Sequence[int]]]) -> float | None:
    """How wide an ordinary letter of this hand is, in cells; None from fewer than five words.

    Args:
        writing: of the page.
        words: texts and the parts that they are written with.
    """
    sizes = []
    for text, numbers in words:
        spans = [writing.parts[number].span for number in numbers]
        if spans and letter_width(text) > 1:
            width = max(span[1] for span in spans) - min(span[0] for span in spans)
            sizes.append(width / letter_width(text))
    return float(np.median(sizes)) if len(sizes) >= 5 else None


def _letter_sizes(runs: Runs, texts: Sequence[str]) -> list[float]:
    """How wide a letter may be: as the whole ink has it, and as the writing's height has it."""
    letters = sum(map(letter_width, texts))
    whole = float(runs.own.sum()) / letters
    usual = _USUAL_LETTER * runs.height
    return [whole] if 0.6 <= whole / usual <= 1.7 else [whole, usual]


def _measured(runs: Runs, texts: Sequence[str], ranges: Sequence[tuple[int, int]]) -> float | None:
    found = [
        runs.widths[begin, end - begin - 1] / letter_width(text)
        for text, (begin, end) in zip(texts, ranges, strict=True)
        if end > begin and letter_width(text) > 1
    ]
    return float(np.median(found)) if len(found) >= 5 else None
