"""A scorecard's table as an item model: with the digits that each metric has in its document."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex

from madcat_studio.gui.coordinator.tablemodel import ReportTableModel
from madcat_studio.operations.scorecards.showing import shown_cell
from madcat_studio.reports.tables import Cell, CellKind, Column

__all__ = ["PLACES", "CardTableModel"]


PLACES = ("region", "segment", "document")
"""Columns that lead to a page, the narrowest first."""


class CardTableModel(ReportTableModel):
    """Rows and columns of one table of a scorecard."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._digits: Sequence[Column] = ()
        self._cells: Sequence[tuple[Cell, ...]] = ()

    def show_table(self, columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]]) -> None:
        """Show another table."""
        self._digits, self._cells = columns, rows
        super().show_table(columns, rows)

    def is_link(self, index: QModelIndex | QPersistentModelIndex) -> bool:
        """Whether the cell leads to a page: a name of a place in it where the document is known."""
        if not index.isValid():
            return False
        keys = [column.key for column in self._digits]
        narrowest = next((key for key in PLACES if key in keys), None)
        return "document" in keys and keys[index.column()] == narrowest

    def shown(self, row: int, column: int) -> str:
        """A cell as the report has it."""
        if self._digits[column].kind is CellKind.NUMBER:
            return shown_cell(self._cells[row], column, self._digits)
        return super().shown(row, column)
