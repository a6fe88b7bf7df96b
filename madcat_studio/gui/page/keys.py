"""What keys do on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QKeyCombination, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from madcat_studio.gui.keymap import Keymap
from madcat_studio.gui.page.canvasactions import ACTIONS, WAYS
from madcat_studio.gui.page.shapes import OutlineKind

if TYPE_CHECKING:
    from madcat_studio.gui.page.canvas import PageCanvas

__all__ = ["CanvasKeys", "press", "walk", "walk_vertices"]

_PAN = {"move": 60, "far": 240}
_NUDGE = {"nudge": 1, "nudge-far": 10}


class CanvasKeys(QObject):
    """Which key means what on the page: as its user wants it, else as declared."""

    def __init__(self, keymap: Keymap | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keymap = keymap
        if keymap is not None:
            keymap.changed.connect(self._read)
        self._read()

    def _read(self) -> None:
        keymap = self._keymap
        self._meanings = {
            QKeySequence(text).toString(): action.id.removeprefix("page.")
            for action in ACTIONS
            for text in (action.shortcut if keymap is None else keymap.keys(action))
        }

    def meaning(self, event: QKeyEvent) -> str:
        """What a key says, by the end of its action's id; "" for nothing."""
        # The keys of the number block mean what the others do.
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        pressed = QKeySequence(QKeyCombination(held, Qt.Key(event.key())))
        return self._meanings.get(pressed.toString(), "")


def press(canvas: PageCanvas, meaning: str) -> bool:
    """Do what a key says; False for one that can mean nothing now."""
    how, _, way = meaning.rpartition("-")
    if way in WAYS and how in (*_PAN, *_NUDGE):
        across, down = WAYS[way]
        if canvas.tool.step(across, down, far=how == "far", fine=how in _NUDGE):
            return True
        if how in _PAN:
            canvas.scroll_by(-across * _PAN[how], -down * _PAN[how])
            return True
        if canvas.chosen_key is None or not canvas.editable:
            return False
        # The way of the arrow, also on a page that is shown turned.
        canvas.nudged.emit(*canvas.along_view(across * _NUDGE[how], down * _NUDGE[how]))
    elif meaning.startswith(("next-word", "previous-word")):
        step = 1 if meaning.startswith("next") else -1
        walk(canvas, step, extend=meaning.endswith("-too"))
    elif meaning in ("next-vertex", "previous-vertex"):
        walk_vertices(canvas, 1 if meaning.startswith("next") else -1)
    else:
        return False
    return True


def walk(canvas: PageCanvas, step: int, *, extend: bool = False) -> None:
    """To the next word in reading order; on a page without words, to the next line.

    With ``extend`` what was chosen stays so.
    """
    shapes = canvas.shapes
    if shapes is None:
        return
    kind = OutlineKind.WORD if len(shapes.sets[OutlineKind.WORD]) else OutlineKind.LINE
    count = len(shapes.sets[kind])
    if not count:
        return
    chosen = canvas.chosen_key
    if chosen is not None and chosen.kind is kind:
        number = (shapes.index(chosen) + step) % count
    elif chosen is not None and kind is OutlineKind.WORD and step > 0:
        number = shapes.first_word(chosen.line)
    else:
        number = 0 if step > 0 else count - 1
    key = shapes.key(kind, min(number, count - 1))
    kept = [each for each in canvas.selection if each != key] if extend else []
    canvas.reveal([key])
    canvas.select([*kept, key])


def walk_vertices(canvas: PageCanvas, step: int) -> None:
    """Mark the next vertex of the chosen outline."""
    count = canvas.vertex_count()
    if not count:
        return
    now = canvas.active_vertex
    if now is None:
        canvas.activate_vertex(0 if step > 0 else count - 1)
    else:
        canvas.activate_vertex((now + step) % count)
