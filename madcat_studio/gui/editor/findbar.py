"""Find and replace over the texts of a kit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import tr, tr_count, tr_number
from madcat_studio.model.campaign import SegmentState
from madcat_studio.workspace.finding import Found, find, following, preceding, replaced
from madcat_studio.workspace.kit import KitChange, KitWorkspace

__all__ = ["FindBar"]

_KINDS = 3
"""Texts of a segment in which is looked: its own, the reference, the output, in this order."""


class _Field(QLineEdit):
    """A line whose Enter is told with what is held: ``entered`` carries whether Shift is."""

    entered = Signal(bool)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)


class FindBar(QFrame):
    """A bar below the kit. It changes texts through ``act`` only, as one step.

    Signals:
        read: a place of a reference or an output was found: segment, whether it is the output's,
            start and end.
    """

    read = Signal(int, bool, int, int)

    def __init__(
        self,
        workspace: Callable[[], KitWorkspace | None],
        show: Callable[[Found], None],
        act: Callable[[Callable[[KitWorkspace], KitChange]], None],
        leave: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        """Make the bar, hidden.

        Args:
            workspace: the open kit.
            show: shows and selects a place.
            act: does something with the kit and shows what came of it.
            leave: gives the keyboard back.
            parent: as for any widget.
        """
        super().__init__(parent)
        self._workspace, self._show, self._act, self._leave = workspace, show, act, leave
        self.setObjectName("toolbar")
        self._last: tuple[Found, tuple[int, int, int]] | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 12, 8)
        column.setSpacing(6)
        row, below = QHBoxLayout(), QHBoxLayout()
        for one in (row, below):
            one.setSpacing(8)
            column.addLayout(one)
        self.words = _Field()
        self.words.setPlaceholderText(tr("Find in your texts"))
        self.words.setAccessibleName(tr("Find"))
        self.words.entered.connect(lambda back: self.find_previous() if back else self.find_next())
        self.words.textChanged.connect(self._on_words)
        self.new = _Field()
        self.new.setPlaceholderText(tr("Replace by"))
        self.new.setAccessibleName(tr("Replace by"))
        self.new.entered.connect(lambda back: self.find_previous() if back else self.replace_one())
        self.case = self._choice("find-case", tr("&Upper and lower case"), first=True)
        self.case.setToolTip(tr("A capital letter and a small one are different (Alt+U)"))
        self.whole = self._choice("find-whole", tr("&Whole words"), first=False)
        self.whole.setToolTip(
            tr("Skip places inside a longer word; “the” does not match “other” (Alt+W)")
        )
        self.given = self._choice("find-given", tr("&Reference and output too"), first=False)
        self.given.setToolTip(tr("Search there as well; only your text is replaced (Alt+R)"))
        self._said = QLabel()
        before = self._button(
            tr("&Previous"), tr("Show the place before (Shift+Enter, Alt+P)"), self.find_previous
        )
        after = self._button(
            tr("Ne&xt"), tr("Show the next place after the caret (Enter, Alt+X)"), self.find_next
        )
        this = self._button(
            tr("Replace th&is"),
            tr("Replace the place that is selected, and go to the next (Enter, Alt+I)"),
            self.replace_one,
        )
        every = self._button(
            tr("Replace &all"),
            tr("In the whole kit; one step to undo (Alt+A)"),
            self.replace_all,
        )
        for field in (self.words, self.new):
            field.setMinimumWidth(160)
            row.addWidget(field, 2)
        for button in (before, after, this, every):
            row.addWidget(button)
        for box in (self.case, self.whole, self.given):
            box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            below.addWidget(box)
        below.addWidget(self._said, 1)
        self.hide()

    def _button(self, title: str, tip: str, act: Callable[[], None]) -> QPushButton:
        button = QPushButton(title)
        button.setToolTip(tip)
        button.clicked.connect(lambda: act())
        # By its letter it is pressed while the keyboard stays in the words.
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _choice(self, key: str, title: str, *, first: bool) -> QCheckBox:
        """A box to tick, as it was left at the last time; ``first``: at the very first."""
        box = QCheckBox(title)
        box.setChecked(bool(window_state().value(key, first, type=bool)))

        def toggled(on: bool) -> None:
            window_state().setValue(key, on)
            self._count()

        box.toggled.connect(toggled)
        return box

    @property
    def said(self) -> str:
        """What the bar says: how many places there are, what was replaced."""
        return self._said.text()

    def begin(self, words: str) -> None:
        """Show the bar, with the selected words to look for."""
        self.show()
        if words:
            self.words.setText(words)
        self.words.setFocus()
        self.words.selectAll()
        self._count()

    def close_bar(self) -> None:
        """Hide the bar."""
        self.hide()
        self._leave()

    def _texts(self) -> list[str]:
        kit = self._workspace()
        return [] if kit is None else [kit.own(row).text for row in range(len(kit.segments))]

    def _places(self) -> tuple[Found, ...]:
        """All places: of each segment those of the own text, of the reference, of the output."""
        kit = self._workspace()
        if kit is None:
            return ()
        texts: list[str] = []
        for own, segment in zip(self._texts(), kit.segments, strict=True):
            given = self.given.isChecked()
            texts += [own, *((segment.reference, segment.output) if given else ("", ""))]
        return find(
            texts, self.words.text(), case=self.case.isChecked(), whole=self.whole.isChecked()
        )

    def _on_words(self) -> None:
        self._last = None
        self._count()

    def _count(self) -> None:
        places = self._places()
        segments = len({one.index // _KINDS for one in places})
        self._said.setText(
            tr_count(
                "{found} in {count} segment",
                "{found} in {count} segments",
                segments,
                found=tr_number(len(places)),
            )
            if self.words.text()
            else ""
        )

    def find_next(self) -> None:
        """Show the next place after the caret, from the start again after the end."""
        self._find(following, forward=True)

    def find_previous(self) -> None:
        """Show the place before the caret, from the end again before the start."""
        self._find(preceding, forward=False)

    def _find(
        self, step: Callable[[Sequence[Found], int, int], Found | None], *, forward: bool
    ) -> None:
        kit = self._workspace()
        if kit is None:
            return
        own = kit.own(kit.current)
        here = (kit.current, own.caret, own.anchor)
        index, place = kit.current * _KINDS, (max if forward else min)(own.caret, own.anchor)
        if self._last is not None and self._last[1] == here:
            # In a text to read there is no caret: on from what was shown.
            index = self._last[0].index
            place = self._last[0].end if forward else self._last[0].start
        found = step(self._places(), index, place)
        self._last = None
        if found is None:
            return
        row, kind = divmod(found.index, _KINDS)
        if kind == 0:
            self._show(Found(row, found.start, found.end))
            return
        self.read.emit(row, kind == 2, found.start, found.end)
        own = kit.own(kit.current)
        self._last = found, (kit.current, own.caret, own.anchor)

    def replace_one(self) -> None:
        """Replace the place that is selected, and show the next; where none is, show the next."""
        kit = self._workspace()
        if kit is None:
            return
        row = kit.current
        own = kit.own(row)
        start, end = sorted((own.caret, own.anchor))
        if Found(row * _KINDS, start, end) in self._places() and kit.segments[row].output:
            text = own.text[:start] + self.new.text() + own.text[end:]
            behind = start + len(self.new.text())
            self._act(lambda kit: kit.replace_all({row: text}, tr("Replace")))
            kit.move_caret(behind)
        self.find_next()
        self._count()

    def replace_all(self) -> None:
        """Replace everywhere in the kit, as one step that undo takes back."""
        texts, new = self._texts(), self.new.text()
        kit = self._workspace()
        changed, _ = replaced(
            texts,
            self.words.text(),
            new,
            case=self.case.isChecked(),
            whole=self.whole.isChecked(),
        )
        if kit is None:
            return
        # Where the system gave nothing there is nothing to edit.
        changed = {row: text for row, text in changed.items() if kit.segments[row].output}
        done = sum(
            one.index // _KINDS in changed and one.index % _KINDS == 0 for one in self._places()
        )
        confirmed = sum(kit.own(row).state is SegmentState.CONFIRMED for row in changed)
        keep = self._ask(confirmed) if confirmed else False
        if keep is None:
            return
        if changed:
            self._act(lambda kit: kit.replace_all(changed, tr("Replace"), confirmed=keep))
        said = tr_count(
            "{done} replaced in {count} segment",
            "{done} replaced in {count} segments",
            len(changed),
            done=tr_number(done),
        )
        if confirmed and not keep:
            said += tr("; ") + tr_count(
                "{count} confirmed one is a draft again",
                "{count} confirmed ones are drafts again",
                confirmed,
            )
        self._said.setText(said)

    def _ask(self, confirmed: int) -> bool | None:
        """Whether what was confirmed stays so; None where nothing is to be replaced."""
        asked = QMessageBox(self)
        asked.setWindowTitle(tr("Replace all"))
        asked.setText(
            tr_count(
                "{count} of the segments is confirmed. What should happen to it?",
                "{count} of the segments are confirmed. What should happen to them?",
                confirmed,
            )
        )
        keep = asked.addButton(tr("&Keep confirmed"), QMessageBox.ButtonRole.AcceptRole)
        again = asked.addButton(tr("Make &drafts, to check again"), QMessageBox.ButtonRole.YesRole)
        asked.addButton(QMessageBox.StandardButton.Cancel)
        asked.exec()
        chosen = asked.clickedButton()
        asked.deleteLater()
        return True if chosen is keep else False if chosen is again else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        else:
            super().keyPressEvent(event)
