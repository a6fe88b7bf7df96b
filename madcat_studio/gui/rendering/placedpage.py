"""What shows a page that is dragged by the mouse, zoomed by its wheel, and by plus, minus and 0."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from madcat_studio.gui.rendering.placing import ZOOM, Placing

__all__ = ["PlacedPage"]


class PlacedPage(QWidget):
    """The part that is the same whatever is painted; who paints says how large the page is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._placing = Placing()
        self._dragged: QPointF | None = None

    def _page_size(self) -> QSize | None:
        """Pixels of the page; None while there is none."""
        raise NotImplementedError

    def _room(self) -> QRect:
        """Where the page is."""
        return self.rect()

    def _within(self, place: QPointF) -> QPointF:
        """A point of the widget in the page's room."""
        return place

    def fit(self) -> None:
        """The whole page."""
        size = self._page_size()
        if size is not None:
            self._placing.fit(size, self._room().size())
            self._moved()

    def zoom(self, times: float, around: QPointF | None = None) -> None:
        """Closer or farther, around a point of the page's room."""
        if self._page_size() is not None:
            self._placing.zoom(times, around)
            self._moved()

    def _move(self, by: QPointF) -> None:
        if self._page_size() is not None:
            self._placing.move(by)
            self._moved()

    def _moved(self) -> None:
        """It lies elsewhere, or is of another size."""
        self.update()

    def resizeEvent(self, event: QEvent) -> None:
        self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(ZOOM ** (event.angleDelta().y() / 120), self._within(event.position()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None:
            by, self._dragged = event.position() - self._dragged, event.position()
            self._move(by)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged = None
        self.unsetCursor()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match Qt.Key(event.key()):
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom(ZOOM)
            case Qt.Key.Key_Minus:
                self.zoom(1 / ZOOM)
            case Qt.Key.Key_0:
                self.fit()
            case _:
                super().keyPressEvent(event)
