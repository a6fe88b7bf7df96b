"""Find and replace over the texts of a kit."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import tr, tr_count, tr_number
from madcat_studio.workspace.finding import Found, find, following, replaced
from madcat_studio.workspace.kit import KitChange, KitWorkspace

__all__ = ["FindBar"]


class FindBar(QFrame):
    """A bar below the kit. It changes texts through ``act`` only, as one step."""

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
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 12, 8)
        row.setSpacing(8)
        self.words = QLineEdit()
        self.words.setPlaceholderText(tr("Find in your texts"))
        self.words.setAccessibleName(tr("Find"))
        self.words.returnPressed.connect(self.find_next)
        self.words.textChanged.connect(lambda _: self._count())
        self.new = QLineEdit()
        self.new.setPlaceholderText(tr("Replace by"))
        self.new.setAccessibleName(tr("Replace by"))
        self.new.returnPressed.connect(self.replace_all)
        self.case = self._choice("find-case", tr("&Upper and lower case"), first=True)
        self.case.setToolTip(tr("A capital letter and a small one are different (Alt+U)"))
        self.whole = self._choice("find-whole", tr("&Whole words"), first=False)
        self.whole.setToolTip(
            tr("Leave out places within a longer word; “the” is not in “other” (Alt+W)")
        )
        self._said = QLabel()
        after = QPushButton(tr("Ne&xt"))
        after.setToolTip(tr("Show the next place behind the caret (Enter, Alt+X)"))
        after.clicked.connect(self.find_next)
        every = QPushButton(tr("Replace &all"))
        every.setToolTip(tr("In the whole kit; undo takes it back as one step (Alt+A)"))
        every.clicked.connect(self.replace_all)
        for field in (self.words, self.new):
            field.setMinimumWidth(160)
            row.addWidget(field, 2)
        for button in (self.case, self.whole, after, every):
            # By its letter it is pressed while the keyboard stays in the words.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)
        row.addWidget(self._said, 1)
        self.hide()

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
        return find(
            self._texts(),
            self.words.text(),
            case=self.case.isChecked(),
            whole=self.whole.isChecked(),
        )

    def _count(self) -> None:
        places = self._places()
        segments = len({one.index for one in places})
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
        kit = self._workspace()
        if kit is None:
            return
        own = kit.own(kit.current)
        found = following(self._places(), kit.current, max(own.caret, own.anchor))
        if found is not None:
            self._show(found)

    def replace_all(self) -> None:
        """Replace everywhere in the kit, as one step that undo takes back."""
        texts, new = self._texts(), self.new.text()
        kit = self._workspace()
        changed, count = replaced(
            texts,
            self.words.text(),
            new,
            case=self.case.isChecked(),
            whole=self.whole.isChecked(),
        )
        if kit is not None:
            # Where the system gave nothing there is nothing to edit.
            changed = {row: text for row, text in changed.items() if kit.segments[row].output}
        if changed:
            self._act(lambda kit: kit.replace_all(changed, tr("Replace")))
        self._said.setText(
            tr_count(
                "{done} replaced in {count} segment",
                "{done} replaced in {count} segments",
                len(changed),
                done=tr_number(count),
            )
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        else:
            super().keyPressEvent(event)
