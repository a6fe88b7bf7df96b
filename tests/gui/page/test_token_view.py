"""Tokens in the window: text, status, links, scribe errors, the transcription lit."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from madcat_studio.formats.standoff import NAME, read_errors
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.tokens.editor import ArabicBox
from madcat_studio.gui.page.tokens.feature import TokenFeature
from madcat_studio.gui.page.tokens.texts import TextsDialog
from madcat_studio.gui.settings import THEME
from tests.gui.helpers import SMALL, PageUser, copy_sample

ENTER, ESCAPE, CTRL = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.KeyboardModifier.ControlModifier
LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class Linker:
    """Somebody who works on tokens."""

    def __init__(self, someone: PageUser) -> None:
        self.someone = someone
        self.view = someone.view
        found = [one for one in self.view.features if isinstance(one, TokenFeature)]
        self.editor = found[0].editor
        self.list = self.view.side.token_list
        self.view.choice.named_segment("s1")

    def choose(self, number: int) -> None:
        self.list.setCurrentIndex(self.view.side.token_model.index(number))

    def token(self, number: int):
        return self.view.workspace.document.sections[0].segments[0].tokens[number]

    def do(self, action: str) -> None:
        self.someone.window.commands.named(f"page.{action}").trigger()

    def can(self, action: str) -> bool:
        return self.someone.window.commands.named(f"page.{action}").isEnabled()


@pytest.fixture
def linker(user, tmp_path: Path) -> Linker:
    return Linker(user(copy_sample(SMALL, tmp_path, image=False)))


@pytest.mark.long
def test_the_text_is_edited_in_a_box_and_undone(linker: Linker) -> None:
    editor = linker.editor
    assert not linker.can("edit-token")
    linker.choose(4)
    assert editor.text.text() == "العاصمة"
    assert editor.text.layoutDirection() == Qt.LayoutDirection.RightToLeft
    linker.do("edit-token")
    editor.text.selectAll()
    editor.text.insert("GALE ٢٠٠٩")
    assert linker.token(4).source == "العاصمة"
    QTest.keyClick(editor.text, ENTER)
    assert linker.token(4).source == "GALE ٢٠٠٩"
    assert linker.view.workspace.undo_label == "Change the text of a token"
    assert linker.list.currentIndex().row() == 4
    linker.do("undo")
    assert editor.text.text() == "العاصمة"
    linker.do("redo")
    assert editor.text.text() == "GALE ٢٠٠٩"


@pytest.mark.long
def test_ctrl_and_enter_goes_on_and_esc_gives_up(linker: Linker) -> None:
    text = linker.editor.text
    linker.choose(0)
    QTest.keyClicks(text, "x")
    QTest.keyClick(text, ENTER, CTRL)
    assert linker.token(0).source == "وصلx"
    assert linker.list.currentIndex().row() == 1
    QTest.keyClicks(text, "abc")
    QTest.keyClick(text, ESCAPE)
    assert text.text() == linker.token(1).source == "الوفد"
    QTest.keyClick(text, ENTER)
    assert linker.view.workspace.undo_label == "Change the text of a token"
    linker.do("undo")
    assert not linker.view.workspace.can_undo


@pytest.mark.long
def test_what_is_being_typed_is_left_alone(linker: Linker) -> None:
    text = linker.editor.text
    linker.choose(0)
    linker.do("edit-token")
    text.insert("abc")
    linker.someone.window.settings.set(THEME, "dark")  # everything is dressed anew
    linker.do("save")
    assert text.text() == "abc"
    QTest.keyClick(text, ENTER)
    assert linker.token(0).source == "abc"


@pytest.mark.long
def test_undo_in_the_box_is_of_the_box_while_it_has_any_else_of_the_page(linker: Linker) -> None:
    text = linker.editor.text
    linker.choose(0)
    text.insert("x")
    QTest.keyClick(text, ENTER)
    linker.do("edit-token")
    QTest.keyClicks(text, "yz")
    QTest.keyClick(text, Qt.Key.Key_Z, CTRL)
    assert linker.token(0).source == "وصلx"
    assert text.text() == "وصلx"
    QTest.keyClick(text, Qt.Key.Key_Z, CTRL)
    assert linker.token(0).source == "وصل"


@pytest.mark.long
def test_what_no_file_can_hold_is_left_out_and_said(linker: Linker) -> None:
    linker.choose(0)
    QApplication.clipboard().setText("أ\x0bب\x04")
    text = linker.editor.text
    text.selectAll()
    text.paste()
    QTest.keyClick(text, ENTER)
    assert linker.token(0).source == "أب"


@pytest.mark.long
def test_a_text_with_odd_characters_is_only_written_where_it_was_edited(
    user, tmp_path: Path
) -> None:
    path = copy_sample(SMALL, tmp_path, image=False)
    raw = path.read_text(encoding="utf-8")
    odd = "وصل\u200f\n\u00a0(1)"
    path.write_text(raw.replace("<source>وصل<", f"<source>{odd}<"), encoding="utf-8")
    linker = Linker(user(path))
    linker.choose(0)
    linker.editor.text.setFocus()
    linker.choose(1)
    assert not linker.view.workspace.can_undo
    linker.choose(0)
    QTest.keyClick(linker.editor.text, Qt.Key.Key_End)
    QTest.keyClicks(linker.editor.text, "!")
    QTest.keyClick(linker.editor.text, ENTER)
    assert linker.token(0).source == f"{odd}!"


@pytest.mark.long
def test_status_and_scribe_error_are_set_and_remembered(linker: Linker) -> None:
    editor = linker.editor
    linker.choose(4)
    values = [editor.status.itemText(n) for n in range(editor.status.count())]
    assert values[:4] == ["", "extra", "missing", "typo"]
    editor.status.setEditText("unreadable")
    QTest.keyClick(editor.status.lineEdit(), ENTER)
    assert linker.token(4).status == "unreadable"
    linker.choose(5)
    assert editor.status.currentText() == ""
    assert editor.status.findText("unreadable") > 0
    editor.status.setCurrentIndex(editor.status.findText("unreadable"))
    editor.status.activated.emit(editor.status.currentIndex())
    assert linker.token(5).status == "unreadable"
    editor.error.setEditText("typo")
    QTest.keyClick(editor.error.lineEdit(), ENTER)
    editor.written.setText("مسا")
    QTest.keyClick(editor.written, ENTER)
    editor.intended.setText("مساء")
    QTest.keyClick(editor.intended, ENTER)
    linker.do("save")
    table = linker.view.workspace.path.with_name(NAME)
    found = read_errors(table, SMALL)[("s1", "s1-6")]
    assert (found.error, found.written, found.intended) == ("typo", "مسا", "مساء")
    for _ in range(3):
        linker.do("undo")
    assert editor.error.currentText() == ""
    linker.do("save")
    assert read_errors(table, SMALL) == {}


@pytest.mark.long
def test_a_token_is_unlinked_and_linked_to_the_word_that_is_clicked(linker: Linker) -> None:
    linker.choose(4)
    assert linker.view.canvas.selection.key == ShapeKey(1, 0)
    linker.do("unlink")
    assert linker.token(4).ref_id == ""
    assert not linker.can("unlink")
    linker.view.canvas.selection.choose([])
    linker.do("link")
    assert linker.view.canvas.tools.tool.name == "link"
    linker.someone.click(linker.someone.at(ShapeKey(1, 0)))
    assert linker.token(4).ref_id == "t3"
    assert linker.view.canvas.tools.tool.name == "select"
    assert linker.view.workspace.undo_label == "Link a token to a word"


@pytest.mark.long
def test_a_word_without_a_token_is_linked_to_the_token_that_is_chosen(linker: Linker) -> None:
    linker.choose(4)
    linker.do("unlink")
    linker.someone.click(linker.someone.at(ShapeKey(1, 0)))
    linker.do("link")
    for number in (0, 3):  # walking over others links nothing
        linker.choose(number)
    linker.choose(4)
    assert linker.token(4).ref_id == ""
    QTest.keyClick(linker.list, ENTER)
    assert linker.token(4).ref_id == "t3"


@pytest.mark.long
def test_linking_by_keys_and_giving_up(linker: Linker) -> None:
    linker.choose(2)  # missing: it has no word
    linker.do("link")
    linker.someone.press(ESCAPE)
    assert linker.view.canvas.tools.tool.name == "select"
    linker.choose(2)
    linker.do("link")
    linker.view.canvas.selection.choose([ShapeKey(0, 1)])
    linker.view.canvas.selection.choose([])
    linker.someone.press(ENTER)
    assert linker.token(2).ref_id == ""


@pytest.mark.long
@pytest.mark.parametrize(("answer", "first"), [("Link only the new one", ""), ("Link both", "t0")])
def test_a_word_that_has_a_token_asks(linker: Linker, monkeypatch, answer: str, first: str) -> None:
    def click(box: QMessageBox) -> int:
        button = next(b for b in box.buttons() if b.text() == answer)
        box.setProperty("clicked", True)
        monkeypatch.setattr(QMessageBox, "clickedButton", lambda _: button)
        return 0

    monkeypatch.setattr(QMessageBox, "exec", click)
    linker.choose(2)
    linker.do("link")
    linker.someone.click(linker.someone.at(ShapeKey(0, 0)))
    assert linker.token(0).ref_id == first
    assert linker.token(2).ref_id == "t0"
    linker.do("undo")
    assert (linker.token(0).ref_id, linker.token(2).ref_id) == ("t0", "")


@pytest.mark.long
def test_a_word_whose_id_is_doubled_cannot_be_linked(user, tmp_path: Path) -> None:
    path = copy_sample(SMALL, tmp_path, image=False)
    raw = path.read_text(encoding="utf-8")
    path.write_text(raw.replace('token-image id="t4"', 'token-image id="t3"'), encoding="utf-8")
    linker = Linker(user(path))
    linker.choose(2)
    linker.do("link")
    linker.someone.click(linker.someone.at(ShapeKey(1, 1)))
    assert "its own id" in linker.someone.window.message_bar.text.text()
    assert not linker.view.workspace.can_undo


@pytest.mark.long
def test_tokens_are_added_and_removed(linker: Linker) -> None:
    linker.choose(1)
    linker.do("add-token")
    assert (linker.token(2).id, linker.token(2).source) == ("s1-13", "")
    linker.editor.text.insert("جديد")
    QTest.keyClick(linker.editor.text, ENTER)
    assert linker.token(2).source == "جديد"
    assert linker.list.currentIndex().row() == 2
    linker.do("remove-token")
    assert linker.token(2).source == "الحكومي"
    linker.do("undo")
    assert linker.token(2).source == "جديد"


@pytest.mark.long
def test_the_transcription_is_lit_and_clicked(linker: Linker) -> None:
    view, side = linker.view, linker.view.side
    linker.choose(4)
    side.segment_list.viewport().repaint()
    # Every word of the transcription leads to its token: clicks all over the text find them.
    rect = side.segment_list.visualRect(side.segment_model.index(0))
    found = set()
    for x in range(rect.right() - 16, rect.left(), -14):
        point = QPointF(x, rect.top() + 50).toPoint()
        QTest.mouseClick(side.segment_list.viewport(), LEFT, PLAIN, point)
        QApplication.processEvents()
        found.add(linker.list.currentIndex().row())
    assert {0, 1, 3}.issubset(found)
    linker.choose(3)
    assert view.canvas.selection.key == ShapeKey(0, 2)


def test_a_table_that_cannot_be_read_is_said_at_once(user, tmp_path: Path) -> None:
    path = copy_sample(SMALL, tmp_path, image=False)
    path.with_name(NAME).write_bytes(b"\xff")
    someone = user(path)
    assert "UTF-8" in someone.window.message_bar.text.text()


@pytest.mark.long
def test_transcription_and_translation_are_edited_in_their_own_boxes(
    linker: Linker, monkeypatch
) -> None:
    segment = linker.view.workspace.document.sections[0].segments[0]
    before = segment.transcription, segment.translation
    seen: list[TextsDialog] = []

    def run(dialog: TextsDialog) -> int:
        seen.append(dialog)
        option = dialog.transcription.document().defaultTextOption()
        assert option.textDirection() == Qt.LayoutDirection.RightToLeft
        dialog.transcription.selectAll()
        dialog.transcription.insertPlainText("GALE\u00a02009\nسطر\x0b")
        dialog.translation.moveCursor(QTextCursor.MoveOperation.End)
        dialog.translation.insertPlainText(" More.")
        return 1

    monkeypatch.setattr(TextsDialog, "exec", run)
    linker.do("edit-texts")
    assert segment.transcription == "GALE\u00a02009\nسطر"
    assert segment.translation == f"{before[1]} More."
    assert "U+000B" in linker.someone.window.message_bar.text.text()
    linker.do("undo")
    assert (segment.transcription, segment.translation) == before

    # Each text has its own side, and changes it with what is typed.
    def look(dialog: TextsDialog) -> int:
        box, ways = dialog.transcription, Qt.LayoutDirection
        for typed, way in (("Zeile 1", ways.LeftToRight), ("Zeile سطر", ways.RightToLeft)):
            box.setPlainText(typed)
            assert box.document().defaultTextOption().textDirection() == way
        return 0

    monkeypatch.setattr(TextsDialog, "exec", look)
    linker.do("edit-texts")
    # Looked at only: nothing is written, whatever the text holds.
    monkeypatch.setattr(TextsDialog, "exec", lambda _: 1)
    linker.do("edit-texts")
    assert not linker.view.workspace.can_undo


@pytest.mark.parametrize(
    ("text", "right"), [("", True), ("كلمة", True), ("word", False), ("12", True), ("IBM ك", True)]
)
def test_the_box_of_a_token_has_the_side_of_its_letters(qtbot, text: str, right: bool) -> None:
    box = ArabicBox("written")
    qtbot.addWidget(box)
    box.setText("word" if right else "كلمة")  # and changes it
    box.setText(text)
    ways = Qt.LayoutDirection
    assert box.layoutDirection() == (ways.RightToLeft if right else ways.LeftToRight)
