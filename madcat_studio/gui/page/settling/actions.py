"""Settling between several annotators: the actions, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, Key
from madcat_studio.gui.page.comparing.actions import KEEP_MINE, TAKE_THEIRS
from madcat_studio.gui.page.declaring import page_actions
from madcat_studio.gui.translation import mark

if TYPE_CHECKING:
    from madcat_studio.gui.page.view import PageView

__all__ = ["ACTIONS", "BUTTONS", "KEYS"]

settling = page_actions()

settling(
    "settle",
    mark("Settle between se&veral…"),
    "page",
    ("Ctrl+Shift+V",),
    "compare",
    section=5,
    hint=mark("Overlay the files of all annotators of this page, and decide place by place"),
    run=lambda view: view.features.settling.toggle(),
    checked=lambda view: view.features.settling.is_on,
)

MAJORITY = settling(
    "settle-majority",
    mark("Take the majority"),
    "page",
    section=5,
    hint=mark("Wherever more than half of the annotators agree, take theirs; one step"),
    run=lambda view: view.features.settling.take_majority(),
    enabled=lambda view: view.features.settling.has_current,
)


def _version(number: int, title: str) -> None:
    settling(
        f"settle-version-{number}",
        title,
        "page",
        (str(number),),
        section=5,
        hint=mark("Mark this version of the place"),
        run=lambda view: view.features.settling.mark(number - 1),
        enabled=lambda view: view.features.settling.has_current,
    )


_version(1, mark("Mark version 1"))
_version(2, mark("Mark version 2"))
_version(3, mark("Mark version 3"))
_version(4, mark("Mark version 4"))
_version(5, mark("Mark version 5"))

ACTIONS: tuple[Action[PageView], ...] = tuple(settling)

BUTTONS: tuple[Action[PageView], ...] = (TAKE_THEIRS, KEEP_MINE, MAJORITY)
"""Above the list of places."""

KEYS: tuple[Key, ...] = (Key(mark("1 to 5"), mark("settling: mark a version of the place")),)
