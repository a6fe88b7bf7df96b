"""Asks which link stays where a split, a merger or a removal touches words of the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.edits.splitting import Part
from madcat_studio.gui import fonts
from madcat_studio.gui.beside import put_beside
from madcat_studio.gui.keyboard import digit_of
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.translation import mark, tr, tr_count, tr_number
from madcat_studio.model.characters import is_right_to_left
from madcat_studio.model.links import SegmentIndex, TokenIndex, WordIndex
from madcat_studio.operations.pages.cutting import parted, place_to_part, places_to_part

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["Kept", "LinkDialog", "LinkQuestions", "PartDialog", "Shared"]

_BAR = " | "


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
            button = QRadioButton(f"{tr_number(number + 1)}   {answer}")
            button.setFont(font)
            column.addWidget(button)
            self.buttons.append(button)
        self.buttons[0].setChecked(True)
        self.more = QVBoxLayout()  # what belongs to the last answer
        column.addLayout(self.more)
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


class PartDialog(LinkDialog):
    """The same with a last answer: to part a text, where a bar stands in it.

    ← and → in the box move the bar, and so does a click.

    Attributes:
        box: shows the text with the bar.
    """

    def __init__(
        self,
        title: str,
        text: str,
        answers: Sequence[str],
        font: QFont,
        parent: QWidget,
        *,
        word: str,
        places: Sequence[int],
        place: int,
    ) -> None:
        super().__init__(title, text, answers, font, parent)
        self.box = _PartBox(word, places, place, font)
        self.box.setAccessibleName(answers[-1])
        self.box.touched.connect(lambda: self.buttons[-1].setChecked(True))
        self.more.addWidget(self.box)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if self.buttons[-1].hasFocus() and self.buttons[-1].isChecked():
            self.box.setFocus(Qt.FocusReason.OtherFocusReason)


class _PartBox(QLineEdit):
    """A text with a bar where it is to be parted. ``touched``: it was moved."""

    touched = Signal()

    def __init__(self, word: str, places: Sequence[int], place: int, font: QFont) -> None:
        super().__init__()
        self._word, self._places = word, list(places)
        self.place = place
        self.setReadOnly(True)
        self.setFont(font)
        right = is_right_to_left(word)
        self._left = 1 if right else -1
        directions = Qt.LayoutDirection
        self.setLayoutDirection(directions.RightToLeft if right else directions.LeftToRight)
        self._show()

    def _show(self) -> None:
        self.setText(f"{self._word[: self.place]}{_BAR}{self._word[self.place :]}")

    def _move(self, step: int) -> None:
        at = self._places.index(self.place) + step
        self.place = self._places[min(max(at, 0), len(self._places) - 1)]
        self._show()
        self.touched.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        sides = {Qt.Key.Key_Left: self._left, Qt.Key.Key_Right: -self._left}
        side = sides.get(Qt.Key(event.key()))
        if side is None:
            event.ignore()
        else:
            self._move(side)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self.cursorPositionAt(event.position().toPoint())
        at -= len(_BAR) if at > self.place else 0
        self.place = min(self._places, key=lambda place: abs(place - at))
        self._show()
        self.touched.emit()


class Kept(NamedTuple):
    """What a merger keeps: the link of one token, or, with None, all of them joined into one."""

    keep: TokenIndex | None
    without_blank: bool = False


class Shared(NamedTuple):
    """What a split does: with which part each link stays, and which token's text is parted."""

    links: Mapping[TokenIndex, Part]
    texts: Mapping[TokenIndex, tuple[str, str]] = MappingProxyType({})


class LinkQuestions:
    """The questions about the page that a view shows. None always means: the user gave up."""

    def __init__(self, view: PageHost) -> None:
        self._view = view

    def tokens(self, places: Sequence[WordIndex]) -> list[TokenIndex]:
        """The tokens that are linked to some words."""
        tokens_of = self._view.choice.links.tokens_of
        return [token for place in places for token in tokens_of.get(place, [])]

    def parts(self, place: WordIndex, share: float) -> Shared | None:
        """With which part of a word that is split its links stay, or whether its text is parted.

        Args:
            place: of the word.
            share: how much of its width the part has that is read first.
        """
        tokens = self.tokens([place])
        if not tokens:
            return Shared({})
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
        source = self._source(tokens[0]) if len(tokens) == 1 else ""
        at = place_to_part(source, share)
        if not at:
            answer = self.choose(tr("Split a word"), text, answers, around)
            return None if answer is None else Shared(dict(zip(tokens, kinds[answer], strict=True)))
        answers.append(tr("Split the text as well, at the bar; also in the transcription"))
        font = fonts.english(self._view.shell.settings, scale=1.15)
        dialog = PartDialog(
            tr("Split a word"),
            text,
            answers,
            font,
            self._view.widget,
            word=source,
            places=places_to_part(source),
            place=at,
        )
        answer = self._run(dialog, around)
        if answer is None:
            return None
        if answer < len(kinds):
            return Shared(dict(zip(tokens, kinds[answer], strict=True)))
        return Shared({tokens[0]: Part.FIRST}, {tokens[0]: parted(source, dialog.box.place)})

    def named(self, line: int, doubtful: Sequence[SegmentIndex]) -> Part | None:
        """Which part of a line that is split segments name that have no word in it."""
        workspace = self._view.workspace
        if not doubtful or workspace is None:
            return Part.BOTH
        sections = workspace.document.sections
        names = ", ".join(sections[s].segments[g].id or "–" for s, g in doubtful)
        answer = self.choose(
            tr("Split a line"),
            tr_count(
                "{names} refers to the line but has no word in it. Which part should it refer to?",
                "{names} refer to the line but have no word in it. "
                "Which part should they refer to?",
                len(doubtful),
                names=names,
            ),
            [tr("Both parts"), tr("The upper or right-hand part"), tr("The other part")],
            [ShapeKey(line)],
        )
        return None if answer is None else (Part.BOTH, Part.FIRST, Part.SECOND)[answer]

    def merged(self, tokens: Sequence[TokenIndex], *, texts: bool = True) -> Kept | None:
        """Which link stays where words become one.

        Args:
            tokens: of the words.
            texts: whether they can be joined in the transcription as well.
        """
        if len(tokens) <= 1:
            return Kept(tokens[0] if tokens else None)
        said = self._texts(tokens)
        only = mark("Only {token}; the others lose their link")
        answers = [tr(only, token=text) for text in said]
        answers.append(tr("Join them into one token: {token}", token=" ".join(said)))
        if texts:
            joined = "".join(self._source(token) for token in tokens)
            without = mark("Join them without a space, also in the transcription: {token}")
            answers.append(tr(without, token=_isolated(joined)))
        text = tr("The words are linked to the text. Which link stays?")
        answer = self.choose(tr("Merge words"), text, answers)
        if answer is None:
            return None
        if answer < len(tokens):
            return Kept(tokens[answer])
        return Kept(None, without_blank=answer > len(tokens))

    def removed(self, tokens: Sequence[TokenIndex]) -> bool | None:
        """Whether tokens are linked to no word once theirs is removed."""
        if not tokens:
            return False
        answer = self.choose(
            tr("Remove"),
            tr_count(
                "{count} token of the text is linked to what is removed: {texts}",
                "{count} tokens of the text are linked to what is removed: {texts}",
                len(tokens),
                texts=" ".join(self._texts(tokens[:8])),
            ),
            [
                tr("Leave them without a word"),
                tr("Keep their references, to link them again later"),
            ],
        )
        return None if answer is None else answer == 0

    def _source(self, token: TokenIndex) -> str:
        workspace = self._view.workspace
        assert workspace is not None
        section, segment, number = token
        return workspace.document.sections[section].segments[segment].tokens[number].source or ""

    def _texts(self, tokens: Sequence[TokenIndex]) -> list[str]:
        return [_isolated(self._source(token) or "–") for token in tokens]

    def choose(
        self, title: str, text: str, answers: Sequence[str], around: Sequence[ShapeKey] = ()
    ) -> int | None:
        """Ask beside the outlines that it is about, by default those that are chosen."""
        font = fonts.english(self._view.shell.settings, scale=1.15)
        return self._run(LinkDialog(title, text, answers, font, self._view.widget), around)

    def _run(self, dialog: LinkDialog, around: Sequence[ShapeKey]) -> int | None:
        canvas = self._view.canvas
        put_beside(dialog, canvas.on_screen(around or canvas.selection.keys), self._view.widget)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        answer = dialog.answer() if accepted else None
        dialog.deleteLater()
        return answer


def _isolated(text: str) -> str:
    """So that an Arabic word does not turn the answer around."""
    return f"\u2068{text}\u2069"
