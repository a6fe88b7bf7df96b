"""Tools for outlines and what is done to those that are chosen: the actions, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, Bar, Key
from madcat_studio.gui.page.declaring import page_actions
from madcat_studio.gui.translation import mark

if TYPE_CHECKING:
    from madcat_studio.gui.page.tools.tool import ToolName
    from madcat_studio.gui.page.view import PageView

__all__ = ["ACTIONS", "KEYS", "PALETTE"]

tools = page_actions()


def _tool(name: ToolName, title: str, key: str, hint: str) -> Action[PageView]:
    return tools(
        f"tool-{name}",
        title,
        "outlines",
        (key,),
        f"tool-{name}",
        hint=hint,
        run=lambda view: view.features.toolbox.take(name),
        checked=lambda view: view.canvas.tools.tool.name == name,
    )


SELECT = _tool("select", mark("&Choose"), "S", mark("Choose lines and words; move the page"))

EDIT = _tool(
    "edit", mark("&Edit"), "E", mark("Move vertices, edges and whole outlines; add and delete")
)

POLYGON = _tool("polygon", mark("Draw a &polygon"), "P", mark("A new word or line, point by point"))

RECTANGLE = _tool(
    "rectangle", mark("Draw a &rectangle"), "R", mark("A new word or line, by two corners")
)

FREEHAND = _tool("freehand", mark("Draw &freehand"), "F", mark("A new word or line, in one stroke"))

CUT = _tool("cut", mark("C&ut"), "C", mark("Split a word or a line by a stroke across it"))

BRUSH = _tool(
    "brush", mark("Add &ink to it"), "I", mark("Make an outline larger with a brush, or by an area")
)

ERASE = _tool(
    "erase",
    mark("Take away from it"),
    "X",
    mark("Make an outline smaller with a brush, or by an area"),
)

GIVE = _tool("give", mark("&Give to a line"), "G", mark("Move the chosen words to another line"))

ORDER = _tool("order", mark("Draw the &order"), "O", mark("One stroke through words or lines"))

WORK_ON_LINES = tools(
    "work-on-lines",
    mark("Work on &lines"),
    "outlines",
    ("W",),
    "work-on-lines",
    section=1,
    hint=mark("Draw, cut, order and frame lines instead of words"),
    run=lambda view: view.features.toolbox.change_layer(),
    checked=lambda view: view.features.toolbox.works_on_lines,
)


def _brush(name: str, title: str, key: str, step: int) -> None:
    tools(
        f"brush-{name}",
        title,
        "outlines",
        (key,),
        section=1,
        hint=mark("At its narrowest it takes whole areas: go round them in one stroke"),
        run=lambda view: view.features.toolbox.change_brush(step),
        enabled=lambda view: view.features.toolbox.paints,
    )


_brush("wider", mark("Brush &wider"), "]", 1)
_brush("narrower", mark("Brush na&rrower"), "[", -1)

SNAP = tools(
    "snap",
    mark("S&nap to other outlines"),
    "outlines",
    ("N",),
    "snap",
    section=1,
    hint=mark("Points snap to vertices and edges nearby"),
    run=lambda view: view.features.toolbox.toggle_snapping(),
    checked=lambda view: view.canvas.tools.snap.on,
)

tools(
    "select-line",
    mark("Choose all words of the line"),
    "outlines",
    ("A",),
    section=2,
    hint=mark("All words of the line that is chosen, or of the chosen word"),
    run=lambda view: view.features.toolbox.select_line(),
    enabled=lambda view: view.features.toolbox.has_choice,
)

tools(
    "select-all",
    mark("Choose all words of the page"),
    "outlines",
    ("Ctrl+A",),
    section=2,
    run=lambda view: view.features.toolbox.select_all(),
)

tools(
    "select-beneath",
    mark("Choose what lies beneath"),
    "outlines",
    ("B",),
    section=2,
    run=lambda view: view.features.toolbox.select_beneath(),
    enabled=lambda view: view.features.toolbox.has_choice,
)

MERGE = tools(
    "merge",
    mark("&Merge"),
    "outlines",
    ("J",),
    "merge",
    section=3,
    hint=mark("Make the chosen words, or the chosen lines, into one"),
    run=lambda view: view.features.toolbox.edits.merge(),
    enabled=lambda view: len(view.canvas.selection.keys) > 1,
)

TRIM = tools(
    "trim",
    mark("&Trim to the ink"),
    "outlines",
    ("T",),
    "trim",
    section=3,
    hint=mark("Shrink the chosen outlines to the ink inside them"),
    run=lambda view: view.features.proposals.trim(),
    enabled=lambda view: view.features.proposals.can_narrow,
)

SIMPLIFY = tools(
    "simplify",
    mark("S&implify"),
    "outlines",
    ("Y",),
    "simplify",
    section=3,
    hint=mark("Fewer vertices for the chosen outlines, without changing their shape"),
    run=lambda view: view.features.toolbox.edits.simplify(),
    enabled=lambda view: view.features.toolbox.has_choice,
)

LOCK = tools(
    "lock",
    mark("Lock or unloc&k the lines"),
    "outlines",
    ("L",),
    "lock",
    section=3,
    hint=mark("A locked line and its words are finished: no edit changes their outlines"),
    run=lambda view: view.features.toolbox.edits.lock(),
    enabled=lambda view: view.features.toolbox.has_choice,
)

REMOVE = tools(
    "remove",
    mark("Remo&ve"),
    "outlines",
    icon="remove",
    section=3,
    hint=mark("The marked vertices, else the chosen outlines (Delete)"),
    run=lambda view: view.features.toolbox.edits.remove(),
    enabled=lambda view: view.features.toolbox.has_choice,
)

tools(
    "line-up",
    mark("Words to the line above"),
    "outlines",
    ("Alt+Up",),
    section=3,
    run=lambda view: view.features.toolbox.edits.to_neighbour(-1),
    enabled=lambda view: view.features.toolbox.has_words,
)

tools(
    "line-down",
    mark("Words to the line below"),
    "outlines",
    ("Alt+Down",),
    section=3,
    run=lambda view: view.features.toolbox.edits.to_neighbour(1),
    enabled=lambda view: view.features.toolbox.has_words,
)

tools(
    "earlier",
    mark("Earlier in the order"),
    "outlines",
    ("Alt+Right",),
    section=4,
    hint=mark("Moves the chosen word or line one place earlier in the reading order"),
    run=lambda view: view.features.toolbox.edits.along(-1),
    enabled=lambda view: view.features.toolbox.has_choice,
)

tools(
    "later",
    mark("Later in the order"),
    "outlines",
    ("Alt+Left",),
    section=4,
    hint=mark("Moves the chosen word or line one place later in the reading order"),
    run=lambda view: view.features.toolbox.edits.along(1),
    enabled=lambda view: view.features.toolbox.has_choice,
)

SORT = tools(
    "sort",
    mark("Order by place, right to left…"),
    "outlines",
    ("Shift+O",),
    "sort",
    section=4,
    hint=mark("Proposes the order in which right-to-left script is read"),
    run=lambda view: view.features.proposals.sort(),
    enabled=lambda view: view.features.proposals.has_page,
)

DERIVE_LINE = tools(
    "derive-line",
    mark("Line from its words…"),
    "outlines",
    ("D",),
    "derive",
    section=5,
    hint=mark("Proposes an outline around the line's words with the least bleed"),
    run=lambda view: view.features.proposals.derive_chosen(),
    enabled=lambda view: view.features.proposals.can_narrow,
)

tools(
    "derive-lines",
    mark("All lines from their words…"),
    "outlines",
    ("Shift+D",),
    section=5,
    hint=mark("The same for every line of the page that is not locked"),
    run=lambda view: view.features.proposals.derive_all(),
    enabled=lambda view: view.features.proposals.has_page,
)

tools(
    "ink-lines",
    mark("Lines from the ink…"),
    "outlines",
    section=5,
    hint=mark("Proposes lines with baselines, and words, for a page that has none"),
    run=lambda view: view.features.proposals.ink.propose(),
    enabled=lambda view: view.features.proposals.has_page,
)

ACTIONS: tuple[Action[PageView], ...] = tuple(tools)

PALETTE: Bar = (
    (SELECT, EDIT, POLYGON, RECTANGLE, FREEHAND, BRUSH, ERASE, CUT, GIVE, ORDER),
    (WORK_ON_LINES, SNAP),
    (MERGE, TRIM, SIMPLIFY, LOCK, REMOVE),
    (SORT, DERIVE_LINE),
)
"""The buttons beside the page, from the top."""

KEYS: tuple[Key, ...] = (
    Key(mark("Click again at the same place"), mark("choose what lies beneath")),
    Key(mark("Ctrl and click"), mark("choose it too, or no longer")),
    Key(mark("Shift and drag"), mark("choose all in a frame; with Ctrl add, with both take out")),
    Key(mark("Ins"), mark("add a vertex after the marked one")),
    Key(mark("Delete"), mark("delete marked vertices, else remove what is chosen")),
    Key(mark("Alt and paint"), mark("with a brush: the opposite, add or take away")),
    Key(mark("Shift and paint"), mark("with a brush: the area that the stroke goes round")),
    Key(mark("Enter, Backspace"), mark("finish a polygon; take its last point back")),
)
"""Keys that work on the page only."""
