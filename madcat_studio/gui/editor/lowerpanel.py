"""Below the text: the coach, and the list of what is to be seen to; in a low window one of them.

Both keep saying themselves whether they are wanted; here it is decided which of them is seen.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QTabBar, QVBoxLayout, QWidget

from madcat_studio.gui.editor.coachbar import CoachBar
from madcat_studio.gui.editor.findings import FindingsPanel
from madcat_studio.gui.translation import tr

__all__ = ["LOW", "LowerPanel"]

LOW = 1000
"""A window that is lower than this many pixels has room for one of them."""
_VERY_LOW = 800
_COACH, _FINDINGS = 0, 1
_CHANGES = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent)


class LowerPanel(QWidget):
    """Holds the two; where they share a place, a tab shows which is in front."""

    def __init__(self, coach: CoachBar, findings: FindingsPanel, page: QWidget) -> None:
        """Hold them at the foot of a page."""
        super().__init__(page)
        self._coach, self._findings, self._low = coach, findings, False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setAccessibleName(tr("Below the text"))
        self.tabs.addTab(tr("Coach"))
        self.tabs.addTab(tr("Things to see to"))
        self.tabs.currentChanged.connect(lambda _: self._settle())
        column.addWidget(self.tabs)
        self._places = []
        for inside in (coach, findings):
            place = QWidget()
            layout = QVBoxLayout(place)
            layout.setContentsMargins(0, 0, 0, 0)
            layout.addWidget(inside)
            column.addWidget(place)
            self._places.append(place)
            inside.installEventFilter(self)
        self._page = page
        page.installEventFilter(self)
        coach.chosen.connect(lambda _: self.tabs.setCurrentIndex(_COACH))
        findings.chosen.connect(lambda _: self.tabs.setCurrentIndex(_FINDINGS))
        self._settle()

    def eventFilter(self, thing: QObject, event: QEvent) -> bool:
        if event.type() in _CHANGES and thing in (self._coach, self._findings):
            if thing is self._findings and event.type() == QEvent.Type.ShowToParent:
                self.tabs.setCurrentIndex(_FINDINGS)
            self._settle()
        elif thing is self._page and event.type() == QEvent.Type.Resize:
            self._suit(self.window().height())
        return super().eventFilter(thing, event)

    def _suit(self, height: int) -> None:
        self._findings.be_low(height < _VERY_LOW)
        low = height < LOW
        if low != self._low:
            self._low = low
            self._settle()

    def _settle(self) -> None:
        both = not self._coach.isHidden() and not self._findings.isHidden()
        shared = both and self._low
        self.tabs.setVisible(shared)
        front = self.tabs.currentIndex()
        for number, place in enumerate(self._places):
            place.setVisible(not shared or number == front)
