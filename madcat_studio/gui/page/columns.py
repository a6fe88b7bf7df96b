"""Tables in a narrow panel: one column takes the rest, those without room are left out."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QHeaderView, QTableView

__all__ = ["FittedColumns"]


class FittedColumns(QObject):
    """Follows the width of a table."""

    def __init__(
        self, table: QTableView, rest: int, *, least: int, widths: Mapping[int, int]
    ) -> None:
        """Begin to follow it.

        Args:
            table: the table; it keeps this.
            rest: the column that takes what the others leave.
            least: what it needs before another column may be shown.
            widths: of the others; those that matter most come first.
        """
        super().__init__(table)
        self._table, self._rest, self._least, self._widths = table, rest, least, widths
        header = table.horizontalHeader()
        header.setMinimumSectionSize(min(least, *widths.values()))
        header.setSectionResizeMode(rest, QHeaderView.ResizeMode.Stretch)
        for column, width in widths.items():
            header.resizeSection(column, width)
        table.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show as many columns as there is room for."""
        if event.type() == QEvent.Type.Resize:
            # With or without a bar for many rows alike: else columns would come and go.
            bar = self._table.verticalScrollBar().sizeHint().width()
            room = self._table.width() - 2 * self._table.frameWidth() - bar - self._least
            for column, width in self._widths.items():
                room -= width
                self._table.setColumnHidden(column, room < 0)
        return super().eventFilter(watched, event)
