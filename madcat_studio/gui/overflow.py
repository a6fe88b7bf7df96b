"""Buttons in a row or a column; those that have no room go into a menu at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLayout, QMenu, QToolButton, QWidget

from madcat_studio.gui.actions import Actions
from madcat_studio.gui.declarations import Action, Bar
from madcat_studio.gui.translation import tr

__all__ = ["Buttons"]

_GAP = 2


class Buttons(QFrame):
    """The buttons of actions, in groups; widgets can stand among them.

    Attributes:
        steps: what is shown or not together, with its button.
        more: opens the menu of the buttons that have no room.
    """

    def __init__(
        self,
        commands: Actions,
        groups: Bar,
        row: QBoxLayout,
        *,
        margin: int,
        around: int,
        after: Mapping[Action[Any], QWidget] | None = None,
    ) -> None:
        """Make them.

        Args:
            commands: the program's actions.
            groups: actions, kept apart by lines.
            row: in which they stand; its direction is theirs.
            margin: at either end.
            around: pixels before and behind a line.
            after: a widget to put behind the button of an action.
        """
        super().__init__()
        self.setLayout(row)
        self._margin, self._around = margin, around
        self._level = row.direction() in (
            QBoxLayout.Direction.LeftToRight,
            QBoxLayout.Direction.RightToLeft,
        )
        row.setSpacing(_GAP)
        # There may be less room than for all of it: what is left over is in the menu.
        row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.steps: list[tuple[list[QWidget], QToolButton]] = []
        for number, group in enumerate(groups):
            before: list[QWidget] = []
            if number:
                row.addSpacing(around)
                row.addWidget(divider := self._divider())
                row.addSpacing(around)
                before = [divider]
            for action in group:
                button = QToolButton()
                button.setDefaultAction(commands[action])
                button.setIconSize(QSize(20, 20))
                button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                row.addWidget(button)
                widgets = [*before, button]
                if after is not None and action in after:
                    row.addWidget(after[action])
                    widgets.append(after[action])
                self.steps.append((widgets, button))
                before = []
        self.more = self._make_more()
        row.addWidget(self.more)
        row.addStretch(1)

    def _divider(self) -> QFrame:
        divider = QFrame()
        divider.setObjectName("divider")
        if self._level:
            divider.setFixedSize(1, 20)
        else:
            divider.setFixedHeight(1)
        return divider

    def _make_more(self) -> QToolButton:
        more = QToolButton()
        more.setObjectName("more")
        more.setText("»")
        more.setToolTip(tr("Tools that do not fit here"))
        more.setAccessibleName(tr("More tools"))
        more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        more.setMenu(QMenu(more))
        more.hide()
        return more

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return QSize(0, least.height()) if self._level else QSize(least.width(), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit(self._length(event.size()) - 2 * self._margin)

    def _length(self, size: QSize) -> int:
        return size.width() if self._level else size.height()

    def _takes(self, widget: QWidget) -> int:
        line = widget.objectName() == "divider"
        size = widget.sizeHint().expandedTo(widget.minimumSize()).boundedTo(widget.maximumSize())
        return self._length(size) + _GAP + (2 * (self._around + _GAP) if line else 0)

    def _fit(self, room: int) -> None:
        """Show as many as there is room for, and the others in the menu."""
        sizes = [sum(self._takes(widget) for widget in widgets) for widgets, _ in self.steps]
        if sum(sizes) > room:
            room -= self._takes(self.more)
        used, hidden = 0, []
        for (widgets, button), size in zip(self.steps, sizes, strict=True):
            used += size
            for widget in widgets:
                widget.setVisible(used <= room)
            if used > room:
                hidden.append(button.defaultAction())
        menu = self.more.menu()
        menu.clear()
        menu.addActions(hidden)
        self.more.setVisible(bool(hidden))
