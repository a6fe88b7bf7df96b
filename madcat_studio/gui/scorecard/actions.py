"""What can be done with a result of the Evaluation view. Light: no result is read for the menus."""

from __future__ import annotations

from madcat_studio.gui.actions import Action, Key
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS", "KEYS"]

ACTIONS: tuple[Action, ...] = (
    Action(
        "scorecard.new",
        mark("&New evaluation or scorecard…"),
        "scorecard",
        ("Ctrl+N",),
        "scorecard",
    ),
    Action("scorecard.open", mark("&Open a result…"), "scorecard", (), "open"),
    Action("scorecard.export", mark("&Export…"), "scorecard", ("Ctrl+E",), "export"),
    Action(
        "scorecard.copy-signature",
        mark("&Copy the signature"),
        "scorecard",
        ("Ctrl+Shift+C",),
        hint=mark("Everything that the numbers depend on"),
    ),
    Action(
        "scorecard.filter", mark("&Filter the rows"), "scorecard", ("Ctrl+F",), "search", section=1
    ),
    Action("scorecard.open-page", mark("Open the &page"), "scorecard", (), "page", section=1),
)

KEYS: tuple[Key, ...] = (
    Key(mark("Click on a heading"), mark("sort by it; again: the other way round")),
    Key(mark("Enter or double click"), mark("open the page of the row, at its region")),
    Key(mark("Click on a region's or segment's name"), mark("open its page")),
)
