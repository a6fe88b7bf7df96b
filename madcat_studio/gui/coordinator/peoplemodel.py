"""Who does what in each kit, as an item model: kits, teams, both passes, due dates."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from madcat_studio.gui.translation import mark, tr, tr_day, tr_moment
from madcat_studio.model.campaign import Pass, PassState
from madcat_studio.operations.campaign.board import BoardPass, BoardRow

__all__ = ["PeopleModel", "due_text"]

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_TITLES = (
    mark("Kit"),
    mark("Team"),
    mark("First editor"),
    mark("First pass due"),
    mark("Reviewer"),
    mark("Review due"),
)
_STATES = {
    PassState.WAITING: mark("waits"),
    PassState.OPEN: mark("not begun"),
    PassState.CLAIMED: mark("at work"),
    PassState.HANDED_OVER: mark("handed over"),
}


def due_text(due: datetime | None) -> str:
    """A due date in local time: the day, and the hour where it is not the day's end."""
    if due is None:
        return ""
    local = due.astimezone()
    return tr_day(due) if (local.hour, local.minute) == (23, 59) else tr_moment(due)


class PeopleModel(QAbstractTableModel):
    """A row for each team's part in a kit."""

    FIRST, FIRST_DUE, REVIEWER, REVIEW_DUE = 2, 3, 4, 5

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[BoardRow] = ()

    def show_rows(self, rows: Sequence[BoardRow]) -> None:
        """Show other rows; where they are the same parts, the choice stays."""
        same = [(one.kit, one.team) for one in rows] == [(one.kit, one.team) for one in self._rows]
        if same and rows:
            self._rows = rows
            last = self.index(len(rows) - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def part(self, index: Index) -> BoardRow | None:
        """The part of a row."""
        return self._rows[index.row()] if index.isValid() else None

    def pass_at(self, index: Index) -> BoardPass | None:
        """The pass that a cell belongs to; the first pass for kit and team."""
        row = self.part(index)
        if row is None:
            return None
        return row.review if index.column() in (self.REVIEWER, self.REVIEW_DUE) else row.first

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(_TITLES)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(_TITLES):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(_TITLES[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, shown = self.part(index), self.pass_at(index)
        if row is None or shown is None:
            return None
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            if column == 0:
                before = index.row() and self._rows[index.row() - 1].kit == row.kit
                name = tr("{kit} (practice)", kit=row.kit) if row.practice else row.kit
                return "" if before else name
            if column == 1:
                return row.team
            if column in (self.FIRST, self.REVIEWER):
                who = shown.progress.editor or tr("whoever claims it first")
                return tr("{who} · {state}", who=who, state=tr(_STATES[shown.progress.state]))
            late = tr(" · late") if shown.late else ""
            return due_text(shown.due) + late
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            which = tr("review") if shown.progress.pass_ is Pass.REVIEW else tr("first pass")
            return tr(
                "{kit}, {team}, {which}: {who}, {state}{due}",
                kit=row.kit,
                team=row.team,
                which=which,
                who=shown.progress.editor or tr("whoever claims it first"),
                state=tr(_STATES[shown.progress.state]),
                due=tr(", due {when}", when=due_text(shown.due)) if shown.due else "",
            )
        return None
