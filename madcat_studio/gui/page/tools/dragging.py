"""Dragging what is there: some vertices of an outline, or whole outlines."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt

from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.stage import Gesture, Stage
from madcat_studio.gui.page.tools.editing import Editing

__all__ = ["DragOutlines", "DragVertices"]

_SLACK = 2.0
"""View pixels that a hand may tremble before a vertex moves."""


class DragVertices(Gesture):
    """Moves some vertices of one outline alike; one alone snaps. A mere click moves nothing."""

    def __init__(
        self,
        stage: Stage,
        editing: Editing,
        key: ShapeKey,
        indices: list[int],
        *,
        edge: bool = False,
    ) -> None:
        super().__init__(stage)
        self._editing = editing
        self._key = key
        self._indices = indices
        self._edge = edge
        self._points: list[QPointF] = []
        self._origin, self._from = QPointF(), QPointF()
        self._moving = False

    def start(self, point: QPointF) -> None:
        """Take hold."""
        stage = self.stage
        self._origin, self._from = point, stage.camera.to_page(point)
        shapes = stage.outlines.shapes
        if shapes is not None:
            self._points = [QPointF(x, y) for x, y in shapes.points(self._key).tolist()]
        stage.show_cursor(Qt.CursorShape.CrossCursor)

    def _moved(self, point: QPointF) -> dict[int, QPointF]:
        stage = self.stage
        if len(self._indices) == 1:
            return {self._indices[0]: stage.snap.place(point, self._key)}
        by = stage.camera.to_page(point) - self._from
        return {n: stage.camera.on_page(self._points[n] + by) for n in self._indices}

    def move(self, point: QPointF) -> None:
        """Show it."""
        if not self._moving:
            if (point - self._origin).manhattanLength() <= _SLACK:
                return
            self._moving = True
            self.stage.selection.begin_reshape(self._key)
        moved = self._moved(point)
        self.stage.selection.reshape([moved.get(n, old) for n, old in enumerate(self._points)])

    def end(self, point: QPointF) -> None:
        """Ask for the edit."""
        self.stage.show_cursor(None)
        if not self._moving:
            return
        places = {n: (int(p.x()), int(p.y())) for n, p in self._moved(point).items()}
        self.stage.snap.clear()
        self._editing.move_vertices(self._key, places, edge=self._edge)
        self.stage.selection.end_reshape()

    def cancel(self, reason: str) -> None:
        """Put it back."""
        self.stage.show_cursor(None)
        if self._moving:
            self.stage.snap.clear()
            self.stage.selection.end_reshape()


class DragOutlines(Gesture):
    """Moves whole outlines; they are shown where they would be, and stay till the release."""

    def __init__(self, stage: Stage, editing: Editing, keys: list[ShapeKey]) -> None:
        super().__init__(stage)
        self._editing = editing
        self._keys = keys
        self._from = QPointF()

    def start(self, point: QPointF) -> None:
        """Take hold."""
        self._from = self.stage.camera.to_page(point)
        self.stage.show_cursor(Qt.CursorShape.SizeAllCursor)

    def _by(self, point: QPointF) -> QPointF:
        """By how many whole pixels, so that what lies on the page stays there."""
        by = self.stage.camera.to_page(point) - self._from
        dx, dy = self.stage.outlines.kept_on_page(self._keys, round(by.x()), round(by.y()))
        return QPointF(dx, dy)

    def move(self, point: QPointF) -> None:
        """Show it."""
        by = self._by(point)
        path = self.stage.outlines.path(self._keys)
        path.translate(by)
        self.stage.sketch.show_outline(path)

    def end(self, point: QPointF) -> None:
        """Ask for the edit."""
        by = self._by(point)
        self.cancel("done")
        if not by.isNull():
            self._editing.move_outlines(self._keys, int(by.x()), int(by.y()))

    def cancel(self, reason: str) -> None:
        """Show nothing."""
        self.stage.show_cursor(None)
        self.stage.sketch.clear()
