"""What is offered about problems of outlines, one or all of a kind."""

from __future__ import annotations

import pytest

from madcat_studio.edits.base import Outline
from madcat_studio.model.document import Document, Line, Page, Polygon, Word
from madcat_studio.model.geometry import crosses_itself, shape_of
from madcat_studio.operations.pages.mending import LABELS, offer_edit
from madcat_studio.pages.mending import OFFERS, polygon_of

LINES: tuple[Polygon, ...] = (
    ((10, 10), (490, 10), (490, 50), (10, 50)),
    ((10, 110), (490, 110), (490, 150), (10, 150)),
)


def box(left: float, top: float, right: float, bottom: float) -> Polygon:
    return ((right, top), (left, top), (left, bottom), (right, bottom))


def document(*words: Polygon) -> Document:
    first = Line("z1", polygon=LINES[0], words=[Word(f"w{n}", p) for n, p in enumerate(words)])
    second = Line("z2", polygon=LINES[1], words=[])
    return Document("D", pages=[Page("p", 500, 400, lines=[first, second])])


def mended(code: str, *words: Polygon) -> Document:
    made = document(*words)
    before = repr(made)
    edit = offer_edit(made, code, [Outline(0, 0, n) for n in range(len(words))])
    assert edit is not None
    assert edit.label == LABELS[code]
    _, back = edit.apply(made)
    after = repr(made)
    back.apply(made)
    assert repr(made) == before
    edit.apply(made)
    assert repr(made) == after
    return made


def test_each_offer_has_its_name() -> None:
    assert LABELS.keys() == OFFERS.keys()


@pytest.mark.parametrize("count", [1, 3])
def test_what_leaves_the_page_is_clipped_to_it(count: int) -> None:
    made = mended("polygon-outside-page", *[box(-20, -5 - n, 60, 30) for n in range(count)])
    for n in range(count):
        assert set(polygon_of(made, Outline(0, 0, n))) == set(box(0, 0, 60, 30))
    slanted = mended("polygon-outside-page", ((480, 0), (520, 40), (480, 40)))
    assert set(polygon_of(slanted, Outline(0, 0, 0))) == {(480, 0), (500, 20), (500, 40), (480, 40)}


def test_fractions_are_rounded_half_up() -> None:
    made = mended("point-fractional", ((10.5, 10.4), (30.2, 10), (30, 29.5)))
    assert polygon_of(made, Outline(0, 0, 0)) == ((11, 10), (30, 10), (30, 30))
    assert all(isinstance(x, int) for point in polygon_of(made, Outline(0, 0, 0)) for x in point)


BOW_TIE = ((0, 0), (100, 60), (100, 0), (0, 60))
SIX = ((0, 0), (50, 5), (100, 60), (100, 0), (50, 55), (0, 60))
SLIP = ((0, 0), (100, 0), (100, 50), (0, 50), (0, 20), (4, 24), (4, 20), (0, 24))


@pytest.mark.parametrize("outline", [BOW_TIE, SIX, SLIP])
def test_a_bow_tie_is_closed_and_keeps_its_area(outline: Polygon) -> None:
    made = mended("polygon-self-crossing", outline)
    closed = polygon_of(made, Outline(0, 0, 0))
    assert not crosses_itself(closed)
    kept = shape_of(closed).intersection(shape_of(outline)).area
    assert kept >= 0.97 * shape_of(outline).area
    if outline is BOW_TIE:
        assert set(closed) == set(BOW_TIE)


def test_words_are_given_to_the_line_that_they_lie_in_all_at_once_in_their_order() -> None:
    words = (box(400, 112, 460, 140), box(100, 112, 160, 140), box(250, 160, 300, 170))
    made = mended("word-outside-line", *words)
    first, second = made.pages[0].lines
    assert ([word.id for word in first.words], [word.id for word in second.words]) == (
        [],
        ["w0", "w2", "w1"],
    )


def test_a_word_whose_own_line_is_the_nearest_stays() -> None:
    made = document(box(100, 60, 160, 75))
    assert offer_edit(made, "word-outside-line", [Outline(0, 0, 0)]) is None


def test_nothing_is_offered_in_a_locked_line_nor_where_nothing_would_be_left() -> None:
    made = document(box(-20, -5, 60, 30))
    made.pages[0].lines[0].locked = True
    assert offer_edit(made, "polygon-outside-page", [Outline(0, 0, 0)]) is None
    away = document(box(600, 10, 660, 30))
    assert offer_edit(away, "polygon-outside-page", [Outline(0, 0, 0)]) is None
