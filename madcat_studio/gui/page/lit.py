"""The outlines of a page that are lit: under the pointer, chosen, linked, or being reshaped.

The page view's part between :class:`OutlineView`, which knows no choice, and the canvas,
which knows mouse, keys and tools.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QPainterPath, QPolygonF
from PySide6.QtWidgets import QWidget

from madcat_studio.gui.page.levels import Pyramid
from madcat_studio.gui.page.live import Handles, LiveOutline
from madcat_studio.gui.page.outlineview import OutlineView
from madcat_studio.gui.page.shapes import (
    OutlineKind,
    PageShapes,
    ShapeKey,
    all_followed,
)
from madcat_studio.gui.page.style import LIGHT, PageColours
from madcat_studio.gui.page.tools.snapping import snapped
from madcat_studio.gui.page.zoom import MARGIN
from madcat_studio.model.change import Shift
from madcat_studio.model.document import Page, Polygon

__all__ = ["LitView"]

_GRIP_ROOM = 14.0
"""Screen pixels of outline that each vertex needs; below, grips would hide the word."""
_REACH = 9.0
"""View pixels within which a point comes to rest on another outline."""
_MANY = 60
"""More chosen outlines than this lie in the base layer, where they cost nothing at rest."""


class LitView(OutlineView):
    """A page whose outlines can be lit and chosen.

    Signals:
        hovered: the outline under the pointer (ShapeKey or None).
        chosen: the outline that a user chose (ShapeKey or None); of several the last.
        scan_changed: the scan is there, or one more level of it.

    Attributes:
        layer: the outlines that tools work on where they could take either.
    """

    hovered = Signal(object)
    chosen = Signal(object)
    scan_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editable = True
        self._grips = True
        self._hover: ShapeKey | None = None
        self._selection: list[ShapeKey] = []
        self._marked: list[int] = []
        self._in_base: list[ShapeKey] = []
        self.snapping = False
        self._linked: list[ShapeKey] = []
        self._live_points: list[QPointF] | None = None
        self.layer = OutlineKind.WORD
        self._make_items(LIGHT)

    def _make_items(self, colours: PageColours) -> None:
        self.base.colours = colours
        self._linked_item = LiveOutline(colours.linked, width=1.6, fill=38, level=10)
        self._hover_item = LiveOutline(colours.hover, width=1.6, fill=26, level=15)
        self._others_item = LiveOutline(colours.chosen, width=1.4, fill=18, level=18)
        self._chosen_item = LiveOutline(colours.chosen, width=2.0, fill=24, level=20)
        self._snap_item = LiveOutline(colours.linked, width=2.0, fill=60, level=45)
        self._live_items = (
            self._snap_item,
            self._linked_item,
            self._hover_item,
            self._others_item,
            self._chosen_item,
        )
        for item in self._live_items:
            self.scene().addItem(item)
        self._handles = Handles(self.scene(), colours.chosen, colours.handle)

    def set_page(self, shapes: PageShapes | None, pyramid: Pyramid | None) -> None:
        """Show another page, fitted into the view; nothing is chosen on it."""
        self._shapes = shapes
        self._hover = None
        self._selection, self._linked, self._marked = [], [], []
        for item in self._live_items:
            item.show_path(QPainterPath())
        self._handles.show_points([])
        self.base.labels = None
        self.base.selected, self.base.locked, self._in_base = {}, {}, []
        self.base.set_page(shapes, pyramid)
        self.fit()

    def set_shapes(self, shapes: PageShapes) -> None:
        """Other outlines on the same page: some were added or removed. The view stays."""
        self._shapes = shapes
        self.base.selected, self.base.locked, self._in_base = {}, {}, []
        self.base.set_page(shapes, self.base.pyramid)
        self._hover = None
        self._hover_item.show_path(QPainterPath())
        self._selection = [key for key in self._selection if key in shapes]
        self._linked = [key for key in self._linked if key in shapes]
        self._show_chosen()
        self._linked_item.show_path(self.outline_path(self._linked))
        self.refresh()

    def follow(self, page: Page, shifts: Sequence[Shift]) -> None:
        """Outlines of the page came, went or moved; the view, and what is chosen, stay."""
        self._follow_outlines(page, shifts)
        self.base.selected, self.base.locked, self._in_base = {}, {}, []
        self._selection = all_followed(self._selection, shifts)
        self._linked = all_followed(self._linked, shifts)
        self._hover = None
        self._hover_item.show_path(QPainterPath())
        self._show_chosen()
        self._linked_item.show_path(self.outline_path(self._linked))

    def set_scan(self, pyramid: Pyramid) -> None:
        """The scan has arrived, or another one: the outlines stay."""
        self.base.pyramid = pyramid
        self._lay_scene()
        if self._fitted:
            self.fit()
        self.base.invalidate_scan()
        self.viewport().update()
        self.scan_changed.emit()

    def scan_grew(self) -> None:
        """A level of the scan has arrived that may be better than what is shown."""
        self.scan_changed.emit()
        if self.base.scan_could_be_better():
            self.base.invalidate_scan()
            self.viewport().update()

    @property
    def has_choice(self) -> bool:
        """Whether an outline is chosen, or lit because of what is chosen elsewhere."""
        return bool(self._selection or self._linked)

    def set_editable(self, editable: bool) -> None:
        """Whether vertices can be taken hold of."""
        self._editable = editable
        self._show_chosen()

    def outline_changed(self, key: ShapeKey, polygon: Polygon) -> None:
        """Show one outline as the model has it now."""
        shapes = self._shapes
        if shapes is None or key not in shapes:
            return
        index = shapes.index(key)
        if shapes.sets[key.kind].is_same(index, polygon):
            return
        self._invalidate_shape(key)
        shapes.replace(key, polygon)
        self.base.outlines[key.kind].changed(index)
        self._invalidate_shape(key)
        if key in self._selection:
            self._show_chosen()
        if key == self._hover:
            self._hover_item.show_path(self.outline_path([key]))
        if key in self._linked:
            self._linked_item.show_path(self.outline_path(self._linked))

    @property
    def editable(self) -> bool:
        """Whether outlines can be edited here."""
        return self._editable

    @property
    def chosen_key(self) -> ShapeKey | None:
        """The outline that is chosen; of several the last."""
        return self._selection[-1] if self._selection else None

    @property
    def selection(self) -> list[ShapeKey]:
        """All outlines that are chosen, in the order in which they were."""
        return list(self._selection)

    @property
    def hovered_key(self) -> ShapeKey | None:
        """The outline under the pointer."""
        return self._hover

    @property
    def active_vertex(self) -> int | None:
        """The vertex of the chosen outline that keys act on; of several the last."""
        return self._marked[-1] if self._marked else None

    @property
    def marked(self) -> list[int]:
        """All vertices of the chosen outline that keys act on."""
        return list(self._marked)

    def choose(self, key: ShapeKey | None) -> None:
        """Choose an outline, as a click does, without telling anybody."""
        self.choose_all([] if key is None else [key])

    def choose_all(self, keys: Iterable[ShapeKey]) -> None:
        """Choose several, the last of them as the one that keys act on, and tell nobody."""
        shapes, before = self._shapes, self.chosen_key
        self._selection = [
            key for key in dict.fromkeys(keys) if shapes is not None and key in shapes
        ]
        if self.chosen_key != before:
            self._marked = []
        self._show_chosen()

    def select(self, keys: Iterable[ShapeKey]) -> None:
        """Choose as a user does: it is told."""
        self.choose_all(keys)
        self._hover_item.show_path(QPainterPath())
        self.chosen.emit(self.chosen_key)

    def toggle(self, key: ShapeKey | None) -> None:
        """Add an outline to those that are chosen, or take it out."""
        if key is not None:
            rest = [each for each in self._selection if each != key]
            self.select(rest if len(rest) < len(self._selection) else [*rest, key])

    def keys_in(self, box: QRectF) -> list[ShapeKey]:
        """The outlines of the layer in hand whose middle lies in a box; of the other, if none."""
        shapes = self._shapes
        if shapes is None:
            return []
        order = [self.layer, *(kind for kind in OutlineKind if kind is not self.layer)]
        for kind in order:
            found = shapes.sets[kind].centred_in(box.left(), box.top(), box.right(), box.bottom())
            if len(found) and self.base.visible[kind]:
                return [shapes.key(kind, index) for index in found.tolist()]
        return []

    def show_locked(self, keys: Iterable[ShapeKey]) -> None:
        """Show which outlines cannot be edited."""
        shapes = self._shapes
        before = self.base.locked
        self.base.locked = {} if shapes is None else shapes.indices(k for k in keys if k in shapes)
        if before or self.base.locked:
            self.refresh()

    def link(self, keys: Iterable[ShapeKey]) -> None:
        """Light outlines that belong to what is chosen elsewhere."""
        shapes = self._shapes
        self._linked = [key for key in keys if shapes is not None and key in shapes]
        self._linked_item.show_path(self.outline_path(self._linked))

    def reveal(self, keys: Iterable[ShapeKey], *, zoom: bool = False) -> None:
        """Bring outlines into view; with ``zoom`` as large as their line fits comfortably."""
        if self._shapes is None:
            return
        box = self._shapes.union(key for key in keys if key in self._shapes)
        if box is None:
            return
        left, top, right, bottom = box
        self.reveal_box(QRectF(QPointF(left, top), QPointF(right, bottom)), zoom=zoom)

    def reveal_box(self, target: QRectF, *, zoom: bool = False) -> None:
        """Bring a part of the page, in stored pixels, into view."""
        view = QRectF(self.viewport().rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        if zoom:
            seen = self.turning().mapRect(target)
            room = max(
                min(
                    view.width() / max(seen.width() * 1.15, 1),
                    view.height() / max(seen.height() * 4, 1),
                    1.0,
                ),
                self.fitting_scale(),
            )
            if not 0.6 <= self.scale_now() / room <= 1.6:
                self._set_scale(room)
                self._centre(target.center())
                return
        if not view.contains(self.viewportTransform().mapRect(target)):
            self._centre(target.center())

    def fit_choice(self) -> bool:
        """Show what is chosen, else what is lit, as large as it fits; False without any."""
        keys = self._selection or self._linked
        box = self._shapes.union(keys) if self._shapes is not None else None
        if box is None:
            return False
        left, top, right, bottom = box
        target = QRectF(QPointF(left, top), QPointF(right, bottom))
        seen = self.turning().mapRect(target)
        view = QRectF(self.viewport().rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        across = view.width() / max(seen.width() * 1.1, 1)
        down = view.height() / max(seen.height() * 1.1, 1)
        self._set_scale(max(min(across, down, 4.0), self.fitting_scale()), settle=True)
        self._centre(target.center())
        return True

    def activate_vertex(self, index: int | None) -> None:
        """Mark the vertex that keys act on."""
        self.mark_vertices([] if index is None else [index])

    def mark_vertices(self, indices: Iterable[int]) -> None:
        """Mark all vertices that keys act on."""
        self._marked = list(dict.fromkeys(indices))
        self._handles.set_active(self._marked)

    def _show_chosen(self) -> None:
        shapes, key = self._shapes, self.chosen_key
        others = self._selection[:-1]
        many = others if len(others) > _MANY else []
        if shapes is not None and many != self._in_base:
            self._in_base = many
            self.base.selected = shapes.indices(many)
            self.refresh()
        self._others_item.show_path(self.outline_path([] if many else others))
        if shapes is None or key is None:
            self._chosen_item.show_path(QPainterPath())
            self._handles.show_points([])
            return
        self._chosen_item.show_path(self.outline_path([key]))
        points = shapes.points(key).tolist() if self._can_grip() else []
        self._handles.show_points([QPointF(x, y) for x, y in points])
        self._handles.set_active([number for number in self._marked if number < len(points)])

    def light(self, key: ShapeKey | None) -> None:
        """Light what lies under the pointer."""
        if key == self._hover:
            return
        self._hover = key
        shown = [] if key is None or key == self.chosen_key else [key]
        self._hover_item.show_path(self.outline_path(shown))
        self.hovered.emit(key)

    def place(self, point: QPointF, leaving: ShapeKey | None = None) -> QPointF:
        """The whole pixel of the page that a view point means; a near outline draws it on.

        Args:
            point: view pixels.
            leaving: the outline that the point belongs to, which does not draw it on.
        """
        place = self.to_page(point)
        near = None
        if self.snapping and self._shapes is not None:
            near = snapped(
                self._shapes,
                place.x(),
                place.y(),
                reach=_REACH / self.scale_now(),
                shown=self.base.visible,
                leaving=leaving,
            )
        self.show_snap(near)
        return self.on_page(place if near is None else QPointF(*near))

    def on_page_by(self, keys: Iterable[ShapeKey], dx: int, dy: int) -> tuple[int, int]:
        """As much of a move as keeps on the page what lies on it; what lies beyond is free."""
        box = None if self._shapes is None else self._shapes.union(keys)
        page = self.base.page_rect()
        if box is None:
            return dx, dy
        left, top, right, bottom = box
        if left >= 0 and right <= page.width():
            dx = int(min(max(dx, -left), page.width() - right))
        if top >= 0 and bottom <= page.height():
            dy = int(min(max(dy, -top), page.height() - bottom))
        return dx, dy

    def show_snap(self, place: tuple[float, float] | None) -> None:
        """Show where a point came to rest on another outline."""
        path = QPainterPath()
        if place is not None:
            size = 6 / self.scale_now()
            path.addEllipse(QPointF(*place), size, size)
        self._snap_item.show_path(path)

    def bring(self, place: QPointF) -> None:
        """Move the page so far that a place of it is in view."""
        point = self.to_view(place)
        view = QRectF(self.viewport().rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        dx = min(max(point.x(), view.left()), view.right()) - point.x()
        dy = min(max(point.y(), view.top()), view.bottom()) - point.y()
        if dx or dy:
            self.scroll_by(dx, dy)

    def begin_reshape(self, key: ShapeKey) -> None:
        """Draw an outline live instead of in the base layer."""
        if self._shapes is None:
            return
        self.base.outlines[key.kind].hide(self._shapes.index(key))
        self._invalidate_shape(key)
        self._live_points = [QPointF(x, y) for x, y in self._shapes.points(key).tolist()]

    def reshape_to(self, points: Sequence[QPointF]) -> None:
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
        for outlines in self.base.outlines.values():
            outlines.hide(None)
        if self.chosen_key is not None:
            self._invalidate_shape(self.chosen_key)
        self._show_chosen()

    def scale_set(self, scale: float) -> None:
        for item in self._live_items:
            item.set_scale(scale)
        if self._live_points is None:
            self._show_chosen()

    def _can_grip(self) -> bool:
        """Whether the chosen outline's vertices lie far enough apart to be taken hold of."""
        shapes, key = self._shapes, self.chosen_key
        if not self._editable or shapes is None or key is None or not self._grips:
            return False
        points = shapes.points(key)
        way = np.abs(np.diff(points, axis=0, append=points[:1])).sum() * self.scale_now()
        return len(points) <= 8 or bool(way >= _GRIP_ROOM * len(points))

    def vertex_count(self) -> int:
        """How many vertices of the chosen outline can be taken hold of."""
        key = self.chosen_key
        if self._shapes is None or key is None or not self._editable:
            return 0
        return len(self._shapes.points(key))
