"""Geometry of outlines. The cheap things are plain Python; the rest is shapely, imported late.

A polygon is a tuple of points, not closed. Outlines cross themselves, run backwards and leave the
page in real files: nothing here raises for that. The *area of an outline* that crosses itself is
the area it encloses by the even-odd rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from madcat_studio.model.document import Point, Polygon

__all__ = [
    "Box",
    "Shape",
    "bounding_box",
    "bounds_overlap",
    "contains_point",
    "covered",
    "crosses_itself",
    "hull",
    "intersection_area",
    "iou",
    "overlapping_pairs",
    "ring_area",
    "shape_of",
    "shapes_of",
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


def bounds_overlap(one: Box, other: Box) -> bool:
    """Whether two boxes share more than an edge."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


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
    """The areas of many outlines."""
    return [shape_of(polygon) for polygon in polygons]


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
    ones: Sequence[Shape], others: Sequence[Shape]
) -> list[tuple[int, int, float]]:
    """(index in ``ones``, index in ``others``, shared area) wherever two shapes share area."""
    import shapely

    if not ones or not others:
        return []
    tree = shapely.STRtree(others)
    left, right = tree.query(ones, predicate="intersects")
    shared = [
        (int(i), int(j), intersection_area(ones[i], others[j]))
        for i, j in zip(left, right, strict=True)
    ]
    return sorted(pair for pair in shared if pair[2] > 0)


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
