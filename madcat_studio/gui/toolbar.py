"""A view's tool bar, made from groups of actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from madcat_studio.gui.actions import Actions
from madcat_studio.gui.declarations import Action, Bar
from madcat_studio.gui.elided import ElidedLabel
from madcat_studio.gui.overflow import Buttons

__all__ = ["NameLabel", "Toolbar"]

_MARGIN = 8


class NameLabel(ElidedLabel):
    """A name that gives up its beginning first: what tells one name from the next is at its end."""

    def __init__(self) -> None:
        super().__init__(Qt.TextElideMode.ElideLeft)
        # A name of a file is one, whatever the window is written in: else its parts change places.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)


class Toolbar(Buttons):
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
        row = QHBoxLayout()
        row.setContentsMargins(_MARGIN, 4, _MARGIN, 4)
        super().__init__(commands, groups, row, margin=_MARGIN, around=5, after=after)
        self.setObjectName("toolbar")
        for widget in end:
            row.addWidget(widget)
