"""The list of differences beside the page, and the two answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.actions import Actions
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.page.columns import FittedColumns
from madcat_studio.gui.page.comparing.model import DifferenceModel
from madcat_studio.gui.page.panelhead import PanelHead
from madcat_studio.gui.translation import tr
from madcat_studio.pages.adjudication import Difference

__all__ = ["ComparePanel"]


class ComparePanel(QWidget):
    """Tells which difference the user wants to see. ``chosen``: its row."""

    chosen = Signal(int)

    def __init__(
        self, commands: Actions, actions: Sequence[Action[Any]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._quiet = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = PanelHead(commands, actions)
        self.name, self.figures = head.name, head.figures
        column.addWidget(head)
        self.model = DifferenceModel(self)
        self.table = self._build_table()
        column.addWidget(self.table, 1)

    def _build_table(self) -> QTableView:
        table = QTableView()
        table.setAccessibleName(tr("Differences"))
        table.setModel(self.model)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(34)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        FittedColumns(table, 1, least=56, widths={0: 148, 2: 62})
        table.selectionModel().currentRowChanged.connect(self._on_row)
        table.clicked.connect(self._on_row)
        return table

    def show_rows(self, rows: Sequence[tuple[Difference, str]], row: int) -> None:
        """Show differences with one of them marked, telling nobody; -1 marks none."""
        self._quiet = True
        self.model.set_rows(rows)
        there = 0 <= row < len(rows)
        self.table.setCurrentIndex(self.model.index(row, 0) if there else QModelIndex())
        self._quiet = False

    def mark(self, row: int) -> None:
        """Go to a row, as a click does."""
        self.table.setCurrentIndex(self.model.index(row, 0))

    def row(self) -> int:
        """Which row is marked, -1 for none."""
        return self.table.currentIndex().row()

    def _on_row(self, index: QModelIndex) -> None:
        if not self._quiet and index.isValid():
            self.chosen.emit(index.row())
