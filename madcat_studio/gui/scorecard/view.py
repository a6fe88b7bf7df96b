"""The result of an evaluation or a scorecard: shown, made anew, exported, followed to its pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from madcat_studio.gui.coordinator.tablesview import TablesView
from madcat_studio.gui.coreactions import OPEN_RESULT
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.scorecard.boxpanel import ROW, BoxPanel
from madcat_studio.gui.scorecard.cardmodel import PLACES, CardTableModel
from madcat_studio.gui.scorecard.cardorder import CardOrder, make_card
from madcat_studio.gui.scorecard.newcard import NewCardDialog
from madcat_studio.gui.scorecard.overview import Overview
from madcat_studio.gui.scorecard.pages import PageFinder, known_pages, remember_pages
from madcat_studio.gui.translation import tr, tr_count, tr_number, tr_report
from madcat_studio.gui.views import Shell
from madcat_studio.operations.scorecards.boxed import Places
from madcat_studio.operations.scorecards.files import CARD_FORMATS, read_card, write_card
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.tables import Cell, Table

__all__ = ["ScorecardView"]

_MOST_WARNINGS = 2


@dataclass(frozen=True, slots=True)
class _Opened:
    path: Path
    report: CardReport
    rows: tuple[list[tuple[Cell, ...]], ...]


class ScorecardView(TablesView):
    """One saved result of an evaluation or of one of the three scorecards."""

    PART = "scorecard"

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        empty = EmptyScreen(
            tr("No result is open"),
            tr(
                "Open a result, or score: systems' outputs in every task of the plan (TER, WER, "
                "HTER), pages (LTB-100), runs of text translation (Rosetta) or translated images "
                "(IMTBench)."
            ),
            (
                (tr("Open a result"), lambda: shell.run(OPEN_RESULT)),
                (tr("New evaluation or scorecard"), self.ask_new),
            ),
        )
        super().__init__(shell, empty, CardTableModel(), parent)
        self._opened: _Opened | None = None
        self._last: CardOrder | None = None
        self._pages = PageFinder(shell, self)
        self._kind = QLabel()
        new = make_button(tr("New…"), self.ask_new)
        new.setToolTip(tr("A new evaluation or scorecard"))
        self._parts = QStackedWidget()
        self.boxes = BoxPanel()
        self.overview = Overview(self.shell.theme.colours)
        self._table_page = self._build_table()
        self._parts.addWidget(self.overview)
        self._parts.addWidget(self._table_page)
        copy = make_button(tr("Copy"), self.copy_signature)
        copy.setObjectName("link")
        copy.setToolTip(tr("Copy the signature"))
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(6)
        column.addWidget(self._parts, 1)
        signature = QHBoxLayout()
        signature.setContentsMargins(16, 0, 16, 0)
        signature.addWidget(self.signature, 1)
        signature.addWidget(copy)
        column.addLayout(signature)
        name = tr("Tables of the result")
        self.build(name, right, beside=(self._kind,), end=(self.filter, new))

    def _build_table(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 12, 16, 0)
        column.setSpacing(6)
        for label in (self.caution, self.note):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            column.addWidget(label)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.table)
        split.addWidget(self.boxes)
        split.setStretchFactor(0, 1)
        split.setSizes([700, 380])
        column.addWidget(split, 1)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        return page

    def _on_row(self, index: QModelIndex) -> None:
        self.boxes.show_row(self._cells(index, (*ROW, "region")))

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

        self.submit(read, self._show)
        if self._opened is None:
            self.wait(tr("Opening …"))

    def shut_down(self) -> None:
        """End the workers."""
        super().shut_down()
        self._pages.close()
        self.boxes.close_worker()

    def apply_theme(self) -> None:
        """Follow the theme."""
        self.overview.apply_theme(self.shell.theme.colours)

    # -- actions ------------------------------------------------------------------------------

    @property
    def can_begin(self) -> bool:
        """Whether another result can be made or opened: not while one is waited for."""
        return self.screens.currentWidget() is not self.waiting

    @property
    def can_find(self) -> bool:
        """Whether a table is shown, whose rows can be filtered."""
        return self.ready and self._table() is not None

    @property
    def can_open_row(self) -> bool:
        """Whether the row that is chosen has a page."""
        return self.ready and self._place_of(self.table.currentIndex()) is not None

    def copy_signature(self) -> None:
        """Copy the signature that is shown."""
        QGuiApplication.clipboard().setText(self.signature.text())
        self.hint.emit(tr("The signature is copied."))

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

    def has_result(self) -> bool:
        """Whether a result is open."""
        return self._opened is not None

    def _show(self, opened: _Opened) -> None:
        self._opened = opened
        report = opened.report
        # Names of runs may be Arabic; their order is that of the list all the same.
        self.bar.title.setText(f"\u200e{report.title}")
        self.bar.title.setToolTip(str(opened.path))
        self._kind.setText(report.kind)
        lines = report.signature_lines()
        self.signature.setText(
            lines[0][1] if len(lines) == 1 else "; ".join(f"{name}: {line}" for name, line in lines)
        )
        self.overview.show_report(report)
        self.filter.clear()
        names = [tr("Overview")]
        for table, rows in zip(report.tables, opened.rows, strict=True):
            title = tr_report(table.title) if table.title else table.name
            names.append(f"{title}  ({tr_number(len(rows))})" if table.long else title)
        self.name_tables(names)
        self.screens.setCurrentWidget(self.page)
        self.tables.setCurrentRow(0)
        self.on_table(0)
        self.shell.opened(str(opened.path), self)
        self.tables.setFocus()
        self.title_changed.emit()
        self.state_changed.emit()

    def _table(self) -> Table | None:
        row = self.tables.currentRow() - 1
        if self._opened is None or not 0 <= row < len(self._opened.report.tables):
            return None
        return self._opened.report.tables[row]

    def on_table(self, row: int) -> None:
        """Show the overview, or a table of the result."""
        table = self._table()
        self._parts.setCurrentWidget(self.overview if table is None else self._table_page)
        self.filter.setEnabled(table is not None)
        if table is not None and self._opened is not None:
            self.note.setText(tr_report(table.note) if table.note else "")
            self.note.setVisible(bool(table.note))
            self._caution(self._opened.report.warnings)
            self.fill_table(table.columns, self._opened.rows[row - 1])
            self._hide_empty(table, self._opened.rows[row - 1])
            self.fit_columns()
            keys = {column.key for column in table.columns}
            self.boxes.show_table(self._opened.report, keys, self._opened.path.parent)
        self.state_changed.emit()

    def _caution(self, warnings: tuple[str, ...]) -> None:
        shown = list(warnings[:_MOST_WARNINGS])
        if len(warnings) > len(shown):
            shown.append(
                tr("{count} more: see the overview.", count=tr_number(len(warnings) - len(shown)))
            )
        self.caution.setText("\n".join(shown))
        self.caution.setVisible(bool(shown))

    def _hide_empty(self, table: Table, rows: list[tuple[Cell, ...]]) -> None:
        """Long tables lose the columns of what was not computed; the others name it."""
        for column in range(len(table.columns)):
            empty = table.long and all(row[column] in (None, "") for row in rows)
            self.table.setColumnHidden(column, bool(rows) and empty)

    # -- pages --------------------------------------------------------------------------------

    def _place_of(self, index: QModelIndex) -> dict[str, str] | None:
        """Document and region or segment of a row; None where it has none."""
        found = self._cells(index, PLACES)
        return found if found is not None and "document" in found else None

    def _cells(self, index: QModelIndex, keys: Iterable[str]) -> dict[str, str] | None:
        """What a row has in these columns; None where there is no row."""
        if not index.isValid() or self._table() is None:
            return None
        row = self.proxy.mapToSource(index).row()
        return {
            key: str(value)
            for key in keys
            if (value := self.model.value(row, key)) not in (None, "")
        }

    def open_row(self, index: QModelIndex) -> None:
        """Show the place of a row on its page."""
        place = self._place_of(index)
        if place is not None and self._opened is not None:
            self._pages.open(place, self._opened.path.parent)

    # -- making and exporting -----------------------------------------------------------------

    def ask_new(self) -> None:
        """Ask what is to be scored."""
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
        self.wait(tr("Scoring …"))
        self.submit(
            lambda ticket: make_card(order, ticket), lambda path: self.shell.open(str(path))
        )

    def ask_export(self) -> None:
        """Ask for a folder, and write the result into it in all forms."""
        folder = self.choose_folder(tr("Export the result into a folder"))
        if folder is not None:
            self.export(folder)

    def export(self, folder: Path) -> None:
        """Write all forms into a folder."""
        opened = self._opened
        if opened is None:
            return

        def done(files: list[Path]) -> None:
            first = next((file for file in files if file.suffix == ".html"), files[0])
            self.tell_written(
                tr_count(
                    "The result is in {folder}: {count} file.",
                    "The result is in {folder}: {count} files.",
                    len(files),
                    folder=folder,
                ),
                first,
            )

        places = Places(tuple(known_pages()), (opened.path.parent,))
        self.job.start(
            tr("Exporting the result"),
            lambda ticket: write_card(
                opened.report, folder, CARD_FORMATS, pages=places, progress=ticket
            ),
            done,
            self.shell.show_error,
        )
