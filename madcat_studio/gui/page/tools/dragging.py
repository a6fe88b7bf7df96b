"""Dragging what is there: some vertices of an outline, or whole outlines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from madcat_studio.gui.page.gestures import Gesture
from madcat_studio.gui.page.shapes import ShapeKey

if TYPE_CHECKING:
    from madcat_studio.gui.page.canvas import PageCanvas
    from madcat_studio.gui.page.tools.editing import Editing

__all__ = ["DragOutlines", "DragVertices"]

_SLACK = 2.0
"""View pixels that a hand may tremble before a vertex moves."""


class DragVertices(Gesture):
    """Moves some vertices of one outline alike; one alone snaps. A mere click moves nothing."""

    def __init__(
        self,
        canvas: PageCanvas,
        editing: Editing,
        key: ShapeKey,
        indices: list[int],
        *,
        edge: bool = False,
    ) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._editing = editing
        self._key = key
        self._indices = indices
        self._edge = edge
        self._points: list[QPointF] = []
        self._origin, self._from = QPointF(), QPointF()
        self._moving = False

    def start(self, point: QPointF) -> None:
        """Take hold."""
        canvas = self._canvas
        self._origin, self._from = point, canvas.to_page(point)
        if canvas.shapes is not None:
            self._points = [QPointF(x, y) for x, y in canvas.shapes.points(self._key).tolist()]
        canvas.show_cursor(Qt.CursorShape.CrossCursor)

    def _moved(self, point: QPointF) -> dict[int, QPointF]:
        canvas = self._canvas
        if len(self._indices) == 1:
            return {self._indices[0]: canvas.place(point, self._key)}
        by = canvas.to_page(point) - self._from
        return {n: canvas.on_page(self._points[n] + by) for n in self._indices}

    def move(self, point: QPointF) -> None:
        """Show it."""
        if not self._moving:
            if (point - self._origin).manhattanLength() <= _SLACK:
                return
            self._moving = True
            self._canvas.begin_reshape(self._key)
        moved = self._moved(point)
        self._canvas.reshape_to([moved.get(n, old) for n, old in enumerate(self._points)])

    def end(self, point: QPointF) -> None:
        """Ask for the edit."""
        self._canvas.show_cursor(None)
        if not self._moving:
            return
        places = {n: (int(p.x()), int(p.y())) for n, p in self._moved(point).items()}
        self._canvas.show_snap(None)
        self._editing.move_vertices(self._key, places, edge=self._edge)
        self._canvas.end_reshape()

    def cancel(self, reason: str) -> None:
        """Put it back."""
        self._canvas.show_cursor(None)
        if self._moving:
            self._canvas.show_snap(None)
            self._canvas.end_reshape()


class DragOutlines(Gesture):
    """Moves whole outlines; they are shown where they would be, and stay till the release."""

    def __init__(self, canvas: PageCanvas, editing: Editing, keys: list[ShapeKey]) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._editing = editing
        self._keys = keys
        self._from = QPointF()

    def start(self, point: QPointF) -> None:
        """Take hold."""
        self._from = self._canvas.to_page(point)
        self._canvas.show_cursor(Qt.CursorShape.SizeAllCursor)

    def _by(self, point: QPointF) -> QPointF:
        """By how many whole pixels, so that what lies on the page stays there."""
        by = self._canvas.to_page(point) - self._from
        dx, dy = self._canvas.on_page_by(self._keys, round(by.x()), round(by.y()))
        return QPointF(dx, dy)

    def move(self, point: QPointF) -> None:
        """Show it."""
        by = self._by(point)
        path = self._canvas.outline_path(self._keys)
        path.translate(by)
        self._canvas.sketch.show_outline(path)

    def end(self, point: QPointF) -> None:
        """Ask for the edit."""
        by = self._by(point)
        self.cancel("done")
        if not by.isNull():
            self._editing.move_outlines(self._keys, int(by.x()), int(by.y()))

    def cancel(self, reason: str) -> None:
        """Show nothing."""
        self._canvas.show_cursor(None)
        self._canvas.sketch.clear()
