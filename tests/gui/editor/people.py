"""An editor at the keyboard of the real window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from madcat_studio.gui.editor.textbox import EditBox
from madcat_studio.gui.editor.view import KitView
from madcat_studio.gui.mainwindow import MainWindow
from madcat_studio.scoring.columns import columns
from madcat_studio.workspace.kit import KitWorkspace
from madcat_ter.ter import ter

__all__ = ["Person"]


class Person:
    """Somebody at the keyboard."""

    def __init__(self, window: MainWindow, wait: Callable[..., None]) -> None:
        self.window, self._wait = window, wait

    def wait(self, condition: Callable[[], bool]) -> None:
        self._wait(condition)

    @property
    def view(self) -> KitView:
        view = self.window.view("kit")
        assert isinstance(view, KitView)
        return view

    @property
    def box(self) -> EditBox:
        return self.view.kit_page.box

    @property
    def kit(self) -> KitWorkspace:
        workspace = self.view.kit_page.workspace
        assert workspace is not None
        return workspace

    def sit_down(self, name: str) -> None:
        """Choose a name and open the first kit, by keyboard."""
        self.wait(lambda: self.window.current_view() is not None)
        desk = self.view.desk_page
        row = desk.who.findData(name)
        assert row >= 0
        desk.who.setFocus()
        while desk.who.currentIndex() != row:
            down = desk.who.currentIndex() < row
            QTest.keyClick(desk.who, Qt.Key.Key_Down if down else Qt.Key.Key_Up)
        self.wait(lambda: bool(desk.buttons))
        QTest.keyClick(desk.buttons[0], Qt.Key.Key_Space)
        self.wait(lambda: self.view.kit_page.workspace is not None)

    def type(self, text: str) -> None:
        plain = Qt.KeyboardModifier.NoModifier
        for letter in text:  # QTest's own keys know Latin letters only
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                QApplication.sendEvent(self.box, QKeyEvent(kind, 0, plain, letter))

    def press(self, keys: str, widget: QWidget | None = None) -> None:
        combination = QKeySequence(keys)[0]
        QTest.keyClick(widget or self.box, combination.key(), combination.keyboardModifiers())

    def rewrite(self, text: str) -> None:
        self.press("Ctrl+A")
        self.type(text)

    def scored(self) -> None:
        """Wait until the alignment is that of the text on the screen."""
        segment = self.kit.segments[self.kit.current]
        before = segment.output if segment.first is None else segment.first

        def fresh() -> bool:
            text = self.kit.own(self.kit.current).text
            return self.view.kit_page.pane.changes.alignment.columns == columns(ter(before, [text]))

        self.wait(fresh)

    def answer(self, kind: type[QDialog], act: Callable[[Any], object]) -> None:
        """Do something with the dialog of this kind, as soon as it is there."""
        timer = QTimer(self.window)

        def look() -> None:
            dialog = QApplication.activeModalWidget()
            if isinstance(dialog, kind):
                timer.stop()
                timer.deleteLater()
                act(dialog)

        timer.timeout.connect(look)
        timer.start(10)
