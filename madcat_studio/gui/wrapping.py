"""A row of widgets that goes on in the next line where it has no room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QStyle

__all__ = ["WrappingRow"]


class WrappingRow(QLayout):
    """Lays its widgets as large as they want to be; a widget wider than the row gets all of it."""

    def __init__(self, gap: int = 4) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._lay(QRect(0, 0, width, 0), place=False)

    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(hint.width() for hint in hints) + self._gap * max(len(hints) - 1, 0)
        return QSize(width, max((hint.height() for hint in hints), default=0))

    def minimumSize(self) -> QSize:
        hints = [item.sizeHint() for item in self._items if not item.isEmpty()]
        # A row of its own for each at worst; the text of a button may be elided.
        return QSize(0, max((hint.height() for hint in hints), default=0))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._lay(rect, place=True)

    def _lay(self, rect: QRect, *, place: bool) -> int:
        """Put the widgets into a rectangle, or only see how high they are together."""
        parent = self.parentWidget()
        way = Qt.LayoutDirection.LeftToRight if parent is None else parent.layoutDirection()
        x, y, high = rect.left(), rect.top(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().boundedTo(QSize(rect.width(), item.sizeHint().height()))
            if x > rect.left() and x + size.width() > rect.right() + 1:
                x, y, high = rect.left(), y + high + self._gap, 0
            if place:
                item.setGeometry(QStyle.visualRect(way, rect, QRect(QPoint(x, y), size)))
            x, high = x + size.width() + self._gap, max(high, size.height())
        return y + high - rect.top()
