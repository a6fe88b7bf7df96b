"""Gives mouse and keys to the tool in use, and keeps what all tools share.

Those are: moving the page with the middle button or the space bar, one gesture at a time, Esc, and
the keys that mean the same with every tool.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QGraphicsItem, QGraphicsView

from madcat_studio.gui.keyboard import key_of
from madcat_studio.gui.page.base import BaseLayer
from madcat_studio.gui.page.begun import LINK, Begun
from madcat_studio.gui.page.camera import Camera
from madcat_studio.gui.page.keys import CanvasKeys
from madcat_studio.gui.page.outlinelayer import OutlineLayer
from madcat_studio.gui.page.selectionlayer import SelectionLayer
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey, Target, find_target
from madcat_studio.gui.page.sketch import Sketch
from madcat_studio.gui.page.snap import Snap
from madcat_studio.gui.page.stage import Gesture, Pan
from madcat_studio.gui.page.style import PageColours
from madcat_studio.gui.page.tools.select import SelectTool
from madcat_studio.gui.page.tools.tool import Tool

__all__ = ["ToolHost"]


class ToolHost(QObject):
    """Holds the tool in use; it is the :class:`Stage` that tools and gestures see.

    Signals:
        changed: another tool is in use, or its hint is another one.
        left: Esc, with nothing left to give up: back to the tool at hand.
        pointed: the place under the pointer in stored pixels (QPointF).
        nudged: dx, dy in stored pixels, for the marked vertices, else what is chosen.
        removal_wanted: of the marked vertices, else of what is chosen.
        refused: a press did nothing; why.

    Attributes:
        tool: what presses, moves and keys on the page mean now.
        keys: which key means what.
        begun: what is begun on the page and not finished.
    """

    changed = Signal()
    left = Signal()
    pointed = Signal(QPointF)
    nudged = Signal(int, int)
    removal_wanted = Signal()
    refused = Signal(str)

    def __init__(
        self,
        view: QGraphicsView,
        base: BaseLayer,
        camera: Camera,
        outlines: OutlineLayer,
        selection: SelectionLayer,
        colours: PageColours,
    ) -> None:
        super().__init__(view)
        self._view = view
        self.base, self.camera, self.outlines, self.selection = base, camera, outlines, selection
        self.layer = OutlineKind.WORD
        self.begun = Begun(self)
        self.snap = Snap(view.scene(), camera, base, colours)
        self.sketch = Sketch(colours.hover)
        view.scene().addItem(self.sketch)
        camera.zoomed.connect(self.sketch.set_scale)
        self.keys = CanvasKeys()
        self._gesture: Gesture | None = None
        self._space = False
        self._space_used = False
        self._space_key: int | None = None
        self._pressed = (0, False)
        self.tool: Tool = SelectTool(self)

    # The tool in use

    def use(self, tool: Tool) -> None:
        """Take another tool into the hand."""
        self.leave_gesture("another tool")
        self.tool.end()
        self.sketch.clear()
        self.tool = tool
        self.show_cursor(None)
        self.selection.set_grips(tool.grips)
        tool.begin()
        self.changed.emit()

    def in_use(self, tool: object) -> bool:
        """Whether this tool is the one in use."""
        return self.tool is tool

    def tell(self) -> None:
        """The tool is at something else now, and its hint another one."""
        self.changed.emit()

    def work_on(self, layer: OutlineKind) -> None:
        """Let tools work on this layer."""
        self.layer = layer
        self.tool.page_changed()
        self.changed.emit()

    def refuse(self, why: str) -> None:
        """Say why a press does nothing."""
        self.refused.emit(why)

    def show_cursor(self, shape: Qt.CursorShape | None) -> None:
        """Show another cursor, or the usual one."""
        if shape is None:
            shape = Qt.CursorShape.OpenHandCursor if self._space else self.tool.cursor
        if shape is None:
            self._view.viewport().unsetCursor()
        else:
            self._view.viewport().setCursor(shape)

    def target(
        self, point: QPointF, *, beneath: ShapeKey | None = None, bodies: bool = False
    ) -> Target | None:
        """What lies under a view point; with ``bodies`` neither vertices nor edges."""
        shapes = self.outlines.shapes
        if shapes is None:
            return None
        place = self.camera.to_page(point)
        return find_target(
            shapes,
            place.x(),
            place.y(),
            scale=self.camera.scale(),
            shown=self.base.visible,
            editing=self.selection.key if self.selection.can_grip() and not bodies else None,
            beneath=beneath,
        )

    def add_item(self, item: QGraphicsItem) -> None:
        """Lay something over the page."""
        self._view.scene().addItem(item)

    # Gestures

    def begin_gesture(self, gesture: Gesture, point: QPointF) -> None:
        """From here to the release the mouse belongs to a gesture."""
        self.leave_gesture("another gesture")
        self._gesture = gesture
        gesture.start(point)

    def drop_gesture(self, reason: str) -> bool:
        """End a gesture that is not finished; False where there is none."""
        if self._gesture is None:
            return False
        gesture, self._gesture = self._gesture, None
        gesture.cancel(reason)
        return True

    def leave_gesture(self, reason: str) -> None:
        """Something comes between: what is made by a gesture so far is not lost."""
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.leave(reason)

    @property
    def unfinished(self) -> str:
        """What undo would take back of what is begun, by its name; "" for nothing."""
        # Half of a link may wait with any tool in use.
        return next((name for name in (LINK, *self.tool.drafts) if self.begun.has(name)), "")

    @property
    def taken_back(self) -> str:
        """What redo would make again of what was begun, by its name; "" for nothing."""
        names = (*self.tool.drafts, LINK)
        return next((name for name in names if self.begun.can_again(name)), "")

    def take_back(self) -> bool:
        """Take back the last of what is begun; False where there is nothing."""
        return self.drop_gesture("undo") or self._with_draft(self.unfinished, self.begun.back)

    def make_again(self) -> bool:
        """Make again what was taken back last of what was begun; False where there is nothing."""
        return self._with_draft(self.taken_back, self.begun.again)

    def _with_draft(self, name: str, act: Callable[[str], bool]) -> bool:
        if not name or not act(name):
            return False
        self.tool.draft_changed()
        self.changed.emit()
        return True

    def cancel(self) -> bool:
        """Esc: end a gesture, or what the tool began, else choose nothing; False for none."""
        if self.drop_gesture("Esc") or self.tool.cancel():
            return True
        if self.selection.key is not None:
            self.selection.select([])
            return True
        if self.tool.leaves:
            self.left.emit()
            return True
        return False

    # The mouse

    def press(self, event: QMouseEvent) -> None:
        """A button went down."""
        point = event.position()
        left = event.button() == Qt.MouseButton.LeftButton
        if event.button() == Qt.MouseButton.MiddleButton or (left and self._space):
            self._space_used = True
            self.begin_gesture(Pan(self), point)
        elif left:
            self.leave_gesture("another press")
            self.tool.press(point, event.modifiers())

    def move(self, event: QMouseEvent) -> None:
        """The mouse moved."""
        point = event.position()
        self.pointed.emit(self.camera.to_page(point))
        if self._gesture is not None:
            self._gesture.move(point)
            return
        held = bool(event.buttons() & Qt.MouseButton.LeftButton)
        if held or not self._space:
            self.tool.move(point, event.modifiers(), held=held)

    def release(self, event: QMouseEvent) -> None:
        """A button went up."""
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.end(event.position())
        elif event.button() == Qt.MouseButton.LeftButton:
            self.tool.release(event.position(), event.modifiers())

    def double(self, event: QMouseEvent) -> None:
        """The second press of a double click."""
        if event.button() == Qt.MouseButton.LeftButton and not self._space:
            self.tool.double(event.position(), event.modifiers())
        else:
            self.press(event)

    def focus_lost(self) -> None:
        """The keys go elsewhere."""
        self._space = False
        self.leave_gesture("the focus went elsewhere")

    # The keys

    def hold_space(self, held: bool) -> None:
        """While the space bar is held, the mouse moves the page; a mere tap is the tool's."""
        self._space = held
        if held:
            self._space_used = False
            self._view.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        elif self._gesture is None:
            self.show_cursor(None)
            if not self._space_used:
                self.tool.tap()

    def hold_key(self) -> None:
        """The key that is pressed now is the space bar until it is let go."""
        key, repeats = self._pressed
        if not repeats:
            self._space_key = key
            self.hold_space(True)

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Do what a key says; False for one that means nothing here now."""
        key = key_of(event)
        if self.tool.key(key, event.modifiers()):
            return True
        self._pressed = (event.key(), event.isAutoRepeat())
        action = self.keys.action(event)
        if key == Qt.Key.Key_Escape and self.cancel():
            return True
        selection = self.selection
        if key == Qt.Key.Key_Delete and selection.key is not None and selection.editable:
            self.removal_wanted.emit()
            return True
        return action is not None and action.run(self) is not False

    def key_released(self, event: QKeyEvent) -> bool:
        """A key went up; False for one that means nothing here."""
        if event.key() != self._space_key or event.isAutoRepeat():
            return False
        self._space_key = None
        self.hold_space(False)
        return True
