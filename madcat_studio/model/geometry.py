"""Geometry of outlines. The cheap things are plain Python; the rest is shapely, imported late.

A polygon is a tuple of points, not closed. Outlines cross themselves, run backwards and leave the
page in real files: nothing here raises for that. The *area of an outline* that crosses itself is
the area it encloses by the even-odd rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from madcat_studio.model.document import Point, Polygon

__all__ = [
    "Box",
    "Shape",
    "bounding_box",
    "contains_point",
    "corridor",
    "covered",
    "covers_all",
    "crosses_itself",
    "exterior_of",
    "finder",
    "grow",
    "hull",
    "intersection_area",
    "iou",
    "join",
    "on_whole_pixels",
    "overlapping_pairs",
    "parts_of",
    "ring_area",
    "shape_of",
    "shapes_and_validity",
    "shapes_of",
    "simplified",
    "way_around",
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
