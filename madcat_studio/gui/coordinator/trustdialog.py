"""Which metric may be trusted: the metrics in a table, and each one's outputs as points."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QItemSelection, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import StudioError
from madcat_studio.gui.coordinator.rowtable import RowTable
from madcat_studio.gui.coordinator.scatterplot import ScatterPlot
from madcat_studio.gui.coordinator.segment import SegmentDialog
from madcat_studio.gui.errorwords import tr_failure
from madcat_studio.gui.frame import Waiting
from madcat_studio.gui.messages import Level, Message
from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.translation import tr, tr_count
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.operations.scorecards.files import CARD_FORMATS, write_card
from madcat_studio.operations.scores.trust import Trust, trust
from madcat_studio.reports.scatter import Axis, Dot

__all__ = ["TrustDialog", "open_trust"]

_SHOWN: tuple[str, ...] = ("metric", "tau_b", "low", "high", "right", "right_systems", "rho", "r")
_SHOWN += ("tau_b_systems", "tau_b_documents", "better", "note")


def open_trust(shell: Shell, location: str, parent: QWidget, track: str) -> None:
    """Show it for a track of a campaign until it is closed."""
    dialog = TrustDialog(shell, location, parent, track)
    dialog.exec()
    dialog.deleteLater()


class TrustDialog(QDialog):
    """Holds the metrics of a campaign against HTER, and tables of scores beside them."""

    manual = "reports"

    def __init__(
        self, shell: Shell, location: str, parent: QWidget | None = None, track: str = ""
    ) -> None:
        """Begin; ``track`` is needed where the campaign has several: none is held over both."""
        super().__init__(parent)
        self._shell, self._location, self._track = shell, location, track
        self._worker = Dispatcher(self)
        self.found: Trust | None = None
        self._tables: list[Path] = []
        self._lower: set[str] = set()
        self.setWindowTitle(
            tr("Which metric to trust: {track}", track=track)
            if track
            else tr("Which metric to trust")
        )
        self.resize(1060, 660)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 12, 16, 12)
        outer.setSpacing(8)
        self._top = self._build_top()
        outer.addWidget(self._top)
        self.told = QLabel()
        self.told.setObjectName("caution")
        self.told.setTextFormat(Qt.TextFormat.PlainText)
        self.told.setWordWrap(True)
        outer.addWidget(self.told)
        self.metrics = RowTable(tr("Metrics, the most trustworthy first"))
        self.metrics.selectionModel().selectionChanged.connect(self._on_metric)
        self.plot = ScatterPlot(shell.theme, tr("Outputs as points"))
        self.plot.opened.connect(self.open_output)
        hint = QLabel(tr("Each point is a segment's output. Click it, or press Enter, to show it."))
        hint.setObjectName("quiet")
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 4, 0, 0)
        column.addWidget(hint)
        column.addWidget(self.plot, 1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.metrics)
        split.addWidget(below)
        split.setStretchFactor(1, 1)
        split.setSizes([210, 380])
        self.waiting = Waiting()
        self.waiting.cancelled.connect(self.reject)
        self.screens = QStackedWidget()
        self.screens.addWidget(split)
        self.screens.addWidget(self.waiting)
        outer.addWidget(self.screens, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.export_button = buttons.addButton(
            tr("&Export…"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.export_button.setAutoDefault(False)
        self.export_button.clicked.connect(self.ask_export)
        buttons.rejected.connect(self.reject)
        outer.addWidget(buttons)
        self.compute()

    def _build_top(self) -> QWidget:
        top = QWidget()
        row = QHBoxLayout(top)
        row.setContentsMargins(0, 0, 0, 0)
        self.add_button = make_button(tr("&Add scores…"), self.ask_scores)
        self.add_button.setToolTip(
            tr("A table with the columns system, base and segment, and one for each metric")
        )
        self.less = QPushButton(tr("&Lower is better for"))
        self.less.setAutoDefault(False)
        self._columns = QMenu(self.less)
        self.less.setMenu(self._columns)
        label = QLabel(tr("Compared wit&h"))
        self.against = QComboBox()
        self.against.addItem(tr("HTER"), "")
        self.against.activated.connect(lambda _: self.compute())
        label.setBuddy(self.against)
        row.addWidget(self.add_button)
        row.addWidget(self.less)
        row.addStretch(1)
        row.addWidget(label)
        row.addWidget(self.against)
        self.less.setEnabled(False)
        self.against.setEnabled(False)
        return top

    def done(self, result: int) -> None:
        self._worker.close()
        super().done(result)

    # -- working it out -----------------------------------------------------------------------

    def compute(self) -> None:
        """Hold the metrics against each other as is chosen now."""
        location, tables, lower = self._location, tuple(self._tables), frozenset(self._lower)
        against, track = self.against.currentData(), self._track
        self.waiting.begin(tr("Scoring …"))
        self.screens.setCurrentWidget(self.waiting)
        self._top.setEnabled(False)
        self.export_button.setEnabled(False)
        self.told.hide()
        self._worker.submit(
            lambda ticket: trust(
                location,
                scores=tables,
                lower=lower,
                against=against,
                track=track,
                pictures=False,
                progress=ticket,
            ),
            self.show_found,
            failed=self._failed,
            progress=self.waiting.advance,
        )

    def _failed(self, error: BaseException) -> None:
        if self.found is None or not isinstance(error, StudioError):
            self.reject()
            self._shell.show_error(error)
            return
        # What was added last is what cannot be held against anything.
        if self._tables:
            self._tables.pop()
        self.show_found(self.found)
        self.told.setText(tr_failure(error))
        self.told.show()

    def show_found(self, found: Trust) -> None:
        """Show what was found."""
        self.found = found
        self._top.setEnabled(True)
        self.export_button.setEnabled(True)
        self.screens.setCurrentIndex(0)
        self.told.setText(" ".join(found.report.warnings))
        self.told.setVisible(bool(found.report.warnings))
        self._offer(found)
        table = found.report.table("metrics")
        keys = [column.key for column in table.columns]
        places = [keys.index(key) for key in _SHOWN]
        self.metrics.show_rows(
            [table.columns[place] for place in places],
            [tuple(row[place] for place in places) for row in table.rows],
        )
        if self.metrics.current_row() is None:
            self.metrics.choose(0)
        self._draw()
        self.metrics.setFocus()

    def _offer(self, found: Trust) -> None:
        """What can be chosen of the columns that were brought in."""
        menu = self._columns
        menu.clear()
        for name in found.columns:
            action = QAction(name, menu)
            action.setCheckable(True)
            action.setChecked(name in self._lower)
            action.toggled.connect(lambda on, name=name: self.turn(name, on))
            menu.addAction(action)
        chosen = self.against.currentData()
        self.against.clear()
        self.against.addItem(tr("HTER"), "")
        for name in found.columns:
            self.against.addItem(name, name)
        self.against.setCurrentIndex(max(0, self.against.findData(chosen)))
        self.less.setEnabled(bool(found.columns))
        self.against.setEnabled(bool(found.columns))

    def turn(self, column: str, lower: bool) -> None:
        """Say whether less is better by a column that was brought in."""
        (self._lower.add if lower else self._lower.discard)(column)
        self.compute()

    def ask_scores(self) -> None:
        """Ask for a table of scores."""
        path, _ = QFileDialog.getOpenFileName(
            self, tr("Add scores"), "", tr("Tables (*.tsv *.csv *.txt *.xlsx)")
        )
        if path:
            self.add_scores(Path(path))

    def add_scores(self, path: Path) -> None:
        """Hold the columns of a table against HTER too."""
        self._tables.append(path)
        self.compute()

    # -- the plot -----------------------------------------------------------------------------

    def _on_metric(self, _chosen: QItemSelection, _left: QItemSelection) -> None:
        self._draw()

    def _draw(self) -> None:
        """Draw the outputs by the metric that is chosen."""
        found, row = self.found, self.metrics.current_row()
        if found is None or row is None:
            return
        told, at = found.told, found.order[row]
        metric, people = told.metrics[at], told.people
        names = list(told.systems)
        rows = [point.row for point in told.points]
        scores, said = told.scores[at][rows].tolist(), told.said[rows].tolist()
        across = Axis.around(people.name, said, people.percent)
        up = Axis.around(metric.name, scores, metric.percent)
        dots = [
            Dot(
                said[number],
                scores[number],
                names.index(point.system),
                "",
                tr(
                    "{system}, {document}/{segment}: {people} {said}, {metric} {score}",
                    system=point.system,
                    document=point.document,
                    segment=point.segment,
                    people=people.name,
                    said=across.spelt(said[number]),
                    metric=metric.name,
                    score=up.spelt(scores[number]),
                ),
            )
            for number, point in enumerate(told.points)
        ]
        self.plot.show_dots(dots, across, up, names)

    def open_output(self, number: int) -> None:
        """Show an output: its texts, each edit, and from there its place on the page."""
        if self.found is None:
            return
        point = self.found.told.points[number]
        target = {"system": point.system, "document": point.document, "segment": point.segment}
        dialog = SegmentDialog(self._shell, self._location, target | {"kit": point.kit}, self)
        dialog.exec()
        dialog.deleteLater()

    # -- exporting ----------------------------------------------------------------------------

    def ask_export(self) -> None:
        """Ask for a folder, and write the report into it."""
        folder = QFileDialog.getExistingDirectory(self, tr("Export the report into a folder"))
        if folder:
            self.export(Path(folder))

    def export(self, folder: Path) -> None:
        """Write the report in all forms, with the handwriting."""
        location, tables, lower = self._location, tuple(self._tables), frozenset(self._lower)
        against, track = self.against.currentData(), self._track

        def written(files: list[Path]) -> None:
            self._shell.messages.post(
                Message(
                    Level.INFO,
                    tr_count(
                        "The report is in {folder}: {count} file.",
                        "The report is in {folder}: {count} files.",
                        len(files),
                        folder=folder,
                    ),
                )
            )

        self._worker.submit(
            lambda ticket: write_card(
                trust(
                    location,
                    scores=tables,
                    lower=lower,
                    against=against,
                    track=track,
                    progress=ticket,
                ).report,
                folder,
                CARD_FORMATS,
            ),
            written,
            failed=self._shell.show_error,
        )
