"""What can be done on the board. Light: no campaign is read to build the menus."""

from __future__ import annotations

from madcat_studio.gui.actions import Action
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS"]

ACTIONS: tuple[Action, ...] = (
    Action("board.refresh", mark("&Look again"), "board", ("F5",)),
    Action(
        "board.next-tab",
        mark("&Next: overlap, agreement, audit trail"),
        "board",
        ("Ctrl+Tab",),
        hint=mark("From kits to the overlap of teams, to their agreement, to who did what"),
    ),
    Action(
        "board.release",
        mark("&Release the pass…"),
        "board",
        hint=mark("Take a pass from an editor who cannot go on; what is saved stays"),
    ),
    Action(
        "board.give-out",
        mark("&Give the pass out as a file…"),
        "board",
        ("Ctrl+Shift+G",),
        "export",
        section=1,
        hint=mark("For an editor without the network; the file holds what this editor may see"),
    ),
    Action(
        "board.take-in",
        mark("Take &files in…"),
        "board",
        ("Ctrl+Shift+I",),
        "open",
        section=1,
        hint=mark("Files of kits that came back; taking one in again adds nothing"),
    ),
)
