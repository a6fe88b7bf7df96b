"""The sheet of all keys: what one is doing comes first, and a word finds the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.declarations import MENUS, Action, Key
from madcat_studio.gui.layouts import LAYOUTS, US, Layout, cap
from madcat_studio.gui.settings import kept_number, window_state
from madcat_studio.gui.translation import tr

__all__ = ["SheetView", "ShortcutSheet"]

_SIZE, _SEARCH, _FRONT, _PLACE = (
    f"keys/sheet-{what}" for what in ("size", "search", "front", "place")
)


class SheetView(NamedTuple):
    """A view as the sheet shows it.

    Attributes:
        id: the part that the ids of its actions begin with.
        title: goes through translation.
        keys: those that work only within it.
    """

    id: str
    title: str
    keys: Sequence[Key]


class ShortcutSheet(QDialog):
    """Every shortcut and key on one sheet. ``change``: its user wants other keys."""

    change = Signal()

    def __init__(
        self,
        actions: Sequence[Action[Any]],
        views: Sequence[SheetView],
        front: str = "",
        parent: QWidget | None = None,
        *,
        layout: Layout = US,
    ) -> None:
        """Make the sheet.

        Args:
            actions: all actions with the keys that they have now.
            views: all views.
            front: the id of the view that one works in: its keys come first.
            parent: the window.
            layout: the keyboard on which they are named at first.
        """
        super().__init__(parent)
        self.setWindowTitle(tr("Shortcuts"))
        self.resize(860, 620)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(8, 8, 8, 14)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find an action or a key"))
        self.search.setAccessibleName(tr("Find an action or a key"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        outer.addWidget(self.search)
        self._nothing = QLabel(tr("No action or key matches."))
        self._nothing.setObjectName("quiet")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.hide()
        outer.addWidget(self._nothing)
        self._sections: list[_Section] = []
        self._what = (actions, views, front)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        outer.addWidget(self.area, 1)
        self._place = 0
        self.area.verticalScrollBar().rangeChanged.connect(self._on_range)
        self.keyboards = QComboBox()
        self.keyboards.setAccessibleName(tr("Keyboard"))
        for each in LAYOUTS:
            self.keyboards.addItem(tr(each.title), each)
        self.keyboards.setCurrentIndex(LAYOUTS.index(layout))
        self.keyboards.currentIndexChanged.connect(self._on_keyboard)
        self._fill()
        buttons = QDialogButtonBox()
        change = buttons.addButton(tr("Change keys…"), QDialogButtonBox.ButtonRole.ActionRole)
        change.setAutoDefault(False)
        change.clicked.connect(self.accept)
        change.clicked.connect(self.change)
        close = buttons.addButton(tr("Close"), QDialogButtonBox.ButtonRole.AcceptRole)
        close.setDefault(True)
        buttons.accepted.connect(self.accept)
        foot = QHBoxLayout()
        foot.addWidget(self.keyboards)
        foot.addWidget(buttons, 1)
        outer.addLayout(foot)
        self.search.setFocus()
        self._go_back()

    @property
    def layout_shown(self) -> Layout:
        """The keyboard on which the keys are named."""
        return LAYOUTS[self.keyboards.currentIndex()]

    # Where it was

    def _go_back(self) -> None:
        """As large as it was left, with the same search; at the same place, of the same view."""
        state = window_state()
        size = state.value(_SIZE)
        if isinstance(size, QSize):
            self.resize(size)
        self.search.setText(str(state.value(_SEARCH, "")))
        self.search.selectAll()  # whoever types looks for something else
        front, place = str(state.value(_FRONT, "")), kept_number(_PLACE, 0)
        if front == self._what[2]:
            self._scroll_to(place)

    def _scroll_to(self, place: int) -> None:
        """Once there is somewhere to go to: the sheet is not laid out yet."""
        self._place = place
        self._on_range(0, self.area.verticalScrollBar().maximum())

    def _on_range(self, _: int, most: int) -> None:
        if 0 < self._place <= most:
            self.area.verticalScrollBar().setValue(self._place)
            self._place = 0

    def done(self, result: int) -> None:
        """Closed, in whatever way: remember where it was."""
        state = window_state()
        state.setValue(_SIZE, self.size())
        state.setValue(_SEARCH, self.search.text())
        state.setValue(_FRONT, self._what[2])
        state.setValue(_PLACE, self.area.verticalScrollBar().value())
        super().done(result)

    def _on_keyboard(self) -> None:
        place = self.area.verticalScrollBar().value()
        self._fill()
        self._scroll_to(place)

    def _fill(self) -> None:
        """Name all keys as they are on the keyboard that is chosen."""
        actions, views, front = self._what
        self._sections.clear()
        page = QWidget()
        page.setObjectName("page")
        columns = QGridLayout(page)
        columns.setContentsMargins(14, 4, 14, 8)
        columns.setHorizontalSpacing(36)
        left, right = QVBoxLayout(), QVBoxLayout()
        columns.addLayout(left, 0, 0)
        columns.addLayout(right, 0, 1)
        columns.setColumnStretch(0, 1)
        columns.setColumnStretch(1, 1)
        for title, rows in _action_rows(actions, views, front, self.layout_shown):
            self._add(left, title, rows, narrow=True)
        for view in sorted(views, key=lambda each: each.id != front):
            rows = [(tr(key.meaning), tr(key.keys)) for key in view.keys]
            self._add(right, tr(view.title), rows, narrow=False)
        left.addStretch(1)
        right.addStretch(1)
        self.area.setWidget(page)
        self._filter(self.search.text())

    def headings(self) -> list[str]:
        """The titles of the sections that are shown, from the top of each column."""
        return [section.title for section in self._sections if not section.isHidden()]

    def shown(self) -> list[tuple[str, str]]:
        """(meaning, keys) of each line that is shown."""
        return [row for section in self._sections for row in section.shown()]

    def _add(
        self, column: QVBoxLayout, title: str, rows: list[tuple[str, str]], *, narrow: bool
    ) -> None:
        if rows:
            section = _Section(title, rows, narrow=narrow)
            column.addWidget(section)
            self._sections.append(section)

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        found = [section.keep(words) for section in self._sections]
        self._nothing.setVisible(not any(found))
        self.area.verticalScrollBar().setValue(0)


class _Section(QWidget):
    """A heading with its lines."""

    def __init__(self, title: str, rows: list[tuple[str, str]], *, narrow: bool) -> None:
        super().__init__()
        self.title, self._rows = title, rows
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        heading = QLabel(title)
        heading.setObjectName("section")
        heading.setContentsMargins(0, 12, 0, 2)
        layout.addWidget(heading)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        self._labels: list[tuple[QLabel, QLabel]] = []
        for number, (meaning, keys) in enumerate(rows):
            cap, text = QLabel(keys), QLabel(meaning)
            cap.setObjectName("quiet")
            cap.setWordWrap(not narrow)
            if narrow:
                cap.setMinimumWidth(110)  # more where a language has long names for keys
            else:
                cap.setFixedWidth(150)
            text.setWordWrap(True)
            grid.addWidget(cap, number, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text, number, 1, Qt.AlignmentFlag.AlignTop)
            self._labels.append((cap, text))
        layout.addLayout(grid)

    def shown(self) -> list[tuple[str, str]]:
        """The lines that are shown."""
        if self.isHidden():
            return []
        lines = zip(self._rows, self._labels, strict=True)
        return [row for row, (cap, _) in lines if not cap.isHidden()]

    def keep(self, words: Sequence[str]) -> bool:
        """Show the lines that have all words, in meaning, keys or heading; whether any has."""
        some = False
        for row, labels in zip(self._rows, self._labels, strict=True):
            text = " ".join((*row, self.title)).casefold()
            fits = all(word in text for word in words)
            some |= fits
            for label in labels:
                label.setVisible(fits)
        self.setVisible(some)
        return some


def _action_rows(
    actions: Sequence[Action[Any]], views: Sequence[SheetView], front: str, layout: Layout
) -> list[tuple[str, list[tuple[str, str]]]]:
    """(heading, lines): by menu of the view in front with the window's own, then of the others."""
    titles = {view.id: tr(view.title) for view in views}
    here: list[tuple[str, list[tuple[str, str]]]] = []
    elsewhere: list[tuple[str, list[tuple[str, str]]]] = []
    for menu, title in MENUS.items():
        plain = tr(title).replace("&", "")
        by_view: dict[str, list[tuple[str, str]]] = {}
        for action in actions:
            if action.menu == menu and action.shortcut:
                part = action.id.partition(".")[0]
                own = "" if part == front or part not in titles else part
                name = tr(action.title).replace("&", "").rstrip("…")
                by_view.setdefault(own, []).append((name, cap(action.shortcut[0], layout)))
        # The window may have an action that a view has too: it is one line.
        for view, rows in by_view.items():
            lines = list(dict.fromkeys(rows))
            if view:
                elsewhere.append((f"{titles[view]}: {plain}", lines))
            else:
                here.append((plain, lines))
    # The view's own menus stand before those that it shares with the window.
    parts: dict[str, set[str]] = {}
    for action in actions:
        if action.menu:
            title = tr(MENUS[action.menu]).replace("&", "")
            parts.setdefault(title, set()).add(action.id.partition(".")[0])
    here.sort(key=lambda section: (front not in parts[section[0]], parts[section[0]] != {front}))
    return [*here, *elsewhere]
