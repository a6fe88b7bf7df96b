"""The views of the central area, declared; and what a view is to the shell.

To add a view: write a :class:`View`, declare its actions beside it in a light module, and add a
:class:`ViewSpec` to :data:`VIEWS`. Its module is imported when it is shown for the first time,
so that no view costs anything at start-up.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from madcat_studio.formats.kinds import HEAD, format_in
from madcat_studio.gui.actions import Actions
from madcat_studio.gui.declarations import Action, Key
from madcat_studio.gui.messages import Messages
from madcat_studio.gui.settings import Settings
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import mark

__all__ = ["VIEWS", "LocationKind", "Shell", "View", "ViewSpec", "kind_of"]


class LocationKind(StrEnum):
    """What can be opened."""

    PAGE = "page"
    FOLDER = "folder"
    CAMPAIGN = "campaign"
    KIT = "kit"
    SCORECARD = "scorecard"
    CORPUS = "corpus"


_CORPUS = "corpus_order.json"
_DATABASE = "campaign.sqlite"
_BUNDLE = ".madcat-kit"
_RESULT = b'"madcat-studio-'
_HEAD = 64


def kind_of(location: str) -> LocationKind:
    """What lies at a path or URL: a campaign, a kit as a file, pages, a corpus, a result."""
    if location.startswith(("postgresql://", "postgres://", "postgresql+psycopg://")):
        return LocationKind.CAMPAIGN
    path = Path(location)
    if path.is_dir():
        if (path / _DATABASE).is_file():
            return LocationKind.CAMPAIGN
        return LocationKind.CORPUS if (path / _CORPUS).is_file() else LocationKind.FOLDER
    if path.name == _DATABASE:
        return LocationKind.CAMPAIGN
    if path.suffix == _BUNDLE:
        return LocationKind.KIT
    return LocationKind.SCORECARD if _is_result(path) else LocationKind.PAGE


def _is_result(path: Path) -> bool:
    """Whether a file is to be opened as a result: JSON by its name, or by how it begins."""
    suffix = path.suffix.lower()
    if suffix == ".xml" or not path.is_file():
        return suffix == ".json"
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError:
        return suffix == ".json"
    if _RESULT in head[:_HEAD]:
        return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    # What is neither a result nor a page is told when it is read.
    return suffix == ".json" and format_in(head) is None


class Shell(Protocol):
    """What a view can ask of the window around it."""

    settings: Settings
    theme: Theme
    messages: Messages
    commands: Actions

    def open(
        self, location: str, *, view: str | None = None, target: Mapping[str, str] | None = None
    ) -> None:
        """Open a location; ``view`` and ``target`` say where in it (a segment, a word)."""

    def opened(self, location: str, view: View) -> None:
        """Tell that a view has opened a location; it comes to the front."""

    def rooms_seen(self, location: str, state: str) -> None:
        """Tell how the coordinator's rooms of a campaign stand."""

    def keep_session(self, locations: list[str]) -> None:
        """Note what is open, for the start after a crash."""

    def run(self, action: Action[Any]) -> None:
        """Run one of the window's actions."""

    def give_room(self, view: QWidget, wanted: bool) -> None:
        """All of the window's width for a view, while it is in front: the rail makes way."""

    def show_error(self, error: BaseException) -> None:
        """Show any exception, in the one way that the program has."""


class View(QWidget):
    """One view of the central area, and the owner of its actions.

    Signals:
        state_changed: titles, enablement or marks of actions may be different now.
        hint: something for the status bar.
        advice: what can be done now, for the status bar's other end.
        title_changed: the window's title may be different now.
    """

    state_changed = Signal()
    hint = Signal(str)
    advice = Signal(str)
    title_changed = Signal()

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shell = shell

    def title(self) -> str:
        """What is open here, for the window's title; "" if nothing."""
        return ""

    def is_modified(self) -> bool:
        """Whether something here is not saved."""
        return False

    def open_location(self, location: str, target: Mapping[str, str]) -> None:
        """Open something. Failures are shown by the view; what was open before stays open."""
        raise NotImplementedError

    def bring_back(self, locations: list[str]) -> None:
        """After a crash: these were open; the last of them is opened now, behind it the others."""

    def shown(self, campaign: str) -> None:
        """The view came to the front; ``campaign`` is the one that is open, or ""."""

    def may_close(self) -> bool:
        """Ask the user where something would be lost; False keeps the window open."""
        return True

    def shut_down(self) -> None:
        """Stop threads and timers and let go of files; the window closes now."""

    def leave_now(self) -> None:
        """Like :meth:`shut_down`, after a fault: ask nothing and keep journals."""
        self.shut_down()

    def apply_theme(self) -> None:
        """Follow a new theme or new fonts."""


class ViewSpec(NamedTuple):
    """One view of the central area.

    Attributes:
        id: a short name; part of the ids of its actions.
        title: on the rail at the left.
        icon: the name of a file in resources/icons.
        factory: ``module:name`` of what makes the view, mostly its class.
        declarations: a light module with ``ACTIONS`` and ``KEYS``, or "".
        opens: what it opens.
        manual: the page of the manual that tells of it.
        tour_in: the module whose ``steps`` lead through it, or "".
        shortcut: shows the view.
        for_coordinator: a room that shows every team's side, and may be locked.
    """

    id: str
    title: str
    icon: str
    factory: str
    declarations: str
    opens: frozenset[LocationKind]
    manual: str
    shortcut: str = ""
    for_coordinator: bool = False
    tour_in: str = ""

    def make(self, shell: Shell, parent: QWidget) -> View:
        """Import and make the view."""
        module, _, name = self.factory.partition(":")
        made: View = getattr(importlib.import_module(module), name)(shell, parent)
        return made

    def tour(self, window: Any) -> Sequence[Any]:
        """The steps of its tour, for a window that can be led through."""
        steps: Sequence[Any] = importlib.import_module(self.tour_in).steps(window)
        return steps

    def _declared(self, name: str) -> Any:
        if not self.declarations:
            return ()
        return getattr(importlib.import_module(self.declarations), name, ())

    def actions(self) -> Iterable[Action[Any]]:
        """The actions of the view."""
        actions: Iterable[Action[Any]] = self._declared("ACTIONS")
        return actions

    def keys(self) -> tuple[Key, ...]:
        """The keys that work only within the view."""
        keys: tuple[Key, ...] = self._declared("KEYS")
        return keys

    def fixed(self) -> tuple[str, ...]:
        """Keys that work within the view and cannot be given to actions, as portable texts."""
        keys: tuple[str, ...] = self._declared("FIXED")
        return keys


VIEWS: tuple[ViewSpec, ...] = (
    ViewSpec(
        id="page",
        title=mark("Pages"),
        icon="page",
        factory="madcat_studio.gui.page.make:make_page_view",
        declarations="madcat_studio.gui.page.actions",
        opens=frozenset({LocationKind.PAGE, LocationKind.FOLDER}),
        manual="annotating",
        shortcut="Ctrl+1",
        tour_in="madcat_studio.gui.page.tour",
    ),
    ViewSpec(
        id="kit",
        title=mark("Kits"),
        icon="kit",
        factory="madcat_studio.gui.editor.view:KitView",
        declarations="madcat_studio.gui.editor.actions",
        opens=frozenset({LocationKind.CAMPAIGN, LocationKind.KIT}),
        manual="editing",
        shortcut="Ctrl+2",
        tour_in="madcat_studio.gui.editor.tour",
    ),
    ViewSpec(
        id="corpus",
        title=mark("Corpus"),
        icon="corpus",
        factory="madcat_studio.gui.corpus.view:CorpusView",
        declarations="madcat_studio.gui.corpus.actions",
        manual="planning",
        opens=frozenset({LocationKind.CORPUS}),
        shortcut="Ctrl+Shift+U",
    ),
    ViewSpec(
        id="plan",
        title=mark("Plan"),
        icon="plan",
        factory="madcat_studio.gui.coordinator.planview:PlanView",
        declarations="madcat_studio.gui.coordinator.planactions",
        opens=frozenset({LocationKind.CAMPAIGN}),
        manual="planning",
        shortcut="Ctrl+3",
        for_coordinator=True,
    ),
    ViewSpec(
        id="board",
        title=mark("Board"),
        icon="board",
        factory="madcat_studio.gui.coordinator.board:BoardView",
        declarations="madcat_studio.gui.coordinator.boardactions",
        opens=frozenset({LocationKind.CAMPAIGN}),
        manual="campaigns",
        shortcut="Ctrl+4",
        for_coordinator=True,
        tour_in="madcat_studio.gui.coordinator.tour",
    ),
    ViewSpec(
        id="report",
        title=mark("Report"),
        icon="report",
        factory="madcat_studio.gui.coordinator.view:ReportView",
        declarations="madcat_studio.gui.coordinator.actions",
        opens=frozenset({LocationKind.CAMPAIGN}),
        manual="reports",
        shortcut="Ctrl+5",
        for_coordinator=True,
    ),
    ViewSpec(
        id="scorecard",
        title=mark("Evaluation"),
        icon="scorecard",
        factory="madcat_studio.gui.scorecard.view:ScorecardView",
        declarations="madcat_studio.gui.scorecard.actions",
        opens=frozenset({LocationKind.SCORECARD}),
        manual="scorecards",
        shortcut="Ctrl+6",
    ),
)
"""The views on the rail, from the top."""
