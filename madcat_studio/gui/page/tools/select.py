"""The tool at hand: choose outlines, move the page, and take hold of the chosen one's vertices."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt

from madcat_studio.gui.page.shapes import Part, ShapeKey, Target
from madcat_studio.gui.page.stage import Pan, Stage
from madcat_studio.gui.page.tools.band import Band, BandMode
from madcat_studio.gui.page.tools.dragging import DragVertices
from madcat_studio.gui.page.tools.editing import Editing
from madcat_studio.gui.page.tools.tool import ALT, CTRL, SHIFT, SLACK, Modifiers, Tool
from madcat_studio.gui.translation import tr

__all__ = ["SelectTool", "combined"]


class SelectTool(Tool):
    """Click to choose, again to choose what lies beneath; drag to move the page or a vertex."""

    name = "select"

    def __init__(self, stage: Stage, editing: Editing | None = None) -> None:
        """``editing``: who makes the edits; None where a page is only looked at."""
        super().__init__(stage)
        self.editing = editing
        self.grips = editing is not None
        self._pressed: tuple[QPointF, Target | None, Modifiers] | None = None
        self._clicked: QPointF | None = None

    def hint(self) -> str:
        """What clicks and drags do."""
        return tr(
            "Click to choose, again for what lies beneath; Ctrl and click for several; "
            "Shift and drag to choose all in a frame"
        )

    def press(self, point: QPointF, modifiers: Modifiers) -> None:
        """Take hold of a vertex, or wait whether it becomes a click or a drag."""
        stage, editing = self.stage, self.editing
        target = stage.target(point)
        # Either will do: some desktops keep Alt and a click for moving windows.
        alt = bool(modifiers & (ALT | SHIFT)) and not modifiers & CTRL
        if editing is not None and target is not None:
            if target.part is Part.VERTEX and not modifiers & CTRL:
                if alt:
                    stage.selection.mark_vertices([])
                    editing.delete_vertices(target.key, [target.index])
                    return
                stage.selection.mark_vertices([target.index])
                drag = DragVertices(stage, editing, target.key, [target.index])
                stage.begin_gesture(drag, point)
                return
            if alt and target.part is Part.EDGE:
                place = stage.camera.on_page(stage.camera.to_page(point))
                editing.add_vertex(target.key, target.index, (int(place.x()), int(place.y())))
                return
        self._pressed = (point, self._meant(point, target, alt), modifiers)

    def _meant(self, point: QPointF, target: Target | None, alt: bool) -> Target | None:
        """The outline that a click means."""
        chosen = self.stage.selection.key
        if alt:
            return self.stage.target(point, beneath=chosen)
        if target is not None and target.part is not Part.BODY:
            # A click on the chosen outline's edge is a click on what lies there.
            inside = self.stage.target(point, bodies=True)
            target = inside if inside is not None else Target(Part.BODY, target.key)
        return target

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """Begin a drag, or light what lies under the pointer."""
        stage = self.stage
        if held:
            if self._pressed is not None:
                origin, _, at_press = self._pressed
                if (point - origin).manhattanLength() > SLACK:
                    self._pressed = self._clicked = None
                    mode = BandMode.of(at_press)
                    drag = Pan(stage) if mode is None else Band(stage, mode, self._take)
                    stage.begin_gesture(drag, origin)
                    drag.move(point)
            return
        target = stage.target(point)
        stage.selection.light(None if target is None else target.key)
        grip = target is not None and target.part is Part.VERTEX
        stage.show_cursor(Qt.CursorShape.SizeAllCursor if grip else None)

    def release(self, point: QPointF, modifiers: Modifiers) -> None:
        """A click: choose."""
        if self._pressed is None:
            return
        origin, target, modifiers = self._pressed
        self._pressed = None
        stage, before = self.stage, self._clicked
        key = None if target is None else target.key
        self._clicked = origin
        if modifiers & CTRL:
            stage.selection.toggle(key)
            return
        again = before is not None and (origin - before).manhattanLength() <= SLACK
        if again and not modifiers and key is not None and stage.selection.key is not None:
            # The same place again: from the smallest outline there to the largest, and round.
            beneath = stage.target(point, beneath=stage.selection.key)
            key = key if beneath is None else beneath.key
        stage.selection.select([] if key is None else [key])

    def double(self, point: QPointF, modifiers: Modifiers) -> None:
        """Zoom to what was clicked."""
        self.press(point, modifiers)
        if self._pressed is not None and self._pressed[1] is not None:
            self.stage.outlines.reveal([self._pressed[1].key], zoom=True)
            self._pressed = self._clicked = None

    def cancel(self) -> bool:
        """Forget a press."""
        pressed, self._pressed = self._pressed, None
        self._clicked = None
        return pressed is not None

    def _take(self, band: QRectF, mode: BandMode) -> None:
        stage = self.stage
        inside = stage.outlines.within(band, stage.layer)
        stage.selection.select(combined(stage.selection.keys, inside, mode))


def combined(before: list[ShapeKey], inside: list[ShapeKey], mode: BandMode) -> list[ShapeKey]:
    """What is chosen after a frame was drawn."""
    if mode is BandMode.REPLACE:
        return inside
    within = set(inside)
    kept = [key for key in before if key not in within]
    return kept if mode is BandMode.REMOVE else [*kept, *inside]
