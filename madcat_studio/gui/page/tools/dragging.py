"""Dragging what is there: some vertices of an outline, or whole outlines.

Where the hand is goes into the journal every now and then, so that a kill loses no more of a long
drag than a moment. What comes between (another tool or page, another window) lets it go where it
is; Esc and undo put it back.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt, QTimer

from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.stage import Gesture, Stage
from madcat_studio.gui.page.tools.editing import Editing
from madcat_studio.model.document import Point

__all__ = ["DragOutlines", "DragVertices"]

_SLACK = 2.0
"""View pixels that a hand may tremble before a vertex moves."""
_EVERY = 200
"""Milliseconds of a drag that a kill may lose."""


class _Drag(Gesture):
    """A drag that is kept while it lasts."""

    def __init__(self, stage: Stage, editing: Editing) -> None:
        super().__init__(stage)
        self._editing = editing
        self._at = QPointF()
        # From a move on, not again and again: a hand that rests writes nothing.
        self._soon = QTimer(singleShot=True, interval=_EVERY)
        self._soon.timeout.connect(self._keep)

    def move(self, point: QPointF) -> None:
        """Keep where it is, before long."""
        self._at = point
        if not self._soon.isActive():
            self._soon.start()

    def leave(self, reason: str) -> None:
        """Something came between: it ends where the hand is."""
        self.end(self._at)

    def _keep(self) -> None:
        """Write down where the hand is."""
        raise NotImplementedError

    def _let_go(self) -> None:
        self._soon.stop()
        self.stage.show_cursor(None)


class DragVertices(_Drag):
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
        super().__init__(stage, editing)
        self._key = key
        self._indices = indices
        self._edge = edge
        self._points: list[QPointF] = []
        self._origin, self._from = QPointF(), QPointF()
        self._moving = False

    def start(self, point: QPointF) -> None:
        """Take hold."""
        stage = self.stage
        self._at = self._origin = point
        self._from = stage.camera.to_page(point)
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

    def _places(self, point: QPointF) -> dict[int, Point]:
        return {n: (int(p.x()), int(p.y())) for n, p in self._moved(point).items()}

    def move(self, point: QPointF) -> None:
        """Show it."""
        if not self._moving:
            if (point - self._origin).manhattanLength() <= _SLACK:
                return
            self._moving = True
            self.stage.selection.begin_reshape(self._key)
        super().move(point)
        moved = self._moved(point)
        self.stage.selection.reshape([moved.get(n, old) for n, old in enumerate(self._points)])

    def _keep(self) -> None:
        self._editing.move_vertices(self._key, self._places(self._at), edge=self._edge, held=True)

    def end(self, point: QPointF) -> None:
        """Ask for the edit."""
        self._let_go()
        if not self._moving:
            return
        places = self._places(point)
        self.stage.snap.clear()
        self._editing.move_vertices(self._key, places, edge=self._edge)
        self.stage.selection.end_reshape()

    def cancel(self, reason: str) -> None:
        """Put it back."""
        self._let_go()
        if self._moving:
            self.stage.snap.clear()
            self._editing.put_back()
            self.stage.selection.end_reshape()


class DragOutlines(_Drag):
    """Moves whole outlines; they are shown where they would be, and stay till the release."""

    def __init__(self, stage: Stage, editing: Editing, keys: list[ShapeKey]) -> None:
        super().__init__(stage, editing)
        self._keys = keys
        self._from = QPointF()

    def start(self, point: QPointF) -> None:
        """Take hold."""
        self._at, self._from = point, self.stage.camera.to_page(point)
        self.stage.show_cursor(Qt.CursorShape.SizeAllCursor)

    def _by(self, point: QPointF) -> QPointF:
        """By how many whole pixels, so that what lies on the page stays there."""
        by = self.stage.camera.to_page(point) - self._from
        dx, dy = self.stage.outlines.kept_on_page(self._keys, round(by.x()), round(by.y()))
        return QPointF(dx, dy)

    def move(self, point: QPointF) -> None:
        """Show it."""
        super().move(point)
        by = self._by(point)
        path = self.stage.outlines.path(self._keys)
        path.translate(by)
        self.stage.sketch.show_outline(path)

    def _keep(self) -> None:
        by = self._by(self._at)
        self._editing.move_outlines(self._keys, int(by.x()), int(by.y()), held=True)

    def end(self, point: QPointF) -> None:
        """Ask for the edit."""
        by = self._by(point)
        self._show_nothing()
        if by.isNull():
            self._editing.put_back()
        else:
            self._editing.move_outlines(self._keys, int(by.x()), int(by.y()))

    def cancel(self, reason: str) -> None:
        """Put them back."""
        self._show_nothing()
        self._editing.put_back()

    def _show_nothing(self) -> None:
        self._let_go()
        self.stage.sketch.clear()
