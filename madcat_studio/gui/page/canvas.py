"""The page itself: scan, outlines, mouse and keys. It reports gestures and edits nothing.

A base layer (one cached picture) holds the scan and all outlines at rest; real items show only
what is under the pointer, chosen, linked or being dragged.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainterPath, QPolygonF
from PySide6.QtWidgets import QWidget

from madcat_studio.gui.page.gestures import Gesture, MoveVertex, Pan
from madcat_studio.gui.page.keys import press
from madcat_studio.gui.page.labels import WordLabels
from madcat_studio.gui.page.levels import Pyramid
from madcat_studio.gui.page.live import Handles, LiveOutline
from madcat_studio.gui.page.paths import path_of
from madcat_studio.gui.page.shapes import Kind, PageShapes, Part, ShapeKey, Target, find_target
from madcat_studio.gui.page.style import LIGHT, PageColours
from madcat_studio.gui.page.zoom import MARGIN, ZoomView
from madcat_studio.gui.translation import tr
from madcat_studio.model.document import Polygon

__all__ = ["PageCanvas"]

_ALT, _SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
_CLICK_SLACK = 4
_GRIP_ROOM = 14.0
"""Screen pixels of outline that each vertex needs; below, grips would hide the word."""


class PageCanvas(ZoomView):
    """Shows one page.

    Signals:
        hovered: the outline under the pointer (ShapeKey or None).
        chosen: the outline that was clicked (ShapeKey or None).
        vertex_moved: key, vertex number, new place (QPointF, whole stored pixels).
        vertex_removed: key, vertex number.
        vertex_added: key, number of the vertex before it, place.
        pointed: the place under the pointer in stored pixels (QPointF).
    """

    hovered = Signal(object)
    chosen = Signal(object)
    vertex_moved = Signal(object, int, QPointF)
    vertex_removed = Signal(object, int)
    vertex_added = Signal(object, int, QPointF)
    pointed = Signal(QPointF)

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
        self._shapes: PageShapes | None = None
        self._editable = True
        self._hover: ShapeKey | None = None
        self._chosen: ShapeKey | None = None
        self._active_vertex: int | None = None
        self._linked: list[ShapeKey] = []
        self._live_points: list[QPointF] | None = None
        self._gesture: Gesture | None = None
        self._pressed: tuple[QPointF, Target | None] | None = None
        self._space = False
        self._make_items(LIGHT)

    def _make_items(self, colours: PageColours) -> None:
        self.base.colours = colours
        self._linked_item = LiveOutline(colours.linked, width=1.6, fill=38, level=10)
        self._hover_item = LiveOutline(colours.hover, width=1.6, fill=26, level=15)
        self._chosen_item = LiveOutline(colours.chosen, width=2.0, fill=24, level=20)
        self._live_items = (self._linked_item, self._hover_item, self._chosen_item)
        for item in self._live_items:
            self.scene().addItem(item)
        self._handles = Handles(self.scene(), colours.chosen, colours.handle)

    @property
    def shapes(self) -> PageShapes | None:
        """The outlines of the page that is shown."""
        return self._shapes

    def set_page(self, shapes: PageShapes | None, pyramid: Pyramid | None) -> None:
        """Show another page, fitted into the view; nothing is chosen on it."""
        self._cancel_gesture("another page")
        self._shapes = shapes
        self._hover = self._chosen = self._active_vertex = None
        self._linked = []
        for item in self._live_items:
            item.show_path(QPainterPath())
        self._handles.show_points([])
        self.base.labels = None
        self.base.set_page(shapes, pyramid)
        self.fit()

    def set_shapes(self, shapes: PageShapes) -> None:
        """Other outlines on the same page: some were added or removed. The view stays."""
        self._cancel_gesture("the outlines changed")
        self._shapes = shapes
        self.base.set_page(shapes, self.base.pyramid)
        self._hover = None
        self._hover_item.show_path(QPainterPath())
        if self._chosen is not None and self._chosen not in shapes:
            self._chosen = None
        self._linked = [key for key in self._linked if key in shapes]
        self._show_chosen()
        self._linked_item.show_path(self._path(self._linked))
        self.refresh()

    def set_scan(self, pyramid: Pyramid) -> None:
        """The scan has arrived, or another one: the outlines stay."""
        self.base.pyramid = pyramid
        self._lay_scene()
        if self._fitted:
            self.fit()
        self.base.invalidate_scan()
        self.viewport().update()

    def scan_grew(self) -> None:
        """A level of the scan has arrived that may be better than what is shown."""
        if self.base.scan_could_be_better():
            self.base.invalidate_scan()
            self.viewport().update()

    def set_labels(self, labels: WordLabels | None) -> None:
        """Show the words' texts beside them, or not."""
        self.base.labels = labels
        self.refresh()

    def set_editable(self, editable: bool) -> None:
        """Whether vertices can be taken hold of."""
        self._editable = editable
        self._show_chosen()

    def outline_changed(self, key: ShapeKey, polygon: Polygon) -> None:
        """Show one outline as the model has it now."""
        shapes = self._shapes
        if shapes is None or key not in shapes:
            return
        self._invalidate_shape(key)
        index = shapes.index(key)
        shapes.replace(key, polygon)
        self.base.outlines[key.kind].changed(index)
        self._invalidate_shape(key)
        if key == self._chosen:
            self._show_chosen()
        if key == self._hover:
            self._hover_item.show_path(self._path([key]))
        if key in self._linked:
            self._linked_item.show_path(self._path(self._linked))

    @property
    def chosen_key(self) -> ShapeKey | None:
        """The outline that is chosen."""
        return self._chosen

    @property
    def hovered_key(self) -> ShapeKey | None:
        """The outline under the pointer."""
        return self._hover

    @property
    def active_vertex(self) -> int | None:
        """The vertex of the chosen outline that keys act on."""
        return self._active_vertex

    def choose(self, key: ShapeKey | None) -> None:
        """Choose an outline, as a click does, without telling anybody."""
        if key is not None and (self._shapes is None or key not in self._shapes):
            key = None
        if key != self._chosen:
            self._active_vertex = None
        self._chosen = key
        self._show_chosen()

    def link(self, keys: Iterable[ShapeKey]) -> None:
        """Light outlines that belong to what is chosen elsewhere."""
        shapes = self._shapes
        self._linked = [key for key in keys if shapes is not None and key in shapes]
        self._linked_item.show_path(self._path(self._linked))

    def reveal(self, keys: Iterable[ShapeKey], *, zoom: bool = False) -> None:
        """Bring outlines into view; with ``zoom`` as large as their line fits comfortably."""
        if self._shapes is None:
            return
        box = self._shapes.union(key for key in keys if key in self._shapes)
        if box is None:
            return
        left, top, right, bottom = box
        target = QRectF(QPointF(left, top), QPointF(right, bottom))
        view = QRectF(self.viewport().rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        if zoom:
            room = max(
                min(
                    view.width() / max(target.width() * 1.15, 1),
                    view.height() / max(target.height() * 4, 1),
                    1.0,
                ),
                self.fitting_scale(),
            )
            if not 0.6 <= self.scale_now() / room <= 1.6:
                self._set_scale(room)
                self._centre(target.center())
                return
        if not view.contains(self.viewportTransform().mapRect(target)):
            self._centre(target.center())

    def activate_vertex(self, index: int | None) -> None:
        """Mark the vertex that keys act on."""
        self._active_vertex = index
        self._handles.set_active(index)

    def _path(self, keys: Iterable[ShapeKey]) -> QPainterPath:
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        shapes = self._shapes
        if shapes is None:
            return path
        for kind in Kind:
            indices = [shapes.index(key) for key in keys if key.kind is kind]
            if indices:
                path.addPath(path_of(shapes.sets[kind], np.array(indices, dtype=np.intp)))
        return path

    def _show_chosen(self) -> None:
        shapes, key = self._shapes, self._chosen
        if shapes is None or key is None:
            self._chosen_item.show_path(QPainterPath())
            self._handles.show_points([])
            return
        self._chosen_item.show_path(self._path([key]))
        points = shapes.points(key).tolist() if self._can_grip() else []
        self._handles.show_points([QPointF(x, y) for x, y in points])
        self._handles.set_active(
            self._active_vertex
            if self._active_vertex is not None and self._active_vertex < len(points)
            else None
        )

    def _set_hover(self, key: ShapeKey | None) -> None:
        if key == self._hover:
            return
        self._hover = key
        shown = [] if key is None or key == self._chosen else [key]
        self._hover_item.show_path(self._path(shown))
        self.hovered.emit(key)

    def _invalidate_shape(self, key: ShapeKey) -> None:
        if self._shapes is None:
            return
        left, top, right, bottom = self._shapes.box(key)
        if left > right:
            return
        box = QRectF(QPointF(left, top), QPointF(right, bottom))
        margin = 3 if self.base.labels is None else int(self.base.labels.reach)
        rect = self.viewportTransform().mapRect(box).toAlignedRect()
        rect.adjust(-margin, -margin, margin, margin)
        self.base.invalidate(rect)
        self.viewport().update(rect)

    def begin_reshape(self, key: ShapeKey) -> None:
        """Draw an outline live instead of in the base layer."""
        if self._shapes is None:
            return
        self.base.outlines[key.kind].hide(self._shapes.index(key))
        self._invalidate_shape(key)
        self._live_points = [QPointF(x, y) for x, y in self._shapes.points(key).tolist()]

    def reshape(self, index: int, point: QPointF) -> None:
        """Show one vertex of the live outline elsewhere."""
        if self._live_points is None:
            return
        self._live_points[index] = point
        path = QPainterPath()
        path.addPolygon(QPolygonF(self._live_points))
        path.closeSubpath()
        self._chosen_item.show_path(path)
        self._handles.move(index, point)

    def end_reshape(self) -> None:
        """Show the outline as the model has it."""
        self._live_points = None
        for outlines in self.base.outlines.values():
            outlines.hide(None)
        if self._chosen is not None:
            self._invalidate_shape(self._chosen)
        self._show_chosen()

    def finish_vertex(self, key: ShapeKey, index: int, point: QPointF) -> None:
        """Ask for the edit."""
        self.vertex_moved.emit(key, index, point)

    def show_cursor(self, shape: Qt.CursorShape | None) -> None:
        """Show another cursor, or the usual one."""
        if shape is None:
            self.viewport().unsetCursor()
            if self._space:
                self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.viewport().setCursor(shape)

    def _target(self, point: QPointF, beneath: ShapeKey | None = None) -> Target | None:
        if self._shapes is None:
            return None
        place = self.to_page(point)
        return find_target(
            self._shapes,
            place.x(),
            place.y(),
            scale=self.scale_now(),
            shown=self.base.visible,
            editing=self._chosen if self._can_grip() else None,
            beneath=beneath,
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if event.button() == Qt.MouseButton.MiddleButton or (
            event.button() == Qt.MouseButton.LeftButton and self._space
        ):
            self._begin(Pan(self), point)
            return
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._cancel_gesture("another press")
        target = self._target(point)
        # Either will do: some desktops keep Alt and a click for moving windows.
        alt = bool(event.modifiers() & (_ALT | _SHIFT))
        if target is not None and target.part is Part.VERTEX:
            if alt:
                self.activate_vertex(None)
                self.vertex_removed.emit(target.key, target.index)
                return
            self.activate_vertex(target.index)
            self._begin(MoveVertex(self, target.key, target.index), point)
            return
        if alt and target is not None and target.part is Part.EDGE:
            place = self.on_page(self.to_page(point))
            self.vertex_added.emit(target.key, target.index, place)
            return
        if alt:
            target = self._target(point, beneath=self._chosen)
        elif target is not None and target.part is Part.EDGE:
            # A click on the chosen outline's edge is a click on what lies there.
            inside = self._target_body(point)
            target = inside if inside is not None else Target(Part.BODY, target.key)
        self._pressed = (point, target)

    def _target_body(self, point: QPointF) -> Target | None:
        if self._shapes is None:
            return None
        place = self.to_page(point)
        return find_target(
            self._shapes,
            place.x(),
            place.y(),
            scale=self.scale_now(),
            shown=self.base.visible,
        )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        self.pointed.emit(self.to_page(point))
        if self._gesture is not None:
            self._gesture.move(point)
            return
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            origin = self._pressed[0]
            if (point - origin).manhattanLength() > _CLICK_SLACK:
                self._pressed = None
                pan = Pan(self)
                self._begin(pan, origin)
                pan.move(point)
            return
        target = self._target(point)
        self._set_hover(None if target is None else target.key)
        if not self._space:
            if target is not None and target.part is Part.VERTEX:
                self.viewport().setCursor(Qt.CursorShape.SizeAllCursor)
            else:
                self.viewport().unsetCursor()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.end(event.position())
            return
        if self._pressed is not None and event.button() == Qt.MouseButton.LeftButton:
            target = self._pressed[1]
            self._pressed = None
            key = None if target is None else target.key
            self.choose(key)
            self._hover_item.show_path(QPainterPath())
            self.chosen.emit(key)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)
        if self._pressed is not None and self._pressed[1] is not None:
            self.reveal([self._pressed[1].key], zoom=True)
            self._pressed = None

    def _begin(self, gesture: Gesture, point: QPointF) -> None:
        self._cancel_gesture("another gesture")
        self._pressed = None
        self._gesture = gesture
        gesture.start(point)

    def _cancel_gesture(self, reason: str) -> None:
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.cancel(reason)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._set_hover(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._space = False
        self._cancel_gesture("the focus went elsewhere")
        super().focusOutEvent(event)

    def scale_set(self, scale: float) -> None:
        for item in self._live_items:
            item.set_scale(scale)
        if self._live_points is None:
            self._show_chosen()

    def _can_grip(self) -> bool:
        """Whether the chosen outline's vertices lie far enough apart to be taken hold of."""
        shapes, key = self._shapes, self._chosen
        if not self._editable or shapes is None or key is None:
            return False
        points = shapes.points(key)
        way = np.abs(np.diff(points, axis=0, append=points[:1])).sum() * self.scale_now()
        return len(points) <= 8 or bool(way >= _GRIP_ROOM * len(points))

    def rest(self) -> None:
        """Drop a gesture that is not finished, and paint at the best now."""
        self._cancel_gesture("the view closes")
        super().rest()

    def hold_space(self, held: bool) -> None:
        """While the space bar is held, the mouse moves the page."""
        self._space = held
        if held:
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        elif self._gesture is None:
            self.viewport().unsetCursor()

    def cancel(self) -> bool:
        """Esc: end a gesture, else choose nothing. False where there was neither."""
        if self._gesture is not None or self._pressed is not None:
            self._cancel_gesture("Esc")
            self._pressed = None
            return True
        if self._chosen is not None:
            self.choose(None)
            self.chosen.emit(None)
            return True
        return False

    def vertex_count(self) -> int:
        """How many vertices of the chosen outline can be taken hold of."""
        if self._shapes is None or self._chosen is None or not self._editable:
            return 0
        return len(self._shapes.points(self._chosen))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press(self, event):
            super().keyPressEvent(event)
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.hold_space(False)
        else:
            super().keyReleaseEvent(event)
