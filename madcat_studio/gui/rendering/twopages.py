"""A page and its original: side by side, or the original through a lens over the translation.

Both move and zoom together. The mouse drags the page and its wheel zooms; the arrow keys move it,
or the lens; plus and minus zoom, 0 shows the whole page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from madcat_studio.gui.accessible import Part, Role, Spoken
from madcat_studio.gui.rendering.placedpage import PlacedPage
from madcat_studio.gui.translation import tr

__all__ = ["Sheet", "TwoPages", "picture_of", "sheet_of"]

_GAP = 8
_LENS = 120
"""Pixels from the middle of the lens to its rim."""
_STEP = 40
_SMALLEST = 700


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture in several sizes, each half of the one before."""

    levels: tuple[QImage, ...]

    @property
    def size(self) -> QSize:
        """Of the picture itself."""
        return self.levels[0].size()

    def paint(self, painter: QPainter, scale: float, left_top: QPointF) -> None:
        """Paint it, so many view pixels for one of its own."""
        factor, level = 1, self.levels[0]
        for smaller in self.levels[1:]:
            if scale * factor * 2 > 1:
                break
            factor, level = factor * 2, smaller
        size = self.size
        target = QRectF(left_top.x(), left_top.y(), size.width() * scale, size.height() * scale)
        painter.drawImage(target, level)


def sheet_of(image: QImage) -> Sheet:
    """The picture with its smaller sizes; may run in any thread."""
    levels = [image]
    while max(levels[-1].width(), levels[-1].height()) > _SMALLEST:
        last = levels[-1]
        levels.append(
            last.scaled(
                max(1, last.width() // 2),
                max(1, last.height() // 2),
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        )
    return Sheet(tuple(levels))


def picture_of(pixels: npt.NDArray[np.uint8]) -> QImage:
    """A picture in grey or colour as Qt has it; may run in any thread."""
    height, width = pixels.shape[:2]
    data = np.ascontiguousarray(pixels)
    kind = QImage.Format.Format_Grayscale8 if data.ndim == 2 else QImage.Format.Format_RGB888
    return QImage(data.data, width, height, data.strides[0], kind).copy()


class TwoPages(PlacedPage):
    """The two pages.

    Signals:
        zoomed: the scale is another one, in per cent.
    """

    zoomed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("The page with its translations, and the original"))
        self.spoken = Spoken(self, Role.Graphic, self._parts)
        self.setMouseTracking(True)
        self.setMinimumSize(320, 200)
        self._original: Sheet | None = None
        self._translated: Sheet | None = None
        self._texts: tuple[str, ...] = ()
        self._lens = False
        self._at = QPointF()

    def show_pages(self, original: Sheet, translated: Sheet, texts: Sequence[str]) -> None:
        """Show a page; ``texts`` are what a screen reader is told of it."""
        self._original, self._translated, self._texts = original, translated, tuple(texts)
        self.fit()
        self.spoken.changed()

    @property
    def lens(self) -> bool:
        """Whether the original is seen through a lens."""
        return self._lens

    def show_lens(self, wanted: bool) -> None:
        """Through a lens, or side by side."""
        if wanted != self._lens:
            self._lens = wanted
            self._at = QPointF(self.rect().center())
            self.fit()

    def _page_size(self) -> QSize | None:
        return None if self._translated is None else self._translated.size

    def _moved(self) -> None:
        self.zoomed.emit(round(100 * self._placing.scale))
        super()._moved()

    def _room(self) -> QRect:
        """The room of one page."""
        if self._lens:
            return self.rect()
        return QRect(0, 0, max(1, (self.width() - _GAP) // 2), self.height())

    def _parts(self) -> list[Part]:
        return [Part(text, Role.StaticText) for text in self._texts]

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.rect(), self.palette().color(self.backgroundRole()).darker(112))
        if self._original is not None and self._translated is not None:
            if self._lens:
                self._paint_lens(painter, self._original, self._translated)
            else:
                self._paint_both(painter, self._original, self._translated)
        painter.end()

    def _paint_both(self, painter: QPainter, original: Sheet, translated: Sheet) -> None:
        room = self._room()
        for sheet, left in ((original, 0), (translated, room.width() + _GAP)):
            painter.save()
            painter.setClipRect(room.translated(left, 0))
            sheet.paint(painter, self._placing.scale, self._placing.left_top + QPointF(left, 0))
            painter.restore()

    def _paint_lens(self, painter: QPainter, original: Sheet, translated: Sheet) -> None:
        translated.paint(painter, self._placing.scale, self._placing.left_top)
        glass = QPainterPath()
        glass.addEllipse(self._at, _LENS, _LENS)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.save()
        painter.setClipPath(glass)
        original.paint(painter, self._placing.scale, self._placing.left_top)
        painter.restore()
        painter.setPen(QPen(QColor(60, 90, 160), 3))
        painter.drawPath(glass)

    # Mouse and keys

    def resizeEvent(self, event: QEvent) -> None:
        super().resizeEvent(event)
        self._at = QPointF(self.rect().center())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._at = event.position()
        super().mouseMoveEvent(event)
        if self._lens:
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        arrows = {
            Qt.Key.Key_Left: QPointF(-_STEP, 0),
            Qt.Key.Key_Right: QPointF(_STEP, 0),
            Qt.Key.Key_Up: QPointF(0, -_STEP),
            Qt.Key.Key_Down: QPointF(0, _STEP),
        }
        by = arrows.get(Qt.Key(event.key()))
        if by is None:
            super().keyPressEvent(event)
        elif self._lens:
            self._at += by
            self.update()
        else:
            self._move(-by)

    def _within(self, place: QPointF) -> QPointF:
        """A point of the widget in the room of whichever page it is over."""
        width = self._room().width()
        if not self._lens and place.x() > width + _GAP:
            return place - QPointF(width + _GAP, 0)
        return place
