"""What can be done with a result of the Evaluation view. Light: no result is read for the menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.coreactions import OPEN_RESULT
from madcat_studio.gui.declarations import Action, Declarations, Key
from madcat_studio.gui.translation import mark

if TYPE_CHECKING:
    from madcat_studio.gui.scorecard.view import ScorecardView

__all__ = ["ACTIONS", "KEYS"]

scorecard: Declarations[ScorecardView] = Declarations("scorecard")

scorecard(
    "new",
    mark("&New evaluation or scorecard…"),
    "scorecard",
    ("Ctrl+N",),
    "scorecard",
    run=lambda view: view.ask_new(),
    enabled=lambda view: view.can_begin,
)

scorecard(
    "open",
    mark("&Open a result…"),
    "scorecard",
    icon="open",
    run=lambda view: view.shell.run(OPEN_RESULT),
    enabled=lambda view: view.can_begin,
)

scorecard(
    "export",
    mark("&Export…"),
    "scorecard",
    ("Ctrl+E",),
    "export",
    run=lambda view: view.ask_export(),
    enabled=lambda view: view.can_export,
)

scorecard(
    "copy-signature",
    mark("&Copy the signature"),
    "scorecard",
    ("Ctrl+Shift+C",),
    hint=mark("Everything that the numbers depend on"),
    run=lambda view: view.copy_signature(),
    enabled=lambda view: view.ready,
)

scorecard(
    "filter",
    mark("&Filter the rows"),
    "scorecard",
    ("Ctrl+F",),
    "search",
    section=1,
    run=lambda view: view.focus_filter(),
    enabled=lambda view: view.can_find,
)

scorecard(
    "open-page",
    mark("Open the &page"),
    "scorecard",
    icon="page",
    section=1,
    run=lambda view: view.open_row(view.table.currentIndex()),
    enabled=lambda view: view.can_open_row,
)

scorecard(
    "boxes",
    mark("&Boxes over the page"),
    "scorecard",
    ("Ctrl+B",),
    section=1,
    hint=mark("Beside the table: the page of a row, and what the system found on it"),
    run=lambda view: view.boxes.want(not view.boxes.wanted),
    enabled=lambda view: view.ready and view.boxes.possible,
    checked=lambda view: view.boxes.wanted,
)

ACTIONS: tuple[Action[ScorecardView], ...] = tuple(scorecard)

KEYS: tuple[Key, ...] = (
    Key(mark("Click on a heading"), mark("sort by it; again: the other way round")),
    Key(mark("Enter or double click"), mark("open the page of the row, at its region")),
    Key(mark("Click on a row of pages"), mark("its page, with the boxes of the system")),
    Key(mark("Click on a region's or segment's name"), mark("open its page")),
)
