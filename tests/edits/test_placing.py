"""Where a new outline belongs: in which line, and at which place, by value."""

from __future__ import annotations

import pytest

from madcat_studio.edits.placing import InsertionPoint, line_place, place_for, word_place
from madcat_studio.model.document import Line, Page, Polygon, Word


def box(left: float, top: float, right: float, bottom: float) -> Polygon:
    return ((right, top), (left, top), (left, bottom), (right, bottom))


def line(top: float, *words: tuple[float, float], left: float = 100, right: float = 900) -> Line:
    """A line 40 high with words 30 high, each from one x to another."""
    made = [Word(f"t{x}", box(x, top + 5, to, top + 35)) for x, to in words]
    return Line("z", "line", box(left, top, right, top + 40), made)


def test_an_insertion_point_is_the_start_of_a_line_that_is_there() -> None:
    assert InsertionPoint(3) == InsertionPoint(3, 0, False)


@pytest.mark.parametrize(
    ("across", "place"),
    [
        ((850, 890), 0),
        ((710, 790), 1),
        ((510, 590), 2),
        ((310, 390), 3),
        ((110, 190), 4),
        # A middle that is the same as a word's is not to its left: it comes before it.
        ((600, 700), 1),
    ],
)
def test_a_word_comes_behind_the_last_to_its_right(across: tuple[float, float], place: int) -> None:
    words = line(0, (800, 840), (600, 700), (400, 500), (200, 300)).words
    assert word_place(words, box(across[0], 5, across[1], 35)) == place


def test_a_word_out_of_order_is_passed_by_all_the_same() -> None:
    # The last that lies to the right decides, whatever stands before it.
    words = line(0, (200, 300), (600, 700), (100, 150)).words
    assert word_place(words, box(400, 5, 500, 35)) == 2
    words.append(Word("t", ()))
    assert word_place(words, box(400, 5, 500, 35)) == 2
    assert word_place([], box(400, 5, 500, 35)) == 0


@pytest.mark.parametrize(
    ("top", "place"), [(-60, 0), (60, 1), (99, 1), (101, 2), (160, 2), (199, 2), (200, 3), (260, 3)]
)
def test_a_line_comes_before_the_first_that_lies_below_it(top: float, place: int) -> None:
    """Middles lie at 20, 120 and, by its words alone, at 220."""
    bare = line(200, (300, 400), (100, 200))
    bare.words[0].polygon = box(300, 175, 400, 205)
    bare.words[1].polygon = box(100, 235, 200, 265)
    bare.polygon = ()
    page = Page("p", lines=[line(0), line(100), bare])
    assert line_place(page, box(0, top, 50, top + 40)) == place


def test_a_line_that_stands_nowhere_is_below_nothing() -> None:
    page = Page("p", lines=[Line("a"), Line("b", words=[Word("t", ())]), line(100)])
    assert line_place(page, box(0, 0, 50, 40)) == 2
    assert line_place(page, box(0, 300, 50, 340)) == 3
    assert line_place(Page("p"), box(0, 0, 50, 40)) == 0


@pytest.mark.parametrize(
    ("top", "bottom", "found"),
    [
        (105, 135, True),
        # Of words 30 high, 12 in common are not more than four tenths; 13 are.
        (123, 153, False),
        (122, 152, True),
        (87, 117, False),
        (88, 118, True),
        # The lower of the two counts: a dot of 10 with 5 in common, a tall word with all.
        (130, 140, True),
        (132, 142, False),
        (0, 400, True),
        # Without a height it must touch.
        (120, 120, True),
        (137, 137, False),
        # Less than a pixel high, and a fifth of it in common.
        (134.8, 135.8, False),
    ],
)
def test_a_word_belongs_to_the_line_whose_nearest_word_stands_at_its_height(
    top: float, bottom: float, found: bool
) -> None:
    page = Page("p", lines=[line(100, (600, 700), (300, 400))])
    place = place_for(page, box(450, top, 550, bottom))
    assert place == (
        InsertionPoint(0, 1)
        if found
        else InsertionPoint(line_place(page, box(450, top, 550, bottom)), new=True)
    )


def test_the_nearest_word_decides_where_a_line_slants() -> None:
    slanted = line(100, (800, 900), (450, 550), (100, 200))
    for word, top in zip(slanted.words, (100, 160, 220), strict=True):
        left, right = word.polygon[1][0], word.polygon[0][0]
        word.polygon = box(left, top, right, top + 30)
    slanted.polygon = box(100, 100, 900, 250)
    page = Page("p", lines=[slanted])
    assert place_for(page, box(210, 220, 300, 250)) == InsertionPoint(0, 2)
    assert place_for(page, box(700, 100, 790, 130)) == InsertionPoint(0, 1)
    assert place_for(page, box(555, 160, 645, 190)) == InsertionPoint(0, 1)
    # There it would be in the line by the height of the other end.
    assert place_for(page, box(210, 100, 300, 130)).new
    assert place_for(page, box(700, 220, 790, 250)).new
    # A word without an outline is nobody's neighbour.
    slanted.words.insert(1, Word("t", ()))
    assert place_for(page, box(210, 220, 300, 250)) == InsertionPoint(0, 3)


def test_of_several_lines_one_that_reaches_over_it_and_then_the_most_common_height() -> None:
    right, left = line(100, (700, 800), left=600), line(100, (200, 300), right=500)
    page = Page("p", lines=[right, left])
    assert place_for(page, box(650, 105, 690, 135)) == InsertionPoint(0, 1)
    assert place_for(page, box(400, 105, 440, 135)) == InsertionPoint(1, 0)
    # Past the ends of both: the first of equals, though it only touches one of them.
    assert place_for(page, box(900, 105, 950, 135)) == InsertionPoint(0, 0)
    assert place_for(page, box(510, 105, 590, 135)) == InsertionPoint(0, 1)
    # Beside both, the one with more in common; over one, that one though it has less.
    left.words[0].polygon = box(200, 110, 300, 140)
    assert place_for(page, box(510, 108, 590, 140)) == InsertionPoint(1, 0)
    assert place_for(page, box(560, 108, 640, 140)) == InsertionPoint(0, 1)
    assert place_for(page, box(500, 105, 600, 135)) == InsertionPoint(0, 1), "edges do not reach"


def test_a_line_without_words_is_its_own_neighbour() -> None:
    page = Page("p", lines=[line(100), line(200)])
    assert place_for(page, box(450, 80, 550, 121)) == InsertionPoint(0, 0)
    assert place_for(page, box(450, 205, 550, 235)) == InsertionPoint(1, 0)
    # Its middle must lie in the line.
    assert place_for(page, box(450, 130, 550, 160)) == InsertionPoint(1, new=True)
    assert place_for(page, box(40, 105, 90, 135)) == InsertionPoint(1, new=True)
    # The middle across, where the line has an edge in between.
    assert place_for(page, box(800, 105, 990, 135)) == InsertionPoint(0, 0)
    assert place_for(page, box(820, 105, 990, 135)) == InsertionPoint(1, new=True)


def test_a_line_whose_outline_lies_elsewhere_is_not_asked() -> None:
    away = line(100, (600, 700))
    away.polygon = box(100, 300, 900, 340)
    page = Page("p", lines=[away])
    assert place_for(page, box(450, 105, 550, 135)) == InsertionPoint(0, new=True)
    for top in (65, 135):
        # Where the outlines touch, it is.
        away.polygon = box(100, top, 900, top + 40)
        assert place_for(page, box(450, 105, 550, 135)) == InsertionPoint(0, 1)
    away.polygon = ()
    assert place_for(page, box(450, 105, 550, 135)) == InsertionPoint(0, 1)


def test_no_outline_is_a_new_line_at_the_end() -> None:
    assert place_for(Page("p", lines=[line(0), line(100)]), ()) == InsertionPoint(2, new=True)
