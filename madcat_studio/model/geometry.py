"""Geometry of outlines. The cheap things are plain Python; the rest is shapely, imported late.

A polygon is a tuple of points, not closed. Outlines cross themselves, run backwards and leave the
page in real files: nothing here raises for that. The *area of an outline* that crosses itself is
the area it encloses by the even-odd rule.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from madcat_studio.model.document import Point, Polygon

__all__ = [
    "Box",
    "Shape",
    "bounding_box",
    "boxes_around",
    "bridged",
    "brush",
    "centre",
    "contains_point",
    "corners",
    "corridor",
    "covered",
    "covers_all",
    "crosses_itself",
    "cut",
    "exterior_of",
    "fewer_vertices",
    "finder",
    "grow",
    "hull",
    "intersection_area",
    "iou",
    "join",
    "known_outline",
    "on_whole_pixels",
    "opened",
    "overlapping_pairs",
    "parts_of",
    "path_within",
    "ring_area",
    "ring_like",
    "shape_of",
    "shapes_and_validity",
    "shapes_of",
    "simplified",
    "thinned",
    "turned",
    "way_around",
    "without_holes",
]

Box: TypeAlias = tuple[float, float, float, float]
"""left, top, right, bottom."""

Shape: TypeAlias = Any
"""A shapely geometry: polygons only, valid, perhaps empty."""


def bounding_box(polygon: Polygon) -> Box | None:
    """The smallest upright box around a polygon, None for one without points."""
    if not polygon:
        return None
    xs = [x for x, _ in polygon]
    ys = [y for _, y in polygon]
    return min(xs), min(ys), max(xs), max(ys)


def known_outline(outline: Polygon, words: Polygon, baseline: Polygon) -> Polygon:
    """Where a line is, as far as that is known: its outline, else the box of its words' points,
    else its baseline; empty where there is none of them.
    """
    if len(outline) > 1:
        return outline
    box = bounding_box(words)
    if box is not None:
        return corners(box)
    return baseline if len(baseline) > 1 else ()


def corners(box: Box) -> Polygon:
    """The corners of a box, clockwise from the top left."""
    left, top, right, bottom = box
    return (left, top), (right, top), (right, bottom), (left, bottom)


def centre(polygon: Polygon) -> Point:
    """The middle of a polygon's box, (0, 0) for one without points."""
    left, top, right, bottom = bounding_box(polygon) or (0, 0, 0, 0)
    return (left + right) / 2, (top + bottom) / 2


def turned(polygon: Polygon, degrees: float) -> Polygon:
    """A polygon turned around its centre; clockwise as it is seen, since y grows downwards."""
    across, down = centre(polygon)
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return tuple(
        (
            across + (x - across) * cosine - (y - down) * sine,
            down + (x - across) * sine + (y - down) * cosine,
        )
        for x, y in polygon
    )


def ring_area(polygon: Polygon) -> float:
    """The area by the shoelace formula, without sign; exact unless the polygon crosses itself."""
    doubled = 0.0
    for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], *polygon[:1]), strict=True):
        doubled += x1 * y2 - x2 * y1
    return abs(doubled) / 2


def contains_point(polygon: Polygon, point: Point) -> bool:
    """Whether a point lies inside, by the even-odd rule; points on the edge may be either."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], *polygon[:1]), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def _is_convex(polygon: Polygon) -> bool:
    """Whether all turns go one way, once around: then nothing crosses."""
    signs = 0
    turns = 0
    size = len(polygon)
    last = 0.0
    for index in range(size):
        x0, y0 = polygon[index]
        x1, y1 = polygon[(index + 1) % size]
        x2, y2 = polygon[(index + 2) % size]
        cross = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1)
        if cross == 0:
            return False  # straight on or back: left to the full test
        if cross * last < 0:
            return False
        last = cross
        signs += 1
        turns += (x1 > x0) != (x2 > x1)
    return signs >= 3 and turns <= 2


def crosses_itself(polygon: Polygon) -> bool:
    """Whether two edges cross or touch where they should not, as in a bow tie.

    Fewer than three points cannot cross. A repeated point after itself is no crossing.
    """
    distinct = tuple(
        point for index, point in enumerate(polygon) if index == 0 or point != polygon[index - 1]
    )
    if len(distinct) > 1 and distinct[0] == distinct[-1]:
        distinct = distinct[:-1]
    if len(distinct) < 3 or _is_convex(distinct):
        return False
    import shapely

    return not shapely.is_simple(shapely.linearrings(distinct))


def shape_of(polygon: Polygon) -> Shape:
    """The area of an outline; empty with fewer than three points."""
    import shapely

    if len(polygon) < 3:
        return shapely.Polygon()
    shape = shapely.Polygon(polygon)
    if shape.is_valid:
        return shape
    # Mending gives a polygon, several, or a collection with points and edges besides.
    flat = [
        part
        for group in shapely.get_parts(shapely.make_valid(shape))
        for part in shapely.get_parts(group)
        if part.geom_type == "Polygon"
    ]
    return shapely.union_all(flat) if flat else shapely.Polygon()


def shapes_of(polygons: Sequence[Polygon]) -> list[Shape]:
    """The areas of many outlines, at once."""
    return shapes_and_validity(polygons)[0]


def shapes_and_validity(polygons: Sequence[Polygon]) -> tuple[list[Shape], list[bool]]:
    """The areas of many outlines, and which were valid as they were: those cross nowhere."""
    import shapely

    whole = [index for index, polygon in enumerate(polygons) if len(polygon) >= 3]
    shapes: list[Shape] = [shapely.Polygon()] * len(polygons)
    valid = [False] * len(polygons)
    if not whole:
        return shapes, valid
    points = [point for index in whole for point in polygons[index]]
    owners = [number for number, index in enumerate(whole) for _ in polygons[index]]
    made: Any = shapely.polygons(shapely.linearrings(points, indices=owners))
    sound: Any = shapely.is_valid(made)
    for index, shape, right in zip(whole, made, sound.tolist(), strict=True):
        valid[index] = right
        shapes[index] = shape if right else shape_of(polygons[index])
    return shapes, valid


def covers_all(outer: Shape, inner: Sequence[Shape]) -> list[bool]:
    """For each inner shape whether it lies wholly within ``outer``."""
    import shapely

    shapely.prepare(outer)
    return [bool(yes) for yes in shapely.covers(outer, list(inner))]


def intersection_area(one: Shape, other: Shape) -> float:
    """The area that two shapes share."""
    return float(one.intersection(other).area)


def iou(one: Shape, other: Shape) -> float:
    """Intersection over union, 0 where either is empty."""
    shared = intersection_area(one, other)
    whole = one.area + other.area - shared
    return shared / whole if shared > 0 else 0.0


def covered(inner: Shape, outer: Shape) -> float:
    """Which part of ``inner``'s area lies in ``outer``: 0 to 1; 1 for an empty ``inner``."""
    return intersection_area(inner, outer) / inner.area if inner.area else 1.0


def overlapping_pairs(
    ones: Sequence[Shape],
    others: Sequence[Shape],
    *,
    owners: Sequence[int] | None = None,
) -> list[tuple[int, int, float]]:
    """(index in ``ones``, index in ``others``, shared area) wherever two shapes share area.

    Args:
        ones, others: the shapes.
        owners: for each of ``others`` the index in ``ones`` that it belongs to; left out.
    """
    import shapely

    if not ones or not others:
        return []
    left, right = shapely.STRtree(others).query(ones)
    pairs = [
        (i, j)
        for i, j in zip(left.tolist(), right.tolist(), strict=True)
        if owners is None or owners[j] != i
    ]
    if not pairs:
        return []
    shared = shapely.area(
        shapely.intersection([ones[i] for i, _ in pairs], [others[j] for _, j in pairs])
    )
    found = zip(pairs, shared.tolist(), strict=True)
    return sorted((i, j, area) for (i, j), area in found if area > 0)


def hull(polygons: Sequence[Polygon]) -> Polygon:
    """The convex hull of all points (Andrew's monotone chain), clockwise as seen on the page."""
    points = sorted({point for polygon in polygons for point in polygon})
    if len(points) < 3:
        return tuple(points)

    def half(ordered: Sequence[Point]) -> list[Point]:
        chain: list[Point] = []
        for x, y in ordered:
            while len(chain) > 1 and (
                (chain[-1][0] - chain[-2][0]) * (y - chain[-2][1])
                <= (chain[-1][1] - chain[-2][1]) * (x - chain[-2][0])
            ):
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return tuple(half(points) + half(points[::-1]))


def exterior_of(shape: Shape) -> Polygon:
    """The outline of a polygon shape as points, not closed; holes are not told."""
    return tuple((float(x), float(y)) for x, y in shape.exterior.coords[:-1])


def grow(shape: Shape, by: float) -> Shape:
    """A shape with a margin around it; corners stay corners."""
    return shape.buffer(by, join_style="mitre", mitre_limit=2.0)


def parts_of(shape: Shape) -> list[Shape]:
    """The polygons that a shape consists of; points and edges are left out."""
    import shapely

    flat = [p for group in shapely.get_parts(shape) for p in shapely.get_parts(group)]
    return [part for part in flat if part.geom_type == "Polygon" and not part.is_empty]


def join(shapes: Sequence[Shape]) -> Shape:
    """The union of shapes."""
    import shapely

    return shapely.union_all(list(shapes)) if shapes else shapely.Polygon()


def on_whole_pixels(shape: Shape) -> Shape:
    """A valid shape near this one whose corners are whole numbers; thin places may be lost."""
    import shapely

    return shapely.set_precision(shape, 1.0)


def simplified(shape: Shape, tolerance: float) -> Shape:
    """A shape with fewer corners that strays from this one by ``tolerance`` at most."""
    return shape.simplify(tolerance, preserve_topology=True)


def finder(shapes: Sequence[Shape]) -> Callable[[Shape], list[int]]:
    """What tells, for any shape, the indices of those of ``shapes`` that it touches, in order."""
    import shapely

    tree = shapely.STRtree(list(shapes))

    def touched(probe: Shape) -> list[int]:
        return sorted(tree.query(probe, predicate="intersects").tolist())

    return touched


def boxes_around(boxes: Sequence[Box]) -> Callable[[Point], list[int]]:
    """What tells, for any point, the indices of the boxes that hold it, in order."""
    import shapely

    tree = shapely.STRtree([shapely.box(*box) for box in boxes])

    def around(point: Point) -> list[int]:
        return sorted(tree.query(shapely.Point(point)).tolist())

    return around


def corridor(path: Polygon, width: float) -> Shape:
    """The band of this width along a path of two points or more."""
    import shapely

    return shapely.LineString(path).buffer(width / 2, cap_style="square", join_style="mitre")


def way_around(start: Shape, goal: Shape, obstacles: Sequence[Shape]) -> Polygon | None:
    """The shortest path from one shape to another that crosses none of the obstacles.

    Corners of obstacles are the places where a shortest path can turn; Dijkstra's algorithm over
    those that see each other finds it. None where there is no way.
    """
    import numpy as np
    import shapely

    block = shapely.union_all(list(obstacles)) if obstacles else shapely.Polygon()
    # Passing along an edge is no crossing.
    inner = block.buffer(-1e-6)
    shapely.prepare(inner)
    corners = shapely.get_coordinates(shapely.simplify(block, 0.01))
    if len(corners):
        free = ~shapely.intersects(inner, shapely.points(corners))
        corners = np.unique(corners[free], axis=0)
    points: Any = shapely.points(corners) if len(corners) else np.array([], dtype=object)

    def visible(lines: Any) -> Any:
        return ~shapely.intersects(inner, lines)

    direct: Any = shapely.shortest_line(start, goal)
    if bool(visible(direct)):
        return tuple(map(tuple, direct.coords))
    if not len(points):
        return None
    away: Any = shapely.shortest_line(start, points)
    home: Any = shapely.shortest_line(points, goal)
    from_start = np.where(visible(away), shapely.length(away), np.inf)
    to_goal = np.where(visible(home), shapely.length(home), np.inf)
    count = len(points)
    best = from_start.copy()
    before = np.full(count, -1)
    done = np.zeros(count, dtype=bool)
    for _ in range(count):
        waiting = np.where(done, np.inf, best)
        here = int(waiting.argmin())
        if not np.isfinite(waiting[here]):
            break
        done[here] = True
        reached = best[here] + to_goal[here]
        if np.isfinite(reached) and reached <= (best + to_goal).min():
            break
        pairs = np.stack([np.broadcast_to(corners[here], corners.shape), corners], axis=1)
        lines = shapely.linestrings(pairs)
        reach = np.where(visible(lines), best[here] + shapely.length(lines), np.inf)
        closer = reach < best
        best[closer] = reach[closer]
        before[closer] = here
    last = int((best + to_goal).argmin())
    if not np.isfinite(best[last] + to_goal[last]):
        return None
    chain = [last]
    while before[chain[-1]] >= 0:
        chain.append(int(before[chain[-1]]))
    chain.reverse()
    first = away[chain[0]].coords
    final = home[chain[-1]].coords
    middle = [tuple(corners[index]) for index in chain]
    path = [tuple(first[0]), *middle, tuple(final[-1])]
    return tuple((float(x), float(y)) for x, y in path)


def cut(polygon: Polygon, path: Polygon) -> tuple[list[Polygon], list[Polygon]]:
    """The pieces of an outline on the left and on the right of a path drawn across it.

    The ends of the path are drawn out where they lie inside. New corners are whole pixels; the
    outline's own stay as they are. Both lists are empty where the path does not cut.
    """
    import shapely
    from shapely.ops import split

    shape = shape_of(polygon)
    steps = [point for n, point in enumerate(path) if n == 0 or point != path[n - 1]]
    if shape.is_empty or len(steps) < 2:
        return [], []
    left, top, right, bottom = shape.bounds
    far = right - left + bottom - top
    if shape.covers(shapely.Point(steps[0])):
        steps.insert(0, _beyond(steps[1], steps[0], far))
    if shape.covers(shapely.Point(steps[-1])):
        steps.append(_beyond(steps[-2], steps[-1], far))
    line = shapely.LineString(steps)
    pieces = [
        piece for part in parts_of(shape) for piece in split(part, line).geoms if piece.area >= 1
    ]
    own = {(float(x), float(y)): (x, y) for x, y in polygon}
    sides: tuple[list[Polygon], list[Polygon]] = ([], [])
    for piece in pieces:
        corners = exterior_of(piece)
        if _turns_left(corners) != _turns_left(polygon):
            corners = corners[::-1]
        whole = tuple(own.get(corner, (round(corner[0]), round(corner[1]))) for corner in corners)
        sides[_on_the_right(line, piece.representative_point())].append(whole)
    return sides if all(sides) else ([], [])


def path_within(path: Polygon, outline: Polygon) -> Polygon:
    """The longest stretch of a path within an outline, in the path's own direction; else empty.

    Its own points stay as they are; where it is cut there is a whole pixel.
    """
    import shapely

    if len(path) < 2:
        return ()
    line = shapely.LineString(path)
    inside = shapely.get_parts(line.intersection(shape_of(outline)))
    stretches = [p for p in inside if p.geom_type == "LineString" and not p.is_empty]
    if not stretches:
        return ()
    ends = [
        line.project(shapely.Point(max(stretches, key=lambda p: p.length).coords[n]))
        for n in (0, -1)
    ]
    start, end = min(ends), max(ends)
    along = [(line.project(shapely.Point(point)), point) for point in path]
    kept = [point for place, point in along if start < place < end]
    first, last = (_whole(line.interpolate(place)) for place in (start, end))
    return (first, *kept, last)


def _whole(point: Shape) -> Point:
    return round(point.x), round(point.y)


def brush(path: Polygon, width: float) -> Shape:
    """What a round brush paints along a path; one without width what the path encloses."""
    import shapely

    if not width:
        return shape_of(path)
    made = shapely.LineString(path) if len(set(path)) > 1 else shapely.Point(path[0])
    return made.buffer(width / 2, quad_segs=4).simplify(0.4)


def without_holes(shape: Shape) -> Shape:
    """A shape with whatever its outlines enclose."""
    import shapely

    return join([shapely.Polygon(part.exterior) for part in parts_of(shape)])


def opened(shape: Shape, width: float) -> Shape:
    """A shape whose holes are open to the outside, each by the shortest slit of this width."""
    import shapely

    for part in parts_of(shape):
        for hole in part.interiors:
            slit: Any = shapely.shortest_line(shapely.LineString(hole), part.exterior)
            shape = shape.difference(slit.buffer(width / 2, cap_style="square"))
    return shape


def bridged(shape: Shape, width: float) -> Shape:
    """The parts of a shape as one, joined by the shortest bridges of this width."""
    import shapely

    parts = parts_of(shape)
    whole, rest = parts[0], parts[1:]
    while rest:
        rest.sort(key=lambda part: part.distance(whole), reverse=True)
        part = rest.pop()
        bridge: Any = shapely.shortest_line(whole, part)
        whole = join([whole, part, bridge.buffer(width / 2, cap_style="square")])
    return whole


def ring_like(shape: Shape, polygon: Polygon) -> Polygon:
    """The outline of one part as an outline was before: its own vertices, way round and beginning.

    New vertices are whole pixels.
    """
    corners = exterior_of(shape)
    if _turns_left(corners) != _turns_left(polygon):
        corners = corners[::-1]
    own = {(float(round(x)), float(round(y))): (x, y) for x, y in polygon}
    start = next((corners.index(place) for place in own if place in corners), 0)
    turned = (*corners[start:], *corners[:start])
    return tuple(own.get(corner, (round(corner[0]), round(corner[1]))) for corner in turned)


def _beyond(before: Point, end: Point, far: float) -> Point:
    """The point ``far`` behind the end of a stretch."""
    across, down = end[0] - before[0], end[1] - before[1]
    length = (across**2 + down**2) ** 0.5
    return end[0] + across / length * far, end[1] + down / length * far


def _turns_left(polygon: Polygon) -> bool:
    pairs = zip(polygon, (*polygon[1:], *polygon[:1]), strict=True)
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs) > 0


def _on_the_right(line: Shape, point: Shape) -> int:
    """1 on the right of a directed path, by the stretch of it that is nearest; else 0."""
    import shapely

    corners = list(line.coords)
    stretches = [shapely.LineString(pair) for pair in itertools.pairwise(corners)]
    nearest = min(range(len(stretches)), key=lambda n: point.distance(stretches[n]))
    (x0, y0), (x1, y1) = corners[nearest], corners[nearest + 1]
    return int((x1 - x0) * (point.y - y0) - (y1 - y0) * (point.x - x0) > 0)


def thinned(path: Polygon, tolerance: float) -> Polygon:
    """A path with the same ends that strays from this one by ``tolerance`` at most."""
    import shapely

    if len(path) <= 2:
        return path
    simple = shapely.LineString(path).simplify(tolerance, preserve_topology=False)
    return tuple((float(x), float(y)) for x, y in simple.coords)


def fewer_vertices(polygon: Polygon, tolerance: float) -> Polygon:
    """An outline that strays from this one by ``tolerance`` at most (Douglas and Peucker, 1973).

    Its vertices are some of those that are there, in their order, three at least.
    """
    import shapely

    if len(polygon) <= 3:
        return polygon
    # The ring is opened where it turns most, so that a corner and no middle of an edge is kept.
    start = max(range(len(polygon)), key=lambda n: _sharpness(polygon, n))
    turned = (*polygon[start:], *polygon[:start])
    half = max(range(1, len(turned)), key=lambda n: _apart(turned[0], turned[n]))
    kept: set[int] = set()
    for first, stretch in ((0, turned[: half + 1]), (half, (*turned[half:], turned[0]))):
        left = shapely.LineString(stretch).simplify(tolerance, preserve_topology=False).coords
        at = 0
        for corner in left:
            while tuple(map(float, stretch[at])) != corner:
                at += 1
            kept.add((first + at + start) % len(polygon))
            at += 1
    fewer = tuple(polygon[n] for n in sorted(kept))
    return fewer if len(fewer) >= 3 else polygon


def _apart(one: Point, other: Point) -> float:
    return float((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


def _sharpness(polygon: Polygon, index: int) -> float:
    """How far a corner stands out from the straight way between its neighbours, as an area."""
    (x0, y0), (x1, y1), (x2, y2) = (polygon[(index + step) % len(polygon)] for step in (-1, 0, 1))
    return abs((x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0))
