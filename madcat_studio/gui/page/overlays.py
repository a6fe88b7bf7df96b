"""Small windows on the page: the loupe, the map of the page, the legend of its colours.

They lie over the canvas and take no part in its painting, so that they cost nothing where they
are not.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QImage,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QTransform,
)
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from madcat_studio.gui.accessible import Role, Spoken
from madcat_studio.gui.page.canvas import PageCanvas
from madcat_studio.gui.page.levels import Pyramid
from madcat_studio.gui.translation import tr, tr_figure

__all__ = ["Legend", "Loupe", "Minimap", "Overlay"]

_GAP = 12


class Overlay(QWidget):
    """A widget in a corner of the viewport that follows its size."""

    def __init__(self, canvas: PageCanvas, corner: Qt.Corner) -> None:
        # Not on the viewport: what lies on that is scrolled with the page.
        super().__init__(canvas)
        self.canvas = canvas
        self._corner = corner
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        canvas.viewport().installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.settle()
        return False

    def settle(self) -> None:
        """Go to the corner."""
        self.move(self._place_in(self._corner).topLeft())

    def _place_in(self, corner: Qt.Corner) -> QRect:
        room = self.canvas.viewport().rect().adjusted(_GAP, _GAP, -_GAP, -_GAP)
        place = self.rect()
        right = corner in (Qt.Corner.TopRightCorner, Qt.Corner.BottomRightCorner)
        bottom = corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.BottomRightCorner)
        place.moveLeft(room.right() - place.width() + 1 if right else room.left())
        place.moveTop(room.bottom() - place.height() + 1 if bottom else room.top())
        return place

    def _frame(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(self.canvas.base.colours.edge.darker(125), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


class Loupe(Overlay):
    """What lies under the pointer, three times as large, at the top left."""

    TIMES = 3.0

    def __init__(self, canvas: PageCanvas) -> None:
        super().__init__(canvas, Qt.Corner.TopLeftCorner)
        self.setAccessibleName(tr("Loupe"))
        self.setAccessibleDescription(tr("What lies under the pointer, three times as large"))
        self.spoken = Spoken(self, Role.Graphic)
        # The mouse belongs to the page beneath.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.resize(QSize(260, 180))
        self._place = QPointF()
        canvas.tools.pointed.connect(self._follow)

    def _follow(self, place: QPointF) -> None:
        self._place = place
        if self.isVisible():
            self.make_way()
            self.update()

    def make_way(self) -> None:
        """To another corner where the pointer, or something else that is shown, is near."""
        pointer = self.canvas.camera.to_view(self._place).toPoint()
        others = [
            each.geometry()
            for each in self.canvas.findChildren(Overlay)
            if each is not self and each.isVisible()
        ]

        def free(corner: Qt.Corner) -> bool:
            place = self._place_in(corner).adjusted(-20, -20, 20, 20)
            return not place.contains(pointer) and not any(map(place.intersects, others))

        if not free(self._corner):
            self._corner = next(filter(free, Qt.Corner), self._corner)
            self.settle()

    def showEvent(self, event: QEvent) -> None:
        self.make_way()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        base = self.canvas.base
        middle = QPointF(self.width() / 2, self.height() / 2)
        # Turned as the page is, and never smaller than the stored pixels.
        times = max(self.TIMES, 1.0 / max(self.canvas.camera.scale(), 1e-6) * 0.5)
        view = self.canvas.transform() * QTransform.fromScale(times, times)
        lies = view.map(self._place)
        transform = view * QTransform.fromTranslate(middle.x() - lies.x(), middle.y() - lies.y())
        base.paint_fresh(painter, self.rect(), transform)
        painter.resetTransform()
        pen = QPen(QColor(200, 30, 60, 170), 1)
        painter.setPen(pen)
        painter.drawLine(middle - QPointF(5, 0), middle + QPointF(5, 0))
        painter.drawLine(middle - QPointF(0, 5), middle + QPointF(0, 5))
        self._frame(painter)
        painter.end()


class Minimap(Overlay):
    """The whole page, small, at the bottom right; the frame in it is what is in view."""

    LONGEST = 190

    def __init__(self, canvas: PageCanvas) -> None:
        super().__init__(canvas, Qt.Corner.BottomRightCorner)
        self.setAccessibleName(tr("Map of the page"))
        self.spoken = Spoken(self, Role.Graphic, text=self._seen)
        self.setToolTip(tr("Click or drag to go there"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._picture = QImage()
        self._made_of: tuple[object, ...] = ()
        canvas.camera.moved.connect(self.update)

    def show_page(self) -> None:
        """The page, its scan or how it is turned may be different."""
        page = self.canvas.camera.turned_page()
        longest = max(page.width(), page.height(), 1)
        self.resize(
            QSize(
                max(round(page.width() / longest * self.LONGEST), 24),
                max(round(page.height() / longest * self.LONGEST), 24),
            )
        )
        self.settle()
        self.update()

    def _in_view(self) -> QRectF:
        """The part of the page that is in view."""
        seen = self.canvas.viewportTransform().inverted()[0]
        return seen.mapRect(QRectF(self.canvas.viewport().rect()))

    def _seen(self) -> str:
        """The frame in words: how much of the page is in view, and where its middle is."""
        page, shapes = self._in_view(), self.canvas.shapes
        if shapes is None or not shapes.width or not shapes.height:
            return ""
        whole = QRectF(0, 0, shapes.width, shapes.height)
        seen = page.intersected(whole)
        return tr(
            "{wide} of the width and {high} of the height are in view, around {across} from the "
            "left and {down} from the top",
            wide=tr_figure(f"{100 * seen.width() / whole.width():.0f} %"),
            high=tr_figure(f"{100 * seen.height() / whole.height():.0f} %"),
            across=tr_figure(f"{100 * seen.center().x() / whole.width():.0f} %"),
            down=tr_figure(f"{100 * seen.center().y() / whole.height():.0f} %"),
        )

    def _transform(self) -> QTransform:
        """From the page to this widget."""
        page = self.canvas.camera.turned_page()
        scale = self.width() / max(page.width(), 1)
        return (
            self.canvas.camera.turning()
            * QTransform.fromTranslate(-page.x(), -page.y())
            * QTransform.fromScale(scale, scale)
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        base, ratio = self.canvas.base, self.devicePixelRatioF()
        pyramid: Pyramid | None = base.pyramid if base.show_scan else None
        # Painted anew where one of these is another; else only the frame moves.
        levels = tuple(pyramid.factors()) if pyramid is not None else ()
        turn = self.canvas.camera.turn
        made_of = (base.shapes, pyramid, levels, turn, base.tone, self.size(), ratio)
        if made_of != self._made_of:
            self._made_of = made_of
            picture = QImage(self.size() * ratio, QImage.Format.Format_RGB32)
            picture.setDevicePixelRatio(ratio)
            inner = QPainter(picture)
            base.paint_fresh(inner, self.rect(), self._transform(), outlines=False)
            inner.end()
            self._picture = picture
        painter = QPainter(self)
        painter.drawImage(QPointF(), self._picture)
        within = QRectF(self.rect()).adjusted(1, 1, -2, -2)
        frame = self._transform().mapRect(self._in_view()).intersected(within)
        outside = QPainterPath()
        outside.addRect(QRectF(self.rect()))
        outside.addRect(frame)
        painter.fillPath(outside, QColor(20, 30, 40, 60))
        painter.setPen(QPen(base.colours.chosen, 1.5))
        painter.drawRect(frame)
        self._frame(painter)
        painter.end()

    def _go(self, point: QPointF) -> None:
        self.canvas.camera.centre_on(self._transform().inverted()[0].map(point))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._go(event.position())
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position())
        event.accept()


class Legend(Overlay):
    """What the colours of the outlines mean, at the bottom left."""

    def __init__(self, canvas: PageCanvas) -> None:
        super().__init__(canvas, Qt.Corner.BottomLeftCorner)
        self.setObjectName("legend")
        self.setAccessibleName(tr("What the colours mean"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(10, 7, 12, 7)
        self._column.setSpacing(3)
        self._rows: list[QLabel] = []

    def show_colours(self, colours: Sequence[str], names: Sequence[str]) -> None:
        """Show these, or nothing where no colour has a name."""
        named = [(colour, name) for colour, name in zip(colours, names, strict=True) if name]
        while len(self._rows) < len(named):
            label = QLabel()
            label.setTextFormat(Qt.TextFormat.RichText)
            self._rows.append(label)
            self._column.addWidget(label)
        for label, (colour, name) in zip(self._rows, named, strict=False):
            from html import escape

            label.setText(f'<span style="color:{colour}">■</span>&nbsp; {escape(name)}')
            label.show()
        for label in self._rows[len(named) :]:
            label.hide()
        self.setVisible(bool(named))
        self.adjustSize()
        self.settle()
