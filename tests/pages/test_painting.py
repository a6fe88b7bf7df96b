"""An outline made larger or smaller by a brush stays one valid polygon with its own vertices."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.errors import InputError
from madcat_studio.model.geometry import bounding_box, brush, crosses_itself, ring_area, shape_of
from madcat_studio.pages.painting import Doubt, Painted, paint, settle_doubt

BOX = ((200, 0), (0, 0), (0, 100), (200, 100))
"""From the right-hand upper corner on, as outlines of Arabic are."""
ACROSS = ((100.0, -20.0), (100.0, 120.0))


def test_a_level_brush_adds_its_width() -> None:
    made = paint(BOX, ((190.0, 50.0), (240.0, 50.0)), 20, away=False)
    assert made.doubt is Doubt.NONE
    assert bounding_box(made.pieces[0]) == (0, 0, 250, 100)
    assert made.pieces[0][0] == (200, 0), "it begins where it began"
    assert [point for point in made.pieces[0] if point in BOX] == list(BOX), "and goes its way"
    assert ring_area(made.pieces[0]) == pytest.approx(20000 + 40 * 20 + 157, abs=12)


def test_nothing_is_added_outside_the_page() -> None:
    path = ((190.0, 50.0), (240.0, 50.0))
    made = paint(BOX, path, 20, away=False, within=(0, 0, 220, 400))
    assert bounding_box(made.pieces[0]) == (0, 0, 220, 100)


def test_a_brush_takes_a_notch_out() -> None:
    made = paint(BOX, ((100.0, -20.0), (100.0, 40.0)), 20, away=True)
    assert made.doubt is Doubt.NONE
    assert ring_area(made.pieces[0]) == pytest.approx(20000 - 40 * 20 - 157, abs=12)


def test_an_area_is_added_and_taken_away() -> None:
    corner = ((150.0, -50.0), (250.0, -50.0), (250.0, 50.0), (150.0, 50.0))
    assert ring_area(paint(BOX, corner, 0, away=False).pieces[0]) == 20000 + 10000 - 2500
    less = paint(BOX, corner, 0, away=True).pieces[0]
    assert less == ((0, 0), (0, 100), (200, 100), (200, 50), (150, 50), (150, 0))


def test_a_stroke_beside_it_or_within_it_changes_nothing() -> None:
    assert paint(BOX, ((50.0, 50.0), (60.0, 50.0)), 8, away=False).pieces == (BOX,)
    assert paint(BOX, ((500.0, 50.0), (600.0, 50.0)), 8, away=True).pieces == (BOX,)


def test_pieces_are_told_and_joined_or_left() -> None:
    made = paint(BOX, ((120.0, -20.0), (120.0, 120.0)), 20, away=True)
    assert made.doubt is Doubt.PIECES
    assert [bounding_box(piece) for piece in made.pieces] == [
        (0, 0, 110, 100),
        (130, 0, 200, 100),
    ]
    assert bounding_box(settle_doubt(BOX, made, whole=False)) == (0, 0, 110, 100)
    both = settle_doubt(BOX, made, whole=True)
    assert bounding_box(both) == (0, 0, 200, 100)
    assert ring_area(both) == pytest.approx(11000 + 7000 + 20 * 2, abs=4)
    assert not crosses_itself(both)


def test_a_hole_is_opened_or_left_filled() -> None:
    made = paint(BOX, ((100.0, 50.0),), 40, away=True)
    assert made.doubt is Doubt.HOLE
    assert settle_doubt(BOX, made, whole=False) == BOX
    slit = settle_doubt(BOX, made, whole=True)
    assert ring_area(slit) == pytest.approx(20000 - 1215 - 30 * 4, abs=40)
    assert not crosses_itself(slit)


def test_what_an_added_stroke_goes_round_is_added() -> None:
    around = ((200.0, 10.0), (260.0, 10.0), (260.0, 90.0), (200.0, 90.0))
    made = paint(BOX, around, 12, away=False)
    assert made.doubt is Doubt.NONE
    assert shape_of(made.pieces[0]).covers(shape_of(((210, 20), (250, 20), (250, 80), (210, 80))))


def test_all_of_it_is_not_taken_away() -> None:
    with pytest.raises(InputError) as caught:
        paint(BOX, ((0.0, 50.0), (200.0, 50.0)), 128, away=True)
    assert caught.value.code == "paint.nothing-left"


POINTS = st.tuples(st.integers(-40, 240), st.integers(-40, 140))


@pytest.mark.long
@given(
    st.lists(POINTS, min_size=1, max_size=8), st.sampled_from([0, 4, 16, 48]), st.booleans(),
    st.booleans(),
)  # fmt: skip
def test_whatever_is_painted_one_valid_polygon_comes_of_it(
    path: list[tuple[int, int]], width: int, away: bool, whole: bool
) -> None:
    strokes = tuple((float(x), float(y)) for x, y in path)
    if away and brush(strokes, width).covers(shape_of(BOX).buffer(-1)):
        return
    made: Painted = paint(BOX, strokes, width, away=away)
    one = made.pieces[0]
    if made.doubt is not Doubt.NONE:
        one = settle_doubt(BOX, made, whole=whole)
    assert len(one) >= 3
    assert shape_of(one).is_valid
    assert shape_of(one).geom_type == "Polygon"
    assert all(isinstance(x, int) and isinstance(y, int) for x, y in one)
    if whole and away:
        assert ring_area(one) <= ring_area(BOX)
    if not away:
        assert shape_of(one).buffer(1.5).covers(shape_of(BOX))
