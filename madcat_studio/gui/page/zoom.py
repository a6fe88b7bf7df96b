"""A page that can be moved and zoomed: the part of the canvas that knows no outline.

The page lies in the base layer (one cached picture); whatever is put into the scene is painted
over it. Stored pixels are the scene's coordinates.
"""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QRegion,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QWidget

from madcat_studio.gui.page.base import BaseLayer
from madcat_studio.gui.page.picture import scale_of
from madcat_studio.gui.page.shapes import OutlineKind
from madcat_studio.gui.page.style import PageColours
from madcat_studio.gui.page.tone import Tone

__all__ = ["MARGIN", "STEP", "ZoomView"]

SETTLE_MS = 120
"""So long after the last step of a zoom the page is painted smoothly again."""
STEP = 1.25
"""One step of the wheel."""
MARGIN = 16
"""Pixels left free around a page that is fitted."""
_LEAST_SCALE = 0.01
_MOST_SCALE = 32.0
_KEEP_IN_VIEW = 48
"""So many pixels of the page stay in view however far it is moved."""


class ZoomView(QGraphicsView):
    """Shows the base layer at a scale.

    Signals:
        zoomed: the new scale, screen pixels a stored pixel.
        moved: another part of the page is in view.

    Attributes:
        base: scan and outlines at rest.
        wheel_zooms: whether the mouse wheel zooms without Ctrl, and moves with it.
    """

    zoomed = Signal(float)
    moved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        scene = QGraphicsScene(self)
        # A handful of items needs no index, and an index costs at every move.
        scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.setScene(scene)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # Qt's own bars cost 5 to 10 ms a step; the page is moved by hand, wheel and keys.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.base = BaseLayer()
        self.wheel_zooms = True
        self._fitted = True
        self._turn = 0
        self._exposed = QRegion()
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._on_settle)

    def scale_set(self, scale: float) -> None:
        """The scale is another one now; for what is painted over the base."""

    def set_colours(self, colours: PageColours) -> None:
        """Follow the theme."""
        self.base.colours = colours
        self.base.invalidate_scan()
        self.viewport().update()

    def refresh(self) -> None:
        """Paint all outlines anew; the scan under them is as it was."""
        self.base.invalidate()
        self.viewport().update()

    def set_tone(self, tone: Tone) -> None:
        """Show the scan brighter, darker, steeper."""
        if tone != self.base.tone:
            self.base.tone = tone
            self.base.invalidate_scan()
            self.viewport().update()

    def set_visible(self, kind: OutlineKind, visible: bool) -> None:
        """Show or hide a layer; what is hidden cannot be chosen with the mouse."""
        self.base.visible[kind] = visible
        self.refresh()

    def set_scan_visible(self, visible: bool) -> None:
        """Show or hide the scan under the outlines."""
        self.base.show_scan = visible
        self.base.invalidate_scan()
        self.viewport().update()

    def scale_now(self) -> float:
        """Screen pixels a stored pixel."""
        return scale_of(self.transform())

    def fitting_scale(self) -> float:
        """The scale at which the whole page is in view."""
        page = self.turned_page()
        if page.isEmpty():
            return 1.0
        view = self.viewport().rect()
        across = max(view.width() - 2 * MARGIN, 1) / page.width()
        down = max(view.height() - 2 * MARGIN, 1) / page.height()
        return float(min(max(min(across, down), _LEAST_SCALE), _MOST_SCALE))

    @property
    def turn(self) -> int:
        """How far the view is turned clockwise: 0, 90, 180 or 270 degrees."""
        return self._turn

    def set_turn(self, degrees: int) -> None:
        """Turn what is shown, in steps of 90 degrees; the pixels stay as they are stored."""
        degrees %= 360
        if degrees % 90:
            raise ValueError(f"a page is turned by quarters, not by {degrees} degrees")
        if degrees == self._turn:
            return
        middle = QRectF(self.viewport().rect()).center()
        place, fitted, scale = self.to_page(middle), self._fitted, self.scale_now()
        self._turn = degrees
        self.setTransform(QTransform.fromScale(scale, scale) * self.turning())
        self._settle.stop()
        if fitted:
            self.fit()
        else:
            self._put(place, middle)
        self.base.move_to(self.viewportTransform(), settled=True)
        self.base.invalidate_scan()
        self.viewport().update()

    def turning(self) -> QTransform:
        """How the page is turned for the view."""
        return QTransform().rotate(self._turn)

    def turned_page(self) -> QRectF:
        """The page as it lies when turned, in stored pixels around the same origin."""
        return self.turning().mapRect(self.base.page_rect())

    def along_view(self, dx: int, dy: int) -> tuple[int, int]:
        """A step of whole pixels as the user sees it (right, down), in stored pixels."""
        back = self.turning().inverted()[0].map(QPointF(dx, dy))
        return round(back.x()), round(back.y())

    def fit(self) -> None:
        """Show the whole page, also after the window changed its size."""
        self._lay_scene()
        self._set_scale(self.fitting_scale(), settle=True)
        self._centre(self.base.page_rect().center())
        self._fitted = True

    def fit_width(self) -> None:
        """Show the page as wide as the view, from its top."""
        page = self.turned_page()
        if page.isEmpty():
            return
        view = self.viewport().rect()
        self._set_scale(max(view.width() - 2 * MARGIN, 1) / page.width(), settle=True)
        height = page.top() + (view.height() / 2 - MARGIN) / self.scale_now()
        place = QPointF(page.center().x(), min(height, page.center().y()))
        self._centre(self.turning().inverted()[0].map(place))

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
        self.setTransform(QTransform.fromScale(scale, scale) * self.turning())
        self.scale_set(scale)
        if settle:
            self._settle.stop()
        else:
            self._settle.start()
        self.zoomed.emit(scale)

    def _on_settle(self) -> None:
        self.base.settle()
        self.viewport().update()

    def _lay_scene(self) -> None:
        """Room around the page, so that every part of it can come to the middle."""
        page = self.base.page_rect()
        size = self.viewport().size()
        least = max(size.width(), size.height()) / _LEAST_SCALE / 50
        across, down = max(page.width(), least), max(page.height(), least)
        self.setSceneRect(page.adjusted(-across, -down, across, down))

    def _centre(self, place: QPointF) -> None:
        fitted = self._fitted
        self._put(place, QRectF(self.viewport().rect()).center())
        self._fitted = fitted

    def _put(self, place: QPointF, anchor: QPointF) -> None:
        """Scroll so that a page point lies at a view point, as far as the page stays in view."""
        wanted = self.transform().map(place) - anchor
        page, view = self.transform().mapRect(self.base.page_rect()), self.viewport().rect()
        keep = _KEEP_IN_VIEW
        x = min(max(wanted.x(), page.left() - view.width() + keep), page.right() - keep)
        y = min(max(wanted.y(), page.top() - view.height() + keep), page.bottom() - keep)
        self.horizontalScrollBar().setValue(round(x))
        self.verticalScrollBar().setValue(round(y))

    def centre_on(self, place: QPointF) -> None:
        """Bring a page point to the middle."""
        self._fitted = False
        self._put(place, QRectF(self.viewport().rect()).center())

    def scroll_by(self, dx: float, dy: float) -> None:
        """Move the page under the view, view pixels."""
        middle = QRectF(self.viewport().rect()).center()
        self.base.settle()
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
        page = self.base.page_rect()
        return QPointF(
            round(min(max(point.x(), 0.0), page.width())),
            round(min(max(point.y(), 0.0), page.height())),
        )

    def settle_now(self) -> None:
        """Stop waiting for the end of a zoom; what is shown is painted at its best now."""
        self._settle.stop()
        self._on_settle()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.moved.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._exposed = event.region()
        super().paintEvent(event)

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        base = self.base
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

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        modifiers = event.modifiers()
        fine, coarse = event.pixelDelta(), event.angleDelta()
        zooms = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        two_fingers = not fine.isNull()
        if zooms or (self.wheel_zooms and not two_fingers and not modifiers):
            # With Alt held the delta is across; whichever is there counts.
            steps = (coarse.y() or coarse.x()) / 120.0
            self.zoom_by(STEP**steps, event.position())
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
