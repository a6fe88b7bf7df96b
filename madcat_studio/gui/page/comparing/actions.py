"""Comparing two segmentations: the actions, as data."""

from __future__ import annotations

from typing import Any

from madcat_studio.gui.actions import by_host
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS"]

ACTIONS: tuple[Action[Any], ...] = (
    by_host(
        "page.compare",
        mark("Com&pare with another…"),
        "page",
        ("Ctrl+Shift+K",),
        "compare",
        True,
        section=5,
        hint=mark("Lay another file's outlines of this page over it, and decide between both"),
    ),
    by_host(
        "page.side-by-side",
        mark("Both si&de by side"),
        "page",
        ("F12",),
        "side-by-side",
        True,
        section=5,
        hint=mark("The other page beside one's own, moved and zoomed together"),
    ),
    by_host("page.next-difference", mark("Next d&ifference"), "page", ("F7",), "", section=5),
    by_host(
        "page.previous-difference",
        mark("Previous difference"),
        "page",
        ("Shift+F7",),
        "",
        section=5,
    ),
    by_host(
        "page.take-theirs",
        mark("Take t&heirs"),
        "page",
        ("Ctrl+T",),
        section=5,
        hint=mark("Make one's own page as the other at this difference"),
    ),
    by_host(
        "page.keep-mine",
        mark("Keep mine"),
        "page",
        ("Ctrl+K",),
        section=5,
        hint=mark("This difference is decided; it is not shown again"),
    ),
)
