"""Changes of an alignment in the texts as they were written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.scoring.changes import Alignment, Splice, carried, counterpart, places
from madcat_studio.scoring.columns import ColumnKind, columns
from madcat_ter.options import TerOptions
from madcat_ter.ter import ter


def aligned(output: str, text: str, **options: bool) -> Alignment:
    return Alignment(output, text, columns(ter(output, [text], TerOptions(**options))))


def undone(alignment: Alignment, number: int) -> str:
    text = alignment.text
    for splice in alignment.reverted(number):
        text = splice.apply(text)
    return text


def column_of(alignment: Alignment, word: str) -> int:
    return next(
        number
        for number, column in enumerate(alignment.columns)
        if word in (column.text, column.output)
    )


def test_words_are_found_in_the_text_that_they_came_from() -> None:
    text = 'He said: "No," and left (late).'
    words = ["He", "said", ":", '"', "No", ",", '"', "and", "left", "(", "late", ")", "."]
    found = places(text, words)
    assert [text[span[0] : span[1]] for span in found if span] == words
    assert places("A &quot;b&quot;", ["A", '"', "b", '"']) == ((0, 1), (2, 8), (8, 9), (9, 15))
    assert places("Größe ẞ", ["größe", "ẞ"])[0] == (0, 5)
    assert places("short", ["other"]) == (None,)


def test_punctuation_is_joined_where_the_text_joined_it() -> None:
    alignment = aligned("a, b", "a, (b)")
    joined = [column.text for column in alignment.columns if alignment.joined(column)]
    assert joined == [",", "b", ")"]


@pytest.mark.parametrize(
    ("output", "text", "word", "expected"),
    [
        ("the old man", "the young man", "young", "the old man"),
        ("the very old man", "the man", "very", "the very old man"),
        ("the man", "the very old man", "old", "the man"),
        ("a man came", "man came", "a", "a man came"),
        ("he left", "he left early.", "early", "he left"),
        ("he left , early", "he left early", ",", "he left , early"),
        ("he left, early", "he left early", ",", "he left, early"),
        ("he left now.", "he left.", "now", "he left now."),
        ("x b c d e", "y b c d z", "y", "x b c d z"),
        ("one two", "", "one", "one two"),
    ],
)
def test_one_change_is_taken_back(output: str, text: str, word: str, expected: str) -> None:
    alignment = aligned(output, text)
    assert undone(alignment, column_of(alignment, word)) == expected


def test_words_that_moved_go_back() -> None:
    output, text = (
        "The mayor opened on Monday the bridge.",
        "The mayor opened the bridge on Monday.",
    )
    alignment = aligned(output, text)
    number = next(
        number
        for number, column in enumerate(alignment.columns)
        if column.shift and column.kind is ColumnKind.MATCH
    )
    assert undone(alignment, number) == output
    origin = next(n for n, one in enumerate(alignment.columns) if one.kind is ColumnKind.ORIGIN)
    assert undone(alignment, origin) == output
    assert alignment.moved(1) in ("on Monday", "the bridge")


def test_the_change_at_the_caret_is_found() -> None:
    alignment = aligned("the old man came", "the young man")
    assert alignment.change_at(5) == column_of(alignment, "young")
    assert alignment.change_at(1) is None
    assert alignment.change_at(len("the young man")) == column_of(alignment, "came")


words = st.lists(st.sampled_from(["a", "b", "cd", "e,", "(f)"]), max_size=9).map(" ".join)


@given(words, words)
def test_taking_back_change_after_change_leads_to_the_output(output: str, text: str) -> None:

    for _ in range(40):
        result = ter(output, [text])
        alignment = Alignment(output, text, columns(result))
        assert [alignment.place(one) is not None for one in alignment.columns if one.text] == [
            True
        ] * len(result.reference_words)
        edits = [n for n, one in enumerate(alignment.columns) if one.kind.value in _EDIT_KINDS]
        if not edits:
            break
        changed = undone(alignment, edits[0])
        assert changed != text
        text = changed
    assert not edits


_EDIT_KINDS = {"substitution", "insertion", "deletion"}


@given(st.text("ab ", max_size=12), st.text("ab ", max_size=12), st.data())
def test_a_change_is_carried_only_over_what_stayed(old: str, new: str, data) -> None:
    start = data.draw(st.integers(0, len(old)))
    end = data.draw(st.integers(start, len(old)))
    found = carried(Splice(start, end, "X"), old, new)
    if found is not None:
        assert new[found.start : found.end] == old[start:end]
    assert carried(Splice(start, end, "X"), old, old) == Splice(start, end, "X")


def test_the_places_of_the_changes() -> None:
    text = "Our mayor opened the bridge, it was said."
    alignment = aligned("The mayor opened the bridge.", text)
    found = [text[start:end] for start, end in alignment.change_places()]
    assert found == ["Our", ", it was said"]
    assert aligned("a b c d e f", "a d e f").change_places() == ((1, 1),), "behind the word before"
    moved = aligned("d e f g h a b c", "a b c d e f g h")
    assert moved.change_places()[0] == (0, 5)
    assert aligned(text, text).change_places() == ()


@given(st.lists(st.sampled_from("abcd"), max_size=8), st.lists(st.sampled_from("abcd"), max_size=8))
def test_every_change_has_a_place_and_is_found_there(output: list[str], text: list[str]) -> None:
    alignment = aligned(" ".join(output), " ".join(text))
    found = alignment.change_places()
    assert bool(found) == any(
        one.kind is not ColumnKind.MATCH or one.shift for one in alignment.columns
    )
    assert all(0 <= start <= end <= len(alignment.text) for start, end in found)


def test_a_place_in_another_text() -> None:
    assert counterpart("the big bridge", "the bridge", 0) == 0
    assert counterpart("the big bridge", "the bridge", 14) == 10
    assert counterpart("the big bridge", "the bridge", 6) is None
    assert counterpart("same", "same", 2) == 2
