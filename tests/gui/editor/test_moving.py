"""Moving words by key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.gui.editor.moving import moved, moved_to
from madcat_studio.gui.editor.positions import from_qt, to_qt
from madcat_studio.operations.scores.alignments import scored_words
from madcat_studio.scoring.options import TerOptions
from madcat_studio.scoring.ter import ter


@pytest.mark.parametrize(
    ("text", "caret", "anchor", "direction", "expected"),
    [
        ("a b c", 0, 0, 1, ("b a c", 2, 2)),
        ("a b c", 5, 5, -1, ("a c b", 3, 3)),
        ("a b c d", 0, 3, 1, ("c a b d", 5, 2)),
        ("a  b", 0, 0, 1, ("b  a", 3, 3)),
        ("a b", 0, 0, -1, None),
        ("a b", 3, 3, 1, None),
        ("", 0, 0, 1, None),
        ("   ", 1, 1, 1, None),
    ],
)
def test_words_change_places(text, caret, anchor, direction, expected) -> None:
    assert move(text, caret, anchor, direction) == expected


def move(text: str, caret: int, anchor: int, direction: int) -> tuple[str, int, int] | None:
    return moved(text, caret, anchor, direction, scored_words(text, TerOptions()))


@pytest.mark.parametrize(
    ("text", "word", "direction", "expected"),
    [
        ("the flood were ten.", "ten", -1, "the flood ten were."),
        ("the flood were ten.", "ten.", -1, "the flood ten. were"),
        ("the flood were ten.", "were", 1, "the flood ten were."),
        ("the flood were ten.", "ten", 1, "the flood were. ten"),
        ("the flood were. ten", "ten", -1, "the flood were ten."),
        ("He came, then (late) left.", "then", -1, "He came then, (late) left."),
        ("He came, then (late) left.", "late", -1, "He came, then late () left."),
        ("Yes, no", "Yes", 1, ", Yes no"),
        ("It cost 3.50 dollars.", "3.50", 1, "It cost dollars 3.50."),
        ("a\u00a0b c", "c", -1, "c a\u00a0b"),
    ],
)
def test_what_moves_is_what_the_scorer_counts(text, word, direction, expected) -> None:
    start = text.index(word)
    found = move(text, start + len(word), start, direction)
    assert found is not None
    assert found[0] == expected
    assert found[0][found[2] : found[1]] == word
    assert ter(text, [found[0]], TerOptions()).edits <= 1


words = st.lists(st.text("abcé𝒜ب", min_size=1, max_size=3), min_size=1, max_size=8)


@given(words, st.data(), st.sampled_from([-1, 1]))
def test_no_word_is_lost_and_the_way_back_is_the_other_key(parts, data, direction) -> None:
    text = " ".join(parts)
    caret = data.draw(st.integers(0, len(text)))
    anchor = data.draw(st.integers(0, len(text)))
    result = move(text, caret, anchor, direction)
    if result is None:
        return
    changed, new_caret, new_anchor = result
    assert sorted(changed.split(" ")) == sorted(parts)
    back = move(changed, new_caret, new_anchor, -direction)
    assert back is not None
    assert back[0] == text
    assert ter(text, [changed], TerOptions(normalise=False)).edits <= 1


@given(st.text("ab𝒜\U0001f600ب"), st.integers(0, 20))
def test_places_go_to_qt_and_back(text: str, place: int) -> None:
    place = min(place, len(text))
    position = to_qt(text, place)
    assert position == len(text[:place].encode("utf-16-le")) // 2
    assert from_qt(text, position) == place


@pytest.mark.parametrize(
    ("start", "end", "place", "expected"),
    [
        (0, 3, 11, "red fox the ran."),
        (4, 7, 0, "red the fox ran."),
        (4, 8, 15, "the fox ran red."),
        (12, 15, 5, "the red ran fox."),
        (4, 7, 5, None),
        (4, 7, 8, None),
        (3, 4, 10, None),
        (0, 0, 4, None),
    ],
)
def test_words_are_dragged(start: int, end: int, place: int, expected: str | None) -> None:
    found = moved_to("the red fox ran.", start, end, place)
    assert (found[0] if found else None) == expected
    if found:
        text, caret, anchor = found
        assert text[anchor:caret] == "the red fox ran."[start:end].strip()


@given(parts=words, data=st.data())
def test_dragging_loses_no_word_and_is_one_shift(parts, data) -> None:
    text = " ".join(parts)
    start, end, place = (data.draw(st.integers(0, len(text))) for _ in range(3))
    start, end = sorted((start, end))
    # Whole words, as a double click takes them.
    while start and text[start - 1] != " ":
        start -= 1
    while end < len(text) and text[end] != " ":
        end += 1
    found = moved_to(text, start, end, place)
    if found is None:
        return
    assert sorted(found[0].split()) == sorted(parts)
    assert ter(text, [found[0]], TerOptions(normalise=False)).edits <= 1
