"""The bar of the coach below a text: what could be spared, with the edits that each would save."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.coach.values import Advice, AdviceKind
from madcat_studio.gui.translation import tr, tr_count
from madcat_studio.workspace.advice import invisible_name

__all__ = ["CoachBar", "change_text", "saved_text"]

_ROWS = 3
"""So many can be seen; the others by scrolling. The bar is as high whatever it shows."""


def saved_text(saved: float) -> str:
    """How much a change saves."""
    return tr_count("saves {count} edit", "saves {count} edits", saved)


def change_text(one: Advice) -> str:
    """A change in words."""
    old, new = _shown(one.old), _shown(one.new)
    if one.old == one.new:
        return tr("“{words}” back to its place", words=_english(old))
    if not one.old:
        return tr("put in “{words}”", words=_english(new))
    if not one.new:
        return tr("leave out “{words}”", words=_english(old))
    return _english(tr("“{old}” → “{new}”", old=old, new=new))


def _why(one: Advice) -> str:
    return {
        AdviceKind.AGREED: tr("the output agreed with the reference"),
        AdviceKind.REWORDING: tr("the reference has the output's words"),
        AdviceKind.SHIFT: tr("one shift instead of two edits"),
        AdviceKind.CHARACTER: tr("as the output writes it"),
    }[one.kind]


def _english(words: str) -> str:
    """Words that run from the left to the right within a sentence of any language."""
    return f"\u2066{words}\u2069"


def _shown(words: str) -> str:
    """Words to be read; a character that nobody sees by its name."""
    if words == " ":
        return tr("blank")
    return "".join(invisible_name(one) or one for one in words)


class CoachBar(QFrame):
    """What the coach says of one text.

    Signals:
        chosen: a piece of advice, by its number: show its place.
        taken: change the text as the current one says.
        dismissed: hear no more of the current one.
    """

    chosen = Signal(int)
    taken = Signal()
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._at: int | None = None  # where the keys for the next and the one before have led
        self.setObjectName("toolbar")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        across = QHBoxLayout(self)
        across.setContentsMargins(28, 6, 28, 6)
        across.setSpacing(12)
        self.head = QLabel()
        self.head.setObjectName("quiet")
        self.head.setWordWrap(True)
        self.head.setFixedWidth(150)
        self.head.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        across.addWidget(self.head)
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(tr("Edits that could be spared"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(lambda item: self.chosen.emit(self.list.row(item)))
        self.list.itemActivated.connect(lambda _: self.taken.emit())
        across.addWidget(self.list, 1)
        buttons = QVBoxLayout()
        buttons.setSpacing(4)
        self.take = QPushButton(tr("Take it"))
        self.take.setToolTip(tr("You can undo it"))
        self.take.clicked.connect(self.taken)
        self.dismiss = QPushButton(tr("Dismiss"))
        self.dismiss.setToolTip(tr("It is not shown again in this segment"))
        self.dismiss.clicked.connect(self.dismissed)
        for button in (self.take, self.dismiss):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            buttons.addWidget(button)
        buttons.addStretch(1)
        across.addLayout(buttons)
        self.show_advice((), 0.0)

    def show_advice(self, advice: Sequence[Advice], avoidable: float | None) -> None:
        """Show what there is to say.

        Args:
            advice: the pieces, the most first.
            avoidable: edits fewer where all are followed; None where that is not known, as some
                were dismissed.
        """
        chosen, self._at = self.current(), None
        self.list.clear()
        for one in advice:
            said = f"{saved_text(one.saved)} · {change_text(one)} · {_why(one)}"
            item = QListWidgetItem(said)
            item.setToolTip(said)
            self.list.addItem(item)
        if advice:
            self.list.setCurrentRow(max(0, min(chosen, len(advice) - 1)))
        for button in (self.take, self.dismiss):
            button.setEnabled(bool(advice))
        if not advice:
            self.head.setText(tr("Coach: no edits to spare were found."))
        elif avoidable is None:
            self.head.setText(tr("Coach: more edits could be spared."))
        else:
            self.head.setText(
                tr_count(
                    "Coach: {count} edit could be spared.",
                    "Coach: {count} edits could be spared.",
                    avoidable,
                )
            )
        self._settle()

    def _settle(self) -> None:
        # Nothing moves when a first piece of advice comes: a row is as high before there is one.
        row = self.list.sizeHintForRow(0)
        if row < 0:
            self.list.addItem("x")
            row = self.list.sizeHintForRow(0)
            self.list.clear()
        self.list.setFixedHeight(row * _ROWS + 2 * self.list.frameWidth())

    def current(self) -> int:
        """The number of the current piece, -1 where there is none."""
        return self.list.currentRow()

    def go(self, direction: int) -> None:
        """Go to the next piece, or the one before, round and round."""
        count = self.list.count()
        if self._at is None:
            row = 0 if direction > 0 else count - 1
        else:
            row = (self._at + direction) % count
        self._at = row
        self.list.setCurrentRow(row)
        self.chosen.emit(row)
