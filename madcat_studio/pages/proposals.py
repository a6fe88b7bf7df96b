"""Which part of the writing is which word of the transcript: proposals for outlines.

The transcript is known, so that the parts need only be shared out among its words, in order. Each
way to share them out has a price: a word should be about as wide as its letters ask for, the gaps
between words should be wider than those within them, a word does not go on in the next line, and
nothing should be left over on either side. The cheapest way is found by dynamic programming over
words and parts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from madcat_studio.model.document import Polygon
from madcat_studio.pages.writing import Writing

__all__ = ["Proposal", "letter_size", "letter_width", "propose"]

Floats = npt.NDArray[np.float64]

_NARROW = frozenset("اأإآٱل1١")
_SMALL = frozenset("دذرزوؤءةه")
_WIDE = frozenset("سشصض")
_BREAKS = frozenset("اأإآٱدذرزوؤءةى")
"""Letters that do not join the one after them."""
_MOST_PARTS = 14
_SPREAD = 0.38
"""How much, as a logarithm, the width of a word strays from what its letters ask for."""
_LEFT_OUT = 7.0
"""The price of a word that is not on the page."""
_LEFT_OVER = 4.0
"""The price of a part as large as the writing is high that no word gets."""
_GAP_SHARE = 0.4
_USUAL_LETTER = 0.55
"""The width of an ordinary letter, in heights of the writing."""
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed for one word.

    Attributes:
        parts: indices in :attr:`Writing.parts`; none where the word seems not to be there.
        polygon: around them, in stored pixels.
    """

    parts: tuple[int, ...]
    polygon: Polygon


def letter_width(text: str) -> float:
    """How wide a word is, in ordinary letters; marks that stand above or below have no width."""
    width = 0.0
    letters = [c for c in text if not unicodedata.combining(c) and not c.isspace()]
    for place, character in enumerate(letters):
        kind = unicodedata.category(character)[0]
        last = place == len(letters) - 1
        if kind == "P" or kind == "S":
            width += 0.35
        elif character in _NARROW:
            width += 0.5
        elif character in _SMALL:
            width += 0.75
        elif character in _WIDE:
            width += 2.0 if last else 1.5
        else:
            width += 1.5 if last else 0.9
    return max(width, 0.3)


def _parts_expected(text: str) -> int:
    letters = [c for c in text if not unicodedata.combining(c)]
    return 1 + sum(c in _BREAKS for c in letters[:-1])


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
    runs = _Runs(writing, free)
    best: tuple[float, list[tuple[int, int]]] | None = None
    if letter is not None:
        sizes = [letter]
    elif open_end:
        sizes = [_USUAL_LETTER * writing.height]  # who knows how many of the words are here
    else:
        sizes = _letter_sizes(writing, runs, texts)
    for size in sizes:
        for _ in range(_ROUNDS):
            price, ranges = _share_out(runs, texts, size, writing.height, open_end)
            # With an open end a price says nothing against another: fewer words cost less.
            if best is None or price < best[0] or open_end:
                best = price, ranges
            measured = _measured(runs, texts, ranges)
            if letter is not None or measured is None or abs(np.log(measured / size)) < 0.08:
                break
            size = measured
    assert best is not None
    found = []
    for begin, over in best[1]:
        numbers = tuple(free[begin:over])
        found.append(Proposal(numbers, writing.outline(numbers)))
    return found


def letter_size(writing: Writing, words: Sequence[tuple[str, Sequence[int]]]) -> float | None:
    """How wide an ordinary letter of this hand is, in cells; None from fewer than five words.

    Args:
        writing: of the page.
        words: texts and the parts that they are written with.
    """
    sizes = []
    for text, numbers in words:
        boxes = [writing.parts[number].box for number in numbers]
        if boxes and letter_width(text) > 1:
            width = max(box[2] for box in boxes) - min(box[0] for box in boxes)
            sizes.append(width / letter_width(text))
    return float(np.median(sizes)) if len(sizes) >= 5 else None


class _Runs:
    """The free parts as arrays, and what each run of them is like.

    Attributes:
        widths: (parts, most) width of the run that begins here and has n + 1 parts, inf where
            that would reach into another line.
        inner: (parts, most) price of the gaps within that run.
        after: (parts + 1,) price of a word's end before this part.
        own: (parts,) width of each part alone.
        sizes: (parts,) the longer side of each.
    """

    def __init__(self, writing: Writing, free: Sequence[int]) -> None:
        parts = [writing.parts[number] for number in free]
        count = len(parts)
        lefts = np.array([part.box[0] for part in parts], dtype=np.float64)
        rights = np.array([part.box[2] for part in parts], dtype=np.float64)
        lines = np.array([part.line for part in parts])
        gaps = lefts[:-1] - rights[1:]
        same = lines[:-1] == lines[1:]
        # A part that was taken out between two leaves a gap that no word goes over.
        apart = np.diff(np.array(free)) > 1
        self.gaps, self.same = gaps, same & ~apart
        self.own = rights - lefts
        tall = np.array([part.box[3] - part.box[1] for part in parts], dtype=np.float64)
        self.sizes = np.maximum(self.own, tall)
        self.widths = np.full((count, _MOST_PARTS), np.inf)
        left, right = lefts.copy(), rights.copy()
        whole = np.ones(count, dtype=np.bool_)
        for more in range(_MOST_PARTS):
            if more:
                reach = count - more
                if reach <= 0:
                    break
                left[:reach] = np.minimum(left[:reach], lefts[more:])
                right[:reach] = np.maximum(right[:reach], rights[more:])
                whole[:reach] &= self.same[more - 1 : more - 1 + reach]
                whole[reach:] = False
            self.widths[whole, more] = (right - left)[whole]

    def price_gaps(self, words: int, height: float) -> tuple[Floats, Floats]:
        """The price of gaps within runs, (parts, most), and of ends of words, (parts + 1,)."""
        inside = self.gaps[self.same]
        ends = max(0, words - 1 - int((~self.same).sum()))
        if len(inside):
            ordered = np.sort(inside)[::-1]
            place = min(max(ends, 1), len(ordered)) - 1
            after = ordered[min(place + 1, len(ordered) - 1)]
            cut = float(ordered[place] + after) / 2
        else:
            cut = 0.0
        scale = max(0.06 * height, 1.0)
        strange = (self.gaps - cut) / scale
        within = np.where(self.same, np.logaddexp(0, strange), 0.0) * _GAP_SHARE * 2
        between = np.where(self.same, np.logaddexp(0, -strange), 0.0) * _GAP_SHARE * 2
        summed = np.concatenate([[0.0], within.cumsum()])
        count = len(self.own)
        inner = np.zeros((count, _MOST_PARTS))
        for more in range(1, min(_MOST_PARTS, count)):
            inner[: count - more, more] = summed[more:] - summed[: count - more]
        return inner, np.concatenate([[0.0], between, [0.0]])


def _letter_sizes(writing: Writing, runs: _Runs, texts: Sequence[str]) -> list[float]:
    """How wide a letter may be: as the whole ink has it, and as the writing's height has it."""
    letters = sum(map(letter_width, texts))
    whole = float(runs.own.sum()) / letters
    usual = _USUAL_LETTER * writing.height
    return [whole] if 0.6 <= whole / usual <= 1.7 else [whole, usual]


def _measured(runs: _Runs, texts: Sequence[str], ranges: Sequence[tuple[int, int]]) -> float | None:
    found = [
        runs.widths[begin, end - begin - 1] / letter_width(text)
        for text, (begin, end) in zip(texts, ranges, strict=True)
        if end > begin and letter_width(text) > 1
    ]
    return float(np.median(found)) if len(found) >= 5 else None


def _share_out(
    runs: _Runs, texts: Sequence[str], letter: float, height: float, open_end: bool
) -> tuple[float, list[tuple[int, int]]]:
    """The cheapest way: its price, and for each word its range of parts."""
    count, words = len(runs.own), len(texts)
    here = words
    if open_end:
        # As many as the ink has room for: the others are on another page.
        mean = sum(map(letter_width, texts)) / words
        here = min(words, round(float(runs.own.sum()) / (letter * mean)))
    inner, after = runs.price_gaps(here, height)
    over = np.concatenate([[0.0], (_LEFT_OVER * np.minimum(runs.sizes / height, 2.0)).cumsum()])
    many = np.arange(1, _MOST_PARTS + 1, dtype=np.float64)
    best = np.empty((words + 1, count + 1))
    best[0] = over
    taken = np.zeros((words + 1, count + 1), dtype=np.int64)  # 0: none, n: n parts
    before = np.zeros((words + 1, count + 1), dtype=np.int64)  # the part that it was reached from
    before[0] = 0
    logs = np.log(np.maximum(runs.widths, 1e-6))
    for number, text in enumerate(texts):
        expected = np.log(letter_width(text) * letter)
        stray = (logs - expected) / _SPREAD
        price = np.minimum(0.5 * stray * stray, 12.0) + inner
        price += 0.18 * np.abs(many - _parts_expected(text))
        price[~np.isfinite(runs.widths)] = np.inf
        fresh = best[number] + _LEFT_OUT
        how = np.zeros(count + 1, dtype=np.int64)
        for more in range(1, min(_MOST_PARTS, count) + 1):
            reach = count - more + 1
            way = best[number, :reach] + price[:reach, more - 1] + after[more : more + reach]
            better = way < fresh[more:]
            fresh[more:][better] = way[better]
            how[more:][better] = more
        # Parts that no word gets: the cheapest place before, and all between left over.
        ahead = fresh - over
        lowest = np.minimum.accumulate(ahead)
        places = np.where(ahead <= lowest, np.arange(count + 1), 0)
        places = np.maximum.accumulate(places)
        best[number + 1] = over + lowest
        taken[number + 1], before[number + 1] = how, places
    ends = best[:, count].copy()
    missing = words - np.arange(words + 1)
    ends += (0.05 if open_end else _LEFT_OUT) * missing
    last = int(ends.argmin()) if open_end else words
    ranges = [(0, 0)] * words
    at = count
    for number in range(last, 0, -1):
        at = int(before[number, at])
        used = int(taken[number, at])
        ranges[number - 1] = (at - used, at) if used else (at, at)
        at -= used
    return float(ends[last]), ranges
