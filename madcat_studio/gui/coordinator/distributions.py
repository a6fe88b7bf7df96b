"""Two distributions of rates, one over the other, in the colours of the theme."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from madcat_studio.gui.accessible import Part, Role, Spoken
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr, tr_count, tr_figure, tr_number

__all__ = ["Distributions"]

_TICKS = 5


class Distributions(QWidget):
    """The share of passages up to each rate: a broken line to match, a firm one chosen.

    The largest distance between the two lines is Kolmogorov and Smirnov's D.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._target: list[float] = []
        self._chosen: list[float] = []
        self._measure = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(QSize(320, 210))
        self.setAccessibleName(tr("Both distributions"))
        self.spoken = Spoken(self, Role.Chart, self._parts)

    def show_rates(self, target: Sequence[float], chosen: Sequence[float], measure: str) -> None:
        """Show two sets of rates."""
        self._target, self._chosen, self._measure = sorted(target), sorted(chosen), measure
        told = tr(
            "To match: {target}. Chosen: {chosen}.",
            target=_quartiles(self._target),
            chosen=_quartiles(self._chosen),
        )
        self.setAccessibleDescription(told)
        self.setToolTip(told)
        self.spoken.changed()
        self.update()

    def _parts(self) -> list[Part]:
        """Both lines."""
        return [
            Part(tr("To match: {rates}", rates=_quartiles(self._target)), Role.StaticText),
            Part(tr("Chosen: {rates}", rates=_quartiles(self._chosen)), Role.StaticText),
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = self._theme.colours
        painter.fillRect(self.rect(), QColor(colours.panel))
        if self._target and self._chosen:
            area = QRectF(self.rect()).adjusted(52, 34, -18, -44)
            least = min(self._target[0], self._chosen[0])
            most = max(self._target[-1], self._chosen[-1])
            room = max(most - least, 0.01) * 0.04
            least, most = max(0.0, least - room), most + room
            self._axes(painter, area, least, most)
            for rates, colour, style, width in (
                (self._target, colours.muted, Qt.PenStyle.DashLine, 2.0),
                (self._chosen, colours.accent, Qt.PenStyle.SolidLine, 2.5),
            ):
                pen = QPen(QColor(colour), width, style)
                pen.setCosmetic(True)
                painter.setPen(pen)
                painter.drawPolyline(_steps(rates, area, least, most))
            self._legend(painter, area)
        painter.end()

    def _axes(self, painter: QPainter, area: QRectF, least: float, most: float) -> None:
        colours = self._theme.colours
        for number in range(_TICKS + 1):
            share = number / _TICKS
            y = area.bottom() - share * area.height()
            x = area.left() + share * area.width()
            painter.setPen(QPen(QColor(colours.border), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(QColor(colours.muted))
            left = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            below = tr_figure(f"{100 * share:.0f} %")
            painter.drawText(QRectF(0, y - 10, area.left() - 8, 20), left, below)
            rate = 100 * (least + share * (most - least))
            centre = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
            painter.drawText(
                QRectF(x - 40, area.bottom() + 6, 80, 18), centre, tr_figure(f"{rate:.0f} %")
            )
        painter.drawText(
            QRectF(area.left(), area.bottom() + 22, area.width(), 18),
            Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop,
            tr("{measure} of a passage", measure=self._measure),
        )

    def _legend(self, painter: QPainter, area: QRectF) -> None:
        colours = self._theme.colours
        x = area.left()
        for name, colour, style in (
            (tr("to match ({count})", count=tr_number(len(self._target))), colours.muted,
             Qt.PenStyle.DashLine),
            (tr("chosen ({count})", count=tr_number(len(self._chosen))), colours.accent,
             Qt.PenStyle.SolidLine),
        ):  # fmt: skip
            painter.setPen(QPen(QColor(colour), 2.5, style))
            painter.drawLine(QPointF(x, 18), QPointF(x + 26, 18))
            painter.setPen(QColor(colours.text))
            width = painter.fontMetrics().horizontalAdvance(name)
            painter.drawText(QRectF(x + 34, 8, width + 4, 20), Qt.AlignmentFlag.AlignVCenter, name)
            x += width + 62


def _steps(rates: Sequence[float], area: QRectF, least: float, most: float) -> QPolygonF:
    """The cumulative distribution as a line of steps."""
    points = [QPointF(area.left(), area.bottom())]
    before = area.bottom()
    for number, rate in enumerate(rates, 1):
        x = area.left() + (rate - least) / (most - least) * area.width()
        y = area.bottom() - number / len(rates) * area.height()
        points += [QPointF(x, before), QPointF(x, y)]
        before = y
    points.append(QPointF(area.right(), area.top()))
    return QPolygonF(points)


def _quartiles(rates: Sequence[float]) -> str:
    """Least, middle and most, for those who cannot see the drawing."""
    if not rates:
        return tr("none")
    return tr_count(
        "{count} passage from {least} to {most}, half of them up to {middle}",
        "{count} passages from {least} to {most}, half of them up to {middle}",
        len(rates),
        least=tr_figure(f"{100 * rates[0]:.1f} %"),
        most=tr_figure(f"{100 * rates[-1]:.1f} %"),
        middle=tr_figure(f"{100 * rates[(len(rates) - 1) // 2]:.1f} %"),
    )
