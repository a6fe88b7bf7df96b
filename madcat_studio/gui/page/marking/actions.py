"""Marking a page: its action and its keys, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, Key
from madcat_studio.gui.page.declaring import page_actions
from madcat_studio.gui.translation import mark

if TYPE_CHECKING:
    from madcat_studio.gui.page.view import PageView

__all__ = ["ACTIONS", "KEYS"]

marking = page_actions()

marking(
    "mark",
    mark("&Mark from the transcript"),
    "page",
    ("Ctrl+M",),
    "mark",
    section=2,
    hint=mark("Outline one word after another, in the order of the transcript"),
    run=lambda view: view.features.marking.toggle(),
    checked=lambda view: view.features.marking.is_on,
)

marking(
    "segmenter",
    mark("Se&gmenter…"),
    "page",
    section=2,
    hint=mark("A separate program, such as kraken, that finds the lines of pages"),
    run=lambda view: view.features.marking.beside.choose(),
)

ACTIONS: tuple[Action[PageView], ...] = tuple(marking)

KEYS: tuple[Key, ...] = (
    Key(mark("Enter"), mark("marking: take the proposed outline and go to the next word")),
    Key(mark("Shift and Enter"), mark("marking: take all proposals in this line")),
    Key(mark("A"), mark("marking: take all sure proposals of the page")),
    Key(mark("← →"), mark("marking: extend the proposal on the left, or shrink it")),
    Key(mark("Shift and → ←"), mark("marking: extend it on the right, or shrink it")),
    Key(mark("Drag"), mark("marking: a frame around the word; with Alt exactly as drawn")),
    Key(mark("Space"), mark("marking: a frame by arrow keys; Space sets its corners")),
    Key(
        mark("Click, click …"),
        mark("marking: one corner after another; Enter or the first corner closes it"),
    ),
    Key(mark("M  E  S"), mark("marking: the word is missing, extra, misspelt")),
    Key(mark("Backspace"), mark("marking: back to the word before")),
    Key(mark("N"), mark("marking: leave this word for later")),
    Key(mark("Ctrl and click"), mark("marking: go to the word that is marked there")),
)
