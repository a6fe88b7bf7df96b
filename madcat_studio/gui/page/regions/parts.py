"""What of a page's layout can be taken hold of: regions and baselines, and what lies near a place.

Pure functions; no Qt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from madcat_studio.model.document import Page, Point, Polygon
from madcat_studio.model.geometry import contains_point, ring_area

__all__ = ["Grip", "Part", "grip_at", "moved", "part_at", "points_of"]


@dataclass(frozen=True, slots=True)
class Part:
    """A region, or the baseline of a line; ``number`` counts from 0 on its page."""

    number: int
    of_line: bool = False


@dataclass(frozen=True, slots=True)
class Grip:
    """A vertex; with ``between`` the edge that ends in it, where a new one may come."""

    vertex: int
    between: bool = False


def points_of(page: Page, part: Part) -> Polygon:
    """The points of a part; empty where there is no such part any more."""
    things = page.lines if part.of_line else page.regions
    if not 0 <= part.number < len(things):
        return ()
    if part.of_line:
        return page.lines[part.number].baseline
    return page.regions[part.number].polygon


def part_at(page: Page, place: Point, reach: float) -> Part | None:
    """What lies at a place: a baseline within reach, else the smallest region around it."""
    near = [
        (_distance(line.baseline, place), number)
        for number, line in enumerate(page.lines)
        if len(line.baseline) > 1
    ]
    if near and min(near)[0] <= reach:
        return Part(min(near)[1], of_line=True)
    around = [
        (ring_area(region.polygon), number)
        for number, region in enumerate(page.regions)
        if len(region.polygon) > 2 and contains_point(region.polygon, place)
    ]
    return Part(min(around)[1]) if around else None


def grip_at(polygon: Polygon, place: Point, reach: float, *, closed: bool) -> Grip | None:
    """The vertex within reach of a place, else the edge."""
    distances = [(math.dist(point, place), number) for number, point in enumerate(polygon)]
    if distances and min(distances)[0] <= reach:
        return Grip(min(distances)[1])
    edges = list(pairwise([*polygon, *polygon[:1]] if closed else polygon))
    found = [(_from_edge(a, b, place), number) for number, (a, b) in enumerate(edges)]
    if found and min(found)[0] <= reach:
        return Grip(min(found)[1] + 1, between=True)
    return None


def moved(polygon: Polygon, dx: float, dy: float, width: float, height: float) -> Polygon:
    """A polygon elsewhere, as far as it stays on the page."""
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    dx = min(max(dx, -min(xs)), max(width - max(xs), -min(xs)))
    dy = min(max(dy, -min(ys)), max(height - max(ys), -min(ys)))
    return tuple((round(x + dx), round(y + dy)) for x, y in polygon)


def _distance(line: Sequence[Point], place: Point) -> float:
    return min(_from_edge(a, b, place) for a, b in pairwise(line))


def _from_edge(a: Point, b: Point, place: Point) -> float:
    """How far a place is from an edge."""
    (ax, ay), (bx, by), (x, y) = a, b, place
    length = (bx - ax) ** 2 + (by - ay) ** 2
    share = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length if length else 0.0
    share = min(max(share, 0.0), 1.0)
    return math.dist(place, (ax + share * (bx - ax), ay + share * (by - ay)))
