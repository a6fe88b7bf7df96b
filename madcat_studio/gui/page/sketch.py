"""What a tool draws over the page while it is at work: strokes, areas, points and short texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

__all__ = ["Sketch", "Stroke", "Tag"]

_GRIP = 3.5
_TAG = 11


class Stroke(NamedTuple):
    """One path with its look. ``fill``: the opacity of its area, 0 to 255."""

    path: QPainterPath
    colour: QColor
    width: float = 1.8
    fill: int = 0
    dashed: bool = False


class Tag(NamedTuple):
    """A short text in a chip, its middle at a point of the page."""

    place: QPointF
    text: str
    colour: QColor


class Sketch(QGraphicsItem):
    """One item for all of it. Coordinates are stored pixels; widths are screen pixels."""

    def __init__(self, colour: QColor) -> None:
        super().__init__()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(40)
        self.setVisible(False)
        # So that a part of the view that is painted anew costs only what lies in it.
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self._colour = colour
        self._strokes: tuple[Stroke, ...] = ()
        self._tags: tuple[Tag, ...] = ()
        self._points: tuple[QPointF, ...] = ()
        self._box = QRectF()
        self._scale = 1.0
        self._font = QFont()
        self._font.setPixelSize(_TAG)
        self._font.setBold(True)

    def set_scale(self, scale: float) -> None:
        """Take notice of the zoom."""
        if scale != self._scale:
            self.prepareGeometryChange()
            self._scale = scale

    def show_outline(
        self, path: QPainterPath, points: Sequence[QPointF] = (), more: Sequence[Stroke] = ()
    ) -> None:
        """Show one dashed outline, lightly filled, grips on some points, and more strokes."""
        self.show_all([Stroke(path, self._colour, 1.5, 22, True), *more], points=points)

    def show_all(
        self,
        strokes: Sequence[Stroke],
        tags: Sequence[Tag] = (),
        points: Sequence[QPointF] = (),
    ) -> None:
        """Show these and nothing else."""
        self.prepareGeometryChange()
        self._strokes, self._tags, self._points = tuple(strokes), tuple(tags), tuple(points)
        box = QRectF()
        for stroke in strokes:
            box = box.united(_with_room(stroke.path.boundingRect()))
        for place in (*points, *(tag.place for tag in tags)):
            box = box.united(QRectF(place.x() - 1, place.y() - 1, 2, 2))
        self._box = box
        self.setVisible(bool(strokes or tags or points))
        self.update()

    def clear(self) -> None:
        """Show nothing."""
        if self.isVisible():
            self.show_all(())

    @property
    def strokes(self) -> tuple[Stroke, ...]:
        """The strokes that are shown."""
        return self._strokes

    @property
    def tags(self) -> tuple[Tag, ...]:
        """The texts that are shown."""
        return self._tags

    def boundingRect(self) -> QRectF:
        margin = (40.0 if self._tags else 8.0) / self._scale
        return self._box.adjusted(-margin, -margin, margin, margin)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for stroke in self._strokes:
            pen = QPen(stroke.colour, stroke.width)
            pen.setCosmetic(True)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            if stroke.dashed:
                pen.setDashPattern([4.0, 3.0])
            painter.setPen(pen)
            ground = QColor(stroke.colour)
            ground.setAlpha(stroke.fill)
            painter.setBrush(QBrush(ground) if stroke.fill else QBrush(Qt.BrushStyle.NoBrush))
            painter.drawPath(stroke.path)
        transform = painter.transform()
        painter.resetTransform()
        painter.setPen(QPen(self._colour, 1.4))
        painter.setBrush(QColor("#ffffff"))
        for point in self._points:
            painter.drawEllipse(transform.map(point), _GRIP, _GRIP)
        painter.setFont(self._font)
        metrics = QFontMetricsF(self._font)
        room = 24.0 / self._scale
        exposed = option.exposedRect.adjusted(-room, -room, room, room)
        for place, text, colour in self._tags:
            if not exposed.contains(place):
                continue
            middle = transform.map(place)
            width = max(metrics.horizontalAdvance(text) + 8, 18.0)
            chip = QRectF(middle.x() - width / 2, middle.y() - 9, width, 18)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawRoundedRect(chip, 9, 9)
            painter.setPen(QColor("#ffffff"))
            painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)
        painter.setTransform(transform)


def _with_room(box: QRectF) -> QRectF:
    """A box that is not empty even where a stroke is level or upright: unions drop empty ones."""
    return box.adjusted(-0.5, -0.5, 0.5, 0.5)
