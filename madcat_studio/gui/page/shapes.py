"""The outlines of one page as arrays: what is in view, what lies under a point. No painting.

A :class:`ShapeSet` holds the polygons of one layer (lines or words). All coordinates are stored
pixels. Finding what is in view compares one rectangle with all boxes at once, which at 10,000
outlines is faster than any tree that has to be kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

import numpy as np
import numpy.typing as npt

from madcat_studio.model.document import Page, Polygon

__all__ = [
    "Indices",
    "Kind",
    "PageShapes",
    "Part",
    "ShapeKey",
    "ShapeSet",
    "Target",
    "find_target",
]

Indices = npt.NDArray[np.intp]
"""Places in a layer's set."""


class Kind(StrEnum):
    """The layers of outlines on a page."""

    LINE = "line"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class ShapeKey:
    """Which outline of a page: line number and, for a word, its number in that line."""

    line: int
    word: int | None = None

    @property
    def kind(self) -> Kind:
        """The layer that the outline lies in."""
        return Kind.LINE if self.word is None else Kind.WORD


class Part(StrEnum):
    """What of an outline is under the pointer, in the order in which it is asked for."""

    VERTEX = "vertex"
    EDGE = "edge"
    BODY = "body"


@dataclass(frozen=True, slots=True)
class Target:
    """What is under the pointer. ``index``: of the vertex, or of the vertex before the edge."""

    part: Part
    key: ShapeKey
    index: int = 0


class ShapeSet:
    """The polygons of one layer.

    Attributes:
        xy: (points, 2) float64, all polygons one after the other.
        offsets: (polygons + 1,) start of each polygon in ``xy``.
        boxes: (4, polygons) float64: left, top, right, bottom; an empty polygon's box is
            inside out, so that it meets nothing.
    """

    def __init__(self, polygons: Sequence[Polygon]) -> None:
        lengths = np.fromiter(map(len, polygons), dtype=np.intp, count=len(polygons))
        self.offsets: Indices = np.zeros(len(polygons) + 1, dtype=np.intp)
        np.cumsum(lengths, out=self.offsets[1:])
        flat = chain.from_iterable(chain.from_iterable(polygons))
        total = int(self.offsets[-1])
        self.xy = np.fromiter(flat, dtype=np.float64, count=2 * total).reshape(total, 2)
        self.boxes = np.empty((4, len(polygons)))
        self.boxes[:2] = np.inf
        self.boxes[2:] = -np.inf
        self._typical_height: float | None = None
        full = np.flatnonzero(lengths)
        if full.size:
            starts = self.offsets[full]
            self.boxes[0, full], self.boxes[1, full] = np.minimum.reduceat(self.xy, starts).T
            self.boxes[2, full], self.boxes[3, full] = np.maximum.reduceat(self.xy, starts).T

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def points(self, index: int) -> npt.NDArray[np.float64]:
        """The vertices of one polygon: (n, 2), a view."""
        return self.xy[self.offsets[index] : self.offsets[index + 1]]

    def box(self, index: int) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of one polygon."""
        left, top, right, bottom = self.boxes[:, index].tolist()
        return left, top, right, bottom

    def replace(self, index: int, polygon: Polygon) -> None:
        """Give one polygon other vertices."""
        fresh = np.array(polygon, dtype=np.float64).reshape(len(polygon), 2)
        start, stop = int(self.offsets[index]), int(self.offsets[index + 1])
        if stop - start == len(fresh):
            self.xy[start:stop] = fresh
        else:
            self.xy = np.concatenate([self.xy[:start], fresh, self.xy[stop:]])
            self.offsets[index + 1 :] += len(fresh) - (stop - start)
        if len(fresh):
            self.boxes[:2, index] = fresh.min(axis=0)
            self.boxes[2:, index] = fresh.max(axis=0)
        else:
            self.boxes[:2, index] = np.inf
            self.boxes[2:, index] = -np.inf

    def meeting(self, left: float, top: float, right: float, bottom: float) -> Indices:
        """The polygons whose box meets a rectangle."""
        x0, y0, x1, y1 = self.boxes
        return np.flatnonzero((x0 <= right) & (x1 >= left) & (y0 <= bottom) & (y1 >= top))

    def centred_in(self, left: float, top: float, right: float, bottom: float) -> Indices:
        """The polygons whose box has its middle in a rectangle."""
        x0, y0, x1, y1 = self.boxes
        with np.errstate(invalid="ignore"):  # an empty box has no middle
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
        return np.flatnonzero((x >= left) & (x <= right) & (y >= top) & (y <= bottom))

    def at(self, x: float, y: float, tolerance: float = 0.0) -> list[int]:
        """The polygons that contain a point, the smallest box first.

        A polygon of one or two points has no inside: it counts within ``tolerance`` of its line.
        """
        found = []
        near = self.meeting(x - tolerance, y - tolerance, x + tolerance, y + tolerance)
        for index in near.tolist():
            points = self.points(index)
            if (len(points) >= 3 and _contains(points, x, y)) or (
                len(points) < 3 and _distance(points, x, y)[0] <= tolerance
            ):
                found.append(index)
        x0, y0, x1, y1 = self.boxes
        return sorted(found, key=lambda i: (x1[i] - x0[i]) * (y1[i] - y0[i]))

    def typical_height(self) -> float:
        """The median height of the boxes as they were at first, 0 where there are none."""
        if self._typical_height is None:
            heights = self.boxes[3] - self.boxes[1]
            heights = heights[np.isfinite(heights)]
            self._typical_height = float(np.median(heights)) if heights.size else 0.0
        return self._typical_height


def _contains(points: npt.NDArray[np.float64], x: float, y: float) -> bool:
    """Whether a point lies inside, by the odd-even rule (a bow-tie has two inside parts)."""
    ax, ay = points[:, 0], points[:, 1]
    bx, by = np.roll(ax, -1), np.roll(ay, -1)
    crossing = (ay > y) != (by > y)
    if not crossing.any():
        return False
    ax, ay, bx, by = ax[crossing], ay[crossing], bx[crossing], by[crossing]
    return bool(np.count_nonzero(ax + (y - ay) / (by - ay) * (bx - ax) > x) % 2)


def _distance(points: npt.NDArray[np.float64], x: float, y: float) -> tuple[float, int]:
    """The distance from a point to the closed outline, and the vertex before that edge."""
    if not len(points):
        return float("inf"), 0
    start = points
    way = np.roll(points, -1, axis=0) - start
    point = np.array([x, y])
    length = (way * way).sum(axis=1)
    along = ((point - start) * way).sum(axis=1)
    share = np.clip(np.divide(along, length, out=np.zeros_like(along), where=length > 0), 0, 1)
    apart = np.hypot(*(start + share[:, None] * way - point).T)
    nearest = int(apart.argmin())
    return float(apart[nearest]), nearest


class PageShapes:
    """Both layers of one page, and which outline is whose.

    ``polygons`` is kept by key as well, exactly as the model has it, so that what is painted
    and what is edited never drift apart.
    """

    def __init__(self, page: Page) -> None:
        self.sets: dict[Kind, ShapeSet] = {
            Kind.LINE: ShapeSet([line.polygon for line in page.lines]),
            Kind.WORD: ShapeSet([word.polygon for word in page.words()]),
        }
        right, bottom = self._extent()
        # Where the file does not say how large the page is, its outlines do.
        self.width = page.width or right
        self.height = page.height or bottom
        starts = [0]
        for line in page.lines:
            starts.append(starts[-1] + len(line.words))
        self._starts = np.array(starts, dtype=np.intp)

    def _extent(self) -> tuple[int, int]:
        """How far the outlines reach to the right and down, and a little more; 0 without any."""
        ends = np.concatenate([shapes.boxes[2:] for shapes in self.sets.values()], axis=1)
        ends = ends[:, np.isfinite(ends).all(axis=0)]
        if not ends.size:
            return 0, 0
        right, bottom = np.maximum(ends.max(axis=1) * 1.05, 1)
        return round(float(right)), round(float(bottom))

    def index(self, key: ShapeKey) -> int:
        """The place of an outline in its layer's set."""
        return key.line if key.word is None else int(self._starts[key.line]) + key.word

    def key(self, kind: Kind, index: int) -> ShapeKey:
        """The outline at a place of a layer's set."""
        if kind is Kind.LINE:
            return ShapeKey(index)
        line = int(np.searchsorted(self._starts, index, side="right")) - 1
        return ShapeKey(line, index - int(self._starts[line]))

    def indices(self, keys: Iterable[ShapeKey]) -> dict[Kind, Indices]:
        """The places of outlines in their layers' sets; layers without any are left out."""
        found: dict[Kind, list[int]] = {}
        for key in keys:
            found.setdefault(key.kind, []).append(self.index(key))
        return {kind: np.array(places, dtype=np.intp) for kind, places in found.items()}

    def owners(self) -> Indices:
        """The line of each word."""
        return np.repeat(np.arange(len(self._starts) - 1), np.diff(self._starts))

    def first_word(self, line: int) -> int:
        """The place of a line's first word in the set of words, or of what follows it."""
        return int(self._starts[line])

    def __contains__(self, key: ShapeKey) -> bool:
        if not 0 <= key.line < len(self._starts) - 1:
            return False
        words = int(self._starts[key.line + 1] - self._starts[key.line])
        return key.word is None or 0 <= key.word < words

    def points(self, key: ShapeKey) -> npt.NDArray[np.float64]:
        """The vertices of one outline: (n, 2)."""
        return self.sets[key.kind].points(self.index(key))

    def box(self, key: ShapeKey) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of one outline."""
        return self.sets[key.kind].box(self.index(key))

    def replace(self, key: ShapeKey, polygon: Polygon) -> None:
        """Give one outline other vertices."""
        self.sets[key.kind].replace(self.index(key), polygon)

    def union(self, keys: Iterable[ShapeKey]) -> tuple[float, float, float, float] | None:
        """The box around several outlines, None where none of them has any point."""
        boxes = [box for box in map(self.box, keys) if box[0] <= box[2]]
        if not boxes:
            return None
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)


def find_target(
    shapes: PageShapes,
    x: float,
    y: float,
    *,
    scale: float,
    shown: Mapping[Kind, bool],
    editing: ShapeKey | None = None,
    grip: float = 7.0,
    beneath: ShapeKey | None = None,
) -> Target | None:
    """What is under a point, a pure function of outlines, point and scale.

    In this order: a vertex of the outline being edited, an edge of it, then the body of the
    smallest outline that contains the point, words before lines.

    Args:
        shapes: the page's outlines.
        x: the point, stored pixels.
        y: the point, stored pixels.
        scale: screen pixels a stored pixel.
        shown: which layers can be seen, and so be met.
        editing: the outline whose vertices and edges can be taken hold of.
        grip: how near the point must be, in screen pixels.
        beneath: take the outline under this one (the next larger), for clicking through.
    """
    reach = grip / scale
    if editing is not None and editing in shapes and shown.get(editing.kind, False):
        points = shapes.points(editing)
        if len(points):
            apart = np.hypot(points[:, 0] - x, points[:, 1] - y)
            nearest = int(apart.argmin())
            if apart[nearest] <= reach and beneath is None:
                return Target(Part.VERTEX, editing, nearest)
            distance, edge = _distance(points, x, y)
            if len(points) >= 2 and distance <= reach / 2 and beneath is None:
                return Target(Part.EDGE, editing, edge)
    bodies = [
        shapes.key(kind, index)
        for kind in (Kind.WORD, Kind.LINE)
        if shown.get(kind, False)
        for index in shapes.sets[kind].at(x, y, reach)
    ]
    if not bodies:
        return None
    if beneath in bodies:
        return Target(Part.BODY, bodies[(bodies.index(beneath) + 1) % len(bodies)])
    return Target(Part.BODY, bodies[0])
