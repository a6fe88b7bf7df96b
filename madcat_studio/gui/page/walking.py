"""What keys do on a page: pan, nudge, go from word to word and from vertex to vertex.

Each says whether the key meant something here; one that did not goes on to whoever takes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.page.shapes import OutlineKind

if TYPE_CHECKING:
    from madcat_studio.gui.page.canvas import PageCanvas

__all__ = ["nudge", "pan", "walk", "walk_vertices"]

_NEAR, _FAR = 60, 240


def pan(canvas: PageCanvas, across: int, down: int, *, far: bool) -> bool:
    """Move what the tool points with, else the page."""
    if not canvas.tool.step(across, down, far=far, fine=False):
        by = _FAR if far else _NEAR
        canvas.scroll_by(-across * by, -down * by)
    return True


def nudge(canvas: PageCanvas, across: int, down: int, by: int) -> bool:
    """Move what the tool points with, else what is chosen, by pixels."""
    if canvas.tool.step(across, down, far=False, fine=True):
        return True
    if canvas.chosen_key is None or not canvas.editable:
        return False
    # The way of the arrow, also on a page that is shown turned.
    canvas.nudged.emit(*canvas.along_view(across * by, down * by))
    return True


def walk(canvas: PageCanvas, step: int, *, extend: bool = False) -> bool:
    """To the next word in reading order; on a page without words, to the next line.

    With ``extend`` what was chosen stays so.
    """
    shapes = canvas.shapes
    if shapes is None:
        return True
    kind = OutlineKind.WORD if len(shapes.sets[OutlineKind.WORD]) else OutlineKind.LINE
    count = len(shapes.sets[kind])
    if not count:
        return True
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
    return True


def walk_vertices(canvas: PageCanvas, step: int) -> bool:
    """Mark the next vertex of the chosen outline."""
    count = canvas.vertex_count()
    if not count:
        return True
    now = canvas.active_vertex
    if now is None:
        canvas.activate_vertex(0 if step > 0 else count - 1)
    else:
        canvas.activate_vertex((now + step) % count)
    return True
