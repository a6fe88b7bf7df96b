"""One stroke across outlines: to cut one in two, or to say in which order they are read."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF

from madcat_studio.gui.page.shapes import Kind, PageShapes, ShapeKey
from madcat_studio.gui.page.tools.pointing import StrokeTool, path_through
from madcat_studio.gui.page.tools.sketch import Stroke, Tag
from madcat_studio.gui.page.tools.tool import Modifiers
from madcat_studio.gui.translation import tr
from madcat_studio.model.geometry import thinned

if TYPE_CHECKING:
    pass

__all__ = ["CutTool", "GiveTool", "OrderTool", "keys_along"]

_STRAY = 1.5
_MOST_TAGS = 400


class CutTool(StrokeTool):
    """A stroke from one side of an outline to the other."""

    name = "cut"

    def hint(self) -> str:
        """What to do."""
        if self.canvas.layer is Kind.WORD:
            return tr("Draw a stroke across a word to split it; W cuts lines instead")
        return tr("Draw a stroke across a line to split it; W cuts words instead")

    def finish(self, path: list[QPointF]) -> None:
        """Cut along the stroke, less its trembling."""
        points = tuple((place.x(), place.y()) for place in path)
        self.editing.cut(thinned(points, _STRAY / self.canvas.scale_now()))


class OrderTool(StrokeTool):
    """A stroke through words or lines; those that it does not meet keep their places."""

    name = "order"

    def hint(self) -> str:
        """What to do."""
        if self.canvas.layer is Kind.WORD:
            return tr("Draw through the words of a line in the order of reading; W orders lines")
        return tr("Draw through the lines in the order of reading; W orders words")

    def begin(self) -> None:
        """Number what is in view."""
        super().begin()
        self.show()

    def page_changed(self) -> None:
        """Number the outlines that are there now."""
        super().page_changed()
        self.show()

    def cancel(self) -> bool:
        """Wipe the stroke away; the numbers stay."""
        had = super().cancel()
        if self.canvas.tool is self:
            self.show()
        return had

    def release(self, point: QPointF, modifiers: Modifiers) -> None:
        """End the stroke."""
        super().release(point, modifiers)
        self.show()

    def show(self) -> None:
        """The numbers, the stroke, and new numbers along it."""
        canvas, shapes = self.canvas, self.canvas.shapes
        if shapes is None:
            return
        strokes = self.cross()
        met: list[ShapeKey] = []
        if self._path:
            met = keys_along(shapes, self._path, canvas.layer)
            strokes.insert(0, Stroke(path_through(self._path), canvas.base.colours.chosen, 2.0))
        canvas.sketch.show_all(strokes, self._tags(shapes, met))

    def _tags(self, shapes: PageShapes, met: list[ShapeKey]) -> list[Tag]:
        canvas = self.canvas
        view = canvas.mapToScene(canvas.viewport().rect()).boundingRect()
        kind = canvas.layer
        seen = shapes.sets[kind].meeting(view.left(), view.top(), view.right(), view.bottom())
        if len(seen) > _MOST_TAGS:
            return []  # too small to be read, and slow
        slots = {key: number + 1 for number, key in enumerate(met)}
        colours, tags = canvas.base.colours, []
        for key in (shapes.key(kind, index) for index in seen.tolist()):
            left, top, right, bottom = shapes.box(key)
            number = slots.get(key)
            own = (key.line if key.word is None else key.word) + 1
            colour = colours.chosen if number is not None else colours.hover
            place = QPointF((left + right) / 2, (top + bottom) / 2)
            tags.append(Tag(place, str(number if number is not None else own), colour))
        return tags

    def finish(self, path: list[QPointF]) -> None:
        """Ask for the order."""
        if self.canvas.shapes is not None:
            self.editing.order(keys_along(self.canvas.shapes, path, self.canvas.layer))


def keys_along(shapes: PageShapes, path: list[QPointF], kind: Kind) -> list[ShapeKey]:
    """The outlines that a stroke enters, in the order in which it first does; a pure function."""
    found: dict[int, None] = {}
    points = np.array([(place.x(), place.y()) for place in path])
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        near = shapes.sets[kind].meeting(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        if not len(near):
            continue
        # As fine as a narrow word needs.
        steps = max(int(np.hypot(x1 - x0, y1 - y0) // 8), 1)
        for share in np.linspace(0.0, 1.0, steps + 1):
            inside = shapes.sets[kind].at(x0 + share * (x1 - x0), y0 + share * (y1 - y0))
            if inside:
                found.setdefault(inside[0])
    return [shapes.key(kind, index) for index in found]


class GiveTool(StrokeTool):
    """A click on a line gives it the chosen words; without any chosen, a click chooses a word."""

    name = "give"
    drags = False

    def hint(self) -> str:
        """What to do."""
        if any(key.word is not None for key in self.canvas.selection):
            return tr("Click the line that the chosen words belong to, or drag them there")
        return tr("Choose words first (a click, or drag a word to its line)")

    def _line_at(self, place: QPointF) -> int | None:
        shapes = self.canvas.shapes
        if shapes is None:
            return None
        lines = shapes.sets[Kind.LINE].at(place.x(), place.y())
        return lines[0] if lines else None

    def _word_at(self, place: QPointF) -> ShapeKey | None:
        shapes = self.canvas.shapes
        if shapes is None:
            return None
        words = shapes.sets[Kind.WORD].at(place.x(), place.y())
        return shapes.key(Kind.WORD, words[0]) if words else None

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """Light the line under the pointer."""
        super().move(point, modifiers, held=held)
        line = self._line_at(self.canvas.to_page(point))
        self.canvas.light(None if line is None else ShapeKey(line))

    def _chosen(self) -> list[ShapeKey]:
        return [key for key in self.canvas.selection if key.word is not None]

    def finish(self, path: list[QPointF]) -> None:
        """Dragged: the word where it began, or all that are chosen with it."""
        word, line = self._word_at(path[0]), self._line_at(path[-1])
        if word is not None and line is not None:
            chosen = self._chosen()
            self.editing.give(chosen if word in chosen else [word], line)

    def click(self, place: QPointF) -> None:
        """Give, or choose."""
        line, chosen = self._line_at(place), self._chosen()
        if chosen and line is not None:
            self.editing.give(chosen, line)
            return
        word = self._word_at(place)
        self.canvas.select([] if word is None else [word])
        self.canvas.tool_changed.emit()
