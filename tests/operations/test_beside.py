"""Which words of output and reference stand for those at a place of the text."""

from __future__ import annotations

import pytest

from madcat_studio.operations.scores.alignments import align
from madcat_studio.operations.scores.beside import Output, Reference, words_at
from madcat_ter.options import TerOptions

OUTPUT = "The mayor opened on Monday the new bridge."
TEXT = "The mayor opened the very new bridge on Monday."


def in_output(output: str, text: str, start: int, end: int | None = None) -> tuple[list[str], bool]:
    found = Output().beside(align(output, text, TerOptions())).at(start, end or start)
    return [output[low:high] for low, high in found.places], found.exact


def in_reference(reference: str, text: str, words: str) -> tuple[list[str], bool]:
    start = text.index(words)
    pairs = Reference(reference, TerOptions()).beside(align("x", text, TerOptions()))
    found = pairs.at(start, start + len(words))
    return [reference[low:high] for low, high in found.places], found.exact


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("mayor", ["mayor"]),
        ("Monday", ["Monday"]),  # moved
        ("the very new", ["the", "new"]),
        ("new bridge on", ["on", "new", "bridge"]),  # in the order of the output
    ],
)
def test_the_words_of_the_output_are_those_that_the_score_pairs(words, found) -> None:
    start = TEXT.index(words)
    assert in_output(OUTPUT, TEXT, start, start + len(words)) == (found, True)


def test_a_word_that_was_added_has_its_place_between_its_neighbours() -> None:
    assert in_output(OUTPUT, TEXT, TEXT.index("very") + 1) == (["the", "new"], False)
    assert in_output("b c", "a b c", 0) == (["b"], False)
    assert in_output("a b", "a b c", 5) == (["b"], False)


def test_a_word_that_was_put_for_another_stands_for_it() -> None:
    assert in_output("He said no.", "He told no.", 4) == (["said"], True)


def test_nothing_stands_for_nothing() -> None:
    assert in_output("a b", "", 0) == ([], False)
    assert in_output("", "a b", 1) == ([], False)


@pytest.mark.parametrize(
    ("start", "end", "number"),
    [
        (0, 0, 0),
        (5, 5, 1),  # behind "flood" and before the full stop: what was typed last
        (6, 6, 1),
        (7, 7, 1),  # between blanks: the word before
        (8, 8, 2),
        (4, 9, None),
    ],
)
def test_the_word_at_the_caret_is_the_one_that_was_typed_last(start, end, number) -> None:
    spans = [(0, 3), (3, 6), (8, 10)]
    expected = range(1, 3) if number is None else range(number, number + 1)
    if (start, end) == (0, 0):
        expected = range(1)
    assert words_at(spans, start, end) == expected


def test_before_the_first_word_it_is_the_first() -> None:
    assert words_at([None, (2, 4)], 0, 0) == range(1, 2)
    assert words_at([], 0, 0) == range(0)
    assert words_at([(0, 2), (4, 6)], 2, 4) == range(1)  # only blanks are selected


REFERENCE = "On Monday the mayor opened the new bridge over the river."


@pytest.mark.parametrize(
    ("words", "found", "exact"),
    [
        ("bridge", ["bridge"], True),
        ("Monday", ["Monday"], True),  # the only one there, in another place
        ("boss", ["mayor"], True),
        ("brand", ["the", "new"], False),
        ("bridge.", ["bridge", "."], True),
    ],
)
def test_words_of_the_reference_are_found_in_order_or_as_the_only_one(words, found, exact) -> None:
    text = "On Wednesday the boss opened the brand new bridge. It was Monday"
    assert in_reference(REFERENCE, text, words) == (found, exact)


def test_a_word_that_is_there_twice_is_not_taken_for_one_that_was_moved() -> None:
    found, _ = in_reference("the a b c", "a b c the the", "the the")
    assert found == ["c"]
