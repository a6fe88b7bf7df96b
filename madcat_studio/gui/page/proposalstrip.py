"""A strip above the page with an offer: what would change, to be taken or left."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from madcat_studio.gui.translation import tr

__all__ = ["ProposalStrip"]


class ProposalStrip(QFrame):
    """Signals: ``taken``, ``left``."""

    taken = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 10, 6)
        self.text = QLabel()
        self.text.setWordWrap(True)
        row.addWidget(self.text, 1)
        self.take_button = QPushButton(tr("Take it (Enter)"))
        self.take_button.setAutoDefault(True)
        self.take_button.clicked.connect(self.taken)
        self.leave_button = QPushButton(tr("Leave it (Esc)"))
        self.leave_button.setAutoDefault(True)
        self.leave_button.clicked.connect(self.left)
        row.addWidget(self.take_button)
        row.addWidget(self.leave_button)
        self.hide()

    def say(self, text: str) -> None:
        """Show the offer; Enter takes it, Esc leaves it."""
        self.text.setText(text)
        self.setAccessibleName(text)
        self.show()
        self.take_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.taken.emit()
        else:
            super().keyPressEvent(event)
