"""What lists of things have in common: one row each, under titles that are translated."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from madcat_studio.gui.translation import tr

__all__ = ["ROOT", "Index", "RowModel"]

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


class RowModel(QAbstractTableModel):
    """A flat table. A subclass names its columns and tells how many rows there are."""

    COLUMNS: ClassVar[tuple[str, ...]] = ()
    """Titles, marked for translation."""

    def count(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else self.count()

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.COLUMNS)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return tr(self.COLUMNS[section])
        return None
