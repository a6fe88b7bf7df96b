"""The reading order, drawn over a page: from word to word, from line to line, and line numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTransform

from madcat_studio.gui.page.paths import path_of_strokes
from madcat_studio.gui.page.picture import scale_of
from madcat_studio.gui.page.shapes import OutlineKind, PageShapes
from madcat_studio.gui.translation import tr_number

__all__ = ["ReadingOrder"]

_HEAD = 6.0
"""The length of an arrow's head, screen pixels."""
_SHORTEST = 12.0
"""Screen pixels between two middles below which an arrow between them would be a blot."""
_LEAST_NUMBER = 11.0
"""Screen pixels of a typical line's height below which numbers would lie on one another."""

Points = npt.NDArray[np.float64]


class ReadingOrder:
    """Arrows between the middles of outlines; only those that touch a part are looked at."""

    def __init__(self, shapes: PageShapes, font: QFont, colour: QColor, ground: QColor) -> None:
        self._shapes = shapes
        self._font = font
        self._colour = colour
        self._ground = ground
        self._metrics = QFontMetricsF(font)
        self._faint = _mixed(colour, ground, 0.4)
        self.reach = 40.0
        """How far what is drawn sticks out of the outlines that it belongs to, view pixels."""

    def paint(
        self, painter: QPainter, rect: QRect, transform: QTransform, *, words: bool, lines: bool
    ) -> None:
        """Draw what touches a rectangle of the view: arrows from word to word where ``words``
        are large enough, else from line to line where ``lines`` are; and the lines' numbers.
        """
        margin = self.reach
        page = transform.inverted()[0].mapRect(
            QRectF(rect).adjusted(-margin, -margin, margin, margin)
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        scale = scale_of(transform)
        if words:
            self._paint_arrows(painter, page, transform, OutlineKind.WORD)
        elif lines:
            self._paint_arrows(painter, page, transform, OutlineKind.LINE)
        if self._shapes.sets[OutlineKind.LINE].typical_height() * scale >= _LEAST_NUMBER:
            self._paint_numbers(painter, rect, transform)

    def _paint_arrows(
        self, painter: QPainter, page: QRectF, transform: QTransform, kind: OutlineKind
    ) -> None:
        boxes = self._shapes.sets[kind].boxes
        if boxes.shape[1] < 2:
            return
        # An arrow lies within the box around the two outlines that it joins.
        usable = np.asarray(np.isfinite(boxes).all(axis=0))
        x0 = np.minimum(boxes[0, :-1], boxes[0, 1:])
        y0 = np.minimum(boxes[1, :-1], boxes[1, 1:])
        x1 = np.maximum(boxes[2, :-1], boxes[2, 1:])
        y1 = np.maximum(boxes[3, :-1], boxes[3, 1:])
        meeting = np.flatnonzero(
            usable[:-1]
            & usable[1:]
            & (x0 <= page.right())
            & (x1 >= page.left())
            & (y0 <= page.bottom())
            & (y1 >= page.top())
        )
        if not meeting.size:
            return
        start, end = (
            _on_view(((boxes[:2, at] + boxes[2:, at]) / 2).T, transform)
            for at in (meeting, meeting + 1)
        )
        way = end - start
        length = np.hypot(*way.T)
        long = length >= _SHORTEST
        start, end, way, length = start[long], end[long], way[long], length[long, None]
        numbers = meeting[long]
        owners = (
            self._shapes.owners()
            if kind is OutlineKind.WORD
            else np.zeros(boxes.shape[1], dtype=np.intp)
        )
        along = way / length
        # They stop short of the middles, so that one arrow does not run into the next.
        start, end = start + along * 3.0, end - along * 3.0
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        left = end - along * _HEAD + across * _HEAD * 0.45
        right = end - along * _HEAD - across * _HEAD * 0.45
        strokes = np.stack([start, end - along * _HEAD], axis=1)
        # From one line to the next the way is long and tells less: fainter, and beneath. Opaque,
        # because Qt strokes only opaque lines fast.
        between = owners[numbers] != owners[numbers + 1]
        for which, colour in ((between, self._faint), (~between, self._colour)):
            painter.setPen(QPen(colour, 1.0))
            painter.drawPath(path_of_strokes(strokes[which]))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colour)
        painter.drawPath(path_of_strokes(np.stack([end, left, right, end], axis=1)))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_numbers(self, painter: QPainter, rect: QRect, transform: QTransform) -> None:
        boxes = self._shapes.sets[OutlineKind.LINE].boxes
        usable = np.flatnonzero(np.isfinite(boxes).all(axis=0))
        if not usable.size:
            return
        # Where reading begins: at the right of a line, wherever that is on a page that is turned.
        _, top, right, bottom = boxes[:, usable]
        begins = _on_view(np.stack([right, (top + bottom) / 2], axis=1), transform)
        scale = scale_of(transform)
        away = QPointF(transform.m11() / scale, transform.m12() / scale)
        reach = self._width(tr_number(boxes.shape[1])) + self._metrics.height() + 8
        x, y = begins.T
        seen = np.flatnonzero(
            (x - reach <= rect.right() + 1)
            & (x + reach >= rect.left())
            & (y - reach <= rect.bottom() + 1)
            & (y + reach >= rect.top())
        )
        painter.setFont(self._font)
        height = self._metrics.height()
        for number in seen.tolist():
            text = tr_number(int(usable[number]) + 1)
            width = self._width(text)
            half = abs(away.x()) * width / 2 + abs(away.y()) * height / 2
            middle = QPointF(float(x[number]), float(y[number])) + away * (half + 4)
            chip = QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height)
            if not chip.intersects(QRectF(rect)):
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._colour)
            painter.drawRoundedRect(chip, height / 2, height / 2)
            painter.setPen(self._ground)
            painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _width(self, text: str) -> float:
        return max(self._metrics.horizontalAdvance(text) + 8, self._metrics.height())


def _mixed(colour: QColor, other: QColor, share: float) -> QColor:
    """A colour between two."""
    parts = (QColor.red, QColor.green, QColor.blue)
    return QColor(*(round(of(colour) * share + of(other) * (1 - share)) for of in parts))


def _on_view(points: Points, transform: QTransform) -> Points:
    """Points of the page in view pixels: (n, 2)."""
    t = transform
    x, y = points.T
    return np.stack(
        [x * t.m11() + y * t.m21() + t.dx(), x * t.m12() + y * t.m22() + t.dy()], axis=1
    )
