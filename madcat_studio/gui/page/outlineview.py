"""The outlines of a page in a view: what they look like at rest, and painting anew what changed.

The page view's part between :class:`ZoomView`, which knows the base layer only, and
:class:`LitView`, which knows what is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath
from PySide6.QtWidgets import QWidget

from madcat_studio.gui.page.labels import WordLabels
from madcat_studio.gui.page.paths import path_of
from madcat_studio.gui.page.shapes import Indices, OutlineKind, PageShapes, ShapeKey, inverse, seams
from madcat_studio.gui.page.zoom import ZoomView
from madcat_studio.model.change import Shift
from madcat_studio.model.document import Page

__all__ = ["OutlineView"]

_SEAMS = 40
"""More places than this where the order is another one, and everything is painted anew."""


class OutlineView(ZoomView):
    """A page with outlines."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shapes: PageShapes | None = None

    def _follow_outlines(self, page: Page, shifts: Sequence[Shift]) -> None:
        """Outlines of the page came, went or moved so; only what looks different is painted."""
        shapes = self._shapes
        assert shapes is not None
        before = {kind: shapes.sets[kind].boxes for kind in OutlineKind}
        sources = shapes.follow(page, shifts)
        for kind, outlines in self.base.outlines.items():
            outlines.follow(sources[kind])
        if self.base.look.order is not None and any(shift.of_line for shift in shifts):
            self.refresh()  # every line behind them has another number
            return
        for kind in OutlineKind:
            was = before[kind]
            self._invalidate_seams(was, seams(inverse(sources[kind], was.shape[1])))
            self._invalidate_seams(shapes.sets[kind].boxes, seams(sources[kind]))

    @property
    def shapes(self) -> PageShapes | None:
        """The outlines of the page that is shown."""
        return self._shapes

    def set_classes(
        self, classes: Mapping[OutlineKind, npt.NDArray[np.uint8]] | None, palette: Sequence[QColor]
    ) -> None:
        """Colour each outline by its class; None: one colour for each layer."""
        others = [
            outlines.set_classes(None if classes is None else classes[kind])
            for kind, outlines in self.base.outlines.items()
        ]
        if any(others) or palette != self.base.look.palette:
            self.base.look.palette = palette
            self.refresh()

    def set_labels(self, labels: WordLabels | None) -> None:
        """Show the words' texts beside them, or not."""
        self.base.labels = labels
        self.refresh()

    def outline_path(self, keys: Iterable[ShapeKey]) -> QPainterPath:
        """One path with these outlines, in stored pixels."""
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        shapes = self._shapes
        if shapes is None:
            return path
        for kind in OutlineKind:
            indices = [shapes.index(key) for key in keys if key.kind is kind]
            if indices:
                path.addPath(path_of(shapes.sets[kind], np.array(indices, dtype=np.intp)))
        return path

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
        margin = self.base.margin()
        # Never null, also around a single point: a null rectangle maps to nothing.
        box = QRectF(left, top, max(right - left, 0.1), max(bottom - top, 0.1))
        rect = self.viewportTransform().mapRect(box).toAlignedRect()
        rect.adjust(-margin, -margin, margin, margin)
        self.base.invalidate(rect)
        self.viewport().update(rect)

    def _invalidate_shape(self, key: ShapeKey) -> None:
        if self._shapes is None:
            return
        box = self.base.touched(key)
        if box.isNull():
            return
        self._invalidate_box(box.left(), box.top(), box.right(), box.bottom())

    def holds(self, key: ShapeKey, point: QPointF) -> bool:
        """Whether a view point lies in an outline."""
        if self._shapes is None:
            return False
        place = self.to_page(point)
        found = self._shapes.sets[key.kind].at(place.x(), place.y(), 4 / self.scale_now())
        return self._shapes.index(key) in found
