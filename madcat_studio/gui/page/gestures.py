"""What a mouse does for longer than a click: one object from press to release.

A gesture sees the canvas through the small interface :class:`Stage`, so that it can be tested
without a window. Esc cancels it, and so does another gesture that begins.
"""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPointF, Qt

from madcat_studio.gui.page.shapes import ShapeKey

__all__ = ["Gesture", "MoveVertex", "Pan", "Stage"]


class Stage(Protocol):
    """What gestures need of the canvas."""

    def scroll_by(self, dx: float, dy: float) -> None:
        """Move the page under the view, view pixels."""

    def to_page(self, point: QPointF) -> QPointF:
        """A view point in stored pixels."""
        ...

    def place(self, point: QPointF, leaving: ShapeKey | None = None) -> QPointF:
        """The whole pixel of the page that a view point means, drawn on by near outlines."""
        ...

    def show_snap(self, place: tuple[float, float] | None) -> None:
        """Show, or no longer, where a point came to rest."""

    def begin_reshape(self, key: ShapeKey) -> None:
        """Take an outline out of the base layer, to be drawn live."""

    def reshape(self, index: int, point: QPointF) -> None:
        """Show one vertex of that outline elsewhere."""

    def end_reshape(self) -> None:
        """Put the outline back into the base layer as the model has it."""

    def finish_vertex(self, key: ShapeKey, index: int, point: QPointF) -> None:
        """Ask for the edit."""

    def show_cursor(self, shape: Qt.CursorShape | None) -> None:
        """Show another cursor, or the usual one."""


class Gesture:
    """One gesture. Points are view pixels."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def start(self, point: QPointF) -> None:
        """The button went down."""

    def move(self, point: QPointF) -> None:
        """The mouse moved."""

    def end(self, point: QPointF) -> None:
        """The button went up."""

    def cancel(self, reason: str) -> None:
        """Leave everything as it was before the start."""


class Pan(Gesture):
    """The page follows the hand."""

    _last = QPointF()

    def start(self, point: QPointF) -> None:
        """Remember where the page was taken hold of."""
        self._last = point
        self.stage.show_cursor(Qt.CursorShape.ClosedHandCursor)

    def move(self, point: QPointF) -> None:
        """Move the page."""
        self.stage.scroll_by(point.x() - self._last.x(), point.y() - self._last.y())
        self._last = point

    def end(self, point: QPointF) -> None:
        """Let go."""
        self.stage.show_cursor(None)

    def cancel(self, reason: str) -> None:
        """Let go; panning changes nothing that would have to be undone."""
        self.stage.show_cursor(None)


class MoveVertex(Gesture):
    """Drags one vertex of the chosen outline; nothing happens before the mouse has moved."""

    _SLACK = 2.0

    def __init__(self, stage: Stage, key: ShapeKey, index: int) -> None:
        super().__init__(stage)
        self._key = key
        self._index = index
        self._origin = QPointF()
        self._moving = False

    def start(self, point: QPointF) -> None:
        """Take hold of the vertex."""
        self._origin = point
        self.stage.show_cursor(Qt.CursorShape.CrossCursor)

    def move(self, point: QPointF) -> None:
        """Show the outline as it would be."""
        if not self._moving:
            if (point - self._origin).manhattanLength() <= self._SLACK:
                return
            self._moving = True
            self.stage.begin_reshape(self._key)
        self.stage.reshape(self._index, self.stage.place(point, self._key))

    def end(self, point: QPointF) -> None:
        """Ask for the edit, if the vertex was moved at all."""
        self.stage.show_cursor(None)
        if self._moving:
            place = self.stage.place(point, self._key)
            self.stage.show_snap(None)
            self.stage.finish_vertex(self._key, self._index, place)
            self.stage.end_reshape()

    def cancel(self, reason: str) -> None:
        """Put the outline back."""
        self.stage.show_cursor(None)
        if self._moving:
            self.stage.show_snap(None)
            self.stage.end_reshape()
