"""What keys do on a page: pan, nudge, go from word to word and from vertex to vertex.

Each says whether the key meant something here; one that did not goes on to whoever takes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.page.shapes import OutlineKind

if TYPE_CHECKING:
    from madcat_studio.gui.page.toolhost import ToolHost

__all__ = ["nudge", "pan", "walk", "walk_vertices"]

_NEAR, _FAR = 60, 240


def pan(tools: ToolHost, across: int, down: int, *, far: bool) -> bool:
    """Move what the tool points with, else the page."""
    if not tools.tool.step(across, down, far=far, fine=False):
        by = _FAR if far else _NEAR
        tools.camera.scroll_by(-across * by, -down * by)
    return True


def nudge(tools: ToolHost, across: int, down: int, by: int) -> bool:
    """Move what the tool points with, else what is chosen, by pixels."""
    if tools.tool.step(across, down, far=False, fine=True):
        return True
    if tools.selection.key is None or not tools.selection.editable:
        return False
    # The way of the arrow, also on a page that is shown turned.
    tools.nudged.emit(*tools.camera.along_view(across * by, down * by))
    return True


def walk(tools: ToolHost, step: int, *, extend: bool = False) -> bool:
    """To the next word in reading order; on a page without words, to the next line.

    With ``extend`` what was chosen stays so.
    """
    shapes = tools.outlines.shapes
    if shapes is None:
        return True
    kind = OutlineKind.WORD if len(shapes.sets[OutlineKind.WORD]) else OutlineKind.LINE
    count = len(shapes.sets[kind])
    if not count:
        return True
    chosen = tools.selection.key
    if chosen is not None and chosen.kind is kind:
        number = (shapes.index(chosen) + step) % count
    elif chosen is not None and kind is OutlineKind.WORD and step > 0:
        number = shapes.first_word(chosen.line)
    else:
        number = 0 if step > 0 else count - 1
    key = shapes.key(kind, min(number, count - 1))
    kept = [each for each in tools.selection.keys if each != key] if extend else []
    tools.outlines.reveal([key])
    tools.selection.select([*kept, key])
    return True


def walk_vertices(tools: ToolHost, step: int) -> bool:
    """Mark the next vertex of the chosen outline."""
    count = tools.selection.vertex_count()
    if not count:
        return True
    now = tools.selection.vertex
    if now is None:
        tools.selection.mark_vertices([0 if step > 0 else count - 1])
    else:
        tools.selection.mark_vertices([(now + step) % count])
    return True
