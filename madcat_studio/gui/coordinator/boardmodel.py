"""The board as an item model, and how its passes are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr, tr_count, tr_day, tr_number
from madcat_studio.model.campaign import PassState
from madcat_studio.operations.campaign.board import Board, BoardPass, BoardRow

__all__ = ["BoardModel", "PassDelegate", "ago_text"]

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


def ago_text(then: datetime, now: datetime) -> str:
    """How long ago something was."""
    seconds = max((now - then).total_seconds(), 0)
    if seconds < 90:
        return tr("just now")
    if seconds < 5400:
        return tr("{count} min ago", count=tr_number(round(seconds / 60)))
    if seconds < 129_600:
        return tr("{count} h ago", count=tr_number(round(seconds / 3600)))
    return tr_count("{count} day ago", "{count} days ago", round(seconds / 86_400))


def _names(rows: Sequence[BoardRow]) -> list[tuple[str, str]]:
    return [(row.kit, row.team) for row in rows]


class BoardModel(QAbstractTableModel):
    """Kit, team, words, first pass, review."""

    PASS = Qt.ItemDataRole.UserRole + 1
    FIRST_PASS, REVIEW = 3, 4

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[BoardRow, ...] = ()
        self._now: datetime | None = None
        self._tracks = False  # whether kits are of several

    def show_board(self, board: Board) -> None:
        """Show another board; rows that are the same people's stay where they are."""
        before = len(self._rows)
        self._tracks = len(board.tracks) > 1
        if before and _names(board.rows[:before]) == _names(self._rows):
            self._rows, self._now = board.rows[:before], board.at
            self.dataChanged.emit(self.index(0, 0), self.index(before - 1, self.columnCount() - 1))
            if len(board.rows) > before:
                self.beginInsertRows(_ROOT, before, len(board.rows) - 1)
                self._rows = board.rows
                self.endInsertRows()
            return
        self.beginResetModel()
        self._rows, self._now = board.rows, board.at
        self.endResetModel()

    def pass_at(self, index: Index) -> BoardPass | None:
        """The pass of a cell."""
        found = index.data(self.PASS) if index.isValid() else None
        return found if isinstance(found, BoardPass) else None

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else 5

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole and 0 <= section < 5:
            return (tr("Kit"), tr("Team"), tr("Words"), tr("First pass"), tr("Review"))[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section == 2 else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        shown = row.first if column == self.FIRST_PASS else None
        shown = row.review if column == self.REVIEW else shown
        if role == self.PASS:
            return shown
        if role == Qt.ItemDataRole.TextAlignmentRole and column == 2:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.DisplayRole:
            if shown is not None:
                return self._said(shown)
            before = index.row() and self._rows[index.row() - 1].kit == row.kit
            kit = self._kit(row)
            return ("" if before else kit, row.team, tr_number(row.words))[column]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            what = tr_count("{count} word", "{count} words", row.words)
            if shown is not None:
                which = tr("first pass") if column == self.FIRST_PASS else tr("review")
                what = f"{which}: {self._said(shown)}"
            return f"{self._kit(row)}, {row.team}, {what}"
        if role == Qt.ItemDataRole.ToolTipRole and shown is not None:
            one = shown.progress
            return tr(
                "{confirmed}, {drafts}{machine}",
                confirmed=tr_count(
                    "{done} of {count} segment confirmed",
                    "{done} of {count} segments confirmed",
                    one.segments,
                    done=tr_number(one.confirmed),
                ),
                drafts=tr_count("{count} draft", "{count} drafts", one.drafts),
                machine=tr(", on {name}", name=one.machine) if one.machine else "",
            )
        return None

    def _kit(self, row: BoardRow) -> str:
        if row.practice:
            return tr("{kit} (practice)", kit=row.kit)
        if self._tracks:
            return tr("{kit} · {track}", kit=row.kit, track=row.track or tr("no track"))
        return row.kit

    def _said(self, shown: BoardPass) -> str:
        text = self._state(shown)
        if shown.out is not None and self._now is not None:
            ago = ago_text(shown.out, self._now)
            text = tr("{state} · out as a file, {ago}", state=text, ago=ago)
        if shown.due is None or shown.progress.state is PassState.HANDED_OVER:
            return text
        due = tr_day(shown.due)
        if shown.late:
            return tr("{state} · late, due {day}", state=text, day=due)
        return tr("{state} · due {day}", state=text, day=due)

    def _state(self, shown: BoardPass) -> str:
        one = shown.progress
        who = one.editor or ""
        match one.state:
            case PassState.HANDED_OVER:
                return tr("handed over · {who}", who=who)
            case PassState.CLAIMED:
                last = ago_text(shown.last, self._now) if shown.last and self._now else ""
                return tr_count(
                    "{who} · {done} of {count} word · {last}",
                    "{who} · {done} of {count} words · {last}",
                    one.words,
                    who=who,
                    done=tr_number(one.words_confirmed),
                    last=tr("stalled, last text {last}", last=last) if shown.stalled else last,
                )
            case PassState.OPEN:
                return tr("open · {who}", who=who) if who else tr("open")
            case PassState.WAITING:
                return tr("waits for the first pass")


class PassDelegate(QStyledItemDelegate):
    """Draws a pass: what is to be said, and below it how far it is."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width() + 16, max(size.height(), 38))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        shown = index.data(BoardModel.PASS)
        if not isinstance(shown, BoardPass):
            super().paint(painter, option, index)
            return
        colours, rect = self._theme.colours, option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(colours.soft))
        state = shown.progress.state
        begun = state in (PassState.CLAIMED, PassState.HANDED_OVER)
        # Above the bar where there is one; else on the line of the other columns.
        inner = rect.adjusted(11, 4, -11, -8) if begun else rect.adjusted(11, 0, -11, 0)
        colour = colours.text if begun else colours.muted
        marked = shown.stalled or shown.late
        painter.setPen(QColor(colours.warning if marked else colour))
        text = option.fontMetrics.elidedText(
            index.data() or "", Qt.TextElideMode.ElideRight, inner.width()
        )
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        if begun:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            track = QRectF(inner.left(), rect.bottom() - 7, inner.width(), 3)
            painter.setBrush(QColor(colours.border))
            painter.drawRoundedRect(track, 1.5, 1.5)
            share = shown.progress.words_confirmed / max(shown.progress.words, 1)
            track.setWidth(track.width() * min(share, 1.0))
            painter.setBrush(QColor(colours.warning if marked else colours.accent))
            painter.drawRoundedRect(track, 1.5, 1.5)
        painter.restore()
