"""A view's tool bar, made from groups of actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from madcat_studio.gui.actions import Actions
from madcat_studio.gui.declarations import Action, Bar
from madcat_studio.gui.overflow import Buttons

__all__ = ["NameLabel", "Toolbar"]

_MARGIN = 8


class NameLabel(QLabel):
    """A name that gives up its beginning first: what tells one name from the next is at its end."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        # A name of a file is one, whatever the window is written in: else its parts change places.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideLeft, self.width())
        if shown == self.text():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, shown)


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
