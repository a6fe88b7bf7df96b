"""Points on two axes on the screen: each can be pointed at, walked to by key, and opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from madcat_studio.gui.accessible import Part, Role, Spoken
from madcat_studio.gui.theme import Theme
from madcat_studio.reports.scatter import SERIES, Axis, Dot

__all__ = ["ScatterPlot"]

_LIGHT = ("#0072b2", "#d55e00", "#009e73", "#b7578d", "#b87d00", "#2f8fc4")
_DARK = ("#62b8ec", "#f29a5c", "#4fcfa5", "#e4a5cb", "#ecc063", "#a8d8f5")
"""The colours of series on paper and in the dark, those of the report's page."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 18, 34, 46
_R = 4.5
_NEAR = 9.0
"""Pixels from a point within which a click means it."""


class ScatterPlot(QWidget):
    """A plot; says which point was opened, by its number."""

    opened = Signal(int)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.dots: Sequence[Dot] = ()
        self._across = self._up = Axis("", 0.0, 1.0, False)
        self._names: Sequence[str] = ()
        self.current = -1
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.spoken = Spoken(self, Role.Chart, self._parts)

    def show_dots(self, dots: Sequence[Dot], across: Axis, up: Axis, names: Sequence[str]) -> None:
        """Show other points; the one that was chosen stays so where it is still there."""
        self.dots, self._across, self._up, self._names = dots, across, up, names
        if self.current >= len(dots):
            self.current = -1
        self.setAccessibleDescription(f"{up.title} – {across.title}")
        self.spoken.changed()
        self.update()

    # -- places -------------------------------------------------------------------------------

    def _area(self) -> QRectF:
        return QRectF(_LEFT, _TOP, self.width() - _LEFT - _RIGHT, self.height() - _TOP - _BOTTOM)

    def place(self, number: int) -> QPointF:
        """Where a point is, in the widget's pixels."""
        dot, area = self.dots[number], self._area()
        return QPointF(
            area.left() + area.width() * self._across.share(dot.x),
            area.bottom() - area.height() * self._up.share(dot.y),
        )

    def nearest(self, position: QPointF) -> int:
        """The number of the point that is meant at a place; -1 for none."""
        best, found = _NEAR**2, -1
        for number in range(len(self.dots)):
            away = self.place(number) - position
            if (distance := away.x() ** 2 + away.y() ** 2) <= best:
                best, found = distance, number
        return found

    def _parts(self) -> list[Part]:
        def box(number: int) -> Callable[[], QRect]:
            def around() -> QRect:
                at = self.place(number).toPoint()
                return QRect(at.x() - 5, at.y() - 5, 10, 10)

            return around

        def act(number: int) -> Callable[[], object]:
            return lambda: self.opened.emit(number)

        return [
            Part(dot.told, Role.ListItem, box(number), act=act(number))
            for number, dot in enumerate(self.dots)
        ]

    def choose(self, number: int) -> None:
        """Choose a point; -1 for none."""
        self.current = number
        if number >= 0:
            self.spoken.point_to(number)
        self.update()

    # -- events -------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(640, 360)

    def minimumSizeHint(self) -> QSize:
        return QSize(300, 200)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.choose(found := self.nearest(event.position()))
            if found >= 0:
                self.opened.emit(found)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self.nearest(event.position()) >= 0
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right walk across, Up and Down upwards, Enter opens."""
        keys = {
            Qt.Key.Key_Right: (1, False),
            Qt.Key.Key_Left: (-1, False),
            Qt.Key.Key_Up: (1, True),
            Qt.Key.Key_Down: (-1, True),
        }
        key = Qt.Key(event.key())
        if key in keys and self.dots:
            step, upwards = keys[key]
            order = sorted(
                range(len(self.dots)),
                key=lambda n: (
                    (self.dots[n].y, self.dots[n].x)
                    if upwards
                    else (self.dots[n].x, self.dots[n].y)
                ),
            )
            at = order.index(self.current) + step if self.current >= 0 else 0
            self.choose(order[min(max(at, 0), len(order) - 1)])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current >= 0:
            self.opened.emit(self.current)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            found = self.nearest(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self.dots[found].told if found >= 0 else "")
            return True
        return super().event(event)

    # -- painting -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, area = self._theme.colours, self._area()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        small = painter.font()
        small.setPointSizeF(small.pointSizeF() * 0.9)
        painter.setFont(small)
        self._paint_axes(painter, area)
        series = _DARK if colours.dark else _LIGHT
        apart = len(self._names) <= SERIES
        for number, dot in enumerate(self.dots):
            which = dot.series % SERIES if apart else 0
            self._paint_marker(painter, self.place(number), which, QColor(series[which]))
        if 0 <= self.current < len(self.dots):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colours.text), 2))
            painter.drawEllipse(self.place(self.current), _R + 4, _R + 4)
        if apart and len(self._names) > 1:
            self._paint_key(painter, area, series)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colours.accent), 1))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _paint_axes(self, painter: QPainter, area: QRectF) -> None:
        colours = self._theme.colours
        grid, muted = QPen(QColor(colours.border), 1), QColor(colours.muted)
        middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for value in self._across.ticks():
            x = area.left() + area.width() * self._across.share(value)
            painter.setPen(grid)
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            painter.setPen(muted)
            painter.drawText(
                QRectF(x - 40, area.bottom() + 4, 80, 18), middle, self._across.shown(value)
            )
        for value in self._up.ticks():
            y = area.bottom() - area.height() * self._up.share(value)
            painter.setPen(grid)
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(muted)
            painter.drawText(QRectF(0, y - 9, _LEFT - 8, 18), right, self._up.shown(value))
        painter.setPen(QColor(colours.text))
        painter.drawText(
            QRectF(area.left(), area.bottom() + 22, area.width(), 20), middle, self._across.title
        )
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(8, 4, area.width() / 2, 24), left, self._up.title)

    def _paint_key(self, painter: QPainter, area: QRectF, series: Sequence[str]) -> None:
        at = area.right()
        for place, name in reversed(list(enumerate(self._names))):
            wide = painter.fontMetrics().horizontalAdvance(name)
            at -= wide
            painter.setPen(QColor(self._theme.colours.text))
            painter.drawText(
                QRectF(at, 4, wide + 2, 24),
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
                name,
            )
            at -= 12
            self._paint_marker(painter, QPointF(at, 16), place, QColor(series[place]))
            at -= 18

    def _paint_marker(self, painter: QPainter, at: QPointF, series: int, colour: QColor) -> None:
        """Series differ by form as well as by colour."""
        within = QColor(colour)
        within.setAlphaF(0.5)
        painter.setPen(QPen(colour, 1))
        painter.setBrush(within)
        x, y, r = at.x(), at.y(), _R
        match series:
            case 0:
                painter.drawEllipse(at, r, r)
            case 1:
                painter.drawRect(QRectF(x - r, y - r, 2 * r, 2 * r))
            case 5:
                painter.drawLine(QPointF(x - r, y - r), QPointF(x + r, y + r))
                painter.drawLine(QPointF(x - r, y + r), QPointF(x + r, y - r))
            case _:
                d = 1.3 * r
                corners = {
                    2: [(0, -d), (d, r), (-d, r)],
                    3: [(0, -d), (d, 0), (0, d), (-d, 0)],
                    4: [(0, d), (d, -r), (-d, -r)],
                }[series]
                painter.drawPolygon(QPolygonF([QPointF(x + a, y + b) for a, b in corners]))
