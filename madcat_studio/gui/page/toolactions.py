"""Tools for outlines and what is done to those that are chosen: the actions, as data."""

from __future__ import annotations

from typing import Any

from madcat_studio.gui.actions import by_host
from madcat_studio.gui.declarations import Action, Key
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS", "KEYS", "PALETTE"]


def _tool(name: str, title: str, key: str, hint: str) -> Action[Any]:
    return by_host(
        f"page.tool-{name}", title, "outlines", (key,), f"tool-{name}", checkable=True, hint=hint
    )


ACTIONS: tuple[Action[Any], ...] = (
    _tool("select", mark("&Choose"), "S", mark("Choose lines and words; move the page")),
    _tool(
        "edit", mark("&Edit"), "E", mark("Move vertices, edges and whole outlines; add and delete")
    ),
    _tool("polygon", mark("Draw a &polygon"), "P", mark("A new word or line, point by point")),
    _tool("rectangle", mark("Draw a &rectangle"), "R", mark("A new word or line, by two corners")),
    _tool("freehand", mark("Draw &freehand"), "F", mark("A new word or line, in one stroke")),
    _tool("cut", mark("C&ut"), "C", mark("Split a word or a line by a stroke across it")),
    _tool("give", mark("&Give to a line"), "G", mark("Move the chosen words to another line")),
    _tool("order", mark("Draw the &order"), "O", mark("One stroke through words or lines")),
    by_host(
        "page.work-on-lines",
        mark("Work on &lines"),
        "outlines",
        ("W",),
        "work-on-lines",
        True,
        section=1,
        hint=mark("Draw, cut, order and frame lines instead of words"),
    ),
    by_host(
        "page.snap",
        mark("S&nap to other outlines"),
        "outlines",
        ("N",),
        "snap",
        True,
        section=1,
        hint=mark("Points come to rest on vertices and edges that are near"),
    ),
    by_host(
        "page.select-line",
        mark("Choose all words of the line"),
        "outlines",
        ("A",),
        section=2,
        hint=mark("All words of the line that is chosen, or of the chosen word"),
    ),
    by_host(
        "page.select-all", mark("Choose all words of the page"), "outlines", ("Ctrl+A",), section=2
    ),
    by_host("page.select-beneath", mark("Choose what lies beneath"), "outlines", ("B",), section=2),
    by_host(
        "page.merge",
        mark("&Merge"),
        "outlines",
        ("J",),
        "merge",
        section=3,
        hint=mark("Make one of the chosen words, or of the chosen lines"),
    ),
    by_host(
        "page.trim",
        mark("&Trim to the ink"),
        "outlines",
        ("T",),
        "trim",
        section=3,
        hint=mark("Draw the chosen outlines in to the ink inside them"),
    ),
    by_host(
        "page.simplify",
        mark("S&implify"),
        "outlines",
        ("Y",),
        "simplify",
        section=3,
        hint=mark("Fewer vertices for the chosen outlines, as far as their shape stays"),
    ),
    by_host(
        "page.lock",
        mark("Lock or unloc&k the lines"),
        "outlines",
        ("L",),
        "lock",
        section=3,
        hint=mark("A locked line and its words are finished: no edit changes their outlines"),
    ),
    by_host(
        "page.remove",
        mark("Remo&ve"),
        "outlines",
        icon="remove",
        section=3,
        hint=mark("The marked vertices, else the chosen outlines (Delete)"),
    ),
    by_host(
        "page.line-up",
        mark("Words to the line above"),
        "outlines",
        ("Alt+Up",),
        section=3,
    ),
    by_host(
        "page.line-down",
        mark("Words to the line below"),
        "outlines",
        ("Alt+Down",),
        section=3,
    ),
    by_host(
        "page.earlier",
        mark("Earlier in the order"),
        "outlines",
        ("Alt+Right",),
        section=4,
        hint=mark("The chosen word or line comes one place earlier in the reading order"),
    ),
    by_host(
        "page.later",
        mark("Later in the order"),
        "outlines",
        ("Alt+Left",),
        section=4,
        hint=mark("The chosen word or line comes one place later in the reading order"),
    ),
    by_host(
        "page.sort",
        mark("Order by place, right to left…"),
        "outlines",
        ("Shift+O",),
        "sort",
        section=4,
        hint=mark("Offers the order in which right-to-left script is read where it lies"),
    ),
    by_host(
        "page.derive-line",
        mark("Line from its words…"),
        "outlines",
        ("D",),
        "derive",
        section=5,
        hint=mark("Offers an outline around the line's words with the least bleed"),
    ),
    by_host(
        "page.derive-lines",
        mark("All lines from their words…"),
        "outlines",
        ("Shift+D",),
        section=5,
        hint=mark("The same for every line of the page that is not locked"),
    ),
)

PALETTE: tuple[tuple[str, ...], ...] = (
    (
        "page.tool-select",
        "page.tool-edit",
        "page.tool-polygon",
        "page.tool-rectangle",
        "page.tool-freehand",
        "page.tool-cut",
        "page.tool-give",
        "page.tool-order",
    ),
    ("page.work-on-lines", "page.snap"),
    ("page.merge", "page.trim", "page.simplify", "page.lock", "page.remove"),
    ("page.sort", "page.derive-line"),
)
"""The buttons beside the page, from the top."""

KEYS: tuple[Key, ...] = (
    Key(mark("Click again at the same place"), mark("choose what lies beneath")),
    Key(mark("Ctrl and click"), mark("choose it as well, or no longer")),
    Key(mark("Shift and drag"), mark("choose all in a frame; with Ctrl add, with both take out")),
    Key(mark("Ins"), mark("add a vertex after the marked one")),
    Key(mark("Delete"), mark("delete marked vertices, else remove what is chosen")),
    Key(mark("Enter, Backspace"), mark("finish a polygon; take its last point back")),
)
"""Keys that work on the page only."""
