"""All that can be done, found by its words: one field, one list, Enter does it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.translation import tr

__all__ = ["Entry", "Palette", "folded"]

_SAME = {ord("ة"): "ه", ord("ى"): "ي", ord("ـ"): None}
"""Letters of Arabic that people write for one another; the last one only makes a word wider."""

_NUMBER = Qt.ItemDataRole.UserRole
_WALKS = {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}


class Entry(NamedTuple):
    """An action as the palette shows it.

    Attributes:
        title: as in the menu, without the mark of its letter.
        menu: where it stands.
        hint: more words by which it is found.
        made: what runs it.
        english: its title in English, as the manual has it.
        more_english: its menu and its hint in English.
    """

    title: str
    menu: str
    hint: str
    made: QAction
    english: str = ""
    more_english: str = ""

    def rank(self, words: Sequence[str]) -> int | None:
        """How well folded words fit, 0 the best; None where one of them is not there."""
        titles = (folded(self.title), folded(self.english))
        more = folded(f"{self.menu} {self.hint} {self.more_english}")
        if not all(word in f"{titles[0]} {titles[1]} {more}" for word in words):
            return None
        return min(_rank(title, words) for title in titles)


def _rank(title: str, words: Sequence[str]) -> int:
    if words and title.startswith(words[0]):
        return 0
    if all(f" {word}" in title for word in words):
        return 1
    return 2 if all(word in title for word in words) else 3


def folded(text: str) -> str:
    """A text as it is looked for: in small letters, without accents, hamzas and vowel signs."""
    parts = unicodedata.normalize("NFKD", text.casefold().translate(_SAME))
    return "".join(part for part in parts if not unicodedata.combining(part))


class Palette(QDialog):
    """Shows entries and runs the chosen one. ``chosen`` carries its action, once it is closed."""

    chosen = Signal(QAction)

    def __init__(self, entries: Sequence[Entry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Find an action"))
        self.resize(640, 460)
        self._entries = entries
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 12)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("What would you like to do?"))
        self.search.setAccessibleName(tr("What would you like to do?"))
        self.search.textChanged.connect(self._show)
        self.search.returnPressed.connect(self._take)
        self.search.installEventFilter(self)
        layout.addWidget(self.search)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(tr("Actions and their keys"))
        self.tree.setHeaderHidden(True)
        self.tree.setColumnCount(3)
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            self.tree.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.itemClicked.connect(lambda *_: self._take())
        layout.addWidget(self.tree, 1)
        self._hint = QLabel()
        self._hint.setObjectName("quiet")
        self._hint.setWordWrap(True)
        self._hint.setMinimumHeight(2 * self._hint.fontMetrics().lineSpacing())
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._hint)
        self.tree.currentItemChanged.connect(lambda item, _: self._tell(item))
        self._show("")
        self.search.setFocus()

    def titles(self) -> list[str]:
        """The titles that are shown, from the top."""
        rows = (self.tree.topLevelItem(row) for row in range(self.tree.topLevelItemCount()))
        return [row.text(0) for row in rows if row is not None]

    def _show(self, text: str) -> None:
        words = folded(text).split()
        ranked = [(one.rank(words), number) for number, one in enumerate(self._entries)]
        # What cannot be done now comes after what can.
        fits = sorted(
            (not self._entries[number].made.isEnabled(), rank, number)
            for rank, number in ranked
            if rank is not None
        )
        self.tree.clear()
        for resting, _, number in fits:
            entry = self._entries[number]
            keys = entry.made.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            # In a mirrored window a comma or a stroke would change its side.
            keys = f"\u2066{keys}\u2069" if keys and self.isRightToLeft() else keys
            item = QTreeWidgetItem([entry.title, entry.menu, keys])
            item.setData(0, _NUMBER, number)
            item.setDisabled(resting)
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.tree.addTopLevelItem(item)
        first = self.tree.topLevelItem(0)
        if first is None:
            self._hint.setText(tr("No action matches all these words."))
        else:
            self.tree.setCurrentItem(first)
            self._tell(first)

    def _tell(self, item: QTreeWidgetItem | None) -> None:
        if item is None:
            return
        entry = self._entries[item.data(0, _NUMBER)]
        self._hint.setText(tr("Not available now.") if item.isDisabled() else entry.hint)

    def _take(self) -> None:
        item = self.tree.currentItem()
        if item is None or item.isDisabled():
            return
        made = self._entries[item.data(0, _NUMBER)].made
        self.accept()
        self.chosen.emit(made)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys that walk in the list do so while the field has the focus."""
        if (
            watched is self.search
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in _WALKS
        ):
            self.tree.event(event)
            return True
        return super().eventFilter(watched, event)
