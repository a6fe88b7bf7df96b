"""Marking a page step by step, on a page of blocks and on one of the demo."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from madcat_studio.edits import LinkToken
from madcat_studio.formats.madcat import read
from madcat_studio.images.ink import find_ink
from madcat_studio.model.geometry import bounding_box
from madcat_studio.model.links import link
from madcat_studio.pages.writing import writing_of
from madcat_studio.workspace.marking import Marking, Statuses, Step
from madcat_studio.workspace.page import PageWorkspace

DATA = Path(__file__).parent.parent / "data" / "madcat"
WORDS = ("ممم", "ننن", "ككك", "ببب", "تتت", "ثثث")
BLOCKS = [(800, 100), (600, 120), (400, 100)]


def page_of(words: tuple[str, ...], *, tokens: bool = True) -> str:
    made = "".join(
        f'<token id="s1-{n}" ref_id="" status=""><source>{word}</source></token>'
        for n, word in enumerate(words, 1)
    )
    return (
        '<madcat><doc id="D" src="D.tif"><image><page id="p1" width="850" height="600"/></image>'
        f'<content><section id="c"><segment id="s1">{made if tokens else ""}'
        f"<transcription>{' '.join(words)}</transcription></segment></section></content>"
        "</doc></madcat>"
    )


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[PageWorkspace]:
    path = tmp_path / "D.madcat.xml"
    path.write_text(page_of(WORDS), encoding="utf-8")
    opened = PageWorkspace.open(path)
    yield opened
    opened.close(discard=True)


@pytest.fixture
def marking(workspace: PageWorkspace) -> Marking:
    image = Image.new("L", (850, 600), 255)
    draw = ImageDraw.Draw(image)
    for row in range(2):
        for right, width in BLOCKS:
            draw.rectangle((right - width, 100 + 200 * row, right, 140 + 200 * row), fill=0)
    marking = Marking(workspace, 0)
    workspace.subscribe(lambda _: marking.document_changed())
    marking.found_writing(writing_of(find_ink(image, 200)))
    return marking


def marked(marking: Marking) -> list[Step]:
    return [marking.step(place) for place in marking.tokens]


def right_of(polygon: object) -> float:
    box = bounding_box(polygon)  # type: ignore[arg-type]
    assert box is not None
    return box[2]


def test_accepting_all_marks_the_page_and_undo_takes_it_back(
    marking: Marking, workspace: PageWorkspace
) -> None:
    before = workspace.path.read_bytes()
    for number, word in enumerate(WORDS):
        assert marking.current == (0, 0, number)
        assert marking.text(marking.current) == word
        assert right_of(marking.proposal) == pytest.approx(BLOCKS[number % 3][0], abs=4)
        assert marking.accept()
    assert marking.current is None
    assert not marking.accept()
    assert (marking.left(), marking.proposal) == (0, ())
    assert [len(line.words) for line in workspace.document.pages[0].lines] == [3, 3]
    assert workspace.undo_label == "Mark a word"
    workspace.save()
    saved = read(workspace.path).document
    assert link(saved).word_of == {t: marking.links.word_of[t] for t in marking.tokens}
    assert len(marking.tokens) == 6
    while workspace.can_undo:
        workspace.undo()
    workspace.save()
    assert workspace.path.read_bytes() == before
    assert marked(marking) == [Step.OPEN] * 6


def test_a_line_at_once_is_one_step(marking: Marking, workspace: PageWorkspace) -> None:
    assert marking.accept_line() == 3
    assert marking.current == (0, 0, 3)
    assert workspace.undo_label == "Mark 3 words"
    workspace.undo()
    assert not workspace.can_undo
    assert marking.left() == 6


def test_drawing_otherwise_changes_what_is_proposed_next(marking: Marking) -> None:
    # The first two blocks are one word for this annotator.
    assert marking.draw(((810, 90), (470, 90), (470, 150), (810, 150)))
    assert marking.current == (0, 0, 1)
    assert right_of(marking.proposal) == pytest.approx(400, abs=4)
    marking.workspace.undo()
    assert marking.current == (0, 0, 1)
    marking.back()
    assert right_of(marking.proposal) == pytest.approx(800, abs=4)


def test_the_ends_of_a_proposal_can_be_moved(marking: Marking) -> None:
    assert marking.reach(-1, 1)
    assert marking.parts == (0, 1)
    assert marking.reach(-1, 1)
    assert not marking.reach(-1, 1)  # the line ends there
    assert marking.reach(1, -1)
    assert marking.parts == (1, 2)
    assert marking.reach(1, 1)
    assert not marking.reach(1, 1)  # the page begins there
    assert marking.reach(-1, -1)
    assert marking.reach(-1, -1)
    assert not marking.reach(-1, -1)  # something must be left
    assert marking.reach(-1, 1)
    assert marking.accept()
    assert marking.parts == (2,)
    assert not marking.reach(1, 1)  # that is the word before


def test_missing_extra_and_misspelt(marking: Marking, workspace: PageWorkspace) -> None:
    assert marking.missing()
    assert marking.current == (0, 0, 1)
    assert marking.step((0, 0, 0)) is Step.MISSING
    first = marking.writing.outline([0])  # type: ignore[union-attr]
    assert marking.extra(first, "زائد")
    assert marking.current == (0, 0, 2)
    assert marking.text((0, 0, 1)) == "زائد"
    assert marking.text((0, 0, 2)) == "ننن"
    assert right_of(marking.proposal) == pytest.approx(600, abs=4)
    assert marking.misspelt(None, "نتن")
    assert marking.current == (0, 0, 3)
    assert {token: e.error for (_, token), e in workspace.document.scribe_errors.items()} == {
        "s1-1": "missing",
        "s1-7": "extra",
        "s1-2": "typo",
    }
    assert [workspace.undo().structure for _ in range(2)]
    assert marking.tokens == [(0, 0, n) for n in range(6)]


def test_a_word_that_is_found_after_all_is_no_longer_missing(
    marking: Marking, workspace: PageWorkspace
) -> None:
    marking.missing()
    assert workspace.document.scribe_errors
    marking.back()
    assert marking.reach(-1, 1)
    assert marking.accept()
    token = workspace.document.sections[0].segments[0].tokens[0]
    assert (token.status, bool(token.ref_id)) == ("", True)
    assert not workspace.document.scribe_errors
    workspace.undo()
    assert (token.status, token.ref_id) == ("missing", "")
    assert workspace.document.scribe_errors


def test_back_skip_and_choose(marking: Marking) -> None:
    marking.skip()
    assert marking.current == (0, 0, 1)
    marking.accept()
    marking.back()
    assert (marking.current, marking.proposal) == ((0, 0, 1), ())
    marking.skip()
    assert marking.current == (0, 0, 2)
    marking.choose((0, 0, 5))
    marking.skip()
    assert marking.current is None
    marking.back()
    assert marking.current == (0, 0, 5)
    marking.to_first_open()
    assert marking.current == (0, 0, 0)


def test_tokens_are_made_where_there_is_only_a_transcription(tmp_path: Path) -> None:
    path = tmp_path / "D.madcat.xml"
    path.write_text(page_of(WORDS, tokens=False), encoding="utf-8")
    workspace = PageWorkspace.open(path)
    marking = Marking(workspace, 0)
    assert (marking.current, marking.left()) == (None, 0)
    assert marking.make_tokens()
    assert not marking.make_tokens()
    marking.document_changed()
    marking.to_first_open()
    assert marking.current == (0, 0, 0)
    assert marking.draw(((9, 0), (0, 0), (0, 9), (9, 9)))
    workspace.close(discard=True)


def test_without_a_scan_words_are_drawn(workspace: PageWorkspace) -> None:
    marking = Marking(workspace, 0, Statuses(missing="absent"))
    assert (marking.proposal, marking.accept(), marking.accept_line()) == ((), False, 0)
    assert not marking.reach(-1, 1)
    assert not marking.misspelt(None, "x")
    assert marking.draw(((9, 0), (0, 0), (0, 9), (9, 9)))
    assert marking.missing()
    assert workspace.document.sections[0].segments[0].tokens[1].status == "absent"
    assert marking.current == (0, 0, 2)


def test_the_second_page_begins_where_the_first_ended(tmp_path: Path) -> None:
    name = "groups.example.org_letters99_0a1b2c3d4e5f6071_ARB_20990107_101500_2_SCR0002.madcat.xml"
    shutil.copy(DATA / name, tmp_path / name)
    workspace = PageWorkspace.open(tmp_path / name)
    marking = Marking(workspace, 1)
    assert marking.current is None
    last_of_first = max(t for t, word in link(workspace.document).word_of.items() if word[0] == 0)
    workspace.execute(LinkToken(0, 0, 0, ""))
    after = marking.tokens[marking.tokens.index(last_of_first) + 2]
    workspace.execute(LinkToken(*after, ""))
    assert Marking(workspace, 1).current == after
    assert Marking(workspace, 0).current == (0, 0, 0)
    workspace.close()


def test_all_sure_words_are_taken_in_one_step(marking: Marking, workspace: PageWorkspace) -> None:
    assert marking.sure() == [(0, 0, number) for number in range(6)]
    assert marking.accept_sure() == 6
    assert marked(marking) == [Step.MARKED] * 6
    assert marking.current is None
    assert marking.accept_sure() == 0
    workspace.undo()
    assert marked(marking) == [Step.OPEN] * 6


def test_a_doubtful_word_is_not_taken_with_the_sure_ones(workspace: PageWorkspace) -> None:
    marking = Marking(workspace, 0)
    image = Image.new("L", (850, 600), 255)
    draw = ImageDraw.Draw(image)
    for row in range(2):
        for right, width in [*BLOCKS[:2], (400, 350 if row else 100)]:  # far wider than its word
            draw.rectangle((right - width, 100 + 200 * row, right, 140 + 200 * row), fill=0)
    marking.found_writing(writing_of(find_ink(image, 200)))
    assert marking.sure() == [(0, 0, number) for number in range(5)]
    assert marking.accept_sure() == 5
    assert marking.current == (0, 0, 5)
    assert not marking.is_sure((0, 0, 5))
    assert marking.proposal
