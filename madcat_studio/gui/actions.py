"""The one place that makes QActions of what is declared.

Menus, tool bars and the shortcut sheet are made from the same declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from madcat_studio.gui.declarations import MENUS, Action
from madcat_studio.gui.icons import icon
from madcat_studio.gui.keyboard import strokes
from madcat_studio.gui.keymap import Keymap
from madcat_studio.gui.keytips import KeyTip, native
from madcat_studio.gui.layouts import guessed, noticed
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr

__all__ = ["Actions"]


Owner = TypeVar("Owner")
_Later: TypeAlias = tuple[Callable[[], Iterable[Action[Any]]], Callable[[], Any]]


class Actions(QObject):
    """The QActions of the program, made once from their declarations. ``ran``: one was run."""

    ran = Signal()

    def __init__(
        self, window: QWidget, colours: Callable[[], Colours], keymap: Keymap | None = None
    ) -> None:
        super().__init__(window)
        self._window = window
        self._colours = colours
        self.keymap = keymap if keymap is not None else Keymap(parent=self)
        self.keymap.changed.connect(self._on_keys)
        self.layout = guessed(QGuiApplication.inputMethod().locale())
        self._later: dict[str, _Later] = {}
        self._bar: QMenuBar | None = None
        self._submenus: Mapping[Action[Any], QMenu] = {}
        self._declared: dict[str, Action[Any]] = {}
        self._titles: dict[str, str] = {}
        self._made: dict[str, QAction] = {}
        self._owners: dict[str, Callable[[], Any]] = {}
        self._menus: list[QMenu] = []
        self._with_icon: set[str] = set()
        self._told: set[str] = set()  # whose buttons name their keys

    def add(self, declared: Iterable[Action[Owner]], owner: Callable[[], Owner | None]) -> None:
        """Make actions; ``owner`` is asked at each use and may say that there is none now."""
        for declaration in declared:
            if declaration.id in self._declared:
                raise ValueError(f"two actions are called {declaration.id}")
            self._declared[declaration.id] = declaration
            if declaration.local:
                continue
            title = self._titles[declaration.id] = tr(declaration.title)
            made = QAction(title, self._window)
            made.setObjectName(declaration.id)
            made.setCheckable(declaration.checked is not None)
            self._give_keys(declaration, made)
            made.triggered.connect(self._runner(declaration.id))
            self._window.addAction(made)
            self._made[declaration.id] = made
            self._owners[declaration.id] = owner

    def add_later(
        self,
        part: str,
        declared: Callable[[], Iterable[Action[Any]]],
        owner: Callable[[], Any],
    ) -> None:
        """Make the actions whose ids begin with ``part`` when the first of them is needed.

        A view's actions can be used only in that view: until it is opened they would only slow
        the start.
        """
        self._later[part] = (declared, owner)

    def make(self, part: str) -> None:
        """Make the actions of a part that was put off, if they are not there yet."""
        if part in self._later:
            self._make_part(part)

    def _make_part(self, part: str) -> None:
        declared, owner = self._later.pop(part)
        self.add(declared(), owner)
        if self._bar is not None:
            self.fill(self._bar, self._submenus)

    def __getitem__(self, action: Action[Any]) -> QAction:
        return self.named(action.id)

    def named(self, identifier: str) -> QAction:
        """An action by its id, for those who have only that."""
        part = identifier.partition(".")[0]
        if identifier not in self._made and part in self._later:
            self._make_part(part)
        self._give_icon(identifier)
        return self._made[identifier]

    def declared(self) -> Sequence[Action[Any]]:
        """All actions as declared, in order, with the keys that they have now."""
        if self._later:
            for part in tuple(self._later):
                self._make_part(part)
            # Those of other views have the same keys: two that can be used would both do nothing.
            self.refresh()
        return tuple(
            action._replace(shortcut=self.keymap.keys(action)) for action in self._declared.values()
        )

    def there(self) -> Sequence[tuple[Action[Any], QAction]]:
        """The actions of the view in front and of the window, as they are now."""
        self.refresh()
        return [
            (self._declared[identifier], made)
            for identifier, made in self._made.items()
            if made.isVisible()
        ]

    def key(self, action: Action[Any]) -> str:
        """What to press for an action, as people read it; without a key, what its menu calls it."""
        said = native(self.keymap.keys(action))
        if len(said) > 1:
            return said
        return tr("“{what}”", what=said or tr(action.title).replace("&", "").rstrip("…."))

    def name_key(self, widget: QWidget, action: Action[Any]) -> None:
        """Name an action's key in a widget's tip from now on, behind what the tip says."""
        KeyTip(widget, lambda: native(self.keymap.keys(action)), self.keymap)

    def declaration(self, identifier: str) -> Action[Any]:
        """One action with the keys that it was declared with."""
        return self._declared[identifier]

    def _give_keys(self, declaration: Action[Any], made: QAction) -> None:
        """Its keys, and the tip that names the first of them."""
        made.setShortcuts([QKeySequence(keys) for keys in self.keymap.keys(declaration)])
        plain = tr(declaration.title).replace("&", "").rstrip("….")
        made.setStatusTip(tr(declaration.hint) if declaration.hint else plain)
        keys = made.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        made.setToolTip(f"{plain} ({keys})" if keys else plain)

    def _on_keys(self, identifier: str) -> None:
        if identifier in self._made:
            self._give_keys(self._declared[identifier], self._made[identifier])

    def refresh(self) -> None:
        """Ask the owners again what can be done and what is switched on."""
        owners = {ask: ask() for ask in set(self._owners.values())}
        for identifier, made in self._made.items():
            action, owner = self._declared[identifier], owners[self._owners[identifier]]
            # Two views may have an undo of their own: only that of the view in front is there.
            made.setVisible(owner is not None)
            if owner is None:
                made.setEnabled(False)
                continue
            if identifier not in self._told:
                self._told.add(identifier)
                for button in action.buttons(owner):
                    self.name_key(button, action)
            made.setEnabled(action.enabled(owner))
            if action.checked is not None:
                made.setChecked(action.checked(owner))
            made.setText(action.label(owner) or self._titles[identifier])
        for menu in self._menus:
            entries = (entry for entry in menu.actions() if not entry.isSeparator())
            menu.menuAction().setVisible(any(entry.isVisible() for entry in entries))

    def meant(self, event: QKeyEvent) -> QAction | None:
        """What a key means that Qt gives no action for: it knows the layouts, but no places."""
        self.layout = noticed(event, self.layout)
        wanted = strokes(event)
        if len(wanted) == 1:
            return None  # as labelled, which Qt has seen
        # Also one that cannot be used now: its keys do not fall to another meanwhile.
        there = [made for made in self._made.values() if made.isVisible()]
        for keys in map(QKeySequence, wanted):
            for made in there:
                if keys in made.shortcuts():
                    return made
        return None

    def apply_theme(self) -> None:
        """Give the icons the colours of the theme."""
        shown, self._with_icon = self._with_icon, set()
        for identifier in shown:
            self._give_icon(identifier)

    def _give_icon(self, identifier: str) -> None:
        """Give an action its icon, where it is to be seen: all of them would slow the start."""
        name = self._declared[identifier].icon
        if name and identifier not in self._with_icon:
            self._with_icon.add(identifier)
            made = self._made[identifier]
            ratio = self._window.devicePixelRatioF()
            made.setIcon(icon(name, self._colours(), checkable=made.isCheckable(), ratio=ratio))

    def fill(self, bar: QMenuBar, submenus: Mapping[Action[Any], QMenu]) -> None:
        """Build the menus. ``submenus``: a menu to put in place of an action."""
        self._bar, self._submenus = bar, submenus
        bar.clear()
        for menu in self._menus:
            menu.deleteLater()
        self._menus.clear()
        for key, title in MENUS.items():
            members = [
                action
                for action in self._declared.values()
                if action.menu == key and not action.local
            ]
            if not members:
                continue
            menu = bar.addMenu(tr(title))
            self._menus.append(menu)
            menu.aboutToShow.connect(self._icon_giver([action.id for action in members]))
            section = members[0].section
            for action in sorted(members, key=lambda member: member.section):
                if action.section != section:
                    menu.addSeparator()
                    section = action.section
                if action in submenus:
                    menu.addMenu(submenus[action])
                else:
                    menu.addAction(self._made[action.id])

    def _icon_giver(self, identifiers: list[str]) -> Callable[[], None]:
        def give_icons() -> None:
            for identifier in identifiers:
                self._give_icon(identifier)

        return give_icons

    def _runner(self, identifier: str) -> Callable[[bool], None]:
        def run(_: bool = False) -> None:
            action, owner = self._declared[identifier], self._owners[identifier]()
            if owner is not None and action.enabled(owner):
                action.run(owner)
                self.ran.emit()

        return run
