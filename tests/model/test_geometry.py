from __future__ import annotations

import math

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.model.geometry import (
    bounding_box,
    contains_point,
    covered,
    covers_all,
    crosses_itself,
    cut,
    fewer_vertices,
    hull,
    intersection_area,
    iou,
    overlapping_pairs,
    ring_area,
    shape_of,
    shapes_of,
    thinned,
)
from tests.formats.documents import examples

SQUARE = ((0, 0), (10, 0), (10, 10), (0, 10))
BOW_TIE = ((0, 0), (10, 0), (0, 10), (10, 10))
SHIFTED = ((5, 0), (15, 0), (15, 10), (5, 10))

points = st.tuples(st.integers(-20, 20), st.integers(-20, 20))
rings = st.lists(points, max_size=9).map(tuple)


def test_boxes_and_areas() -> None:
    assert bounding_box(()) is None
    assert bounding_box(BOW_TIE) == (0, 0, 10, 10)
    assert ring_area(SQUARE) == ring_area(SQUARE[::-1]) == 100
    assert shape_of(BOW_TIE).area == 50
    assert shape_of(SQUARE[:2]).is_empty
    assert shape_of(((0, 0), (10, 0), (5, 0))).is_empty


def test_what_two_outlines_share() -> None:
    one, other = shape_of(SQUARE), shape_of(SHIFTED)
    assert intersection_area(one, other) == 50
    assert iou(one, other) == pytest.approx(1 / 3)
    assert iou(one, shape_of(())) == 0
    assert covered(one, other) == 0.5
    assert covered(shape_of(()), other) == 1
    assert covers_all(one, [one, other, shape_of(((1, 1), (2, 1), (2, 2)))]) == [True, False, True]
    touching = shape_of(((10, 0), (20, 0), (20, 10)))
    assert overlapping_pairs([one], [other, touching]) == [(0, 0, 50)]
    assert overlapping_pairs([one], [other], owners=[0]) == []
    assert overlapping_pairs([], [one]) == []


def test_a_point_inside() -> None:
    assert contains_point(SQUARE, (5, 5))
    assert not contains_point(SQUARE, (15, 5))
    assert not contains_point(BOW_TIE, (1, 5))
    assert not contains_point((), (0, 0))


@pytest.mark.parametrize(
    ("polygon", "crosses"),
    [
        (SQUARE, False),
        (BOW_TIE, True),
        ((*SQUARE, SQUARE[0]), False),  # closed by hand
        ((SQUARE[0], *SQUARE), False),  # a point twice
        (((0, 0), (10, 0), (10, 10), (5, 5), (0, 10)), False),
        (((0, 0), (10, 0), (10, 10), (0, 0), (0, 10)), True),  # touches itself
        (((0, 0), (4, 0), (8, 0), (8, 8)), False),
        (((0, 0), (2, 8), (4, 0), (-1, 5), (5, 5)), True),  # a star turns one way all the time
        (((0, 0), (1, 1)), False),
        ((), False),
    ],
)
def test_crossing(polygon: tuple[tuple[int, int], ...], crosses: bool) -> None:
    assert crosses_itself(polygon) == crosses


@given(rings)
def test_the_short_cut_for_convex_outlines_never_hides_a_crossing(
    ring: tuple[tuple[int, int], ...],
) -> None:
    distinct = [p for i, p in enumerate(ring) if i == 0 or p != ring[i - 1]]
    if len(distinct) > 1 and distinct[0] == distinct[-1]:
        distinct.pop()
    if len(distinct) >= 3:
        assert crosses_itself(ring) != shapely.LinearRing(distinct).is_simple


@pytest.mark.long
@given(st.lists(rings, max_size=5))
def test_many_shapes_are_the_same_as_one_by_one(many: list[tuple[tuple[int, int], ...]]) -> None:
    together = shapes_of(many)
    assert [s.area for s in together] == pytest.approx([shape_of(ring).area for ring in many])
    assert all(shape.is_valid for shape in together)


@given(rings)
def test_a_hull_holds_every_point(ring: tuple[tuple[int, int], ...]) -> None:
    around = hull([ring])
    assert set(around) <= set(ring)
    if len(around) >= 3 and shape_of(around).area:
        expected = shapely.MultiPoint(ring).convex_hull
        assert shape_of(around).equals(expected)


# Cutting and thinning


def _stars() -> st.SearchStrategy[tuple[tuple[int, int], ...]]:
    """Outlines around a middle that cross nowhere: a distance for each of some directions."""

    def made(distances: list[int]) -> tuple[tuple[int, int], ...]:
        step = 2 * math.pi / len(distances)
        return tuple(
            (round(d * math.cos(n * step)), round(d * math.sin(n * step)))
            for n, d in enumerate(distances)
        )

    return st.lists(st.integers(40, 400), min_size=3, max_size=12).map(made)


@pytest.mark.long
@examples(120)
@given(_stars(), st.integers(-30, 30), st.integers(-30, 30))
def test_a_cut_shares_an_outline_out(polygon, x: int, slant: int) -> None:
    path = ((x - slant, -500), (x + slant, 500))
    one, other = cut(polygon, path)
    assert bool(one) == bool(other)
    whole = ring_area(polygon)
    parts = sum(ring_area(part) for part in (*one, *other))
    if one:
        # Each new corner strays by less than a pixel from where the cut meets the outline.
        assert parts == pytest.approx(whole, abs=900 * 2)
        assert all(isinstance(value, int) for part in one for point in part for value in point)
    corners = {point for part in (*one, *other) for point in part}
    assert not one or set(polygon) <= corners, "no corner of its own is lost or moved"
    assert cut(polygon, path[::-1]) == (other, one)
    assert cut(polygon, ((900, -500), (900, 500))) == ([], [])


@examples(80)
@given(_stars(), st.integers(0, 60))
def test_fewer_vertices_are_some_of_those_that_are_there(polygon, stray: int) -> None:
    fewer = fewer_vertices(polygon, stray)
    assert 3 <= len(fewer) <= len(polygon)
    places = iter(polygon)
    assert all(point in places for point in fewer), "in their order"
    ring = shapely.LinearRing(fewer)
    assert all(ring.distance(shapely.Point(point)) <= stray + 1e-9 for point in polygon)


def test_thinning_keeps_the_ends() -> None:
    path = ((0, 0), (5, 1), (10, 0), (20, 30))
    assert thinned(path, 2) == ((0, 0), (10, 0), (20, 30))
    assert thinned(path[:2], 50) == path[:2]
    assert thinned((), 2) == ()
    assert fewer_vertices((), 3) == ()
    assert cut((), ((0, 0), (1, 1))) == ([], [])
