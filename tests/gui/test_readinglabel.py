"""Texts to read, in either direction."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from madcat_studio.gui.readinglabel import ReadingLabel

LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\u200e", "\u200f"


@pytest.mark.parametrize(
    ("text", "arabic"),
    [
        ("محمد علي went home (in 2009).", False),
        ("GALE 2009 كتاب جديد.", True),
        ("كتاب <b>bold</b> & more!", False),
    ],
)
def test_the_direction_is_that_of_the_language(qtbot, text: str, arabic: bool) -> None:
    """As a plain label shows it that is told the direction by a mark."""

    def picture(label: QLabel) -> QImage:
        qtbot.addWidget(label)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.resize(400, 60)
        return label.grab().toImage()

    def plain(mark: str) -> QImage:
        label = QLabel(mark + text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        if arabic:
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        return picture(label)

    label = ReadingLabel(text)
    if arabic:
        label.right_to_left()
    assert label.text() == text
    marks = (RIGHT_TO_LEFT, LEFT_TO_RIGHT) if arabic else (LEFT_TO_RIGHT, RIGHT_TO_LEFT)
    shown = picture(label)
    assert shown == plain(marks[0])
    assert shown != plain(marks[1])


def test_only_the_text_itself_is_copied(qtbot) -> None:
    text = "محمد  <b>said</b> so & left"
    label = ReadingLabel(text)
    qtbot.addWidget(label)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    label.resize(400, 60)
    label.show()
    QTest.keyClick(label, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert label.selectedText() == text
    QTest.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == text
