"""A table of plain rows, sorted by a click on a heading and filtered by words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from madcat_studio.gui.coordinator.tablemodel import ReportTableModel, ReportTableProxy
from madcat_studio.reports.tables import Cell, CellKind, Column

__all__ = ["PlainTable", "RowTable"]

_WIDEST = 420


class PlainTable(QTableView):
    """Shows a report's table: one row is chosen at a time."""

    def __init__(self, name: str, rows: ReportTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.rows = rows
        self.proxy = ReportTableProxy(self)
        self.proxy.setSourceModel(rows)
        self.setModel(self.proxy)
        self.setSortingEnabled(True)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(28)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setResizeContentsPrecision(100)  # rows that a column's width is taken from


class RowTable(PlainTable):
    """Shows columns and rows as the report's tables do; keeps order and choice."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, ReportTableModel(), parent)
        self.rows.setParent(self)
        self._keys: list[str] = []
        self._fitted: list[str] = []
        header = self.horizontalHeader()
        header.setStretchLastSection(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def show_rows(self, columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]]) -> None:
        """Show other rows, in their own order until a heading is clicked."""
        chosen = self.current_row()
        keys = [column.key for column in columns]
        self.rows.show_table(columns, rows)
        if keys != self._keys:
            self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
            self.proxy.sort(-1)
        # An empty table has room for its headings; the first rows make room for themselves.
        if keys != (self._fitted if rows else self._keys):
            self._fitted = keys if rows else []
            self._fit(columns)
        self._keys = keys
        if chosen is not None and chosen < len(rows):
            self.choose(chosen)

    def current_row(self) -> int | None:
        """The number of the chosen row among those that were given; None without a choice."""
        index = self.proxy.mapToSource(self.currentIndex())
        return index.row() if index.isValid() else None

    def choose(self, row: int) -> None:
        """Choose a row by its number among those that were given."""
        self.setCurrentIndex(self.proxy.mapFromSource(self.rows.index(row, 0)))

    def _fit(self, columns: Sequence[Column]) -> None:
        self.resizeColumnsToContents()
        for number, column in enumerate(columns):
            width = self.columnWidth(number) + (18 if column.kind is CellKind.TEXT else 10)
            self.setColumnWidth(number, min(width, _WIDEST))
