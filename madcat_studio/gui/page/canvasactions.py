"""What keys do on the page itself, as data: the canvas takes them.

Arrow keys walk through a list that has the focus, so they can be no keys of the whole window. They
are in the sheet of keys like all others, and can be changed there. A verb that gives back False
could do nothing: its key goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, Declarations
from madcat_studio.gui.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from madcat_studio.gui.page.toolhost import ToolHost

__all__ = ["ACTIONS"]

# Light: what they do is imported with the page.


def _walk(tools: ToolHost, step: int, *, extend: bool = False) -> bool:
    from madcat_studio.gui.page.walking import walk

    return walk(tools, step, extend=extend)


def _walk_vertices(tools: ToolHost, step: int) -> bool:
    from madcat_studio.gui.page.walking import walk_vertices

    return walk_vertices(tools, step)


def _pan(tools: ToolHost, way: tuple[int, int], *, far: bool = False) -> bool:
    from madcat_studio.gui.page.walking import pan

    return pan(tools, *way, far=far)


def _nudge(tools: ToolHost, way: tuple[int, int], *, by: int = 1) -> bool:
    from madcat_studio.gui.page.walking import nudge

    return nudge(tools, *way, by)


_LEFT, _RIGHT, _UP, _DOWN = (-1, 0), (1, 0), (0, -1), (0, 1)  # across and down, in what is seen


canvas: Declarations[ToolHost] = Declarations("page")


def _key(
    name: str, title: str, *keys: str, run: Callable[[ToolHost], object], hint: str = ""
) -> Action[ToolHost]:
    return canvas(name, title, "canvas", keys, hint=hint, local=True, run=run)


_IN_ORDER = mark("In reading order")

NEXT_WORD = _key(
    "next-word", mark("Next word"), ".", hint=_IN_ORDER, run=lambda tools: _walk(tools, 1)
)
PREVIOUS_WORD = _key(
    "previous-word",
    mark("Previous word"),
    ",",
    "<",
    hint=_IN_ORDER,
    run=lambda tools: _walk(tools, -1),
)
_key(
    "next-word-too",
    mark("Next word as well"),
    "Shift+.",
    "Shift+>",
    "Alt+.",
    run=lambda tools: _walk(tools, 1, extend=True),
)
_key(
    "previous-word-too",
    mark("Previous word as well"),
    "Shift+,",
    "Shift+<",
    "Alt+,",
    run=lambda tools: _walk(tools, -1, extend=True),
)
_key(
    "next-vertex",
    mark("Next vertex"),
    "V",
    hint=mark("Of the chosen outline"),
    run=lambda tools: _walk_vertices(tools, 1),
)
_key(
    "previous-vertex",
    mark("Previous vertex"),
    "Shift+V",
    run=lambda tools: _walk_vertices(tools, -1),
)
_key(
    "hold",
    mark("Hold to move the page with the mouse"),
    "Space",
    hint=mark("With a drawing tool, a tap presses or releases at its cross"),
    run=lambda tools: tools.hold_key(),
)

_CROSS = mark("Moves the page; with a drawing tool, its cross")
_CHOSEN = mark(
    "Moves the marked vertices, or else what is chosen; with a drawing tool, its cross by a pixel"
)

_key(
    "move-left",
    mark("Move left"),
    "Left",
    hint=_CROSS,
    run=lambda tools: _pan(tools, _LEFT),
)
_key(
    "move-right",
    mark("Move right"),
    "Right",
    hint=_CROSS,
    run=lambda tools: _pan(tools, _RIGHT),
)
_key(
    "move-up",
    mark("Move up"),
    "Up",
    hint=_CROSS,
    run=lambda tools: _pan(tools, _UP),
)
_key(
    "move-down",
    mark("Move down"),
    "Down",
    hint=_CROSS,
    run=lambda tools: _pan(tools, _DOWN),
)
_key(
    "far-left",
    mark("Move left, farther"),
    "Shift+Left",
    hint=_CROSS,
    run=lambda tools: _pan(tools, _LEFT, far=True),
)
_key(
    "far-right",
    mark("Move right, farther"),
    "Shift+Right",
    hint=_CROSS,
    run=lambda tools: _pan(tools, _RIGHT, far=True),
)
_key(
    "far-up",
    mark("Move up, farther"),
    "Shift+Up",
    hint=_CROSS,
    run=lambda tools: _pan(tools, _UP, far=True),
)
_key(
    "far-down",
    mark("Move down, farther"),
    "Shift+Down",
    hint=_CROSS,
    run=lambda tools: _pan(tools, _DOWN, far=True),
)
_key(
    "nudge-left",
    mark("Nudge left by a pixel"),
    "Ctrl+Left",
    hint=_CHOSEN,
    run=lambda tools: _nudge(tools, _LEFT),
)
_key(
    "nudge-right",
    mark("Nudge right by a pixel"),
    "Ctrl+Right",
    hint=_CHOSEN,
    run=lambda tools: _nudge(tools, _RIGHT),
)
_key(
    "nudge-up",
    mark("Nudge up by a pixel"),
    "Ctrl+Up",
    hint=_CHOSEN,
    run=lambda tools: _nudge(tools, _UP),
)
_key(
    "nudge-down",
    mark("Nudge down by a pixel"),
    "Ctrl+Down",
    hint=_CHOSEN,
    run=lambda tools: _nudge(tools, _DOWN),
)
_key(
    "nudge-far-left",
    mark("Nudge left by ten"),
    "Ctrl+Shift+Left",
    hint=_CHOSEN,
    run=lambda tools: _nudge(tools, _LEFT, by=10),
)
_key(
    "nudge-far-right",
    mark("Nudge right by ten"),
    "Ctrl+Shift+Right",
    hint=_CHOSEN,
    run=lambda tools: _nudge(tools, _RIGHT, by=10),
)
_key(
    "nudge-far-up",
    mark("Nudge up by ten"),
    "Ctrl+Shift+Up",
    hint=_CHOSEN,
    run=lambda tools: _nudge(tools, _UP, by=10),
)
_key(
    "nudge-far-down",
    mark("Nudge down by ten"),
    "Ctrl+Shift+Down",
    hint=_CHOSEN,
    run=lambda tools: _nudge(tools, _DOWN, by=10),
)

ACTIONS: tuple[Action[ToolHost], ...] = tuple(canvas)
