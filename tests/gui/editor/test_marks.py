"""Marks in the edit box are painted at the words that they are about, wherever these stand."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QImage, QInputMethodEvent, QPainter, QTextCursor
from PySide6.QtWidgets import QApplication, QTextEdit

from madcat_studio.gui.editor.marks import Mark
from madcat_studio.gui.editor.positions import to_qt
from madcat_studio.gui.editor.textbox import EditBox

TEXT = "The mayor 🙂 opend the bridge — المدينة — that the city had waitd for, and all went home."


@pytest.fixture
def box(qtbot) -> EditBox:
    box = EditBox()
    qtbot.addWidget(box)
    box.resize(260, 200)
    box.show_text(TEXT, 0, 0)
    box.setCursorWidth(0)
    box.show()
    return box


def changed(box: EditBox, before) -> QRect:
    """The place of all pixels that are other than they were."""
    now = box.grab().toImage()
    places = [
        (x, y)
        for y in range(now.height())
        for x in range(now.width())
        if now.pixel(x, y) != before.pixel(x, y)
    ]
    assert places
    across, down = zip(*places, strict=True)
    return QRect(min(across), min(down), max(across) - min(across), max(down) - min(down))


def place_of(box: EditBox, start: int, end: int) -> QRect:
    """Where the characters of a text stand."""
    cursor = box.textCursor()
    cursor.setPosition(start)
    first = box.cursorRect(cursor)
    cursor.setPosition(end)
    place = first.united(box.cursorRect(cursor))
    return place.translated(box.viewport().pos()).adjusted(-2, -1, 2, 2)


@pytest.mark.parametrize("kind", Mark)
@pytest.mark.parametrize("word", ["opend", "waitd", "المدينة"])
def test_a_mark_stands_at_its_word_and_nowhere_else(box: EditBox, kind: Mark, word: str) -> None:
    before = box.grab().toImage()
    start = TEXT.index(word)
    place = (to_qt(TEXT, start), to_qt(TEXT, start + len(word)))
    assert box.marks.set(kind, [place])
    assert box.marks.words() == box.marks.words(kind) == [word]
    found = changed(box, before)
    assert place_of(box, *place).contains(found)
    assert found.width() > 0.7 * place_of(box, *place).width()
    assert box.marks.set(kind, [])
    assert box.grab().toImage() == before


@pytest.mark.parametrize("words", ["المدينة", "الكبيرة", "of المدينة", "الكبيرة opend", "opend"])
def test_a_mark_lies_where_qt_itself_would_colour_the_words(box: EditBox, words: str) -> None:
    """Where two directions meet, one place between characters is two places on the line."""
    text = "The mayor of المدينة الكبيرة opend it."
    box.resize(600, 100)
    box.show_text(text, 0, 0)
    before = box.grab().toImage()
    start, end = text.index(words), text.index(words) + len(words)
    box.marks.set(Mark.COACHED, [(start, end)])
    found = changed(box, before)
    box.marks.set(Mark.COACHED, [])
    selection = QTextEdit.ExtraSelection()
    selection.cursor = box.textCursor()
    selection.cursor.setPosition(start)
    selection.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    selection.format.setBackground(QColor(200, 230, 220))
    box.setExtraSelections([selection])
    expected = changed(box, before)
    blank = box.fontMetrics().horizontalAdvance(" ")  # which Qt colours with a word beside it
    assert abs(found.left() - expected.left()) <= blank
    assert abs(found.right() - expected.right()) <= blank


def test_a_mark_follows_its_word(box: EditBox) -> None:
    box.mark_misspelled(TEXT, ((12, 17),))
    box.textCursor().insertText("And so ")
    assert box.marks.words() == ["opend"]
    assert box.marks.around(Mark.MISSPELT, 22) == [(20, "opend")]
    assert box.marks.around(Mark.MISSPELT, 3) == []


def test_a_mark_stands_at_its_word_while_one_composes_before_it(box: EditBox) -> None:
    box.resize(900, 200)
    shown = place_of(box, 13, 18)
    QApplication.sendEvent(box, QInputMethodEvent("ばばば", []))
    before = box.grab().toImage()
    box.marks.set(Mark.MISSPELT, [(13, 18)])
    moved = changed(box, before).left() - shown.left()
    assert abs(moved - box.fontMetrics().horizontalAdvance("ばばば")) < 8


def test_a_mark_over_two_lines_is_drawn_on_both(box: EditBox) -> None:
    before = box.grab().toImage()
    box.marks.set(Mark.COACHED, [(10, 60)])
    assert changed(box, before).height() > 1.5 * box.fontMetrics().lineSpacing()


def test_what_is_painted_anew_gets_its_marks_and_no_others(box: EditBox) -> None:
    box.resize(260, 400)
    text = " ".join(["The mayor opend the bridge."] * 12)
    box.show_text(text, 0, 0)
    words = [(found.start(), found.end()) for found in re.finditer(r"\w+ \w+", text)]
    box.marks.set(Mark.MISSPELT, words)
    block, corner = box.document().firstBlock(), QPointF(3, 5)
    everywhere = list(box.marks.boxes(block, corner, QRectF(0, 0, 260, 2000)))
    layout = block.layout()
    assert layout.lineCount() > 8
    assert len(everywhere) > len(words), "some go over the end of a line"
    for first in range(layout.lineCount()):
        for last in range(first, min(first + 3, layout.lineCount())):
            top, bottom = (layout.lineAt(n).rect().center().y() + 5 for n in (first, last))
            exposed = QRectF(20, top, 9, bottom - top + 1)
            wanted = [
                one for one in everywhere if top < one.around.bottom() and one.around.top() < bottom
            ]
            assert list(box.marks.boxes(block, corner, exposed)) == wanted
    assert list(box.marks.boxes(block, corner, QRectF(0, -50, 260, 20))) == []


@pytest.mark.parametrize("kind", Mark)
def test_a_mark_has_a_colour_of_its_own_in_the_dark(box: EditBox, kind: Mark) -> None:
    box.marks.set(kind, [(4, 9)])
    block = box.document().firstBlock()
    [place] = box.marks.boxes(block, QPointF(), QRectF(0, 0, 260, 200))
    seen = []
    for dark in (False, True):
        image = QImage(260, 200, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        box.marks.paint_lines(painter, [place], dark=dark)
        painter.end()
        middle = [image.pixelColor(x, round(place.baseline) + 2) for x in range(40, 60)]
        strongest = max(middle, key=lambda colour: colour.alpha())
        assert strongest.alpha() > 100
        assert abs(strongest.hue() - kind.colour(dark=dark).hue()) < 12
        seen.append(strongest)
    assert seen[0] != seen[1]
