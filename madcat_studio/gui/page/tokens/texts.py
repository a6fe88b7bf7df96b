"""A segment's transcription and translation in boxes of their own."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextOption
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.edits import CompositeEdit, Edit, SetTranscription, SetTranslation
from madcat_studio.gui.translation import tr
from madcat_studio.model.characters import remove_forbidden, runs_right_to_left
from madcat_studio.model.document import Segment
from madcat_studio.model.links import SegmentIndex

__all__ = ["TextsDialog"]

_PARAGRAPH = "\u2029"


class TextsDialog(QDialog):
    """Shows both texts, each in its own direction, whatever it begins with."""

    def __init__(self, segment: Segment, arabic: QFont, english: QFont, parent: QWidget) -> None:
        super().__init__(parent)
        self._segment = segment
        self.setWindowTitle(tr("Texts of {name}", name=segment.id or tr("the segment")))
        self.resize(620, 420)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        self.transcription = _box(segment.transcription, arabic, right_to_left=True)
        self.translation = _box(segment.translation, english, right_to_left=False)
        for name, box in (
            (tr("Transcription"), self.transcription),
            (tr("Translation"), self.translation),
        ):
            label = QLabel(name)
            label.setObjectName("section")
            label.setBuddy(box)
            box.setAccessibleName(name)
            column.addWidget(label)
            column.addWidget(box, 1)
        note = QLabel(tr("Tokens stay as they are: they have their own texts."))
        note.setObjectName("quiet")
        column.addWidget(note)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)

    def edit(self, place: SegmentIndex) -> tuple[Edit | None, tuple[str, ...]]:
        """What was changed, as one edit, and the characters that no file can hold."""
        edits: list[Edit] = []
        removed: list[str] = []
        for kind, box, before in (
            (SetTranscription, self.transcription, self._segment.transcription),
            (SetTranslation, self.translation, self._segment.translation),
        ):
            # Only what was typed is a change: a box may show a text otherwise than it is.
            if not box.document().isModified():
                continue
            text, gone = remove_forbidden(_text(box))
            removed += gone
            if text != (before or ""):
                edits.append(kind(*place, text))
        if not edits:
            return None, tuple(removed)
        whole = (
            edits[0] if len(edits) == 1 else CompositeEdit(tuple(edits), "Change a segment's texts")
        )
        return whole, tuple(removed)


def _box(text: str | None, font: QFont, *, right_to_left: bool) -> QPlainTextEdit:
    box = QPlainTextEdit()
    box.setFont(font)
    box.setTabChangesFocus(True)
    box.setPlainText(text or "")
    _align(box, default=right_to_left)
    box.document().setModified(False)
    box.textChanged.connect(lambda: _align(box, default=right_to_left))
    return box


def _align(box: QPlainTextEdit, *, default: bool) -> None:
    """Give a text the side that its letters ask for."""
    right = runs_right_to_left(box.toPlainText(), default=default)
    ways = Qt.LayoutDirection
    wanted = ways.RightToLeft if right else ways.LeftToRight
    document = box.document()
    if document.defaultTextOption().textDirection() == wanted:
        return
    option = QTextOption()
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    option.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
    option.setTextDirection(wanted)
    document.setDefaultTextOption(option)


def _text(box: QPlainTextEdit) -> str:
    """What stands in a box, with its no-break blanks, which the plain text would lose."""
    return box.document().toRawText().replace(_PARAGRAPH, "\n")
