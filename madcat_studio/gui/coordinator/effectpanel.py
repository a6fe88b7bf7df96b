"""What a change of the plan would do to every figure, before it is made."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from madcat_studio.errors import StudioError
from madcat_studio.gui.coordinator.changesgrid import ChangesGrid
from madcat_studio.gui.errorwords import tr_error
from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.translation import tr
from madcat_studio.workspace.plan import Preview

__all__ = ["EffectPanel"]


class EffectPanel(QFrame):
    """Shows a change that is not made yet.

    Signals:
        wanted: make the change.
        unwanted: leave it.
    """

    wanted = Signal()
    unwanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setAccessibleName(tr("Effect of the change"))
        self.preview: Preview | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(8)
        self.title = QLabel()
        self.title.setWordWrap(True)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        layout.addWidget(self.title)
        self.refusal = QLabel()
        self.refusal.setObjectName("caution")
        self.refusal.setWordWrap(True)
        layout.addWidget(self.refusal)
        self._grid = ChangesGrid()
        layout.addWidget(self._grid)
        row = QHBoxLayout()
        row.addStretch(1)
        self.leave = make_button(tr("Leave it"), self.unwanted.emit)
        self.leave.setToolTip(tr("Esc"))
        self.make = make_button(tr("Make the change"), self.wanted.emit)
        self.make.setToolTip(tr("Enter"))
        self.make.setObjectName("primary")
        row.addWidget(self.leave)
        row.addWidget(self.make)
        layout.addLayout(row)
        self.hide()

    def show_preview(self, preview: Preview, *, held: bool = False) -> None:
        """Show a change and what it does; ``held``: it is still being dragged."""
        self.preview = preview
        self.title.setText(preview.label)
        self.refusal.hide()
        self._grid.fill(preview.changes, tr("No figure changes."))
        self.leave.setVisible(not held)
        self.make.setVisible(not held)
        self.show()
        if not held:
            self.make.setFocus()

    def show_refusal(self, label: str, error: StudioError, *, held: bool = False) -> None:
        """Show why a change cannot be made."""
        self.preview = None
        self.title.setText(label)
        self.refusal.setText(tr_error(error).sentences)
        self.refusal.show()
        self._grid.fill(())
        self.make.hide()
        self.leave.setVisible(not held)
        self.show()
        if not held:
            self.leave.setFocus()

    def clear(self) -> None:
        """Show nothing."""
        self.preview = None
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.unwanted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.preview is not None:
            (self.unwanted if self.leave.hasFocus() else self.wanted).emit()
        else:
            super().keyPressEvent(event)
