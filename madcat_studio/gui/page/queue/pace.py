"""Pages an hour, by person and by kind of page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.rows import Index, RowModel
from madcat_studio.gui.translation import mark, tr, tr_count, tr_figure, tr_number
from madcat_studio.operations.pages.pace import FolderPace
from madcat_studio.pages.pace import Pace

__all__ = ["PaceDialog", "PaceModel"]

_TASKS = {"work": mark("work"), "check": mark("second check")}


class PaceModel(RowModel):
    """One person, or one kind of page, and task a row."""

    COLUMNS = (
        mark("Who or what"),
        mark("Task"),
        mark("Pages"),
        mark("Hours"),
        mark("Pages an hour"),
        mark("Minutes a page"),
        mark("Left out"),
    )

    def __init__(self, rows: Sequence[Pace], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = rows

    def count(self) -> int:
        return len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _cells(self._rows[index.row()])[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() > 1:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None


def _cells(pace: Pace) -> tuple[str, ...]:
    return (
        pace.name,
        tr(_TASKS[pace.task]),
        tr_number(pace.pages),
        tr_figure(f"{pace.hours:.1f}"),
        "–" if pace.per_hour is None else tr_figure(f"{pace.per_hour:.1f}"),
        "–" if pace.median_minutes is None else tr_figure(f"{pace.median_minutes:.0f}"),
        tr_number(pace.left_out) if pace.left_out else "",
    )


class PaceDialog(QDialog):
    """Two tables, and what they count.

    Attributes:
        people, kinds: the tables.
    """

    def __init__(self, pace: FolderPace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Pages an hour"))
        self.resize(680, 460)
        column = QVBoxLayout(self)
        told = QLabel(tr("From claiming a page to finishing it. The minutes are the median."))
        told.setWordWrap(True)
        column.addWidget(told)
        hours = tr_count(
            "Pages held for more than {count} hour were probably idle, and are left out.",
            "Pages held for more than {count} hours were probably idle, and are left out.",
            round(pace.longest),
        )
        limit = QLabel(hours)
        limit.setObjectName("quiet")
        column.addWidget(limit)
        self.people = self._table(tr("By person"), pace.by_person, column)
        self.kinds = self._table(tr("By kind of page"), pace.by_kind, column)
        if not pace.done:
            told.setText(tr("No page of this folder has been finished in the queue yet."))
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        column.addWidget(box)

    def _table(self, title: str, rows: Sequence[Pace], column: QVBoxLayout) -> QTableView:
        heading = QLabel(title)
        heading.setObjectName("heading")
        column.addWidget(heading)
        table = QTableView()
        table.setAccessibleName(title)
        table.setModel(PaceModel(rows, self))
        table.setShowGrid(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(28)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        column.addWidget(table, 1)
        return table
