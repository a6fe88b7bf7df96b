from __future__ import annotations

import copy
from pathlib import Path

import pytest

from madcat_studio.edits import Edit
from madcat_studio.errors import InputError
from madcat_studio.formats.madcat import read
from madcat_studio.model.document import (
    Document,
    Line,
    Page,
    Polygon,
    Section,
    Segment,
    Token,
    Word,
)
from madcat_studio.model.links import link
from madcat_studio.pages.adjudication import Difference, DifferenceKind, Level, differences, take
from madcat_studio.pages.compare import compare_pages

DEMO = Path("resources/demo/pages")


def box(left: float, top: float, right: float, bottom: float) -> Polygon:
    return ((right, top), (left, top), (left, bottom), (right, bottom))


WORDS = [box(700, 0, 900, 90), box(400, 0, 600, 90), box(100, 0, 300, 90)]
BELOW = [box(700, 200, 900, 290), box(400, 200, 600, 290)]


def page(*rows: list[Polygon]) -> Page:
    lines = []
    number = 0
    for n, row in enumerate(rows):
        words = []
        for polygon in row:
            words.append(Word(f"t{number}", polygon))
            number += 1
        top = min(y for polygon in row for _, y in polygon) - 5
        lines.append(Line(f"z{n}", "line", box(50, top, 950, top + 100), words))
    return Page("p1", 1000, 1000, lines=lines)


def document(own: Page) -> Document:
    tokens = [Token(f"s1-{n}", word.id, "", f"w{n}") for n, word in enumerate(own.words())]
    return Document("D", pages=[own], sections=[Section("c", "", [Segment("s1", [], tokens)])])


def made(one: Document, edit: Edit) -> Document:
    after = copy.deepcopy(one)
    _, back = edit.apply(after)
    again = copy.deepcopy(after)
    back.apply(again)
    assert again == one
    return after


def only(mine: Page, theirs: Page) -> Difference:
    found = differences(mine, theirs)
    assert len(found) == 1
    return found[0]


def outlines(one: Document) -> list[list[Polygon]]:
    return [[word.polygon for word in line.words] for line in one.pages[0].lines]


def linked(one: Document) -> list[Polygon | None]:
    words = link(one).word_of
    return [
        one.pages[0].lines[words[0, 0, t][1]].words[words[0, 0, t][2]].polygon
        if (0, 0, t) in words
        else None
        for t in range(len(one.sections[0].segments[0].tokens))
    ]


def test_pages_that_are_the_same_do_not_differ() -> None:
    assert differences(page(WORDS, BELOW), page(WORDS, BELOW)) == []


def test_another_outline_is_taken() -> None:
    other = box(400, 0, 560, 90)
    mine, theirs = page(WORDS), page([WORDS[0], other, WORDS[2]])
    difference = only(mine, theirs)
    assert (difference.kind, difference.level, difference.iou) == (
        DifferenceKind.SHAPE,
        Level.WORD,
        0.8,
    )
    one = document(mine)
    after = made(one, take(one, 0, difference, theirs))
    assert outlines(after) == [[WORDS[0], other, WORDS[2]]]
    assert linked(after) == [WORDS[0], other, WORDS[2]]
    assert differences(mine, theirs, same=0.8) == []


@pytest.mark.parametrize("unlink", [True, False])
def test_a_word_that_the_other_does_not_have_goes(unlink: bool) -> None:
    mine, theirs = page(WORDS), page([WORDS[0], WORDS[2]])
    difference = only(mine, theirs)
    assert (difference.kind, difference.mine) == (DifferenceKind.MISSED, ((0, 1),))
    one = document(mine)
    after = made(one, take(one, 0, difference, theirs, unlink=unlink))
    assert outlines(after) == [[WORDS[0], WORDS[2]]]
    assert linked(after) == [WORDS[0], None, WORDS[2]]
    assert one.sections[0].segments[0].tokens[1].source == "w1"
    assert after.sections[0].segments[0].tokens[1].ref_id == ("" if unlink else "t1")


def test_a_word_of_the_other_comes_to_its_place() -> None:
    mine, theirs = page([WORDS[0], WORDS[2]]), page(WORDS)
    difference = only(mine, theirs)
    assert (difference.kind, difference.theirs) == (DifferenceKind.EXTRA, ((0, 1),))
    one = document(mine)
    after = made(one, take(one, 0, difference, theirs))
    assert outlines(after) == [WORDS]
    assert after.pages[0].lines[0].words[1].id == "t2"


@pytest.mark.parametrize("keeps", [0, 1])
def test_a_word_is_split_as_the_other_did(keeps: int) -> None:
    whole = box(400, 0, 900, 90)
    mine, theirs = page([whole, WORDS[2]]), page(WORDS)
    difference = only(mine, theirs)
    assert (difference.kind, difference.mine) == (DifferenceKind.SPLIT, ((0, 0),))
    assert difference.theirs == ((0, 0), (0, 1))
    one = document(mine)
    after = made(one, take(one, 0, difference, theirs, keeps=keeps))
    assert outlines(after) == [WORDS]
    assert linked(after) == [WORDS[keeps], WORDS[2]]


def test_words_are_merged_as_the_other_did_and_one_link_stays() -> None:
    whole = box(400, 0, 900, 90)
    mine, theirs = page(WORDS), page([whole, WORDS[2]])
    difference = only(mine, theirs)
    assert (difference.kind, difference.mine) == (DifferenceKind.MERGED, ((0, 0), (0, 1)))
    one = document(mine)
    after = made(one, take(one, 0, difference, theirs, keep=(0, 0, 1)))
    assert outlines(after) == [[whole, WORDS[2]]]
    assert linked(after) == [None, whole, WORDS[2]]
    assert [t.source for t in after.sections[0].segments[0].tokens] == ["w0", "w1", "w2"]


def test_words_of_two_lines_cannot_become_one() -> None:
    tall = box(700, 0, 900, 290)
    mine, theirs = page(WORDS, BELOW), page([tall, *WORDS[1:]], BELOW[1:])
    found = next(d for d in differences(mine, theirs) if d.kind is DifferenceKind.MERGED)
    with pytest.raises(InputError) as caught:
        take(document(mine), 0, found, theirs)
    assert caught.value.code == "adjudicate.lines-apart"


def test_lines_are_split_merged_taken_and_given_up() -> None:
    two, one_line = page(WORDS, BELOW), page(WORDS + BELOW)
    one_line.lines[0].polygon = box(50, -5, 950, 295)
    split = next(d for d in differences(one_line, two) if d.level is Level.LINE)
    assert split.kind is DifferenceKind.SPLIT
    one = document(one_line)
    after = made(one, take(one, 0, split, two))
    assert outlines(after) == [WORDS, BELOW]
    assert [line.polygon for line in after.pages[0].lines] == [line.polygon for line in two.lines]
    merged = next(d for d in differences(two, one_line) if d.level is Level.LINE)
    assert merged.kind is DifferenceKind.MERGED
    one = document(two)
    after = made(one, take(one, 0, merged, one_line))
    assert outlines(after) == [WORDS + BELOW]
    assert after.pages[0].lines[0].polygon == one_line.lines[0].polygon
    # A line more, and a line less.
    extra = next(d for d in differences(page(WORDS), two) if d.level is Level.LINE)
    one = document(page(WORDS))
    after = made(one, take(one, 0, extra, two))
    assert [len(line.words) for line in after.pages[0].lines] == [3, 0]
    gone = next(d for d in differences(after.pages[0], page(WORDS)) if d.level is Level.LINE)
    assert outlines(made(after, take(after, 0, gone, page(WORDS)))) == [WORDS]
    full = next(d for d in differences(two, page(WORDS)) if d.level is Level.LINE)
    with pytest.raises(InputError) as caught:
        take(document(two), 0, full, page(WORDS))
    assert caught.value.code == "adjudicate.line-has-words"


def test_taking_everything_of_a_second_annotator_leaves_no_difference() -> None:
    name = "DEMO_ARB_20480203.0007_1_SCR0001.madcat.xml"
    one = read(DEMO / name).document
    before = copy.deepcopy(one)
    theirs = read(DEMO / "second" / name).document.pages[0]
    texts = [token.source for segment in one.segments() for token in segment.tokens]
    first = differences(one.pages[0], theirs)
    kinds = {(difference.level, difference.kind) for difference in first}
    assert {
        (Level.WORD, DifferenceKind.SPLIT),
        (Level.WORD, DifferenceKind.MERGED),
        (Level.LINE, DifferenceKind.SPLIT),
    } <= kinds
    undo = []
    for _ in range(3 * len(first)):
        # Words that lie in lines of the other go last: their lines have to be there.
        found = differences(one.pages[0], theirs)
        if not found:
            break
        keep = next(iter(link(one).word_of))
        difference = next((d for d in found if d.level is Level.LINE), found[0])
        if difference.kind is DifferenceKind.MERGED and difference.level is Level.WORD:
            tokens = link(one).tokens_of
            keep = next(
                t for line, word in difference.mine for t in tokens.get((0, line, word), [])
            )
        edit = take(one, 0, difference, theirs, keep=keep)
        _, back = edit.apply(one)
        undo.append(back)
    assert differences(one.pages[0], theirs) == []
    compared = compare_pages(one.pages[0], theirs)
    assert compared.words.matched_iou == pytest.approx(1.0, abs=0.1)
    assert [token.source for segment in one.segments() for token in segment.tokens] == texts
    for edit in reversed(undo):
        edit.apply(one)
    assert one == before
