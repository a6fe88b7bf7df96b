"""The first page of a result: headline, plot, what to beware of, rules, inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from madcat_studio.gui.scorecard.plot import IntervalPlot
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr, tr_number
from madcat_studio.operations.scorecards.showing import language_plots
from madcat_studio.reports.cards import CardReport, Figure, PlotRow

__all__ = ["Overview"]

_IN_A_ROW = 3
_FIRST_WARNINGS = 4
_LRM = "\u200e"
_KINDS_APART = ("end-to-end", "oracle-layout")


class Overview(QScrollArea):
    """What a result says, without its tables."""

    def __init__(self, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colours = colours
        self._plots: list[IntervalPlot] = []
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(tr("Overview"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def apply_theme(self, colours: Colours) -> None:
        """Follow the theme."""
        self._colours = colours
        for plot in self._plots:
            plot.apply_theme(colours)

    def show_report(self, report: CardReport) -> None:
        """Show another result."""
        page = QWidget()
        page.setObjectName("page")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(18, 14, 18, 18)
        layout.setSpacing(8)
        self._figures(layout, report.figures)
        first = report.warnings[:_FIRST_WARNINGS]
        others = report.warnings[_FIRST_WARNINGS:]
        if first:
            more = (tr("{count} more below.", count=tr_number(len(others))),) if others else ()
            layout.addSpacing(4)
            layout.addWidget(_text("\n".join((*first, *more)), "caution"))
        self._plots = []
        for title, rows in _plots_of(report):
            layout.addWidget(_head(title))
            plot = IntervalPlot(rows, report.plot_range, title, self._colours)
            self._plots.append(plot)
            layout.addWidget(plot)
        if others:
            layout.addWidget(_head(tr("More warnings")))
            layout.addWidget(_text("\n".join(others), "caution"))
        if report.notes:
            layout.addWidget(_head(tr("Rules that the numbers follow")))
            for note in report.notes:
                layout.addWidget(_text(note, "quiet"))
        if report.hashes:
            layout.addWidget(_head(tr("Inputs, by SHA-256")))
            for name, digest in report.hashes.items():
                layout.addWidget(_text(f"{_LRM}{name}{_LRM}: {digest}", "quiet"))
        layout.addWidget(_text(tr("Made {when}", when=report.made), "quiet"))
        layout.addStretch(1)
        self.setWidget(page)

    def _figures(self, layout: QVBoxLayout, figures: Iterable[Figure]) -> None:
        grid = QGridLayout()
        grid.setSpacing(12)
        for number, figure in enumerate(figures):
            grid.addWidget(_card(figure), number // _IN_A_ROW, number % _IN_A_ROW)
        for column in range(_IN_A_ROW):
            grid.setColumnStretch(column, 1)
        layout.addLayout(grid)


def _plots_of(report: CardReport) -> Iterator[tuple[str, list[PlotRow]]]:
    """The plots: one, or for pages one for each type of system; then those by language."""
    if report.schema != "ltb":
        if report.plot:
            yield report.plot_title, list(report.plot)
    else:
        for kind in _KINDS_APART:
            suffix = f" ({kind})"
            rows = [row for row in report.plot if row.label.endswith(suffix)]
            if rows:
                yield f"{report.plot_title}, {kind}", rows
    for plot in language_plots(report):
        yield plot.title, list(plot.rows)


def _text(text: str, style: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName(style)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    # Names may be Arabic; they stand where the others do.
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _head(text: str) -> QLabel:
    label = _text(text, "section")
    label.setContentsMargins(0, 12, 0, 0)
    return label


def _card(figure: Figure) -> QFrame:
    card = QFrame()
    card.setObjectName("card")
    layout = QVBoxLayout(card)
    layout.setContentsMargins(16, 12, 16, 12)
    layout.setSpacing(3)
    layout.addWidget(_text(figure.who, "section"))
    layout.addWidget(_text(figure.value, "title"))
    for line in figure.how:
        layout.addWidget(_text(line, "quiet"))
    layout.addStretch(1)
    return card
