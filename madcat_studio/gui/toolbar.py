"""A view's tool bar, made from groups of actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from madcat_studio.gui.actions import Actions
from madcat_studio.gui.declarations import Action, Bar

__all__ = ["Toolbar"]


class Toolbar(QFrame):
    """Buttons in groups; widgets can stand among them, and at the right end."""

    def __init__(
        self,
        commands: Actions,
        groups: Bar,
        *,
        after: Mapping[Action[Any], QWidget] | None = None,
        end: Sequence[QWidget] = (),
    ) -> None:
        """Make the bar.

        Args:
            commands: the program's actions.
            groups: actions, kept apart by lines.
            after: a widget to put behind the button of an action.
            end: widgets at the right end.
        """
        super().__init__()
        self.setObjectName("toolbar")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(2)
        for number, group in enumerate(groups):
            if number:
                row.addSpacing(5)
                row.addWidget(_divider())
                row.addSpacing(5)
            for action in group:
                button = QToolButton()
                button.setDefaultAction(commands[action])
                button.setIconSize(QSize(20, 20))
                button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                row.addWidget(button)
                if after is not None and action in after:
                    row.addWidget(after[action])
        row.addStretch(1)
        for widget in end:
            row.addWidget(widget)


def _divider() -> QFrame:
    divider = QFrame()
    divider.setObjectName("divider")
    divider.setFixedWidth(1)
    divider.setFixedHeight(20)
    return divider
