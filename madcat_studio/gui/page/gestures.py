"""What a mouse does for longer than a click: one object from press to release.

A gesture sees the canvas through the small interface :class:`Stage`, so that it can be tested
without a window. Esc cancels it, and so does another gesture that begins.
"""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPointF, Qt

__all__ = ["Gesture", "Pan", "Stage"]


class Stage(Protocol):
    """What gestures need of the canvas."""

    def scroll_by(self, dx: float, dy: float) -> None:
        """Move the page under the view, view pixels."""

    def to_page(self, point: QPointF) -> QPointF:
        """A view point in stored pixels."""
        ...

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
