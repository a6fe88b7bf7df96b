"""A text to read whose direction is that of its language."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

__all__ = ["ReadingLabel"]


class ReadingLabel(QLabel):
    """A plain text, wrapped; its direction is the language's, whatever the text begins with.

    A label of plain text would take the direction of the first letter: an English sentence that
    begins with an Arabic name would run from the right. So the text is given to Qt as a paragraph
    of a stated direction; no direction mark gets into what is selected or copied.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plain, self._direction = text, "ltr"
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self._show_text()

    def right_to_left(self) -> None:
        """The text is Arabic."""
        self._direction = "rtl"
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        self._show_text()

    def setText(self, text: str) -> None:
        """Show a plain text."""
        self._plain = text
        self._show_text()

    def text(self) -> str:
        """The plain text."""
        return self._plain

    def _show_text(self) -> None:
        shown = escape(self._plain)
        style = "margin: 0; white-space: pre-wrap"
        super().setText(f'<p dir="{self._direction}" style="{style}">{shown}</p>' if shown else "")
