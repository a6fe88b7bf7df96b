"""The head of a list beside the page: whose it is, figures of it, and a button for each answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QToolButton, QVBoxLayout

from madcat_studio.gui.actions import Actions
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.wrapping import WrappingRow

__all__ = ["PanelHead"]


class PanelHead(QFrame):
    """Two lines of text, and buttons below them.

    Attributes:
        name, figures: the lines.
    """

    def __init__(self, commands: Actions, actions: Sequence[Action[Any]]) -> None:
        super().__init__()
        self.setObjectName("queuehead")
        top = QVBoxLayout(self)
        top.setContentsMargins(12, 10, 12, 10)
        top.setSpacing(6)
        self.name, self.figures = QLabel(), QLabel()
        for label in (self.name, self.figures):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            top.addWidget(label)
        self.figures.setObjectName("quiet")
        row = WrappingRow()
        for action in actions:
            button = QToolButton()
            button.setObjectName("chip")
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setDefaultAction(commands[action])
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            row.addWidget(button)
        top.addLayout(row)
