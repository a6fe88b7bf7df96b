"""The outlines of a page at rest: what they look like, and painting anew what changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath

from madcat_studio.gui.page.base import BaseLayer
from madcat_studio.gui.page.camera import Camera
from madcat_studio.gui.page.labels import WordLabels
from madcat_studio.gui.page.paths import path_of
from madcat_studio.gui.page.shapes import (
    Indices,
    OutlineKind,
    PageShapes,
    ShapeKey,
    inverse,
    seams,
)
from madcat_studio.model.change import Shift
from madcat_studio.model.document import Page, Polygon

__all__ = ["OutlineLayer"]

_SEAMS = 40
"""More places than this where the order is another one, and everything is painted anew."""


class OutlineLayer:
    """The outlines in the base layer. It knows no choice, and no mouse."""

    def __init__(self, camera: Camera, base: BaseLayer) -> None:
        self._camera = camera
        self._base = base

    @property
    def shapes(self) -> PageShapes | None:
        """The outlines of the page that is shown."""
        return self._base.shapes

    # Other outlines

    def show(self, shapes: PageShapes | None) -> None:
        """Show these outlines instead, over the same scan; none of them is marked."""
        self._unmark()
        self._base.set_page(shapes, self._base.pyramid)
        self.refresh()

    def follow(self, page: Page, shifts: Sequence[Shift]) -> None:
        """Outlines of the page came, went or moved so; only what looks different is painted."""
        shapes = self._base.shapes
        assert shapes is not None
        before = {kind: shapes.sets[kind].boxes for kind in OutlineKind}
        sources = shapes.follow(page, shifts)
        for kind, outlines in self._base.outlines.items():
            outlines.follow(sources[kind])
        self._unmark()
        if self._base.look.order is not None and any(shift.of_line for shift in shifts):
            self.refresh()  # every line behind them has another number
            return
        for kind in OutlineKind:
            was = before[kind]
            self._invalidate_seams(was, seams(inverse(sources[kind], was.shape[1])))
            self._invalidate_seams(shapes.sets[kind].boxes, seams(sources[kind]))

    def change(self, key: ShapeKey, polygon: Polygon) -> bool:
        """Show one outline as the model has it now; False where it is so already."""
        shapes = self._base.shapes
        if shapes is None or key not in shapes:
            return False
        index = shapes.index(key)
        if shapes.sets[key.kind].is_same(index, polygon):
            return False
        self._invalidate_shape(key)
        shapes.replace(key, polygon)
        self._base.outlines[key.kind].changed(index)
        self._invalidate_shape(key)
        return True

    # How they look

    def set_visible(self, kind: OutlineKind, visible: bool) -> None:
        """Show or hide a layer; what is hidden cannot be chosen with the mouse."""
        self._base.visible[kind] = visible
        self.refresh()

    def set_classes(
        self,
        classes: Mapping[OutlineKind, npt.NDArray[np.uint8]] | None,
        palette: Sequence[QColor],
    ) -> None:
        """Colour each outline by its class; None: one colour for each layer."""
        others = [
            outlines.set_classes(None if classes is None else classes[kind])
            for kind, outlines in self._base.outlines.items()
        ]
        if any(others) or palette != self._base.look.palette:
            self._base.look.palette = palette
            self.refresh()

    def set_labels(self, labels: WordLabels | None) -> None:
        """Show the words' texts beside them, or not."""
        self._base.labels = labels
        self.refresh()

    def mark_locked(self, keys: Iterable[ShapeKey]) -> None:
        """Show which outlines cannot be edited."""
        before = self._base.locked
        self._base.locked = self._indices(keys)
        if before or self._base.locked:
            self.refresh()

    def mark_selected(self, keys: Iterable[ShapeKey]) -> None:
        """Show these as chosen, in the base layer, where many cost nothing at rest."""
        self._base.selected = self._indices(keys)
        self.refresh()

    def _indices(self, keys: Iterable[ShapeKey]) -> dict[OutlineKind, Indices]:
        shapes = self._base.shapes
        return {} if shapes is None else shapes.indices(key for key in keys if key in shapes)

    def _unmark(self) -> None:
        self._base.selected, self._base.locked = {}, {}

    def lift(self, key: ShapeKey) -> None:
        """Leave an outline out: it is drawn live meanwhile."""
        shapes = self._base.shapes
        if shapes is not None:
            self._base.outlines[key.kind].hide(shapes.index(key))
            self._invalidate_shape(key)

    def put_back(self, key: ShapeKey | None) -> None:
        """Show what was left out."""
        for outlines in self._base.outlines.values():
            outlines.hide(None)
        if key is not None:
            self._invalidate_shape(key)

    # Finding them

    def path(self, keys: Iterable[ShapeKey]) -> QPainterPath:
        """One path with these outlines, in stored pixels."""
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        shapes = self._base.shapes
        if shapes is None:
            return path
        for kind in OutlineKind:
            indices = [shapes.index(key) for key in keys if key.kind is kind]
            if indices:
                path.addPath(path_of(shapes.sets[kind], np.array(indices, dtype=np.intp)))
        return path

    def box(self, keys: Iterable[ShapeKey]) -> QRectF | None:
        """What these outlines take up of the page; None where there are none of them."""
        shapes = self._base.shapes
        box = None if shapes is None else shapes.union(key for key in keys if key in shapes)
        if box is None:
            return None
        left, top, right, bottom = box
        return QRectF(QPointF(left, top), QPointF(right, bottom))

    def reveal(self, keys: Iterable[ShapeKey], *, zoom: bool = False) -> None:
        """Bring outlines into view; with ``zoom`` as large as their line fits comfortably."""
        box = self.box(keys)
        if box is not None:
            self._camera.reveal(box, zoom=zoom)

    def within(self, box: QRectF, first: OutlineKind) -> list[ShapeKey]:
        """The outlines of a layer whose middle lies in a box; of the other layer, if none."""
        shapes = self._base.shapes
        if shapes is None:
            return []
        for kind in (first, *(kind for kind in OutlineKind if kind is not first)):
            found = shapes.sets[kind].centred_in(box.left(), box.top(), box.right(), box.bottom())
            if len(found) and self._base.visible[kind]:
                return [shapes.key(kind, index) for index in found.tolist()]
        return []

    def holds(self, key: ShapeKey, point: QPointF) -> bool:
        """Whether a view point lies in an outline."""
        shapes = self._base.shapes
        if shapes is None:
            return False
        place = self._camera.to_page(point)
        found = shapes.sets[key.kind].at(place.x(), place.y(), 4 / self._camera.scale())
        return shapes.index(key) in found

    def kept_on_page(self, keys: Iterable[ShapeKey], dx: int, dy: int) -> tuple[int, int]:
        """As much of a move as keeps on the page what lies on it; what lies beyond is free."""
        shapes = self._base.shapes
        box = None if shapes is None else shapes.union(keys)
        page = self._base.page_rect()
        if box is None:
            return dx, dy
        left, top, right, bottom = box
        if left >= 0 and right <= page.width():
            dx = int(min(max(dx, -left), page.width() - right))
        if top >= 0 and bottom <= page.height():
            dy = int(min(max(dy, -top), page.height() - bottom))
        return dx, dy

    # Painting them anew

    def refresh(self) -> None:
        """Paint all outlines anew; the scan under them is as it was."""
        self._base.invalidate()
        self._camera.update()

    def touch(self, keys: Iterable[ShapeKey]) -> None:
        """What is shown with some outlines is something else now: paint them anew."""
        for key in keys:
            self._invalidate_shape(key)

    def _invalidate_seams(self, boxes: npt.NDArray[np.float64], places: Indices) -> None:
        """Paint anew where outlines came, went or stand beside others than before."""
        if len(places) > _SEAMS:
            self.refresh()
            return
        for place in places.tolist():
            pair = boxes[:, max(place - 1, 0) : place + 1]
            pair = pair[:, np.isfinite(pair).all(axis=0)]
            if pair.shape[1]:
                left, top = pair[:2].min(axis=1).tolist()
                right, bottom = pair[2:].max(axis=1).tolist()
                self._invalidate_box(left, top, right, bottom)

    def _invalidate_box(self, left: float, top: float, right: float, bottom: float) -> None:
        margin = self._base.margin()
        # Never null, also around a single point: a null rectangle maps to nothing.
        box = QRectF(left, top, max(right - left, 0.1), max(bottom - top, 0.1))
        rect = self._camera.transform().mapRect(box).toAlignedRect()
        rect.adjust(-margin, -margin, margin, margin)
        self._base.invalidate(rect)
        self._camera.update(rect)

    def _invalidate_shape(self, key: ShapeKey) -> None:
        box = self._base.touched(key)
        if not box.isNull():
            self._invalidate_box(box.left(), box.top(), box.right(), box.bottom())
