"""Actions as data: what a user can do, where it stands in the menus, and what it does.

A part of the window declares its actions in a light module beside it, with their verbs::

    board: Declarations[BoardView] = Declarations("board")

    board("refresh", mark("&Look again"), "board", ("F5",), run=lambda view: view.look_again())

A verb takes the owner of the action, the view that is in front. Its class is imported for the type
checker only, so that no view is loaded to build the menus. The other way round no owner imports
its declarations: it has methods, and is handed the bars that it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from madcat_studio.gui.translation import mark, tr
from madcat_studio.model.doors import Door

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

__all__ = ["MENUS", "Action", "Bar", "Declarations", "Key", "MenuName", "redo_title", "undo_title"]

MenuName: TypeAlias = Literal[
    "file",
    "edit",
    "view",
    "picture",
    "outlines",
    "canvas",
    "page",
    "kit",
    "corpus",
    "plan",
    "board",
    "report",
    "scorecard",
    "help",
]

MENUS: dict[MenuName, str] = {
    "file": mark("&File"),
    "edit": mark("&Edit"),
    "view": mark("&View"),
    "picture": mark("P&icture"),
    "outlines": mark("&Outlines"),
    "canvas": mark("On the page"),
    "page": mark("&Page"),
    "kit": mark("&Kit"),
    "corpus": mark("&Corpus"),
    "plan": mark("P&lan"),
    "board": mark("&Board"),
    "report": mark("&Report"),
    "scorecard": mark("Eval&uation"),
    "help": mark("&Help"),
}
"""The menus in order. A menu without any action is not shown."""

Owner = TypeVar("Owner")


def _always(_: object) -> bool:
    return True


def _as_declared(_: object) -> None:
    return None


def _none(_: object) -> Sequence[QWidget]:
    return ()


class Action(NamedTuple, Generic[Owner]):
    """One thing that a user can do.

    Attributes:
        id: ``part.verb``, unique.
        title: as in the menu, with ``&`` before its letter; goes through translation.
        menu: a key of :data:`MENUS`.
        run: does it.
        shortcut: portable texts such as ``Ctrl+S``; the first is shown.
        icon: the name of a file in resources/icons, or "".
        enabled: whether it can be done now.
        checked: whether it is switched on; None for an action that is not switched on and off.
        label: a title that depends on the state (``Undo: move a vertex``), None for the declared.
        section: actions of one menu with different numbers are kept apart by a line.
        hint: one sentence for the status bar and the tool tip.
        local: whether its keys mean this only within a part of its view, which takes them itself:
            it is in no menu, but its keys are in the sheet and can be changed like all others.
        door: the step of a campaign that is done by it, if any.
        buttons: of its owner, which do the same: their tips name its keys.
    """

    id: str
    title: str
    menu: MenuName
    run: Callable[[Owner], object]
    shortcut: tuple[str, ...] = ()
    icon: str = ""
    enabled: Callable[[Owner], bool] = _always
    checked: Callable[[Owner], bool] | None = None
    label: Callable[[Owner], str | None] = _as_declared
    section: int = 0
    hint: str = ""
    local: bool = False
    door: Door | None = None
    buttons: Callable[[Owner], Sequence[QWidget]] = _none

    @property
    def part(self) -> str:
        """The part of the window that it belongs to."""
        return self.id.partition(".")[0]


Bar: TypeAlias = tuple[tuple[Action[Any], ...], ...]
"""Actions as buttons, in groups."""


class Key(NamedTuple):
    """A key that works within one part of the window only; for the shortcut sheet."""

    keys: str
    meaning: str


class Declarations(Generic[Owner]):
    """The actions of one part of the window, in the order of its menus.

    It is called to declare one more. What it gives back is the only name of the action in the
    program: tool bars and buttons are made from that, so that none can be of an unknown one.
    """

    def __init__(self, part: str, needs: Callable[[Owner], bool] | None = None) -> None:
        """Begin.

        Args:
            part: the first part of the ids.
            needs: what has to be so for each of the actions, beside its own ``enabled``.
        """
        self._part = part
        self._needs = needs
        self._declared: list[Action[Owner]] = []

    def when(self, needs: Callable[[Owner], bool]) -> Declarations[Owner]:
        """For the actions of the same part that need something: they join these, in order."""
        one: Declarations[Owner] = Declarations(self._part, needs)
        one._declared = self._declared
        return one

    def __call__(
        self,
        name: str,
        title: str,
        menu: MenuName,
        shortcut: tuple[str, ...] = (),
        icon: str = "",
        *,
        run: Callable[[Owner], object],
        enabled: Callable[[Owner], bool] = _always,
        checked: Callable[[Owner], bool] | None = None,
        label: Callable[[Owner], str | None] = _as_declared,
        section: int = 0,
        hint: str = "",
        local: bool = False,
        door: Door | None = None,
        buttons: Callable[[Owner], Sequence[QWidget]] = _none,
    ) -> Action[Owner]:
        """Declare an action; for the arguments see :class:`Action`."""
        identifier = f"{self._part}.{name}"
        if any(action.id == identifier for action in self._declared):
            raise ValueError(f"two actions are called {identifier}")
        action = Action(
            identifier,
            title,
            menu,
            run,
            shortcut,
            icon,
            self._with_needs(enabled),
            checked,
            label,
            section,
            hint,
            local,
            door,
            buttons,
        )
        self._declared.append(action)
        return action

    def _with_needs(self, enabled: Callable[[Owner], bool]) -> Callable[[Owner], bool]:
        needs = self._needs
        if needs is None or enabled is _always:
            return needs or enabled
        return lambda owner: needs(owner) and enabled(owner)

    def __iter__(self) -> Iterator[Action[Owner]]:
        return iter(self._declared)


def undo_title(what: str) -> str | None:
    """The title of an undo that takes this back; None where that is ""."""
    return tr("&Undo: {what}", what=what) if what else None


def redo_title(what: str) -> str | None:
    """The title of a redo that makes this again; None where that is ""."""
    return tr("&Redo: {what}", what=what) if what else None
