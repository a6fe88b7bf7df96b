"""The page itself: scan, outlines, mouse and keys. It reports gestures and edits nothing.

A base layer (one cached picture) holds the scan and all outlines at rest; real items show only
what is under the pointer, chosen, linked or being dragged. Stored pixels are the scene's
coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPolygonF,
    QRegion,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QWidget

from madcat_studio.gui.page.base import BaseLayer
from madcat_studio.gui.page.gestures import Gesture, MoveVertex, Pan
from madcat_studio.gui.page.labels import WordLabels
from madcat_studio.gui.page.levels import Pyramid
from madcat_studio.gui.page.live import Handles, LiveOutline
from madcat_studio.gui.page.paths import path_of
from madcat_studio.gui.page.shapes import Kind, PageShapes, Part, ShapeKey, Target, find_target
from madcat_studio.gui.page.style import LIGHT, PageColours
from madcat_studio.model.document import Polygon

__all__ = ["PageCanvas"]

SETTLE_MS = 120
"""So long after the last step of a zoom the page is painted smoothly again."""
_STEP = 1.25
_MARGIN = 16
_LEAST_SCALE = 0.01
_MOST_SCALE = 32.0
_CLICK_SLACK = 4
_KEEP_IN_VIEW = 48
"""So many pixels of the page stay in view however far it is moved."""


class PageCanvas(QGraphicsView):
    """Shows one page.

    Signals:
        hovered: the outline under the pointer (ShapeKey or None).
        chosen: the outline that was clicked (ShapeKey or None).
        vertex_moved: key, vertex number, new place (QPointF, whole stored pixels).
        vertex_removed: key, vertex number.
        vertex_added: key, number of the vertex before it, place.
        zoomed: the new scale, screen pixels a stored pixel.
        pointed: the place under the pointer in stored pixels (QPointF).
    """

    hovered = Signal(object)
    chosen = Signal(object)
    vertex_moved = Signal(object, int, QPointF)
    vertex_removed = Signal(object, int)
    vertex_added = Signal(object, int, QPointF)
    zoomed = Signal(float)
    pointed = Signal(QPointF)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene = QGraphicsScene(self)
        # A handful of items needs no index, and an index costs at every move.
        self._scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.setScene(self._scene)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # Qt's own bars cost 5 to 10 ms a step; the page is moved by hand, wheel and keys.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing, False)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Page"))
        self.setAccessibleDescription(
            self.tr(
                "The scan with the outlines of lines and words. Comma and full stop go from "
                "word to word."
            )
        )
        self._base = BaseLayer()
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
        self._fitted = True
        self._exposed = QRegion()
        self.wheel_zooms = True
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._on_settle)
        self._make_items(LIGHT)

    def _make_items(self, colours: PageColours) -> None:
        self._colours = self._base.colours = colours
        self._linked_item = LiveOutline(colours.linked, width=1.6, fill=38, level=10)
        self._hover_item = LiveOutline(colours.hover, width=1.6, fill=26, level=15)
        self._chosen_item = LiveOutline(colours.chosen, width=2.0, fill=24, level=20)
        self._live_items = (self._linked_item, self._hover_item, self._chosen_item)
        for item in self._live_items:
            self._scene.addItem(item)
        self._handles = Handles(self._scene, colours.chosen, colours.handle)

    # What is shown

    @property
    def shapes(self) -> PageShapes | None:
        """The outlines of the page that is shown."""
        return self._shapes

    def set_colours(self, colours: PageColours) -> None:
        """Follow the theme."""
        self._base.colours = self._colours = colours
        self.refresh()

    def set_page(self, shapes: PageShapes | None, pyramid: Pyramid | None) -> None:
        """Show another page, fitted into the view; nothing is chosen on it."""
        self._cancel_gesture("another page")
        self._shapes = shapes
        self._hover = self._chosen = self._active_vertex = None
        self._linked = []
        for item in self._live_items:
            item.show_path(QPainterPath())
        self._handles.show_points([])
        self._base.labels = None
        self._base.set_page(shapes, pyramid)
        self.fit()

    def set_shapes(self, shapes: PageShapes) -> None:
        """Other outlines on the same page: some were added or removed. The view stays."""
        self._cancel_gesture("the outlines changed")
        self._shapes = shapes
        self._base.set_page(shapes, self._base.pyramid)
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
        self._base.pyramid = pyramid
        self._lay_scene()
        if self._fitted:
            self.fit()
        self.refresh()

    def scan_grew(self) -> None:
        """A level of the scan has arrived that may be better than what is shown."""
        self.refresh()

    def set_labels(self, labels: WordLabels | None) -> None:
        """Show the words' texts beside them, or not."""
        self._base.labels = labels
        self.refresh()

    def set_visible(self, kind: Kind, visible: bool) -> None:
        """Show or hide a layer; what is hidden cannot be chosen with the mouse."""
        self._base.visible[kind] = visible
        self.refresh()

    def set_scan_visible(self, visible: bool) -> None:
        """Show or hide the scan under the outlines."""
        self._base.show_scan = visible
        self.refresh()

    def set_editable(self, editable: bool) -> None:
        """Whether vertices can be taken hold of."""
        self._editable = editable
        self._show_chosen()

    def refresh(self) -> None:
        """Paint everything anew."""
        self._base.invalidate()
        self.viewport().update()

    def outline_changed(self, key: ShapeKey, polygon: Polygon) -> None:
        """Show one outline as the model has it now."""
        shapes = self._shapes
        if shapes is None or key not in shapes:
            return
        self._invalidate_shape(key)
        index = shapes.index(key)
        shapes.replace(key, polygon)
        self._base.outlines[key.kind].changed(index)
        self._invalidate_shape(key)
        if key == self._chosen:
            self._show_chosen()
        if key == self._hover:
            self._hover_item.show_path(self._path([key]))
        if key in self._linked:
            self._linked_item.show_path(self._path(self._linked))

    # Choosing

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
        view = QRectF(self.viewport().rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
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
        points = shapes.points(key).tolist() if self._editable else []
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
        margin = 3 if self._base.labels is None else int(self._base.labels.reach)
        rect = self.viewportTransform().mapRect(box).toAlignedRect()
        rect.adjust(-margin, -margin, margin, margin)
        self._base.invalidate(rect)
        self.viewport().update(rect)

    # Zoom and place

    def scale_now(self) -> float:
        """Screen pixels a stored pixel."""
        return self.transform().m11()

    def fitting_scale(self) -> float:
        """The scale at which the whole page is in view."""
        page = self._base.page_rect()
        if page.isEmpty():
            return 1.0
        view = self.viewport().rect()
        across = max(view.width() - 2 * _MARGIN, 1) / page.width()
        down = max(view.height() - 2 * _MARGIN, 1) / page.height()
        return float(min(max(min(across, down), _LEAST_SCALE), _MOST_SCALE))

    def fit(self) -> None:
        """Show the whole page, also after the window changed its size."""
        self._lay_scene()
        self._set_scale(self.fitting_scale(), settle=True)
        self._centre(self._base.page_rect().center())
        self._fitted = True

    def fit_width(self) -> None:
        """Show the page as wide as the view, from its top."""
        page = self._base.page_rect()
        if page.isEmpty():
            return
        view = self.viewport().rect()
        self._set_scale(max(view.width() - 2 * _MARGIN, 1) / page.width(), settle=True)
        height = (view.height() / 2 - _MARGIN) / self.scale_now()
        self._centre(QPointF(page.center().x(), min(height, page.center().y())))

    def zoom_by(self, factor: float, anchor: QPointF | None = None) -> None:
        """Zoom; the page's point under ``anchor`` (view pixels, else the middle) stays there."""
        now = self.scale_now()
        wanted = now * factor
        if (now < 1.0 < wanted) or (wanted < 1.0 < now):
            wanted = 1.0  # the way through always stops where pixels are exact
        least = min(self.fitting_scale() / 2, 1.0)
        self.zoom_to(min(max(wanted, least), _MOST_SCALE), anchor)

    def zoom_to(self, scale: float, anchor: QPointF | None = None) -> None:
        """Zoom to a scale; see :meth:`zoom_by`."""
        if scale == self.scale_now():
            return
        if anchor is None:
            anchor = QRectF(self.viewport().rect()).center()
        place = self.to_page(anchor)
        self._set_scale(scale)
        self._put(place, anchor)

    def _set_scale(self, scale: float, *, settle: bool = False) -> None:
        self._fitted = False
        if scale == self.scale_now():
            return
        self.setTransform(QTransform.fromScale(scale, scale))
        for item in self._live_items:
            item.set_scale(scale)
        if settle:
            self._settle.stop()
        else:
            self._settle.start()
        self.zoomed.emit(scale)

    def _on_settle(self) -> None:
        self._base.settle()
        self.viewport().update()

    def _lay_scene(self) -> None:
        """Room around the page, so that every part of it can come to the middle."""
        page = self._base.page_rect()
        size = QRectF(self.viewport().rect())
        across = max(page.width(), size.width() / _LEAST_SCALE / 50)
        down = max(page.height(), size.height() / _LEAST_SCALE / 50)
        self.setSceneRect(page.adjusted(-across, -down, across, down))

    def _centre(self, place: QPointF) -> None:
        fitted = self._fitted
        self._put(place, QRectF(self.viewport().rect()).center())
        self._fitted = fitted

    def _put(self, place: QPointF, anchor: QPointF) -> None:
        """Scroll so that a page point lies at a view point, as far as the page stays in view."""
        scale = self.scale_now()
        x, y = place.x() * scale - anchor.x(), place.y() * scale - anchor.y()
        page, view = self._base.page_rect(), self.viewport().rect()
        keep = _KEEP_IN_VIEW
        x = min(max(x, page.left() * scale - view.width() + keep), page.right() * scale - keep)
        y = min(max(y, page.top() * scale - view.height() + keep), page.bottom() * scale - keep)
        self.horizontalScrollBar().setValue(round(x))
        self.verticalScrollBar().setValue(round(y))

    def scroll_by(self, dx: float, dy: float) -> None:
        """Move the page under the view, view pixels."""
        middle = QRectF(self.viewport().rect()).center()
        self._base.settle()
        self._put(self.to_page(middle - QPointF(dx, dy)), middle)
        self._fitted = False

    def to_page(self, point: QPointF) -> QPointF:
        """A view point in stored pixels."""
        return self.viewportTransform().inverted()[0].map(point)

    def to_view(self, point: QPointF) -> QPointF:
        """A page point in view pixels."""
        return self.viewportTransform().map(point)

    def on_page(self, point: QPointF) -> QPointF:
        """The nearest whole pixel of the page."""
        page = self._base.page_rect()
        return QPointF(
            round(min(max(point.x(), 0.0), page.width())),
            round(min(max(point.y(), 0.0), page.height())),
        )

    def rest(self) -> None:
        """Stop waiting for the end of a zoom; what is shown is painted at its best now."""
        self._cancel_gesture("the view closes")
        self._settle.stop()
        self._on_settle()

    # What gestures ask for (see gestures.Stage)

    def begin_reshape(self, key: ShapeKey) -> None:
        """Draw an outline live instead of in the base layer."""
        if self._shapes is None:
            return
        self._base.outlines[key.kind].hide(self._shapes.index(key))
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
        for outlines in self._base.outlines.values():
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

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        self._exposed = event.region()
        super().paintEvent(event)

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        base = self._base
        base.resize(self.viewport().size(), self.viewport().devicePixelRatioF())
        base.move_to(self.viewportTransform(), settled=not self._settle.isActive())
        painter.save()
        painter.resetTransform()
        base.paint(painter, self._exposed)
        painter.restore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        middle = QRectF(QPointF(), event.oldSize()).center()
        place = self.to_page(middle)
        super().resizeEvent(event)
        if self._fitted:
            self.fit()
        elif event.oldSize().isValid():
            self._put(place, QRectF(self.viewport().rect()).center())

    # Mouse

    def _target(self, point: QPointF, beneath: ShapeKey | None = None) -> Target | None:
        if self._shapes is None:
            return None
        place = self.to_page(point)
        return find_target(
            self._shapes,
            place.x(),
            place.y(),
            scale=self.scale_now(),
            shown=self._base.visible,
            editing=self._chosen if self._editable else None,
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
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
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
            shown=self._base.visible,
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

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        modifiers = event.modifiers()
        fine, coarse = event.pixelDelta(), event.angleDelta()
        zooms = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        two_fingers = not fine.isNull()
        if zooms or (self.wheel_zooms and not two_fingers and not modifiers):
            # With Alt held the delta is across; whichever is there counts.
            steps = (coarse.y() or coarse.x()) / 120.0
            self.zoom_by(_STEP**steps, event.position())
            return
        move = fine if two_fingers else QPoint(coarse.x() * 2 // 3, coarse.y() * 2 // 3)
        if modifiers & Qt.KeyboardModifier.ShiftModifier and move.x() == 0:
            move = QPoint(move.y(), 0)
        self.scroll_by(move.x(), move.y())

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.NativeGesture:
            gesture = cast(QNativeGestureEvent, event)
            if gesture.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom_by(1.0 + gesture.value(), gesture.position())
                return True
        return super().viewportEvent(event)

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers()
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        arrows = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, -1),
            Qt.Key.Key_Down: (0, 1),
        }
        if key == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = True
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        elif key == Qt.Key.Key_Escape and (self._gesture or self._pressed):
            self._cancel_gesture("Esc")
            self._pressed = None
        elif key == Qt.Key.Key_Escape and self._chosen is not None:
            self.choose(None)
            self.chosen.emit(None)
        elif key in arrows and control and self._active_vertex is not None:
            self._nudge(*(step * (10 if shift else 1) for step in arrows[Qt.Key(key)]))
        elif key in arrows and not control:
            across, down = arrows[Qt.Key(key)]
            step = 240 if shift else 60
            self.scroll_by(-across * step, -down * step)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal) and not control:
            self.zoom_by(_STEP)
        elif key == Qt.Key.Key_Minus and not control:
            self.zoom_by(1 / _STEP)
        elif key in (Qt.Key.Key_Period, Qt.Key.Key_Comma) and not control:
            self._walk(1 if key == Qt.Key.Key_Period else -1)
        elif key == Qt.Key.Key_V and not control:
            self._walk_vertices(-1 if shift else 1)
        elif key == Qt.Key.Key_Delete and self._active_vertex is not None:
            vertex, chosen = self._active_vertex, self._chosen
            self.activate_vertex(None)
            self.vertex_removed.emit(chosen, vertex)
        else:
            super().keyPressEvent(event)
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
            if self._gesture is None:
                self.viewport().unsetCursor()
        else:
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._space = False
        self._cancel_gesture("the focus went elsewhere")
        super().focusOutEvent(event)

    def _nudge(self, dx: int, dy: int) -> None:
        shapes, key, vertex = self._shapes, self._chosen, self._active_vertex
        if shapes is None or key is None or vertex is None:
            return
        x, y = shapes.points(key)[vertex].tolist()
        self.vertex_moved.emit(key, vertex, self.on_page(QPointF(x + dx, y + dy)))
        self.activate_vertex(vertex)

    def _walk(self, step: int) -> None:
        """To the next word in reading order; on a page without words, to the next line."""
        shapes = self._shapes
        if shapes is None:
            return
        kind = Kind.WORD if len(shapes.sets[Kind.WORD]) else Kind.LINE
        count = len(shapes.sets[kind])
        if not count:
            return
        chosen = self._chosen
        if chosen is not None and chosen.kind is kind:
            number = (shapes.index(chosen) + step) % count
        elif chosen is not None and kind is Kind.WORD:
            number = shapes.first_word(chosen.line) if step > 0 else count - 1
        else:
            number = 0 if step > 0 else count - 1
        key = shapes.key(kind, min(number, count - 1))
        self.choose(key)
        self.reveal([key])
        self.chosen.emit(key)

    def _walk_vertices(self, step: int) -> None:
        if self._shapes is None or self._chosen is None or not self._editable:
            return
        count = len(self._shapes.points(self._chosen))
        if not count:
            return
        if self._active_vertex is None:
            self.activate_vertex(0 if step > 0 else count - 1)
        else:
            self.activate_vertex((self._active_vertex + step) % count)
