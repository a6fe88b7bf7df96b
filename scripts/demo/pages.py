"""Composes pages: words of ink on uneven lines, with the polygons of both."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from madcat_studio.errors import InputError
from scripts.demo.hands import Hand
from scripts.demo.ink import Ink, write_word
from scripts.demo.outlines import Points, close_outline, line_outline, slanted_box

__all__ = ["HEIGHT", "WIDTH", "WrittenLine", "WrittenPage", "WrittenWord", "compose"]

WIDTH, HEIGHT = 5100, 6600
"""A page at 600 dpi: 8.5 by 11 inches."""

_RIGHT, _LEFT, _TOP, _BOTTOM = 4680, 430, 420, 6330
_CLOSE = frozenset(".،؟:؛")
"""Marks that stand close to the word before them and never begin a line."""


@dataclass(frozen=True, slots=True)
class WrittenWord:
    """One written word: ``index`` is its place in the text that was given to `compose`."""

    index: int
    outline: Points


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """One written line, its words from right to left."""

    outline: Points
    words: list[WrittenWord]


@dataclass(slots=True)
class WrittenPage:
    """One page; ``ink`` is True where the page is black."""

    ink: npt.NDArray[np.bool_]
    lines: list[WrittenLine] = field(default_factory=list)


@dataclass(slots=True)
class _Placed:
    index: int
    ink: Ink
    left: int
    top: int
    outline: Points


def compose(
    words: list[str],
    hand: Hand,
    rng: np.random.Generator,
    *,
    lines_on_first_page: int | None = None,
    crowding: int = 0,
) -> list[WrittenPage]:
    """Write ``words`` with ``hand``, from right to left and line by line, on pages.

    ``lines_on_first_page`` turns the page early; ``crowding`` moves lines that many pixels into
    one another, so that their polygons bleed. Raises InputError where a page overflows.
    """
    rows: list[list[list[_Placed]]] = [[]]
    start = 0
    baseline = 0
    while start < len(words):
        row, start = _write_line(words, start, hand, rng)
        if len(rows) == 1 and len(rows[0]) == lines_on_first_page:
            rows.append([])
        if rows[-1]:
            clear = _least_shift(rows[-1][-1], row) + hand.clearance
            baseline = max(baseline + hand.pitch + round(rng.normal(0, 8)), clear) - crowding
        else:
            baseline = _TOP - min(word.top for word in row) + int(rng.integers(0, 60))
        _move(row, baseline)
        if max(word.top + word.ink.mask.shape[0] for word in row) > _BOTTOM:
            raise InputError("demo.page-full", "the text does not fit on the page")
        rows[-1].append(row)
    return [_finish(placed, hand, rng) for placed in rows]


def _write_line(
    words: list[str], start: int, hand: Hand, rng: np.random.Generator
) -> tuple[list[_Placed], int]:
    """The next line about baseline 0, and the index of the first word that it had no room for."""
    slope = hand.slope + float(rng.normal(0, hand.slope_spread))
    phase = float(rng.uniform(0, 2 * np.pi))
    period = float(rng.uniform(1500, 2600))
    cursor = _RIGHT - round(abs(rng.normal(0, 45)))
    limit = _LEFT + round(abs(rng.normal(0, 90)))

    def height(x: float) -> float:
        """The baseline's y at x: sloping, waving and hanging in the middle."""
        along = (_RIGHT - x) / (_RIGHT - _LEFT)
        return (
            -slope * (_RIGHT - x)
            + hand.wave * float(np.sin(2 * np.pi * x / period + phase))
            + hand.sag * 4 * along * (1 - along)
        )

    row: list[_Placed] = []
    index = start
    while index < len(words):
        text = words[index]
        angle = float(np.arctan2(height(cursor) - height(cursor - 150), 150.0))
        ink = write_word(text, hand, angle, rng)
        gap = hand.size * hand.gap * float(np.exp(rng.normal(0, 0.18))) if row else 0.0
        if text in _CLOSE:
            gap *= 0.6
        left = cursor - round(gap) - ink.width
        if left < limit and row and text not in _CLOSE:
            break
        top = round(height(left + ink.width)) - ink.rise
        if rng.random() < 0.65:
            outline = slanted_box(ink.mask, left, top, angle, hand.shear)
        else:
            outline = close_outline(ink.mask, left, top, int(rng.integers(5, 8)))
        row.append(_Placed(index, ink, left, top, outline))
        cursor = left
        index += 1
    return row, index


def _edge(row: list[_Placed], side: int) -> npt.NDArray[np.float64]:
    """The lowest (side 1) or highest (side -1) row of the words' polygons over each column."""
    edge = np.full(WIDTH, -np.inf)
    for word in row:
        xs = [x for x, _ in word.outline]
        ys = [side * y for _, y in word.outline]
        span = slice(max(0, min(xs) - 70), min(WIDTH, max(xs) + 70))
        edge[span] = np.maximum(edge[span], max(ys))
    return side * edge


def _least_shift(upper: list[_Placed], lower: list[_Placed]) -> int:
    """How far down ``lower`` must go for its words to clear those of ``upper``."""
    difference = _edge(upper, 1) - _edge(lower, -1)
    return int(np.ceil(difference[np.isfinite(difference)].max()))


def _move(row: list[_Placed], shift: int) -> None:
    for word in row:
        word.top += shift
        word.outline = [(x, y + shift) for x, y in word.outline]


def _finish(rows: list[list[_Placed]], hand: Hand, rng: np.random.Generator) -> WrittenPage:
    page = WrittenPage(np.zeros((HEIGHT, WIDTH), dtype=np.bool_))
    for row in rows:
        for word in row:
            height, width = word.ink.mask.shape
            page.ink[word.top : word.top + height, word.left : word.left + width] |= word.ink.mask
        outline = line_outline([word.outline for word in row], hand.clearance // 2 - 8)
        written = [WrittenWord(word.index, word.outline) for word in row]
        page.lines.append(WrittenLine(outline, written))
    # A scanner's dust: a handful of specks, far too little to matter for the share of ink.
    for _ in range(int(rng.integers(3, 8))):
        x, y = int(rng.integers(40, WIDTH - 40)), int(rng.integers(40, HEIGHT - 40))
        size = int(rng.integers(1, 4))
        page.ink[y : y + size, x : x + size] = True
    return page
