"""What can be done with the queue of pages, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action
from madcat_studio.gui.page.declaring import page_actions
from madcat_studio.gui.translation import mark

if TYPE_CHECKING:
    from madcat_studio.gui.page.view import PageView

__all__ = ["ACTIONS", "BUTTONS"]

queue = page_actions()

queue(
    "queue",
    mark("&Queue of pages"),
    "page",
    ("Ctrl+J",),
    "queue",
    section=4,
    hint=mark("Who works on which page, what is done, checked and released"),
    run=lambda view: view.features.queue.show_panel(),
)

queue(
    "queue-next",
    mark("Claim the ne&xt page"),
    "page",
    ("Ctrl+Shift+J",),
    section=4,
    hint=mark("Your own unfinished page, or else the first open one in the folder"),
    run=lambda view: view.features.queue.claim_next(),
)

CLAIM = queue(
    "queue-claim",
    mark("&Claim the page"),
    "page",
    ("Ctrl+Shift+C",),
    section=4,
    hint=mark("To work on it, or for the second check of a finished one"),
    run=lambda view: view.features.queue.claim(),
    enabled=lambda view: view.features.queue.can_claim,
    label=lambda view: view.features.queue.claim_title,
)

FINISH = queue(
    "queue-finish",
    mark("Page is &finished"),
    "page",
    ("Ctrl+Shift+F",),
    section=4,
    hint=mark("The work on it, or its second check, is done; it is saved first"),
    run=lambda view: view.features.queue.finish(),
    enabled=lambda view: view.features.queue.is_mine,
)

GIVE_BACK = queue(
    "queue-give-back",
    mark("Give the page &back"),
    "page",
    ("Ctrl+Shift+B",),
    section=4,
    hint=mark("Somebody else can then claim it"),
    run=lambda view: view.features.queue.give_back(),
    enabled=lambda view: view.features.queue.is_mine,
)

REOPEN = queue(
    "queue-reopen",
    mark("R&eopen the page"),
    "page",
    section=4,
    hint=mark("Open a finished or released page again"),
    run=lambda view: view.features.queue.reopen(),
    enabled=lambda view: view.features.queue.can_reopen,
)

RELEASE = queue(
    "queue-release",
    mark("&Release the page"),
    "page",
    section=4,
    hint=mark("Give out a checked page and freeze it"),
    run=lambda view: view.features.queue.release(),
    enabled=lambda view: view.features.queue.can_release,
)

queue(
    "queue-pace",
    mark("Pages an ho&ur…"),
    "page",
    section=4,
    hint=mark("How many pages are worked on and checked an hour, by person and by kind"),
    run=lambda view: view.features.queue.show_pace(),
)

ACTIONS: tuple[Action[PageView], ...] = tuple(queue)

BUTTONS: tuple[Action[PageView], ...] = (
    CLAIM,
    FINISH,
    GIVE_BACK,
    REOPEN,
    RELEASE,
)
"""What is offered below the state of the page, as far as it can be done."""
