"""Where a page lies in its room of a window, and how large: fitted, zoomed, moved."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize

__all__ = ["ZOOM", "Placing"]

ZOOM = 1.25
"""What one step makes a page larger."""

_LARGEST = 4.0


class Placing:
    """The scale of a page and where its left top is, in pixels of its room.

    Attributes:
        scale: pixels of the room for one of the page; 0 before :meth:`fit`.
        left_top: of the page in its room.
    """

    def __init__(self) -> None:
        self.scale = 0.0
        self.left_top = QPointF()
        self._page, self._room = QSize(1, 1), QSize(1, 1)

    def fit(self, page: QSize, room: QSize) -> None:
        """The whole page in a room."""
        self._page, self._room = page, room
        self.scale = self._least()
        self._settle(QPointF())

    def zoom(self, times: float, around: QPointF | None = None) -> None:
        """Closer or farther, around a point of the room; by default its middle."""
        if around is None:
            around = QPointF(self._room.width() / 2, self._room.height() / 2)
        place = (around - self.left_top) / self.scale
        self.scale = min(max(self.scale * times, self._least()), _LARGEST)
        self._settle(around - place * self.scale)

    def move(self, by: QPointF) -> None:
        """Move the page within its room."""
        self._settle(self.left_top + by)

    def _least(self) -> float:
        page, room = self._page, self._room
        return min(room.width() / page.width(), room.height() / page.height())

    def _settle(self, left_top: QPointF) -> None:
        """Keep the page in its room: in the middle where it is smaller, else without an edge."""

        def kept(place: float, length: float, space: float) -> float:
            if length <= space:
                return (space - length) / 2
            return min(0.0, max(place, space - length))

        self.left_top = QPointF(
            kept(left_top.x(), self._page.width() * self.scale, self._room.width()),
            kept(left_top.y(), self._page.height() * self.scale, self._room.height()),
        )
