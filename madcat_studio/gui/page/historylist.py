"""The history of the document: every step by its name, the saved one marked; a click goes there."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QBrush, QColor, QFont
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr
from madcat_studio.workspace.page import PageWorkspace

__all__ = ["HistoryList", "HistoryModel"]

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class HistoryModel(QAbstractListModel):
    """Row 0 is the document as it was opened; row n is it after n steps."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace: PageWorkspace | None = None
        self._rows = 0
        self._shown: tuple[int, int | None] = (0, None)
        self._muted = QBrush()

    def set_workspace(self, workspace: PageWorkspace | None) -> None:
        """Show another document's history."""
        self.beginResetModel()
        self._workspace = workspace
        self._rows = 0 if workspace is None else workspace.history.count + 1
        self._shown = (0, None) if workspace is None else (workspace.position, None)
        self.endResetModel()

    def refresh(self) -> None:
        """Show the history as it is now; the cost does not grow with its length."""
        if self._workspace is None:
            return
        rows = self._workspace.history.count + 1
        if rows < self._rows:
            self.beginRemoveRows(_ROOT, rows, self._rows - 1)
            self._rows = rows
            self.endRemoveRows()
        elif rows > self._rows:
            self.beginInsertRows(_ROOT, self._rows, rows - 1)
            self._rows = rows
            self.endInsertRows()
        # Only what looks different: where the document was and is, and what was and is saved.
        now = (self._workspace.position, self._workspace.history.saved)
        (was, was_saved), self._shown = self._shown, now
        self._tell(min(was, now[0]), max(was, now[0]))
        for row in (was_saved, now[1]):
            if row is not None:
                self._tell(row, row)

    def _tell(self, first: int, last: int) -> None:
        last = min(last, self._rows - 1)
        if first <= last:
            self.dataChanged.emit(self.index(first), self.index(last))

    def apply_theme(self, colours: Colours) -> None:
        """Take on the theme's colours."""
        self._muted = QBrush(QColor(colours.muted))
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(self._rows - 1))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else self._rows

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        workspace = self._workspace
        if workspace is None or not index.isValid() or index.row() > workspace.history.count:
            return None
        row = index.row()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            text = tr("As it was opened") if row == 0 else workspace.history.label(row - 1)
            return tr("{step}  (saved)", step=text) if row == workspace.history.saved else text
        if role == Qt.ItemDataRole.ForegroundRole and row > workspace.position:
            return self._muted
        if role == Qt.ItemDataRole.FontRole and row == workspace.history.saved:
            font = QFont()
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.ToolTipRole:
            if row > workspace.position:
                return tr("Undone; click to redo it and everything before it")
            return tr("Click to go back to the state after this step")
        return None


class HistoryList(QTableView):
    """Shows a history; a table, because a list lays out all rows anew at each step.

    Signals:
        wanted: the position that its user wants to go to.
    """

    wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("history")
        self.setAccessibleName(tr("History"))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.horizontalHeader().hide()
        rows = self.verticalHeader()
        rows.hide()
        rows.setDefaultSectionSize(30)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.history = HistoryModel(self)
        self.setModel(self.history)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._quiet = False
        self.selectionModel().currentChanged.connect(self._on_row)

    def follow(self, position: int) -> None:
        """Show the steps as they are now and mark where the document is, without going there."""
        # Rows that go may take the mark with them, which is nobody's wish to go anywhere.
        self._quiet = True
        self.history.refresh()
        index = self.history.index(position)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, flags)
        self._quiet = False
        if self.isVisible():
            self.scrollTo(index)

    def _on_row(self, index: QModelIndex) -> None:
        if not self._quiet and index.isValid():
            self.wanted.emit(index.row())
