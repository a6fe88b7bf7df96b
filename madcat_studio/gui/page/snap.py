"""Where a pointed place comes to rest: on a pixel, and where that is wanted on a near outline."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QGraphicsScene

from madcat_studio.gui.page.base import BaseLayer
from madcat_studio.gui.page.camera import Camera
from madcat_studio.gui.page.live import LiveOutline
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.snapping import snapped
from madcat_studio.gui.page.style import PageColours

__all__ = ["Snap"]

_REACH = 9.0
"""View pixels within which a point comes to rest on another outline."""


class Snap:
    """Finds the place, and shows it. ``on``: whether near outlines draw points on."""

    def __init__(
        self, scene: QGraphicsScene, camera: Camera, base: BaseLayer, colours: PageColours
    ) -> None:
        self.on = False
        self._camera = camera
        self._base = base
        self._item = LiveOutline(colours.linked, width=2.0, fill=60, level=45)
        scene.addItem(self._item)
        camera.zoomed.connect(self._item.set_scale)

    def place(self, point: QPointF, leaving: ShapeKey | None = None) -> QPointF:
        """The whole pixel of the page that a view point means; a near outline draws it on.

        Args:
            point: view pixels.
            leaving: the outline that the point belongs to, which does not draw it on.
        """
        place = self._camera.to_page(point)
        near = None
        if self.on and self._base.shapes is not None:
            near = snapped(
                self._base.shapes,
                place.x(),
                place.y(),
                reach=_REACH / self._camera.scale(),
                shown=self._base.visible,
                leaving=leaving,
            )
        self._show(near)
        return self._camera.on_page(place if near is None else QPointF(*near))

    def clear(self) -> None:
        """Show no place any more."""
        self._show(None)

    def _show(self, place: tuple[float, float] | None) -> None:
        path = QPainterPath()
        if place is not None:
            size = 6 / self._camera.scale()
            path.addEllipse(QPointF(*place), size, size)
        self._item.show_path(path)
