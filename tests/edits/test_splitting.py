from __future__ import annotations

import copy
from pathlib import Path

import pytest

from madcat_studio.edits import LockLines
from madcat_studio.edits.splitting import (
    Part,
    segments_in_doubt,
    split_line,
    split_parts,
    split_word,
)
from madcat_studio.errors import InputError
from madcat_studio.formats.madcat import read
from madcat_studio.model.document import Document, Polygon
from madcat_studio.model.geometry import bounding_box, centre
from madcat_studio.model.links import link

SAMPLE = Path(__file__).parent.parent / "data/madcat/ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
BOX = ((200, 0), (0, 0), (0, 60), (200, 60))


@pytest.fixture
def document() -> Document:
    return read(SAMPLE).document


def upright(document: Document, line: int, word: int) -> tuple[tuple[float, float], ...]:
    left, top, right, bottom = bounding_box(document.pages[0].lines[line].words[word].polygon)
    return (((left + right) / 2, top - 9), ((left + right) / 2, bottom + 9))


def texts(document: Document) -> list[tuple[str | None, str | None]]:
    return [(s.transcription, s.translation) for s in document.segments()]


def test_the_right_hand_part_is_read_first_then_the_upper_one() -> None:
    first, second = split_parts(BOX, ((80, -5), (80, 70)))
    assert (bounding_box(first), bounding_box(second)) == ((80, 0, 200, 60), (0, 0, 80, 60))
    assert split_parts(BOX, ((80, 70), (80, -5))) == (first, second), "whichever way it is drawn"
    upper, lower = split_parts(BOX, ((-5, 20), (210, 20)))
    assert (bounding_box(upper), bounding_box(lower)) == ((0, 0, 200, 20), (0, 20, 200, 60))


def stair(left: tuple[int, int], right: tuple[int, int]) -> Polygon:
    """An outline of two boxes side by side, each from a height down to another."""
    (a, b), (c, d) = left, right
    return ((0, a), (100, a), (100, c), (200, c), (200, d), (100, d), (100, b), (0, b))


@pytest.mark.parametrize(
    ("left", "right", "first"),
    [
        # How much of the lower one's height they share decides: half of it is enough.
        ((0, 100), (70, 100), "right"),
        ((0, 50), (20, 100), "right"),
        ((0, 40), (20, 100), "right"),
        ((0, 50), (30, 100), "left"),
        ((0, 40), (30, 100), "left"),
        ((0, 100), (90, 110), "right"),
        ((0, 100), (96, 110), "left"),
    ],
)
def test_parts_lie_beside_each_other_where_they_share_half_of_the_lower_ones_height(
    left: tuple[int, int], right: tuple[int, int], first: str
) -> None:
    parts = split_parts(stair(left, right), ((100, -5), (100, 200)))
    boxes = {"left": (0, left[0], 100, left[1]), "right": (100, right[0], 200, right[1])}
    assert bounding_box(parts[0]) == boxes.pop(first)
    assert bounding_box(parts[1]) == boxes.popitem()[1]


def test_a_word_outside_the_line_goes_with_the_nearer_part(document: Document) -> None:
    line = document.pages[0].lines[2]
    left, top, right, bottom = bounding_box(line.polygon)
    # Well above the line: one word above each end of it.
    for word, x in ((line.words[0], right - 300), (line.words[6], left + 300)):
        word.polygon = ((x - 9, top - 90), (x + 9, top - 90), (x + 9, top - 60), (x - 9, top - 60))
    middle = (left + right) / 2
    split_line(document, 0, 2, ((middle, top - 5), (middle, bottom + 5))).apply(document)
    assert document.pages[0].lines[2].words[0].id == "t14"
    assert document.pages[0].lines[3].words[-1].id == "t20"


@pytest.mark.parametrize(
    ("polygon", "path", "code"),
    [
        (BOX, ((300, -5), (300, 70)), "edit.cut-misses"),
        (BOX, ((50, 20),), "edit.cut-misses"),
        (BOX, ((50, 20), (50, 20)), "edit.cut-misses"),
        (((0, 0), (9, 9)), ((5, -5), (5, 70)), "edit.cut-misses"),
        ((), ((5, -5), (5, 70)), "edit.cut-misses"),
        (
            ((0, 0), (90, 0), (90, 60), (60, 60), (60, 20), (30, 20), (30, 60), (0, 60)),
            ((-5, 40), (99, 40)),
            "edit.cut-pieces",
        ),
    ],
)
def test_cuts_that_make_no_two_parts(polygon, path, code: str) -> None:
    with pytest.raises(InputError) as caught:
        split_parts(polygon, path)
    assert caught.value.code == code


@pytest.mark.parametrize(("part", "at"), [(Part.FIRST, 2), (Part.SECOND, 3)])
def test_the_part_with_the_link_keeps_its_id(document: Document, part: Part, at: int) -> None:
    before = copy.deepcopy(document)
    place, path = (0, 0, 2), upright(document, 0, 2)
    tokens = link(document).tokens_of[place]
    edit = split_word(document, *place, path, dict.fromkeys(tokens, part))
    _, back = edit.apply(document)
    words = document.pages[0].lines[0].words
    assert len(words) == 8
    assert words[at].id == "t2"
    assert {words[2].id, words[3].id} == {"t2", "t43"}
    assert centre(words[2].polygon)[0] > centre(words[3].polygon)[0]
    assert link(document).word_of[tokens[0]] == (0, 0, at)
    assert document.sections == before.sections, "not a letter of the text, not a reference"
    back.apply(document)
    assert document == before


def test_two_tokens_of_a_word_go_one_each(document: Document) -> None:
    first, second = [(0, 0, 2), (0, 0, 3)]
    document.sections[0].segments[0].tokens[3].ref_id = "t2"
    links = {first: Part.FIRST, second: Part.SECOND}
    split_word(document, 0, 0, 2, upright(document, 0, 2), links).apply(document)
    found = link(document).word_of
    assert (found[first], found[second]) == ((0, 0, 2), (0, 0, 3))
    assert [token.ref_id for token in document.sections[0].segments[0].tokens[2:4]] == ["t2", "t43"]


def test_a_new_id_is_nobodys(document: Document) -> None:
    """A reference that leads nowhere must not find the new part by chance."""
    document.sections[0].segments[0].tokens[0].ref_id = "t43"
    split_word(document, 0, 0, 2, upright(document, 0, 2)).apply(document)
    assert document.pages[0].lines[0].words[3].id == "t44"


def test_the_words_of_a_line_go_with_their_part(document: Document) -> None:
    before = copy.deepcopy(document)
    names = [word.id for word in document.pages[0].lines[2].words]
    x = centre(document.pages[0].lines[2].words[3].polygon)[0] - 1
    edit = split_line(document, 0, 2, ((x, 0), (x, 6600)))
    _, back = edit.apply(document)
    right, left = document.pages[0].lines[2:4]
    assert (right.id, left.id) == ("z2", "z6")
    assert [word.id for word in right.words] == names[:4]
    assert [word.id for word in left.words] == names[4:]
    assert texts(document) == texts(before)
    assert [s.tokens for s in document.segments()] == [s.tokens for s in before.segments()]
    back.apply(document)
    assert document == before


def test_segments_name_the_parts_that_hold_words_of_theirs(document: Document) -> None:
    # Line z2 holds the end of s1 and the beginning of s2.
    first, second = document.sections[0].segments[:2]
    inside = link(document).words_of
    last = max(word for word in inside[0, 0] if word[:2] == (0, 2))[2]
    words = document.pages[0].lines[2].words
    x = (centre(words[last].polygon)[0] + centre(words[last + 1].polygon)[0]) / 2
    first.zone_refs, second.zone_refs = ["z1", "z2"], ["z2", "z3"]
    assert segments_in_doubt(document, 0, 2) == []
    split_line(document, 0, 2, ((x, 0), (x, 6600))).apply(document)
    assert (first.zone_refs, second.zone_refs) == (["z1", "z2"], ["z6", "z3"])


@pytest.mark.parametrize(
    ("named", "refs"),
    [(Part.BOTH, ["z2", "z6"]), (Part.FIRST, ["z2"]), (Part.SECOND, ["z6"])],
)
def test_a_segment_without_words_in_the_line_is_asked_about(
    document: Document, named: Part, refs: list[str]
) -> None:
    third = document.sections[0].segments[2]
    third.zone_refs = ["z2"]
    assert (0, 2) in segments_in_doubt(document, 0, 2)
    split_line(document, 0, 2, ((3000, 0), (3000, 6600)), named).apply(document)
    assert third.zone_refs == refs


def test_a_locked_line_is_not_split(document: Document) -> None:
    LockLines(0, (0,), True).apply(document)
    before = copy.deepcopy(document)
    edit = split_word(document, 0, 0, 2, upright(document, 0, 2))
    with pytest.raises(InputError) as caught:
        edit.apply(document)
    assert caught.value.code == "edit.locked-line"
    assert document == before
