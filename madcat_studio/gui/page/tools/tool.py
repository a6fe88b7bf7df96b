"""A tool: what presses, moves and keys on the page mean while it is the one in use.

The stage keeps what every tool shares (moving the page with the middle button or the space bar,
zooming, walking from word to word) and gives the rest to its tool. A tool sketches over the page
and asks for edits; it changes nothing itself.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtCore import QPointF, Qt

from madcat_studio.gui.page.stage import Stage

__all__ = ["ALT", "CTRL", "SHIFT", "SLACK", "Modifiers", "Tool", "ToolName"]

ToolName: TypeAlias = Literal[
    "select", "edit", "polygon", "rectangle", "freehand", "cut", "give", "order", "brush", "erase"
]
"""The tools that a user takes from the palette; others come with what they serve."""

Modifiers = Qt.KeyboardModifier
ALT, SHIFT, CTRL = Modifiers.AltModifier, Modifiers.ShiftModifier, Modifiers.ControlModifier
SLACK = 4
"""View pixels that a hand may tremble during a click."""


class Tool:
    """One tool. Points are view pixels.

    Attributes:
        name: a :data:`ToolName` where a user takes it from the palette.
        cursor: over the page, None for the usual one.
        grips: whether the chosen outline's vertices can be taken hold of.
        leaves: whether Esc, with nothing left to give up, puts it away.
        drafts: the names of what can be begun with it, in the order in which undo takes them.
    """

    name = ""
    cursor: Qt.CursorShape | None = None
    grips = True
    leaves = False
    drafts: tuple[str, ...] = ()

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def hint(self) -> str:
        """What can be done now, for the status bar; translated."""
        return ""

    def begin(self) -> None:
        """The tool is the one in use now."""

    def end(self) -> None:
        """Another tool follows; what is begun waits as a draft, else it is given up."""
        self.cancel()

    def page_changed(self) -> None:
        """Another page, or other outlines on it; what is begun as a draft is that of the page."""
        self.cancel()

    def draft_changed(self) -> None:
        """Undo or redo changed what is begun: show it."""

    def press(self, point: QPointF, modifiers: Modifiers) -> None:
        """The left button went down."""

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """The mouse moved; ``held``: with the left button down."""

    def release(self, point: QPointF, modifiers: Modifiers) -> None:
        """The left button went up."""

    def double(self, point: QPointF, modifiers: Modifiers) -> None:
        """The second press of a double click."""
        self.press(point, modifiers)

    def key(self, key: Qt.Key, modifiers: Modifiers) -> bool:
        """Do what a key says; False for one that means nothing to this tool."""
        return False

    def step(self, across: int, down: int, *, far: bool, fine: bool) -> bool:
        """Move what the tool points with; False for a tool that points with the mouse only."""
        return False

    def tap(self) -> bool:
        """The space bar was pressed and let go without moving the page."""
        return False

    def cancel(self) -> bool:
        """Esc: give up what was begun. False where nothing was."""
        return False
