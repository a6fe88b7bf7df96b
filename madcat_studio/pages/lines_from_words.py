"""Line polygons derived from word polygons so that bleed between lines is least (plan 3.1.2).

A line becomes the band around its words and the gaps between neighbours, which are bridged from end
to end, with a margin for dots and strokes outside the words. Whatever of other lines' words the
band covers is cut out again, with a little air. Where that tears a line apart, its parts are joined
by narrow corridors around the words in the way; where it leaves a hole, a slit opens it to the
outside.

*Bleed* is the area of other lines' words inside a line's polygon. What is left of it lies where
words of two lines overlap themselves.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from madcat_studio.model.document import Page, Point, Polygon
from madcat_studio.model.geometry import (
    Shape,
    corridor,
    covered,
    exterior_of,
    finder,
    grow,
    hull,
    intersection_area,
    join,
    on_whole_pixels,
    overlapping_pairs,
    parts_of,
    shape_of,
    shapes_of,
    simplified,
    way_around,
)

__all__ = ["MARGIN", "bleed", "bleed_areas", "derive_lines", "word_overlap"]

MARGIN = 0.055
"""The margin around words, as a share of the page's median word height."""

_END = 0.25
"""How much of a word, in heights of the line's median word, a gap beside it is bridged from."""

_AIR = (4.0, 3.0, 2.0, 1.5, 1.0, 0.5)
"""Pixels kept free around other lines' words; less where there is not so much room."""

_NARROWEST = 2.0
"""Pixels: a corridor that outlives rounding to whole ones in most directions."""


def bleed(page: Page) -> list[float]:
    """For each line the area of other lines' words inside its polygon, in square pixels."""
    lines = shapes_of([line.polygon for line in page.lines])
    words = [(index, word.polygon) for index, line in enumerate(page.lines) for word in line.words]
    owners = [index for index, _ in words]
    totals = [0.0] * len(lines)
    for line, _, area in overlapping_pairs(
        lines, shapes_of([polygon for _, polygon in words]), owners=owners
    ):
        totals[line] += area
    return totals


def word_overlap(page: Page) -> list[float]:
    """For each line the area of other lines' words inside its own words: no line can have less."""
    words = [join(shapes_of([word.polygon for word in line.words])) for line in page.lines]
    singles = [
        (index, shape)
        for index, line in enumerate(page.lines)
        for shape in shapes_of([word.polygon for word in line.words])
    ]
    totals = [0.0] * len(words)
    for line, _, area in overlapping_pairs(
        words, [shape for _, shape in singles], owners=[index for index, _ in singles]
    ):
        totals[line] += area
    return totals


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What a line must cover and what it must not."""

    own: list[Shape]
    others: list[Shape]


def bleed_areas(page: Page, polygons: Mapping[int, Polygon]) -> dict[int, list[Polygon]]:
    """Where other lines' words lie inside a polygon, for each line with one; to be marked.

    Args:
        page: its words.
        polygons: by line number; they need not be the page's own.
    """
    numbers = list(polygons)
    lines = shapes_of([polygons[number] for number in numbers])
    words = [(index, word.polygon) for index, line in enumerate(page.lines) for word in line.words]
    shapes = shapes_of([polygon for _, polygon in words])
    touched = finder(shapes)
    areas: dict[int, list[Polygon]] = {}
    for number, line in zip(numbers, lines, strict=True):
        shared = [line.intersection(shapes[k]) for k in touched(line) if words[k][0] != number]
        areas[number] = [exterior_of(part) for shape in shared for part in parts_of(shape)]
    return areas


def derive_lines(
    page: Page, margin: float = MARGIN, *, only: Collection[int] | None = None
) -> list[Polygon | None]:
    """A polygon for each line of a page, in whole pixels within the page.

    Args:
        page: its lines' words decide; its lines' polygons are not looked at.
        margin: as :data:`MARGIN`.
        only: the lines that are wanted; the others are None in the result.

    Returns:
        For each line its polygon, None for a line that has no word with an area.
    """
    words = [
        [shape for shape in shapes_of([w.polygon for w in line.words]) if shape.area]
        for line in page.lines
    ]
    heights = [shape.bounds[3] - shape.bounds[1] for group in words for shape in group]
    pad = max(1.0, round(margin * statistics.median(heights))) if heights else 1.0
    every = [(index, shape) for index, group in enumerate(words) for shape in group]
    touched = finder([shape for _, shape in every])
    derived: list[Polygon | None] = []
    for index in range(len(page.lines)):
        if not words[index] or (only is not None and index not in only):
            derived.append(None)
            continue
        derived.append(_derive(index, words[index], pad, page, every, touched))
    return derived


def _derive(
    index: int,
    own: list[Shape],
    pad: float,
    page: Page,
    every: list[tuple[int, Shape]],
    touched: Callable[[Shape], list[int]],
) -> Polygon:
    band = grow(_band(own), pad)
    box = _page_box(page)
    if box is not None and all(covered(word, box) > 0.999 for word in own):
        band = band.intersection(box)
    reach = grow(band, 4 * pad + 20)
    near = [every[k][1] for k in touched(reach) if every[k][0] != index]
    around = _Surroundings(own, near)
    best: tuple[tuple[float, float, int], Polygon] | None = None
    for air in _AIR:
        region = _cut(band, around, air)
        for tolerance in (air / 2, 0.0):
            polygon = _finish(region, tolerance)
            shape = shape_of(polygon)
            missed = sum(word.area - intersection_area(word, shape) for word in around.own)
            taken = sum(intersection_area(shape, other) for other in near)
            # Less than a pixel of a word's edge is rounding, not a loss.
            quality = (round(missed) + round(taken, 1), round(taken, 6), len(polygon))
            if best is None or quality < best[0]:
                best = quality, polygon
        assert best is not None
        if best[0][0] == 0:
            break
    assert best is not None
    return best[1]


def _band(own: Sequence[Shape]) -> Shape:
    """The words with the gaps between neighbours along the line filled."""
    if len(own) == 1:
        return own[0]
    end = _END * statistics.median(shape.bounds[3] - shape.bounds[1] for shape in own)
    gaps = []
    for one, other in pairwise(_along(own)):
        # Around the whole of both, a bridge would take in what lies over a low word beside a tall.
        ends = [_end(one, other, end), _end(other, one, end)]
        gaps.append(shape_of(hull([_corners(part) for part in ends])))
    return join([*own, *gaps])


def _end(word: Shape, other: Shape, wide: float) -> Shape:
    """The part of a word that is nearest to another one."""
    part = word.intersection(grow(other, word.distance(other) + wide))
    return part if part.area else word


def _along(own: Sequence[Shape]) -> list[Shape]:
    """Words in the order of their centres along the line's main direction."""
    centres = [(shape.centroid.x, shape.centroid.y) for shape in own]
    mean_x = statistics.fmean(x for x, _ in centres)
    mean_y = statistics.fmean(y for _, y in centres)
    xx = sum((x - mean_x) ** 2 for x, _ in centres)
    yy = sum((y - mean_y) ** 2 for _, y in centres)
    xy = sum((x - mean_x) * (y - mean_y) for x, y in centres)
    angle = 0.5 * math.atan2(2 * xy, xx - yy)
    across, down = math.cos(angle), math.sin(angle)
    order = sorted(range(len(own)), key=lambda i: centres[i][0] * across + centres[i][1] * down)
    return [own[i] for i in order]


def _corners(shape: Shape) -> Polygon:
    return tuple(point for part in parts_of(shape) for point in exterior_of(part))


def _page_box(page: Page) -> Shape | None:
    if not page.width or not page.height:
        return None
    return shape_of(((0, 0), (page.width, 0), (page.width, page.height), (0, page.height)))


def _cut(band: Shape, around: _Surroundings, air: float) -> Shape:
    """One polygon without holes: the band less other lines' words, all own words in it."""
    own = join(around.own)
    forbidden = join([grow(shape, air) for shape in around.others])
    region = join([band.difference(forbidden), own])
    parts = [part for part in parts_of(region) if intersection_area(part, own) > 0]
    whole = _connect(parts, around, air)
    return _open_holes(whole, own, air)


def _connect(parts: list[Shape], around: _Surroundings, air: float) -> Shape:
    """Join the pieces of a line, the nearest first, around the words of others."""
    width = max(air, _NARROWEST)
    whole, *rest = sorted(parts, key=lambda part: -part.area)
    while rest:
        nearest = min(range(len(rest)), key=lambda i: whole.distance(rest[i]))
        part = rest.pop(nearest)
        path = None
        for room in (width / 2 + 0.75, width / 2, 0.5, 0.05):
            path = way_around(whole, part, [grow(shape, room) for shape in around.others])
            if path is not None:
                break
        if path is None:  # shut in: the straight way takes the least
            path = way_around(whole, part, [])
        assert path is not None
        # Where it ends at a corner a corridor would hang by a thread: knots hold it.
        knots = [_square(end, 2 * width) for end in (path[0], path[-1])]
        free = join(knots).difference(join([grow(shape, air / 2) for shape in around.others]))
        way = [corridor(path, width)] if path[0] != path[-1] else []
        pieces = parts_of(join([whole, part, free, *way]))
        whole, *torn = sorted(pieces, key=lambda piece: -piece.area)
        rest += [piece for piece in torn if piece.area > 1]
    return whole


def _square(centre: Point, side: float) -> Shape:
    (x, y), half = centre, side / 2
    return shape_of(
        ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    )


def _open_holes(shape: Shape, own: Shape, air: float) -> Shape:
    """Open every hole that is not own ink to the outside by a slit around the own words."""
    holes = [shape_of(tuple(ring.coords[:-1])) for ring in shape.interiors]
    for hole in holes:
        outside = grow(shape_of(exterior_of(shape)), 1.0).difference(shape_of(exterior_of(shape)))
        path = way_around(hole, outside, [grow(word, 1.5) for word in parts_of(own)])
        if path is None:
            continue  # wholly inside own words: nothing can be opened
        slit = corridor(path, max(air, _NARROWEST))
        left = parts_of(shape.difference(slit))
        shape = max(left, key=lambda part: part.area)
    return shape


def _finish(region: Shape, tolerance: float) -> Polygon:
    """The outline in whole pixels, with fewer corners where that costs nothing."""
    shape = simplified(region, tolerance) if tolerance else region
    parts = parts_of(on_whole_pixels(shape))
    if not parts:
        return tuple((round(x), round(y)) for x, y in exterior_of(region))
    largest = max(parts, key=lambda part: part.area)
    return tuple((int(x), int(y)) for x, y in exterior_of(largest))
