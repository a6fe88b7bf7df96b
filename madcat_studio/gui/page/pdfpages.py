"""A PDF was opened: its pages become scans, with a bar and a way to stop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout, QWidget

from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.translation import tr
from madcat_studio.progress import Progress

__all__ = ["PdfPages"]


class PdfPages(QDialog):
    """Makes scans and their document while the window waits; closing it stops the work.

    Attributes:
        page: the document, None until it is made.
        error: why it could not be.
    """

    def __init__(self, name: str, parent: QWidget, make: Callable[[Progress], Path]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("A new page"))
        self.page: Path | None = None
        self.error: BaseException | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 18)
        layout.setSpacing(12)
        note = QLabel(tr("All pages of {name} are saved as scans beside it.", name=name))
        note.setWordWrap(True)
        layout.addWidget(note)
        self.bar = JobBar()
        self.bar.stop.clicked.connect(self.reject)
        layout.addWidget(self.bar)
        self.setMinimumWidth(480)
        self.bar.start(tr("Drawing pages …"), make, self._made, self._failed)

    def _made(self, page: Path) -> None:
        self.page = page
        self.accept()

    def _failed(self, error: BaseException) -> None:
        self.error = error
        self.reject()

    def done(self, result: int) -> None:
        """Close; what is being made is given up."""
        self.bar.close_worker()
        super().done(result)
