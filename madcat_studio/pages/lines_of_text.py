"""Where the lines of a page break a text with words of both directions, and how each is read.

Within such a line the words do not stand as they follow one another in the text, and how they stand
depends on which of them are in it. So every line is tried with every stretch of words that it may
hold, read from either side, and the cheapest way through all lines is taken. First widths alone
say about where the breaks are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from madcat_studio.pages.direction import in_line_order, leans_right_to_left
from madcat_studio.pages.letters import letter_width
from madcat_studio.pages.sharing import Runs, price_of_sharing
from madcat_studio.pages.writing import Writing

__all__ = ["TextLines", "lines_of_text"]

Floats = npt.NDArray[np.float64]

_SPREAD = 0.1
"""How much, as a logarithm, the words of a line stray from its width."""
_EMPTY = 8.0
"""The price of a line that no word stands in, where only widths are looked at."""
_MOST_WORDS = 60
"""A line has no more."""
_AROUND = 2
"""Words on either side of a break that are tried."""
_MOST_ROUNDS = 6
_RATIOS = (0.7, 0.85, 1.0, 1.2)
"""How wide letters of the other direction may be, against those of the first."""
_DOUBT = 2.5
"""How much dearer any other way must be."""
_LEFT_OUT = 7.0
_LEFT_OUT_AT_THE_END = 0.05
"""Prices of a word that is in no line; at the end, where the text may go on elsewhere."""


class TextLines(NamedTuple):
    """The words as they stand on the paper.

    Attributes:
        order: indices of the words, line by line and from the side where lines begin.
        doubtful: numbers of lines that may be read otherwise.
    """

    order: list[int]
    doubtful: frozenset[int]


class _Way(NamedTuple):
    """What a line costs with some words, in the cheapest order; and in the next cheapest."""

    price: float
    order: tuple[int, ...]
    other: float


def lines_of_text(writing: Writing, texts: Sequence[str], *, open_end: bool = False) -> TextLines:
    """Share out a text among the lines of a page.

    Args:
        writing: of the page; it has parts.
        texts: the words, some of which are written in the other direction.
        open_end: whether the last of them may stand on another page.
    """
    found = _Lines(writing, texts)
    breaks = found.by_width(open_end=open_end)
    for _ in range(_MOST_ROUNDS):
        better, doubtful = found.around(breaks, open_end=open_end)
        if better == breaks:
            break
        breaks = better
    order = [
        first + place
        for line, (first, end) in enumerate(pairwise(breaks))
        for place in found.way(line, first, end).order
    ]
    order += range(breaks[-1], len(texts))
    return TextLines(order, frozenset(found.numbers[line] for line in doubtful))


class _Lines:
    """The lines, and what each costs with words."""

    def __init__(self, writing: Writing, texts: Sequence[str]) -> None:
        members: dict[int, list[int]] = {}
        for number, part in enumerate(writing.parts):
            members.setdefault(part.line, []).append(number)
        self.numbers = list(members)
        self._from_right = writing.right_to_left
        self._texts = texts
        self._runs = [Runs(writing, own) for own in members.values()]
        self._ink = np.array([float(runs.own.sum()) for runs in self._runs])
        self._widths = np.array([letter_width(text) for text in texts])
        self._letter = float(self._ink.sum() / self._widths.sum())
        self._ways: dict[tuple[int, int, int], _Way] = {}

    def way(self, line: int, first: int, end: int) -> _Way:
        """What a line costs with the words from one to before another."""
        key = line, first, end
        if key not in self._ways:
            self._ways[key] = self._find_way(*key)
        return self._ways[key]

    def _find_way(self, line: int, first: int, end: int) -> _Way:
        runs, texts = self._runs[line], self._texts[first:end]
        if not texts:
            return _Way(price_of_sharing(runs, texts, self._letter), (), float("inf"))
        orders = {
            tuple(in_line_order(texts, from_right=self._from_right, base=base))
            for base in (True, False)
        }
        priced = sorted(
            (price_of_sharing(runs, [texts[place] for place in order], self._letter), order)
            for order in orders
        )
        other = priced[1][0] if len(priced) > 1 else float("inf")
        return _Way(*priced[0], other)

    # About where the breaks are

    def by_width(self, *, open_end: bool) -> list[int]:
        """The breaks that the widths of lines and words ask for."""
        leaning = np.array([leans_right_to_left(text) == self._from_right for text in self._texts])
        best: tuple[float, list[int]] | None = None
        for ratio in _RATIOS:
            widths = np.where(leaning, 1.0, ratio) * self._widths
            found = self._cheapest(widths, open_end=open_end)
            if best is None or found[0] < best[0]:
                best = found
        assert best is not None
        return best[1]

    def _cheapest(self, widths: Floats, *, open_end: bool) -> tuple[float, list[int]]:
        count = len(widths)
        until = np.concatenate([[0.0], widths.cumsum()])
        letter = self._letter if open_end else float(self._ink.sum() / until[-1])
        price = np.full(count + 1, np.inf)
        price[0] = 0.0
        came: list[npt.NDArray[np.int64]] = []
        for ink in self._ink.tolist():
            fresh = price + _EMPTY
            how = np.zeros(count + 1, dtype=np.int64)
            for many in range(1, min(_MOST_WORDS, count) + 1):
                wide = (until[many:] - until[:-many]) * letter
                stray = np.log(np.maximum(wide, 1e-6) / max(ink, 1.0)) / _SPREAD
                way = price[:-many] + np.minimum(0.5 * stray * stray, 60.0)
                better = way < fresh[many:]
                fresh[many:][better] = way[better]
                how[many:][better] = many
            price = fresh
            came.append(how)
        left = count - np.arange(count + 1)
        ends = price + (_LEFT_OUT_AT_THE_END if open_end else _LEFT_OUT) * left
        at = int(ends.argmin())
        whole = float(ends[at])
        breaks = [at]
        for how in came[::-1]:
            at -= int(how[at])
            breaks.append(at)
        return whole, breaks[::-1]

    # Just where they are

    def around(self, breaks: Sequence[int], *, open_end: bool) -> tuple[list[int], set[int]]:
        """The cheapest breaks near some, and the lines that another way is nearly as good for."""
        count = len(self._texts)
        near = [
            sorted({min(max(at + move, 0), count) for move in range(-_AROUND, _AROUND + 1)})
            for at in breaks
        ]
        near[0] = [0]
        after = _LEFT_OUT_AT_THE_END if open_end else _LEFT_OUT
        ends = {at: after * (count - at) for at in near[-1]}
        forward: list[dict[int, float]] = [{0: 0.0}]
        for line in range(len(breaks) - 1):
            forward.append(
                {
                    end: min(
                        price + self.way(line, first, end).price
                        for first, price in forward[line].items()
                        if first <= end
                    )
                    for end in near[line + 1]
                    if any(first <= end for first in forward[line])
                }
            )
        backward: list[dict[int, float]] = [ends]
        for line in range(len(breaks) - 2, -1, -1):
            backward.append(
                {
                    first: min(
                        (
                            self.way(line, first, end).price + price
                            for end, price in backward[-1].items()
                            if first <= end
                        ),
                        default=float("inf"),
                    )
                    for first in forward[line]
                }
            )
        backward.reverse()
        found = [0]
        for line in range(len(breaks) - 1):
            first = found[-1]
            found.append(
                min(
                    (
                        end
                        for end in backward[line + 1]
                        if end >= first and end in forward[line + 1]
                    ),
                    key=lambda end: self.way(line, first, end).price + backward[line + 1][end],
                )
            )
        whole = backward[0][0]
        doubtful = {
            line
            for line in range(len(breaks) - 1)
            if self._in_doubt(line, found, forward[line], backward[line + 1], whole)
        }
        return found, doubtful

    def _in_doubt(
        self,
        line: int,
        breaks: Sequence[int],
        before: dict[int, float],
        behind: dict[int, float],
        whole: float,
    ) -> bool:
        """Whether another stretch of words, or another order of them, costs hardly more."""
        first, end = breaks[line], breaks[line + 1]
        best = self.way(line, first, end)
        if best.other - best.price < _DOUBT:
            return True
        for one, price in before.items():
            for other, rest in behind.items():
                if other < one or (one, other) == (first, end):
                    continue
                way = self.way(line, one, other)
                turned = not (_is_plain(best.order) and _is_plain(way.order))
                if turned and price + way.price + rest - whole < _DOUBT:
                    return True
        return False


def _is_plain(order: Sequence[int]) -> bool:
    return all(one < other for one, other in pairwise(order))
