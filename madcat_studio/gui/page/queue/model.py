"""The queue as rows; those of one state, or one's own, where that is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from madcat_studio.gui.rows import Index, RowModel
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import mark, tr
from madcat_studio.model.pagework import PageWork, WorkState

__all__ = ["STATES", "QueueModel", "dot", "person_of"]


STATES: dict[WorkState, str] = {
    WorkState.OPEN: mark("open"),
    WorkState.IN_WORK: mark("in work"),
    WorkState.DONE: mark("done"),
    WorkState.IN_CHECK: mark("in check"),
    WorkState.CHECKED: mark("checked"),
    WorkState.RELEASED: mark("released"),
}
"""What the window calls them."""


def person_of(work: PageWork) -> str:
    """Who has a page, else who had it last."""
    return work.holder or work.checker or work.worker


def dot(state: WorkState, colours: Colours, ratio: float) -> QPixmap:
    """A mark for a state: empty, half and full circles, told apart without their colours."""
    side = 12
    picture = QPixmap(round(side * ratio), round(side * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    held = state in (WorkState.IN_WORK, WorkState.IN_CHECK)
    colour = QColor(
        colours.warning if held else colours.muted if state is WorkState.OPEN else colours.accent
    )
    painter.setPen(colour)
    if state is WorkState.RELEASED:
        painter.setBrush(colour)
        painter.drawRect(2, 2, 8, 8)
    else:
        full = state in (WorkState.CHECKED, WorkState.DONE)
        painter.setBrush(colour if full else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(2, 2, 8, 8)
        painter.setBrush(colour)
        if held:
            painter.drawPie(2, 2, 8, 8, 90 * 16, 180 * 16)
        if state is WorkState.CHECKED:
            painter.setBrush(QColor(colours.panel))
            painter.drawEllipse(4, 4, 4, 4)
    painter.end()
    return picture


class QueueModel(RowModel):
    """One page a row."""

    COLUMNS = (mark("Page"), mark("State"), mark("Who"), mark("Note"))

    WORK = Qt.ItemDataRole.UserRole + 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: Sequence[PageWork] = ()
        self._rows: list[PageWork] = []
        self._wanted: WorkState | str | None = None
        self._dots: dict[WorkState, QPixmap] = {}

    def apply_theme(self, colours: Colours, ratio: float) -> None:
        """Take on colours."""
        self._dots = {state: dot(state, colours, ratio) for state in WorkState}

    def set_queue(self, works: Sequence[PageWork]) -> None:
        """Show a queue; nothing happens where it is the same."""
        if list(works) != list(self._all):
            self._all = works
            self._filter()

    def want(self, wanted: WorkState | str | None) -> None:
        """Show only pages of one state, or of one person; None for all."""
        if wanted != self._wanted:
            self._wanted = wanted
            self._filter()

    def _filter(self) -> None:
        self.beginResetModel()
        wanted = self._wanted
        self._rows = [
            work
            for work in self._all
            if wanted is None
            or work.state is wanted
            or (not isinstance(wanted, WorkState) and wanted in (work.holder, work.worker))
        ]
        self.endResetModel()

    def work(self, row: int) -> PageWork:
        """The page of a row."""
        return self._rows[row]

    def row_of(self, page: str) -> int:
        """The row of a page, -1 where it is not shown."""
        return next((n for n, work in enumerate(self._rows) if work.page == page), -1)

    def counts(self) -> dict[WorkState, int]:
        """How many pages there are in each state, shown or not."""
        return {state: sum(work.state is state for work in self._all) for state in WorkState}

    def count(self) -> int:
        return len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        work = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            note = work.note.replace("\n", " ")
            return (work.page, tr(STATES[work.state]), person_of(work), note)[index.column()]
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 1:
            return self._dots.get(work.state)
        if role == Qt.ItemDataRole.ToolTipRole:
            return work.note if index.column() == 3 else work.page
        if role == self.WORK:
            return work
        return None
