"""Moving words by key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.gui.editor.moving import moved
from madcat_studio.gui.editor.positions import from_qt, to_qt
from madcat_studio.scoring.ter import TerOptions, ter


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
    assert moved(text, caret, anchor, direction) == expected


words = st.lists(st.text("abcé𝒜ب", min_size=1, max_size=3), min_size=1, max_size=8)


@given(words, st.data(), st.sampled_from([-1, 1]))
def test_no_word_is_lost_and_the_way_back_is_the_other_key(parts, data, direction) -> None:
    text = " ".join(parts)
    caret = data.draw(st.integers(0, len(text)))
    anchor = data.draw(st.integers(0, len(text)))
    result = moved(text, caret, anchor, direction)
    if result is None:
        return
    changed, new_caret, new_anchor = result
    assert sorted(changed.split(" ")) == sorted(parts)
    back = moved(changed, new_caret, new_anchor, -direction)
    assert back is not None
    assert back[0] == text
    assert ter(text, [changed], TerOptions(normalise=False)).edits <= 1


@given(st.text("ab𝒜\U0001f600ب"), st.integers(0, 20))
def test_places_go_to_qt_and_back(text: str, place: int) -> None:
    place = min(place, len(text))
    position = to_qt(text, place)
    assert position == len(text[:place].encode("utf-16-le")) // 2
    assert from_qt(text, position) == place
