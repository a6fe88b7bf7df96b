"""Parts of writing shared out among words, in order, at the lowest price.

A word should be about as wide as its letters ask for, the gaps between words should be wider than
those within them, a word does not go on in the next line, and nothing should be left over on either
side. The cheapest way is found by dynamic programming over words and parts, from both ends: so it
is known as well what every word would cost anywhere else, all others at their best.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from madcat_studio.pages.letters import letter_width, parts_expected
from madcat_studio.pages.writing import Writing

__all__ = ["MOST_PARTS", "Runs", "Sharing", "price_of_sharing", "share_out"]

Floats = npt.NDArray[np.float64]

MOST_PARTS = 14
"""A word has no more."""
_SPREAD = 0.38
"""How much, as a logarithm, the width of a word strays from what its letters ask for."""
_LEFT_OUT = 7.0
"""The price of a word that is not on the page."""
_LEFT_OVER = 4.0
"""The price of a part as large as the writing is high that no word gets."""
_GAP_SHARE = 0.4
_BY_SHAPE = 8.0
"""How sure a word's beginning is that was found by its shape: as a gap that is wider than those
within words by half a height."""


class Sharing(NamedTuple):
    """One way to share out parts.

    Attributes:
        price: of all of it.
        ranges: for each word from which part to before which; the same twice for none.
        margins: how much more the whole costs at least if a word gets anything else.
    """

    price: float
    ranges: list[tuple[int, int]]
    margins: list[float]


class Runs:
    """The free parts as arrays, and what each run of them is like.

    Attributes:
        widths: (parts, most) width of the run that begins here and has n + 1 parts, inf where
            that would reach into another line.
        own: (parts,) width of each part alone.
        sizes: (parts,) the longer side of each.
        gaps: (parts - 1,) from each to the next.
        same: (parts - 1,) whether a word may go over that gap.
        begins: (parts,) how strongly its shape says that a word begins with it, or does not.
        height: of the writing.
    """

    def __init__(self, writing: Writing, free: Sequence[int]) -> None:
        parts = [writing.parts[number] for number in free]
        count = len(parts)
        self.height = writing.height
        lefts = np.array([part.span[0] for part in parts], dtype=np.float64)
        rights = np.array([part.span[1] for part in parts], dtype=np.float64)
        lines = np.array([part.line for part in parts])
        lone = np.array([part.alone for part in parts])
        # Parts of one line follow each other towards either side, as they are read.
        self.gaps = np.maximum(lefts[:-1] - rights[1:], lefts[1:] - rights[:-1])
        # A part that was taken out between two leaves a gap that no word goes over.
        apart = (np.diff(np.array(free)) > 1) | lone[:-1] | lone[1:]
        self.same = (lines[:-1] == lines[1:]) & ~apart
        self.own = rights - lefts
        tall = np.array([part.box[3] - part.box[1] for part in parts], dtype=np.float64)
        self.sizes = np.maximum(self.own, tall)
        self.begins = np.array(
            [
                0.0 if part.begins is None else _BY_SHAPE if part.begins else -_BY_SHAPE
                for part in parts
            ]
        )
        self.widths = np.full((count, MOST_PARTS), np.inf)
        left, right = lefts.copy(), rights.copy()
        whole = np.ones(count, dtype=np.bool_)
        for more in range(MOST_PARTS):
            if more:
                reach = count - more
                if reach <= 0:
                    break
                left[:reach] = np.minimum(left[:reach], lefts[more:])
                right[:reach] = np.maximum(right[:reach], rights[more:])
                whole[:reach] &= self.same[more - 1 : more - 1 + reach]
                whole[reach:] = False
            self.widths[whole, more] = (right - left)[whole]

    def __len__(self) -> int:
        return len(self.own)

    def price_gaps(self, words: int) -> tuple[Floats, Floats]:
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
        scale = max(0.06 * self.height, 1.0)
        # What the shapes say outweighs the gaps.
        told = self.begins[1:]
        strange = np.where(told == 0, (self.gaps - cut) / scale, told)
        within = np.where(self.same, np.logaddexp(0, strange), 0.0) * _GAP_SHARE * 2
        between = np.where(self.same, np.logaddexp(0, -strange), 0.0) * _GAP_SHARE * 2
        summed = np.concatenate([[0.0], within.cumsum()])
        count = len(self)
        inner = np.zeros((count, MOST_PARTS))
        for more in range(1, min(MOST_PARTS, count)):
            inner[: count - more, more] = summed[more:] - summed[: count - more]
        return inner, np.concatenate([[0.0], between, [0.0]])


def share_out(runs: Runs, texts: Sequence[str], letter: float, open_end: bool) -> Sharing:
    """The cheapest way.

    Args:
        runs: the parts.
        texts: the words.
        letter: how wide an ordinary letter is, in cells.
        open_end: whether the last words may stand elsewhere.
    """
    count, words = len(runs), len(texts)
    here = words
    if open_end:
        # As many as the ink has room for: the others are on another page.
        mean = sum(map(letter_width, texts)) / words
        here = min(words, round(float(runs.own.sum()) / (letter * mean)))
    prices = _Prices(runs, texts, letter, here)
    over = _left_over(runs)
    before, places = _from_the_beginning(prices, over, words)
    ends = before[:, count].copy()
    ends += (0.05 if open_end else _LEFT_OUT) * (words - np.arange(words + 1))
    last = int(ends.argmin()) if open_end else words
    ranges = [(0, 0)] * words
    at = count
    for number in range(last, 0, -1):
        at = int(places[number][1][at])
        used = int(places[number][0][at])
        ranges[number - 1] = (at - used, at)
        at -= used
    margins = _margins(prices, over, before, ranges, last, float(ends[last]))
    return Sharing(float(ends[last]), ranges, margins)


def price_of_sharing(runs: Runs, texts: Sequence[str], letter: float) -> float:
    """The price alone of the cheapest way in which all words stand on these parts."""
    over = _left_over(runs)
    if not texts:
        return float(over[-1])
    before, _ = _from_the_beginning(_Prices(runs, texts, letter, len(texts)), over, len(texts))
    return float(before[-1, len(runs)])


def _left_over(runs: Runs) -> Floats:
    """The price of the parts before each if no word gets them."""
    prices = _LEFT_OVER * np.minimum(runs.sizes / runs.height, 2.0)
    return np.concatenate([[0.0], prices.cumsum()])


class _Prices:
    """What each word costs on each run of parts."""

    def __init__(self, runs: Runs, texts: Sequence[str], letter: float, here: int) -> None:
        self.count = len(runs)
        self._inner, self.after = runs.price_gaps(here)
        self._logs = np.log(np.maximum(runs.widths, 1e-6))
        self._open = np.isfinite(runs.widths)
        self._texts, self._letter = texts, letter
        self._many = np.arange(1, MOST_PARTS + 1, dtype=np.float64)

    def of(self, number: int) -> Floats:
        """(parts, most) for one word, with the price of its end."""
        text = self._texts[number]
        expected = np.log(letter_width(text) * self._letter)
        stray = (self._logs - expected) / _SPREAD
        price: Floats = np.minimum(0.5 * stray * stray, 12.0) + self._inner
        price += 0.18 * np.abs(self._many - parts_expected(text))
        for more in range(1, min(MOST_PARTS, self.count) + 1):
            price[: self.count - more + 1, more - 1] += self.after[more:]
        price[~self._open] = np.inf
        return price


def _from_the_beginning(
    prices: _Prices, over: Floats, words: int
) -> tuple[Floats, list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]]:
    """The price of so many words on the parts before each, and how each was reached."""
    count = prices.count
    best = np.empty((words + 1, count + 1))
    best[0] = over
    nothing = np.zeros(count + 1, dtype=np.int64)
    places = [(nothing, nothing)]
    for number in range(words):
        price = prices.of(number)
        fresh = best[number] + _LEFT_OUT
        how = np.zeros(count + 1, dtype=np.int64)
        for more in range(1, min(MOST_PARTS, count) + 1):
            way = best[number, : count - more + 1] + price[: count - more + 1, more - 1]
            better = way < fresh[more:]
            fresh[more:][better] = way[better]
            how[more:][better] = more
        # Parts that no word gets: the cheapest place before, and all between left over.
        ahead = fresh - over
        lowest = np.minimum.accumulate(ahead)
        where = np.maximum.accumulate(np.where(ahead <= lowest, np.arange(count + 1), 0))
        best[number + 1] = over + lowest
        places.append((how, where))
    return best, places


def _margins(
    prices: _Prices,
    over: Floats,
    before: Floats,
    ranges: Sequence[tuple[int, int]],
    last: int,
    total: float,
) -> list[float]:
    """How much more it costs if a word gets another run, the others at their best."""
    count, words = prices.count, len(ranges)
    margins = [0.0] * words
    # Of the words from here on: the price on the parts from each on.
    rest = over[count] - over + (total - before[last, count])
    for number in range(last - 1, -1, -1):
        price = prices.of(number)
        begin, end = ranges[number]
        fresh = rest + _LEFT_OUT
        other = before[number] + fresh
        if begin == end:
            other[begin] = np.inf
        lowest = float(other.min())
        for more in range(1, min(MOST_PARTS, count) + 1):
            way = price[: count - more + 1, more - 1] + rest[more:]
            whole = before[number, : count - more + 1] + way
            if end - begin == more:
                whole[begin] = np.inf
            lowest = min(lowest, float(whole.min()))
            np.minimum(fresh[: count - more + 1], way, out=fresh[: count - more + 1])
        margins[number] = lowest - total
        behind = fresh + over
        rest = np.minimum.accumulate(behind[::-1])[::-1] - over
    return margins
