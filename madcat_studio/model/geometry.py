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
    "contains_point",
    "covered",
    "covers_all",
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
    import shapely

    whole = [index for index, polygon in enumerate(polygons) if len(polygon) >= 3]
    shapes: list[Shape] = [shapely.Polygon()] * len(polygons)
    if not whole:
        return shapes
    points = [point for index in whole for point in polygons[index]]
    owners = [number for number, index in enumerate(whole) for _ in polygons[index]]
    made = shapely.polygons(shapely.linearrings(points, indices=owners))
    for index, shape, valid in zip(whole, made, shapely.is_valid(made), strict=True):
        shapes[index] = shape if valid else shape_of(polygons[index])
    return shapes


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
