"""One stroke across outlines: to cut them in two, or to say in which order they are read."""

from __future__ import annotations

import itertools

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from madcat_studio.gui.page.shapes import OutlineKind, PageShapes, ShapeKey
from madcat_studio.gui.page.sketch import Sketch, Stroke, Tag
from madcat_studio.gui.page.stage import Stage
from madcat_studio.gui.page.tools.editing import Editing
from madcat_studio.gui.page.tools.pointing import StrokeTool, path_through
from madcat_studio.gui.page.tools.tool import Modifiers
from madcat_studio.gui.translation import tr, tr_count, tr_number
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import thinned

__all__ = ["CutTool", "GiveTool", "OrderTool", "keys_along"]

_STRAY = 1.5
_MOST_TAGS = 250


class CutTool(StrokeTool):
    """A stroke from one side of outlines to the other: of one, or of all that it goes through.

    Both parts of each are shown while it is drawn.
    """

    name = "cut"
    drafts = (name,)

    def __init__(self, stage: Stage, editing: Editing) -> None:
        super().__init__(stage, editing)
        self._count = 0

    def hint(self) -> str:
        """What to do, or what the stroke would do."""
        words = self.stage.layer is OutlineKind.WORD
        if self._count and words:
            return tr_count("It cuts {count} word", "It cuts {count} words", self._count)
        if self._count:
            return tr_count("It cuts {count} line", "It cuts {count} lines", self._count)
        if words:
            return tr("Draw a stroke across words to split them; W cuts lines instead")
        return tr("Draw a stroke across lines to split them; W cuts words instead")

    def show(self) -> None:
        """The stroke, and both parts of whatever it would cut."""
        path = self._path
        colours = self.stage.base.colours
        cut = self.editing.crossed(self._thinned(path)) if len(path) > 1 else ()
        strokes = []
        for each in cut:
            for part, colour in ((each.first, colours.chosen), (each.second, colours.hover)):
                outline = path_through([QPointF(x, y) for x, y in part], closed=True)
                strokes.append(Stroke(outline, colour, 1.6, 60))
        if path:
            strokes.append(Stroke(path_through(path), colours.chosen, 2.0))
        self.stage.sketch.show_all([*strokes, *self.cross()])
        if len(cut) != self._count:
            self._count = len(cut)
            self.stage.tell()

    def _end(self, path: list[QPointF]) -> None:
        self._count = 0
        super()._end(path)

    def cancel(self) -> bool:
        """Wipe the stroke away."""
        self._count = 0
        return super().cancel()

    def end(self) -> None:
        """The stroke waits."""
        self._count = 0
        super().end()

    def _thinned(self, path: list[QPointF]) -> Polygon:
        """The stroke less its trembling."""
        points = tuple((place.x(), place.y()) for place in path)
        return thinned(points, _STRAY / self.stage.camera.scale())

    def finish(self, path: list[QPointF]) -> None:
        """Cut along the stroke."""
        self.editing.cut(self._thinned(path))


class OrderTool(StrokeTool):
    """A stroke through words or lines; those that it does not meet keep their places."""

    name = "order"
    drafts = (name,)

    def __init__(self, stage: Stage, editing: Editing) -> None:
        super().__init__(stage, editing)
        self._numbers: Sketch | None = None
        self._met: dict[ShapeKey, None] = {}
        self._shown: tuple[object, ...] = ()

    def hint(self) -> str:
        """What to do."""
        if self.stage.layer is OutlineKind.WORD:
            return tr("Draw through the words of a line in reading order; W orders lines")
        return tr("Draw through the lines in reading order; W orders words")

    def begin(self) -> None:
        """Number what is in view."""
        super().begin()
        if self._numbers is None:
            self._numbers = Sketch(self.stage.base.colours.hover)
            self._numbers.setZValue(38)
            self.stage.add_item(self._numbers)
            for signal in (self.stage.camera.moved, self.stage.camera.zoomed):
                signal.connect(lambda *_: self._number())
        self.draft_changed()

    def end(self) -> None:
        """Without numbers."""
        super().end()
        if self._numbers is not None:
            self._numbers.clear()
            self._shown = ()

    def page_changed(self) -> None:
        """Number the outlines that are there now."""
        self._shown = ()
        super().page_changed()
        if self.stage.in_use(self):
            self.draft_changed()

    def draft_changed(self) -> None:
        """What the stroke meets now."""
        self._met = {}
        self._meet(self._path)
        super().draft_changed()

    def press(self, point: QPointF, modifiers: Modifiers) -> None:
        """Begin with nothing met, or go on."""
        super().press(point, modifiers)
        self._met = {}
        self._meet(self._path)

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """Meet what the stroke comes to; only its new end is looked at."""
        before = len(self._path)
        super().move(point, modifiers, held=held)
        path = self._path
        if len(path) > before > 0:
            self._meet(path[before - 1 :])
            self._number()

    def _meet(self, path: list[QPointF]) -> None:
        if self.stage.outlines.shapes is not None:
            for key in keys_along(self.stage.outlines.shapes, path, self.stage.layer):
                self._met.setdefault(key)

    def _end(self, path: list[QPointF]) -> None:
        super()._end(path)
        self._met = {}
        self.show()

    def cancel(self) -> bool:
        """Wipe the stroke away; the numbers stay."""
        had = super().cancel()
        self._met = {}
        if self.stage.in_use(self):
            self.show()
        return had

    def show(self) -> None:
        """The stroke, and the numbers."""
        super().show()
        self._number()

    def _number(self) -> None:
        """The numbers of what is in view, those along the stroke as they would be."""
        stage, shapes = self.stage, self.stage.outlines.shapes
        if self._numbers is None or shapes is None or not stage.in_use(self):
            return
        view = stage.camera.in_view()
        now = (shapes, stage.layer, view, stage.camera.scale(), tuple(self._met))
        if now == self._shown:
            return
        self._shown = now
        self._numbers.set_scale(stage.camera.scale())
        self._numbers.show_all((), self._tags(shapes, view))

    def _tags(self, shapes: PageShapes, view: QRectF) -> list[Tag]:
        kind, colours = self.stage.layer, self.stage.base.colours
        seen = shapes.sets[kind].meeting(view.left(), view.top(), view.right(), view.bottom())
        if len(seen) > _MOST_TAGS:
            return []  # too small to be read, and slow
        slots = {key: number + 1 for number, key in enumerate(self._met)}
        tags = []
        for key in (shapes.key(kind, index) for index in seen.tolist()):
            left, top, right, bottom = shapes.box(key)
            own = (key.line if key.word is None else key.word) + 1
            colour = colours.chosen if key in slots else colours.hover
            place = QPointF((left + right) / 2, (top + bottom) / 2)
            tags.append(Tag(place, tr_number(slots.get(key, own)), colour))
        return tags

    def finish(self, path: list[QPointF]) -> None:
        """Ask for the order."""
        self._meet(path[-2:])
        self.editing.order(list(self._met))


def keys_along(shapes: PageShapes, path: list[QPointF], kind: OutlineKind) -> list[ShapeKey]:
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
    drafts = (name,)
    drags = False

    def hint(self) -> str:
        """What to do."""
        if any(key.word is not None for key in self.stage.selection.keys):
            return tr("Click the line that the chosen words belong to, or drag them there")
        return tr("Choose words first (a click, or drag a word to its line)")

    def _line_at(self, place: QPointF) -> int | None:
        shapes = self.stage.outlines.shapes
        if shapes is None:
            return None
        lines = shapes.sets[OutlineKind.LINE].at(place.x(), place.y())
        return lines[0] if lines else None

    def _word_at(self, place: QPointF) -> ShapeKey | None:
        shapes = self.stage.outlines.shapes
        if shapes is None:
            return None
        words = shapes.sets[OutlineKind.WORD].at(place.x(), place.y())
        return shapes.key(OutlineKind.WORD, words[0]) if words else None

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """Light the line under the pointer."""
        super().move(point, modifiers, held=held)
        line = self._line_at(self.stage.camera.to_page(point))
        self.stage.selection.light(None if line is None else ShapeKey(line))

    def _chosen(self) -> list[ShapeKey]:
        return [key for key in self.stage.selection.keys if key.word is not None]

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
        self.stage.selection.select([] if word is None else [word])
        self.stage.tell()
