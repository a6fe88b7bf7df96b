"""What is still to do before a kit can be handed over; each entry leads to its segment."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.translation import tr
from madcat_studio.workspace.kit import KitProblem, KitWorkspace

__all__ = ["HandOverDialog"]


class HandOverDialog(QDialog):
    """The list. ``chosen`` is the segment to go to, None where the list was only closed."""

    def __init__(
        self, workspace: KitWorkspace, problems: Sequence[KitProblem], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.chosen: int | None = None
        self.setWindowTitle(tr("Not ready to hand over"))
        self.resize(620, 420)
        layout = QVBoxLayout(self)
        label = QLabel(
            tr("Before kit {kit} can be handed over, see to these:", kit=workspace.claim.kit)
        )
        label.setWordWrap(True)
        layout.addWidget(label)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("What is to do"))
        for problem in problems:
            item = QListWidgetItem(
                tr("Segment {number}: {what}", number=problem.index + 1, what=tr(problem.what))
            )
            item.setData(Qt.ItemDataRole.UserRole, problem.index)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.itemActivated.connect(self._go)
        layout.addWidget(self.list, 1)
        buttons = QDialogButtonBox()
        go = buttons.addButton(tr("&Go there"), QDialogButtonBox.ButtonRole.AcceptRole)
        go.setDefault(True)
        buttons.addButton(QDialogButtonBox.StandardButton.Close)
        buttons.accepted.connect(lambda: self._go(self.list.currentItem()))
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self.list.setFocus()

    def _go(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen = int(item.data(Qt.ItemDataRole.UserRole))
            self.accept()
