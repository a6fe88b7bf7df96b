"""Polygons that fit the ink: an annotator's few points a word, and lines around their words."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from shapely import MultiPoint, Polygon, get_coordinates, get_exterior_ring, simplify, unary_union

__all__ = ["Points", "close_outline", "fits", "line_outline", "slanted_box"]

Points = list[tuple[int, int]]
"""A polygon in whole pixels, not closed."""

_MARGIN = 5
"""Pixels between the ink and a word's polygon."""

_LONGEST = 110
"""Pixels by which an edge may be drawn longer to do without its neighbour."""

_STEP = 40
"""Pixels between two columns at which a line's upper and lower edge are measured."""


def slanted_box(
    mask: npt.NDArray[np.bool_], left: int, top: int, angle: float, lean: float
) -> Points:
    """The least parallelogram around ``mask``'s ink, as an annotator draws with four clicks.

    ``left`` and ``top`` place the mask on the page. Two sides follow the writing, which rises to
    the left by ``angle`` (radians), the other two lean with its letters by ``lean`` (x per y).
    """
    rows, columns = np.nonzero(mask)
    # Along the writing (u) and across it (v): v is constant on the upper and lower side,
    # u on the two others.
    slope = float(np.tan(angle))
    v = np.concatenate([rows - slope * (columns + dx) + dy for dx in (0, 1) for dy in (0, 1)])
    u = np.concatenate([columns + lean * (rows + dy) + dx for dx in (0, 1) for dy in (0, 1)])
    sides_v = (float(v.min()) - _MARGIN, float(v.max()) + _MARGIN)
    sides_u = (float(u.min()) - _MARGIN, float(u.max()) + _MARGIN)
    corners = []
    for side_u, side_v in zip((1, 0, 0, 1), (0, 0, 1, 1), strict=True):
        y = (sides_v[side_v] + slope * sides_u[side_u]) / (1 + slope * lean)
        corners.append((left + round(sides_u[side_u] - lean * y), top + round(y)))
    return corners


def close_outline(mask: npt.NDArray[np.bool_], left: int, top: int, corners: int) -> Points:
    """A convex polygon of about ``corners`` points around ``mask``'s ink.

    ``left`` and ``top`` place the mask on the page. The hull's edges are taken away one by one,
    always the one whose neighbours, drawn longer, add the least area, so the ink stays inside;
    a corner that would jut out far is never made.
    """
    rows = np.flatnonzero(mask.any(axis=1))
    first = left + mask[rows].argmax(axis=1)
    last = left + mask.shape[1] - mask[rows, ::-1].argmax(axis=1)
    points = [
        np.column_stack([edge, top + rows + below]) for edge in (first, last) for below in (0, 1)
    ]
    hull = (
        MultiPoint(np.concatenate(points))
        .convex_hull.simplify(1)
        .buffer(_MARGIN, join_style="mitre")
    )
    ring = [(float(x), float(y)) for x, y in hull.exterior.coords[:-1]]
    while len(ring) > corners:
        costs = [_cost(ring, i) for i in range(len(ring))]
        best = int(np.argmin(costs))
        corner = _meeting(ring, best)
        if corner is None or costs[best] == float("inf"):
            break
        following = (best + 1) % len(ring)
        ring[best] = corner
        del ring[following]
    return [(round(x), round(y)) for x, y in ring]


def _meeting(ring: list[tuple[float, float]], i: int) -> tuple[float, float] | None:
    """Where the edges before and after edge i meet when drawn longer, or None."""
    n = len(ring)
    ax, ay = ring[(i - 1) % n]
    bx, by = ring[i]
    cx, cy = ring[(i + 1) % n]
    dx, dy = ring[(i + 2) % n]
    ux, uy = bx - ax, by - ay
    vx, vy = cx - dx, cy - dy
    cross = ux * vy - uy * vx
    if abs(cross) < 1e-9:
        return None
    t = ((cx - bx) * vy - (cy - by) * vx) / cross
    s = ((cx - bx) * uy - (cy - by) * ux) / cross
    if t < 0 or s < 0:
        return None
    return bx + t * ux, by + t * uy


def _cost(ring: list[tuple[float, float]], i: int) -> float:
    """The area that taking edge i away adds; infinite where that makes no good corner."""
    corner = _meeting(ring, i)
    if corner is None:
        return float("inf")
    (bx, by), (cx, cy) = ring[i], ring[(i + 1) % len(ring)]
    ex, ey = corner
    if max(np.hypot(ex - bx, ey - by), np.hypot(ex - cx, ey - cy)) > _LONGEST:
        return float("inf")
    return abs((cx - bx) * (ey - by) - (cy - by) * (ex - bx)) / 2


def line_outline(words: list[Points], blank: int) -> Points:
    """The line's polygon: the words' upper and lower edges, bridged between words.

    ``blank`` is how many pixels the polygon takes over and under its words; all lie inside.
    """
    shapes = [Polygon(word) for word in words]
    left = min(shape.bounds[0] for shape in shapes)
    right = max(shape.bounds[2] for shape in shapes)
    columns = np.linspace(left, right, max(3, round((right - left) / _STEP)))
    upper = np.full(len(columns), np.inf)
    lower = np.full(len(columns), -np.inf)
    for shape in shapes:
        x0, y0, x1, y1 = shape.bounds
        for i, x in enumerate(columns):
            if x0 - _STEP <= x <= x1 + _STEP:
                band = [(x - _STEP, y0), (x + _STEP, y0), (x + _STEP, y1), (x - _STEP, y1)]
                part = shape.intersection(Polygon(band))
                if not part.is_empty:
                    upper[i] = min(upper[i], part.bounds[1])
                    lower[i] = max(lower[i], part.bounds[3])
    known = np.isfinite(upper)
    upper = np.interp(columns, columns[known], upper[known]) - blank
    lower = np.interp(columns, columns[known], lower[known]) + blank
    columns[0], columns[-1] = left - _MARGIN, right + _MARGIN
    top = list(zip(columns.tolist(), upper.tolist(), strict=True))
    bottom = list(zip(columns.tolist(), lower.tolist(), strict=True))
    outline = Polygon(top + bottom[::-1]).simplify(blank / 2)
    outline = unary_union([outline, *[shape.buffer(1) for shape in shapes]])
    ring = get_coordinates(get_exterior_ring(simplify(outline, 1)))
    return [(round(x), round(y)) for x, y in ring[:-1]]


def fits(outline: Points, words: list[Points]) -> bool:
    """Whether ``outline`` is a plain polygon that holds all ``words`` (to a pixel)."""
    shape = Polygon(outline)
    return shape.is_valid and all(shape.buffer(1.5).covers(Polygon(word)) for word in words)
