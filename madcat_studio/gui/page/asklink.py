"""Asks which link stays where a split, a merger or a removal touches words of the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.edits.splitting import Part
from madcat_studio.gui import fonts
from madcat_studio.gui.beside import put_beside
from madcat_studio.gui.keyboard import digit_of
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.translation import mark, tr, tr_count
from madcat_studio.model.links import SegmentIndex, TokenIndex, WordIndex

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["Kept", "LinkDialog", "LinkQuestions"]


class LinkDialog(QDialog):
    """A question with a few answers; the first one is marked. Digits choose, Enter takes."""

    def __init__(
        self, title: str, text: str, answers: Sequence[str], font: QFont, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(8)
        heading = QLabel(text)
        heading.setWordWrap(True)
        heading.setMinimumWidth(360)
        column.addWidget(heading)
        self.buttons: list[QRadioButton] = []
        for number, answer in enumerate(answers):
            button = QRadioButton(f"{number + 1}   {answer}")
            button.setFont(font)
            column.addWidget(button)
            self.buttons.append(button)
        self.buttons[0].setChecked(True)
        box = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        column.addSpacing(6)
        column.addWidget(box)
        self.buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = digit_of(event)
        if number is not None and 1 <= number <= len(self.buttons):
            self.buttons[number - 1].setChecked(True)
            self.buttons[number - 1].setFocus()
        else:
            super().keyPressEvent(event)

    def answer(self) -> int:
        """Which answer is marked, from 0."""
        return next(n for n, button in enumerate(self.buttons) if button.isChecked())


class Kept(NamedTuple):
    """What a merger keeps: the link of one token, or, with None, all of them joined into one."""

    keep: TokenIndex | None


class LinkQuestions:
    """The questions about the page that a view shows. None always means: the user gave up."""

    def __init__(self, view: PageHost) -> None:
        self._view = view

    def tokens(self, places: Sequence[WordIndex]) -> list[TokenIndex]:
        """The tokens that are linked to some words."""
        tokens_of = self._view.choice.links.tokens_of
        return [token for place in places for token in tokens_of.get(place, [])]

    def parts(self, place: WordIndex) -> dict[TokenIndex, Part] | None:
        """With which part of a word that is split its links stay."""
        tokens = self.tokens([place])
        if not tokens:
            return {}
        texts = self._texts(tokens)
        together = " ".join(texts)
        answers = [
            tr("{token} stays with the right-hand (or upper) part", token=together),
            tr("{token} stays with the left-hand (or lower) part", token=together),
        ]
        kinds = [[Part.FIRST] * len(tokens), [Part.SECOND] * len(tokens)]
        for first in range(1, len(tokens)):
            one, other = " ".join(texts[:first]), " ".join(texts[first:])
            answers.append(tr("{one} to the right, {other} to the left", one=one, other=other))
            kinds.append([Part.FIRST] * first + [Part.SECOND] * (len(tokens) - first))
        text = tr("The word is linked to the text. Which part keeps the link?")
        around = [ShapeKey(place[1], place[2])]
        answer = self._ask(tr("Split a word"), text, answers, around)
        return None if answer is None else dict(zip(tokens, kinds[answer], strict=True))

    def named(self, line: int, doubtful: Sequence[SegmentIndex]) -> Part | None:
        """Which part of a line that is split segments name that have no word in it."""
        workspace = self._view.workspace
        if not doubtful or workspace is None:
            return Part.BOTH
        sections = workspace.document.sections
        names = ", ".join(sections[s].segments[g].id or "–" for s, g in doubtful)
        answer = self._ask(
            tr("Split a line"),
            tr_count(
                "{names} names the line and has no word in it. What shall it name?",
                "{names} name the line and have no word in it. What shall they name?",
                len(doubtful),
                names=names,
            ),
            [tr("Both parts"), tr("The upper or right-hand part"), tr("The other part")],
            [ShapeKey(line)],
        )
        return None if answer is None else (Part.BOTH, Part.FIRST, Part.SECOND)[answer]

    def merged(self, tokens: Sequence[TokenIndex]) -> Kept | None:
        """Which link stays where words become one."""
        if len(tokens) <= 1:
            return Kept(tokens[0] if tokens else None)
        texts = self._texts(tokens)
        only = mark("Only {token}; the others are linked to no word")
        answers = [tr(only, token=text) for text in texts]
        answers.append(tr("Join them into one token: {token}", token=" ".join(texts)))
        text = tr("The words are linked to the text. Which link stays?")
        answer = self._ask(tr("Merge words"), text, answers)
        if answer is None:
            return None
        return Kept(tokens[answer] if answer < len(tokens) else None)

    def removed(self, tokens: Sequence[TokenIndex]) -> bool | None:
        """Whether tokens are linked to no word once theirs is removed."""
        if not tokens:
            return False
        answer = self._ask(
            tr("Remove"),
            tr_count(
                "{count} token of the text is linked to what is removed: {texts}",
                "{count} tokens of the text are linked to what is removed: {texts}",
                len(tokens),
                texts=" ".join(self._texts(tokens[:8])),
            ),
            [
                tr("Link them to no word"),
                tr("Leave their references as they are, to be linked anew"),
            ],
        )
        return None if answer is None else answer == 0

    def _texts(self, tokens: Sequence[TokenIndex]) -> list[str]:
        workspace = self._view.workspace
        assert workspace is not None
        sections = workspace.document.sections
        # Isolated, so that an Arabic word does not turn the answer around.
        return [
            f"\u2068{sections[s].segments[g].tokens[t].source or '–'}\u2069" for s, g, t in tokens
        ]

    def _ask(
        self, title: str, text: str, answers: Sequence[str], around: Sequence[ShapeKey] = ()
    ) -> int | None:
        """Ask beside the outlines that it is about, by default those that are chosen."""
        font = fonts.english(self._view.shell.settings, scale=1.15)
        dialog = LinkDialog(title, text, answers, font, self._view.widget)
        canvas = self._view.canvas
        put_beside(dialog, canvas.on_screen(around or canvas.selection.keys), self._view.widget)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        answer = dialog.answer() if accepted else None
        dialog.deleteLater()
        return answer
