"""One stroke cuts several outlines, with their texts where that is asked for; one step of undo."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from madcat_studio.gui.page.asklink import LinkDialog, PartDialog
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey
from madcat_studio.model.geometry import bounding_box
from tests.gui.helpers import NORMAL, copy_sample, run
from tests.gui.page.test_tools import Artist

K = Qt.Key
DOWN = [(3700.0, 560.0), (3690.0, 1100.0), (3700.0, 1560.0)]
"""From above the first line to below the second, through one word of each."""
PART = -1
"""The answer that splits the text as well."""


class Cutter(Artist):
    """Somebody who answers what cuts ask, and notes what was asked."""

    def __init__(self, someone: Any) -> None:
        super().__init__(someone)
        self.asked: list[LinkDialog] = []
        self.act: Callable[[LinkDialog], None] = lambda _: None

    def answer(self, dialog: LinkDialog) -> QDialog.DialogCode:
        self.asked.append(dialog)
        answer = self.answers.pop(0)
        if answer is None:
            return QDialog.DialogCode.Rejected
        dialog.buttons[answer].setChecked(True)
        self.act(dialog)
        return QDialog.DialogCode.Accepted

    def words(self, line: int) -> list[str | None]:
        return [word.id for word in self.workspace.document.pages[0].lines[line].words]

    def lines(self) -> list[str | None]:
        return [line.id for line in self.workspace.document.pages[0].lines]

    def tokens(self) -> list[str | None]:
        return [t.source for t in self.workspace.document.sections[0].segments[0].tokens]

    def said(self) -> str:
        return self.workspace.document.sections[0].segments[0].transcription or ""


@pytest.fixture
def cutter(user: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cutter:
    made = Cutter(user(copy_sample(NORMAL, tmp_path, image=False)))
    made.canvas.camera.fit()
    made.canvas.setFocus()
    monkeypatch.setattr(LinkDialog, "exec", lambda dialog: made.answer(dialog))
    return made


def _shown(a: Cutter) -> list[tuple[float, ...]]:
    """The boxes of the parts that are shown, rounded to tens."""
    strokes = [stroke for stroke in a.canvas.tools.sketch.strokes if stroke.fill]
    boxes = [stroke.path.boundingRect() for stroke in strokes]
    return [
        tuple(round(edge / 10) * 10 for edge in (b.left(), b.top(), b.right(), b.bottom()))
        for b in boxes
    ]


@pytest.mark.long
def test_one_stroke_cuts_words_of_two_lines(cutter: Cutter) -> None:
    before, hints = cutter.bytes(), []
    cutter.someone.view.advice.connect(hints.append)
    cutter.use("cut")
    cutter.stroke(*DOWN)
    shown = _shown(cutter)
    assert [box[1] for box in shown] == [690, 690, 1180, 1180], "both parts of both words"
    assert [(shown[0][2], shown[1][0]), (shown[2][2], shown[3][0])] == [(3980, 3480)] * 2
    assert hints[-1] == "It cuts 2 words"
    assert cutter.bytes() == before, "nothing is cut while the button is down"
    cutter.answers = [0, 1]
    cutter.release(*DOWN[-1])
    assert (cutter.words(0)[2:4], cutter.words(1)[2:4]) == (["t2", "t43"], ["t44", "t9"])
    assert cutter.canvas.selection.keys == [
        ShapeKey(0, 2), ShapeKey(0, 3), ShapeKey(1, 2), ShapeKey(1, 3),
    ]  # fmt: skip
    assert cutter.workspace.undo_label == "Split 2 words"
    assert cutter.workspace.position == 1
    assert _shown(cutter) == []
    run(cutter.someone.view, "page.undo")
    assert cutter.bytes() == before
    run(cutter.someone.view, "page.redo")
    assert cutter.words(1)[2:4] == ["t44", "t9"]


@pytest.mark.long
def test_one_stroke_cuts_lines_in_columns(cutter: Cutter) -> None:
    cutter.use("cut", layer=OutlineKind.LINE)
    middle = [(3443.0, 500.0), (3443.0, 2000.0)]
    cutter.stroke(*middle)
    assert len(_shown(cutter)) == 6
    cutter.release(*middle[-1])
    assert cutter.lines() == ["z0", "z6", "z1", "z7", "z2", "z8", "z3", "z4", "z5"]
    assert cutter.words(0) + cutter.words(1) == [f"t{n}" for n in range(7)]
    assert cutter.canvas.selection.keys == [ShapeKey(n) for n in range(6)]
    assert cutter.workspace.undo_label == "Split 3 lines"


@pytest.mark.long
def test_what_is_locked_or_hardly_touched_is_not_cut(cutter: Cutter) -> None:
    cutter.canvas.selection.select([ShapeKey(1)])
    run(cutter.someone.view, "page.lock")
    cutter.use("cut", layer=OutlineKind.LINE)
    cutter.stroke((3443, 500), (3443, 2000))
    assert [box[1] for box in _shown(cutter)] == [610, 610, 1600, 1600]
    cutter.key(K.Key_Escape)
    cutter.release(3443, 2000)
    # Past the end of line 2, of which it takes a strip as wide as a letter.
    cutter.stroke((4740, 500), (4740, 1040), (4730, 1580), (3600, 1590), (3600, 2000))
    assert {box[1] for box in _shown(cutter)} == {1600}


@pytest.mark.long
def test_of_chosen_outlines_only_those_are_cut(cutter: Cutter) -> None:
    cutter.use("cut", ShapeKey(1, 2))
    cutter.answers = [0]
    cutter.stroke(*DOWN)
    cutter.release(*DOWN[-1])
    assert (cutter.words(0), cutter.words(1)[2:4]) == ([f"t{n}" for n in range(7)], ["t9", "t43"])


@pytest.mark.long
def test_a_stroke_that_ends_within_words_cuts_one(cutter: Cutter) -> None:
    cutter.use("cut")
    cutter.answers = [0]
    cutter.stroke((3700, 560), (3700, 1290))
    assert len(_shown(cutter)) == 2
    cutter.release(3700, 1290)
    assert (cutter.words(0)[2:4], len(cutter.words(1))) == (["t2", "t43"], 7)


@pytest.mark.long
def test_the_text_is_split_with_the_word_where_the_bar_stands(cutter: Cutter) -> None:
    before = cutter.bytes()
    cutter.use("cut", ShapeKey(0, 2))
    cutter.answers = [PART]
    cutter.stroke((3700, 560), (3700, 1000))
    cutter.release(3700, 1000)
    dialog = cutter.asked[0]
    assert isinstance(dialog, PartDialog)
    assert dialog.box.text() == "الثقا | فة", "where the pen was lifted, near the cut"
    assert dialog.box.accessibleName() == dialog.buttons[-1].text()[4:]
    assert cutter.tokens()[1:5] == ["وزير", "الثقا", "فة", "أمس"]
    assert cutter.said().startswith("افتتح وزير الثقا فة أمس ")
    assert cutter.words(0)[2:4] == ["t2", "t43"]
    assert cutter.workspace.position == 1
    run(cutter.someone.view, "page.undo")
    assert cutter.bytes() == before


@pytest.mark.long
def test_the_bar_is_moved_by_keys_and_by_a_click(cutter: Cutter) -> None:
    places = []

    def move(dialog: LinkDialog) -> None:
        assert isinstance(dialog, PartDialog)
        dialog.buttons[0].setChecked(True)
        dialog.box.resize(200, 30)
        for key in (K.Key_Left, K.Key_Left, K.Key_Left, K.Key_Right):
            QTest.keyClick(dialog.box, key)
            places.append(dialog.box.text())
        assert dialog.answer() == 2, "to move the bar is to want it"
        edge = QPoint(dialog.box.width() - 6, 15)  # the first letter is on the right
        QTest.mouseClick(dialog.box, Qt.MouseButton.LeftButton, pos=edge)
        places.append(dialog.box.text())

    cutter.use("cut", ShapeKey(0, 2))
    cutter.answers, cutter.act = [0], move
    cutter.stroke((3700, 560), (3700, 1000))
    cutter.release(3700, 1000)
    assert places == ["الثقاف | ة", "الثقاف | ة", "الثقاف | ة", "الثقا | فة", "ا | لثقافة"]
    assert cutter.tokens()[2:4] == ["ا", "لثقافة"]


@pytest.mark.long
def test_to_give_up_one_question_cuts_nothing(cutter: Cutter) -> None:
    before = cutter.bytes()
    cutter.use("cut")
    cutter.answers = [0, None]
    cutter.stroke(*DOWN)
    cutter.release(*DOWN[-1])
    assert cutter.bytes() == before
    run(cutter.someone.view, "page.redo")
    assert cutter.canvas.tools.begun.has("cut"), "the stroke can be had again"
    assert len(_shown(cutter)) == 4
    cutter.answers = [0, 0]
    cutter.key(K.Key_Return)
    assert len(cutter.words(0)) + len(cutter.words(1)) == 16


@pytest.mark.long
def test_words_are_joined_without_a_blank(cutter: Cutter) -> None:
    before = cutter.bytes()
    cutter.canvas.selection.select([ShapeKey(0, 2), ShapeKey(0, 3)])
    cutter.answers = [PART]
    run(cutter.someone.view, "page.merge")
    assert cutter.tokens()[1:4] == ["وزير", "الثقافةأمس", "معرضا"]
    assert cutter.said().startswith("افتتح وزير الثقافةأمس معرضا ")
    polygon = cutter.workspace.document.pages[0].lines[0].words[2].polygon
    assert bounding_box(polygon) == (3203, 634, 3978, 917)
    run(cutter.someone.view, "page.undo")
    assert cutter.bytes() == before
