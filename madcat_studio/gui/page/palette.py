"""The tools beside the page: one column of buttons, in groups."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QToolButton, QVBoxLayout, QWidget

from madcat_studio.gui.actions import Actions
from madcat_studio.gui.declarations import Bar
from madcat_studio.gui.translation import tr

__all__ = ["Palette"]

_WIDTH = 40


class Palette(QScrollArea):
    """Its buttons are those of actions; a low window scrolls it."""

    def __init__(self, commands: Actions, groups: Bar) -> None:
        super().__init__()
        self.setAccessibleName(tr("Tools"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setFixedWidth(_WIDTH)
        inside = QWidget()
        inside.setObjectName("palette")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(inside)
        column.setContentsMargins(4, 6, 4, 6)
        column.setSpacing(2)
        for number, group in enumerate(groups):
            if number:
                line = QFrame()
                line.setObjectName("divider")
                line.setFixedHeight(1)
                column.addSpacing(4)
                column.addWidget(line)
                column.addSpacing(4)
            for action in group:
                button = QToolButton()
                button.setDefaultAction(commands[action])
                button.setIconSize(QSize(20, 20))
                button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                column.addWidget(button)
        column.addStretch(1)
        self.setWidget(inside)
