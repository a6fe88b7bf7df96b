"""The rail at the left: one button for each view."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from madcat_studio.gui.icons import icon
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr

__all__ = ["Rail"]

_ICON, _AROUND = 24, 24
_ROOMY = 1200
"""The width of a window from which on the names take nothing from what is worked on."""


class Rail(QWidget):
    """Buttons with names; without names where the window is too low for them, or narrow."""

    def __init__(self, show: Callable[[str], None]) -> None:
        """Begin empty; ``show`` takes the id of the view whose button is pressed."""
        super().__init__()
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Views"))
        self._show = show
        self._names, self._named = True, 0
        self._icons: dict[str, str] = {}
        self.buttons: dict[str, QToolButton] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 8, 0, 8)
        self._column.setSpacing(2)
        self._column.addStretch(1)

    def add(self, identifier: str, title: str, name: str, shortcut: str) -> None:
        """Add a button below the others."""
        button = QToolButton()
        button.setText(title)
        button.setToolTip(f"{title} ({shortcut})" if shortcut else title)
        button.setCheckable(True)
        button.setAutoExclusive(True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setIconSize(QSize(_ICON, _ICON))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda _=False: self._show(identifier))
        self._column.insertWidget(self._column.count() - 1, button)
        self.buttons[identifier], self._icons[identifier] = button, name

    def check(self, identifier: str) -> None:
        """This view is the one in front."""
        self.buttons[identifier].setChecked(True)

    def apply_theme(self, colours: Colours, ratio: float) -> None:
        """Give the icons the colours of the theme."""
        for identifier, button in self.buttons.items():
            name = self._icons[identifier]
            button.setIcon(icon(name, colours, size=_ICON, ratio=ratio, can_rest=False))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.window().installEventFilter(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the width of the window, which is not the rail's own."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Names where there is room for them."""
        shown = [button for button in self.buttons.values() if not button.isHidden()]
        if self._names:
            self._named = max(button.sizeHint().height() for button in shown)
            # The name of the view in front is bold, and Qt makes no room for it by itself.
            self.setMinimumWidth(max(_bold_width(button) for button in shown))
        margins = self._column.contentsMargins()
        needed = len(shown) * (self._named + self._column.spacing())
        low = needed + margins.top() + margins.bottom() > self.height()
        self._show_names(not low and self.window().width() >= _ROOMY)

    def _show_names(self, names: bool) -> None:
        if names == self._names:
            return
        self._names = names
        if not names:
            self.setMinimumWidth(0)
        style = Qt.ToolButtonStyle
        self.setProperty("names", names)
        for button in self.buttons.values():
            button.setToolButtonStyle(
                style.ToolButtonTextUnderIcon if names else style.ToolButtonIconOnly
            )
            # The style sheet asks for the rail's property when it is told to look again only.
            button.style().unpolish(button)
            button.style().polish(button)


def _bold_width(button: QToolButton) -> int:
    """What a button needs while its view is in front."""
    bold = QFont(button.font())
    bold.setWeight(QFont.Weight.DemiBold)
    return QFontMetrics(bold).horizontalAdvance(button.text()) + _AROUND
