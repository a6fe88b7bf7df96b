"""Drawing an outline in to the ink inside it."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from madcat_studio.images.ink import Ink, find_ink, pieces_of
from madcat_studio.model.document import Point, Polygon
from madcat_studio.model.geometry import (
    bounding_box,
    exterior_of,
    grow,
    hull,
    on_whole_pixels,
    parts_of,
    ring_area,
    shape_of,
)

__all__ = ["AROUND", "trim_to_ink"]

AROUND = 60
"""Stored pixels around an outline that help to tell ink from paper and whose ink it is."""

_OWN = 0.3
"""Ink of which less than this share lies inside belongs to a neighbour and does not count."""


def trim_to_ink(
    image: Image.Image, corner: tuple[int, int], polygon: Polygon, dpi: float | None = None
) -> Polygon | None:
    """An outline drawn in as far as its ink allows; None where it holds no ink.

    A convex outline keeps its edges: each moves inwards, alike to itself, until it meets ink. Of
    any other outline what lies near no ink is taken away. Nothing grows.

    Args:
        image: the scan around the outline, as :func:`images.crops.plain_image` gives it.
        corner: of the scan's pixels the one at the image's left top.
        polygon: the outline, in stored pixels of the scan.
        dpi: the scan's resolution, where it is known.
    """
    if len(polygon) < 3 or ring_area(polygon) < 1:
        return None
    ink = find_ink(image, dpi)
    points = _ink_inside(ink, corner, polygon)
    if points is None:
        return None
    core = hull([points])
    margin = float(ink.factor)
    trimmed = _edges_in(polygon, core, margin) if _is_convex(polygon) else None
    if trimmed is None:
        near = grow(shape_of(core), margin) if len(core) >= 3 else None
        kept = shape_of(polygon) if near is None else shape_of(polygon).intersection(near)
        parts = parts_of(on_whole_pixels(kept))
        if not parts:
            return None
        largest = max(parts, key=lambda part: part.area)
        trimmed = tuple((int(x), int(y)) for x, y in exterior_of(largest))
    return trimmed


def _ink_inside(ink: Ink, corner: tuple[int, int], polygon: Polygon) -> Polygon | None:
    """The corners of the cells of ink that belong to an outline, in stored pixels."""
    pieces = pieces_of(ink)
    if not len(pieces):
        return None
    factor = ink.factor
    height, width = ink.mask.shape
    mask = Image.new("1", (width, height), 0)
    on_grid = [((x - corner[0]) / factor, (y - corner[1]) / factor) for x, y in polygon]
    ImageDraw.Draw(mask).polygon(on_grid, fill=1)
    inside = np.asarray(mask)[pieces.ys, pieces.xs]
    share = np.bincount(pieces.owners, weights=inside, minlength=len(pieces)) / pieces.areas
    own = inside & (share[pieces.owners] >= _OWN)
    if not own.any():
        return None
    xs, ys = pieces.xs[own], pieces.ys[own]
    cells: npt.NDArray[np.int64] = np.concatenate(
        [np.stack([xs + across, ys + down], axis=1) for across in (0, 1) for down in (0, 1)]
    )
    outer = _extremes(cells)
    return tuple((corner[0] + int(x) * factor, corner[1] + int(y) * factor) for x, y in outer)


def _extremes(cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Of each row the first and the last cell: all that a hull can touch."""
    order = np.lexsort((cells[:, 0], cells[:, 1]))
    cells = cells[order]
    first = np.flatnonzero(np.diff(cells[:, 1], prepend=cells[0, 1] - 1))
    last = np.append(first[1:], len(cells)) - 1
    return np.concatenate([cells[first], cells[last]])


def _is_convex(polygon: Polygon) -> bool:
    return abs(ring_area(hull([polygon])) - ring_area(polygon)) < 0.5


def _edges_in(polygon: Polygon, core: Polygon, margin: float) -> Polygon | None:
    """A convex outline whose edges moved in to a core; None where that is no outline any more."""
    ring = [p for n, p in enumerate(polygon) if p != polygon[n - 1]]
    size = len(ring)
    turn = sum(ring[n - 1][0] * ring[n][1] - ring[n][0] * ring[n - 1][1] for n in range(size))
    sign = 1.0 if turn > 0 else -1.0
    lines: list[tuple[float, float, float]] = []  # a x + b y = c, the inside where it is more
    for n in range(size):
        (x0, y0), (x1, y1) = ring[n], ring[(n + 1) % size]
        length = math.hypot(x1 - x0, y1 - y0)
        a, b = -(y1 - y0) / length * sign, (x1 - x0) / length * sign
        c = a * x0 + b * y0
        free = min(a * x + b * y for x, y in core) - c
        lines.append((a, b, c + max(0.0, free - margin)))
    corners = [_meeting(lines[n - 1], lines[n]) for n in range(size)]
    if any(corner is None for corner in corners):
        return None
    whole = tuple((round(c[0]), round(c[1])) for c in corners if c is not None)
    box, before = bounding_box(whole), bounding_box(polygon)
    assert box is not None
    assert before is not None
    outside = box[0] < before[0] or box[1] < before[1] or box[2] > before[2] or box[3] > before[3]
    if outside or len(set(whole)) < size or not _is_convex(whole) or ring_area(whole) < 1:
        return None
    return whole


def _meeting(one: tuple[float, float, float], other: tuple[float, float, float]) -> Point | None:
    (a, b, c), (d, e, f) = one, other
    determinant = a * e - b * d
    if abs(determinant) < 0.05:
        return None  # nearly parallel: they would meet far away
    return (c * e - b * f) / determinant, (a * f - c * d) / determinant
