"""What tools and gestures see of the canvas, and what a mouse does for longer than a click.

A gesture is one object from press to release. Esc cancels it; another gesture that begins, or
whatever else comes between, ends it.
"""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QGraphicsItem

from madcat_studio.gui.page.base import BaseLayer
from madcat_studio.gui.page.begun import Begun
from madcat_studio.gui.page.camera import Camera
from madcat_studio.gui.page.outlinelayer import OutlineLayer
from madcat_studio.gui.page.selectionlayer import SelectionLayer
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey, Target
from madcat_studio.gui.page.sketch import Sketch
from madcat_studio.gui.page.snap import Snap

__all__ = ["Gesture", "Pan", "Stage"]


class Stage(Protocol):
    """The parts of a canvas, and what a tool may ask of whoever holds it.

    Attributes:
        base: scan and outlines at rest.
        begun: what is begun on the page and not finished.
        sketch: what the tool draws over the page.
        layer: the outlines that tools work on where they could take either.
    """

    base: BaseLayer
    begun: Begun
    camera: Camera
    outlines: OutlineLayer
    selection: SelectionLayer
    sketch: Sketch
    snap: Snap
    layer: OutlineKind

    def target(
        self, point: QPointF, *, beneath: ShapeKey | None = None, bodies: bool = False
    ) -> Target | None:
        """What lies under a view point; with ``bodies`` neither vertices nor edges."""
        ...

    def show_cursor(self, shape: Qt.CursorShape | None) -> None:
        """Show another cursor, or the usual one."""

    def add_item(self, item: QGraphicsItem) -> None:
        """Lay something over the page."""

    def begin_gesture(self, gesture: Gesture, point: QPointF) -> None:
        """From here to the release the mouse belongs to a gesture."""

    def tell(self) -> None:
        """The tool is at something else now, and its hint another one."""

    def refuse(self, why: str) -> None:
        """Say why a press does nothing."""

    def in_use(self, tool: object) -> bool:
        """Whether this tool is the one in use."""
        ...


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

    def leave(self, reason: str) -> None:
        """Something came between that is not against it: what is made by it so far is not lost."""
        self.cancel(reason)


class Pan(Gesture):
    """The page follows the hand."""

    _last = QPointF()

    def start(self, point: QPointF) -> None:
        """Remember where the page was taken hold of."""
        self._last = point
        self.stage.show_cursor(Qt.CursorShape.ClosedHandCursor)

    def move(self, point: QPointF) -> None:
        """Move the page."""
        self.stage.camera.scroll_by(point.x() - self._last.x(), point.y() - self._last.y())
        self._last = point

    def end(self, point: QPointF) -> None:
        """Let go."""
        self.stage.show_cursor(None)

    def cancel(self, reason: str) -> None:
        """Let go; panning changes nothing that would have to be undone."""
        self.stage.show_cursor(None)
