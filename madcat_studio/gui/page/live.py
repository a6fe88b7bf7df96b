"""The few things on a page that change with every move of the mouse: real items over the base.

They are passive: they take no events and know no model. The canvas tells them what to show.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QStyleOptionGraphicsItem, QWidget

__all__ = ["Handles", "LiveOutline"]

_HANDLE = 4.0
"""Half the side of a vertex's grip, in screen pixels."""


class LiveOutline(QGraphicsItem):
    """One or several outlines drawn strongly and filled lightly."""

    def __init__(self, colour: QColor, *, width: float, fill: int, level: float) -> None:
        super().__init__()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(level)
        self.setVisible(False)
        self._path = QPainterPath()
        self._pen = QPen(colour, width)
        self._pen.setCosmetic(True)
        self._pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        ground = QColor(colour)
        ground.setAlpha(fill)
        self._brush = QBrush(ground)
        self._scale = 1.0

    def set_colour(self, colour: QColor, width: float) -> None:
        """Draw it otherwise."""
        self.prepareGeometryChange()
        self._pen.setColor(colour)
        self._pen.setWidthF(width)
        ground = QColor(colour)
        ground.setAlpha(self._brush.color().alpha())
        self._brush = QBrush(ground)
        self.update()

    def set_scale(self, scale: float) -> None:
        """Take notice of the zoom: the pen's width on the page depends on it."""
        if scale != self._scale:
            self.prepareGeometryChange()
            self._scale = scale

    def show_path(self, path: QPainterPath) -> None:
        """Show these outlines; none where the path is empty."""
        self.prepareGeometryChange()
        self._path = path
        self.setVisible(not path.isEmpty())

    def boundingRect(self) -> QRectF:
        margin = (self._pen.widthF() + 1.5) / self._scale
        return self._path.boundingRect().adjusted(-margin, -margin, margin, margin)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(self._pen)
        painter.setBrush(self._brush)
        painter.drawPath(self._path)


class _Handle(QGraphicsItem):
    """The grip of one vertex, as large at every zoom."""

    def __init__(self, colour: QColor, ground: QColor) -> None:
        super().__init__()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.setZValue(30)
        self._pen = QPen(colour, 1.5)
        self._ground = QBrush(ground)
        self._active_ground = QBrush(colour)
        self.active = False

    def set_colour(self, colour: QColor) -> None:
        """Another colour."""
        self._pen.setColor(colour)
        self._active_ground = QBrush(colour)
        self.update()

    def boundingRect(self) -> QRectF:
        side = _HANDLE + 2.0
        return QRectF(-side, -side, 2 * side, 2 * side)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(self._pen)
        painter.setBrush(self._active_ground if self.active else self._ground)
        side = _HANDLE
        painter.drawRoundedRect(QRectF(-side, -side, 2 * side, 2 * side), 1.5, 1.5)


class Handles:
    """The grips of the outline being edited: a stock of items shared by all outlines."""

    def __init__(self, scene: QGraphicsScene, colour: QColor, ground: QColor) -> None:
        self._scene = scene
        self._colours = (colour, ground)
        self._stock: list[_Handle] = []
        self._used = 0
        self._active: frozenset[int] = frozenset()

    def show_points(self, points: Sequence[QPointF]) -> None:
        """Put one grip on each point."""
        count = len(points)
        while len(self._stock) < count:
            handle = _Handle(*self._colours)
            self._scene.addItem(handle)
            self._stock.append(handle)
        for handle, point in zip(self._stock, points, strict=False):
            handle.setPos(point)
            handle.setVisible(True)
        for handle in self._stock[count : self._used]:
            handle.setVisible(False)
        self._used = count
        if self._active and max(self._active) >= count:
            self.set_active(())

    def set_colour(self, colour: QColor) -> None:
        """Another colour, for those to come as well."""
        self._colours = (colour, self._colours[1])
        for handle in self._stock:
            handle.set_colour(colour)

    def move(self, index: int, point: QPointF) -> None:
        """Move one grip."""
        self._stock[index].setPos(point)

    def set_active(self, indices: Collection[int]) -> None:
        """Mark the grips that keys act on."""
        active = frozenset(indices)
        for number in self._active ^ active:
            if number < len(self._stock):
                self._stock[number].active = number in active
                self._stock[number].update()
        self._active = active

    def count(self) -> int:
        """How many grips are shown."""
        return self._used
