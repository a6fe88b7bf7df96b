"""Proposals: on the demo's pages, whose words are known, and on pages of blocks."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from madcat_studio.formats.madcat import read
from madcat_studio.images.ink import find_ink, read_ink
from madcat_studio.model.document import Document, Line, Page
from madcat_studio.model.geometry import iou, shape_of
from madcat_studio.model.links import link
from madcat_studio.pages.letters import letter_width
from madcat_studio.pages.proposals import letter_size, propose
from madcat_studio.pages.writing import Writing, writing_of

DEMO = Path("resources/demo")


def blocks(rows: list[list[tuple[int, int]]]) -> Writing:
    """A page with rows of blocks; each block is (right edge, width)."""
    image = Image.new("L", (850, 1100), 255)
    draw = ImageDraw.Draw(image)
    for number, row in enumerate(rows):
        top = 100 + 120 * number
        for right, width in row:
            draw.rectangle((right - width, top, right, top + 40), fill=0)
    return writing_of(find_ink(image, 200))


def tokens_of(document: Document) -> list[tuple[str, tuple[int, int, int] | None]]:
    links = link(document)
    return [
        (token.source or "", links.word_of.get((s, g, t)))
        for s, section in enumerate(document.sections)
        for g, segment in enumerate(section.segments)
        for t, token in enumerate(segment.tokens)
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("reference/DEMO_ARB_20480103.0003_1_SCR0001", 122),
        ("pages/DEMO_ARB_20480202.0006_1_SCR0004", 67),
    ],
)
def test_nearly_all_words_of_a_demo_page_are_found(name: str, least: int) -> None:
    document = read(DEMO / f"{name}.madcat.xml").document
    writing = writing_of(read_ink(DEMO / f"{name}.tif"))
    assert len(writing.slopes) == len(document.pages[0].lines)
    tokens = tokens_of(document)
    proposals = propose(writing, [text for text, _ in tokens])
    right = 0
    for (_, word), proposal in zip(tokens, proposals, strict=True):
        if word is not None and proposal.polygon:
            truth = document.pages[0].lines[word[1]].words[word[2]].polygon
            right += iou(shape_of(truth), shape_of(proposal.polygon)) >= 0.5
    assert right >= least


@pytest.mark.long
def test_lines_that_are_there_are_the_lines() -> None:
    path = DEMO / "reference/DEMO_ARB_20480103.0003_1_SCR0001.madcat.xml"
    document = read(path).document
    writing = writing_of(
        read_ink(path.with_name(path.name.replace(".madcat.xml", ".tif"))), document.pages[0]
    )
    assert len(writing.slopes) == len(document.pages[0].lines)
    # What lies in a word's outline is found again.
    word = document.pages[0].lines[2].words[1]
    found = writing.within([document.pages[0].lines[0].words[0].polygon, word.polygon])
    inside = [number for number, outline in enumerate(found) if outline == 1]
    assert inside
    assert {writing.parts[number].line for number in inside} == {2}
    assert iou(shape_of(writing.outline(inside)), shape_of(word.polygon)) > 0.6


def test_words_are_read_from_right_to_left_and_line_by_line() -> None:
    writing = blocks([[(800, 100), (600, 100), (400, 100)], [(800, 100), (600, 100)]])
    assert [part.line for part in writing.parts] == [0, 0, 0, 1, 1]
    proposals = propose(writing, ["مممم"] * 5)
    assert [proposal.parts for proposal in proposals] == [(0,), (1,), (2,), (3,), (4,)]
    right, left = proposals[0].polygon[0], proposals[0].polygon[1]
    assert right[0] > left[0]
    assert abs(right[1] - left[1]) <= 1


def test_gaps_and_widths_decide_what_is_one_word() -> None:
    # Two words of three pieces each, then one wide piece, which is a word of its own.
    row = [(800, 40), (752, 40), (704, 40), (600, 40), (552, 40), (504, 40), (400, 150)]
    proposals = propose(blocks([row]), ["دادامم", "دادامم", "سسسسسس"])
    assert [proposal.parts for proposal in proposals] == [(0, 1, 2), (3, 4, 5), (6,)]


def test_marked_ink_is_not_proposed_again() -> None:
    writing = blocks([[(800, 100), (600, 100), (400, 100)]])
    proposals = propose(writing, ["مممم", "مممم"], taken={1})
    assert [proposal.parts for proposal in proposals] == [(0,), (2,)]
    assert [p.parts for p in propose(writing, ["مممم"], first=2)] == [(2,)]
    assert [p.parts for p in propose(writing, ["مممم"], stop=1)] == [(0,)]


def test_a_word_that_is_not_there_gets_nothing() -> None:
    writing = blocks([[(800, 200), (500, 200)]])
    proposals = propose(writing, ["سسسسس", "ا", "سسسسس"])
    assert [proposal.parts for proposal in proposals] == [(0,), (), (1,)]
    assert proposals[1].polygon == ()


def test_the_words_of_the_next_page_get_nothing() -> None:
    writing = blocks([[(800, 100), (600, 100), (400, 100)], [(800, 100), (600, 100), (400, 100)]])
    proposals = propose(writing, ["مممم"] * 12, open_end=True)
    assert [proposal.parts for proposal in proposals[:6]] == [(n,) for n in range(6)]
    assert all(not proposal.parts for proposal in proposals[6:])


@pytest.mark.parametrize("size", [(850, 1100), (60, 40), (1, 1)])
def test_a_page_without_ink_has_no_proposals(size: tuple[int, int]) -> None:
    writing = writing_of(find_ink(Image.new("L", size, 255)), Page("p1", lines=[Line("z0")]))
    assert writing.parts == ()
    assert propose(writing, ["كلمة"])[0].parts == ()
    assert propose(writing, []) == []
    assert writing.within([((0, 0), (9, 0), (9, 9))]) == []
    assert writing.outline(()) == ()


def test_marks_have_no_width_and_wide_letters_more() -> None:
    assert letter_width("كَتَبَ") == letter_width("كتب")
    assert letter_width("سس") > letter_width("دد") > letter_width("اا")
    assert 0 < letter_width(".") < letter_width("و")
    assert letter_width("") > 0


def test_a_rough_outline_is_fitted_to_its_ink() -> None:
    writing = blocks([[(800, 100), (600, 100)]])
    rough = ((850, 80), (650, 70), (660, 200), (840, 190))
    assert writing.fitted(rough) == writing.outline((0,))
    # Half of a block: only what lies within.
    half = writing.fitted(((750, 80), (650, 80), (650, 200), (750, 200)))
    assert max(x for x, _ in half) == pytest.approx(751, abs=3)
    assert writing.fitted(((10, 10), (20, 10), (20, 20))) == ()
    assert writing.fitted(((1, 1), (2, 2))) == ()


def test_letters_that_touch_the_next_line_are_cut_from_it() -> None:
    image = Image.new("L", (850, 700), 255)
    draw = ImageDraw.Draw(image)
    for top in (100, 220, 340):
        for right in (800, 600, 400):
            draw.rectangle((right - 120, top, right, top + 40), fill=0)
    draw.rectangle((740, 120, 748, 240), fill=0)  # a long tail into the line below
    writing = writing_of(find_ink(image, 200))
    assert [part.line for part in writing.parts] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    first, second = writing.parts[0].box, writing.parts[3].box
    assert (first[0], first[2]) == (680, 801)
    assert first[3] == pytest.approx(180, abs=12)
    assert second[1] == pytest.approx(180, abs=12)
    proposals = propose(writing, ["ممم"] * 9)
    assert [proposal.parts for proposal in proposals] == [(n,) for n in range(9)]


@pytest.mark.long
def test_a_page_whose_text_goes_on_elsewhere_is_shared_out_as_well() -> None:
    path = DEMO / "reference/DEMO_ARB_20480102.0002_1_SCR0003.madcat.xml"
    document = read(path).document
    writing = writing_of(read_ink(path.with_name(path.name.replace(".madcat.xml", ".tif"))))
    tokens = tokens_of(document)
    here = sum(word is not None and word[0] == 0 for _, word in tokens)
    proposals = propose(writing, [text for text, _ in tokens], open_end=True)
    assert here - 1 <= sum(bool(proposal.parts) for proposal in proposals) <= here
    parts = [proposal.parts for proposal in proposals[:here]]
    assert all(parts)
    assert sum(len(each) for each in parts) == len(writing.parts)
    texts = [text for text, _ in tokens[:here]]
    size = letter_size(writing, list(zip(texts, parts, strict=True)))
    assert size == pytest.approx(0.55 * writing.height, rel=0.4)
    assert letter_size(writing, [("ممم", parts[0])]) is None
