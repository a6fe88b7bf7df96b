"""The tool at hand while a page is gone through line by line: arrow keys go on."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Qt

from madcat_studio.gui.page.stage import Stage
from madcat_studio.gui.page.tools.editing import Editing
from madcat_studio.gui.page.tools.select import SelectTool
from madcat_studio.gui.page.tools.tool import Modifiers
from madcat_studio.gui.translation import tr

__all__ = ["FlowHost", "FlowTool"]


class FlowHost(Protocol):
    """Who goes through the page."""

    def to_line(self, step: int) -> None:
        """To the next line, or the one before."""

    def across(self, step: int) -> None:
        """To what stands beside the current word: 1 on the right, -1 on the left."""

    def to_open(self) -> None:
        """To the next that is not marked."""


class FlowTool(SelectTool):
    """Chooses as the usual tool does."""

    name = "flow"
    leaves = True

    def __init__(self, stage: Stage, editing: Editing, host: FlowHost) -> None:
        super().__init__(stage, editing)
        self._host = host

    def hint(self) -> str:
        """What keys do."""
        return tr(
            "↓ and ↑: the next line, the one before; ← and →: from word to word; Enter: the "
            "next unmarked; Esc ends it"
        )

    def step(self, across: int, down: int, *, far: bool, fine: bool) -> bool:
        """Go on instead of moving the page."""
        if far or fine:
            return False
        if down:
            self._host.to_line(down)
        else:
            self._host.across(across)
        return True

    def key(self, key: Qt.Key, modifiers: Modifiers) -> bool:
        """Enter goes to what is left to do."""
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not modifiers:
            self._host.to_open()
            return True
        return super().key(key, modifiers)

    def cancel(self) -> bool:
        """Esc ends it at once: that a word is chosen is no matter here."""
        if super().cancel():
            return True
        self.stage.selection.select([])
        return False
