"""The page itself: scan, outlines, mouse and keys. It reports gestures and edits nothing.

A base layer (one cached picture) holds the scan and all outlines at rest; real items show only
what is under the pointer, chosen, linked or being dragged. What the mouse means is the tool's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
    QRegion,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QWidget

from madcat_studio.gui.page.base import BaseLayer
from madcat_studio.gui.page.camera import Camera
from madcat_studio.gui.page.heard import HeardPage
from madcat_studio.gui.page.levels import Pyramid
from madcat_studio.gui.page.outlinelayer import OutlineLayer
from madcat_studio.gui.page.scanlayer import ScanLayer
from madcat_studio.gui.page.selectionlayer import SelectionLayer
from madcat_studio.gui.page.shapes import PageShapes, ShapeKey
from madcat_studio.gui.page.style import LIGHT
from madcat_studio.gui.page.toolhost import ToolHost
from madcat_studio.gui.translation import tr
from madcat_studio.model.change import Shift
from madcat_studio.model.document import Page, Polygon

__all__ = ["PageCanvas"]


class PageCanvas(QGraphicsView):
    """Shows one page: puts the parts together, and hands events on to them.

    Attributes:
        base: paints scan and outlines at rest.
        camera: which part of the page is in view, how large and how turned.
        scan: the scan under the outlines.
        outlines: the outlines at rest.
        selection: what is chosen and lit.
        tools: the tool in use; it gets mouse and keys.
        heard: what is told of the page to those who do not see it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._set_up_view()
        self._exposed = QRegion()
        base = self.base = BaseLayer()
        self.camera = Camera(self, base)
        self.scan = ScanLayer(self.camera, base)
        self.outlines = OutlineLayer(self.camera, base)
        self.selection = SelectionLayer(self.scene(), self.camera, self.outlines, LIGHT)
        self.tools = ToolHost(self, base, self.camera, self.outlines, self.selection, LIGHT)
        self.heard = HeardPage(self, self.camera, self.outlines, self.selection)
        self.spoken = self.heard.spoken

    def _set_up_view(self) -> None:
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
        # A page has its left on the left, in whatever language the window is; else Qt scrolls
        # it the other way round.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Page"))
        self.setAccessibleDescription(
            tr(
                "The scan with the outlines of lines and words. Comma and full stop move from "
                "word to word."
            )
        )

    # What is shown

    @property
    def shapes(self) -> PageShapes | None:
        """The outlines of the page that is shown."""
        return self.base.shapes

    def on_screen(self, keys: Sequence[ShapeKey]) -> QRect | None:
        """The part of the screen in which outlines are seen; None where none of them is."""
        box = self.outlines.path(list(keys)).boundingRect()
        corners = (box.topLeft(), box.topRight(), box.bottomLeft(), box.bottomRight())
        seen = QPolygonF([self.camera.to_view(corner) for corner in corners]).boundingRect()
        shown = seen.toAlignedRect() & self.viewport().rect()
        if box.isEmpty() or shown.isEmpty():
            return None
        return QRect(self.viewport().mapToGlobal(shown.topLeft()), shown.size())

    def set_page(self, shapes: PageShapes | None, pyramid: Pyramid | None) -> None:
        """Show another page, at the same zoom; nothing is chosen on it."""
        self.tools.drop_gesture("another page")
        self.base.labels, self.base.pyramid = None, pyramid
        self.outlines.show(shapes)
        self.selection.clear()
        self.tools.snap.clear()
        self.camera.show_another_page()
        self.tools.tool.page_changed()
        self.spoken.changed()

    def set_shapes(self, shapes: PageShapes) -> None:
        """Other outlines on the same page: some were added or removed. The view stays."""
        self.tools.drop_gesture("the outlines changed")
        self.outlines.show(shapes)
        self.selection.keep()
        self.tools.tool.page_changed()
        self.spoken.changed()

    def follow(self, page: Page, shifts: Sequence[Shift]) -> None:
        """Outlines of the page came, went or moved; the view, and what is chosen, stay."""
        self.tools.drop_gesture("the outlines changed")
        self.outlines.follow(page, shifts)
        self.selection.follow(shifts)
        self.tools.tool.page_changed()
        self.spoken.changed()

    def outline_changed(self, key: ShapeKey, polygon: Polygon) -> None:
        """Show one outline as the model has it now."""
        if self.outlines.change(key, polygon):
            self.selection.outline_changed(key)

    def settle_now(self) -> None:
        """End a gesture that is not finished, and paint at the best now."""
        self.tools.leave_gesture("the view closes")
        self.camera.settle_now()

    # Events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.tools.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.tools.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.tools.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.tools.double(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.tools.key_pressed(event):
            super().keyPressEvent(event)
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not self.tools.key_released(event):
            super().keyReleaseEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.selection.light(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.tools.focus_lost()
        super().focusOutEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.camera.wheel(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.NativeGesture:
            gesture = cast(QNativeGestureEvent, event)
            if gesture.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self.camera.zoom_by(1.0 + gesture.value(), gesture.position())
                return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        place = self.camera.to_page(QRectF(QPointF(), event.oldSize()).center())
        super().resizeEvent(event)
        self.camera.view_resized(place if event.oldSize().isValid() else None)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.camera.moved.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._exposed = event.region()
        super().paintEvent(event)

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        base = self.base
        base.resize(self.viewport().size(), self.viewport().devicePixelRatioF())
        base.move_to(self.viewportTransform(), settled=not self.camera.zooming)
        painter.save()
        painter.resetTransform()
        base.paint(painter, self._exposed)
        painter.restore()
