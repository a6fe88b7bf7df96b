"""A label that shows of its text what there is room for."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle

__all__ = ["ElidedLabel"]


class ElidedLabel(QLabel):
    """A text in one line that gives way to its neighbours, at its end if not told otherwise."""

    def __init__(self, gives: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__()
        self._gives = gives
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def shown(self) -> str:
        """What is seen of the text, with an ellipsis where some of it is not."""
        room = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), self._gives, room)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown()
        if shown == self.text():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        where = QStyle.visualAlignment(self.layoutDirection(), self.alignment())
        painter.drawText(self.contentsRect(), where, shown)
