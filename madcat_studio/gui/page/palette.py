"""The tools beside the page: one column of buttons, in groups."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout

from madcat_studio.gui.actions import Actions
from madcat_studio.gui.declarations import Bar
from madcat_studio.gui.overflow import Buttons
from madcat_studio.gui.translation import tr

__all__ = ["TOOLS_WIDTH", "Palette"]

TOOLS_WIDTH = 40
_MARGIN = 6


class Palette(Buttons):
    """Its buttons are those of actions; in a low window the last ones are in a menu."""

    def __init__(self, commands: Actions, groups: Bar) -> None:
        column = QVBoxLayout()
        column.setContentsMargins(4, _MARGIN, 4, _MARGIN)
        super().__init__(commands, groups, column, margin=_MARGIN, around=4)
        self.setObjectName("palette")
        self.setAccessibleName(tr("Tools"))
        self.setFixedWidth(TOOLS_WIDTH)
