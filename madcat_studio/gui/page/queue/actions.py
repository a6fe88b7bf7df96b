"""What can be done with the queue of pages, as data."""

from __future__ import annotations

from madcat_studio.gui.actions import Action
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS"]

ACTIONS: tuple[Action, ...] = (
    Action(
        "page.queue",
        mark("&Queue of pages"),
        "page",
        ("Ctrl+J",),
        "queue",
        section=4,
        hint=mark("Who works on which page, what is done, checked and released"),
    ),
    Action(
        "page.queue-next",
        mark("Claim the ne&xt page"),
        "page",
        ("Ctrl+Shift+J",),
        section=4,
        hint=mark("Your own that is not finished, else the first open one of the folder"),
    ),
    Action(
        "page.queue-claim",
        mark("&Claim the page"),
        "page",
        ("Ctrl+Shift+C",),
        section=4,
        hint=mark("For work, or a done one for its second check"),
    ),
    Action(
        "page.queue-finish",
        mark("Page is &finished"),
        "page",
        ("Ctrl+Shift+F",),
        section=4,
        hint=mark("The work on it, or its second check, is done; it is saved first"),
    ),
    Action(
        "page.queue-give-back",
        mark("Give the page &back"),
        "page",
        ("Ctrl+Shift+B",),
        section=4,
        hint=mark("Somebody else may claim it"),
    ),
    Action(
        "page.queue-reopen",
        mark("R&eopen the page"),
        "page",
        section=4,
        hint=mark("A finished or released page is open again"),
    ),
    Action(
        "page.queue-release",
        mark("&Release the page"),
        "page",
        section=4,
        hint=mark("A checked page is given out: it is frozen"),
    ),
)
