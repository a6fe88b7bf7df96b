"""The tool for outlines that are there: vertices, edges, the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt

from madcat_studio.gui.page.gestures import Gesture, Pan
from madcat_studio.gui.page.shapes import Part, Target
from madcat_studio.gui.page.tools.band import Band, BandMode
from madcat_studio.gui.page.tools.dragging import DragOutlines, DragVertices
from madcat_studio.gui.page.tools.select import combined
from madcat_studio.gui.page.tools.tool import ALT, CTRL, SHIFT, SLACK, Modifiers, Tool
from madcat_studio.gui.translation import tr

if TYPE_CHECKING:
    from madcat_studio.gui.page.canvas import PageCanvas
    from madcat_studio.gui.page.tools.editing import Editing

__all__ = ["EditTool"]


class EditTool(Tool):
    """Drag a vertex, an edge or the whole; click an edge to add a vertex; frame several."""

    name = "edit"
    leaves = True

    def __init__(self, canvas: PageCanvas, editing: Editing) -> None:
        super().__init__(canvas)
        self.editing = editing
        self._pressed: tuple[QPointF, Target | None, Modifiers] | None = None

    def hint(self) -> str:
        """What to do."""
        if self.canvas.chosen_key is None:
            return tr("Click the outline that you want to edit")
        return tr(
            "Drag a vertex, an edge or the whole; click an edge to add a vertex; "
            "Shift and drag to mark several; Delete deletes"
        )

    def press(self, point: QPointF, modifiers: Modifiers) -> None:
        """Mark a vertex, or wait for what comes."""
        canvas = self.canvas
        target = canvas.target(point)
        if target is not None and target.part is Part.VERTEX:
            marked = canvas.marked
            if modifiers & (ALT | SHIFT):
                self.editing.delete_vertices(target.key, [target.index])
                return
            if modifiers & CTRL:
                rest = [each for each in marked if each != target.index]
                canvas.mark_vertices(rest if len(rest) < len(marked) else [*rest, target.index])
                return
            if target.index not in marked:
                canvas.mark_vertices([target.index])
        self._pressed = (point, target, modifiers)

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """Begin the drag that was meant, or show what would be taken hold of."""
        canvas = self.canvas
        if held:
            if self._pressed is not None:
                origin, target, at_press = self._pressed
                if (point - origin).manhattanLength() > SLACK:
                    self._pressed = None
                    drag = self._drag(origin, target, at_press)
                    canvas.begin_gesture(drag, origin)
                    drag.move(point)
            return
        target = canvas.target(point)
        canvas.light(None if target is None else target.key)
        shape = None
        if target is not None and target.part is Part.VERTEX:
            shape = Qt.CursorShape.SizeAllCursor
        elif target is not None and target.part is Part.EDGE:
            shape = Qt.CursorShape.PointingHandCursor
        canvas.show_cursor(shape)

    def _drag(self, origin: QPointF, target: Target | None, modifiers: Modifiers) -> Gesture:
        canvas = self.canvas
        mode = BandMode.of(modifiers)
        if mode is not None:
            return Band(canvas, mode, self._frame)
        key = canvas.chosen_key
        if target is None or key is None:
            return Pan(canvas)
        if target.part is Part.VERTEX:
            return DragVertices(canvas, self.editing, key, canvas.marked)
        if target.part is Part.EDGE:
            count = canvas.vertex_count()
            ends = [target.index, (target.index + 1) % count]
            return DragVertices(canvas, self.editing, key, ends, edge=True)
        chosen = canvas.selection
        inside = canvas.target(origin, bodies=True)
        held = inside is not None and (inside.key in chosen or canvas.holds(key, origin))
        return DragOutlines(canvas, self.editing, chosen) if held else Pan(canvas)

    def release(self, point: QPointF, modifiers: Modifiers) -> None:
        """A click: add a vertex on an edge, else choose."""
        if self._pressed is None:
            return
        _, target, at_press = self._pressed
        self._pressed = None
        canvas = self.canvas
        if target is not None and target.part is Part.VERTEX:
            return
        if target is not None and target.part is Part.EDGE and not at_press & CTRL:
            place = canvas.on_page(canvas.to_page(point))
            self.editing.add_vertex(target.key, target.index, (int(place.x()), int(place.y())))
            return
        key = None if target is None else target.key
        if at_press & CTRL:
            canvas.toggle(key)
        else:
            canvas.select([] if key is None else [key])
        canvas.tool_changed.emit()

    def double(self, point: QPointF, modifiers: Modifiers) -> None:
        """Zoom to an outline; on an edge a second click adds nothing."""
        target = self.canvas.target(point)
        if target is not None and target.part is Part.BODY:
            self.canvas.reveal([target.key], zoom=True)

    def key(self, key: Qt.Key, modifiers: Modifiers) -> bool:
        """Ins adds a vertex behind the marked one."""
        canvas, chosen, vertex = self.canvas, self.canvas.chosen_key, self.canvas.active_vertex
        if key != Qt.Key.Key_Insert or chosen is None or canvas.shapes is None:
            return False
        points = canvas.shapes.points(chosen)
        at = 0 if vertex is None else vertex
        if len(points) < 2:
            return False
        x, y = (points[at] + points[(at + 1) % len(points)]) / 2
        self.editing.add_vertex(chosen, at, (round(x), round(y)))
        return True

    def cancel(self) -> bool:
        """Forget a press; then unmark vertices."""
        pressed, self._pressed = self._pressed, None
        if pressed is None and self.canvas.marked:
            self.canvas.mark_vertices([])
            return True
        return pressed is not None

    def _frame(self, band: QRectF, mode: BandMode) -> None:
        """Mark the vertices in a frame; where it holds none of them, choose outlines."""
        canvas, key = self.canvas, self.canvas.chosen_key
        if key is not None and canvas.shapes is not None and canvas.vertex_count():
            inside = [
                number
                for number, (x, y) in enumerate(canvas.shapes.points(key).tolist())
                if band.contains(QPointF(x, y))
            ]
            if inside:
                rest = [each for each in canvas.marked if each not in inside]
                if mode is BandMode.REPLACE:
                    rest = []
                canvas.mark_vertices(rest if mode is BandMode.REMOVE else [*rest, *inside])
                return
        canvas.select(combined(canvas.selection, canvas.keys_in(band), mode))
        canvas.tool_changed.emit()
