from __future__ import annotations

import copy
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.edits import LockLines, MoveWord, merge_words
from madcat_studio.edits.arranging import (
    _moves,
    add_line,
    add_word,
    joined_regions,
    move_words,
    order_lines,
    order_words,
    place_words,
    remove_words,
    within_regions,
)
from madcat_studio.errors import InputError
from madcat_studio.formats.madcat import read
from madcat_studio.model.document import Document, Line, Page
from madcat_studio.model.geometry import bounding_box
from tests.formats.documents import examples

SAMPLE = Path(__file__).parent.parent / "data/madcat/ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
MODEL = read(SAMPLE).document


@pytest.fixture
def document() -> Document:
    return copy.deepcopy(MODEL)


def names(document: Document, line: int) -> list[str | None]:
    return [word.id for word in document.pages[0].lines[line].words]


def box(left: float, top: float, right: float, bottom: float):
    return ((right, top), (left, top), (left, bottom), (right, bottom))


def test_a_word_is_drawn_into_its_line_where_it_is_read(document: Document) -> None:
    words = document.pages[0].lines[1].words
    right, left = bounding_box(words[2].polygon), bounding_box(words[3].polygon)
    gap = box(left[2] + 1, right[1], right[0] - 1, right[3])
    edit = add_word(document, 0, gap)
    _, back = edit.apply(document)
    assert names(document, 1)[2:5] == [words[2].id, "t43", words[4].id]
    back.apply(document)
    assert document == MODEL


def test_a_word_beside_all_lines_goes_to_the_chosen_one_or_makes_its_own(
    document: Document,
) -> None:
    far = box(100, 6300, 300, 6400)
    add_word(document, 0, far, 4).apply(document)
    assert names(document, 4)[-1] == "t43"
    add_word(document, 0, far).apply(document)
    last = document.pages[0].lines[-1]
    assert (last.id, [word.id for word in last.words]) == ("z6", ["t44"])


def test_a_line_is_drawn_where_it_is_read(document: Document) -> None:
    tops = [bounding_box(line.polygon)[1] for line in document.pages[0].lines]
    between = (tops[1] + tops[2]) / 2
    add_line(document, 0, box(10, between - 5, 90, between + 5)).apply(document)
    assert [line.id for line in document.pages[0].lines] == [
        "z0",
        "z1",
        "z6",
        "z2",
        "z3",
        "z4",
        "z5",
    ]


@pytest.mark.parametrize("polygon", [(), ((1, 1), (2, 2)), ((0, 0), (5, 5), (9, 9))])
def test_nothing_is_drawn_without_an_area(document: Document, polygon) -> None:
    for draw in (add_word, add_line):
        with pytest.raises(InputError) as caught:
            draw(document, 0, polygon)
        assert caught.value.code == "edit.no-area"


def test_words_move_to_where_they_are_read(document: Document) -> None:
    moved = names(document, 2)[2:4]
    edit = move_words(document, 0, [(2, 3), (2, 2)], 3)
    assert edit.label == "Move 2 words to another line"
    _, back = edit.apply(document)
    xs = [bounding_box(word.polygon)[0] for word in document.pages[0].lines[3].words]
    assert xs == sorted(xs, reverse=True)
    assert set(moved) <= set(names(document, 3))
    assert [s.tokens for s in document.segments()] == [s.tokens for s in MODEL.segments()]
    back.apply(document)
    assert document == MODEL
    with pytest.raises(InputError) as caught:
        move_words(document, 0, [(2, 3)], 2)
    assert caught.value.code == "edit.nothing-to-move"


@pytest.mark.long
@examples(60)
@given(st.permutations(range(7)))
def test_an_order_is_reached_with_few_moves(order: list[int]) -> None:
    document = copy.deepcopy(MODEL)
    before = names(document, 2)
    edit = order_words(document, 0, 2, order)
    _, back = edit.apply(document)
    assert names(document, 2) == [before[n] for n in order]
    rising = max(_rising(order[n:]) for n in range(len(order)))
    assert len(edit.edits) <= len(order) - rising
    back.apply(document)
    assert document == MODEL


def test_nothing_is_moved_where_there_is_nothing() -> None:
    assert _moves([]) == []
    assert _moves([2, 0, 1]) == [(2, 0)]


def _rising(order: list[int]) -> int:
    """How many of a run that rises from its first on, taken greedily: a lower bound."""
    count, last = 1, order[0]
    for value in order[1:]:
        if value > last:
            count, last = count + 1, value
    return count


def test_lines_are_ordered_with_their_words(document: Document) -> None:
    edit = order_lines(document, 0, [5, 0, 1, 2, 3, 4])
    assert len(edit.edits) == 1
    words = names(document, 5)
    edit.apply(document)
    assert names(document, 0) == words
    for order in ([0, 1], [0, 0, 1, 2, 3, 4], range(7)):
        with pytest.raises(InputError) as caught:
            order_lines(document, 0, order)
        assert caught.value.code == "edit.order"


@pytest.mark.parametrize(("unlink", "reference"), [(True, ""), (False, "t2")])
def test_removing_words_asks_what_becomes_of_links(
    document: Document, unlink: bool, reference: str
) -> None:
    token = document.sections[0].segments[0].tokens[2]
    source = token.source
    edit = remove_words(document, 0, [(0, 2), (1, 0)], unlink=unlink)
    _, back = edit.apply(document)
    assert "t2" not in names(document, 0)
    assert (token.ref_id, token.source) == (reference, source)
    back.apply(document)
    assert document == MODEL


def test_a_merged_word_keeps_the_link_that_is_wanted(document: Document) -> None:
    tokens = document.sections[0].segments[0].tokens
    texts = [token.source for token in tokens]
    edit = merge_words(document, 0, 0, [1, 2], keep=(0, 0, 2))
    _, back = edit.apply(document)
    tokens = document.sections[0].segments[0].tokens
    assert [token.source for token in tokens] == texts, "geometry never changes text"
    assert [token.ref_id for token in tokens[:4]] == ["t0", "", "t1", "t3"]
    assert names(document, 0)[:3] == ["t0", "t1", "t3"]
    back.apply(document)
    assert document == MODEL


def test_locked_lines_take_and_give_nothing(document: Document) -> None:
    lock = LockLines(0, (2, 3), True)
    _, back = lock.apply(document)
    for edit in (
        MoveWord(0, 2, 0, 1, 0),
        MoveWord(0, 1, 0, 2, 0),
        remove_words(document, 0, [(2, 0)], unlink=True),
        order_words(document, 0, 3, [1, 0, 2, 3, 4, 5, 6]),
    ):
        before = copy.deepcopy(document)
        with pytest.raises(InputError) as caught:
            edit.apply(document)
        assert caught.value.code == "edit.locked-line"
        assert document == before
    order_lines(document, 0, [1, 0, 2, 3, 4, 5]).apply(document)
    back.apply(document)
    assert not any(line.locked for line in document.pages[0].lines)
    mixed = LockLines(0, (0, 1), True)
    LockLines(0, (1,), True).apply(document)
    _, again = mixed.apply(document)
    again.apply(document)
    assert [line.locked for line in document.pages[0].lines[:2]] == [False, True]


def test_words_are_put_before_another_wherever_they_lie(document: Document) -> None:
    one, other = names(document, 0), names(document, 1)
    edit = place_words(document, 0, [(0, 5), (1, 0), (0, 1)], 0, 3)
    _, back = edit.apply(document)
    assert names(document, 0) == [one[0], one[2], one[5], other[0], one[1], one[3], one[4], one[6]]
    assert names(document, 1) == other[1:]
    back.apply(document)
    assert document == MODEL
    place_words(document, 0, [(0, 0)], 0, 7).apply(document)
    assert names(document, 0) == [*one[1:], one[0]]
    with pytest.raises(InputError) as caught:
        place_words(document, 0, [(0, 2), (0, 3)], 0, 3)
    assert caught.value.code == "edit.nothing-to-move"


def in_regions(*regions: str | None) -> Page:
    return Page("p", 100, 100, lines=[Line(f"z{n}", region=r) for n, r in enumerate(regions)])


@pytest.mark.parametrize(
    ("order", "joins"),
    [
        ([0, 1, 2, 3, 4], {}),
        ([1, 0, 2, 4, 3], {}),  # each in its own region
        ([0, 2, 1, 3, 4], {1: "b"}),  # the last of a behind the first of b
        ([0, 3, 1, 2, 4], {3: "a"}),
        ([1, 2, 0, 3, 4], {0: "b"}),
        ([2, 3, 4, 0, 1], {0: "b", 1: "b"}),  # a whole region behind another one
        ([4, 0, 1, 2, 3], {4: "a"}),
    ],
)
def test_a_line_among_those_of_another_region_joins_it(
    order: list[int], joins: dict[int, str]
) -> None:
    assert joined_regions(in_regions("a", "a", "b", "b", "b"), order) == joins


def test_of_two_lines_that_change_places_that_one_joins_which_was_moved() -> None:
    page = in_regions("a", "a", "b", "b")
    assert joined_regions(page, [0, 2, 1, 3], [2]) == {2: "a"}
    assert joined_regions(page, [0, 2, 1, 3], [1]) == {1: "b"}


def test_a_line_of_no_region_joins_none() -> None:
    page = in_regions("a", None, "a", "b")
    assert joined_regions(page, [1, 0, 2, 3]) == {}
    assert joined_regions(page, [0, 2, 3, 1]) == {}
    assert joined_regions(in_regions(None, None), [1, 0]) == {}


@pytest.mark.long
@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=12), st.randoms())
def test_with_what_it_joins_every_order_has_each_region_in_one_piece(
    runs: list[str], dice: Random
) -> None:
    regions = sorted(runs)
    document = Document("d", pages=[in_regions(*regions)])
    order = list(range(len(regions)))
    dice.shuffle(order)
    joins = joined_regions(document.pages[0], order)
    order_lines(document, 0, order, joins).apply(document)
    lines = document.pages[0].lines
    assert [line.id for line in lines] == [f"z{n}" for n in order]
    found = [line.region or "" for line in lines]
    assert found == sorted(found)


def test_an_order_within_regions_shares_out_the_places_of_each() -> None:
    page = in_regions("a", "a", "b", None, "b")
    assert within_regions(page, [4, 3, 2, 1, 0]) == [1, 0, 4, 3, 2]
    assert within_regions(in_regions(None, None, None), [2, 0, 1]) == [2, 0, 1]
