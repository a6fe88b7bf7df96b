"""What keys do on the page itself, as data: the canvas takes them.

Arrow keys walk through a list that has the focus, so they can be no keys of the whole window. They
are in the sheet of keys like all others, and can be changed there.
"""

from __future__ import annotations

from typing import Any

from madcat_studio.gui.actions import by_host
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS", "WAYS"]

WAYS: dict[str, tuple[int, int]] = {
    "left": (-1, 0),
    "right": (1, 0),
    "up": (0, -1),
    "down": (0, 1),
}
"""Across and down, in what is seen."""


def _local(name: str, title: str, *keys: str, hint: str = "") -> Action[Any]:
    return by_host(f"page.{name}", title, "canvas", keys, hint=hint, local=True)


_CROSS = mark("The page; with a drawing tool in the hand its cross")
_CHOSEN = mark("The marked vertices, else what is chosen; with a drawing tool its cross by a pixel")

ACTIONS: tuple[Action[Any], ...] = (
    _local("next-word", mark("Next word"), ".", hint=mark("In the order of reading")),
    _local("previous-word", mark("Previous word"), ",", "<", hint=mark("In the order of reading")),
    _local("next-word-too", mark("Next word as well"), "Shift+.", "Shift+>"),
    _local("previous-word-too", mark("Previous word as well"), "Shift+,", "Shift+<"),
    _local("next-vertex", mark("Next vertex"), "V", hint=mark("Of the chosen outline")),
    _local("previous-vertex", mark("Previous vertex"), "Shift+V"),
    _local(
        "hold",
        mark("Hold to move the page with the mouse"),
        "Space",
        hint=mark("With a drawing tool a tap presses or lets go at its cross"),
    ),
    _local("move-left", mark("Move left"), "Left", hint=_CROSS),
    _local("move-right", mark("Move right"), "Right", hint=_CROSS),
    _local("move-up", mark("Move up"), "Up", hint=_CROSS),
    _local("move-down", mark("Move down"), "Down", hint=_CROSS),
    _local("far-left", mark("Move left, farther"), "Shift+Left", hint=_CROSS),
    _local("far-right", mark("Move right, farther"), "Shift+Right", hint=_CROSS),
    _local("far-up", mark("Move up, farther"), "Shift+Up", hint=_CROSS),
    _local("far-down", mark("Move down, farther"), "Shift+Down", hint=_CROSS),
    _local("nudge-left", mark("Nudge left by a pixel"), "Ctrl+Left", hint=_CHOSEN),
    _local("nudge-right", mark("Nudge right by a pixel"), "Ctrl+Right", hint=_CHOSEN),
    _local("nudge-up", mark("Nudge up by a pixel"), "Ctrl+Up", hint=_CHOSEN),
    _local("nudge-down", mark("Nudge down by a pixel"), "Ctrl+Down", hint=_CHOSEN),
    _local("nudge-far-left", mark("Nudge left by ten"), "Ctrl+Shift+Left", hint=_CHOSEN),
    _local("nudge-far-right", mark("Nudge right by ten"), "Ctrl+Shift+Right", hint=_CHOSEN),
    _local("nudge-far-up", mark("Nudge up by ten"), "Ctrl+Shift+Up", hint=_CHOSEN),
    _local("nudge-far-down", mark("Nudge down by ten"), "Ctrl+Shift+Down", hint=_CHOSEN),
)
