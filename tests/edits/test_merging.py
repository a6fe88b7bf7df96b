from __future__ import annotations

import copy
import random
from pathlib import Path

import pytest

from madcat_studio.edits import merge_lines, merge_words
from madcat_studio.errors import InputError
from madcat_studio.formats.madcat import read
from madcat_studio.model.document import Document

DATA = Path(__file__).parent.parent / "data" / "madcat"
SAMPLE = DATA / "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"


@pytest.fixture
def document() -> Document:
    return read(SAMPLE).document


def tokens(document: Document) -> list[tuple[str | None, str | None]]:
    return [(t.ref_id, t.source) for s in document.segments() for t in s.tokens]


def test_the_right_hand_word_comes_first_whichever_was_clicked_first(document: Document) -> None:
    before = copy.deepcopy(document)
    edit = merge_words(document, 0, 0, [2, 1])
    assert edit == merge_words(document, 0, 0, [1, 2])
    _, back = edit.apply(document)
    words = document.pages[0].lines[0].words
    assert [word.id for word in words][:3] == ["t0", "t1", "t3"]
    xs = [x for x, _ in words[1].polygon]
    assert (min(xs), max(xs)) == (3478, 4325)
    assert tokens(document)[:3] == [("t0", "افتتح"), ("t1", "وزير الثقافة"), ("t3", "أمس")]
    assert next(document.segments()).transcription == next(before.segments()).transcription
    back.apply(document)
    assert document == before


def test_four_words_become_one_with_all_their_tokens(document: Document) -> None:
    before = copy.deepcopy(document)
    edit = merge_words(document, 0, 0, [4, 1, 3, 2])
    edit.apply(document)
    assert [word.id for word in document.pages[0].lines[0].words] == ["t0", "t1", "t5", "t6"]
    assert document.pages[0].lines[1:] == before.pages[0].lines[1:]
    assert tokens(document)[:4] == [
        ("t0", "افتتح"),
        ("t1", "وزير الثقافة أمس معرضا"),
        ("t5", "جديدا"),
        ("t6", "للكتاب"),
    ]
    assert tokens(document)[4:] == tokens(before)[7:]


def test_the_token_that_is_kept_is_linked_and_the_others_to_none(document: Document) -> None:
    before = tokens(document)
    merge_words(document, 0, 0, [1, 2, 3], keep=(0, 0, 2)).apply(document)
    assert [text for _, text in tokens(document)] == [text for _, text in before]
    assert [ref for ref, _ in tokens(document)][:5] == ["t0", "", "t1", "", "t4"]


def test_a_token_without_a_text_adds_nothing(document: Document) -> None:
    first = next(document.segments()).tokens
    first[1].source, first[2].source, first[3].source = "", None, "أمس"
    merge_words(document, 0, 0, [1, 2, 3]).apply(document)
    assert tokens(document)[:3] == [("t0", "افتتح"), ("t1", "أمس"), ("t4", "معرضا")]
    first[2].source = first[3].source = None
    merge_words(document, 0, 0, [2, 3]).apply(document)
    assert tokens(document)[2] == ("t4", None), "two without a text make one without"


def test_tokens_of_another_segment_keep_their_text(document: Document) -> None:
    # The line z2 holds the end of s1 and the beginning of s2.
    line = document.pages[0].lines[2]
    first = next(document.segments()).tokens[-1].ref_id
    at = [word.id for word in line.words].index(first)
    before = tokens(document)
    edit = merge_words(document, 0, 2, [at, at + 1])
    edit.apply(document)
    after = tokens(document)
    assert [text for _, text in after] == [text for _, text in before]
    assert after[before.index((first, ".")) + 1][0] == first


def test_lines_merge_in_the_order_of_the_page(document: Document) -> None:
    before = copy.deepcopy(document)
    clicked = [3, 0, 2, 1]
    random.Random(1).shuffle(clicked)
    edit = merge_lines(document, 0, clicked)
    _, back = edit.apply(document)
    page = document.pages[0]
    assert [line.id for line in page.lines] == ["z0", "z4", "z5"]
    wanted = [word.id for line in before.pages[0].lines[:4] for word in line.words]
    assert [word.id for word in page.lines[0].words] == wanted
    assert tokens(document) == tokens(before)
    back.apply(document)
    assert document == before


def test_segments_name_the_line_that_stays(document: Document) -> None:
    document = read(DATA / "ZZN_ARB_20991231.0001_1_SCR0001.lineseg.madcat.xml").document
    assert [s.zone_refs for s in document.segments()] == [
        ["z0", "z1", "z2"],
        ["z2", "z3", "z4"],
        ["z4", "z5"],
    ]
    merge_lines(document, 0, [1, 2, 3]).apply(document)
    assert [s.zone_refs for s in document.segments()] == [
        ["z0", "z1"],
        ["z1", "z4"],
        ["z4", "z5"],
    ]


def test_ids_that_restart_on_another_page_go_on_meaning_that_one() -> None:
    document = read(next(DATA.glob("groups*.madcat.xml"))).document
    next(document.segments()).zone_refs = ["z0", "z1"]
    merge_lines(document, 0, [0, 1]).apply(document)
    assert next(document.segments()).zone_refs == ["z0", "z1"]


def test_one_is_not_enough(document: Document) -> None:
    for chosen in ([], [1], [1, 1]):
        with pytest.raises(InputError):
            merge_words(document, 0, 0, chosen)
        with pytest.raises(InputError):
            merge_lines(document, 0, chosen)
    with pytest.raises(InputError):
        merge_words(document, 0, 0, [0, 99])
