"""Which part of the page is in view, how large and how turned; it knows no outline.

Stored pixels are the scene's coordinates; "view" means pixels of the widget.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QTransform, QWheelEvent
from PySide6.QtWidgets import QGraphicsView

from madcat_studio.gui.page.base import BaseLayer
from madcat_studio.gui.page.picture import scale_of

__all__ = ["STEP", "Camera"]

_SETTLE_MS = 120
"""So long after the last step of a zoom the page is painted smoothly again."""
STEP = 1.25
"""One step of the wheel."""
_MARGIN = 16
"""Pixels left free around a page that is fitted."""
_LEAST_SCALE = 0.01
_MOST_SCALE = 32.0
_KEEP_IN_VIEW = 48
"""So many pixels of the page stay in view however far it is moved."""


class Camera(QObject):
    """Moves, zooms and turns the page in a view.

    Signals:
        zoomed: the new scale, screen pixels a stored pixel.
        moved: another part of the page is in view.

    Attributes:
        wheel_zooms: whether the mouse wheel zooms without Ctrl, and moves with it.
    """

    zoomed = Signal(float)
    moved = Signal()

    def __init__(self, view: QGraphicsView, base: BaseLayer) -> None:
        super().__init__(view)
        self._view = view
        self._base = base
        self.wheel_zooms = True
        self._fitted = True
        self._turn = 0
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self._on_settle)

    # What is in view

    def rect(self) -> QRect:
        """The view."""
        return self._view.viewport().rect()

    def in_view(self) -> QRectF:
        """The part of the page that is in view, in stored pixels."""
        return self.transform().inverted()[0].mapRect(QRectF(self.rect()))

    def _middle(self) -> QPointF:
        return QRectF(self.rect()).center()

    def _inner(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)

    def scale(self) -> float:
        """Screen pixels a stored pixel."""
        return scale_of(self._view.transform())

    @property
    def zooming(self) -> bool:
        """Whether a zoom is under way: the page may be painted roughly."""
        return self._settle.isActive()

    def fitting_scale(self) -> float:
        """The scale at which the whole page is in view."""
        page = self.turned_page()
        if page.isEmpty():
            return 1.0
        view = self.rect()
        across = max(view.width() - 2 * _MARGIN, 1) / page.width()
        down = max(view.height() - 2 * _MARGIN, 1) / page.height()
        return float(min(max(min(across, down), _LEAST_SCALE), _MOST_SCALE))

    def update(self, rect: QRect | None = None) -> None:
        """Let the view be painted anew; only there, with ``rect``."""
        if rect is None:
            self._view.viewport().update()
        else:
            self._view.viewport().update(rect)

    # Places

    def transform(self) -> QTransform:
        """From stored pixels to the view's."""
        return self._view.viewportTransform()

    def to_page(self, point: QPointF) -> QPointF:
        """A view point in stored pixels."""
        return self._view.viewportTransform().inverted()[0].map(point)

    def to_view(self, point: QPointF) -> QPointF:
        """A page point in view pixels."""
        return self._view.viewportTransform().map(point)

    def on_page(self, point: QPointF) -> QPointF:
        """The nearest whole pixel of the page."""
        page = self._base.page_rect()
        return QPointF(
            round(min(max(point.x(), 0.0), page.width())),
            round(min(max(point.y(), 0.0), page.height())),
        )

    def centre(self) -> QPointF:
        """The page point in the middle of the view."""
        return self.to_page(self._middle())

    def along_view(self, dx: int, dy: int) -> tuple[int, int]:
        """A step of whole pixels as the user sees it (right, down), in stored pixels."""
        back = self.turning().inverted()[0].map(QPointF(dx, dy))
        return round(back.x()), round(back.y())

    # Turning

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
        middle = self._middle()
        place, fitted, scale = self.to_page(middle), self._fitted, self.scale()
        self._turn = degrees
        self._view.setTransform(QTransform.fromScale(scale, scale) * self.turning())
        self._settle.stop()
        if fitted:
            self.fit()
        else:
            self._put(place, middle)
        self._base.move_to(self.transform(), settled=True)
        self._base.invalidate_scan()
        self.update()

    def turning(self) -> QTransform:
        """How the page is turned for the view."""
        return QTransform().rotate(self._turn)

    def turned_page(self) -> QRectF:
        """The page as it lies when turned, in stored pixels around the same origin."""
        return self.turning().mapRect(self._base.page_rect())

    # Zooming

    def fit(self) -> None:
        """Show the whole page, also after the window changed its size."""
        self._lay_scene()
        self._set_scale(self.fitting_scale(), settle=True)
        self._centre(self._base.page_rect().center())
        self._fitted = True

    def show_another_page(self) -> None:
        """At the zoom that its user chose, from its top; whole where the one before was whole."""
        if self._fitted:
            self.fit()
            return
        middle = self.turning().map(self.centre())
        self._lay_scene()
        page = self.turned_page()
        down = page.top() + (self.rect().height() / 2 - _MARGIN) / self.scale()
        place = QPointF(middle.x(), min(down, page.center().y()))
        self._centre(self.turning().inverted()[0].map(place))

    def fit_width(self) -> None:
        """Show the page as wide as the view, from its top."""
        page = self.turned_page()
        if page.isEmpty():
            return
        view = self.rect()
        self._set_scale(max(view.width() - 2 * _MARGIN, 1) / page.width(), settle=True)
        height = page.top() + (view.height() / 2 - _MARGIN) / self.scale()
        place = QPointF(page.center().x(), min(height, page.center().y()))
        self._centre(self.turning().inverted()[0].map(place))

    def fit_box(self, box: QRectF) -> None:
        """Show a part of the page as large as it fits."""
        seen, view = self.turning().mapRect(box), self._inner()
        across = view.width() / max(seen.width() * 1.1, 1)
        down = view.height() / max(seen.height() * 1.1, 1)
        self._set_scale(max(min(across, down, 4.0), self.fitting_scale()), settle=True)
        self._centre(box.center())

    def zoom_by(self, factor: float, anchor: QPointF | None = None) -> None:
        """Zoom; the page's point under ``anchor`` (view pixels, else the middle) stays there."""
        now = self.scale()
        wanted = now * factor
        if (now < 1.0 < wanted) or (wanted < 1.0 < now):
            wanted = 1.0  # the way through always stops where pixels are exact
        least = min(self.fitting_scale() / 2, 1.0)
        self.zoom_to(min(max(wanted, least), _MOST_SCALE), anchor)

    def zoom_to(self, scale: float, anchor: QPointF | None = None) -> None:
        """Zoom to a scale; see :meth:`zoom_by`."""
        if scale == self.scale():
            return
        if anchor is None:
            anchor = self._middle()
        place = self.to_page(anchor)
        self._set_scale(scale)
        self._put(place, anchor)

    def _set_scale(self, scale: float, *, settle: bool = False) -> None:
        self._fitted = False
        if scale == self.scale():
            return
        self._view.setTransform(QTransform.fromScale(scale, scale) * self.turning())
        if settle:
            self._settle.stop()
        else:
            self._settle.start()
        self.zoomed.emit(scale)

    def settle_now(self) -> None:
        """Stop waiting for the end of a zoom; what is shown is painted at its best now."""
        self._settle.stop()
        self._on_settle()

    def _on_settle(self) -> None:
        self._base.settle()
        self.update()

    # Moving

    def reveal(self, box: QRectF, *, zoom: bool = False) -> None:
        """Bring a part of the page into view; with ``zoom`` comfortably large."""
        view = self._inner()
        if zoom:
            seen = self.turning().mapRect(box)
            room = max(
                min(
                    view.width() / max(seen.width() * 1.15, 1),
                    view.height() / max(seen.height() * 4, 1),
                    1.0,
                ),
                self.fitting_scale(),
            )
            if not 0.6 <= self.scale() / room <= 1.6:
                self._set_scale(room)
                self._centre(box.center())
                return
        seen, page = self.transform().mapRect(box), self.transform().mapRect(self._base.page_rect())
        dx = _shift(
            (seen.left(), seen.right()), (view.left(), view.right()), page.left(), page.right()
        )
        dy = _shift(
            (seen.top(), seen.bottom()), (view.top(), view.bottom()), page.top(), page.bottom()
        )
        if dx or dy:
            fitted = self._fitted
            self.scroll_by(dx, dy)
            self._fitted = fitted

    def bring(self, place: QPointF) -> None:
        """Move the page so far that a place of it is in view."""
        point, view = self.to_view(place), self._inner()
        dx = min(max(point.x(), view.left()), view.right()) - point.x()
        dy = min(max(point.y(), view.top()), view.bottom()) - point.y()
        if dx or dy:
            self.scroll_by(dx, dy)

    def centre_on(self, place: QPointF) -> None:
        """Bring a page point to the middle."""
        self._fitted = False
        self._put(place, self._middle())

    def scroll_by(self, dx: float, dy: float) -> None:
        """Move the page under the view, view pixels."""
        middle = self._middle()
        self._base.settle()
        self._put(self.to_page(middle - QPointF(dx, dy)), middle)
        self._fitted = False

    def _centre(self, place: QPointF) -> None:
        fitted = self._fitted
        self._put(place, self._middle())
        self._fitted = fitted

    def _put(self, place: QPointF, anchor: QPointF) -> None:
        """Scroll so that a page point lies at a view point, as far as the page stays in view."""
        transform = self._view.transform()
        wanted = transform.map(place) - anchor
        page, view = transform.mapRect(self._base.page_rect()), self.rect()
        keep = _KEEP_IN_VIEW
        x = min(max(wanted.x(), page.left() - view.width() + keep), page.right() - keep)
        y = min(max(wanted.y(), page.top() - view.height() + keep), page.bottom() - keep)
        self._view.horizontalScrollBar().setValue(round(x))
        self._view.verticalScrollBar().setValue(round(y))

    # What happens to the view

    def page_resized(self) -> None:
        """The page may have another size: a scan came."""
        self._lay_scene()
        if self._fitted:
            self.fit()

    def view_resized(self, place: QPointF | None) -> None:
        """The view has another size; ``place`` was in its middle, None where it had none."""
        if self._fitted:
            self.fit()
        elif place is not None:
            self._put(place, self._middle())

    def _lay_scene(self) -> None:
        """Room around the page, so that every part of it can come to the middle."""
        page, view = self._base.page_rect(), self.rect()
        least = max(view.width(), view.height()) / _LEAST_SCALE / 50
        across, down = max(page.width(), least), max(page.height(), least)
        self._view.setSceneRect(page.adjusted(-across, -down, across, down))

    def wheel(self, event: QWheelEvent) -> None:
        """Zoom, or move, as the wheel and the keys held say."""
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


def _shift(box: tuple[float, float], view: tuple[float, float], start: float, end: float) -> float:
    """How far the page moves along one axis, so that a box is in view; a pure function.

    Along an axis on which it is in view already nothing moves. Else it comes to the middle, but
    nothing is shown beyond the page that need not be: a page from ``start`` to ``end`` that has
    room in the view stays whole.
    """
    if view[0] <= box[0] and box[1] <= view[1]:
        return 0.0
    by = (view[0] + view[1] - box[0] - box[1]) / 2
    to_start, to_end = view[0] - start, view[1] - end
    return min(max(by, min(to_start, to_end)), max(to_start, to_end))
