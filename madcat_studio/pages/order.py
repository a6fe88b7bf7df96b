"""The order in which lines and words of right-to-left script are read, by where they lie.

Lines: the topological sort of Breuel (High Performance Document Layout Analysis, 2003), turned
round for right-to-left script. One line comes before another if it lies above it and their
columns overlap, or if it lies wholly to the right of it and no line between their heights spans
both. Words: from right to left along the line, however it slants.
"""

from __future__ import annotations

import math
import statistics

import numpy as np
import numpy.typing as npt

from madcat_studio.model.document import Line, Page, Polygon
from madcat_studio.model.geometry import bounding_box, centre

__all__ = ["line_order", "word_order"]

Floats = npt.NDArray[np.float64]

_COLUMN = 0.2
"""Lines share a column if they overlap by this part of the narrower one."""


def word_order(line: Line) -> list[int]:
    """The numbers of a line's words as they are read; words without an outline come last."""
    whole = [n for n, word in enumerate(line.words) if word.polygon]
    rest = [n for n, word in enumerate(line.words) if not word.polygon]
    middles = {n: centre(line.words[n].polygon) for n in whole}
    angle = _direction(list(middles.values()))
    across, down = math.cos(angle), math.sin(angle)
    along = {n: x * across + y * down for n, (x, y) in middles.items()}
    return [*sorted(whole, key=lambda n: -along[n]), *rest]


def _direction(points: list[tuple[float, float]]) -> float:
    """The main direction of points, in radians, never upright: a line runs across the page."""
    if len(points) < 2:
        return 0.0
    mean_x = statistics.fmean(x for x, _ in points)
    mean_y = statistics.fmean(y for _, y in points)
    xx = sum((x - mean_x) ** 2 for x, _ in points)
    yy = sum((y - mean_y) ** 2 for _, y in points)
    xy = sum((x - mean_x) * (y - mean_y) for x, y in points)
    return 0.5 * math.atan2(2 * xy, xx - yy) if xx > yy else 0.0


def line_order(page: Page) -> list[int]:
    """The numbers of a page's lines as they are read; lines without any outline come last."""
    boxes = [bounding_box(_extent(line)) for line in page.lines]
    whole = [n for n, box in enumerate(boxes) if box is not None]
    rest = [n for n, box in enumerate(boxes) if box is None]
    if not whole:
        return rest
    left, top, right, bottom = np.array([boxes[n] for n in whole], dtype=np.float64).T
    y, x = (top + bottom) / 2, (left + right) / 2
    shared = np.minimum.outer(right, right) - np.maximum.outer(left, left)
    widths = np.maximum(np.minimum.outer(right - left, right - left), 1.0)
    column = shared > _COLUMN * widths
    above = y[:, None] < y[None, :]
    before = column & above
    for one in range(len(whole)):
        for other in np.flatnonzero(~column[one] & (x[one] > x)).tolist():
            low, high = sorted((y[one], y[other]))
            between = (y > low) & (y < high) & column[one] & column[other]
            before[one, other] |= not between.any()
    np.fill_diagonal(before, False)
    return [*(whole[n] for n in _sorted(before, x, y)), *rest]


def _extent(line: Line) -> Polygon:
    return line.polygon or tuple(point for word in line.words for point in word.polygon)


def _sorted(before: npt.NDArray[np.bool_], x: Floats, y: Floats) -> list[int]:
    """One order in which whatever must come before does; the upper, then the right one first."""
    waiting = before.sum(axis=0)
    left = set(range(len(y)))
    order: list[int] = []
    while left:
        # Lines that cross each other can ask for a circle: then the least bound one is taken.
        least = min(waiting[n] for n in left)
        free = [n for n in left if waiting[n] == least]
        last = order[-1] if order else None
        following = [n for n in free if last is not None and before[last, n]]
        chosen = min(following or free, key=lambda n: (y[n], -x[n]))
        order.append(chosen)
        left.remove(chosen)
        waiting = waiting - before[chosen]
    return order
