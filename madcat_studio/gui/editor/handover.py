"""What is still to do before a kit can be handed over; each entry leads to its place."""

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

from madcat_studio.gui.translation import tr, tr_number, tr_report
from madcat_studio.workspace.kit import KitProblem, KitWorkspace

__all__ = ["HandOverDialog"]


class HandOverDialog(QDialog):
    """The list. ``chosen`` is what to go to; accepted without one: hand over."""

    def __init__(
        self,
        workspace: KitWorkspace,
        problems: Sequence[KitProblem],
        advice: Sequence[KitProblem] = (),
        parent: QWidget | None = None,
    ) -> None:
        """Make the list.

        Args:
            workspace: the kit.
            problems: what hinders handing over.
            advice: what is only worth a look.
            parent: as for any widget.
        """
        super().__init__(parent)
        self.chosen: KitProblem | None = None
        self.setWindowTitle(tr("Not ready to hand over") if problems else tr("Hand over"))
        self.resize(680, 440)
        layout = QVBoxLayout(self)
        kit = workspace.claim.kit
        label = QLabel(
            tr("Before kit {kit} can be handed over, see to these:", kit=kit)
            if problems
            else tr("Kit {kit} is ready. These are worth a look, and may well be right:", kit=kit)
        )
        label.setWordWrap(True)
        layout.addWidget(label)
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(tr("What is to do"))
        for problem in (*problems, *advice):
            self._add(problem)
        self.list.setCurrentRow(0)
        self.list.itemActivated.connect(self._go)
        layout.addWidget(self.list, 1)
        buttons = QDialogButtonBox()
        go = buttons.addButton(tr("&Go there"), QDialogButtonBox.ButtonRole.ActionRole)
        go.clicked.connect(lambda: self._go(self.list.currentItem()))
        go.setDefault(True)
        if not problems:
            over = buttons.addButton(
                tr("&Hand over all the same"), QDialogButtonBox.ButtonRole.AcceptRole
            )
            over.setAutoDefault(False)
            buttons.accepted.connect(self.accept)
        close = buttons.addButton(QDialogButtonBox.StandardButton.Close)
        close.setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self.list.setFocus()

    def _add(self, problem: KitProblem) -> None:
        said = tr(
            "Segment {number}: {what}",
            number=tr_number(problem.index + 1),
            what=tr_report(problem.what),
        )
        item = QListWidgetItem(said)
        item.setData(Qt.ItemDataRole.UserRole, problem)
        self.list.addItem(item)

    def _go(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen = item.data(Qt.ItemDataRole.UserRole)
            self.accept()
