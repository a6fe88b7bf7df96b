"""Lines, baselines and, where gaps allow it, words of a page from its ink alone.

A line is the band around its ink, column by column. Its baseline lies where most columns of
letters end below. Words are proposed only where the gaps of the page fall into two kinds, narrow
ones within words and wide ones between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from madcat_studio.model.document import Polygon
from madcat_studio.pages.writing import Part, Writing

__all__ = ["InkLine", "lines_of"]

Floats = npt.NDArray[np.float64]

_BIN = 0.6
"""The width of a step of a band, in heights of the writing."""
_AIR = 0.08
"""The margin of a band, in heights of the writing."""
_BASE = 3.0
"""The distance of the points of a baseline, in heights of the writing."""
_FEWEST = 8
"""Gaps without which there are no two kinds."""
_TWO_KINDS = 0.72
"""The share of the gaps' variance that the two kinds must explain."""


@dataclass(frozen=True, slots=True)
class InkLine:
    """A line, in stored pixels.

    Attributes:
        polygon: around its ink.
        baseline: from where the line begins, as it is read, to where it ends.
        words: their outlines in reading order; none where gaps do not tell them.
    """

    polygon: Polygon
    baseline: Polygon
    words: tuple[Polygon, ...]


def lines_of(writing: Writing) -> list[InkLine]:
    """The lines of a page in reading order."""
    lines: dict[int, list[int]] = {}
    for number, part in enumerate(writing.parts):
        lines.setdefault(part.line, []).append(number)
    least = _least_gap([[writing.parts[number] for number in line] for line in lines.values()])
    return [
        InkLine(
            _band(writing, numbers),
            _baseline(writing, numbers),
            _words(writing, numbers, least) if least is not None else (),
        )
        for _, numbers in sorted(lines.items())
    ]


def _cells(writing: Writing, numbers: Sequence[int]) -> tuple[Floats, Floats]:
    pieces = writing.pieces
    found = np.concatenate(
        [
            np.arange(pieces.offsets[piece], pieces.offsets[piece + 1])
            for number in numbers
            for piece in writing.parts[number].pieces
        ]
    )
    return pieces.xs[found].astype(np.float64), pieces.ys[found].astype(np.float64)


def _on_page(writing: Writing, points: Sequence[tuple[float, float]]) -> Polygon:
    xs, ys = writing.ink.to_page(np.array([x for x, _ in points]), np.array([y for _, y in points]))
    whole = [
        (max(0, round(x)), max(0, round(y))) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)
    ]
    return tuple(one for number, one in enumerate(whole) if not number or one != whole[number - 1])


def _steps(xs: Floats, wide: float) -> tuple[npt.NDArray[np.int64], Floats]:
    """The step that each cell lies in, and the borders of the steps."""
    left, right = float(xs.min()), float(xs.max()) + 1
    count = max(1, round((right - left) / wide))
    borders = np.linspace(left, right, count + 1)
    return np.clip(((xs - left) / (right - left) * count).astype(np.int64), 0, count - 1), borders


def _band(writing: Writing, numbers: Sequence[int]) -> Polygon:
    xs, ys = _cells(writing, numbers)
    step, borders = _steps(xs, _BIN * writing.height)
    air = max(1.0, _AIR * writing.height)
    count = len(borders) - 1
    top, bottom = np.full(count, np.nan), np.full(count, np.nan)
    for each in np.unique(step).tolist():
        own = ys[step == each]
        top[each], bottom[each] = own.min() - air, own.max() + 1 + air
    places = np.arange(count)
    there = ~np.isnan(top)
    top, bottom = (np.interp(places, places[there], edge[there]) for edge in (top, bottom))
    # The edge between two steps takes in both.
    above = np.minimum(np.append(top, top[-1]), np.insert(top, 0, top[0]))
    below = np.maximum(np.append(bottom, bottom[-1]), np.insert(bottom, 0, bottom[0]))
    edges = borders.copy()
    edges[0] -= air
    edges[-1] += air
    upper = list(zip(edges.tolist(), above.tolist(), strict=True))
    lower = list(zip(edges.tolist(), below.tolist(), strict=True))
    return _on_page(writing, [*upper[::-1], *lower])


def _baseline(writing: Writing, numbers: Sequence[int]) -> Polygon:
    xs, ys = _cells(writing, numbers)
    columns = (xs - xs.min()).astype(np.int64)
    lowest = np.full(int(columns.max()) + 1, -np.inf)
    np.maximum.at(lowest, columns, ys + 1)
    at = np.flatnonzero(np.isfinite(lowest))
    step, _ = _steps(at.astype(np.float64), _BASE * writing.height)
    points = []
    for each in np.unique(step).tolist():
        own = at[step == each]
        points.append((float(own.mean() + xs.min()), float(np.median(lowest[own]))))
    first = (float(xs.min()), points[0][1])
    last = (float(xs.max()) + 1, points[-1][1])
    way = [first, *points[1:-1], last]
    return _on_page(writing, way[::-1] if writing.right_to_left else way)


def _gap(one: Part, other: Part) -> float:
    return max(one.span[0] - other.span[1], other.span[0] - one.span[1])


def _least_gap(lines: Sequence[Sequence[Part]]) -> float | None:
    """The gap from which on two parts are of two words; None where gaps are of one kind."""
    gaps = np.array([max(_gap(*pair), 0.0) for line in lines for pair in pairwise(line)])
    if len(gaps) < _FEWEST:
        return None
    kinds = np.sqrt(gaps)
    ordered = np.sort(kinds)
    best, cut = 0.0, None
    whole = float(kinds.var()) * len(kinds)
    for place in range(2, len(ordered) - 1):
        one, other = ordered[:place], ordered[place:]
        apart = len(one) * len(other) / len(ordered) * float(other.mean() - one.mean()) ** 2
        if apart > best:
            best, cut = apart, float(ordered[place - 1] + ordered[place]) / 2
    if cut is None or whole <= 0 or best / whole < _TWO_KINDS:
        return None
    return cut * cut


def _words(writing: Writing, numbers: Sequence[int], least: float) -> tuple[Polygon, ...]:
    words: list[list[int]] = [[numbers[0]]]
    for one, other in pairwise(numbers):
        if _gap(writing.parts[one], writing.parts[other]) >= least:
            words.append([])
        words[-1].append(other)
    return tuple(writing.outline(word) for word in words)
