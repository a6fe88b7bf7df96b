"""The places where annotators differ, and the versions of the one that is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QIcon, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.actions import Actions
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.page.columns import FittedColumns
from madcat_studio.gui.page.panelhead import PanelHead
from madcat_studio.gui.rows import Index, RowModel
from madcat_studio.gui.translation import mark, tr, tr_count, tr_number
from madcat_studio.pages.adjudication import Level
from madcat_studio.pages.settling import Place, Version

__all__ = ["PlaceModel", "SettlePanel", "described"]

_WHAT = {Level.WORD: mark("Word"), Level.LINE: mark("Line")}


def _votes(place: Place) -> str:
    """How many have each version: ``3 : 1``."""
    return " : ".join(tr_number(len(version.annotators)) for version in place.versions)


def described(version: Version, names: Sequence[str], count: int) -> str:
    """What the window says of a version."""
    who = ", ".join(names[number] for number in version.annotators)
    told = tr(
        "{who} ({votes} of {count})",
        who=who,
        votes=tr_number(len(version.annotators)),
        count=tr_number(count),
    )
    if not version.polygons:
        return tr("{told}: nothing here", told=told)
    if len(version.polygons) > 1:
        return tr_count(
            "{told}: {count} outline", "{told}: {count} outlines", len(version.polygons), told=told
        )
    return told


class PlaceModel(RowModel):
    """One place a row."""

    COLUMNS = (mark("What"), mark("Words"), mark("Votes"))

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[tuple[Place, str]] = ()
        self._arabic = QFont()

    def apply_theme(self, arabic: QFont) -> None:
        """Take on the font for Arabic."""
        self._arabic = arabic

    def set_rows(self, rows: Sequence[tuple[Place, str]]) -> None:
        """Show places, each with the text of its words."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def count(self) -> int:
        return len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        place, words = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (tr(_WHAT[place.level]), words, _votes(place))[index.column()]
        if role == Qt.ItemDataRole.FontRole and index.column() == 1:
            return self._arabic
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == 1:
            flags = Qt.AlignmentFlag
            return flags.AlignRight | flags.AlignVCenter | flags.AlignAbsolute
        return None


class SettlePanel(QWidget):
    """Tells which place, and which version of it, the user wants.

    Signals:
        chosen: the row of a place.
        marked: the row of a version.
        taken: a version was double clicked, or Enter pressed on it.
    """

    chosen = Signal(int)
    marked = Signal(int)
    taken = Signal()

    def __init__(
        self, commands: Actions, actions: Sequence[Action[Any]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._quiet = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = PanelHead(commands, actions)
        self.names, self.figures = head.name, head.figures
        column.addWidget(head)
        self.versions = QListWidget()
        self.versions.setAccessibleName(tr("Versions of the place"))
        self.versions.setWordWrap(True)
        self.versions.setMaximumHeight(150)
        self.versions.currentRowChanged.connect(self._on_version)
        self.versions.itemActivated.connect(lambda _: self.taken.emit())
        column.addWidget(self.versions)
        self.model = PlaceModel(self)
        self.table = self._build_table()
        column.addWidget(self.table, 1)

    def _build_table(self) -> QTableView:
        table = QTableView()
        table.setAccessibleName(tr("Places where annotators differ"))
        table.setModel(self.model)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(32)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        FittedColumns(table, 1, least=60, widths={0: 56, 2: 66})
        table.selectionModel().currentRowChanged.connect(self._on_row)
        table.clicked.connect(self._on_row)
        return table

    def show_places(self, rows: Sequence[tuple[Place, str]], row: int) -> None:
        """Show places with one of them marked, telling nobody; -1 marks none."""
        self._quiet = True
        self.model.set_rows(rows)
        there = 0 <= row < len(rows)
        self.table.setCurrentIndex(self.model.index(row, 0) if there else QModelIndex())
        self._quiet = False

    def show_versions(self, texts: Sequence[str], colours: Sequence[QColor], row: int) -> None:
        """Show the versions of a place with one of them marked, telling nobody."""
        self._quiet = True
        self.versions.clear()
        for number, (text, colour) in enumerate(zip(texts, colours, strict=True), 1):
            sample = QPixmap(12, 12)
            sample.fill(colour)
            self.versions.addItem(QListWidgetItem(QIcon(sample), f"{tr_number(number)}   {text}"))
        self.versions.setCurrentRow(row)
        self._quiet = False

    def mark(self, row: int) -> None:
        """Go to a place, as a click does."""
        self.table.setCurrentIndex(self.model.index(row, 0))

    def _on_row(self, index: QModelIndex) -> None:
        if not self._quiet and index.isValid():
            self.chosen.emit(index.row())

    def _on_version(self, row: int) -> None:
        if not self._quiet and row >= 0:
            self.marked.emit(row)
