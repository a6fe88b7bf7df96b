"""A picture of the size of the view that knows which parts of it are stale."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import cast

from PySide6.QtCore import QPointF, QRect, QRectF, QSize
from PySide6.QtGui import QPainter, QPixmap, QRegion, QTransform

__all__ = ["Picture", "rectangles", "scale_of"]

_MANY = 6
"""More stale rectangles than this cost more than the one around them."""


def rectangles(region: QRegion) -> list[QRect]:
    """The rectangles of a region."""
    # A region can be iterated over, which its stub does not say.
    return list(cast(Iterable[QRect], region))


def scale_of(transform: QTransform) -> float:
    """How many view pixels a transform makes of one pixel of the page, however it turns it."""
    return math.hypot(transform.m11(), transform.m12())


class Picture:
    """All rectangles are view pixels, whatever the screen has for each of them."""

    def __init__(self) -> None:
        self.pixmap = QPixmap()
        self.stale = QRegion()

    def rect(self) -> QRect:
        """The whole picture."""
        return QRect(QRectF(QPointF(), self.pixmap.deviceIndependentSize()).toAlignedRect())

    def resize(self, size: QSize, ratio: float) -> None:
        """Take on the view's size; another one makes everything stale."""
        wanted = QSize(math.ceil(size.width() * ratio), math.ceil(size.height() * ratio))
        if wanted != self.pixmap.size() or ratio != self.pixmap.devicePixelRatio():
            self.pixmap = QPixmap(wanted)
            self.pixmap.setDevicePixelRatio(ratio)
            self.invalidate()

    def invalidate(self, rect: QRect | None = None) -> None:
        """Make a part stale, all of it without ``rect``."""
        self.stale += self.rect() if rect is None else rect.intersected(self.rect())

    def take_stale(self, within: QRect | None = None) -> list[QRect]:
        """The stale rectangles, which the caller paints now."""
        region = self.stale if within is None else self.stale.intersected(within)
        self.stale = self.stale.subtracted(region)
        if region.rectCount() > _MANY:
            return [region.boundingRect()]
        return rectangles(region)

    def scroll(self, dx: float, dy: float) -> None:
        """Move what is there; the strips that come into view are stale."""
        ratio = self.pixmap.devicePixelRatio()
        across, down = dx * ratio, dy * ratio
        whole = across == int(across) and down == int(down)
        rect = self.rect()
        if not whole or abs(dx) >= rect.width() or abs(dy) >= rect.height():
            self.invalidate()
            return
        self.pixmap.scroll(int(across), int(down), self.pixmap.rect())
        # One pixel more than comes into view: a stroke at the seam was cut when it was painted.
        x, y = int(dx), int(dy)
        stale = self.stale.translated(x, y)
        if dx > 0:
            stale += QRect(0, 0, x + 1, rect.height())
        elif dx < 0:
            stale += QRect(rect.width() + x - 1, 0, 1 - x, rect.height())
        if dy > 0:
            stale += QRect(0, 0, rect.width(), y + 1)
        elif dy < 0:
            stale += QRect(0, rect.height() + y - 1, rect.width(), 1 - y)
        self.stale = stale & QRegion(rect)

    def blit(self, painter: QPainter, rect: QRect) -> None:
        """Paint a part of the picture in its place."""
        ratio = self.pixmap.devicePixelRatio()
        source = QRectF(
            rect.x() * ratio, rect.y() * ratio, rect.width() * ratio, rect.height() * ratio
        )
        painter.drawPixmap(QRectF(rect), self.pixmap, source)
