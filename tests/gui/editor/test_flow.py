"""Alignments in rows, measured without a window: each letter is ten pixels wide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.gui.editor.flow import flow, known_of, number_text, rows_of
from madcat_studio.operations.scores.alignments import align, plain
from madcat_ter.options import TerOptions


def laid_out(output: str, text: str, width: float = 10_000):
    measure = lambda text: 10.0 * len(text)  # noqa: E731
    return flow(align(output, text, TerOptions()), width, measure, measure)


def test_an_unchanged_text_keeps_its_own_spacing() -> None:
    text = 'He said, "no".'
    found = laid_out(text, text)
    assert [one.x for one in found.placed] == [0, 30, 70, 90, 100, 120, 130]
    assert not any(one.mark or one.above for one in found.placed)


def test_what_stands_above_does_not_push_the_words_that_follow() -> None:
    found = laid_out("a veryveryold man came home", "a new man came home")
    assert [one.x for one in found.placed] == [0, 20, 60, 100, 150]
    assert found.placed[1].above == "veryveryold"


def test_words_left_out_together_share_one_caret() -> None:
    found = laid_out("a b c d e f", "a d e f")
    first, second = found.placed[1:3]
    assert (first.above, second.above) == ("b", "c")
    assert first.width > 0
    assert second.width == 0


def test_a_move_is_numbered_once_and_its_old_place_says_what_went() -> None:
    found = laid_out("d e f g h a b c", "a b c d e f g h")
    assert [one.mark for one in found.placed] == ["①", "", "", "", "", "", "", "", "①"]
    assert found.placed[-1].above == "a b c"
    assert [one.continues for one in found.placed[:4]] == [False, True, True, False]
    assert number_text(21) == "(21)"


words = st.lists(st.sampled_from(["a", "bcd", "efghij", ","]), max_size=25).map(" ".join)


@pytest.mark.long
@given(words, words, st.integers(60, 400))
def test_nothing_overlaps_and_nothing_leaves_the_row(output: str, text: str, width: int) -> None:
    found = laid_out(output, text, width)
    assert len(found.placed) == len(align(output, text, TerOptions()).columns)
    ends: dict[int, float] = {}
    over: dict[int, float] = {}
    for one in found.placed:
        if one.width:
            assert one.x >= ends.get(one.row, 0.0)
            ends[one.row] = one.x + one.width
        if one.above_width:
            assert one.above_x > over.get(one.row, -1.0)
            over[one.row] = one.above_x + one.above_width
    for row, end in ends.items():
        alone = sum(one.row == row and one.width > 0 for one in found.placed) == 1
        assert alone or end <= width


def test_a_plain_text_is_drawn_until_it_is_aligned() -> None:
    measure = lambda text: 10.0 * len(text)  # noqa: E731
    assert [one.x for one in flow(plain("to be sure"), 500, measure, measure).placed] == [0, 30, 60]


WORDS = ["a", "the", "bridge", "Monday", "on", "x"]
_words = st.lists(st.sampled_from(WORDS), max_size=30)


@pytest.mark.long
@given(_words, _words, _words, st.integers(20, 400), st.booleans())
def test_what_is_known_of_the_flow_before_changes_nothing(
    output: list[str], first: list[str], then: list[str], width: int, joined: bool
) -> None:
    """Each keystroke's flow begins with that of the one before; it is what it would be anew."""
    measure = lambda text: 10.0 * len(text)  # noqa: E731
    begin = " ".join(first)
    end = begin[: len(begin) // 2] + ("" if joined else " ") + " ".join(then)
    old = align(" ".join(output), begin, TerOptions())
    new = align(" ".join(output), end, TerOptions())
    before = flow(old, width, measure, measure)
    known = known_of(before, old, new)
    found = flow(new, width, measure, measure, known)
    assert found == flow(new, width, measure, measure)
    kept = known[-1].row if known else 0
    rows = rows_of(before, old.columns)
    assert rows_of(found, new.columns, rows, kept) == rows_of(found, new.columns)


def test_typing_at_the_end_of_a_long_text_places_only_its_last_row() -> None:
    text = " ".join(["bridge"] * 100)
    measure = lambda text: 10.0 * len(text)  # noqa: E731
    old, new = plain(text), plain(f"{text} x")
    known = known_of(flow(old, 700, measure, measure), old, new)
    assert len(known) == 91, "ten words a row"
