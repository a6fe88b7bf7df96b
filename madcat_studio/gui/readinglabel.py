"""A text to read whose direction is that of its language."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget

from madcat_studio.gui.accessible import Role, Selection, Spoken, announce
from madcat_studio.gui.translation import tr

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
        self.spoken = Spoken(
            self,
            Role.EditableText,  # read only: what a reader walks through by letter, word and line
            text=self.text,
            selection=Selection(self._selection, self.setSelection),
        )
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self._show_text()

    def right_to_left(self) -> None:
        """The text is Arabic."""
        self._direction = "rtl"
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        self._show_text()

    @classmethod
    def said(cls, text: str) -> ReadingLabel:
        """What the program itself says: it runs as the window does."""
        label = cls(text)
        if label.isRightToLeft():
            label.right_to_left()
        return label

    def setText(self, text: str) -> None:
        """Show a plain text."""
        self._plain = text
        self._show_text()
        self.spoken.changed()

    def text(self) -> str:
        """The plain text."""
        return self._plain

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What is selected by key is said: no reader can ask for it."""
        before = self.selectedText()
        super().keyPressEvent(event)
        words = self.selectedText()
        if words and words != before:
            announce(self, tr("selected: {words}", words=words))

    def _selection(self) -> tuple[int, int]:
        return max(self.selectionStart(), 0), len(self.selectedText().encode("utf-16-le")) // 2

    def _show_text(self) -> None:
        shown = escape(self._plain)
        style = "margin: 0; white-space: pre-wrap"
        super().setText(f'<p dir="{self._direction}" style="{style}">{shown}</p>' if shown else "")
