"""Texts of two directions among the lines of a page: where they break, and how each is read."""

from __future__ import annotations

import numpy as np
import pytest

from madcat_studio.images.ink import Ink, Pieces
from madcat_studio.pages.direction import in_line_order
from madcat_studio.pages.letters import letter_width
from madcat_studio.pages.lines_of_text import lines_of_text
from madcat_studio.pages.writing import Part, Writing

LETTER, GAP = 10.0, 9.0
A = ["كتاب", "مدرسة", "سفينة", "نهر", "مستقبل"]
L = ["grandmother", "was", "kitchen", "to", "beside"]


def page(*lines: list[str], right_to_left: bool = True) -> Writing:
    """A page whose words stand as they are listed, from the side where lines begin."""
    parts = []
    for number, words in enumerate(lines):
        at = 0.0
        for text in words:
            wide = letter_width(text) * LETTER
            span = (-at - wide, -at) if right_to_left else (at, at + wide)
            box = (0, 40 * number, round(wide), 40 * number + 20)
            parts.append(Part(number, (), box, span))
            at += wide + GAP
    ink = Ink(np.zeros((1, 1), dtype=np.bool_), 1, 200.0)
    nothing = np.zeros(0, dtype=np.int64)
    pieces = Pieces.of(nothing, nothing, nothing)
    slopes = tuple(0.0 for _ in lines)
    return Writing(ink, pieces, tuple(parts), slopes, 20.0, right_to_left=right_to_left)


def test_a_stretch_of_the_other_direction_goes_on_over_the_end_of_a_line() -> None:
    """Its words stand in their own order within each line."""
    lines = [[A[0], A[1], L[1], L[0]], [L[4], L[3], L[2], A[2], A[3]]]
    text = [A[0], A[1], L[0], L[1], L[2], L[3], L[4], A[2], A[3]]
    found = lines_of_text(page(*lines), text)
    assert [text[number] for number in found.order] == [*lines[0], *lines[1]]
    assert found.doubtful == frozenset()


def test_a_line_goes_with_the_page_where_most_of_its_letters_do_not() -> None:
    line = [A[3], L[1], L[0], A[0], L[4], L[2]]
    text = [A[3], L[0], L[1], A[0], L[2], L[4]]
    found = lines_of_text(page(A, line, A[::-1]), [*A, *text, *A[::-1]])
    order = [[*A, *text, *A[::-1]][number] for number in found.order]
    assert order[5:11] == line


def test_words_of_a_text_from_left_to_right_stand_the_other_way_round() -> None:
    lines = [[L[0], L[1], A[1], A[0], L[2]], [L[3], L[4], A[4]]]
    text = [L[0], L[1], A[0], A[1], L[2], L[3], L[4], A[4]]
    found = lines_of_text(page(*lines, right_to_left=False), text)
    assert [text[number] for number in found.order] == [*lines[0], *lines[1]]


def test_where_two_orders_are_as_good_the_line_is_in_doubt() -> None:
    alike = ["beside", "behind", "before"]
    lines = [[A[0], A[1], A[2]], alike[::-1], [A[3], A[4], A[0]]]
    text = [*A[:3], *alike, A[3], A[4], A[0]]
    found = lines_of_text(page(*lines), text)
    assert found.doubtful == frozenset()  # a whole line of them can stand in one way only
    mixed = [[A[0], "beside", A[1], A[2]], [A[3], A[4]]]
    text = [A[0], "beside", A[1], A[2], A[3], A[4]]
    assert lines_of_text(page(*mixed), text).order == list(range(6))
    # Read from the left or from the right, four words of one width cost the same.
    even = ["نهر", "نهر", "to", "to"]
    found = lines_of_text(page(even, A), [*even, *A])
    assert 0 in found.doubtful
    assert 1 not in found.doubtful


def test_what_goes_on_on_another_page_stays_behind() -> None:
    lines = [[A[0], A[1], L[1], L[0]], [A[2], A[3], A[4]]]
    text = [A[0], A[1], L[0], L[1], A[2], A[3], A[4]]
    rest = [*A, *L]
    found = lines_of_text(page(*lines), [*text, *rest], open_end=True)
    assert [[*text, *rest][number] for number in found.order[:7]] == [*lines[0], *lines[1]]
    assert found.order[7:] == list(range(7, 17))


@pytest.mark.parametrize("base", [True, False])
def test_a_line_of_one_direction_is_read_the_same_whatever_the_page_says(base: bool) -> None:
    assert in_line_order(L, from_right=True, base=base) == [4, 3, 2, 1, 0]
    assert in_line_order(A, from_right=True, base=base) == [0, 1, 2, 3, 4]
