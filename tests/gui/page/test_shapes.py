from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.gui.page.shapes import (
    OutlineKind,
    PageShapes,
    Part,
    ShapeKey,
    ShapeSet,
    Target,
    find_target,
)
from madcat_studio.model.document import Line, Page, Word

SQUARE = ((10, 10), (50, 10), (50, 50), (10, 50))
INNER = ((20, 20), (30, 20), (30, 30), (20, 30))
BOTH = {OutlineKind.LINE: True, OutlineKind.WORD: True}

points = st.tuples(st.integers(-50, 150), st.integers(-50, 150))
polygons = st.lists(st.lists(points, max_size=7).map(tuple), max_size=12)


@pytest.fixture
def shapes() -> PageShapes:
    lines = [
        Line("z0", polygon=SQUARE, words=[Word("t0", INNER)]),
        Line("z1", polygon=()),
        Line("z2", polygon=((60, 60), (90, 60)), words=[Word("t1"), Word("t2", SQUARE)]),
    ]
    return PageShapes(Page("p", 100, 100, lines=lines))


def find(shapes: PageShapes, x: float, y: float, **more: object) -> Target | None:
    return find_target(shapes, x, y, **{"scale": 1.0, "shown": BOTH, **more})


def test_the_smallest_outline_wins(shapes: PageShapes) -> None:
    assert find(shapes, 25, 25) == Target(Part.BODY, ShapeKey(0, 0))
    assert find(shapes, 15, 40) == Target(Part.BODY, ShapeKey(2, 1))
    assert find(shapes, 99, 99) is None


def test_clicking_through_goes_round(shapes: PageShapes) -> None:
    beneath = find(shapes, 25, 25, beneath=ShapeKey(0, 0))
    assert beneath == Target(Part.BODY, ShapeKey(2, 1))
    assert beneath is not None
    last = find(shapes, 25, 25, beneath=beneath.key)
    assert last == Target(Part.BODY, ShapeKey(0))
    assert last is not None
    assert find(shapes, 25, 25, beneath=last.key) == Target(Part.BODY, ShapeKey(0, 0))


def test_vertex_before_edge_before_body(shapes: PageShapes) -> None:
    line = ShapeKey(0)
    assert find(shapes, 12, 11, editing=line) == Target(Part.VERTEX, line, 0)
    assert find(shapes, 31, 11, editing=line) == Target(Part.EDGE, line, 0)
    assert find(shapes, 11, 31, editing=line) == Target(Part.EDGE, line, 3)
    assert find(shapes, 25, 25, editing=line) == Target(Part.BODY, ShapeKey(0, 0))


def test_the_grip_is_as_large_at_every_zoom(shapes: PageShapes) -> None:
    line = ShapeKey(0)
    assert find(shapes, 16, 10, editing=line, scale=1.0) == Target(Part.VERTEX, line, 0)
    assert find(shapes, 16, 10, editing=line, scale=4.0) == Target(Part.EDGE, line, 0)


def test_hidden_layers_are_not_met(shapes: PageShapes) -> None:
    only_lines = {OutlineKind.LINE: True, OutlineKind.WORD: False}
    assert find(shapes, 25, 25, shown=only_lines) == Target(Part.BODY, ShapeKey(0))


def test_an_outline_of_two_points_can_be_taken_at_its_line(shapes: PageShapes) -> None:
    assert find(shapes, 75, 64) == Target(Part.BODY, ShapeKey(2))
    assert find(shapes, 75, 75) is None


def test_a_bow_tie_has_two_insides() -> None:
    tie = ((0, 0), (40, 40), (40, 0), (0, 40))
    shapes = PageShapes(Page("p", 50, 50, lines=[Line("z0", polygon=tie)]))
    assert find(shapes, 5, 20) == Target(Part.BODY, ShapeKey(0))
    assert find(shapes, 35, 20) == Target(Part.BODY, ShapeKey(0))
    assert find(shapes, 20, 3) is None


def test_keys_and_places_belong_together(shapes: PageShapes) -> None:
    keys = [ShapeKey(0, 0), ShapeKey(2, 0), ShapeKey(2, 1)]
    assert [shapes.key(OutlineKind.WORD, n) for n in range(3)] == keys
    assert [shapes.index(key) for key in keys] == [0, 1, 2]
    assert [key in shapes for key in (*keys, ShapeKey(1, 0), ShapeKey(3), ShapeKey(2, 2))] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]


@pytest.mark.long
@given(polygons, st.data())
def test_replacing_is_the_same_as_building_anew(outlines: list, data: st.DataObject) -> None:
    made = ShapeSet(outlines)
    if outlines:
        place = data.draw(st.integers(0, len(outlines) - 1))
        outlines[place] = data.draw(st.lists(points, max_size=7).map(tuple))
        made.replace(place, outlines[place])
    fresh = ShapeSet(outlines)
    assert np.array_equal(made.xy, fresh.xy)
    assert np.array_equal(made.offsets, fresh.offsets)
    assert np.array_equal(made.boxes, fresh.boxes)


@pytest.mark.long
@given(polygons, points)
def test_what_contains_a_point_meets_its_rectangle(outlines: list, point: tuple) -> None:
    made = ShapeSet(outlines)
    x, y = point
    assert set(made.at(x, y)) <= set(made.meeting(x, y, x, y).tolist())


def test_a_page_without_a_size_is_as_large_as_its_outlines(shapes: PageShapes) -> None:
    assert (shapes.width, shapes.height) == (100, 100)
    lines = [Line("z0", polygon=SQUARE), Line("z1", polygon=((-30, 5), (200, 40), (7, 300)))]
    unknown = PageShapes(Page("p", None, None, lines=lines))
    assert (unknown.width, unknown.height) == (210, 315)
    empty = PageShapes(Page("p", None, None))
    assert (empty.width, empty.height) == (0, 0)
