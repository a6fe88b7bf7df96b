"""The changes below a text: in a review of three pairs of texts, one at a time."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from madcat_studio.gui.accessible import announce
from madcat_studio.gui.editor.alignment import AlignmentView
from madcat_studio.gui.settings import REVIEW_PAIR, Settings
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr, tr_count, tr_figure, tr_number
from madcat_studio.operations.scores.alignments import Aligned, Compared, plain

__all__ = ["ChangesPanel", "Pair"]


class Pair(StrEnum):
    """Which two texts are compared, the later one first."""

    FIRST = "first"  # the own text and the first pass
    OUTPUT = "output"  # the own text and the output
    PASS = "pass"  # the first pass and the output

    @property
    def short(self) -> str:
        """On its button."""
        return {
            Pair.FIRST: tr("Yours / first"),
            Pair.OUTPUT: tr("Yours / output"),
            Pair.PASS: tr("First / output"),
        }[self]

    @property
    def heading(self) -> str:
        """Above the changes."""
        return {
            Pair.FIRST: tr("What you changed in the first pass"),
            Pair.OUTPUT: tr("What you changed in the output"),
            Pair.PASS: tr("What the first pass changed"),
        }[self]

    @property
    def hint(self) -> str:
        """What a click on a change does."""
        if self is Pair.PASS:
            return tr("Click to put the output's words into your text.")
        return tr("Click to take this change back.")


class ChangesPanel(QObject):
    """Shows the changes of one pair, and how many each pair has.

    Signals:
        taken_back: a change of the own text was clicked, by the column's number.
        rejected: a change of the first pass was clicked.

    Attributes:
        view, head, figures: the changes, what they are, and their counts.
        buttons: by pair; to be seen in a review only.
        pair: what is compared now.
    """

    taken_back = Signal(int)
    rejected = Signal(int)

    def __init__(self, theme: Theme, settings: Settings, layout: QVBoxLayout) -> None:
        """Build it at the end of a layout."""
        super().__init__()
        self._settings = settings
        self._review = self._shows_figures = False
        self._aligned: Aligned | None = None
        self._first: Compared | None = None
        self._row = QWidget()
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 0, 0, 2)
        row.setSpacing(6)
        self.buttons: dict[Pair, QToolButton] = {}
        group = QButtonGroup(self)
        for pair in Pair:
            button = self.buttons[pair] = QToolButton()
            button.setObjectName("chip")
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setToolTip(pair.heading)
            button.clicked.connect(lambda _, pair=pair: self.choose(pair))
            group.addButton(button)
            row.addWidget(button)
        row.addStretch(1)
        layout.addWidget(self._row)
        above = QHBoxLayout()
        self.head, self.figures = QLabel(), QLabel()
        self.head.setObjectName("section")
        self.figures.setObjectName("quiet")
        above.addWidget(self.head)
        above.addStretch(1)
        above.addWidget(self.figures)
        layout.addLayout(above)
        self.view = AlignmentView(theme, spell_unchanged=False)
        self.view.clicked.connect(self._on_click)
        layout.addWidget(self.view)
        self.pair = Pair.OUTPUT

    def begin(self, *, review: bool, figures: bool) -> None:
        """Another kit is shown, a review or not; with figures of HTER or without."""
        self._review, self._shows_figures = review, figures
        self._row.setVisible(review)
        self.forget()
        self._compare(Pair(self._settings.get(REVIEW_PAIR)) if review else Pair.OUTPUT)

    def forget(self, first: Compared | None = None) -> None:
        """Another segment is shown, with its first pass where that is aligned already."""
        self._aligned, self._first = None, first
        self.figures.clear()
        for pair, button in self.buttons.items():
            button.setText(pair.short)

    def choose(self, pair: Pair) -> None:
        """Compare two other texts; it is remembered."""
        if not self._review:
            return
        self._settings.set(REVIEW_PAIR, pair.value)
        self._compare(pair)
        if (found := self._found(pair)) is not None:
            announce(self.view, f"{pair.heading}: {_changes_text(found)}")

    def step(self, direction: int) -> None:
        """Compare the next two texts, or the two before, round and round."""
        pairs = list(Pair)
        self.choose(pairs[(pairs.index(self.pair) + direction) % len(pairs)])

    def _compare(self, pair: Pair) -> None:
        self.pair = pair
        self.buttons[pair].setChecked(True)
        self.head.setText(pair.heading)
        self.view.setAccessibleName(pair.heading)
        self.view.answer_clicks(pair.hint)
        self._show()

    def show_aligned(self, aligned: Aligned) -> None:
        """Show what was found of the text on the screen."""
        self._aligned = aligned
        self._show()

    def show_first(self, first: Compared) -> None:
        """Show what was found of the first pass."""
        self._first = first
        if self._review:
            self._show()

    def tell_first(self, advice: str) -> None:
        """Say with its button what the coach says of the first pass; "" for nothing."""
        tip = Pair.PASS.heading
        self.buttons[Pair.PASS].setToolTip(f"{tip}\n{advice}" if advice else tip)

    def _found(self, pair: Pair) -> Compared | None:
        if pair is Pair.PASS:
            return self._first
        if self._aligned is None:
            return None
        return self._aligned.first if pair is Pair.FIRST else self._aligned.output

    def _show(self) -> None:
        if self._review:
            for pair, button in self.buttons.items():
                if (found := self._found(pair)) is not None:
                    changes = len(found.alignment.change_places())
                    button.setText(f"{pair.short} · {tr_number(changes)}")
                    button.setAccessibleName(f"{pair.heading}: {_changes_text(found)}")
        now = self._found(self.pair)
        self.view.show_alignment(plain("") if now is None else now.alignment)
        counted = now is not None and self._shows_figures and bool(now.alignment.output)
        self.figures.setText(self._figures_text(now) if now is not None and counted else "")

    def _figures_text(self, found: Compared) -> str:
        edits, words = found.edits, found.words
        counted = {
            "rate": tr_figure(f"{100 * edits / words:.1f} %") if words else tr("n/a"),
            "edits": tr_count("{count} edit", "{count} edits", edits),
            "words": tr_count("{count} word", "{count} words", words),
        }
        if self.pair is Pair.FIRST:  # not of the system's output
            return tr("TER {rate} ({edits}, {words})", **counted)
        return tr("HTER {rate} ({edits}, {words})", **counted)

    def _on_click(self, number: int) -> None:
        (self.rejected if self.pair is Pair.PASS else self.taken_back).emit(number)


def _changes_text(found: Compared) -> str:
    return tr_count("{count} change", "{count} changes", len(found.alignment.change_places()))
