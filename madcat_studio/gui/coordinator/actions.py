"""What can be done with a report. Light: nothing is scored to build the menus."""

from __future__ import annotations

from madcat_studio.gui.actions import Action, Key
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS", "KEYS"]

ACTIONS: tuple[Action, ...] = (
    Action("report.export", mark("&Export…"), "report", ("Ctrl+E",), "export"),
    Action("report.print", mark("&Print as PDF…"), "report", ("Ctrl+P",)),
    Action(
        "report.evidence",
        mark("Write the e&vidence for tercom…"),
        "report",
        ("Ctrl+Shift+E",),
        hint=mark("Files with which the original program gives every number of the report"),
    ),
    Action("report.refresh", mark("Score &again"), "report", ("F5",)),
    Action("report.pictures", mark("P&ictures"), "report", ("Ctrl+I",), section=1),
    Action("report.filter", mark("&Filter the rows"), "report", ("Ctrl+F",), "search", section=1),
    Action("report.open-segment", mark("&Open the segment"), "report", (), "open", section=1),
)

KEYS: tuple[Key, ...] = (
    Key(mark("Click on a heading"), mark("sort by it; again: the other way round")),
    Key(mark("Enter or double click"), mark("open the segment of the row")),
    Key(mark("Click on a segment's name"), mark("open it")),
)
