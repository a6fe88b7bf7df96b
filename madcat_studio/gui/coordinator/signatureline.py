"""A signature, all of it: it wraps wherever it must, and is copied as one line."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from madcat_studio.gui.translation import tr

__all__ = ["SignatureLine"]


class SignatureLine(QPlainTextEdit):
    """Read only, and as high as its text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("signature")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.setAccessibleName(tr("Signature"))
        self.setToolTip(tr("Everything that the numbers depend on; copy it with them"))

    def setText(self, text: str) -> None:
        """Show another signature."""
        self.setPlainText(text)
        self._fit()

    def text(self) -> str:
        """The signature."""
        return self.toPlainText()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._wanted())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._wanted())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _wanted(self) -> int:
        # A plain text's document is as high as its lines are many.
        lines = max(1, int(self.document().size().height()))
        return lines * self.fontMetrics().lineSpacing() + 4

    def _fit(self) -> None:
        if self.height() != self._wanted():
            self.setFixedHeight(self._wanted())
