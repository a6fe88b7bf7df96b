"""The page itself: scan, outlines, mouse and keys. It reports gestures and edits nothing.

A base layer (one cached picture) holds the scan and all outlines at rest; real items show only
what is under the pointer, chosen, linked or being dragged. What the mouse means is the tool's.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from madcat_studio.gui.page.gestures import Gesture, Pan
from madcat_studio.gui.page.keys import CanvasKeys
from madcat_studio.gui.page.levels import Pyramid
from madcat_studio.gui.page.lit import LitView
from madcat_studio.gui.page.shapes import PageShapes, ShapeKey, Target, find_target
from madcat_studio.gui.page.style import LIGHT
from madcat_studio.gui.page.tools.select import SelectTool
from madcat_studio.gui.page.tools.sketch import Sketch
from madcat_studio.gui.page.tools.tool import Tool
from madcat_studio.gui.translation import tr
from madcat_studio.model.change import Shift
from madcat_studio.model.document import Page

__all__ = ["PageCanvas"]


class PageCanvas(LitView):
    """Shows one page and hands what a user does on it to the tool in use.

    Signals:
        nudged: dx, dy in stored pixels, for the marked vertices, else what is chosen.
        removal_wanted: of the marked vertices, else of what is chosen.
        pointed: the place under the pointer in stored pixels (QPointF).
        tool_left: Esc, with nothing left to give up: back to the tool at hand.
        tool_changed: another tool is in use, or its hint is another one.

    Attributes:
        tool: what presses, moves and keys on the page mean now.
        sketch: what the tool draws over the page.
        keys: which key means what.
    """

    nudged = Signal(int, int)
    removal_wanted = Signal()
    pointed = Signal(QPointF)
    tool_changed = Signal()
    tool_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Page"))
        self.setAccessibleDescription(
            tr(
                "The scan with the outlines of lines and words. Comma and full stop go from "
                "word to word."
            )
        )
        self._gesture: Gesture | None = None
        self._space = False
        self._space_used = False
        self._space_key: int | None = None
        self._pressed = (0, False)
        self.keys = CanvasKeys()
        self.sketch = Sketch(LIGHT.hover)
        self.scene().addItem(self.sketch)
        self.tool: Tool = SelectTool(self)

    def set_page(self, shapes: PageShapes | None, pyramid: Pyramid | None) -> None:
        """Show another page, fitted into the view; nothing is chosen on it."""
        self._cancel_gesture("another page")
        super().set_page(shapes, pyramid)
        self.tool.page_changed()

    def set_shapes(self, shapes: PageShapes) -> None:
        """Other outlines on the same page: some were added or removed. The view stays."""
        self._cancel_gesture("the outlines changed")
        super().set_shapes(shapes)
        self.tool.page_changed()

    def follow(self, page: Page, shifts: Sequence[Shift]) -> None:
        """Outlines of the page came, went or moved; the view, and what is chosen, stay."""
        self._cancel_gesture("the outlines changed")
        super().follow(page, shifts)
        self.tool.page_changed()

    def show_cursor(self, shape: Qt.CursorShape | None) -> None:
        """Show another cursor, or the usual one."""
        if shape is None:
            shape = Qt.CursorShape.OpenHandCursor if self._space else self.tool.cursor
        if shape is None:
            self.viewport().unsetCursor()
        else:
            self.viewport().setCursor(shape)

    def target(
        self, point: QPointF, *, beneath: ShapeKey | None = None, bodies: bool = False
    ) -> Target | None:
        """What lies under a view point; with ``bodies`` neither vertices nor edges."""
        if self._shapes is None:
            return None
        place = self.to_page(point)
        return find_target(
            self._shapes,
            place.x(),
            place.y(),
            scale=self.scale_now(),
            shown=self.base.visible,
            editing=self.chosen_key if self._can_grip() and not bodies else None,
            beneath=beneath,
        )

    def use(self, tool: Tool) -> None:
        """Take another tool into the hand."""
        self._cancel_gesture("another tool")
        self.tool.end()
        self.sketch.clear()
        self.tool, self._grips = tool, tool.grips
        self.show_cursor(None)
        self._show_chosen()
        tool.begin()
        self.tool_changed.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        left = event.button() == Qt.MouseButton.LeftButton
        if event.button() == Qt.MouseButton.MiddleButton or (left and self._space):
            self._space_used = True
            self.begin_gesture(Pan(self), point)
        elif left:
            self._cancel_gesture("another press")
            self.tool.press(point, event.modifiers())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        self.pointed.emit(self.to_page(point))
        if self._gesture is not None:
            self._gesture.move(point)
            return
        held = bool(event.buttons() & Qt.MouseButton.LeftButton)
        if held or not self._space:
            self.tool.move(point, event.modifiers(), held=held)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.end(event.position())
        elif event.button() == Qt.MouseButton.LeftButton:
            self.tool.release(event.position(), event.modifiers())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not self._space:
            self.tool.double(event.position(), event.modifiers())
        else:
            self.mousePressEvent(event)

    def begin_gesture(self, gesture: Gesture, point: QPointF) -> None:
        """From here to the release the mouse belongs to a gesture."""
        self._cancel_gesture("another gesture")
        self._gesture = gesture
        gesture.start(point)

    def _cancel_gesture(self, reason: str) -> None:
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.cancel(reason)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.light(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._space = False
        self._cancel_gesture("the focus went elsewhere")
        super().focusOutEvent(event)

    def scale_set(self, scale: float) -> None:
        super().scale_set(scale)
        self.sketch.set_scale(scale)

    def settle_now(self) -> None:
        """Drop a gesture that is not finished, and paint at the best now."""
        self._cancel_gesture("the view closes")
        super().settle_now()

    def hold_key(self) -> None:
        """The key that is pressed now is the space bar until it is let go."""
        key, repeats = self._pressed
        if not repeats:
            self._space_key = key
            self.hold_space(True)

    def hold_space(self, held: bool) -> None:
        """While the space bar is held, the mouse moves the page; a mere tap is the tool's."""
        self._space = held
        if held:
            self._space_used = False
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        elif self._gesture is None:
            self.show_cursor(None)
            if not self._space_used:
                self.tool.tap()

    def cancel(self) -> bool:
        """Esc: end a gesture, or what the tool began, else choose nothing; False for none."""
        if self._gesture is not None:
            self._cancel_gesture("Esc")
            return True
        if self.tool.cancel():
            return True
        if self._selection:
            self.select([])
            return True
        if self.tool.leaves:
            self.tool_left.emit()
            return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self.tool.key(key, event.modifiers()):
            return
        self._pressed = (event.key(), event.isAutoRepeat())
        action = self.keys.action(event)
        if key == Qt.Key.Key_Escape and self.cancel():
            return
        if key == Qt.Key.Key_Delete and self.chosen_key is not None and self.editable:
            self.removal_wanted.emit()
        elif action is None or action.run(self) is False:
            super().keyPressEvent(event)
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == self._space_key and not event.isAutoRepeat():
            self._space_key = None
            self.hold_space(False)
        else:
            super().keyReleaseEvent(event)
