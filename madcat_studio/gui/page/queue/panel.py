"""The queue beside the page: the shown page's state with what can be done, and all pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.actions import Actions
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.page.columns import FittedColumns
from madcat_studio.gui.page.queue.model import STATES, QueueModel
from madcat_studio.gui.translation import tr, tr_number
from madcat_studio.gui.wrapping import WrappingRow
from madcat_studio.model.characters import is_right_to_left
from madcat_studio.model.pagework import PageWork, WorkState

__all__ = ["QueuePanel"]


class QueuePanel(QWidget):
    """Tells what the user wants and does nothing itself.

    Signals:
        wanted: the page (name) that is to be opened.
        noted: the text of a note.
    """

    wanted = Signal(str)
    noted = Signal(str)

    def __init__(
        self, commands: Actions, actions: Sequence[Action[Any]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._work: PageWork | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._build_head(commands, actions))
        column.addLayout(self._build_filter())
        column.addWidget(self._build_table(), 1)

    def _build_head(self, commands: Actions, actions: Sequence[Action[Any]]) -> QWidget:
        head = QFrame()
        head.setObjectName("queuehead")
        column = QVBoxLayout(head)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(6)
        self.state = QLabel()
        self.state.setWordWrap(True)
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        column.addWidget(self.state)
        row = WrappingRow()
        self.buttons: list[QToolButton] = []
        for action in actions:
            button = QToolButton()
            button.setObjectName("chip")
            button.setDefaultAction(commands[action])
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.buttons.append(button)
            row.addWidget(button)
        column.addLayout(row)
        self.note = QPlainTextEdit()
        self.note.setPlaceholderText(tr("A note on this page, for everybody"))
        self.note.setAccessibleName(tr("Note on the page"))
        self.note.setTabChangesFocus(True)
        self.note.textChanged.connect(self._align_note)
        self.note.setFixedHeight(58)
        self.note.installEventFilter(self)
        column.addWidget(self.note)
        return head

    def _build_filter(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(12, 4, 12, 6)
        row.setSpacing(10)
        self.filter = QComboBox()
        self.filter.setAccessibleName(tr("Which pages are listed"))
        # Qt would make plain texts of states.
        self._wanted: list[WorkState | str | None] = [None, "", *STATES]
        names = [tr("All pages"), tr("Mine"), *(tr(name).capitalize() for name in STATES.values())]
        self.filter.addItems(names)
        self.filter.currentIndexChanged.connect(lambda row: self.model.want(self._wanted[row]))
        self.counts = QLabel()
        self.counts.setObjectName("quiet")
        row.addWidget(self.filter)
        row.addWidget(self.counts, 1)
        return row

    def _build_table(self) -> QTableView:
        self.model = QueueModel(self)
        table = self.table = QTableView()
        table.setAccessibleName(tr("Pages of the queue"))
        table.setModel(self.model)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTextElideMode(Qt.TextElideMode.ElideLeft)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(30)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        FittedColumns(table, 0, least=100, widths={1: 100, 2: 70, 3: 78})
        table.activated.connect(self._on_row)
        return table

    def show_work(self, work: PageWork | None, told: str) -> None:
        """Show the page that is open; ``told`` says how far it is and who has it."""
        self._work = work
        self.state.setText(told)
        self.setEnabled(work is not None)
        note = work.note if work is not None else ""
        if not self.note.hasFocus() and note != self.note.toPlainText():
            self.note.setPlainText(note)
        for button in self.buttons:
            button.setVisible(button.defaultAction().isEnabled())

    def _align_note(self) -> None:
        """A note is Arabic or English: it stands where its first letter asks for."""
        right = is_right_to_left(self.note.toPlainText())
        option = QTextOption()
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        option.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
        directions = Qt.LayoutDirection
        option.setTextDirection(directions.RightToLeft if right else directions.LeftToRight)
        self.note.document().setDefaultTextOption(option)

    def show_person(self, person: str) -> None:
        """Whose pages are “mine”."""
        self._wanted[1] = person

    def show_counts(self) -> None:
        """Tell how many pages are in which state."""
        counts = self.model.counts()
        parts = [
            f"{tr_number(count)} {tr(STATES[state])}" for state, count in counts.items() if count
        ]
        self.counts.setText(" · ".join(parts))

    def mark(self, page: str) -> None:
        """Mark the row of a page."""
        row = self.model.row_of(page)
        if row >= 0:
            self.table.setCurrentIndex(self.model.index(row, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut and watched is self.note:
            text = self.note.toPlainText().strip()
            if self._work is not None and text != self._work.note:
                self.noted.emit(text)
        return super().eventFilter(watched, event)

    def _on_row(self, index: QModelIndex) -> None:
        if index.isValid():
            self.wanted.emit(self.model.work(index.row()).page)
