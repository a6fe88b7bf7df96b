"""The tool for outlines that are there: vertices, edges, the whole."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt

from madcat_studio.gui.page.shapes import Part, Target
from madcat_studio.gui.page.stage import Gesture, Pan, Stage
from madcat_studio.gui.page.tools.band import Band, BandMode
from madcat_studio.gui.page.tools.dragging import DragOutlines, DragVertices
from madcat_studio.gui.page.tools.editing import Editing
from madcat_studio.gui.page.tools.select import combined
from madcat_studio.gui.page.tools.tool import ALT, CTRL, SHIFT, SLACK, Modifiers, Tool
from madcat_studio.gui.translation import tr

__all__ = ["EditTool"]


class EditTool(Tool):
    """Drag a vertex, an edge or the whole; click an edge to add a vertex; frame several."""

    name = "edit"
    leaves = True

    def __init__(self, stage: Stage, editing: Editing) -> None:
        super().__init__(stage)
        self.editing = editing
        self._pressed: tuple[QPointF, Target | None, Modifiers] | None = None

    def hint(self) -> str:
        """What to do."""
        if self.stage.selection.key is None:
            return tr("Click the outline that you want to edit")
        return tr(
            "Drag a vertex, an edge or the whole; click an edge to add a vertex; "
            "Shift and drag to mark several; Delete deletes"
        )

    def press(self, point: QPointF, modifiers: Modifiers) -> None:
        """Mark a vertex, or wait for what comes."""
        stage = self.stage
        target = stage.target(point)
        if target is not None and target.part is Part.VERTEX:
            marked = stage.selection.marked
            if modifiers & (ALT | SHIFT):
                self.editing.delete_vertices(target.key, [target.index])
                return
            if modifiers & CTRL:
                rest = [each for each in marked if each != target.index]
                rest = rest if len(rest) < len(marked) else [*rest, target.index]
                stage.selection.mark_vertices(rest)
                return
            if target.index not in marked:
                stage.selection.mark_vertices([target.index])
        self._pressed = (point, target, modifiers)

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """Begin the drag that was meant, or show what would be taken hold of."""
        stage = self.stage
        if held:
            if self._pressed is not None:
                origin, target, at_press = self._pressed
                if (point - origin).manhattanLength() > SLACK:
                    self._pressed = None
                    drag = self._drag(origin, target, at_press)
                    stage.begin_gesture(drag, origin)
                    drag.move(point)
            return
        target = stage.target(point)
        stage.selection.light(None if target is None else target.key)
        shape = None
        if target is not None and target.part is Part.VERTEX:
            shape = Qt.CursorShape.SizeAllCursor
        elif target is not None and target.part is Part.EDGE:
            shape = Qt.CursorShape.PointingHandCursor
        stage.show_cursor(shape)

    def _drag(self, origin: QPointF, target: Target | None, modifiers: Modifiers) -> Gesture:
        stage = self.stage
        mode = BandMode.of(modifiers)
        if mode is not None:
            return Band(stage, mode, self._frame)
        key = stage.selection.key
        if target is None or key is None:
            return Pan(stage)
        if target.part is Part.VERTEX:
            return DragVertices(stage, self.editing, key, stage.selection.marked)
        if target.part is Part.EDGE:
            count = stage.selection.vertex_count()
            ends = [target.index, (target.index + 1) % count]
            return DragVertices(stage, self.editing, key, ends, edge=True)
        chosen = stage.selection.keys
        inside = stage.target(origin, bodies=True)
        held = inside is not None and (inside.key in chosen or stage.outlines.holds(key, origin))
        return DragOutlines(stage, self.editing, chosen) if held else Pan(stage)

    def release(self, point: QPointF, modifiers: Modifiers) -> None:
        """A click: add a vertex on an edge, else choose."""
        if self._pressed is None:
            return
        _, target, at_press = self._pressed
        self._pressed = None
        stage = self.stage
        if target is not None and target.part is Part.VERTEX:
            return
        if target is not None and target.part is Part.EDGE and not at_press & CTRL:
            place = stage.camera.on_page(stage.camera.to_page(point))
            self.editing.add_vertex(target.key, target.index, (int(place.x()), int(place.y())))
            return
        key = None if target is None else target.key
        if at_press & CTRL:
            stage.selection.toggle(key)
        else:
            stage.selection.select([] if key is None else [key])
        stage.tell()

    def double(self, point: QPointF, modifiers: Modifiers) -> None:
        """Zoom to an outline; on an edge a second click adds nothing."""
        target = self.stage.target(point)
        if target is not None and target.part is Part.BODY:
            self.stage.outlines.reveal([target.key], zoom=True)

    def key(self, key: Qt.Key, modifiers: Modifiers) -> bool:
        """Ins adds a vertex behind the marked one."""
        stage, chosen, vertex = self.stage, self.stage.selection.key, self.stage.selection.vertex
        if key != Qt.Key.Key_Insert or chosen is None or stage.outlines.shapes is None:
            return False
        points = stage.outlines.shapes.points(chosen)
        at = 0 if vertex is None else vertex
        if len(points) < 2:
            return False
        x, y = (points[at] + points[(at + 1) % len(points)]) / 2
        self.editing.add_vertex(chosen, at, (round(x), round(y)))
        return True

    def cancel(self) -> bool:
        """Forget a press; then unmark vertices."""
        pressed, self._pressed = self._pressed, None
        if pressed is None and self.stage.selection.marked:
            self.stage.selection.mark_vertices([])
            return True
        return pressed is not None

    def _frame(self, band: QRectF, mode: BandMode) -> None:
        """Mark the vertices in a frame; where it holds none of them, choose outlines."""
        stage, key = self.stage, self.stage.selection.key
        if key is not None and stage.outlines.shapes is not None and stage.selection.vertex_count():
            inside = [
                number
                for number, (x, y) in enumerate(stage.outlines.shapes.points(key).tolist())
                if band.contains(QPointF(x, y))
            ]
            if inside:
                rest = [each for each in stage.selection.marked if each not in inside]
                if mode is BandMode.REPLACE:
                    rest = []
                stage.selection.mark_vertices(rest if mode is BandMode.REMOVE else [*rest, *inside])
                return
        outlines = stage.outlines.within(band, stage.layer)
        stage.selection.select(combined(stage.selection.keys, outlines, mode))
        stage.tell()
