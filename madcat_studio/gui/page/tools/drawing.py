"""Drawing a new word or line: a polygon point by point, a rectangle, or one freehand stroke."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from madcat_studio.gui.page.shapes import OutlineKind
from madcat_studio.gui.page.stage import Stage
from madcat_studio.gui.page.tools.editing import Editing
from madcat_studio.gui.page.tools.pointing import PointingTool, StrokeTool, path_through
from madcat_studio.gui.page.tools.tool import Modifiers
from madcat_studio.gui.translation import tr
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import fewer_vertices

__all__ = ["FreehandTool", "PolygonTool", "RectangleTool"]

_CLOSE = 9.0
"""View pixels from the first point within which a click closes a polygon."""
_STRAY = 1.2
"""View pixels that a freehand outline may stray from the hand."""


def _what(stage: Stage) -> str:
    return tr("a word") if stage.layer is OutlineKind.WORD else tr("a line")


def _whole(points: list[QPointF]) -> Polygon:
    return tuple((round(point.x()), round(point.y())) for point in points)


class PolygonTool(PointingTool):
    """Click for each point; Enter, a double click or a click on the first one closes."""

    name = "polygon"
    drafts = (name,)
    drags = False

    def __init__(self, stage: Stage, editing: Editing) -> None:
        super().__init__(stage, editing)
        self._next: QPointF | None = None

    @property
    def _points(self) -> list[QPointF]:
        return self.stage.begun.points(self.name)

    def begin(self) -> None:
        """Go on with what was begun."""
        super().begin()
        if self._points:
            self.show()

    def pause(self) -> None:
        """The pointer may be anywhere when it goes on."""
        super().pause()
        self._next = None

    def hint(self) -> str:
        """How to begin, how to go on."""
        if not self._points:
            return tr(
                "Click where {what} begins; arrow keys and Space do the same",
                what=_what(self.stage),
            )
        return tr(
            "Click to add a point, Enter to close, Backspace to remove the last, Esc to cancel"
        )

    def press(self, point: QPointF, modifiers: Modifiers) -> None:
        """Add a point, or close."""
        self._cross = None
        points = self._points
        if len(points) >= 3:
            first = self.stage.camera.to_view(points[0])
            if (point - first).manhattanLength() <= _CLOSE:
                self.enter()
                return
        self.stage.begun.add(self.name, self.stage.snap.place(point))
        self._next = None
        self.show()
        self.stage.tell()

    def double(self, point: QPointF, modifiers: Modifiers) -> None:
        """The first click of the two has added the point already: close."""
        self.enter()

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """Show the edge to the pointer."""
        super().move(point, modifiers, held=held)
        self._next = self.stage.snap.place(point)
        self.show()

    def show(self) -> None:
        """The polygon with the pointer as its next point."""
        points = self._points
        following = [self._next] if self._next is not None and points else []
        path = path_through([*points, *following], closed=len(points) > 1)
        self.stage.sketch.show_outline(path, points, self.cross())

    def enter(self) -> bool:
        """Close and draw; what cannot be drawn stays, to be mended or given up."""
        points = self._points
        if not points:
            return False
        self.pause()
        self.stage.snap.clear()
        with self.stage.begun.finishing(self.name):
            self.editing.draw(_whole(points))
        self.show()
        self.stage.tell()
        return True

    def cancel(self) -> bool:
        """Wipe it away."""
        had = super().cancel()
        had = self.stage.begun.give_up(self.name) or had
        self.stage.sketch.clear()
        self.stage.snap.clear()
        if had:
            self.stage.tell()
        return had


class RectangleTool(StrokeTool):
    """From one corner to the opposite one."""

    name = "rectangle"
    drafts = (name,)

    def hint(self) -> str:
        """What to do."""
        return tr(
            "Drag from corner to corner of {what}; with keys: arrows, Space, arrows, Space",
            what=_what(self.stage),
        )

    def _corners(self, path: list[QPointF]) -> list[QPointF]:
        stage = self.stage
        a = stage.snap.place(stage.camera.to_view(path[0]))
        b = stage.snap.place(stage.camera.to_view(path[-1]))
        left, right = sorted((a.x(), b.x()))
        top, bottom = sorted((a.y(), b.y()))
        # From the right-hand upper corner on, as outlines of right-to-left script mostly are.
        return [
            QPointF(x, y) for x, y in ((right, top), (left, top), (left, bottom), (right, bottom))
        ]

    def cancel(self) -> bool:
        """Wipe it away."""
        self.stage.snap.clear()
        return super().cancel()

    def show(self) -> None:
        """The rectangle as it is now."""
        path = self._path
        corners = self._corners(path) if path else []
        self.stage.sketch.show_outline(path_through(corners, closed=True), corners, self.cross())

    def finish(self, path: list[QPointF]) -> None:
        """Draw it."""
        corners = self._corners(path)
        self.stage.snap.clear()
        self.editing.draw(_whole(corners))


class FreehandTool(StrokeTool):
    """Around the ink in one stroke; its ends are joined and its points thinned out."""

    name = "freehand"
    drafts = (name,)

    def hint(self) -> str:
        """What to do."""
        return tr("Drag around the ink of {what} and let go; Esc cancels", what=_what(self.stage))

    def show(self) -> None:
        """The outline as far as it is drawn."""
        path = path_through(self._path, closed=True)
        self.stage.sketch.show_outline(path, (), self.cross())

    def finish(self, path: list[QPointF]) -> None:
        """Draw it with few points."""
        places = [self.stage.camera.on_page(place) for place in path]
        self.editing.draw(fewer_vertices(_whole(places), _STRAY / self.stage.camera.scale()))
