"""One table of a report as an item model: shown as in the report, sorted by its values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QFont

from madcat_studio.gui.translation import mark, tr, tr_figure, tr_report, tr_word
from madcat_studio.reports.tables import Cell, CellKind, Column

__all__ = ["FIGURES", "ReportTableModel", "ReportTableProxy", "shown_cell"]

Index = QModelIndex | QPersistentModelIndex
FIGURES = (CellKind.COUNT, CellKind.NUMBER, CellKind.RATE)
"""Kinds of cells that are numbers."""

_ROOT = QModelIndex()

_WORDS = frozenset({
    "bucket", "by", "exposure", "factor", "implement", "interval_note", "measure", "note",
    "outcome", "pass", "reason", "scribe_errors", "set", "speed", "stage", "surface",
})  # fmt: skip
"""Columns whose cells are the program's own words, not names from the campaign."""

_AMONG_NAMES = frozenset({mark("all pairs")})
"""Words that stand in a column of names."""

_NAMED = (
    mark("ink"), mark("pencil"), mark("lined paper"), mark("unlined paper"), mark("careful"),
    mark("normal"), mark("fast"), mark("not known"), mark("exposed"), mark("unexposed"),
    mark("with"), mark("without"), mark("first"), mark("final"), mark("kind of edit"),
    mark("length of the reference"), mark("frequency of the word"), mark("edits per word"),
    mark("words right"), mark("insertions"), mark("deletions"), mark("substitutions"),
    mark("shifts"), mark("fewer than two source documents in common"),
    mark("words of the chosen final text"), mark("words of the reference"),
    mark("end to end"), mark("oracle layout"), mark("to match"),
)  # fmt: skip
"""What rooms that know no window write into such cells, besides whole sentences."""


def shown_cell(column: Column, cell: Cell) -> str:
    """A cell as people read it, in the window's language."""
    if column.kind is CellKind.FLAG:
        return tr("yes") if cell else ""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return tr_word(cell) if column.key in _WORDS or cell in _AMONG_NAMES else cell
    return column.kind.shown(cell)


class ReportTableModel(QAbstractTableModel):
    """Rows and columns of one table."""

    VALUE = Qt.ItemDataRole.UserRole + 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: Sequence[Column] = ()
        self._rows: Sequence[tuple[Cell, ...]] = ()
        self._lines: list[str] = []
        self._ranks: dict[int, list[int]] = {}

    def show_table(self, columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]]) -> None:
        """Show another table."""
        self.beginResetModel()
        self._columns, self._rows = columns, rows
        self._lines, self._ranks = [], {}
        self.endResetModel()

    def shown(self, row: int, column: int) -> str:
        """A cell as it is shown."""
        return shown_cell(self._columns[column], self._rows[row][column])

    def line(self, row: int) -> str:
        """A row as it is shown, without capitals. Made once: a filter asks at every key."""
        if not self._lines:
            columns = range(len(self._columns))
            self._lines = [
                " ".join(self.shown(one, column) for column in columns).casefold()
                for one in range(len(self._rows))
            ]
        return self._lines[row]

    def ranks(self, column: int) -> list[int]:
        """The place of each row's value among the column's values. Equal ones share it."""
        if column not in self._ranks:
            keys = [_order(row[column]) for row in self._rows]
            place = {key: number for number, key in enumerate(sorted(set(keys)))}
            self._ranks[column] = [place[key] for key in keys]
        return self._ranks[column]

    def value(self, row: int, key: str) -> Cell:
        """A cell, by the column's key; None where the table has no such column."""
        for number, column in enumerate(self._columns):
            if column.key == key:
                return self._rows[row][number]
        return None

    def is_link(self, index: Index) -> bool:
        """Whether a click on the cell opens something: the name of a segment."""
        return index.isValid() and self._columns[index.column()].key == "segment"

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        cell = self._rows[index.row()][index.column()]
        kind = self._columns[index.column()].kind
        if role == Qt.ItemDataRole.DisplayRole:
            shown = self.shown(index.row(), index.column())
            return tr_figure(shown) if kind in FIGURES else shown
        if role == Qt.ItemDataRole.ToolTipRole and kind is CellKind.TEXT:
            return self.shown(index.row(), index.column()) or None
        if role == self.VALUE:
            return cell
        if role == Qt.ItemDataRole.FontRole and self.is_link(index):
            font = QFont()
            font.setUnderline(True)
            return font
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft
            if kind in FIGURES:
                side = Qt.AlignmentFlag.AlignRight
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return section + 1 if role == Qt.ItemDataRole.DisplayRole else None
        if not 0 <= section < len(self._columns):
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return tr_report(column.title)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr_report(column.note) if column.note else None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.data(self.index(0, section), role) if self._rows else None
        return None


class ReportTableProxy(QSortFilterProxyModel):
    """Sorts by values and filters by what is shown in any column."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: tuple[str, ...] = ()

    def filter_by(self, text: str) -> None:
        """Show only the rows in which every word of ``text`` occurs somewhere."""
        self.beginFilterChange()
        self._words = tuple(text.casefold().split())
        self.endFilterChange()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        if not self._words:
            return True
        source = self.sourceModel()
        assert isinstance(source, ReportTableModel)
        line = source.line(row)
        return all(word in line for word in self._words)

    def lessThan(self, left: Index, right: Index) -> bool:
        source = self.sourceModel()
        assert isinstance(source, ReportTableModel)
        ranks = source.ranks(left.column())
        return ranks[left.row()] < ranks[right.row()]


def _order(cell: Cell) -> tuple[int, float, str]:
    """Numbers before texts ("n/a"), nothing first."""
    if cell is None:
        return 0, 0.0, ""
    if isinstance(cell, str):
        return 2, 0.0, cell.casefold()
    return 1, float(cell), ""
