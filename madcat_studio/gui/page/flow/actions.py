"""Going through a page line by line: the actions and keys, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, Key
from madcat_studio.gui.page.declaring import page_actions
from madcat_studio.gui.translation import mark

if TYPE_CHECKING:
    from madcat_studio.gui.page.view import PageView

__all__ = ["ACTIONS", "BUTTONS", "KEYS"]

flow = page_actions()

flow(
    "flow",
    mark("&Line by line"),
    "page",
    ("Q",),
    "flow",
    section=2,
    hint=mark("Each line as wide as the view, with its tokens under it"),
    run=lambda view: view.features.flow.toggle(),
    checked=lambda view: view.features.flow.is_on,
)

NEXT_LINE = flow(
    "next-line",
    mark("Next line"),
    "page",
    ("Ctrl+PgDown",),
    section=2,
    hint=mark("While you go through the page line by line"),
    run=lambda view: view.features.flow.to_line(1),
    enabled=lambda view: view.features.flow.is_on,
)

PREVIOUS_LINE = flow(
    "previous-line",
    mark("Previous line"),
    "page",
    ("Ctrl+PgUp",),
    section=2,
    run=lambda view: view.features.flow.to_line(-1),
    enabled=lambda view: view.features.flow.is_on,
)

NEXT_OPEN = flow(
    "next-open",
    mark("Next unmarked"),
    "page",
    ("Shift+Q",),
    section=2,
    hint=mark("The next token without a word, or word without a token"),
    run=lambda view: view.features.flow.to_open(),
    enabled=lambda view: view.features.flow.is_on,
)

ACTIONS: tuple[Action[PageView], ...] = tuple(flow)

BUTTONS: tuple[Action[PageView], ...] = (PREVIOUS_LINE, NEXT_LINE, NEXT_OPEN)
"""Under the tokens of the line."""

KEYS: tuple[Key, ...] = (
    Key(mark("↓ ↑"), mark("line by line: the next line, the one before")),
    Key(mark("← →"), mark("line by line: the next word as the text runs, the one before")),
    Key(mark("Enter"), mark("line by line: the next unmarked")),
)
