"""An empty view says what would be here and offers a way to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

__all__ = ["EmptyScreen"]


class EmptyScreen(QWidget):
    """A title, a sentence, and buttons with what each does."""

    def __init__(
        self,
        title: str,
        sentence: str,
        offers: Sequence[tuple[str, Callable[[], object]]] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.addStretch(2)
        head = QLabel(title)
        head.setObjectName("title")
        head.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(head)
        text = QLabel(sentence)
        text.setObjectName("subtitle")
        text.setWordWrap(True)
        text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(text)
        layout.addSpacing(16)
        row = QHBoxLayout()
        row.addStretch(1)
        for label, run in offers:
            button = QPushButton(label)
            button.clicked.connect(lambda _=False, run=run: run())
            row.addWidget(button)
        row.addStretch(1)
        layout.addLayout(row)
        layout.addStretch(3)
