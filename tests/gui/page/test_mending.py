"""Problems that are called by their text, and mended one by one or all of a kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from madcat_studio.edits import LinkToken, Outline, SetPolygon
from tests.gui.helpers import NORMAL, can, copy_sample, run


@pytest.fixture
def someone(user, tmp_path: Path):
    return user(copy_sample(NORMAL, tmp_path, image=False))


def broken(someone, *, count: int) -> None:
    """So many words of the third line, drawn out of the page."""
    words = someone.view.workspace.document.pages[0].lines[2].words
    for number in range(count):
        right, top = words[number].polygon[0]
        outline = ((right, top), (-60, top), (-60, top + 90), (right, top + 90))
        someone.view.execute(SetPolygon(Outline(0, 2, number), outline))


def of_code(someone, code: str) -> list[int]:
    findings = someone.view.side.problems.model.findings()
    return [n for n, finding in enumerate(findings) if finding.problem.code == code]


def mark(someone, code: str) -> None:
    someone.wait(lambda: bool(of_code(someone, code)) and not someone.view.features.checking._stale)
    table = someone.view.side.problems.table
    table.setCurrentIndex(table.model().index(of_code(someone, code)[0], 0))


@pytest.mark.long
def test_one_is_mended_and_then_all_of_its_kind_as_one_step(someone) -> None:
    code = "polygon-outside-page"
    broken(someone, count=4)
    mark(someone, code)
    steps = someone.view.workspace.position
    panel = someone.view.side.problems
    assert (panel.button.text(), panel.all_button.text()) == ("Clip to the page", "All 4")
    run(someone.view, "page.mend")
    someone.wait(lambda: len(of_code(someone, code)) == 3)
    assert someone.view.workspace.position == steps + 1
    assert someone.view.workspace.undo_label == "Clip to the page"
    mark(someone, code)
    assert can(someone.view, "page.mend-all")
    run(someone.view, "page.mend-all")
    someone.wait(lambda: not of_code(someone, code))
    assert someone.view.workspace.position == steps + 2
    words = someone.view.workspace.document.pages[0].lines[2].words
    assert [min(x for x, _ in word.polygon) for word in words[:4]] == [0] * 4
    run(someone.view, "page.undo")
    assert [min(x for x, _ in word.polygon) for word in words[1:4]] == [-60] * 3


@pytest.mark.long
def test_a_problem_is_called_by_the_text_that_stands_there(someone) -> None:
    broken(someone, count=1)
    mark(someone, "polygon-outside-page")
    row = of_code(someone, "polygon-outside-page")[0]
    model = someone.view.side.problems.model
    view = someone.view
    section, segment, token = view.choice.links.tokens_of[0, 2, 0][0]
    source = view.workspace.document.sections[section].segments[segment].tokens[token].source
    assert model.index(row, 1).data() == f"\u2068{source}\u2069"
    tip = model.index(row, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert "line" in tip  # which says where it is in the file


@pytest.mark.long
def test_what_is_only_not_yet_marked_is_no_problem_while_a_page_is_marked(someone) -> None:
    view = someone.view
    section, segment, token = view.choice.links.tokens_of[0, 2, 0][0]
    view.execute(LinkToken(section, segment, token, ""))
    code = "token-unlinked"
    someone.wait(lambda: len(of_code(someone, code)) == 1)
    others = view.side.problems.model.rowCount() - 1
    run(view, "page.mark")
    assert (of_code(someone, code), view.side.problems.model.rowCount()) == ([], others)
    run(view, "page.mark")
    assert len(of_code(someone, code)) == 1


@pytest.mark.long
def test_how_far_the_marking_is_stands_over_the_problems(someone) -> None:
    view = someone.view
    progress = view.side.problems.progress
    assert progress.isHidden()
    tokens = [view.choice.links.tokens_of[0, 5, word][0] for word in (5, 6)]
    for token in tokens:
        view.execute(LinkToken(*token, ""))
    someone.wait(lambda: not progress.isHidden())
    assert progress.text() == "41 of 43 words marked"
    assert of_code(someone, "token-unlinked") == [], "they come after all that is marked"
    view.execute(LinkToken(*view.choice.links.tokens_of[0, 2, 0][0], ""))
    someone.wait(lambda: len(of_code(someone, "token-unlinked")) == 1)
    run(view, "page.flow")
    assert of_code(someone, "token-unlinked") == [], "they are gone through"
    run(view, "page.flow")
    assert len(of_code(someone, "token-unlinked")) == 1
