"""What a test of the window leaves behind does not reach the next one."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget


@pytest.mark.parametrize("turn", range(2))
def test_no_key_is_held_when_a_test_begins(qtbot, turn: int) -> None:
    assert QApplication.keyboardModifiers() is Qt.KeyboardModifier.NoModifier
    widget = QWidget()
    qtbot.addWidget(widget)
    held = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, held)
    assert QApplication.keyboardModifiers() == held
