"""What can be done with the queue of pages, as data."""

from __future__ import annotations

from typing import Any

from madcat_studio.gui.actions import by_host
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS"]

ACTIONS: tuple[Action[Any], ...] = (
    by_host(
        "page.queue",
        mark("&Queue of pages"),
        "page",
        ("Ctrl+J",),
        "queue",
        section=4,
        hint=mark("Who works on which page, what is done, checked and released"),
    ),
    by_host(
        "page.queue-next",
        mark("Claim the ne&xt page"),
        "page",
        ("Ctrl+Shift+J",),
        section=4,
        hint=mark("Your own that is not finished, else the first open one of the folder"),
    ),
    by_host(
        "page.queue-claim",
        mark("&Claim the page"),
        "page",
        ("Ctrl+Shift+C",),
        section=4,
        hint=mark("For work, or a done one for its second check"),
    ),
    by_host(
        "page.queue-finish",
        mark("Page is &finished"),
        "page",
        ("Ctrl+Shift+F",),
        section=4,
        hint=mark("The work on it, or its second check, is done; it is saved first"),
    ),
    by_host(
        "page.queue-give-back",
        mark("Give the page &back"),
        "page",
        ("Ctrl+Shift+B",),
        section=4,
        hint=mark("Somebody else may claim it"),
    ),
    by_host(
        "page.queue-reopen",
        mark("R&eopen the page"),
        "page",
        section=4,
        hint=mark("A finished or released page is open again"),
    ),
    by_host(
        "page.queue-release",
        mark("&Release the page"),
        "page",
        section=4,
        hint=mark("A checked page is given out: it is frozen"),
    ),
)
