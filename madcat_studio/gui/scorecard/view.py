"""The result of an evaluation or a scorecard: shown, made anew, exported, followed to its pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
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

from madcat_studio.gui.coordinator.tablemodel import ReportTableProxy
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.messages import Level, Message
from madcat_studio.gui.scorecard.cardmodel import PLACES, CardTableModel
from madcat_studio.gui.scorecard.newcard import NewCardDialog
from madcat_studio.gui.scorecard.overview import Overview
from madcat_studio.gui.scorecard.pages import PageFinder, remember_pages
from madcat_studio.gui.scorecard.scoring import CardOrder, make_card
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import Shell, View
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.operations.report import Format
from madcat_studio.operations.scorecard_files import read_card, write_card
from madcat_studio.progress import Cancelled
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.tables import Cell, Table

__all__ = ["ScorecardView"]

_MOST_WARNINGS = 2


@dataclass(frozen=True, slots=True)
class _Opened:
    path: Path
    report: CardReport
    rows: tuple[list[tuple[Cell, ...]], ...]


class ScorecardView(View):
    """One saved result of an evaluation or of one of the three scorecards."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._opened: _Opened | None = None
        self._last: CardOrder | None = None
        self._worker = Dispatcher(self)
        self.job = JobBar()
        self.job.busy_changed.connect(lambda _: self.state_changed.emit())
        self._pages = PageFinder(shell, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self._stack = QStackedWidget()
        layout.addWidget(self._stack)
        self._empty = EmptyScreen(
            tr("No result is open"),
            tr(
                "Open a result, or score: systems' outputs in every task of the plan (TER, WER, "
                "HTER), pages (LTB-100), runs of text translation (Rosetta) or translated images "
                "(IMTBench)."
            ),
            (
                (tr("Open a result"), "scorecard.open"),
                (tr("New evaluation or scorecard"), "scorecard.new"),
            ),
        )
        self._empty.wanted.connect(shell.run)
        self._stack.addWidget(self._empty)
        self._waiting = self._build_waiting()
        self._stack.addWidget(self._waiting)
        self._page = self._build()
        self._stack.addWidget(self._page)

    # -- building -----------------------------------------------------------------------------

    def _build_waiting(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.addStretch(2)
        self._waiting_text = QLabel()
        self._waiting_text.setObjectName("subtitle")
        self._waiting_text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self._waiting_text)
        self._bar = QProgressBar()
        self._bar.setFixedWidth(360)
        self._bar.setTextVisible(False)
        layout.addWidget(self._bar, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(10)
        self.stop = QPushButton(tr("Cancel"))
        self.stop.clicked.connect(self._cancel)
        layout.addWidget(self.stop, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        return page

    def _build(self) -> QWidget:
        page = QWidget()
        outer = QVBoxLayout(page)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._build_bar())
        self.job.setContentsMargins(16, 8, 12, 0)
        outer.addWidget(self.job)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        self.tables = QListWidget()
        self.tables.setAccessibleName(tr("Tables of the result"))
        self.tables.currentRowChanged.connect(self._on_table)
        split.addWidget(self.tables)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(6)
        self._parts = QStackedWidget()
        self.overview = Overview(self.shell.theme.colours)
        self._parts.addWidget(self.overview)
        self._table_page = self._build_table()
        self._parts.addWidget(self._table_page)
        column.addWidget(self._parts, 1)
        signature = QHBoxLayout()
        signature.setContentsMargins(16, 0, 16, 0)
        self.signature = QLineEdit()
        self.signature.setObjectName("signature")
        self.signature.setReadOnly(True)
        self.signature.setFrame(False)
        self.signature.setAccessibleName(tr("Signature"))
        self.signature.setToolTip(tr("Everything that the numbers depend on; copy it with them"))
        signature.addWidget(self.signature, 1)
        copy = QPushButton(tr("Copy"))
        copy.setObjectName("link")
        copy.setToolTip(tr("Copy the signature"))
        copy.clicked.connect(lambda: self.trigger("scorecard.copy-signature", False))
        signature.addWidget(copy)
        column.addLayout(signature)
        split.addWidget(right)
        split.setStretchFactor(1, 1)
        split.setSizes([220, 1100])
        outer.addWidget(split, 1)
        return page

    def _build_bar(self) -> QWidget:
        bar = QWidget()
        bar.setObjectName("toolbar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(bar)
        row.setContentsMargins(16, 8, 12, 8)
        row.setSpacing(10)
        self._title = QLabel()
        self._title.setObjectName("kitname")
        row.addWidget(self._title)
        self._kind = QLabel()
        row.addWidget(self._kind)
        row.addStretch(1)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter the rows"))
        self.filter.setAccessibleName(tr("Filter the rows"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(220)
        self.filter.textChanged.connect(lambda text: self.proxy.filter_by(text))
        row.addWidget(self.filter)
        new = QPushButton(tr("New…"))
        new.setToolTip(tr("A new evaluation or scorecard"))
        new.clicked.connect(lambda: self.trigger("scorecard.new", False))
        row.addWidget(new)
        export = QPushButton(tr("Export…"))
        export.setObjectName("primary")
        export.clicked.connect(lambda: self.trigger("scorecard.export", False))
        row.addWidget(export)
        return bar

    def _build_table(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 12, 16, 0)
        column.setSpacing(6)
        self.caution = QLabel()
        self.caution.setObjectName("caution")
        self._note = QLabel()
        self._note.setObjectName("quiet")
        for label in (self.caution, self._note):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            column.addWidget(label)
        self.model = CardTableModel(self)
        self.proxy = ReportTableProxy(self)
        self.proxy.setSourceModel(self.model)
        self.table = QTableView()
        self.table.setModel(self.proxy)
        self.table.setAccessibleName(tr("Rows of the table"))
        self.table.setSortingEnabled(True)
        self.table.setWordWrap(False)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.table.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(28)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setHighlightSections(False)
        header.setResizeContentsPrecision(100)  # rows that a column's width is taken from
        self.table.activated.connect(self._open_row)
        self.table.clicked.connect(self._on_click)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self.state_changed.emit())
        column.addWidget(self.table, 1)
        return page

    # -- the shell ----------------------------------------------------------------------------

    def title(self) -> str:
        """The result's title."""
        opened = self._opened
        return "" if opened is None else f"{opened.report.title} – {opened.report.kind}"

    def open_location(self, location: str, target: Mapping[str, str]) -> None:
        """Read a saved result; what is shown stays until that has succeeded."""
        path = Path(location)

        def read(_: object) -> _Opened:
            report = read_card(path)
            return _Opened(path, report, tuple(list(table.rows) for table in report.tables))

        self._worker.submit(read, self._show, failed=self._failed)
        if self._opened is None:
            self._wait(tr("Opening …"))

    def shut_down(self) -> None:
        """End the workers."""
        self._worker.close()
        self.job.close_worker()
        self._pages.close()

    def dress(self) -> None:
        """Follow the theme."""
        self.overview.dress(self.shell.theme.colours)

    def trigger(self, action: str, checked: bool) -> None:
        """Do what an action of the scorecard says."""
        match action:
            case "scorecard.new":
                self._ask_new()
            case "scorecard.open":
                self.shell.run("file.open-scorecard")
            case "scorecard.export":
                self._choose_export()
            case "scorecard.copy-signature":
                QGuiApplication.clipboard().setText(self.signature.text())
                self.hint.emit(tr("The signature is copied."))
            case "scorecard.filter":
                self.filter.setFocus()
                self.filter.selectAll()
            case "scorecard.open-page":
                self._open_row(self.table.currentIndex())

    def can(self, action: str) -> bool:
        """All but opening and making needs a result; a page needs a row that has one."""
        if action in ("scorecard.new", "scorecard.open"):
            return self._stack.currentWidget() is not self._waiting
        if self._opened is None or self._stack.currentWidget() is not self._page:
            return False
        if action == "scorecard.export":
            return not self.job.busy
        if action == "scorecard.filter":
            return self._table() is not None
        if action == "scorecard.open-page":
            return self._place_of(self.table.currentIndex()) is not None
        return True

    # -- showing ------------------------------------------------------------------------------

    @property
    def report(self) -> CardReport | None:
        """The result that is shown."""
        return None if self._opened is None else self._opened.report

    def show_table(self, name: str) -> None:
        """Show a table of the result, by the name that it has in files."""
        for row, table in enumerate(self._opened.report.tables if self._opened else ()):
            if table.name == name:
                self.tables.setCurrentRow(row + 1)

    def _wait(self, text: str) -> None:
        self._bar.setRange(0, 0)
        self._waiting_text.setText(text)
        self._stack.setCurrentWidget(self._waiting)
        self.state_changed.emit()

    def _on_progress(self, done: int, total: int, text: str) -> None:
        if total > 0:
            self._bar.setRange(0, total)
            self._bar.setValue(done)
        else:
            self._bar.setRange(0, 0)

    def _rest(self) -> None:
        self._stack.setCurrentWidget(self._page if self._opened is not None else self._empty)
        self.state_changed.emit()

    def _cancel(self) -> None:
        self._worker.cancel()
        self._rest()

    def _failed(self, error: BaseException) -> None:
        self._rest()
        if not isinstance(error, Cancelled):
            self.shell.show_error(error)

    def _show(self, opened: _Opened) -> None:
        self._opened = opened
        report = opened.report
        # Names of runs may be Arabic; their order is that of the list all the same.
        self._title.setText(f"\u200e{report.title}")
        self._title.setToolTip(str(opened.path))
        self._kind.setText(report.kind)
        lines = report.signature_lines()
        self.signature.setText(
            lines[0][1] if len(lines) == 1 else "; ".join(f"{name}: {line}" for name, line in lines)
        )
        self.signature.setCursorPosition(0)
        self.overview.show_report(report)
        self.filter.clear()
        self.tables.blockSignals(True)
        self.tables.clear()
        self.tables.addItem(tr("Overview"))
        for table, rows in zip(report.tables, opened.rows, strict=True):
            title = tr(table.title) if table.title else table.name
            self.tables.addItem(f"{title}  ({len(rows):,})" if table.long else title)
        self.tables.blockSignals(False)
        self._stack.setCurrentWidget(self._page)
        self.tables.setCurrentRow(0)
        self._on_table(0)
        self.shell.opened(str(opened.path), self)
        self.tables.setFocus()
        self.title_changed.emit()
        self.state_changed.emit()

    def _table(self) -> Table | None:
        row = self.tables.currentRow() - 1
        if self._opened is None or not 0 <= row < len(self._opened.report.tables):
            return None
        return self._opened.report.tables[row]

    def _on_table(self, row: int) -> None:
        table = self._table()
        self._parts.setCurrentWidget(self.overview if table is None else self._table_page)
        self.filter.setEnabled(table is not None)
        if table is not None and self._opened is not None:
            self._note.setText(tr(table.note) if table.note else "")
            self._note.setVisible(bool(table.note))
            self._caution(self._opened.report.warnings)
            self.proxy.sort(-1)
            self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
            self.model.show_table(table.columns, self._opened.rows[row - 1])
            self._hide_empty(table, self._opened.rows[row - 1])
            self._fit_columns()
        self.state_changed.emit()

    def _caution(self, warnings: tuple[str, ...]) -> None:
        shown = list(warnings[:_MOST_WARNINGS])
        if len(warnings) > len(shown):
            shown.append(tr("{count} more: see the overview.", count=len(warnings) - len(shown)))
        self.caution.setText("\n".join(shown))
        self.caution.setVisible(bool(shown))

    def _hide_empty(self, table: Table, rows: list[tuple[Cell, ...]]) -> None:
        """Long tables lose the columns of what was not computed; the others name it."""
        for column in range(len(table.columns)):
            empty = table.long and all(row[column] in (None, "") for row in rows)
            self.table.setColumnHidden(column, bool(rows) and empty)

    def _fit_columns(self) -> None:
        for column in range(self.model.columnCount()):
            self.table.resizeColumnToContents(column)
            width = self.table.columnWidth(column)
            self.table.setColumnWidth(column, min(max(width + 12, 64), 380))

    # -- pages --------------------------------------------------------------------------------

    def _place_of(self, index: QModelIndex) -> dict[str, str] | None:
        """Document and region or segment of a row; None where it has none."""
        if not index.isValid() or self._table() is None:
            return None
        row = self.proxy.mapToSource(index).row()
        found = {
            key: str(value)
            for key in PLACES
            if (value := self.model.value(row, key)) not in (None, "")
        }
        return found if "document" in found else None

    def _on_click(self, index: QModelIndex) -> None:
        if self.model.is_link(self.proxy.mapToSource(index)):
            self._open_row(index)

    def _open_row(self, index: QModelIndex) -> None:
        place = self._place_of(index)
        if place is not None and self._opened is not None:
            self._pages.open(place, self._opened.path.parent)

    # -- making and exporting -----------------------------------------------------------------

    def _ask_new(self) -> None:
        dialog = NewCardDialog(self._last, self)
        if dialog.exec() == NewCardDialog.DialogCode.Accepted:
            order = dialog.order()
            if order is not None:
                self.make(order)
        dialog.deleteLater()

    def make(self, order: CardOrder) -> None:
        """Make a scorecard in the worker and open it; what was asked for is offered again."""
        self._last = order
        if order.truth is not None and (order.truth.is_dir() or order.truth.suffix == ".xml"):
            remember_pages(order.truth if order.truth.is_dir() else order.truth.parent)
        self._wait(tr("Scoring …"))
        self._worker.submit(
            lambda ticket: make_card(order, ticket),
            lambda path: self.shell.open(str(path)),
            failed=self._failed,
            progress=self._on_progress,
        )

    def _choose_export(self) -> None:
        folder = QFileDialog.getExistingDirectory(
            self,
            tr("Export the result into a folder"),
            str(window_state().value("scorecard/folder", "")),
        )
        if folder:
            window_state().setValue("scorecard/folder", folder)
            self.export(Path(folder))

    def export(self, folder: Path) -> None:
        """Write all forms into a folder."""
        opened = self._opened
        if opened is None:
            return

        def done(files: list[Path]) -> None:
            first = next((file for file in files if file.suffix == ".html"), files[0])
            self.shell.messages.post(
                Message(
                    Level.INFO,
                    tr(
                        "The result is in {folder}: {count} files.", folder=folder, count=len(files)
                    ),
                    action=(tr("Open it"), lambda: _open_file(first)),
                )
            )

        self.job.start(
            tr("Exporting the result"),
            lambda ticket: write_card(opened.report, folder, tuple(Format), progress=ticket),
            done,
            self.shell.show_error,
        )


def _open_file(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
