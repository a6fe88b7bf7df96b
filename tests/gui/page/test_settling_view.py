"""Settling between several annotators in the window, by keys and mouse."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFileDialog

from madcat_studio.edits import RemoveWord, SetPolygon
from madcat_studio.edits.base import Outline
from madcat_studio.edits.splitting import split_word
from madcat_studio.gui.page.asklink import LinkDialog
from madcat_studio.gui.page.documents import Documents
from madcat_studio.gui.page.settling.feature import SettleFeature
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.settings import QUEUE_NAME
from madcat_studio.model.geometry import bounding_box
from madcat_studio.workspace.decisions import Decisions
from madcat_studio.workspace.journal import journal_folder
from madcat_studio.workspace.page import PageWorkspace
from tests.gui.helpers import NORMAL, PageUser, can, copy_sample, run

CTRL = Qt.KeyboardModifier.ControlModifier
MOVED = ((4743, 700), (4386, 700), (4386, 990), (4743, 990))
RECORD = f"{NORMAL}.settled.tsv"


class Judge:
    """Somebody who settles between several."""

    def __init__(self, someone: PageUser) -> None:
        self.someone = someone
        self.view = someone.view
        found = [one for one in self.view.features if isinstance(one, SettleFeature)]
        self.feature = found[0]
        self.panel = self.feature.panel

    def begin(self, paths: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
        texts = [str(path) for path in paths]
        monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (texts, ""))
        run(self.view, "page.settle")
        self.ready()
        self.view.canvas.setFocus()

    def ready(self) -> None:
        self.someone.wait(lambda: self.feature._fresh and not self.feature._jobs.busy)

    def key(self, *arguments: Any) -> None:
        QTest.keyClick(self.view.canvas, *arguments)
        self.ready()

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        model = self.panel.model
        return [
            tuple(model.index(row, column).data() for column in range(3))  # type: ignore[misc]
            for row in range(model.rowCount())
        ]

    @property
    def versions(self) -> list[str]:
        box = self.panel.versions
        return [box.item(row).text() for row in range(box.count())]

    @property
    def document(self) -> Any:
        assert self.view.workspace is not None
        return self.view.workspace.document


@pytest.fixture
def others(tmp_path: Path) -> list[Path]:
    """Ana and Bob: both cut t2, both moved t0, only Bob has no t8."""
    paths = []
    for name in ("ana", "bob"):
        path = copy_sample(NORMAL, tmp_path / name, image=False)
        workspace = PageWorkspace.open(path)
        workspace.execute(SetPolygon(Outline(0, 0, 0), MOVED))
        workspace.execute(split_word(workspace.document, 0, 0, 2, ((3700, 600), (3700, 1000))))
        if name == "bob":
            workspace.execute(RemoveWord(0, 1, 1))
        workspace.save()
        workspace.close()
        paths.append(path)
    return paths


@pytest.fixture
def judge(user: Any, tmp_path: Path, others: list[Path], monkeypatch: pytest.MonkeyPatch) -> Judge:
    monkeypatch.setattr(LinkDialog, "exec", lambda dialog: QDialog.DialogCode.Accepted)
    someone = user(copy_sample(NORMAL, tmp_path / "lead", image=False))
    someone.window.settings.set(QUEUE_NAME, "carla")
    made = Judge(someone)
    made.begin(others, monkeypatch)
    return made


@pytest.mark.long
def test_places_are_listed_and_what_most_have_is_marked(judge: Judge) -> None:
    assert judge.rows == [
        ("Word", "افتتح", "2 : 1"),
        ("Word", "الثقافة", "2 : 1"),
        ("Word", "المدينة", "2 : 1"),
    ]
    assert judge.versions == ["1   ana, bob (2 of 3)", "2   lead (1 of 3)"]
    assert judge.panel.versions.currentRow() == 0
    assert judge.panel.names.text() == "lead · ana · bob"
    figures = judge.panel.figures.text().splitlines()
    assert figures[0].startswith("Words: alpha 0.9")
    assert figures[0].endswith("42 outlined by all")
    assert figures[2] == "3 places left"
    overlay = judge.feature._overlay
    assert [stroke.fill for stroke in overlay.strokes] == [50, 0]
    assert [tag.text for tag in overlay.tags] == ["1", "2"]
    assert judge.view.canvas.selection.keys == [ShapeKey(0, 0)]


@pytest.mark.long
def test_the_marked_version_is_taken_by_key_and_the_next_place_comes(judge: Judge) -> None:
    judge.key("t", CTRL)
    assert bounding_box(judge.document.pages[0].lines[0].words[0].polygon) == (4386, 700, 4743, 990)
    assert [row[1] for row in judge.rows] == ["الثقافة", "المدينة"]
    assert judge.versions == ["1   ana, bob (2 of 3): 2 outlines", "2   lead (1 of 3)"]
    judge.key("t", CTRL)
    assert len(judge.document.pages[0].lines[0].words) == 8
    assert judge.versions[1] == "2   bob (1 of 3): nothing here"
    judge.key("2")
    assert judge.panel.versions.currentRow() == 1
    judge.key("t", CTRL)
    assert len(judge.document.pages[0].lines[1].words) == 6
    assert judge.rows == []
    assert not can(judge.view, "page.take-theirs")
    assert judge.view.workspace is not None
    assert judge.view.workspace.position == 3


@pytest.mark.long
def test_what_is_undone_is_open_again_and_what_is_redone_settled(judge: Judge) -> None:
    judge.key("t", CTRL)
    run(judge.view, "page.undo")
    judge.ready()
    assert len(judge.rows) == 3
    run(judge.view, "page.redo")
    judge.ready()
    assert len(judge.rows) == 2


@pytest.mark.long
def test_mine_is_kept_and_places_are_gone_through(judge: Judge) -> None:
    judge.key(Qt.Key.Key_F7)
    assert judge.view.canvas.selection.keys == [ShapeKey(0, 2)]
    judge.key(Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    judge.key(Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    assert judge.view.canvas.selection.keys == [ShapeKey(1, 1)]
    judge.key(Qt.Key.Key_F7)
    judge.key("k", CTRL)
    assert [row[1] for row in judge.rows] == ["الثقافة", "المدينة"]
    assert judge.view.workspace is not None
    assert not judge.view.workspace.dirty, "nothing is edited by keeping"


@pytest.mark.long
def test_whoever_goes_line_by_line_sees_the_line_of_the_place(judge: Judge) -> None:
    run(judge.view, "page.flow")
    judge.key(Qt.Key.Key_F7)
    judge.key(Qt.Key.Key_F7)
    flow = judge.view.features.flow
    assert (flow.line, flow.entries[flow._current].text) == (1, "المدينة")
    assert judge.view.side.segment_list.currentIndex().isValid(), "and its segment is marked"


@pytest.mark.long
def test_what_most_have_is_taken_everywhere_in_one_step(judge: Judge) -> None:
    run(judge.view, "page.settle-majority")
    judge.ready()
    assert judge.rows == []
    assert judge.view.workspace is not None
    assert judge.view.workspace.position == 1
    message = judge.someone.window.message_bar.message
    assert message is not None
    assert message.text == "3 places are settled by majority; 0 left."
    assert len(judge.document.pages[0].lines[0].words) == 8
    assert len(judge.document.pages[0].lines[1].words) == 7
    run(judge.view, "page.undo")
    judge.ready()
    assert len(judge.rows) == 2, "the third is as it was all the time"


@pytest.mark.long
def test_the_record_says_who_was_taken_once_the_page_is_saved(judge: Judge, tmp_path: Path) -> None:
    record = tmp_path / "lead" / RECORD
    judge.key("t", CTRL)
    judge.key("k", CTRL)
    assert not record.exists()
    run(judge.view, "page.save")
    judge.someone.wait(record.exists)
    rows = [line.split("\t") for line in record.read_text("utf-8").splitlines()]
    assert [row[1:10] for row in rows[1:]] == [
        ["word", "4386", "700", "4743", "990", "ana, bob", "2", "3", "carla"],
        ["word", "3478", "686", "3978", "917", "lead", "1", "3", "carla"],
    ]


@pytest.mark.long
def test_what_was_decided_without_an_edit_is_there_after_a_kill(
    user: Any, judge: Judge, tmp_path: Path, others: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "lead" / f"{NORMAL}.madcat.xml"
    judge.key("k", CTRL)
    (kept,) = Decisions(page).taken.values()  # on the disk by now, whatever comes
    assert (kept.annotators, kept.votes, kept.of, kept.by) == (("lead",), 1, 3, "carla")
    judge.key("t", CTRL)
    left = tmp_path / "left"
    shutil.copytree(journal_folder().parent, left)
    monkeypatch.setattr(Documents, "may_close", lambda _: True)
    judge.someone.window.close()
    shutil.rmtree(journal_folder().parent)
    shutil.copytree(left, journal_folder().parent)  # as a kill would have left it
    again = Judge(user(page))
    again.someone.wait(lambda: again.feature.is_on)
    again.ready()
    assert [row[1] for row in again.rows] == ["المدينة"]
    assert again.view.workspace is not None
    assert again.view.workspace.position == 1, "the edit that was made came back as well"
    run(again.view, "page.save")
    record = tmp_path / "lead" / RECORD
    again.someone.wait(record.exists)
    rows = [line.split("\t")[6:9] for line in record.read_text("utf-8").splitlines()]
    assert rows[1:] == [["lead", "1", "3"], ["ana, bob", "2", "3"]]
    # What is left by its user does not come back by itself; what was decided is known.
    run(again.view, "page.settle")
    again.someone.window.close()
    third = Judge(user(page))
    assert not third.feature.is_on
    third.begin(others, monkeypatch)
    assert [row[1] for row in third.rows] == ["المدينة"]


@pytest.mark.long
def test_the_record_says_that_nothing_was_taken(judge: Judge, tmp_path: Path) -> None:
    for keys in (("t", CTRL), ("t", CTRL), ("2",), ("t", CTRL)):
        judge.key(*keys)
    run(judge.view, "page.save")
    record = tmp_path / "lead" / RECORD
    judge.someone.wait(record.exists)
    rows = [line.split("\t") for line in record.read_text("utf-8").splitlines()]
    assert [row[6] for row in rows[1:]] == ["ana, bob", "ana, bob", "nothing: bob"]


@pytest.mark.long
def test_it_is_left_and_goes_with_the_document(judge: Judge, tmp_path: Path) -> None:
    run(judge.view, "page.settle")
    assert not judge.feature.is_on
    assert judge.view.side.tabs.indexOf(judge.panel) == -1
    assert not judge.feature._overlay.strokes


@pytest.mark.long
def test_a_file_of_other_pages_is_refused(user: Any, tmp_path: Path, monkeypatch: Any) -> None:
    from tests.gui.helpers import TWO_PAGES

    someone = user(copy_sample(NORMAL, tmp_path, image=False))
    other = copy_sample(TWO_PAGES, tmp_path / "other", image=False)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(other)], ""))
    run(someone.view, "page.settle")
    someone.wait(lambda: someone.window.message_bar.message is not None)
    assert someone.window.message_bar.message.code == "compare.page-count"
    assert not someone.view.features.settling.is_on
