"""The outlines of a page that are lit: under the pointer, chosen, linked, or being reshaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QObject, QPointF, Signal
from PySide6.QtGui import QPainterPath, QPolygonF
from PySide6.QtWidgets import QGraphicsScene

from madcat_studio.gui.page.camera import Camera
from madcat_studio.gui.page.live import Handles, LiveOutline
from madcat_studio.gui.page.outlinelayer import OutlineLayer
from madcat_studio.gui.page.shapes import ShapeKey, all_followed
from madcat_studio.gui.page.style import PageColours
from madcat_studio.model.change import Shift

__all__ = ["SelectionLayer"]

_GRIP_ROOM = 14.0
"""Screen pixels of outline that each vertex needs; below, grips would hide the word."""
_MANY = 60
"""More chosen outlines than this lie in the base layer, where they cost nothing at rest."""


class SelectionLayer(QObject):
    """What is chosen and lit, drawn by real items over the base layer.

    Signals:
        hovered: the outline under the pointer (ShapeKey or None).
        chosen: the outline that a user chose (ShapeKey or None); of several the last.
    """

    hovered = Signal(object)
    chosen = Signal(object)

    def __init__(
        self, scene: QGraphicsScene, camera: Camera, outlines: OutlineLayer, colours: PageColours
    ) -> None:
        super().__init__(camera)
        self._camera = camera
        self._outlines = outlines
        self._editable = True
        self._grips = True
        self._hover: ShapeKey | None = None
        self._keys: list[ShapeKey] = []
        self._marked: list[int] = []
        self._linked: list[ShapeKey] = []
        self._in_base: list[ShapeKey] = []
        self._live_points: list[QPointF] | None = None
        self._linked_item = LiveOutline(colours.linked, width=1.6, fill=38, level=10)
        self._hover_item = LiveOutline(colours.hover, width=1.6, fill=26, level=15)
        self._others_item = LiveOutline(colours.chosen, width=1.4, fill=18, level=18)
        self._chosen_item = LiveOutline(colours.chosen, width=2.0, fill=24, level=20)
        for item in self._items():
            scene.addItem(item)
        self._handles = Handles(scene, colours.chosen, colours.handle)
        camera.zoomed.connect(self._on_zoom)

    def set_look(self, colours: PageColours, width: int) -> None:
        """Other colours, and lines by so much wider than thin ones."""
        more = width - 1
        for item, colour, own in (
            (self._linked_item, colours.linked, 1.6),
            (self._hover_item, colours.hover, 1.6),
            (self._others_item, colours.chosen, 1.4),
            (self._chosen_item, colours.chosen, 2.0),
        ):
            item.set_colour(colour, own + more)
        self._handles.set_colour(colours.chosen)

    def _items(self) -> tuple[LiveOutline, ...]:
        return self._linked_item, self._hover_item, self._others_item, self._chosen_item

    # What is chosen and lit

    @property
    def key(self) -> ShapeKey | None:
        """The outline that is chosen; of several the last."""
        return self._keys[-1] if self._keys else None

    @property
    def keys(self) -> list[ShapeKey]:
        """All outlines that are chosen, in the order in which they were."""
        return list(self._keys)

    @property
    def has_choice(self) -> bool:
        """Whether an outline is chosen, or lit because of what is chosen elsewhere."""
        return bool(self._keys or self._linked)

    @property
    def hovered_key(self) -> ShapeKey | None:
        """The outline under the pointer."""
        return self._hover

    @property
    def marked(self) -> list[int]:
        """All vertices of the chosen outline that keys act on."""
        return list(self._marked)

    @property
    def vertex(self) -> int | None:
        """The vertex of the chosen outline that keys act on; of several the last."""
        return self._marked[-1] if self._marked else None

    @property
    def editable(self) -> bool:
        """Whether outlines can be edited here."""
        return self._editable

    def choose(self, keys: Iterable[ShapeKey]) -> None:
        """Choose outlines, the last of them as the one that keys act on, and tell nobody."""
        shapes, before = self._outlines.shapes, self.key
        self._keys = [key for key in dict.fromkeys(keys) if shapes is not None and key in shapes]
        if self.key != before:
            self._marked = []
        self._show_chosen()

    def select(self, keys: Iterable[ShapeKey]) -> None:
        """Choose as a user does: it is told."""
        self.choose(keys)
        self._hover_item.show_path(QPainterPath())
        self.chosen.emit(self.key)

    def toggle(self, key: ShapeKey | None) -> None:
        """Add an outline to those that are chosen, or take it out."""
        if key is not None:
            rest = [each for each in self._keys if each != key]
            self.select(rest if len(rest) < len(self._keys) else [*rest, key])

    def link(self, keys: Iterable[ShapeKey]) -> None:
        """Light outlines that belong to what is chosen elsewhere."""
        shapes = self._outlines.shapes
        self._linked = [key for key in keys if shapes is not None and key in shapes]
        self._show_linked()

    def light(self, key: ShapeKey | None) -> None:
        """Light what lies under the pointer."""
        if key == self._hover:
            return
        self._hover = key
        shown = [] if key is None or key == self.key else [key]
        self._hover_item.show_path(self._outlines.path(shown))
        self.hovered.emit(key)

    def fit(self) -> bool:
        """Show what is chosen, else what is lit, as large as it fits; False without any."""
        box = self._outlines.box(self._keys or self._linked)
        if box is not None:
            self._camera.fit_box(box)
        return box is not None

    # Following the page

    def clear(self) -> None:
        """Another page: nothing is chosen or lit on it."""
        self._hover = None
        self._keys, self._linked, self._marked, self._in_base = [], [], [], []
        for item in self._items():
            item.show_path(QPainterPath())
        self._handles.show_points([])

    def keep(self) -> None:
        """Other outlines on the same page: what is still there stays chosen."""
        shapes = self._outlines.shapes
        self._keys = [key for key in self._keys if shapes is not None and key in shapes]
        self._linked = [key for key in self._linked if shapes is not None and key in shapes]
        self._show_anew()

    def follow(self, shifts: Sequence[Shift]) -> None:
        """Outlines came, went or moved so: what was chosen stays so."""
        self._keys = all_followed(self._keys, shifts)
        self._linked = all_followed(self._linked, shifts)
        self._show_anew()

    def outline_changed(self, key: ShapeKey) -> None:
        """One outline has other points."""
        if key in self._keys:
            self._show_chosen()
        if key == self._hover:
            self._hover_item.show_path(self._outlines.path([key]))
        if key in self._linked:
            self._show_linked()

    def _show_anew(self) -> None:
        self._in_base, self._hover = [], None
        self._hover_item.show_path(QPainterPath())
        self._show_chosen()
        self._show_linked()

    def _show_linked(self) -> None:
        self._linked_item.show_path(self._outlines.path(self._linked))

    def _show_chosen(self) -> None:
        shapes, key = self._outlines.shapes, self.key
        others = self._keys[:-1]
        many = others if len(others) > _MANY else []
        if shapes is not None and many != self._in_base:
            self._in_base = many
            self._outlines.mark_selected(many)
        self._others_item.show_path(self._outlines.path([] if many else others))
        if shapes is None or key is None:
            self._chosen_item.show_path(QPainterPath())
            self._handles.show_points([])
            return
        self._chosen_item.show_path(self._outlines.path([key]))
        points = shapes.points(key).tolist() if self.can_grip() else []
        self._handles.show_points([QPointF(x, y) for x, y in points])
        self._handles.set_active([number for number in self._marked if number < len(points)])

    def _on_zoom(self, scale: float) -> None:
        for item in self._items():
            item.set_scale(scale)
        if self._live_points is None:
            self._show_chosen()

    # Vertices

    def set_editable(self, editable: bool) -> None:
        """Whether vertices can be taken hold of."""
        self._editable = editable
        self._show_chosen()

    def set_grips(self, grips: bool) -> None:
        """Whether the tool in use takes hold of vertices."""
        self._grips = grips
        self._show_chosen()

    def can_grip(self) -> bool:
        """Whether the chosen outline's vertices lie far enough apart to be taken hold of."""
        shapes, key = self._outlines.shapes, self.key
        if not self._editable or shapes is None or key is None or not self._grips:
            return False
        points = shapes.points(key)
        way = np.abs(np.diff(points, axis=0, append=points[:1])).sum() * self._camera.scale()
        return len(points) <= 8 or bool(way >= _GRIP_ROOM * len(points))

    def vertex_count(self) -> int:
        """How many vertices of the chosen outline can be taken hold of."""
        shapes, key = self._outlines.shapes, self.key
        return 0 if shapes is None or key is None or not self._editable else len(shapes.points(key))

    def mark_vertices(self, indices: Iterable[int]) -> None:
        """Mark all vertices that keys act on."""
        self._marked = list(dict.fromkeys(indices))
        self._handles.set_active(self._marked)

    # Reshaping

    def begin_reshape(self, key: ShapeKey) -> None:
        """Draw an outline live instead of in the base layer."""
        shapes = self._outlines.shapes
        if shapes is not None:
            self._outlines.lift(key)
            self._live_points = [QPointF(x, y) for x, y in shapes.points(key).tolist()]

    def reshape(self, points: Sequence[QPointF]) -> None:
        """Show the live outline with these vertices."""
        self._live_points = list(points)
        path = QPainterPath()
        path.addPolygon(QPolygonF(self._live_points))
        path.closeSubpath()
        self._chosen_item.show_path(path)
        self._handles.show_points(self._live_points if self._grips else [])

    def end_reshape(self) -> None:
        """Show the outline as the model has it."""
        self._live_points = None
        self._outlines.put_back(self.key)
        self._show_chosen()
