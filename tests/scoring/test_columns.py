"""Alignments as columns to draw."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.scoring.columns import Column, ColumnKind, columns, packed_columns
from madcat_ter.ter import ter, ter_corpus

texts = st.lists(st.sampled_from(list("abcdef")), max_size=14).map(" ".join)


def test_a_block_that_moved_is_marked_where_it_is_and_where_it_was() -> None:
    drawn = columns(ter("d e f g h a b c", ["a b c d e f g h"]))
    assert [column.text for column in drawn if column.text] == list("abcdefgh")
    assert [column.shift for column in drawn[:3]] == [1, 1, 1]
    assert drawn[-1] == Column(ColumnKind.ORIGIN, shift=1)
    assert [column.kind for column in drawn[:-1]] == [ColumnKind.MATCH] * 8


def test_words_of_one_side_only_stand_alone() -> None:
    drawn = columns(ter("a x b d e f", ["a b d e f c"]))
    assert drawn == (
        Column(ColumnKind.MATCH, "a", "a", 0, 0, 0),
        Column(ColumnKind.INSERTION, "x", "", 0, 1),
        *(
            Column(ColumnKind.MATCH, word, word, 0, at + 2, at + 1)
            for at, word in enumerate("bdef")
        ),
        Column(ColumnKind.DELETION, "", "c", 0, -1, 5),
    )


@given(texts, texts)
def test_columns_spell_both_texts_and_count_every_edit(output: str, text: str) -> None:
    result = ter(output, [text])
    drawn = columns(result)
    assert [column.text for column in drawn if column.text] == text.split()
    assert sorted(column.output for column in drawn if column.output) == sorted(output.split())
    kinds = [column.kind for column in drawn]
    assert kinds.count(ColumnKind.SUBSTITUTION) == result.substitutions
    assert kinds.count(ColumnKind.INSERTION) == result.insertions
    assert kinds.count(ColumnKind.DELETION) == result.deletions
    assert kinds.count(ColumnKind.ORIGIN) == result.shift_count
    for column in drawn:
        assert (column.kind is ColumnKind.MATCH) == (column.output == column.text != "")


def packed(output: str, text: str) -> tuple[str, str, str] | tuple[str, str, str, list[int]]:
    """What a report keeps of two texts."""
    [steps] = ter_corpus([output], [[text]]).segments.steps()
    return packed_columns(output.split(), text.split(), *steps)


def test_packed_columns_have_the_words_of_both_texts_once() -> None:
    assert packed("a x b d", "a b d c") == ("a x b d", "a b d c", " I  D")
    assert packed("", "a") == ("", "a", "D")
    moved = packed("d e f g h a b c", "a b c d e f g x")
    assert moved == ("a b c d e f g h", "a b c d e f g x", "       S", [1] * 3 + [0] * 5)


@pytest.mark.long
@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), max_size=4))
def test_steps_are_those_of_the_results(pairs: list[tuple[str, list[str]]]) -> None:
    found = ter_corpus([output for output, _ in pairs], [others for _, others in pairs]).segments
    assert list(found.steps()) == [
        (one.alignment, [[s.start, s.end, s.moveto, s.newloc] for s in one.shifts]) for one in found
    ]


@given(texts, texts)
def test_packed_columns_are_the_columns_that_are_drawn(output: str, text: str) -> None:
    result = ter(output, [text])
    outputs, others, steps, *shifts = packed(output, text)
    drawn = [one for one in columns(result) if one.kind is not ColumnKind.ORIGIN]
    letters = dict(zip(ColumnKind, " SID", strict=False))
    assert steps == "".join(letters[one.kind] for one in drawn)
    written = [one for one in drawn if one.kind is not ColumnKind.DELETION]
    assert outputs == " ".join(one.output for one in written)
    assert others == " ".join(one.text for one in drawn if one.kind is not ColumnKind.INSERTION)
    numbers = [one.shift for one in written]
    assert shifts == ([numbers] if any(numbers) else [])
