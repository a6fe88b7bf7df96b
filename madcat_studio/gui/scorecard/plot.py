"""The report's interval plot on the screen, in the colours of the theme."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QWidget

from madcat_studio.gui.accessible import Part, Role, Spoken
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr, tr_figure
from madcat_studio.operations.scorecards.showing import interval_plot
from madcat_studio.reports.cards import PlotRow

__all__ = ["IntervalPlot"]


class IntervalPlot(QWidget):
    """Points with their intervals: the drawing that the report's page has."""

    def __init__(
        self,
        rows: Sequence[PlotRow],
        limits: tuple[float, float],
        title: str,
        colours: Colours,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._svg = interval_plot(rows, limits, title)
        self._renderer = QSvgRenderer(self)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(title)
        self.spoken = Spoken(
            self, Role.Chart, lambda: [Part(_told(row), Role.StaticText) for row in rows]
        )
        # What the drawing says, for those who cannot see it and for the pointer.
        told = "\n".join(_told(row) for row in rows)
        self.setAccessibleDescription(told)
        self.setToolTip(told)
        self.apply_theme(colours)

    def apply_theme(self, colours: Colours) -> None:
        """Draw in another theme's colours."""
        style = (
            f".grid {{ stroke: {colours.border}; stroke-width: 1 }}"
            f".interval {{ stroke: {colours.accent}; stroke-width: 3; stroke-opacity: 0.45;"
            " stroke-linecap: round }"
            f"circle {{ fill: {colours.accent} }}"
            f"text {{ fill: {colours.text}; font-size: 13px }}"
            f".tick {{ fill: {colours.muted}; font-size: 11px; text-anchor: middle }}"
            ".label { text-anchor: end }"
            ".group { font-weight: 600 }"
            f".value {{ fill: {colours.muted} }}"
        )
        head = f"<style>{style}</style>"
        opened, mark, rest = self._svg.partition(">")
        opened = opened.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
        self._renderer.load(QByteArray(f"{opened}{mark}{head}{rest}".encode()))
        self.setFixedSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        return self._renderer.defaultSize()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._renderer.render(painter, QRectF(self.rect()))
        painter.end()


def _told(row: PlotRow) -> str:
    name = f"{row.group}, {row.label}" if row.group else row.label
    if row.low is None or row.high is None:
        return f"{name}: {row.point:.2f}"
    return tr(
        "{name}: {point}, from {low} to {high}",
        name=name,
        point=tr_figure(f"{row.point:.2f}"),
        low=tr_figure(f"{row.low:.2f}"),
        high=tr_figure(f"{row.high:.2f}"),
    )
