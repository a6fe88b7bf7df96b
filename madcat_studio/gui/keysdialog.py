"""The dialog in which its user gives actions other keys; a conflict is told before it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.actions import Actions
from madcat_studio.gui.declarations import MENUS, Action
from madcat_studio.gui.keymap import conflicts
from madcat_studio.gui.layouts import choose
from madcat_studio.gui.translation import tr

__all__ = ["KeysDialog", "show_shortcuts"]

_ID = Qt.ItemDataRole.UserRole


class KeysDialog(QDialog):
    """All actions with their keys; what is changed holds at once."""

    def __init__(
        self,
        commands: Actions,
        views: Sequence[str],
        fixed: Mapping[str, Sequence[str]],
        parent: QWidget | None = None,
    ) -> None:
        """Make the dialog.

        Args:
            commands: the program's actions.
            views: the ids of views; see :func:`~madcat_studio.gui.keymap.conflicts`.
            fixed: by view, keys that work within it and cannot be changed.
            parent: the window.
        """
        super().__init__(parent)
        self.setWindowTitle(tr("Change keys"))
        self.resize(720, 620)
        self._commands, self._views, self._fixed = commands, views, fixed
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 16)
        column.setSpacing(10)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Search actions and keys"))
        self.filter.setAccessibleName(tr("Search actions and keys"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._show_matching)
        column.addWidget(self.filter)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(tr("Actions and their keys"))
        self.tree.setHeaderLabels([tr("Action"), tr("Menu"), tr("Keys")])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().resizeSection(2, 190)
        self.tree.currentItemChanged.connect(lambda *_: self._show_current())
        column.addWidget(self.tree, 1)
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setMinimumHeight(36)
        column.addWidget(self.note)
        row = QHBoxLayout()
        self.edit = QKeySequenceEdit()
        self.edit.setMaximumSequenceLength(1)
        self.edit.setAccessibleName(tr("New keys"))
        self.edit.setToolTip(tr("Press the new keys for the action"))
        self.edit.keySequenceChanged.connect(lambda _: self._tell())
        row.addWidget(self.edit, 1)
        self.take = self._button(row, tr("Use these"), self._take)
        self.none = self._button(row, tr("No keys"), lambda: self._set(()))
        self.default = self._button(row, tr("Reset"), self._set_default)
        column.addLayout(row)
        buttons = QDialogButtonBox()
        every = buttons.addButton(tr("Reset all"), QDialogButtonBox.ButtonRole.ResetRole)
        every.setAutoDefault(False)
        every.clicked.connect(self._reset)
        close = buttons.addButton(tr("Close"), QDialogButtonBox.ButtonRole.AcceptRole)
        close.setAutoDefault(False)
        buttons.accepted.connect(self.accept)
        column.addWidget(buttons)
        self._fill()

    @staticmethod
    def _button(row: QHBoxLayout, text: str, run: object) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.clicked.connect(run)
        row.addWidget(button)
        return button

    def _fill(self) -> None:
        """All rows, in the order of the menus."""
        current = self._current()
        self.tree.clear()
        order = list(MENUS)
        actions = [action for action in self._commands.declared() if action.menu in MENUS]
        for action in sorted(actions, key=lambda each: order.index(each.menu)):
            title = tr(action.title).replace("&", "").rstrip("…")
            row = QTreeWidgetItem(
                [title, tr(MENUS[action.menu]).replace("&", ""), _native(action.shortcut)]
            )
            row.setData(0, _ID, action.id)
            if self._commands.keymap.is_own(self._commands.declaration(action.id)):
                font = row.font(2)
                font.setBold(True)
                row.setFont(2, font)
            self.tree.addTopLevelItem(row)
            if current is not None and action.id == current.id:
                self.tree.setCurrentItem(row)
        first = self.tree.topLevelItem(0)
        if self.tree.currentItem() is None and first is not None:
            self.tree.setCurrentItem(first)
        self._show_matching(self.filter.text())
        self._show_current()

    def _show_matching(self, text: str) -> None:
        wanted = text.strip().casefold()
        for number in range(self.tree.topLevelItemCount()):
            row = self.tree.topLevelItem(number)
            if row is not None:
                said = " ".join(row.text(column) for column in range(3)).casefold()
                row.setHidden(wanted not in said)

    def choose(self, identifier: str) -> None:
        """Mark an action."""
        for number in range(self.tree.topLevelItemCount()):
            row = self.tree.topLevelItem(number)
            if row is not None and row.data(0, _ID) == identifier:
                self.tree.setCurrentItem(row)

    def _current(self) -> Action[Any] | None:
        """The marked action, as declared."""
        row = self.tree.currentItem()
        return None if row is None else self._commands.declaration(row.data(0, _ID))

    def _show_current(self) -> None:
        action = self._current()
        if action is None:
            return
        keys = self._commands.keymap.keys(action)
        self.edit.setKeySequence(QKeySequence(keys[0]) if keys else QKeySequence())
        self.none.setEnabled(bool(keys))
        self.default.setEnabled(self._commands.keymap.is_own(action))
        self._tell()

    def _wanted(self) -> str:
        return self.edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText)

    def _tell(self) -> None:
        """Say what the new keys would do."""
        action, keys = self._current(), self._wanted()
        if action is None:
            return
        others = self._conflicts(action, keys)
        now = self._commands.keymap.keys(action)
        self.take.setEnabled(bool(keys) and keys not in now[:1] and not others)
        if not keys or keys in now[:1]:
            self.note.setText(tr(action.hint) if action.hint else "")
        elif others:
            self.note.setText(
                tr(
                    "{keys} is used by “{others}”. Give that action other keys first, or choose "
                    "others here.",
                    keys=_native((keys,)),
                    others="”, “".join(others),
                )
            )
        else:
            self.note.setText(tr("{keys} is free.", keys=_native((keys,))))

    def _conflicts(self, action: Action[Any], keys: str) -> list[str]:
        if not keys:
            return []
        return conflicts(action, (keys,), self._commands.declared(), self._views, self._fixed)

    def _take(self) -> None:
        self._set((self._wanted(),))

    def _set_default(self) -> None:
        action = self._current()
        if action is None:
            return
        taken = [other for keys in action.shortcut for other in self._conflicts(action, keys)]
        if taken:
            self.note.setText(
                tr(
                    (
                        "Its default keys are now used by “{others}”. Give that action other keys "
                        "first."
                    ),
                    others="”, “".join(taken),
                )
            )
            return
        self._set(action.shortcut)

    def _set(self, keys: tuple[str, ...]) -> None:
        action = self._current()
        if action is not None:
            self._commands.keymap.set(action, keys)
            self._fill()

    def _reset(self) -> None:
        self._commands.keymap.reset()
        self._fill()


def show_shortcuts(commands: Actions, window: QWidget, front: str = "") -> None:
    """Show the sheet of all keys, and from it the dialog that changes them.

    ``front``: the id of the view that one works in.
    """
    from madcat_studio.gui.views import VIEWS

    while _wants_change(commands, window, front):
        fixed = {spec.id: spec.fixed() for spec in VIEWS}
        dialog = KeysDialog(commands, [spec.id for spec in VIEWS], fixed, window)
        dialog.exec()
        dialog.deleteLater()
        # And back to the sheet, with the keys as they are now.


def _wants_change(commands: Actions, window: QWidget, front: str) -> bool:
    """Show the sheet; whether the user wants to change keys."""
    from madcat_studio.gui.shortcutsheet import SheetView, ShortcutSheet
    from madcat_studio.gui.views import VIEWS

    views = [SheetView(spec.id, spec.title, spec.keys()) for spec in VIEWS]
    sheet = ShortcutSheet(commands.declared(), views, front, window, layout=commands.layout)
    changes: list[bool] = []
    sheet.change.connect(lambda: changes.append(True))
    sheet.exec()
    if sheet.layout_shown is not commands.layout:
        commands.layout = sheet.layout_shown
        choose(commands.layout)
    sheet.deleteLater()
    return bool(changes)


def _native(keys: Sequence[str]) -> str:
    return "   ".join(
        QKeySequence(each).toString(QKeySequence.SequenceFormat.NativeText) for each in keys
    )
