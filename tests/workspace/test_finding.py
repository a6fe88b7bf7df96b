"""Finding and replacing over the texts of a kit."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.workspace.finding import Found, find, following, replaced

TEXTS = ["The bridge. the Bridge", "", "a.b a+b", "bridges"]


def test_words_are_found_as_they_are_written() -> None:
    assert find(TEXTS, "bridge") == (Found(0, 4, 10), Found(3, 0, 6))
    assert len(find(TEXTS, "bridge", case=False)) == 3
    assert find(TEXTS, "a.b") == (Found(2, 0, 3),), "no pattern: a full stop is one"
    assert find(TEXTS, "") == ()


def test_the_next_place_is_the_one_behind_the_caret_and_then_the_first() -> None:
    places = find(TEXTS, "bridge", case=False)
    assert following(places, 0, 0) == places[0]
    assert following(places, 0, 10) == places[1]
    assert following(places, 1, 0) == places[2]
    assert following(places, 3, 6) == places[0]
    assert following((), 0, 0) is None


def test_replacing_takes_new_words_as_they_are() -> None:
    assert replaced(TEXTS, "bridge", r"\1", case=False) == (
        {0: r"The \1. the \1", 3: r"\1s"},
        3,
    )
    assert replaced(TEXTS, "bridge", "bridge") == ({}, 0)
    assert replaced(TEXTS, "", "x") == ({}, 0)


@pytest.mark.parametrize(
    ("text", "words", "starts"),
    [
        ("other the bathe the", "the", [6, 16]),
        ("the the_ the9 thé the\u0301 the-end (the)", "the", [0, 23, 32]),
        ("can't can can’t 'can'", "can", [6, 17]),
        ("كتاب الكتاب كتابٌ كتاب، وكتاب", "كتاب", [0, 18]),
        ("می\u200cروم روم", "روم", [7]),
        ("U.S. and XU.S.", "U.S.", [0]),
        ("x a a a", "a a", [2]),
        ("ba a a", "a a", [3]),
        ("𝒜b 𝒜", "𝒜", [3]),
        ("12 112 12", "12", [0, 7]),
        ("one, two", ", ", [3]),
    ],
)
def test_whole_words_are_not_within_longer_ones(text: str, words: str, starts: list[int]) -> None:
    assert [one.start for one in find([text], words, whole=True)] == starts


def test_whole_words_are_replaced_and_no_others() -> None:
    texts = ["The other the", "bathe"]
    assert replaced(texts, "the", "a", case=False, whole=True) == ({0: "a other a"}, 2)


@given(st.text("ab c"), st.text("ab c", min_size=1, max_size=3))
def test_whole_words_of_plain_letters_are_those_of_the_usual_boundary(
    text: str, words: str
) -> None:
    sides = [r"\b" if letter != " " else "" for letter in (words[0], words[-1])]
    usual = re.compile(f"(?={sides[0]}{re.escape(words)}{sides[1]})")
    found = [one.start for one in find([text], words, whole=True)]
    allowed = [match.start() for match in usual.finditer(text)]
    assert set(found) <= set(allowed)
    assert bool(found) == bool(allowed)


@given(st.lists(st.text("ab ")), st.text("ab ", min_size=1, max_size=2), st.text("cd", max_size=2))
def test_what_was_replaced_is_gone(texts: list[str], words: str, new: str) -> None:
    changed, count = replaced(texts, words, new)
    assert count == len(find(texts, words))
    assert set(changed) == {one.index for one in find(texts, words)}
    for index, text in enumerate(texts):
        assert changed.get(index, text) == text.replace(words, new)
