"""What views of the central area are made of: an empty screen, a wait, a page below a bar."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import Shell, View

__all__ = [
    "FramedView",
    "TitleBar",
    "Waiting",
    "begin_reading",
    "below",
    "give_up_reading",
    "show_next_tab",
]


class FramedView(View):
    """A view with several screens, one at a time; the first says what would be here."""

    def __init__(self, shell: Shell, empty: EmptyScreen, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self.empty = empty
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.screens = QStackedWidget()
        self.screens.addWidget(empty)
        layout.addWidget(self.screens)
        moment = QLabel(tr("One moment …"))
        moment.setObjectName("subtitle")
        moment.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.screens.addWidget(moment)


_EMPTY, _MOMENT = 0, 1


def begin_reading(view: FramedView) -> None:
    """Where nothing was shown yet: say that something is on its way, not that there is none."""
    if view.screens.currentIndex() == _EMPTY:
        view.screens.setCurrentIndex(_MOMENT)


def give_up_reading(view: FramedView) -> None:
    """It could not be read: nothing is here."""
    if view.screens.currentIndex() == _MOMENT:
        view.screens.setCurrentIndex(_EMPTY)


class TitleBar(QWidget):
    """The strip above a page: its title and what belongs to it, at the right what can be done."""

    def __init__(self, beside: Sequence[QWidget] = (), end: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self.setObjectName("toolbar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = QLabel()
        self.title.setObjectName("kitname")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 12, 8)
        row.setSpacing(10)
        for widget in (self.title, *beside):
            row.addWidget(widget)
        row.addStretch(1)
        for widget in end:
            row.addWidget(widget)


class Waiting(QWidget):
    """A screen while something is worked out: what, how far, and a way to stop it."""

    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._text = QLabel()
        self._text.setObjectName("subtitle")
        self._bar = QProgressBar()
        self._bar.setFixedWidth(360)
        self._bar.setTextVisible(False)
        self.stop = QPushButton(tr("Cancel"))
        self.stop.clicked.connect(self.cancelled)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addStretch(2)
        for widget in (self._text, self._bar, self.stop):
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)

    def begin(self, text: str) -> None:
        """Say what is worked out; how far it is nobody knows yet."""
        self._text.setText(text)
        self._bar.setRange(0, 0)

    def advance(self, done: int, total: int, _text: str) -> None:
        """Show how far it is; a total of 0 or below: it is not known."""
        self._bar.setRange(0, max(total, 0))
        self._bar.setValue(done if total > 0 else 0)


def below(*parts: QWidget) -> QWidget:
    """A page of parts one below the other, the last as high as there is room."""
    page = QWidget()
    layout = QVBoxLayout(page)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for part in parts:
        layout.addWidget(part, part is parts[-1])
    return page


def show_next_tab(tabs: QTabWidget) -> None:
    """Bring the next tab to the front, after the last the first."""
    tabs.setCurrentIndex((tabs.currentIndex() + 1) % tabs.count())
