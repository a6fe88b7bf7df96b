"""What is to be seen to in a kit, as a list that stays beside the text while it is worked off."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.translation import tr, tr_count, tr_number, tr_report
from madcat_studio.workspace.findings import Findings
from madcat_studio.workspace.kit_values import KitProblem

__all__ = ["FindingsPanel"]

_HEIGHT, _LOW_HEIGHT = 190, 132


class FindingsPanel(QFrame):
    """The list below the text. It changes nothing itself.

    Signals:
        chosen: the finding to go to.
        ignore_wanted: the finding that is set aside, and why.
        hand_over_wanted: the kit is to be handed over with what is left.
        closed: the list was closed; the keyboard goes back to the text.
    """

    chosen = Signal(object)
    ignore_wanted = Signal(object, str)
    hand_over_wanted = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolbar")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 12, 8)
        column.setSpacing(6)
        row = QHBoxLayout()
        self.head = QLabel()
        self.head.setWordWrap(True)
        row.addWidget(self.head, 1)
        self.next = self._button(tr("Next"), tr("Go to the next one"), lambda: self.go_on())
        self._ignore = self._button(
            tr("Ignore…"),
            tr("Set it aside with a reason, which is kept in the segment's note (Delete)"),
            self.ignore,
        )
        self.over = self._button(
            tr("Hand over anyway"), tr("With what is left"), self.hand_over_wanted.emit
        )
        close = self._button(tr("Close"), tr("Close the list (Esc)"), self.close_panel)
        for button in (self.next, self._ignore, self.over, close):
            row.addWidget(button)
        column.addLayout(row)
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(tr("What is to do"))
        self.list.itemActivated.connect(lambda _: self._go())
        self.list.itemClicked.connect(lambda _: self._go())
        column.addWidget(self.list, 1)
        self.setFixedHeight(_HEIGHT)
        self.hide()

    def _button(self, title: str, tip: str, act: object) -> QPushButton:
        button = QPushButton(title)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(act)
        return button

    def be_low(self, low: bool) -> None:
        """Be as high as there is room for in a low window, or as usual."""
        self.setFixedHeight(_LOW_HEIGHT if low else _HEIGHT)

    def show_findings(self, kit: str, found: Findings) -> None:
        """Show what there is now; who was at one stays there, or at the one that took its place."""
        before = self.current()
        row = max(self.list.currentRow(), 0)
        self.list.clear()
        for problem in found.all:
            item = QListWidgetItem(
                tr(
                    "Segment {number}: {what}",
                    number=tr_number(problem.index + 1),
                    what=tr_report(problem.what),
                )
            )
            item.setData(Qt.ItemDataRole.UserRole, problem)
            self.list.addItem(item)
        same = next((at for at, one in enumerate(found.all) if _alike(one, before)), row)
        self.list.setCurrentRow(min(same, self.list.count() - 1))
        self.head.setText(self._said(kit, found))
        self.over.setVisible(not found.problems)
        self.over.setText(tr("Hand over anyway") if found.advice else tr("Hand over"))
        for button in (self.next, self._ignore):
            button.setEnabled(bool(found.all))

    def _said(self, kit: str, found: Findings) -> str:
        said = tr("Kit {kit} is ready.", kit=kit)
        if found.problems:
            said = tr_count(
                "{count} thing to see to before kit {kit} can be handed over.",
                "{count} things to see to before kit {kit} can be handed over.",
                len(found.problems),
                kit=kit,
            )
        if found.advice:
            said += " " + tr_count(
                "{count} is worth a look, and may well be right.",
                "{count} are worth a look, and may well be right.",
                len(found.advice),
            )
        if found.ignored:
            said += " " + tr_count("{count} is ignored.", "{count} are ignored.", found.ignored)
        return said

    def current(self) -> KitProblem | None:
        """The finding that is marked in the list."""
        item = self.list.currentItem()
        problem = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        return problem if isinstance(problem, KitProblem) else None

    def _go(self) -> None:
        problem = self.current()
        if problem is not None:
            self.chosen.emit(problem)

    def go_to_first_from(self, index: int) -> None:
        """Go to the first finding of a segment or a later one, else to the very first."""
        rows = range(self.list.count())
        found = (row for row in rows if self._index(row) >= index)
        self.list.setCurrentRow(next(found, 0))
        self._go()

    def _index(self, row: int) -> int:
        problem = self.list.item(row).data(Qt.ItemDataRole.UserRole)
        return problem.index if isinstance(problem, KitProblem) else -1

    def go_on(self, step: int = 1) -> None:
        """Go to the next finding, or to the one before; after the last comes the first."""
        count = self.list.count()
        if count:
            self.list.setCurrentRow((self.list.currentRow() + step) % count)
            self._go()

    def ignore(self) -> None:
        """Ask why, and set the finding aside; what hinders cannot be."""
        problem = self.current()
        if problem is None:
            return
        if not problem.code.startswith("advice."):
            self.head.setText(tr("This prevents handing over and cannot be ignored."))
            return
        reason, given = QInputDialog.getText(
            self,
            tr("Ignore"),
            tr("Why is it right as it is? Your reason is kept in the segment's note."),
        )
        if given and reason.strip():
            self.ignore_wanted.emit(problem, reason)

    def close_panel(self) -> None:
        """Hide the list."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_panel()
        elif event.key() == Qt.Key.Key_Delete:
            self.ignore()
        else:
            super().keyPressEvent(event)


def _alike(one: KitProblem, other: KitProblem | None) -> bool:
    return other is not None and (one.index, one.what) == (other.index, other.what)
