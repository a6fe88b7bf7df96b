"""Runs actions as a user does, while nobody answers a dialog."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QInputDialog,
    QMenu,
    QMessageBox,
)

from madcat_studio.gui.mainwindow import MainWindow

__all__ = ["Runner", "nobody_answers"]


def nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every dialog is left at once, and nothing is shown outside of the window."""

    def leave(dialog: QDialog) -> int:
        dialog.done(0)
        return 0

    for kind in (QDialog, QMessageBox):
        for name in ("exec", "open"):
            monkeypatch.setattr(kind, name, leave)
    for name in ("question", "information", "warning", "about"):
        monkeypatch.setattr(QMessageBox, name, lambda *_: QMessageBox.StandardButton.Cancel)
    for name in ("getOpenFileName", "getSaveFileName", "getOpenFileNames"):
        monkeypatch.setattr(QFileDialog, name, lambda *_: ("", ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: ("", False))
    monkeypatch.setattr(QInputDialog, "getInt", lambda *_: (0, False))
    monkeypatch.setattr(QInputDialog, "getDouble", lambda *_: (0.0, False))
    for name in ("exec", "popup"):
        monkeypatch.setattr(QMenu, name, lambda *_: None)
    monkeypatch.setattr(QComboBox, "showPopup", lambda _: None)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: True)


class Runner:
    """Runs the actions of one part of a window.

    Attributes:
        left: the ids of those that were not run yet.
    """

    def __init__(self, window: MainWindow, *parts: str) -> None:
        self.window = window
        self.left = [
            action.id
            for action in window.commands.declared()
            if action.part in parts and not action.local
        ]
        window.refresh()

    def run(self, *identifiers: str) -> None:
        """Run these, one after the other, each of which can be used now."""
        for identifier in identifiers:
            assert self._run(identifier), f"{identifier} cannot be used"

    def run_what_can_be(self, *, last: tuple[str, ...] = ()) -> None:
        """Run all that are left and can be used; ``last`` are kept for later."""
        for identifier in list(self.left):
            if identifier not in last:
                self._run(identifier)

    def _run(self, identifier: str) -> bool:
        ran: list[bool] = []
        count: Callable[[], None] = lambda: ran.append(True)  # noqa: E731
        self.window.commands.ran.connect(count)
        self.window.commands.named(identifier).trigger()
        self.window.commands.ran.disconnect(count)
        if ran and identifier in self.left:
            self.left.remove(identifier)
        return bool(ran)
