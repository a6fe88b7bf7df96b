"""What can be done on a page. Light: no page is loaded to build the menus."""

from __future__ import annotations

from typing import Any

from madcat_studio.gui.actions import by_host
from madcat_studio.gui.declarations import Action, Key
from madcat_studio.gui.page import canvasactions, seeactions, toolactions
from madcat_studio.gui.page.comparing import actions as comparing
from madcat_studio.gui.page.marking import actions as marking
from madcat_studio.gui.page.queue import actions as queue
from madcat_studio.gui.page.tokens import actions as tokens
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS", "FIXED", "KEYS", "TOOLBAR"]

ACTIONS: tuple[Action[Any], ...] = (
    by_host("page.save", mark("&Save"), "file", ("Ctrl+S",), "save", section=2),
    by_host("page.save-as", mark("Save &as…"), "file", ("Ctrl+Shift+S",), section=2),
    by_host(
        "page.export",
        mark("&Export…"),
        "file",
        icon="",
        section=2,
        hint=mark("Write the document as PAGE XML or ALTO; what they cannot hold is listed"),
    ),
    by_host("page.undo", mark("&Undo"), "edit", ("Ctrl+Z",), "undo"),
    by_host("page.redo", mark("&Redo"), "edit", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo"),
    by_host("page.fit", mark("&Whole page"), "view", ("Ctrl+0",), "fit"),
    by_host("page.fit-width", mark("Page &width"), "view", ("Ctrl+9",), "fit-width"),
    by_host("page.actual-size", mark("&100 %"), "view", ("Ctrl+8",), "actual-size"),
    by_host("page.zoom-in", mark("Zoom &in"), "view", ("Ctrl++", "Ctrl+=", "+", "="), "zoom-in"),
    by_host("page.zoom-out", mark("Zoom &out"), "view", ("Ctrl+-", "-"), "zoom-out"),
    by_host("page.show-scan", mark("Show the &scan"), "view", ("Alt+1",), "scan", True, section=1),
    by_host("page.show-lines", mark("Show &lines"), "view", ("Alt+2",), "lines", True, section=1),
    by_host("page.show-words", mark("Show wor&ds"), "view", ("Alt+3",), "words", True, section=1),
    by_host(
        "page.show-labels",
        mark("Show the words' &text"),
        "view",
        ("Alt+4",),
        "labels",
        True,
        section=1,
    ),
    by_host("page.previous", mark("&Previous page"), "page", ("PgUp",), "previous"),
    by_host("page.next", mark("&Next page"), "page", ("PgDown",), "next"),
    by_host("page.locate", mark("&Locate the image…"), "page", (), "locate", section=1),
    by_host("page.problems", mark("Next pr&oblem"), "page", ("F8",), "warning", section=1),
    by_host(
        "page.previous-problem", mark("Pre&vious problem"), "page", ("Shift+F8",), "", section=1
    ),
    by_host(
        "page.mend",
        mark("&Mend the problem"),
        "page",
        ("F9",),
        "mend",
        section=1,
        hint=mark("Do what is safe about the marked problem, as one step that can be undone"),
    ),
    by_host(
        "page.history",
        mark("&History"),
        "edit",
        ("Ctrl+H",),
        "history",
        section=0,
        hint=mark("Every step by its name; choose one to go back or forward to it"),
    ),
    *seeactions.ACTIONS,
    *toolactions.ACTIONS,
    *canvasactions.ACTIONS,
    *marking.ACTIONS,
    *tokens.ACTIONS,
    *queue.ACTIONS,
    *comparing.ACTIONS,
)

TOOLBAR: tuple[tuple[str, ...], ...] = (
    ("page.save", "page.undo", "page.redo"),
    ("page.previous", "page.next"),
    ("page.zoom-out", "page.zoom-in", "page.fit", "page.fit-width", "page.actual-size"),
    ("page.show-scan", "page.show-lines", "page.show-words", "page.show-labels"),
    ("page.fill", "page.order", "page.picture"),
)
"""The tool bar's groups."""

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
    Key("Esc", mark("choose nothing")),
    *toolactions.KEYS,
    *marking.KEYS,
    *tokens.KEYS,
)
