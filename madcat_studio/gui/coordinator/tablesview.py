"""A view of results: their tables in a list, one of them shown; worked out, exported, stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QFileDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QSplitter,
    QWidget,
)

from madcat_studio.gui.coordinator.rowtable import PlainTable
from madcat_studio.gui.coordinator.signatureline import SignatureLine
from madcat_studio.gui.coordinator.tablemodel import ReportTableModel
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.frame import FramedView, TitleBar, Waiting, below
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.messages import Level, Message
from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher, Ticket
from madcat_studio.progress import Cancelled
from madcat_studio.reports.tables import Cell, Column

__all__ = ["TablesView"]


class TablesView(FramedView):
    """What a report's view and a scorecard's have in common.

    Attributes:
        PART: with which the names begin of what is remembered for it.
    """

    PART: str

    def __init__(
        self,
        shell: Shell,
        empty: EmptyScreen,
        model: ReportTableModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(shell, empty, parent)
        self.worker = Dispatcher(self)
        self.waiting = Waiting()
        self.waiting.cancelled.connect(self.cancel)
        self.screens.addWidget(self.waiting)
        self.job = JobBar()
        self.job.setContentsMargins(16, 8, 12, 0)
        self.job.busy_changed.connect(lambda _: self.state_changed.emit())
        self.model = model
        self.table = PlainTable(tr("Rows of the table"), model)
        self.proxy = self.table.proxy
        self.table.activated.connect(self.open_row)
        self.table.clicked.connect(self._on_click)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self.state_changed.emit())
        self.tables = QListWidget()
        self.tables.currentRowChanged.connect(self.on_table)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter the rows"))
        self.filter.setAccessibleName(tr("Filter the rows"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(220)
        self.filter.textChanged.connect(self.proxy.filter_by)
        self.signature = SignatureLine()
        self.caution, self.note = QLabel(), QLabel()
        self.caution.setObjectName("caution")
        self.note.setObjectName("quiet")

    def build(
        self,
        name: str,
        right: QWidget,
        *,
        beside: Sequence[QWidget] = (),
        end: Sequence[QWidget] = (),
    ) -> None:
        """Make the page: a bar, and the list of tables with ``right`` at its right.

        Args:
            name: of the list, for screen readers.
            right: what stands beside the list.
            beside: widgets at the title's right; ``end``: those at the bar's right end.
        """
        export = make_button(tr("Export…"), self.ask_export)
        export.setObjectName("primary")
        self.bar = TitleBar(beside, (*end, export))
        self.tables.setAccessibleName(name)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.tables)
        split.addWidget(right)
        split.setStretchFactor(1, 1)
        split.setSizes([220, 1100])
        self.page = below(self.bar, self.job, split)
        self.screens.addWidget(self.page)

    # -- what the views say -------------------------------------------------------------------

    def has_result(self) -> bool:
        """Whether there is a result to show."""
        raise NotImplementedError

    def on_table(self, row: int) -> None:
        """Another row of the list of tables was chosen."""
        raise NotImplementedError

    def open_row(self, index: QModelIndex) -> None:
        """Open what a row of the table is about."""
        raise NotImplementedError

    def ask_export(self) -> None:
        """Ask for a folder, and write the result into it in all forms."""
        raise NotImplementedError

    # -- the shell ----------------------------------------------------------------------------

    def shut_down(self) -> None:
        """End the workers."""
        self.worker.close()
        self.job.close_worker()

    def focus_filter(self) -> None:
        """The keyboard to the field that filters the rows."""
        self.filter.setFocus()
        self.filter.selectAll()

    @property
    def can_export(self) -> bool:
        """Whether there is a result to export, and nothing is written yet."""
        return self.ready and not self.job.busy

    @property
    def ready(self) -> bool:
        """Whether a result is shown, and nothing is waited for."""
        return self.has_result() and self.screens.currentWidget() is self.page

    # -- working ------------------------------------------------------------------------------

    def wait(self, text: str) -> None:
        """Show that something is worked out."""
        self.waiting.begin(text)
        self.screens.setCurrentWidget(self.waiting)
        self.state_changed.emit()

    def submit(
        self,
        work: Callable[[Ticket], Any],
        done: Callable[[Any], None],
        part: Callable[[Any], None] | None = None,
    ) -> None:
        """Work in the thread; what was shown before comes back where it fails."""
        self.worker.submit(
            work, done, part=part, failed=self._failed, progress=self.waiting.advance
        )

    def cancel(self) -> None:
        """Stop what is waited for."""
        self.worker.cancel()
        self.show_result()

    def show_result(self) -> None:
        """Show what there is."""
        self.screens.setCurrentWidget(self.page if self.has_result() else self.empty)
        self.state_changed.emit()

    def _failed(self, error: BaseException) -> None:
        self.show_result()
        if not isinstance(error, Cancelled):
            self.shell.show_error(error)

    # -- tables -------------------------------------------------------------------------------

    def name_tables(self, names: Sequence[str]) -> None:
        """Fill the list of tables; which of them is chosen is told next."""
        self.tables.blockSignals(True)
        self.tables.clear()
        self.tables.addItems(names)
        self.tables.blockSignals(False)

    def fill_table(self, columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]]) -> None:
        """Show another table, in its own order until a heading is clicked."""
        self.proxy.sort(-1)
        self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.model.show_table(columns, rows)

    def fit_columns(self) -> None:
        """Make columns as wide as what they show, within limits."""
        for column in range(self.model.columnCount()):
            self.table.resizeColumnToContents(column)
            width = self.table.columnWidth(column)
            self.table.setColumnWidth(column, min(max(width + 12, 64), 380))

    def _on_click(self, index: QModelIndex) -> None:
        if self.model.is_link(self.proxy.mapToSource(index)):
            self.open_row(index)

    # -- exporting ----------------------------------------------------------------------------

    def choose_folder(self, title: str) -> Path | None:
        """Ask for a folder to write into; the next time that one is offered."""
        key = f"{self.PART}/folder"
        before = str(window_state().value(key, ""))
        folder = QFileDialog.getExistingDirectory(self, title, before)
        if not folder:
            return None
        window_state().setValue(key, folder)
        return Path(folder)

    def tell_written(self, text: str, written: Path) -> None:
        """Tell what was written, with a button that opens it."""

        def show() -> None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(written)))

        self.shell.messages.post(Message(Level.INFO, text, action=(tr("Open it"), show)))
