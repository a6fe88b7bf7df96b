"""What can be done on the board. Light: no campaign is read to build the menus."""

from __future__ import annotations

from madcat_studio.gui.actions import Action
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS"]

ACTIONS: tuple[Action, ...] = (
    Action("board.refresh", mark("&Look again"), "board", ("F5",)),
    Action(
        "board.release",
        mark("&Release the pass…"),
        "board",
        hint=mark("Take a pass from an editor who cannot go on; what is saved stays"),
    ),
)
