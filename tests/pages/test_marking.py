from __future__ import annotations

import copy
from pathlib import Path

import pytest

from madcat_studio.edits import LinkToken, RemoveWord
from madcat_studio.edits.placing import place_for
from madcat_studio.formats.madcat import read
from madcat_studio.model.document import Document, Line, Page, Section, Segment, Token, Word
from madcat_studio.model.freshids import fresh_line_id, fresh_token_id, fresh_word_id
from madcat_studio.model.geometry import hull
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.links import link
from madcat_studio.pages.marking import (
    leave_out,
    mark,
    mark_extra,
    mark_several,
    tokens_from_transcriptions,
    unlike_transcriptions,
)

DATA = Path(__file__).parent.parent / "data" / "madcat"


def box(left: float, top: float, right: float, bottom: float) -> tuple[tuple[float, float], ...]:
    return ((right, top), (left, top), (left, bottom), (right, bottom))


def document(*words: str, zone_refs: tuple[str, ...] = ()) -> Document:
    tokens = [Token(f"s1-{n}", "", "", word) for n, word in enumerate(words, 1)]
    segment = Segment("s1", list(zone_refs), tokens, " ".join(words))
    return Document("D", pages=[Page("p1", 1000, 1000)], sections=[Section("c", "", [segment])])


def made(made_from: Document, edit) -> Document:
    """The document after an edit, which is taken back to see that it can be."""
    after = copy.deepcopy(made_from)
    _, back = edit.apply(after)
    again = copy.deepcopy(after)
    back.apply(again)
    assert again == made_from
    return after


def texts(document: Document) -> list[str | None]:
    return [token.source for segment in document.segments() for token in segment.tokens]


def test_words_find_their_lines_and_places_in_whatever_order() -> None:
    one = document("a", "b", "c", "d")
    outlines = {
        (0, 0, 2): box(800, 302, 900, 340),
        (0, 0, 1): box(500, 110, 600, 140),
        (0, 0, 0): box(800, 100, 900, 140),
        (0, 0, 3): box(500, 290, 600, 340),
    }
    for token, outline in outlines.items():
        one = made(one, mark(one, DocumentIndex(one), token, 0, outline))
    page = one.pages[0]
    assert [[word.polygon for word in line.words] for line in page.lines] == [
        [outlines[0, 0, 0], outlines[0, 0, 1]],
        [outlines[0, 0, 2], outlines[0, 0, 3]],
    ]
    assert link(one).word_of == {(0, 0, n): (0, n // 2, n % 2) for n in range(4)}
    assert {line.id for line in page.lines} == {"z0", "z1"}
    assert {word.id for word in page.words()} == {"t0", "t1", "t2", "t3"}
    assert all(
        set(line.polygon) == set(hull([w.polygon for w in line.words])) for line in page.lines
    )
    assert texts(one) == ["a", "b", "c", "d"]


def test_several_at_once_are_one_step() -> None:
    one = document("a", "b", "c")
    outlines = [((0, 0, n), box(800 - 200 * n, 100, 900 - 200 * n, 140)) for n in range(3)]
    edit = mark_several(one, 0, outlines)
    assert edit.label == "Mark 3 words"
    after = made(one, edit)
    assert [word.id for word in after.pages[0].lines[0].words] == ["t0", "t1", "t2"]


def test_a_marked_word_gets_the_new_outline() -> None:
    one = made(
        document("a"),
        mark(document("a"), DocumentIndex(document("a")), (0, 0, 0), 0, box(0, 0, 9, 9)),
    )
    edit = mark(one, DocumentIndex(one), (0, 0, 0), 0, box(10, 10, 20, 20))
    assert edit.label == "Mark a word again"
    after = made(one, edit)
    assert [word.polygon for word in after.pages[0].words()] == [box(10, 10, 20, 20)]
    assert set(after.pages[0].lines[0].polygon) == set(box(10, 10, 20, 20))


def test_a_line_that_was_made_with_care_keeps_its_outline() -> None:
    sample = read(DATA / "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml").document
    before = sample.pages[0].lines[1].polygon
    gone = sample.pages[0].lines[1].words[3].polygon
    RemoveWord(0, 1, 3).apply(sample)
    edit = mark(sample, DocumentIndex(sample), (0, 0, 10), 0, gone)
    after = made(sample, edit)
    assert after.pages[0].lines[1].polygon == before
    assert after.pages[0].lines[1].words[3].polygon == gone
    # The new word has a new id even though the old one is free: a token still names that.
    assert after.pages[0].lines[1].words[3].id == "t43"


def test_a_line_with_an_outline_and_no_words_takes_them_in() -> None:
    one = document("a", "b")
    one.pages[0].lines = [
        Line("z4", "line", box(0, 0, 999, 99)),
        Line("z7", "line", box(0, 100, 999, 199)),
    ]
    after = made(one, mark(one, DocumentIndex(one), (0, 0, 0), 0, box(700, 110, 800, 170)))
    assert [len(line.words) for line in after.pages[0].lines] == [0, 1]
    assert after.pages[0].lines[1].polygon == box(0, 100, 999, 199)
    assert place_for(one.pages[0], box(700, 300, 800, 340)).new
    assert place_for(one.pages[0], ()).new


def test_a_file_that_names_lines_goes_on_naming_them() -> None:
    one = document("a", "b", zone_refs=("z0",))
    one.pages[0].lines = [Line("z0", "line", box(0, 0, 999, 99))]
    same = made(one, mark(one, DocumentIndex(one), (0, 0, 0), 0, box(700, 10, 800, 70)))
    assert next(same.segments()).zone_refs == ["z0"]
    other = made(one, mark(one, DocumentIndex(one), (0, 0, 0), 0, box(700, 500, 800, 570)))
    assert next(other.segments()).zone_refs == ["z0", "z1"]


def test_missing_extra_and_misspelt() -> None:
    one = document("a", "b", "c")
    one = made(one, mark(one, DocumentIndex(one), (0, 0, 0), 0, box(800, 0, 900, 40)))
    one = made(one, leave_out(one, (0, 0, 0), "missing"))
    token = next(one.segments()).tokens[0]
    assert (token.ref_id, token.status, token.source) == ("", "missing", "a")
    one = made(
        one, mark_extra(one, (0, 0, 1), 0, box(600, 0, 700, 40), status="extra", written="x")
    )
    one = made(
        one,
        mark(
            one, DocumentIndex(one), (0, 0, 2), 0, box(400, 0, 500, 40), status="typo", written="y"
        ),
    )
    assert [(t.id, t.status, t.source) for t in next(one.segments()).tokens] == [
        ("s1-1", "missing", "a"),
        ("s1-4", "extra", "x"),
        ("s1-2", "typo", "b"),
        ("s1-3", "", "c"),
    ]
    assert {
        name: (error.error, error.written, error.intended)
        for name, error in one.scribe_errors.items()
    } == {
        ("s1", "s1-1"): ("missing", "", "a"),
        ("s1", "s1-4"): ("extra", "x", ""),
        ("s1", "s1-2"): ("typo", "y", "b"),
    }
    assert unlike_transcriptions(one) == []


def test_tokens_are_made_from_a_transcription() -> None:
    one = document("a", "b")
    one.sections[0].segments.append(Segment("s2", transcription=" كلمة  أخرى\n"))
    one.sections[0].segments.append(Segment(None, transcription=None))
    edit = tokens_from_transcriptions(one)
    assert edit is not None
    after = made(one, edit)
    assert [(t.id, t.source) for t in after.sections[0].segments[1].tokens] == [
        ("s2-1", "كلمة"),
        ("s2-2", "أخرى"),
    ]
    assert tokens_from_transcriptions(after) is None


def test_tokens_that_say_something_else_are_found() -> None:
    one = document("a", "b")
    assert unlike_transcriptions(one) == []
    next(one.segments()).transcription = "a c"
    assert unlike_transcriptions(one) == [(0, 0)]
    next(one.segments()).transcription = None
    assert unlike_transcriptions(one) == []


def test_new_ids_are_new_everywhere() -> None:
    one = document("a", "b")
    assert (fresh_word_id(one), fresh_line_id(one)) == ("t0", "z0")
    one.pages[0].lines = [Line("line_9", words=[Word("w007"), Word("w8"), Word("odd"), Word(None)])]
    LinkToken(0, 0, 0, "w11").apply(one)
    next(one.segments()).zone_refs = ["line_12"]
    assert (fresh_word_id(one), fresh_line_id(one)) == ("w12", "line_13")
    assert fresh_token_id(one, next(one.segments())) == "s1-3"
    one.pages.append(Page("p2", lines=[Line("line_13", words=[Word("w12")])]))
    assert (fresh_word_id(one), fresh_line_id(one)) == ("w13", "line_14")


@pytest.mark.parametrize("ref", ["", None])
def test_leaving_out_a_word_that_had_no_link_changes_no_link(ref: str | None) -> None:
    one = document("a")
    next(one.segments()).tokens[0].ref_id = ref
    after = made(one, leave_out(one, (0, 0, 0), "missing"))
    assert next(after.segments()).tokens[0].ref_id == ref
