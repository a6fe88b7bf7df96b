"""What can be done on a page. Light: no page is loaded to build the menus."""

from __future__ import annotations

from typing import Any

from madcat_studio.gui.declarations import Action, Key, redo_title, undo_title
from madcat_studio.gui.page import canvasactions, seeactions, toolactions
from madcat_studio.gui.page.bars import PageBars
from madcat_studio.gui.page.comparing import actions as comparing
from madcat_studio.gui.page.declaring import page_actions
from madcat_studio.gui.page.flow import actions as flow
from madcat_studio.gui.page.marking import actions as marking
from madcat_studio.gui.page.queue import actions as queue
from madcat_studio.gui.page.regions import actions as regions
from madcat_studio.gui.page.settling import actions as settling
from madcat_studio.gui.page.tokens import actions as tokens
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS", "BARS", "FIXED", "KEYS"]

page = page_actions()

SAVE = page(
    "save",
    mark("&Save"),
    "file",
    ("Ctrl+S",),
    "save",
    section=2,
    run=lambda view: view.save(),
    enabled=lambda view: view.is_modified(),
)

page(
    "save-as",
    mark("Save &as…"),
    "file",
    ("Ctrl+Shift+S",),
    section=2,
    run=lambda view: view.save_as(),
)

page(
    "export",
    mark("&Export…"),
    "file",
    section=2,
    hint=mark("Write the document in another format; whatever it cannot hold is listed"),
    run=lambda view: view.export(),
)

UNDO = page(
    "undo",
    mark("&Undo"),
    "edit",
    ("Ctrl+Z",),
    "undo",
    run=lambda view: view.undo(),
    enabled=lambda view: view.can_undo,
    label=lambda view: undo_title(view.undo_label),
)

REDO = page(
    "redo",
    mark("&Redo"),
    "edit",
    ("Ctrl+Shift+Z", "Ctrl+Y"),
    "redo",
    run=lambda view: view.redo(),
    enabled=lambda view: view.can_redo,
    label=lambda view: redo_title(view.redo_label),
)

FIT = page(
    "fit",
    mark("&Whole page"),
    "view",
    ("Ctrl+0",),
    "fit",
    run=lambda view: view.canvas.camera.fit(),
)

FIT_WIDTH = page(
    "fit-width",
    mark("Page &width"),
    "view",
    ("Ctrl+9",),
    "fit-width",
    run=lambda view: view.canvas.camera.fit_width(),
)

ACTUAL_SIZE = page(
    "actual-size",
    mark("&100 %"),
    "view",
    ("Ctrl+8",),
    "actual-size",
    run=lambda view: view.canvas.camera.zoom_to(1.0),
)

ZOOM_IN = page(
    "zoom-in",
    mark("Zoom &in"),
    "view",
    ("Ctrl++", "Ctrl+=", "+", "="),
    "zoom-in",
    run=lambda view: view.zoom(1),
)

ZOOM_OUT = page(
    "zoom-out",
    mark("Zoom &out"),
    "view",
    ("Ctrl+-", "-"),
    "zoom-out",
    run=lambda view: view.zoom(-1),
)

PREVIOUS = page(
    "previous",
    mark("&Previous page"),
    "page",
    ("PgUp",),
    "previous",
    run=lambda view: view.turn_page(-1),
    enabled=lambda view: view.can_turn_page(-1),
)

NEXT = page(
    "next",
    mark("&Next page"),
    "page",
    ("PgDown",),
    "next",
    run=lambda view: view.turn_page(1),
    enabled=lambda view: view.can_turn_page(1),
)

page(
    "locate",
    mark("&Locate the image…"),
    "page",
    icon="locate",
    section=1,
    run=lambda view: view.scan.locate(),
)

page(
    "translated",
    mark("Page in the other lan&guage…"),
    "page",
    section=5,
    hint=mark("The translations in place of the writing, beside the original; saved as PNG or PDF"),
    run=lambda view: view.features.translated.show(),
    enabled=lambda view: view.features.translated.is_possible,
)

NEXT_PROBLEM = page(
    "problems",
    mark("Next pr&oblem"),
    "page",
    ("F8",),
    "warning",
    section=1,
    run=lambda view: view.features.checking.go(1),
    enabled=lambda view: view.features.checking.has_problems,
)

page(
    "previous-problem",
    mark("Pre&vious problem"),
    "page",
    ("Shift+F8",),
    section=1,
    run=lambda view: view.features.checking.go(-1),
    enabled=lambda view: view.features.checking.has_problems,
)

MEND = page(
    "mend",
    mark("&Mend the problem"),
    "page",
    ("F9",),
    "mend",
    section=1,
    hint=mark("Mend the marked problem, as one step that can be undone"),
    run=lambda view: view.features.checking.mend(),
    buttons=lambda view: [view.side.problems.button],
    enabled=lambda view: view.features.checking.can_mend,
)

page(
    "mend-all",
    mark("Mend all of this &kind"),
    "page",
    ("Shift+F9",),
    section=1,
    hint=mark("Mend all problems of the same kind, as one step"),
    run=lambda view: view.features.checking.mend_all(),
    buttons=lambda view: [view.side.problems.all_button],
    enabled=lambda view: view.features.checking.can_mend,
)

page(
    "history",
    mark("&History"),
    "edit",
    ("Ctrl+H",),
    "history",
    hint=mark("Every step by its name; choose one to go back or forward to it"),
    run=lambda view: view.features.history.show_panel(),
)

ACTIONS: tuple[Action[Any], ...] = (
    *page,
    *seeactions.ACTIONS,
    *toolactions.ACTIONS,
    *canvasactions.ACTIONS,
    *marking.ACTIONS,
    *flow.ACTIONS,
    *tokens.ACTIONS,
    *queue.ACTIONS,
    *comparing.ACTIONS,
    *settling.ACTIONS,
    *regions.ACTIONS,
)

BARS = PageBars(
    tools=(
        (SAVE, UNDO, REDO),
        (PREVIOUS, NEXT),
        (ZOOM_OUT, ZOOM_IN, FIT, FIT_WIDTH, ACTUAL_SIZE),
        (
            seeactions.SHOW_SCAN,
            seeactions.SHOW_LINES,
            seeactions.SHOW_WORDS,
            seeactions.SHOW_LABELS,
        ),
        (seeactions.FILL, seeactions.ORDER, seeactions.PICTURE),
        (seeactions.FOLD_ALL_PANELS,),
    ),
    number=PREVIOUS,
    scale=ZOOM_OUT,
    # With the other tools: the last buttons have no room in a low window.
    palette=((*toolactions.PALETTE[0], regions.TOOL), *toolactions.PALETTE[1:]),
    queue=queue.BUTTONS,
    comparing=comparing.BUTTONS,
    flow=flow.BUTTONS,
    settling=settling.BUTTONS,
    keys=canvasactions.ACTIONS,
)

FIXED: tuple[str, ...] = ("Esc", "Return", "Enter", "Backspace", "Tab", "Del", "Ins")
"""Keys that always mean the same on the page."""

KEYS: tuple[Key, ...] = (
    Key(mark("Mouse wheel"), mark("zoom at the pointer")),
    Key(mark("Drag, or Space and drag, or middle button"), mark("move the page")),
    Key(mark("Two fingers"), mark("move the page; pinch to zoom")),
    Key(mark("Click"), mark("choose a word or a line; with Alt or Shift: what lies beneath")),
    Key(mark("Double click"), mark("zoom to it")),
    Key(mark("Drag a vertex"), mark("move it; Esc puts it back")),
    Key(mark("Alt or Shift, click on a vertex"), mark("delete it")),
    Key(mark("Alt or Shift, click on an edge"), mark("add a vertex there")),
    Key(mark("Esc"), mark("choose nothing")),
    *toolactions.KEYS,
    *marking.KEYS,
    *flow.KEYS,
    *tokens.KEYS,
    *regions.KEYS,
    *settling.KEYS,
)
