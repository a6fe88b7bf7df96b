"""The systems of a new campaign: a folder of outputs each, and the name it goes by."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.pathfields import PathRow, dropped_paths, make_button
from madcat_studio.gui.translation import tr
from madcat_studio.operations.corpus.from_folders import sort_out

__all__ = ["SystemsList"]


class SystemsList(QWidget):
    """Folders are typed (Enter adds), chosen or dropped; names can be written over (F2)."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        row = QHBoxLayout()
        self.folder = PathRow(
            tr("Folder of a system's outputs"),
            file=False,
            folder=True,
            hint=tr("a folder with *.linesys.madcat.xml files; Enter adds it"),
        )
        self.folder.field.installEventFilter(self)
        self.folder.chosen.connect(self._add_typed)
        row.addWidget(self.folder, 1)
        row.addWidget(make_button(tr("A&dd"), self._add_typed))
        remove = make_button(tr("Re&move"), self.remove)
        remove.setToolTip(tr("Take the chosen system out (Delete)"))
        row.addWidget(remove)
        layout.addLayout(row)
        self.table = QTableWidget(0, 2)
        self.table.setAccessibleName(tr("Systems"))
        self.table.setHorizontalHeaderLabels([tr("Name"), tr("Folder")])
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(30)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.resizeSection(0, 170)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.setMinimumHeight(96)
        self.table.itemChanged.connect(lambda _: self.changed.emit())
        self.table.installEventFilter(self)
        layout.addWidget(self.table, 1)

    def systems(self) -> tuple[tuple[str, Path], ...]:
        """Name and folder of each system, as they stand."""
        return tuple(
            (self._text(row, 0).strip(), Path(self._text(row, 1)).expanduser())
            for row in range(self.table.rowCount())
        )

    def add(self, systems: Iterable[tuple[str, Path]]) -> None:
        """Add systems whose folders are not there yet."""
        there = {folder for _, folder in self.systems()}
        for name, folder in systems:
            if folder not in there:
                there.add(folder)
                row = self.table.rowCount()
                self.table.insertRow(row)
                self.table.setItem(row, 0, QTableWidgetItem(name))
                place = QTableWidgetItem(str(folder))
                place.setFlags(place.flags() & ~Qt.ItemFlag.ItemIsEditable)
                place.setToolTip(str(folder))
                self.table.setItem(row, 1, place)
        self.changed.emit()

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return "" if item is None else item.text()

    def _add_typed(self) -> None:
        path = self.folder.path()
        if path is None:
            return
        # A folder without outputs is added too: that there are none is told with the findings.
        found = sort_out([path]).outputs if path.is_dir() else []
        self.add(found or [(path.name, path)])
        self.folder.show_path(None)

    def remove(self) -> None:
        """Take the chosen systems out."""
        rows = sorted({index.row() for index in self.table.selectedIndexes()}, reverse=True)
        for row in rows:
            self.table.removeRow(row)
        self.changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if watched is self.folder.field and enter and self.folder.path() is not None:
                self._add_typed()
                return True  # the dialog's own button is not pressed by this Enter
            if watched is self.table and event.key() == Qt.Key.Key_Delete:
                self.remove()
                return True
        return super().eventFilter(watched, event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        for path in map(Path, dropped_paths(event)):
            self.add(sort_out([path]).outputs or [(path.name, path)])
