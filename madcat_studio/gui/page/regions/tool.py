"""The tool for regions and baselines: choose, move, reshape, draw, cut."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPointF, Qt

from madcat_studio.gui.page.regions.parts import Grip, Part
from madcat_studio.gui.page.sketch import Stroke
from madcat_studio.gui.page.stage import Stage
from madcat_studio.gui.page.tools.editing import Editing
from madcat_studio.gui.page.tools.pointing import StrokeTool, path_through
from madcat_studio.gui.page.tools.tool import ALT, CTRL, SHIFT, Modifiers
from madcat_studio.gui.translation import tr
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import corners, thinned

__all__ = ["LayoutEditing", "RegionTool"]

_STRAY = 2.0
"""View pixels that a baseline may stray from the hand."""


class LayoutEditing(Protocol):
    """What the tool asks for. Places are stored pixels."""

    @property
    def chosen(self) -> Part | None:
        """What is chosen."""

    def choose(self, part: Part | None) -> None:
        """Choose something."""

    def part_at(self, place: QPointF) -> Part | None:
        """What lies at a place."""
        ...

    def grip_at(self, place: QPointF) -> Grip | None:
        """What of the chosen thing can be taken hold of at a place."""
        ...

    def reshaped(self, grip: Grip | None, start: QPointF, end: QPointF) -> Polygon:
        """The chosen thing after a drag: of a vertex, an edge, or of all of it."""
        ...

    def set_points(self, points: Polygon) -> None:
        """Give the chosen thing another outline."""

    def draw_region(self, polygon: Polygon) -> None:
        """Add a region and choose it."""

    def draw_baseline(self, points: Polygon) -> None:
        """Give the line under a stroke this baseline."""

    def cut(self, path: Polygon) -> None:
        """Split the region that a stroke crosses."""

    def drop_vertex(self, grip: Grip) -> None:
        """Delete a vertex, or add one on an edge."""

    def remove(self) -> bool:
        """Remove what is chosen; False for nothing."""
        ...


class RegionTool(StrokeTool):
    """What a stroke does depends on where it begins, and on the key that is held."""

    name = "region"
    drafts = (name,)

    def __init__(self, stage: Stage, editing: Editing, layout: LayoutEditing) -> None:
        super().__init__(stage, editing)
        self._layout = layout
        self._keys = Modifiers.NoModifier
        self._grip: Grip | None = None
        self._holds = False

    def hint(self) -> str:
        """What to do."""
        if self._layout.chosen is not None:
            return tr(
                "Drag it or its points; Alt and drag cuts it, Alt and click adds or deletes a point"
            )
        return tr("Drag over empty paper: a new region; Ctrl and drag under a line: its baseline")

    def press(self, point: QPointF, modifiers: Modifiers) -> None:
        """Take hold of what is chosen, begin something new, or go on with what waited."""
        fresh = not self._path
        super().press(point, modifiers)
        if fresh:
            self._take_hold(modifiers)
            chosen = self._layout.chosen if self._holds else None
            held = None if chosen is None else [chosen.number, chosen.of_line]
            self.stage.begun.set(self.name, {"keys": modifiers.value, "held": held})

    def _take_hold(self, modifiers: Modifiers) -> None:
        self._keys = modifiers
        layout, place = self._layout, self._path[0]
        free = not modifiers & (ALT | CTRL | SHIFT)
        self._grip = layout.grip_at(place) if layout.chosen is not None else None
        self._holds = free and (
            self._grip is not None
            or (layout.chosen is not None and layout.part_at(place) == layout.chosen)
        )

    def begin(self) -> None:
        """Go on with what waited; what took hold of something that is no longer chosen does not."""
        self._go_on()
        super().begin()

    def draft_changed(self) -> None:
        """Undo or redo changed the stroke."""
        self._go_on()
        super().draft_changed()

    def _go_on(self) -> None:
        value = self.stage.begun.value(self.name)
        if value is None or not self._path:
            return
        held = value.get("held")
        if held is not None and self._layout.chosen is None:
            # After a crash nothing is chosen; what the hand held is meant all the same.
            self._layout.choose(Part(int(held[0]), of_line=bool(held[1])))
        self._take_hold(Modifiers(value["keys"]))
        if (held is not None) != self._holds:
            self.stage.begun.end(self.name)

    def show(self) -> None:
        """The outline as it would be."""
        if len(self._path) < 2:
            self.stage.sketch.show_all(self.cross())
            return
        if self._keys & (ALT | CTRL):
            super().show()
            return
        points = [QPointF(*point) for point in self._outline(self._path)]
        chosen = self._layout.chosen
        closed = not (self._holds and chosen is not None and chosen.of_line)
        path = path_through(points, closed=closed)
        if closed:
            self.stage.sketch.show_outline(path, points, self.cross())
        else:
            stroke = Stroke(path, self.stage.base.colours.chosen, 2.0)
            self.stage.sketch.show_all([stroke, *self.cross()], points=points)

    def _outline(self, path: list[QPointF]) -> Polygon:
        if self._holds:
            return self._layout.reshaped(self._grip, path[0], path[-1])
        a, b = (self.stage.camera.on_page(place) for place in (path[0], path[-1]))
        left, right = sorted((round(a.x()), round(b.x())))
        top, bottom = sorted((round(a.y()), round(b.y())))
        return corners((left, top, right, bottom))

    def finish(self, path: list[QPointF]) -> None:
        """Do what was sketched."""
        points = tuple((place.x(), place.y()) for place in path)
        fewer = thinned(points, _STRAY / self.stage.camera.scale())
        if self._keys & ALT:
            self._layout.cut(fewer)
        elif self._keys & CTRL:
            self._layout.draw_baseline(tuple((round(x), round(y)) for x, y in fewer))
        elif self._holds:
            self._layout.set_points(self._outline(path))
        else:
            self._layout.draw_region(self._outline(path))
        self._holds = False

    def click(self, place: QPointF) -> None:
        """Choose; with Alt a vertex less, or one more."""
        if self._keys & ALT and self._grip is not None:
            self._layout.drop_vertex(self._grip)
        else:
            self._layout.choose(self._layout.part_at(place))
            self.stage.tell()

    def key(self, key: Qt.Key, modifiers: Modifiers) -> bool:
        """Del removes what is chosen."""
        if key == Qt.Key.Key_Delete and self._layout.remove():
            return True
        return super().key(key, modifiers)

    def cancel(self) -> bool:
        """Wipe the stroke away; without one, choose nothing."""
        if super().cancel():
            return True
        if self._layout.chosen is None or not self.stage.in_use(self):
            return False
        self._layout.choose(None)
        return True

    def page_changed(self) -> None:
        """What is begun is that of the page; the choice is the feature's."""
        self._go_on()
        super().page_changed()
