"""The drawings of a report on the screen, in the colours of the theme."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, fromstring
from xml.sax.saxutils import escape, unescape

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from madcat_studio.gui.accessible import Role, Spoken
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr, tr_report, tr_word
from madcat_studio.operations.scores.charts import coloured
from madcat_studio.reports.tables import Chart

__all__ = ["Pictures", "drawn_texts"]

_WIDEST = 980  # pixels; wider, lines and letters would be coarse


class Pictures(QScrollArea):
    """All drawings of a report, one below the other, as wide as there is room."""

    def __init__(self, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colours = colours
        self.pictures: list[_Picture] = []
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Pictures of the report"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.show_charts(None)

    def show_charts(self, charts: Sequence[Chart] | None) -> None:
        """Show other drawings; None while they are being drawn."""
        page = QWidget()
        page.setObjectName("page")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(18, 14, 18, 18)
        layout.setSpacing(6)
        self.pictures = []
        if not charts:
            nothing = tr("Nothing is scored yet: there is nothing to draw.")
            layout.addWidget(_text(tr("Drawing …") if charts is None else nothing, "quiet"))
        for chart in charts or ():
            layout.addWidget(_text(tr_report(chart.title), "section"))
            if chart.note:
                layout.addWidget(_text(tr_report(chart.note), "quiet"))
            picture = _Picture(chart, self._colours)
            self.pictures.append(picture)
            layout.addWidget(picture)
            layout.addSpacing(14)
        layout.addStretch(1)
        self.setWidget(page)

    def apply_theme(self, colours: Colours) -> None:
        """Follow the theme."""
        self._colours = colours
        for picture in self.pictures:
            picture.apply_theme(colours)


class _Picture(QWidget):
    """One drawing; its height follows its width."""

    def __init__(self, chart: Chart, colours: Colours) -> None:
        super().__init__()
        self._chart = chart
        self._renderer = QSvgRenderer(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr_report(chart.title))
        self.setAccessibleDescription(tr_report(chart.note) if chart.note else "")
        self.spoken = Spoken(self, Role.Chart, text=lambda: _written(drawn_texts(chart.svg)))
        self.apply_theme(colours)
        self.setMaximumWidth(_WIDEST)

    def apply_theme(self, colours: Colours) -> None:
        """Draw in another theme's colours."""
        svg = coloured(self._chart, colours.text, colours.muted, colours.border, colours.dark)
        self._renderer.load(QByteArray(drawn_texts(svg).encode()))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        size = self._renderer.defaultSize()
        self.setFixedHeight(self.width() * size.height() // max(size.width(), 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._renderer.render(painter, QRectF(self.rect()))
        painter.end()


def drawn_texts(svg: str) -> str:
    """A drawing whose words and figures are in the window's language; names stay."""
    return re.sub(r"(?<=>)[^<>]+(?=</text>)", lambda one: escape(tr_word(unescape(one[0]))), svg)


def _written(svg: str) -> str:
    """What is written in a drawing, each text once: what its axes and its points are called."""
    said = (" ".join("".join(one.itertext()).split()) for one in fromstring(svg).iter() if _is(one))
    return "\n".join(dict.fromkeys(filter(None, said)))


def _is(element: Element) -> bool:
    return element.tag.rpartition("}")[2] == "text"


def _text(text: str, style: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName(style)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
