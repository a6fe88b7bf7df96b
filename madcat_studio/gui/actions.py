"""Actions as data: id, title, menu, shortcut, icon; and the one place that makes QActions of them.

A part of the window (the shell, a view) declares its actions as a tuple of :class:`Action` and
says, as an :class:`ActionHost`, what each does, whether it can be used now and whether it is
checked. Menus, tool bars and the shortcut sheet are made from the same list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from madcat_studio.gui.icons import icon
from madcat_studio.gui.keymap import Keymap
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import mark, tr

__all__ = ["MENUS", "Action", "ActionHost", "Actions", "Key"]

MENUS: dict[str, str] = {
    "file": mark("&File"),
    "edit": mark("&Edit"),
    "view": mark("&View"),
    "picture": mark("P&icture"),
    "outlines": mark("&Outlines"),
    "canvas": mark("On the page"),
    "page": mark("&Page"),
    "kit": mark("&Kit"),
    "plan": mark("P&lan"),
    "board": mark("&Board"),
    "report": mark("&Report"),
    "scorecard": mark("E&valuation"),
    "help": mark("&Help"),
}
"""The menus in order. A menu without any action is not shown."""


class Action(NamedTuple):
    """One thing that a user can do.

    Attributes:
        id: ``part.verb``, unique.
        title: as in the menu, with ``&`` before its letter; goes through translation.
        menu: a key of :data:`MENUS`; "" for an action that is only on a tool bar.
        shortcut: portable texts such as ``Ctrl+S``; the first is shown.
        icon: the name of a file in resources/icons, or "".
        checkable: whether it is switched on and off.
        section: actions of one menu with different numbers are kept apart by a line.
        hint: one sentence for the status bar and the tool tip.
        local: whether its keys mean this only within a part of its view, which takes them itself:
            it is in no menu, but its keys are in the sheet and can be changed like all others.
    """

    id: str
    title: str
    menu: str
    shortcut: tuple[str, ...] = ()
    icon: str = ""
    checkable: bool = False
    section: int = 0
    hint: str = ""
    local: bool = False


class Key(NamedTuple):
    """A key that works within one part of the window only; for the shortcut sheet."""

    keys: str
    meaning: str


class ActionHost(Protocol):
    """Who does what actions say."""

    def trigger(self, action: str, checked: bool) -> None:
        """Do it."""

    def can(self, action: str) -> bool:
        """Whether it can be done now."""
        ...

    def is_checked(self, action: str) -> bool:
        """Whether it is switched on."""
        ...

    def title_of(self, action: str) -> str | None:
        """A title that depends on the state (``Undo: move a vertex``), None for the declared."""
        ...


_Later: TypeAlias = tuple[Callable[[], Iterable[Action]], Callable[[], ActionHost | None]]


class Actions(QObject):
    """The QActions of the program, made once from their declarations."""

    def __init__(
        self, window: QWidget, colours: Callable[[], Colours], keymap: Keymap | None = None
    ) -> None:
        super().__init__(window)
        self._window = window
        self._colours = colours
        self.keymap = keymap if keymap is not None else Keymap(parent=self)
        self.keymap.changed.connect(self._on_keys)
        self._later: dict[str, _Later] = {}
        self._bar: QMenuBar | None = None
        self._submenus: dict[str, QMenu] = {}
        self._declared: dict[str, Action] = {}
        self._titles: dict[str, str] = {}
        self._made: dict[str, QAction] = {}
        self._hosts: dict[str, Callable[[], ActionHost | None]] = {}
        self._menus: list[QMenu] = []
        self._with_icon: set[str] = set()

    def add(self, declared: Iterable[Action], host: Callable[[], ActionHost | None]) -> None:
        """Make actions; ``host`` is asked at each use and may say that there is none now."""
        for declaration in declared:
            if declaration.id in self._declared:
                raise ValueError(f"two actions are called {declaration.id}")
            self._declared[declaration.id] = declaration
            if declaration.local:
                continue
            title = self._titles[declaration.id] = tr(declaration.title)
            made = QAction(title, self._window)
            made.setObjectName(declaration.id)
            made.setCheckable(declaration.checkable)
            self._give_keys(declaration, made)
            made.triggered.connect(self._runner(declaration.id))
            self._window.addAction(made)
            self._made[declaration.id] = made
            self._hosts[declaration.id] = host

    def add_later(
        self,
        part: str,
        declared: Callable[[], Iterable[Action]],
        host: Callable[[], ActionHost | None],
    ) -> None:
        """Make the actions whose ids begin with ``part`` when the first of them is needed.

        A view's actions can be used only in that view: until it is opened they would only slow
        the start.
        """
        self._later[part] = (declared, host)

    def make(self, part: str) -> None:
        """Make the actions of a part that was put off, if they are not there yet."""
        if part in self._later:
            self._make_part(part)

    def _make_part(self, part: str) -> None:
        declared, host = self._later.pop(part)
        self.add(declared(), host)
        if self._bar is not None:
            self.fill(self._bar, self._submenus)

    def __getitem__(self, identifier: str) -> QAction:
        part = identifier.partition(".")[0]
        if identifier not in self._made and part in self._later:
            self._make_part(part)
        self._give_icon(identifier)
        return self._made[identifier]

    def declared(self) -> Sequence[Action]:
        """All actions as declared, in order, with the keys that they have now."""
        if self._later:
            for part in tuple(self._later):
                self._make_part(part)
            # Those of other views have the same keys: two that can be used would both do nothing.
            self.refresh()
        return tuple(
            action._replace(shortcut=self.keymap.keys(action)) for action in self._declared.values()
        )

    def declaration(self, identifier: str) -> Action:
        """One action with the keys that it was declared with."""
        return self._declared[identifier]

    def _give_keys(self, declaration: Action, made: QAction) -> None:
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
        """Ask the hosts again what can be done and what is switched on."""
        hosts = {ask: ask() for ask in set(self._hosts.values())}
        for identifier, made in self._made.items():
            host = hosts[self._hosts[identifier]]
            # Two views may have an undo of their own: only that of the view in front is there.
            made.setVisible(host is not None)
            if host is None:
                made.setEnabled(False)
                continue
            made.setEnabled(host.can(identifier))
            if self._declared[identifier].checkable:
                made.setChecked(host.is_checked(identifier))
            made.setText(host.title_of(identifier) or self._titles[identifier])
        for menu in self._menus:
            entries = (entry for entry in menu.actions() if not entry.isSeparator())
            menu.menuAction().setVisible(any(entry.isVisible() for entry in entries))

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

    def fill(self, bar: QMenuBar, submenus: dict[str, QMenu]) -> None:
        """Build the menus. ``submenus``: a menu to put in place of the action of that id."""
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
                if action.id in submenus:
                    menu.addMenu(submenus[action.id])
                else:
                    menu.addAction(self._made[action.id])

    def _icon_giver(self, identifiers: list[str]) -> Callable[[], None]:
        def give_icons() -> None:
            for identifier in identifiers:
                self._give_icon(identifier)

        return give_icons

    def _runner(self, identifier: str) -> Callable[[bool], None]:
        def run(checked: bool = False) -> None:
            host = self._hosts[identifier]()
            if host is not None and host.can(identifier):
                host.trigger(identifier, checked)

        return run
