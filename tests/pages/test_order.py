from __future__ import annotations

import random

import pytest

from madcat_studio.model.document import Line, Page, Polygon, Word
from madcat_studio.pages.order import line_order, word_order


def box(left: float, top: float, right: float, bottom: float) -> Polygon:
    return ((right, top), (left, top), (left, bottom), (right, bottom))


def page(*boxes: Polygon) -> Page:
    return Page("p", 1000, 1000, lines=[Line(str(n), polygon=each) for n, each in enumerate(boxes)])


def shuffled(made: Page, seed: int) -> list[str | None]:
    """The lines by name as they are read, from a page whose lines were shuffled."""
    random.Random(seed).shuffle(made.lines)
    return [made.lines[n].id for n in line_order(made)]


@pytest.mark.parametrize("seed", range(4))
def test_one_column_is_read_from_the_top(seed: int) -> None:
    boxes = [box(100 + n * 3, 60 * n, 900 - n * 7, 60 * n + 70) for n in range(9)]
    assert shuffled(page(*boxes), seed) == [str(n) for n in range(9)]


@pytest.mark.parametrize("seed", range(4))
def test_of_two_columns_the_right_one_is_read_first(seed: int) -> None:
    heading = box(50, 0, 950, 50)
    right = [box(520, 100 + 60 * n, 950, 150 + 60 * n) for n in range(5)]
    left = [box(50, 90 + 70 * n, 480, 140 + 70 * n) for n in range(4)]
    foot = box(60, 500, 940, 550)
    made = page(heading, *right, *left, foot)
    assert shuffled(made, seed) == [str(n) for n in range(11)]


@pytest.mark.parametrize("seed", range(3))
def test_slanted_lines_and_notes_at_the_side(seed: int) -> None:
    slanted = [
        ((900, 100 * n), (100, 100 * n + 80), (100, 100 * n + 140), (900, 100 * n + 60))
        for n in range(4)
    ]
    made = page(*slanted)
    assert shuffled(made, seed) == ["0", "1", "2", "3"]


def test_what_has_no_outline_comes_last() -> None:
    made = page(box(0, 100, 9, 110), (), box(0, 0, 9, 10))
    assert line_order(made) == [2, 0, 1]
    made.lines[1].words = [Word("w", box(0, 50, 9, 60))]
    assert line_order(made) == [2, 1, 0]
    assert line_order(Page("p")) == []


def test_words_are_read_along_the_line() -> None:
    level = [Word(str(n), box(900 - 100 * n, n % 2 * 30, 980 - 100 * n, 60)) for n in range(8)]
    steep = [Word(str(n), box(900 - 60 * n, 55 * n, 1000 - 60 * n, 55 * n + 50)) for n in range(8)]
    for words in (level, steep, level[:2], level[:1], []):
        order = list(range(len(words)))
        random.Random(3).shuffle(order)
        line = Line("z", words=[words[n] for n in order])
        assert [line.words[n].id for n in word_order(line)] == [word.id for word in words]
    assert word_order(Line("z", words=[Word("a"), *level[:2]])) == [1, 2, 0]
