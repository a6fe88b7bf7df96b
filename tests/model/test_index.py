"""What is kept from edit to edit is what would be found anew, after each of many edits."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from madcat_studio.model.change import EVERYTHING, Change, Position, Shift, combined, moved
from madcat_studio.model.document import Document, Line, Page, Section, Segment, Token, Word
from madcat_studio.model.freshids import fresh_line_id, fresh_word_id
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.links import link
from madcat_studio.workspace.page import PageWorkspace
from tests.workspace.test_random_walk import DATA, SAMPLE, Walker


def assert_as_found_anew(document: Document, index: DocumentIndex) -> None:
    links = link(document)
    words = [
        (p, n, k)
        for p, page in enumerate(document.pages)
        for n, line in enumerate(page.lines)
        for k in range(len(line.words) + 1)  # one that is not there as well
    ]
    places = [(s, g) for s, each in enumerate(document.sections) for g in range(len(each.segments))]
    for s, g in places:
        assert index.words_of.get((s, g)) == links.words_of.get((s, g))
        assert index.lines_of.get((s, g)) == links.lines_of.get((s, g))
        for t in range(len(document.sections[s].segments[g].tokens) + 1):
            assert index.word_of.get((s, g, t)) == links.word_of.get((s, g, t))
    for word in words:
        assert index.tokens_of.get(word) == links.tokens_of.get(word)
    for place in {word[:2] for word in words}:
        assert index.segments_of.get(place) == links.segments_of.get(place)
    assert fresh_word_id(document, index.word_names) == fresh_word_id(document)
    assert fresh_line_id(document, index.line_names) == fresh_line_id(document)
    statuses = {token.status for each in document.segments() for token in each.tokens}
    assert {name for name, count in index.statuses.items() if count} == statuses - {None, ""}


@pytest.mark.parametrize(("seed", "name"), [(5, SAMPLE), (6, SAMPLE), (7, "groups")])
def test_the_index_follows_every_edit(tmp_path: Path, seed: int, name: str) -> None:
    path = tmp_path / "walked.madcat.xml"
    shutil.copy(next(DATA.glob(f"{name}*")), path)
    workspace = PageWorkspace.open(path, folder=tmp_path / "journals")
    walker = Walker(workspace.document, seed)
    assert_as_found_anew(workspace.document, workspace.index)
    kept = workspace.index
    told = 0
    for step in range(160):
        if not walker.step(workspace):
            continue
        told += workspace.index is kept
        kept = workspace.index
        if step % 2 or step < 40:
            assert_as_found_anew(workspace.document, kept)
    assert told > 60  # it was kept, not made anew
    workspace.close()


def _one(*names: str) -> Document:
    words = [Word(name) for name in names]
    tokens = [Token(f"k{n}", name) for n, name in enumerate(names)]
    return Document(
        "d", pages=[Page("p", lines=[Line("z0", words=words)])],
        sections=[Section("s", segments=[Segment("s1", ["z0"], tokens)])],
    )  # fmt: skip


def test_a_doubled_name_is_resolved_in_its_order() -> None:
    document = _one("a", "a", "b")
    assert_as_found_anew(document, DocumentIndex(document))


def test_names_of_blanks_are_as_strange_as_ever() -> None:
    document = _one("", " ", "a")
    assert_as_found_anew(document, DocumentIndex(document))


def test_a_place_follows_what_comes_goes_and_moves() -> None:
    word = Shift(0, Position(1, 2), Position(1, 0))
    assert moved(Position(1, 2), word) == Position(1, 0)
    assert moved(Position(1, 0), word) == Position(1, 1)
    assert moved(Position(1), word) == Position(1)
    line = Shift(0, Position(1), None)
    assert moved(Position(1, 2), line) is None
    assert moved(Position(2, 2), line) == Position(1, 2)
    assert moved(Position(1, 2), Shift(0, None, Position(0), 3)) == Position(2, 2)


def test_changes_together_tell_places_as_they_are_at_the_end() -> None:
    one = Change(words=frozenset({(0, 1, 0), (1, 1, 0)}), lines=frozenset({(0, 1)}))
    two = Change(
        structure=True, shifts=(Shift(0, None, Position(1, 0)), Shift(0, None, Position(0), 0))
    )
    both = combined([one, two])
    assert both.words == {(0, 2, 1), (1, 1, 0)}
    assert both.lines == {(0, 2)}
    assert both.structure
    assert both.shifts == two.shifts
    assert combined([one, EVERYTHING, two]) is EVERYTHING
    assert combined([two] * 40) is EVERYTHING
