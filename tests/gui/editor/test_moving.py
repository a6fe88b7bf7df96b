"""Moving words by key."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.gui.editor.moving import moved, moved_to
from madcat_studio.gui.editor.positions import from_qt, to_qt
from madcat_studio.operations.scores.alignments import scored_words
from madcat_ter.options import TerOptions
from madcat_ter.ter import ter


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
    return moved(text, caret, anchor, direction, words_of)


words_of = partial(scored_words, options=TerOptions())


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
        ("The minister's car stopped.", "car", -1, "The minister car 's stopped."),
        ("He said (now) 10% more.", "more", -1, "He said (now) 10 more %."),
        ("Mr. X's flood", "flood", -1, "Mr. X flood 's"),
    ],
)
def test_what_moves_is_what_the_scorer_counts(text, word, direction, expected) -> None:
    start = text.index(word)
    found = move(text, start + len(word), start, direction)
    assert found is not None
    assert found[0] == expected
    assert found[0][found[2] : found[1]] == word
    assert ter(text, [found[0]], TerOptions()).edits <= 1


pieces = st.lists(
    st.sampled_from(
        [
            "the",
            "X's",
            "(late)",
            "10%",
            "3.50",
            "then,",
            "stop.",
            "“he”",
            '"no"',
            "a-b",
            "محمد",
            "$5",
        ]
    ),
    min_size=2,
    max_size=7,
)


@given(pieces, st.data(), st.sampled_from([-1, 1]))
def test_a_move_is_one_shift_of_the_scorers_words_and_nothing_else(parts, data, direction) -> None:
    text = " ".join(parts)
    spans = words_of(text)
    first = data.draw(st.integers(0, len(spans) - 1))
    last = data.draw(st.integers(first, len(spans) - 1))
    found = move(text, spans[last][1], spans[first][0], direction)
    spelt = [text[start:end] for start, end in spans]
    other = first - 1 if direction < 0 else last + 1
    if not 0 <= other < len(spans):
        assert found is None
        return
    if found is None:
        return  # no spacing leaves these words as they are
    changed, caret, anchor = found
    block, word = spelt[first : last + 1], [spelt[other]]
    middle = [*block, *word] if direction < 0 else [*word, *block]
    low, high = min(first, other), max(last, other)
    after = [changed[start:end] for start, end in words_of(changed)]
    assert after == [*spelt[:low], *middle, *spelt[high + 1 :]]
    assert changed[anchor:caret] == text[spans[first][0] : spans[last][1]]


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
    # Qt may stand within a character of two units: that character is before it.
    for units in range(position):
        before = text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore")
        half = len(before.encode("utf-16-le")) // 2 < units
        assert from_qt(text, units) == len(before) + half


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
