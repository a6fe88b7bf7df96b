"""Which key means what on a page."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeyEvent, QKeySequence

from madcat_studio.gui.declarations import Action
from madcat_studio.gui.keyboard import strokes
from madcat_studio.gui.keymap import Keymap

__all__ = ["CanvasKeys"]


class CanvasKeys(QObject):
    """What keys say: as its user wants it, else as declared."""

    def __init__(
        self,
        actions: tuple[Action[Any], ...] = (),
        keymap: Keymap | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._actions, self._keymap = actions, keymap
        if keymap is not None:
            keymap.changed.connect(self._read)
        self._read()

    def _read(self) -> None:
        keymap = self._keymap
        self._meanings = {
            QKeySequence(text).toString(): action
            for action in self._actions
            for text in (action.shortcut if keymap is None else keymap.keys(action))
        }

    def action(self, event: QKeyEvent) -> Action[Any] | None:
        """The action that a key says, None for nothing."""
        meant = (self._meanings.get(stroke) for stroke in strokes(event))
        return next((action for action in meant if action is not None), None)
