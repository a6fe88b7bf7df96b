"""A text to read beside the work, such as the campaign's guidelines: the window stays usable."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

__all__ = ["TextDialog"]


class TextDialog(QDialog):
    """Shows a text; what it marks up as Markdown is set as such."""

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        self.setWindowTitle(title)
        self.resize(620, 640)
        layout = QVBoxLayout(self)
        self.page = QTextBrowser()
        self.page.setMarkdown(text)
        self.page.setOpenExternalLinks(True)
        self.page.document().setDocumentMargin(14)
        layout.addWidget(self.page)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)

    def open(self) -> None:
        """Show it beside the window, without taking the keyboard for good."""
        self.show()
