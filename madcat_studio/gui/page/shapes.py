"""The outlines of one page as arrays: what is in view, what lies under a point. No painting.

A :class:`ShapeSet` holds the polygons of one layer (lines or words). All coordinates are stored
pixels. Finding what is in view compares one rectangle with all boxes at once, which at 10,000
outlines is faster than any tree that has to be kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from madcat_studio.model.change import Position, Shift, moved
from madcat_studio.model.document import Page, Polygon

__all__ = [
    "Indices",
    "OutlineKind",
    "PageShapes",
    "Part",
    "ShapeKey",
    "ShapeSet",
    "Sources",
    "Target",
    "all_followed",
    "find_target",
    "followed",
    "inverse",
    "seams",
    "traced",
]

Indices = npt.NDArray[np.intp]
"""Places in a layer's set."""


class OutlineKind(StrEnum):
    """The layers of outlines on a page."""

    LINE = "line"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class ShapeKey:
    """Which outline of a page: line number and, for a word, its number in that line."""

    line: int
    word: int | None = None

    @property
    def kind(self) -> OutlineKind:
        """The layer that the outline lies in."""
        return OutlineKind.LINE if self.word is None else OutlineKind.WORD


Sources = dict[OutlineKind, Indices]
"""For each layer, where each outline was before something came, went or moved; -1 for what came."""


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

    def is_same(self, index: int, polygon: Polygon) -> bool:
        """Whether a polygon has these vertices."""
        return np.array_equal(self.points(index), _points_of(polygon))

    def replace(self, index: int, polygon: Polygon) -> None:
        """Give one polygon other vertices."""
        fresh = _points_of(polygon)
        start, stop = int(self.offsets[index]), int(self.offsets[index + 1])
        if stop - start == len(fresh):
            self.xy[start:stop] = fresh
        else:
            self.xy = np.concatenate([self.xy[:start], fresh, self.xy[stop:]])
            self.offsets[index + 1 :] += len(fresh) - (stop - start)
        self._set_box(index, fresh)

    def follow(self, sources: Indices, polygons: Mapping[int, Polygon]) -> None:
        """Polygons came, went or moved: ``sources`` tells where each was, -1 for one that came.

        ``polygons`` gives those that came, by where they are now.
        """
        fresh = {at: _points_of(polygon) for at, polygon in polygons.items()}
        lengths = np.append(np.diff(self.offsets), 0)[sources]
        for at, points in fresh.items():
            lengths[at] = len(points)
        # Whole stretches are taken over; only what came is put in between.
        came = sources < 0
        after_one = np.concatenate([[False], came[:-1]]) if len(came) else came
        begins = np.flatnonzero((np.diff(sources, prepend=-9) != 1) | came | after_one)
        parts = []
        for begin, end in pairwise([*begins.tolist(), len(sources)]):
            first = int(sources[begin])
            if first < 0:
                parts += [fresh[at] for at in range(begin, end)]
            else:
                last = first + end - begin
                parts.append(self.xy[self.offsets[first] : self.offsets[last]])
        self.xy = np.concatenate([np.empty((0, 2)), *parts])
        self.offsets = np.zeros(len(sources) + 1, dtype=np.intp)
        np.cumsum(lengths, out=self.offsets[1:])
        nothing = [[np.inf], [np.inf], [-np.inf], [-np.inf]]
        self.boxes = np.append(self.boxes, nothing, axis=1)[:, sources]
        self._typical_height = self._typical_height or None
        for at, points in fresh.items():
            self._set_box(at, points)

    def _set_box(self, index: int, points: npt.NDArray[np.float64]) -> None:
        if len(points):
            self.boxes[:2, index] = points.min(axis=0)
            self.boxes[2:, index] = points.max(axis=0)
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
            heights = np.sort(heights[np.isfinite(heights)])
            # numpy's median would load all of its masked arrays for this.
            middle = heights[(heights.size - 1) // 2 : heights.size // 2 + 1]
            self._typical_height = float(middle.mean()) if heights.size else 0.0
        return self._typical_height


def _points_of(polygon: Polygon) -> npt.NDArray[np.float64]:
    return np.array(polygon, dtype=np.float64).reshape(len(polygon), 2)


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

    Attributes:
        latest: where each outline was before the last :meth:`follow`.
    """

    def __init__(self, page: Page) -> None:
        self.sets: dict[OutlineKind, ShapeSet] = {
            OutlineKind.LINE: ShapeSet([line.polygon for line in page.lines]),
            OutlineKind.WORD: ShapeSet([word.polygon for word in page.words()]),
        }
        right, bottom = self._extent()
        # Where the file does not say how large the page is, its outlines do.
        self.latest: Sources = {}
        self.width = page.width or right
        self.height = page.height or bottom
        self._count([len(line.words) for line in page.lines])

    def _count(self, words: Sequence[int]) -> None:
        """Take notice of how many words each line has."""
        counts = np.fromiter(words, dtype=np.intp, count=len(words))
        self._starts: Indices = np.zeros(len(words) + 1, dtype=np.intp)
        np.cumsum(counts, out=self._starts[1:])
        self._owners: Indices = np.repeat(np.arange(len(words)), counts)

    def follow(self, page: Page, shifts: Sequence[Shift]) -> Sources:
        """Lines and words of the page came, went or moved so; all others are taken along.

        Returns:
            for each layer, where each outline was before, -1 for one that came.
        """
        sources = self.latest = traced(np.diff(self._starts).tolist(), shifts)
        self._count([len(line.words) for line in page.lines])
        for kind, found in sources.items():
            keys = {at: self.key(kind, at) for at in np.flatnonzero(found < 0).tolist()}
            self.sets[kind].follow(found, {at: _polygon(page, key) for at, key in keys.items()})
        return sources

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

    def key(self, kind: OutlineKind, index: int) -> ShapeKey:
        """The outline at a place of a layer's set."""
        if kind is OutlineKind.LINE:
            return ShapeKey(index)
        line = int(np.searchsorted(self._starts, index, side="right")) - 1
        return ShapeKey(line, index - int(self._starts[line]))

    def indices(self, keys: Iterable[ShapeKey]) -> dict[OutlineKind, Indices]:
        """The places of outlines in their layers' sets; layers without any are left out."""
        found: dict[OutlineKind, list[int]] = {}
        for key in keys:
            found.setdefault(key.kind, []).append(self.index(key))
        return {kind: np.array(places, dtype=np.intp) for kind, places in found.items()}

    def owners(self) -> Indices:
        """The line of each word."""
        return self._owners

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


def _polygon(page: Page, key: ShapeKey) -> Polygon:
    line = page.lines[key.line]
    return line.polygon if key.word is None else line.words[key.word].polygon


def followed(key: ShapeKey, shifts: Sequence[Shift]) -> ShapeKey | None:
    """The same outline after some shifts of its page; None where it went."""
    place: Position | None = Position(key.line, key.word)
    for shift in shifts:
        if place is not None:
            place = moved(place, shift)
    return None if place is None else ShapeKey(*place)


def all_followed(keys: Iterable[ShapeKey], shifts: Sequence[Shift]) -> list[ShapeKey]:
    """The same outlines after some shifts; those that went are left out."""
    return [now for key in keys if (now := followed(key, shifts)) is not None]


def seams(sources: Indices) -> Indices:
    """Places of a layer where what stands before is not what stood before it earlier."""
    return np.flatnonzero(np.diff(sources, prepend=-1) != 1)


def inverse(sources: Indices, count: int) -> Indices:
    """Where each of ``count`` outlines is now, -1 for those that went."""
    now = np.full(count, -1, dtype=np.intp)
    there = np.flatnonzero(sources >= 0)
    now[sources[there]] = there
    return now


def traced(words: Sequence[int], shifts: Sequence[Shift]) -> Sources:
    """Where each line and each word was before some shifts, a pure function.

    Args:
        words: how many words each line had.
        shifts: of one page, in their order.

    Returns:
        for each layer (outlines,): the place in the layer's set before, -1 for what came.
    """
    counts = list(words)
    lines, flat = list(range(len(counts))), np.arange(sum(counts), dtype=np.intp)
    for shift in shifts:
        source, target = shift.source, shift.target
        if shift.of_line:
            taken, number, size = np.full(shift.words, -1, dtype=np.intp), -1, shift.words
            if source is not None:
                at = sum(counts[: source.line])
                number, size = lines.pop(source.line), counts.pop(source.line)
                taken = flat[at : at + size]
                flat = np.delete(flat, slice(at, at + size))
            if target is not None:
                at = sum(counts[: target.line])
                lines.insert(target.line, number)
                flat = np.insert(flat, at, taken)
                counts.insert(target.line, size)
            continue
        word = np.intp(-1)
        if source is not None and source.word is not None:
            at = sum(counts[: source.line]) + source.word
            word, flat = flat[at], np.delete(flat, at)
            counts[source.line] -= 1
        if target is not None and target.word is not None:
            flat = np.insert(flat, sum(counts[: target.line]) + target.word, word)
            counts[target.line] += 1
    return {
        OutlineKind.LINE: np.array(lines, dtype=np.intp),
        OutlineKind.WORD: flat,
    }


def find_target(
    shapes: PageShapes,
    x: float,
    y: float,
    *,
    scale: float,
    shown: Mapping[OutlineKind, bool],
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
        for kind in (OutlineKind.WORD, OutlineKind.LINE)
        if shown.get(kind, False)
        for index in shapes.sets[kind].at(x, y, reach)
    ]
    if not bodies:
        return None
    if beneath in bodies:
        return Target(Part.BODY, bodies[(bodies.index(beneath) + 1) % len(bodies)])
    return Target(Part.BODY, bodies[0])
