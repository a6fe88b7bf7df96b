"""The boxes below the tokens: text, status and the scribe's error of the one that is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QWidget,
)

from madcat_studio.gui.translation import tr
from madcat_studio.model.characters import runs_right_to_left
from madcat_studio.model.document import Token, TokenError

__all__ = ["ArabicBox", "TokenEditor"]

_NONE = TokenError("")
_LONGEST = 1_000_000


class ArabicBox(QLineEdit):
    """One line, Arabic as a rule; Latin letters alone stand at the left.

    Signals:
        given: Enter was pressed; with Ctrl (True) to go on.
    """

    given = Signal(bool)

    def __init__(self, purpose: str = "", parent: QWidget | None = None) -> None:
        """Make a box; ``purpose`` stands in it while it is empty."""
        super().__init__(parent)
        self._purpose = purpose
        self.setAccessibleDescription(purpose)
        self.textChanged.connect(self._align)
        self._align("")
        self.setMaxLength(_LONGEST)

    def _align(self, text: str) -> None:
        right = runs_right_to_left(text, default=True)
        ways = Qt.LayoutDirection
        self.setLayoutDirection(ways.RightToLeft if right else ways.LeftToRight)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = QKeySequence.StandardKey
            undo = event.matches(keys.Undo) and not self.isUndoAvailable()
            if undo or (event.matches(keys.Redo) and not self.isRedoAvailable()):
                event.ignore()  # nothing of its own to undo: the page's is meant
                return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._purpose and not self.text() and not self.hasFocus():
            # Not as a placeholder, which would have the letters of an Arabic face.
            painter = QPainter(self)
            painter.setFont(QApplication.font())
            painter.setPen(self.palette().placeholderText().color())
            flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(self.rect().adjusted(8, 0, -9, 0), flags, self._purpose)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape and self.isModified():
            self.undo_all()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self.given.emit(ctrl)
        else:
            super().keyPressEvent(event)

    def undo_all(self) -> None:
        """Back to the text that was shown."""
        while self.isUndoAvailable():
            self.undo()
        self.setModified(False)


class TokenEditor(QFrame):
    """Shows one token and tells what a user makes of it; it edits nothing itself.

    Signals:
        text_given: the token's text.
        status_given: its status.
        error_given: TokenError.
        left: Enter was pressed: True to go on to the next token.
    """

    text_given = Signal(str)
    status_given = Signal(str)
    error_given = Signal(object)
    left = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tokeneditor")
        self.setAccessibleName(tr("The chosen token"))
        form = QFormLayout(self)
        form.setContentsMargins(12, 6, 12, 10)
        form.setHorizontalSpacing(10)
        form.setVerticalSpacing(5)
        self.text = ArabicBox()
        self.status = _choices()
        self.error = _choices()
        self.written = ArabicBox(tr("written"))
        self.intended = ArabicBox(tr("intended"))
        self.error.setToolTip(tr("What the stand-off file says about the token"))
        scribe = QHBoxLayout()
        scribe.setSpacing(6)
        # Below the error, not beside it: the panel may be narrow.
        scribe.addWidget(self.written)
        scribe.addWidget(self.intended)
        for name, box in (
            (tr("Text"), self.text),
            (tr("Status"), self.status),
            (tr("Scribe"), self.error),
            ("", scribe),
        ):
            label = QLabel(name)
            label.setObjectName("quiet")
            form.addRow(label, box)
        for name, widget in (
            (tr("Text of the token"), self.text),
            (tr("Status of the token"), self.status),
            (tr("Scribe error"), self.error),
            (tr("What the scribe wrote"), self.written),
            (tr("What was intended"), self.intended),
        ):
            widget.setAccessibleName(name)
        self.text.editingFinished.connect(self._on_text)
        self.text.given.connect(self._on_given)
        self.status.activated.connect(lambda _: self._on_status())
        self.error.activated.connect(lambda _: self._on_error())
        for choices, act in ((self.status, self._on_status), (self.error, self._on_error)):
            line = choices.lineEdit()
            assert line is not None  # they are editable
            line.editingFinished.connect(act)
        for box in (self.written, self.intended):
            box.editingFinished.connect(self._on_error)
            box.given.connect(lambda _: self._on_error())
        self._token: Token | None = None
        self._shown = _NONE
        self.show_token(None, _NONE, (), ())

    def apply_theme(self, arabic: QFont) -> None:
        """Take on the font for Arabic."""
        for box in self._boxes():
            box.setFont(arabic)

    def show_token(
        self,
        token: Token | None,
        error: TokenError | None,
        statuses: Sequence[str],
        errors: Sequence[str],
    ) -> None:
        """Show a token with what is offered for it; the boxes are shut without one."""
        typing = token is not None and token is self._token and self.text.isModified()
        self._token, self._shown = token, error or _NONE
        self.setEnabled(token is not None)
        if not typing:
            self.text.setText("" if token is None else token.source or "")
        _offer(self.status, statuses, "" if token is None else token.status or "")
        _offer(self.error, errors, self._shown.error)
        self.written.setText(self._shown.written)
        self.intended.setText(self._shown.intended)
        for box in (self.written, self.intended) if typing else self._boxes():
            box.setModified(False)

    def _boxes(self) -> tuple[ArabicBox, ...]:
        return self.text, self.written, self.intended

    def edit_text(self) -> None:
        """Put the keys into the box for the text."""
        self.text.setFocus()
        self.text.selectAll()

    def _on_text(self) -> None:
        # Only what was typed is a change: a text that a box cannot show is never written back.
        if self._token is not None and self.text.isModified():
            self.text.setModified(False)
            if self.text.text() != (self._token.source or ""):
                self.text_given.emit(self.text.text())

    def _on_given(self, further: bool) -> None:
        self._on_text()
        self.left.emit(further)

    def _on_status(self) -> None:
        status = self.status.currentText().strip()
        if self._token is not None and status != (self._token.status or ""):
            self.status_given.emit(status)

    def _on_error(self) -> None:
        kind = self.error.currentText().strip()
        error = TokenError(kind, self.written.text(), self.intended.text()) if kind else _NONE
        if self._token is not None and error != self._shown:
            self._shown = error
            self.error_given.emit(error)


def _choices() -> QComboBox:
    box = QComboBox()
    box.setEditable(True)
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    box.setMinimumWidth(90)
    return box


def _offer(box: QComboBox, values: Sequence[str], current: str) -> None:
    box.clear()
    box.addItems(["", *values])
    box.setEditText(current)
    box.setCurrentIndex(box.findText(current))
    box.setEditText(current)
