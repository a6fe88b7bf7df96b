"""Comparing with another file in the window, and deciding."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from madcat_studio.edits import AddWord, MoveWord, RemoveWord, SetPolygon, WordValue
from madcat_studio.edits.base import Outline
from madcat_studio.gui.page.asklink import LinkDialog
from madcat_studio.gui.page.comparing.feature import CompareFeature
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.model.document import Polygon
from madcat_studio.pages.adjudication import DifferenceKind
from madcat_studio.workspace.page import PageWorkspace
from tests.gui.helpers import NORMAL, SMALL, TWO_PAGES, PageUser, copy_sample


class Judge:
    """Somebody who decides between two segmentations."""

    def __init__(self, someone: PageUser) -> None:
        self.someone = someone
        self.view = someone.view
        found = [one for one in self.view.features if isinstance(one, CompareFeature)]
        self.feature = found[0]
        self.panel = self.feature.panel

    def compare(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
        self.do("compare", settle=False)
        self.someone.wait(lambda: self.feature._fresh)

    def do(self, action: str, *, settle: bool = True) -> None:
        self.someone.window.commands.named(f"page.{action}").trigger()
        if settle:
            self.someone.wait(lambda: not self.feature._jobs.busy)

    def can(self, action: str) -> bool:
        return self.someone.window.commands.named(f"page.{action}").isEnabled()

    def kinds(self) -> list[DifferenceKind]:
        model = self.panel.model
        return [model.difference(row).kind for row in range(model.rowCount())]

    def words(self, line: int) -> list[Polygon]:
        return [word.polygon for word in self.view.workspace.document.pages[0].lines[line].words]


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A second annotator: one word elsewhere, one less, two joined, one cut."""
    (tmp_path / "second").mkdir()
    path = copy_sample(SMALL, tmp_path / "second", image=False)
    workspace = PageWorkspace.open(path)
    line = workspace.document.pages[0].lines[1]
    joined = line.words[0].polygon[0], line.words[1].polygon[1]
    (right, top), (left, _) = joined
    bottom = line.words[0].polygon[2][1]
    cut = workspace.document.pages[0].lines[2].words[0].polygon
    middle = (cut[0][0] + cut[1][0]) / 2
    for edit in (
        SetPolygon(Outline(0, 0, 0), ((2365, 350), (2290, 350), (2290, 459), (2365, 459))),
        RemoveWord(0, 0, 2),
        SetPolygon(Outline(0, 1, 0), ((right, top), (left, top), (left, bottom), (right, bottom))),
        RemoveWord(0, 1, 1),
        SetPolygon(Outline(0, 2, 0), (cut[0], (middle, cut[0][1]), (middle, cut[2][1]), cut[3])),
        AddWord(
            0, 2, 1, WordValue("t99", ((middle, cut[0][1]), cut[1], cut[2], (middle, cut[2][1])))
        ),
    ):
        workspace.execute(edit)
    workspace.save()
    workspace.close()
    return path


@pytest.fixture
def judge(user, tmp_path: Path) -> Judge:
    return Judge(user(copy_sample(SMALL, tmp_path)))


def answering(monkeypatch: pytest.MonkeyPatch, number: int | None) -> None:
    """Answer every question about links."""

    def run(dialog: LinkDialog) -> int:
        if number is None:
            return 0
        dialog.buttons[number].setChecked(True)
        return 1

    monkeypatch.setattr(LinkDialog, "exec", run)


@pytest.mark.long
def test_differences_are_walked_taken_and_undone(
    judge: Judge, other: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = judge.view.workspace.path.read_bytes()
    assert not judge.can("next-difference")
    judge.compare(other, monkeypatch)
    assert judge.view.side.tabs.currentWidget() is judge.panel
    assert judge.kinds() == [
        DifferenceKind.SHAPE,
        DifferenceKind.MISSED,
        DifferenceKind.MERGED,
        DifferenceKind.SPLIT,
    ]
    assert "4 differences left" in judge.panel.figures.text()
    assert judge.panel.model.index(2, 1).data() == "العاصمة مساء"
    assert not judge.can("take-theirs")
    judge.do("next-difference")
    assert judge.view.canvas.selection.key == ShapeKey(0, 0)
    judge.do("take-theirs")
    assert judge.words(0)[0][0] == (2365, 350)
    assert judge.view.workspace.undo_label == "Take the other outline of a word"
    assert judge.kinds() == [DifferenceKind.MISSED, DifferenceKind.MERGED, DifferenceKind.SPLIT]
    answering(monkeypatch, None)
    judge.do("take-theirs")
    assert len(judge.kinds()) == 3  # the question was not answered
    answering(monkeypatch, 0)
    judge.do("take-theirs")
    assert len(judge.words(0)) == 2
    judge.do("take-theirs")
    assert judge.view.workspace.undo_label == "Merge words as the other did"
    answering(monkeypatch, 1)
    judge.do("take-theirs")
    assert judge.kinds() == []
    assert not judge.can("next-difference")
    tokens = judge.view.workspace.document.sections[0].segments[0].tokens
    assert tokens[8].source == "وعقد"
    assert judge.view.choice.links.word_of[0, 0, 8] == (0, 2, 1)
    assert [token.source for token in tokens[4:6]] == ["العاصمة", "مساء"]
    while judge.view.workspace.can_undo:
        judge.do("undo")
    judge.do("save")
    assert judge.view.workspace.path.read_bytes() == before
    assert len(judge.kinds()) == 4


@pytest.mark.long
def test_keeping_mine_decides_and_walking_goes_round(
    judge: Judge, other: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge.compare(other, monkeypatch)
    judge.do("previous-difference")
    assert judge.panel.row() == 3
    judge.do("next-difference")
    assert judge.panel.row() == 0
    judge.do("keep-mine")
    assert judge.kinds() == [DifferenceKind.MISSED, DifferenceKind.MERGED, DifferenceKind.SPLIT]
    assert not judge.view.workspace.can_undo
    judge.view.execute(MoveWord(0, 1, 0, 1, 1))
    judge.someone.wait(lambda: judge.feature._fresh)
    assert DifferenceKind.SHAPE not in judge.kinds()
    judge.do("compare")
    assert judge.view.side.tabs.indexOf(judge.panel) < 0
    assert not judge.feature._overlay.strokes
    assert not judge.can("keep-mine")


@pytest.mark.long
def test_both_side_by_side_move_together(
    judge: Judge, other: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge.someone.scan_is_there()
    judge.compare(other, monkeypatch)
    judge.do("side-by-side")
    mine, theirs = judge.view.canvas, judge.feature.compare_pane.canvas
    assert theirs.isVisible()
    assert theirs.base.pyramid is mine.base.pyramid
    judge.do("next-difference")
    assert theirs.camera.scale() == mine.camera.scale()

    def middle(canvas) -> tuple[float, float]:
        place = canvas.camera.to_page(QPointF(canvas.viewport().rect().center()))
        return place.x(), place.y()

    mine.camera.scroll_by(40, 60)
    assert middle(theirs) == pytest.approx(middle(mine), abs=20)
    theirs.camera.zoom_by(2.0)
    assert mine.camera.scale() == theirs.camera.scale()
    # A click on the other page goes to the difference that it is part of.
    theirs.outlines.reveal([ShapeKey(1, 0)])
    point = theirs.camera.to_view(QPointF(*theirs.shapes.points(ShapeKey(1, 0)).mean(axis=0)))
    QTest.mouseClick(
        theirs.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        point.toPoint(),
    )
    assert judge.panel.model.difference(judge.panel.row()).kind is DifferenceKind.MERGED
    judge.do("side-by-side")
    assert not theirs.isVisible()
    judge.do("compare")


@pytest.mark.long
def test_files_that_do_not_go_together_are_said(
    judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = copy_sample(TWO_PAGES, tmp_path / "two", image=False)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(two), ""))
    judge.do("compare")
    bar = judge.someone.window.message_bar
    assert "one file has 1 pages, the other 2" in bar.text.text().lower()
    wrong = tmp_path / "wrong.xml"
    wrong.write_text("nonsense")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(wrong), ""))
    judge.do("compare")
    judge.someone.wait(lambda: "one file" not in bar.text.text().lower())
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    judge.do("compare")
    assert not judge.someone.window.commands.named("page.compare").isChecked()


@pytest.mark.long
def test_another_document_ends_it(
    judge: Judge, other: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge.compare(other, monkeypatch)
    path = copy_sample(NORMAL, tmp_path / "more", image=False)
    shutil.copy(path, path.with_name("B.madcat.xml"))
    judge.someone.window.open(str(path))
    judge.someone.opened(path)
    assert not judge.someone.window.commands.named("page.compare").isChecked()
    assert judge.view.side.tabs.indexOf(judge.panel) < 0
