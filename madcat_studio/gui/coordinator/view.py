"""The campaign's report: HTER by whatever the report breaks it down by, sorted and filtered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidget,
    QProgressBar,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import WorldError
from madcat_studio.gui.coordinator.printing import print_report
from madcat_studio.gui.coordinator.scoring import ScoredCampaign, score_campaign
from madcat_studio.gui.coordinator.segment import SegmentDialog
from madcat_studio.gui.coordinator.tablemodel import ReportTableModel, ReportTableProxy
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.fonts import english
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.messages import Level, Message
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import Shell, View
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.operations.report import (
    Format,
    write_campaign_evidence,
    write_campaign_report,
)
from madcat_studio.progress import Cancelled
from madcat_studio.reports.tercom_output import Evidence
from madcat_studio.scoring.hter import Denominator

__all__ = ["ReportView"]


_FIRST = (
    "set",
    "system",
    "kit",
    "document",
    "segment",
    "hter",
    "edits",
    "words",
    "outcome",
    "chosen",
    "reason",
    "team_1_hter",
    "team_2_hter",
    "output",
    "reference",
)
"""Columns of the long table that are looked at first; the others follow in their own order."""


class ReportView(View):
    """The report of one campaign."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._location = ""
        self._scored: ScoredCampaign | None = None
        self._scorer = Dispatcher(self)
        self.job = JobBar()
        self.job.busy_changed.connect(lambda _: self.state_changed.emit())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self._stack = QStackedWidget()
        layout.addWidget(self._stack)
        self._empty = EmptyScreen(
            tr("No campaign is open"),
            tr("Open a campaign to see its report, or have a look at the demo."),
            (
                (tr("Open a campaign"), "file.open-campaign"),
                (tr("Open the demo"), "file.open-demo"),
            ),
        )
        self._empty.wanted.connect(shell.run)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._build_waiting())
        self._stack.addWidget(self._build_report())

    # -- building -----------------------------------------------------------------------------

    def _build_waiting(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.addStretch(2)
        self._waiting_text = QLabel(tr("Scoring …"))
        self._waiting_text.setObjectName("subtitle")
        self._waiting_text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self._waiting_text)
        row = QHBoxLayout()
        row.addStretch(1)
        self._bar = QProgressBar()
        self._bar.setFixedWidth(360)
        self._bar.setTextVisible(False)
        row.addWidget(self._bar)
        row.addStretch(1)
        layout.addLayout(row)
        layout.addSpacing(10)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        stop = QPushButton(tr("Cancel"))
        stop.clicked.connect(self._cancel)
        buttons.addWidget(stop)
        buttons.addStretch(1)
        layout.addLayout(buttons)
        layout.addStretch(3)
        self._waiting = page
        return page

    def _build_report(self) -> QWidget:
        page = QWidget()
        outer = QVBoxLayout(page)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        bar = QWidget()
        bar.setObjectName("toolbar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(bar)
        row.setContentsMargins(16, 8, 12, 8)
        row.setSpacing(10)
        self._title = QLabel()
        self._title.setObjectName("kitname")
        row.addWidget(self._title)
        row.addStretch(1)
        label = QLabel(tr("&Divide by"))
        self.denominator = QComboBox()
        self.denominator.addItem(tr("words of the chosen text"), Denominator.CHOSEN)
        self.denominator.addItem(tr("words of the reference"), Denominator.REFERENCE)
        self.denominator.activated.connect(lambda _: self._score(self._denominator()))
        label.setBuddy(self.denominator)
        row.addWidget(label)
        row.addWidget(self.denominator)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter the rows"))
        self.filter.setAccessibleName(tr("Filter the rows"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(220)
        self.filter.textChanged.connect(self._on_filter)
        row.addWidget(self.filter)
        self._export = QPushButton(tr("Export…"))
        self._export.setObjectName("primary")
        self._export.clicked.connect(lambda: self.trigger("report.export", False))
        row.addWidget(self._export)
        outer.addWidget(bar)
        self.job.setContentsMargins(16, 8, 12, 0)
        outer.addWidget(self.job)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        self.tables = QListWidget()
        self.tables.setAccessibleName(tr("Tables of the report"))
        self.tables.currentRowChanged.connect(self._on_table)
        split.addWidget(self.tables)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(16, 12, 16, 8)
        column.setSpacing(6)
        self.caution = QLabel()
        self.caution.setObjectName("caution")
        self.warnings = QLabel()
        self.warnings.setObjectName("quiet")
        for label in (self.caution, self.warnings):
            label.setWordWrap(True)
            column.addWidget(label)
        self._note = QLabel()
        self._note.setObjectName("quiet")
        self._note.setWordWrap(True)
        column.addWidget(self._note)
        self.model = ReportTableModel(self)
        self.proxy = ReportTableProxy(self)
        self.proxy.setSourceModel(self.model)
        self.table = QTableView()
        self.table.setModel(self.proxy)
        self.table.setSortingEnabled(True)
        self.table.setWordWrap(False)
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(28)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setHighlightSections(False)
        self.table.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.table.activated.connect(self._open_row)
        self.table.clicked.connect(self._on_click)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self.state_changed.emit())
        column.addWidget(self.table, 1)
        self._signature = QLineEdit()
        self._signature.setObjectName("signature")
        self._signature.setReadOnly(True)
        self._signature.setFrame(False)
        self._signature.setAccessibleName(tr("Signature"))
        self._signature.setToolTip(tr("Everything that the numbers depend on; copy it with them"))
        column.addWidget(self._signature)
        split.addWidget(right)
        split.setStretchFactor(1, 1)
        split.setSizes([220, 1100])
        outer.addWidget(split, 1)
        self._report = page
        return page

    # -- the shell ----------------------------------------------------------------------------

    def title(self) -> str:
        """The campaign's name."""
        return "" if self._scored is None else tr("{name} – report", name=self._scored.title)

    def open_location(self, location: str, target: Mapping[str, str]) -> None:
        """Score a campaign and show its report."""
        self._location = location
        self.shell.opened(location, self)
        self._score(None)

    def shown(self, campaign: str) -> None:
        """The view came to the front: show the report of the campaign that is open."""
        if campaign and campaign != self._location:
            self._location = campaign
            self._score(None)

    @property
    def location(self) -> str:
        """The campaign whose report is shown, or ""."""
        return self._location

    def show_table(self, name: str) -> None:
        """Show a table of the report, by the name that it has in files."""
        for row, table in enumerate(self._scored.tables if self._scored is not None else ()):
            if table.name == name:
                self.tables.setCurrentRow(row)

    def shut_down(self) -> None:
        """End the workers."""
        self._scorer.close()
        self.job.close_worker()

    def trigger(self, action: str, checked: bool) -> None:
        """Do what an action of the report says."""
        if action == "report.export":
            self._choose_export(tr("Export the report into a folder"), self.export)
        elif action == "report.evidence":
            self._choose_export(tr("Write the evidence into a folder"), self.write_evidence)
        elif action == "report.print":
            self._choose_pdf()
        elif action == "report.refresh":
            self._score(self._denominator())
        elif action == "report.filter":
            self.filter.setFocus()
            self.filter.selectAll()
        elif action == "report.open-segment":
            self._open_row(self.table.currentIndex())

    def can(self, action: str) -> bool:
        """Everything needs a report, a segment needs a row that has one."""
        if action == "report.refresh":
            return bool(self._location)
        if self._scored is None or self._stack.currentWidget() is not self._report:
            return False
        if action in ("report.export", "report.evidence"):
            return not self.job.busy
        return (
            action != "report.open-segment"
            or self._segment_of(self.table.currentIndex()) is not None
        )

    # -- scoring ------------------------------------------------------------------------------

    def _score(self, denominator: Denominator | None) -> None:
        location = self._location
        if not location:
            return
        self._bar.setRange(0, 0)
        self._waiting_text.setText(tr("Scoring …"))
        self._stack.setCurrentWidget(self._waiting)
        self._scorer.submit(
            lambda ticket: score_campaign(location, denominator, ticket),
            self._show,
            failed=self._failed,
            progress=self._on_progress,
        )
        self.state_changed.emit()

    def _denominator(self) -> Denominator:
        return Denominator(self.denominator.currentData())  # Qt hands it back as a text

    def _on_progress(self, done: int, total: int, text: str) -> None:
        if total > 0:
            self._bar.setRange(0, total)
            self._bar.setValue(done)

    def _cancel(self) -> None:
        self._scorer.cancel()
        self._stack.setCurrentWidget(self._report if self._scored is not None else self._empty)
        if self._scored is None:
            self._location = ""
        self.state_changed.emit()

    def _failed(self, error: BaseException) -> None:
        self._cancel()
        if not isinstance(error, Cancelled):
            self.shell.show_error(error)

    def _show(self, scored: ScoredCampaign) -> None:
        self._scored = scored
        row = max(self.tables.currentRow(), 0)
        self._title.setText(scored.title)
        self.denominator.setCurrentIndex(self.denominator.findData(scored.denominator))
        self.tables.blockSignals(True)
        self.tables.clear()
        self.tables.addItems([tr(table.title) for table in scored.tables])
        self.tables.blockSignals(False)
        self.caution.setText(tr("Preliminary: {why}", why="; ".join(scored.preliminary)))
        self.caution.setVisible(bool(scored.preliminary))
        self.warnings.setText("; ".join(scored.warnings))
        self.warnings.setVisible(bool(scored.warnings))
        self._signature.setText(scored.signatures.get(str(scored.denominator), ""))
        self._signature.setCursorPosition(0)
        self._stack.setCurrentWidget(self._report)
        self.tables.setCurrentRow(min(row, len(scored.tables) - 1))
        self._on_table(self.tables.currentRow())
        if not self.filter.hasFocus() and self.isVisible():
            self.tables.setFocus()
        self.title_changed.emit()
        self.state_changed.emit()

    def _on_table(self, row: int) -> None:
        if self._scored is None or not 0 <= row < len(self._scored.tables):
            return
        table = self._scored.tables[row]
        note = tr(table.note) if table.note else ""
        if table.left_out:
            note += " " + tr("Only the first {rows} rows are shown.", rows=f"{len(table.rows):,}")
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self.proxy.sort(-1)
        self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.model.show_table(table.columns, table.rows)
        self._order_columns([column.key for column in table.columns], table.long)
        self._fit_columns()
        self.state_changed.emit()

    def _order_columns(self, keys: list[str], long: bool) -> None:
        header = self.table.horizontalHeader()
        wanted = [keys.index(key) for key in _FIRST if key in keys] if long else []
        wanted += [column for column in range(len(keys)) if column not in wanted]
        for place, column in enumerate(wanted):
            header.moveSection(header.visualIndex(column), place)

    def _fit_columns(self) -> None:
        for column in range(self.model.columnCount()):
            self.table.resizeColumnToContents(column)
            width = self.table.columnWidth(column)
            self.table.setColumnWidth(column, min(max(width + 12, 64), 380))

    def _on_filter(self, text: str) -> None:
        self.proxy.filter_by(text)

    # -- segments -----------------------------------------------------------------------------

    def _segment_of(self, index: QModelIndex) -> dict[str, str] | None:
        if not index.isValid():
            return None
        row = self.proxy.mapToSource(index).row()
        found = {
            key: str(value)
            for key in ("system", "kit", "document", "segment")
            if (value := self.model.value(row, key)) is not None
        }
        return found if {"system", "document", "segment"} <= found.keys() else None

    def _on_click(self, index: QModelIndex) -> None:
        if self.model.is_link(self.proxy.mapToSource(index)):
            self._open_row(index)

    def _open_row(self, index: QModelIndex) -> None:
        target = self._segment_of(index)
        if target is None:
            return
        dialog = SegmentDialog(self.shell, self._location, target, self)
        dialog.exec()
        dialog.deleteLater()

    # -- exporting ----------------------------------------------------------------------------

    def _choose_export(self, title: str, write: Callable[[Path], None]) -> None:
        folder = QFileDialog.getExistingDirectory(
            self, title, str(window_state().value("report/folder", ""))
        )
        if folder:
            window_state().setValue("report/folder", folder)
            write(Path(folder))

    def _choose_pdf(self) -> None:
        folder = str(window_state().value("report/folder", ""))
        path, _ = QFileDialog.getSaveFileName(
            self, tr("Print as PDF"), str(Path(folder) / "hter.pdf"), tr("PDF (*.pdf)")
        )
        if path:
            self.print_pdf(Path(path))

    def print_pdf(self, path: Path) -> None:
        """Write the tables of the report as a PDF."""
        if self._scored is None:
            return
        try:
            print_report(self._scored, path, english(self.shell.settings).families())
        except WorldError as error:
            self.shell.show_error(error)
            return
        self._tell(tr("The report is printed to {path}.", path=path), path)

    def export(self, folder: Path) -> None:
        """Write all formats into a folder."""
        location, denominator = self._location, self._denominator()

        def done(result: tuple[list[Path], tuple[str, ...]]) -> None:
            files, _ = result
            first = next((file for file in files if file.suffix == ".html"), files[0])
            self._tell(
                tr("The report is in {folder}: {count} files.", folder=folder, count=len(files)),
                first,
            )

        self.job.start(
            tr("Exporting the report"),
            lambda ticket: write_campaign_report(
                location, folder, formats=tuple(Format), denominator=denominator, progress=ticket
            ),
            done,
            self.shell.show_error,
        )

    def write_evidence(self, folder: Path) -> None:
        """Write the campaign as tercom's own files, with the numbers that it must give."""
        location = self._location

        def done(evidence: Evidence) -> None:
            self._tell(
                tr(
                    "The evidence is in {folder}: {count} files for tercom, and what it must say.",
                    folder=folder,
                    count=len(evidence.files),
                ),
                folder,
            )

        self.job.start(
            tr("Writing the evidence"),
            lambda ticket: write_campaign_evidence(location, folder, progress=ticket),
            done,
            self.shell.show_error,
        )

    def _tell(self, text: str, written: Path) -> None:
        self.shell.messages.post(
            Message(Level.INFO, text, action=(tr("Open it"), lambda: _open_file(written)))
        )


def _open_file(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
