"""Words cut and joined together with tokens and transcription: one step, taken back exactly."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from madcat_studio.edits.splitting import Part, WordCut, split_lines, split_words
from madcat_studio.formats.madcat import read
from madcat_studio.model.document import Document
from madcat_studio.model.geometry import bounding_box
from madcat_studio.model.links import link
from madcat_studio.pages.cutting import (
    cut_words,
    join_words,
    parted,
    place_to_part,
    places_to_part,
)

SAMPLE = Path(__file__).parent.parent / "data/madcat/ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
DOWN = ((3700, 500), (3700, 3600))
"""Across the words t2 (line 0), t9 (line 1), t15 (line 2) and others below."""


@pytest.fixture
def document() -> Document:
    return read(SAMPLE).document


def _boxes(document: Document, line: int, words: slice) -> list[object]:
    return [bounding_box(word.polygon) for word in document.pages[0].lines[line].words[words]]


def test_one_cut_splits_words_of_several_lines_with_their_texts(document: Document) -> None:
    before = copy.deepcopy(document)
    cuts = [
        WordCut(2, 1, {(0, 0, 15): Part.FIRST}, {(0, 0, 15): ("وال", "باحثين")}),
        WordCut(0, 2, {(0, 0, 2): Part.FIRST}, {(0, 0, 2): ("الثقا", "فة")}),
        WordCut(1, 2, {(0, 0, 9): Part.SECOND}),
    ]
    edit = cut_words(document, 0, cuts, DOWN)
    assert edit.label == "Split 3 words"
    _, back = edit.apply(document)
    lines = document.pages[0].lines
    assert [word.id for word in lines[0].words[2:4]] == ["t2", "t43"]
    assert [word.id for word in lines[1].words[2:4]] == ["t44", "t9"], "its link went to the left"
    assert [word.id for word in lines[2].words[1:3]] == ["t15", "t45"]
    assert _boxes(document, 0, slice(2, 4)) == [(3700, 686, 3978, 917), (3478, 686, 3700, 917)]
    segment = document.sections[0].segments[0]
    assert segment.transcription == (
        "افتتح وزير الثقا فة أمس معرضا جديدا للكتاب في المدينة القديمة بحضور عدد كبير من الزوار "
        "وال باحثين ."
    )
    assert [(t.id, t.ref_id, t.source) for t in segment.tokens[2:4]] == [
        ("s1-3", "t2", "الثقا"),
        ("s1-18", "t43", "فة"),
    ]
    assert [(t.id, t.ref_id, t.source) for t in segment.tokens[16:18]] == [
        ("s1-16", "t15", "وال"),
        ("s1-19", "t45", "باحثين"),
    ]
    assert [t.source for t in segment.tokens] == segment.transcription.split()
    links = link(document)
    assert [links.word_of[0, 0, t] for t in (2, 3, 10, 16, 17)] == [
        (0, 0, 2), (0, 0, 3), (0, 1, 3), (0, 2, 1), (0, 2, 2),
    ]  # fmt: skip
    back.apply(document)
    assert document == before


def test_two_words_of_one_line_are_cut_at_their_own_places(document: Document) -> None:
    level = ((4800, 780), (1800, 780))
    split_words(document, 0, [WordCut(0, 1), WordCut(0, 3)], level).apply(document)
    assert [word.id for word in document.pages[0].lines[0].words[:6]] == [
        "t0", "t1", "t43", "t2", "t3", "t44",
    ]  # fmt: skip


def test_a_transcription_that_says_it_otherwise_stays(document: Document) -> None:
    segment = document.sections[0].segments[0]
    said = segment.transcription = (segment.transcription or "").replace("الثقافة", "الثّقافة")
    cut = WordCut(0, 2, {(0, 0, 2): Part.FIRST}, {(0, 0, 2): ("الثقا", "فة")})
    cut_words(document, 0, [cut], DOWN).apply(document)
    assert segment.transcription == said
    assert [t.source for t in segment.tokens[2:4]] == ["الثقا", "فة"]


def test_one_cut_splits_several_lines_and_a_segment_names_the_right_parts(
    document: Document,
) -> None:
    before = copy.deepcopy(document)
    segment = document.sections[0].segments[0]
    segment.tokens, segment.zone_refs = [], ["z0", "z1"]
    start = copy.deepcopy(document)
    edit = split_lines(document, 0, {0: Part.SECOND, 1: Part.BOTH, 2: Part.BOTH}, DOWN)
    assert edit.label == "Split 3 lines"
    _, back = edit.apply(document)
    lines = document.pages[0].lines
    assert [line.id for line in lines] == ["z0", "z6", "z1", "z7", "z2", "z8", "z3", "z4", "z5"]
    assert [[word.id for word in line.words] for line in lines[:2]] == [
        ["t0", "t1", "t2"],
        ["t3", "t4", "t5", "t6"],
    ]
    assert segment.zone_refs == ["z6", "z1", "z7"]
    back.apply(document)
    assert document == start
    assert document.pages == before.pages


def test_new_tokens_of_several_segments_get_ids_of_their_own(document: Document) -> None:
    """Where segments number their tokens in one series, two of them must not get one number."""
    tokens = [t for s in document.sections[0].segments[:2] for t in s.tokens]
    for number, token in enumerate(tokens):
        token.id = f"k{number}"
    cuts = [
        WordCut(2, 0, {(0, 0, 14): Part.FIRST}, {(0, 0, 14): ("الز", "وار")}),
        WordCut(2, 4, {(0, 1, 1): Part.FIRST}, {(0, 1, 1): ("ال", "وزير")}),
    ]
    split_words(document, 0, cuts, ((4800, 1750), (1800, 1750))).apply(document)
    names = [t.id for s in document.sections[0].segments[:2] for t in s.tokens]
    assert len(set(names)) == len(names)
    assert {f"k{len(tokens)}", f"k{len(tokens) + 1}"} <= set(names)


def test_words_become_one_with_their_tokens_and_the_transcription(document: Document) -> None:
    before = copy.deepcopy(document)
    _, back = join_words(document, 0, 0, [3, 2]).apply(document)
    segment = document.sections[0].segments[0]
    joined = segment.tokens[2]
    assert (joined.id, joined.ref_id, joined.source) == ("s1-3", "t2", "الثقافةأمس")
    assert (segment.transcription or "").startswith("افتتح وزير الثقافةأمس معرضا ")
    assert [t.source for t in segment.tokens] == (segment.transcription or "").split()
    back.apply(document)
    assert document == before


def test_what_was_split_is_joined_again(document: Document) -> None:
    segment = document.sections[0].segments[0]
    said, tokens = segment.transcription, [t.source for t in segment.tokens]
    cut = WordCut(0, 2, {(0, 0, 2): Part.FIRST}, {(0, 0, 2): ("الثقا", "فة")})
    cut_words(document, 0, [cut], DOWN).apply(document)
    join_words(document, 0, 0, [2, 3]).apply(document)
    assert (segment.transcription, [t.source for t in segment.tokens]) == (said, tokens)


@pytest.mark.parametrize(
    ("text", "share", "at"),
    [
        ("والباحثين", 0.3, 2),  # after the alif, where the pen lifted, not within لباحثين
        ("والباحثين", 0.4, 5),
        ("كتب", 0.4, 1),  # nowhere lifted: by the share alone
        ("في المدينة", 0.2, 2),  # at the blank
        ("New York", 0.3, 3),
        ("مُدرس", 0.6, 3),  # behind د, and the mark counts for nothing
        ("ه", 0.5, 0),
        ("", 0.5, 0),
    ],
)
def test_where_a_text_is_likely_to_be_parted(text: str, share: float, at: int) -> None:
    assert place_to_part(text, share) == at


def test_no_mark_is_parted_from_its_letter() -> None:
    assert places_to_part("مُدّ") == [2]
    assert parted("في المدينة", 2) == ("في", "المدينة")


def test_a_line_that_is_cut_leaves_its_region_and_its_baseline_to_both_parts(
    document: Document,
) -> None:
    line, lower = document.pages[0].lines[:2]
    line.region, line.baseline = "r1", ((4700, 850), (3000, 860), (1900, 850))
    lower.baseline = ((4700, 1500), (1900, 1500))  # below its outline
    before = copy.deepcopy(document)
    _, back = split_lines(document, 0, {0: Part.BOTH, 1: Part.BOTH}, DOWN).apply(document)
    found = document.pages[0].lines[:4]
    assert [(each.region, each.baseline) for each in found] == [
        ("r1", ((4700, 850), (3700, 856))),
        ("r1", ((3700, 856), (3000, 860), (1900, 850))),
        (None, ((4700, 1500), (1900, 1500))),
        (None, ()),
    ]
    back.apply(document)
    assert document == before
