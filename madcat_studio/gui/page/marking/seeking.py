"""What is shown while the writing of a page is sought: how far it is, and a way to stop."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from madcat_studio.gui.translation import tr

__all__ = ["Seeking"]


class Seeking(QWidget):
    """Signal ``stopped``: the user does not want to wait."""

    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.text = QLabel()
        self.text.setObjectName("quiet")
        row.addWidget(self.text)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        row.addWidget(self.bar, 1)
        self.stop = QPushButton(tr("Stop"))
        self.stop.setObjectName("chip")
        self.stop.setToolTip(tr("Esc: continue with what was found so far"))
        self.stop.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.stop.clicked.connect(self.stopped)
        row.addWidget(self.stop)
        self.hide()

    def begin(self, what: str) -> None:
        """A search begins."""
        self.text.setText(what)
        self.bar.setAccessibleName(what)
        self.bar.setRange(0, 0)
        self.show()

    def advance(self, done: int, total: int, _: str = "") -> None:
        """So much of it is done."""
        self.bar.setRange(0, max(total, 0))
        self.bar.setValue(done)
