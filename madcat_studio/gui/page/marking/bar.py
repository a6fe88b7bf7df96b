"""The bar below the page while it is being marked: the words, what can be said of them, a box."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.page.marking.seeking import Seeking
from madcat_studio.gui.page.marking.strip import TokenStrip
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import mark, tr

__all__ = ["BUTTONS", "MarkingBar"]

BUTTONS: tuple[tuple[str, str, str], ...] = (
    ("accept", mark("Take it"), mark("Enter: take the proposed outline")),
    ("line", mark("The line"), mark("Shift and Enter: take all proposals in this line")),
    ("sure", mark("&All sure ones"), mark("A: take all sure proposals of the page")),
    ("missing", mark("&Missing"), mark("M: the scribe left this word out")),
    ("extra", mark("&Extra"), mark("E: the page has a word that is not in the text")),
    ("misspelt", mark("Mi&sspelt"), mark("S: the scribe wrote something else")),
    ("back", mark("Back"), mark("Backspace: to the word before")),
    ("skip", mark("&Not now"), mark("N: leave this word for later")),
)
"""Name, text and tool tip of each button; the letters are the keys on the page."""


class _WrittenBox(QLineEdit):
    """What stands on the page: a line of Arabic. ``given_up``: Esc."""

    given_up = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        else:
            super().keyPressEvent(event)


class MarkingBar(QFrame):
    """The bar.

    Signals:
        pressed: the name of a button (:data:`BUTTONS`).
        chosen: the number of a token that was clicked.
        said: what is written on the page, after Enter in the box.
        given_up: the box was left with Esc.
    """

    pressed = Signal(str)
    chosen = Signal(int)
    said = Signal(str)
    given_up = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("markbar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Marking"))
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 6)
        column.setSpacing(5)
        self.strip = TokenStrip()
        self.strip.chosen.connect(self.chosen)
        column.addWidget(self.strip)
        column.addLayout(self._build_row())
        self.seeking = Seeking()
        column.addWidget(self.seeking)
        self.remark = QLabel()
        self.remark.setObjectName("caution")
        self.remark.setWordWrap(True)
        self.remark.hide()
        column.addWidget(self.remark)
        self.hide()

    def _build_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        self.progress = QLabel()
        self.progress.setObjectName("quiet")
        row.addWidget(self.progress)
        self.doubt = QLabel(tr("Not sure of this one: look closely"))
        self.doubt.setObjectName("caution")
        self.doubt.hide()
        row.addWidget(self.doubt)
        row.addSpacing(10)
        row.addStretch(1)
        self.question = QLabel()
        self.question.setObjectName("quiet")
        self.box = _WrittenBox()
        self.box.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.box.setMaximumWidth(240)
        self.box.returnPressed.connect(lambda: self.said.emit(self.box.text()))
        self.box.given_up.connect(self.given_up)
        self.question.setBuddy(self.box)
        for widget in (self.question, self.box):
            widget.hide()
            row.addWidget(widget)
        self.buttons: dict[str, QPushButton] = {}
        for name, text, tip in BUTTONS:
            button = QPushButton(tr(text).replace("&", ""))
            button.setObjectName("chip")
            button.setToolTip(tr(tip))
            # A click leaves the keys with the page.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, name=name: self.pressed.emit(name))
            self.buttons[name] = button
            row.addWidget(button)
        return row

    def apply_theme(self, large: QFont, small: QFont, colours: Colours) -> None:
        """Take on fonts and colours."""
        self.strip.apply_theme(large, small, colours)
        self.box.setFont(small)

    def ask(self, question: str, text: str) -> None:
        """Ask what is written; the box has the keys."""
        self.question.setText(question)
        self.box.setAccessibleName(question)
        self.box.setText(text)
        self.box.selectAll()
        self.question.show()
        self.box.show()
        self.box.setFocus()

    def ask_nothing(self) -> None:
        """Take the box away."""
        self.question.hide()
        self.box.hide()

    def say(self, remark: str) -> None:
        """Show a remark below; none with an empty text."""
        self.remark.setText(remark)
        self.remark.setVisible(bool(remark))
