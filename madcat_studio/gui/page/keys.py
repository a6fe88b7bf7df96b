"""What keys do on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from madcat_studio.gui.page.shapes import Kind
from madcat_studio.gui.page.zoom import STEP

if TYPE_CHECKING:
    from madcat_studio.gui.page.canvas import PageCanvas

__all__ = ["press", "walk", "walk_vertices"]

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_PAN, _FAR_PAN = 60, 240
_NUDGE, _FAR_NUDGE = 1, 10


def press(canvas: PageCanvas, event: QKeyEvent) -> bool:
    """Do what a key says; False for a key that means nothing here."""
    key, modifiers = Qt.Key(event.key()), event.modifiers()
    shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
    if modifiers & Qt.KeyboardModifier.ControlModifier:
        if key not in _ARROWS or canvas.chosen_key is None or not canvas.editable:
            return False
        across, down = _ARROWS[key]
        step = _FAR_NUDGE if shift else _NUDGE
        # The way of the arrow, also on a page that is shown turned.
        canvas.nudged.emit(*canvas.along_view(across * step, down * step))
        return True
    if key in _ARROWS:
        across, down = _ARROWS[key]
        step = _FAR_PAN if shift else _PAN
        canvas.scroll_by(-across * step, -down * step)
    elif key == Qt.Key.Key_Space:
        if not event.isAutoRepeat():
            canvas.hold_space(True)
    elif key == Qt.Key.Key_Escape:
        return canvas.cancel()
    elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
        canvas.zoom_by(STEP)
    elif key == Qt.Key.Key_Minus:
        canvas.zoom_by(1 / STEP)
    elif key in (Qt.Key.Key_Period, Qt.Key.Key_Greater):
        walk(canvas, 1, extend=shift)
    elif key in (Qt.Key.Key_Comma, Qt.Key.Key_Less):
        walk(canvas, -1, extend=shift)
    elif key == Qt.Key.Key_V:
        walk_vertices(canvas, -1 if shift else 1)
    elif key == Qt.Key.Key_Delete and canvas.chosen_key is not None and canvas.editable:
        canvas.removal_wanted.emit()
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
    kind = Kind.WORD if len(shapes.sets[Kind.WORD]) else Kind.LINE
    count = len(shapes.sets[kind])
    if not count:
        return
    chosen = canvas.chosen_key
    if chosen is not None and chosen.kind is kind:
        number = (shapes.index(chosen) + step) % count
    elif chosen is not None and kind is Kind.WORD and step > 0:
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
