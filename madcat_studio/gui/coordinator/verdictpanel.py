"""The verdict on a screen: the ranking, a sentence for each pair, weak points, the worst lines."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.accessible import Role, Spoken
from madcat_studio.gui.editor.alignment import AlignmentView
from madcat_studio.gui.fonts import english
from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.readinglabel import ReadingLabel
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import (
    tr,
    tr_clauses,
    tr_count,
    tr_figure,
    tr_report,
    tr_word,
)
from madcat_studio.gui.views import Shell
from madcat_studio.reports.verdict import Line, Standing, Verdict
from madcat_studio.scoring.changes import Alignment

__all__ = ["VerdictPanel"]

_WIDEST = 980  # pixels of a line of sentences or of handwriting
_HANDWRITING = QSize(620, 200)
"""Pixels of a piece of handwriting; so wide that it fits beside the list in a small window."""


class VerdictPanel(QScrollArea):
    """What is to be read before any table."""

    def __init__(
        self, shell: Shell, open_segment: Callable[[dict[str, str]], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._shell, self._open_segment = shell, open_segment
        self._bars: list[_Bar] = []
        # The same line may be the worst of two systems.
        self._handwriting: dict[tuple[str, str], list[QLabel]] = {}
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Verdict"))

    def show_verdict(self, verdict: Verdict) -> None:
        """Show another verdict; its handwriting comes later."""
        page = QWidget()
        page.setObjectName("page")
        page.setMaximumWidth(_WIDEST)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 4, 12, 18)
        layout.setSpacing(7)
        self._bars, self._handwriting = [], {}
        if verdict.standings:
            layout.addLayout(self._ranking(verdict))
            layout.addSpacing(8)
        else:
            layout.addWidget(ReadingLabel.said(tr("No output has been edited yet.")))
        for duel in verdict.duels:
            layout.addWidget(ReadingLabel.said(tr_report(duel.sentence)))
        weak = [told for one in verdict.standings if (told := verdict.weaknesses(one.system))]
        self._section(layout, tr("Where each system is weak"), bool(weak))
        for told in weak:
            layout.addWidget(ReadingLabel.said(tr_clauses(told) + "."))
        self._section(layout, tr("Worst lines of each system"), bool(verdict.lines))
        for place, line in enumerate(verdict.lines):
            self._line(layout, line, last=place == len(verdict.lines) - 1)
        layout.addStretch(1)
        self.setWidget(page)

    def show_handwriting(self, pictures: Mapping[tuple[str, str], str]) -> None:
        """Show pieces of handwriting, as ``data:`` addresses by document and segment."""
        for name, labels in self._handwriting.items():
            address = pictures.get(name, "")
            pixmap = QPixmap()
            if address and pixmap.loadFromData(base64.b64decode(address.partition(",")[2])):
                room = _HANDWRITING
                if pixmap.width() > room.width() or pixmap.height() > room.height():
                    pixmap = pixmap.scaled(
                        room,
                        Qt.AspectRatioMode.KeepAspectRatio,
                        Qt.TransformationMode.SmoothTransformation,
                    )
                for label in labels:
                    label.setPixmap(pixmap)
                    label.show()

    def apply_theme(self, colours: Colours) -> None:
        """Follow the theme."""
        for bar in self._bars:
            bar.colours = colours
            bar.update()

    def _section(self, layout: QVBoxLayout, title: str, wanted: bool) -> None:
        if wanted:
            head = QLabel(title)
            head.setObjectName("section")
            layout.addSpacing(10)
            layout.addWidget(head)

    def _ranking(self, verdict: Verdict) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        ends = [one.interval.high for one in verdict.standings if one.interval]
        ends += [one.hter for one in verdict.standings if one.hter is not None]
        most = max(ends, default=1.0) or 1.0
        for row, one in enumerate(verdict.standings):
            place, name = QLabel(tr("{place}.", place=tr_figure(one.place))), QLabel(one.system)
            figures = QLabel(tr_word(one.figures))
            over = QLabel(
                tr_count(
                    "over {count} source document", "over {count} source documents", one.clusters
                )
            )
            name.setObjectName("kitname")
            over.setObjectName("quiet")
            for column, label in enumerate((place, name, figures, over)):
                label.setTextFormat(Qt.TextFormat.PlainText)
                grid.addWidget(label, row, column)
            bar = _Bar(one, most, self._shell.theme.colours)
            self._bars.append(bar)
            grid.addWidget(bar, row, 4)
        grid.setColumnStretch(4, 1)
        return grid

    def _line(self, layout: QVBoxLayout, line: Line, last: bool) -> None:
        head = QHBoxLayout()
        rate = tr_figure(f"{line.hter * 100:.1f} %")
        title = QLabel(f"{line.system} · {rate} · {line.document}/{line.segment}")
        title.setTextFormat(Qt.TextFormat.PlainText)
        head.addWidget(title)
        head.addStretch(1)
        target = {"system": line.system, "document": line.document, "segment": line.segment}
        head.addWidget(make_button(tr("Open the segment"), lambda: self._open_segment(target)))
        layout.addSpacing(6)
        layout.addLayout(head)
        picture = QLabel()
        picture.setAccessibleName(tr("The handwriting of this segment"))
        picture.hide()
        self._handwriting.setdefault((line.document, line.segment), []).append(picture)
        layout.addWidget(picture)
        view = AlignmentView(self._shell.theme, legend=last)
        view.set_font(english(self._shell.settings))
        view.show_alignment(Alignment(line.output, line.final, line.columns))
        layout.addWidget(view)


class _Bar(QWidget):
    """A system's interval as a line on a scale that begins with nothing, its rate as a dot."""

    def __init__(self, standing: Standing, most: float, colours: Colours) -> None:
        super().__init__()
        self._standing, self._most = standing, most
        self.colours = colours
        self.setMinimumSize(120, 22)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Interval"))
        self.setAccessibleDescription(tr_report(standing.sentence))
        self.spoken = Spoken(self, Role.Chart)

    def paintEvent(self, event: QPaintEvent) -> None:
        one = self._standing
        if one.hter is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room, middle = self.width() - 12, self.height() / 2

        def at(rate: float) -> float:
            return 6 + room * rate / self._most

        painter.setPen(QPen(QColor(self.colours.border), 1))
        painter.drawLine(6, int(middle), 6 + room, int(middle))
        if one.interval is not None:
            painter.setPen(QPen(QColor(self.colours.text), 2))
            low, high = at(one.interval.low), at(one.interval.high)
            painter.drawLine(int(low), int(middle), int(high), int(middle))
            for end in (int(low), int(high)):
                painter.drawLine(end, int(middle) - 4, end, int(middle) + 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.colours.accent))
        painter.drawEllipse(QRectF(at(one.hter) - 4, middle - 4, 8, 8))
        painter.end()
