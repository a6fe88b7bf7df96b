"""What can be done on the board. Light: no campaign is read to build the menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, Declarations
from madcat_studio.gui.frame import show_next_tab
from madcat_studio.gui.translation import mark
from madcat_studio.model.doors import Door

if TYPE_CHECKING:
    from madcat_studio.gui.coordinator.board import BoardView

__all__ = ["ACTIONS"]

board: Declarations[BoardView] = Declarations("board")

board(
    "refresh",
    mark("&Look again"),
    "board",
    ("F5",),
    run=lambda view: view.look_again(),
    enabled=lambda view: view.has_campaign,
    door=Door.LOOK_AGAIN,
)

board(
    "next-tab",
    mark("&Next: overlap, agreement, audit trail"),
    "board",
    ("Ctrl+Tab",),
    hint=mark("From kits to the overlap of teams, to their agreement, to who did what"),
    run=lambda view: show_next_tab(view.tabs),
    enabled=lambda view: view.has_campaign,
)

board(
    "calendar",
    mark("&Calendar…"),
    "board",
    hint=mark("What is released and due when; anything before its date is refused"),
    run=lambda view: _show_calendar(view),
    enabled=lambda view: view.has_campaign,
)

board(
    "release",
    mark("&Release the pass…"),
    "board",
    hint=mark("Take a pass from an editor who cannot go on; what is saved stays"),
    run=lambda view: view.ask_release(),
    enabled=lambda view: view.can_release,
)

board(
    "give-out",
    mark("&Give the pass out as a file…"),
    "board",
    ("Ctrl+Shift+G",),
    "export",
    section=1,
    hint=mark("For an editor who works offline; the file holds what this editor may see"),
    run=lambda view: view.give_out(),
    enabled=lambda view: view.can_give_out,
    door=Door.GIVE_OUT,
)

board(
    "call-back",
    mark("Call the file &back…"),
    "board",
    section=1,
    hint=mark(
        "The editor continues in the window; anything that still comes from the file is kept aside"
    ),
    run=lambda view: view.ask_call_back(),
    enabled=lambda view: view.can_call_back,
)

board(
    "take-in",
    mark("Import &files…"),
    "board",
    ("Ctrl+Shift+I",),
    "open",
    section=1,
    hint=mark("Kit files that came back; importing one again adds nothing"),
    run=lambda view: view.take_in(),
    enabled=lambda view: view.has_campaign,
    door=Door.TAKE_IN,
)


def _show_calendar(view: BoardView) -> None:
    from madcat_studio.gui.coordinator.calendardialog import open_calendar

    if open_calendar(view.shell, view.location, view):
        view.look_again()


ACTIONS: tuple[Action[BoardView], ...] = tuple(board)
