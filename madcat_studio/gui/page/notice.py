"""What there is to say about a page's scan, in a strip above the page."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from madcat_studio.gui.page.scan import ScanInfo
from madcat_studio.gui.translation import tr, tr_count, tr_number
from madcat_studio.model.document import Page

__all__ = ["Notice", "what_is_odd"]


def what_is_odd(info: ScanInfo, page: Page, number: int, pages: int) -> tuple[str, bool] | None:
    """What a user should know of a scan that was read, and whether another image may help.

    Args:
        info: what the image file says.
        page: what the document says of the page.
        number: which page it is, from 0.
        pages: how many pages the document has.
    """
    if page.width and page.height and (page.width, page.height) != (info.width, info.height):
        text = tr(
            "The image is {width} × {height} pixels, the file says {page_width} × {page_height}. "
            "The outlines are shown where the file puts them.",
            width=tr_number(info.width),
            height=tr_number(info.height),
            page_width=tr_number(page.width),
            page_height=tr_number(page.height),
        )
        return text, True
    if info.turned:
        text = tr(
            "A tag in the image asks for it to be turned. It is shown as stored, because the "
            "outlines are drawn that way."
        )
        return text, False
    if info.frames > pages:
        text = tr(
            "The image has {frames}, the file {pages}; frame {frame} is shown.",
            frames=tr_count("{count} frame", "{count} frames", info.frames),
            pages=tr_count("{count} page", "{count} pages", pages),
            frame=tr_number(number + 1),
        )
        return text, False
    return None


class Notice(QFrame):
    """The strip. ``locate`` is sent when the user wants to show where the image is."""

    locate = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message")
        self.setProperty("level", "warning")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 10, 6)
        self.text = QLabel()
        self.text.setWordWrap(True)
        row.addWidget(self.text, 1)
        self.button = QPushButton(tr("Locate the image…"))
        self.button.clicked.connect(self.locate)
        row.addWidget(self.button)
        self.hide()

    def say(self, text: str, *, locate: bool) -> None:
        """Show a text, with or without the offer to locate the image."""
        self.text.setText(text)
        self.setAccessibleName(text)
        self.button.setVisible(locate)
        self.show()
