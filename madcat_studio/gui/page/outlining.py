"""Paints the outlines of a part of the page: strokes, fill, colours by class, opacity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QTransform

from madcat_studio.gui.page.arrows import ReadingOrder
from madcat_studio.gui.page.paths import Outlines, path_of
from madcat_studio.gui.page.picture import scale_of
from madcat_studio.gui.page.shapes import Indices, OutlineKind, PageShapes
from madcat_studio.gui.page.style import PageColours

__all__ = ["Look", "paint_marked", "paint_outlines", "word_detail"]

_LEAST_LINE = 4.0
"""Screen pixels of a typical line's height below which its outlines would hide the page."""
_LEAST_WORD = 9.0
"""The same for words; below, their outlines fall together with those of their line."""
_SMOOTH_OUTLINES = 0.5
"""Outlines are antialiased from this scale on; below, plain ones look the same and are fast."""
_FILL_ALPHA = 52
_FILLED = 300
"""Of marked outlines in view so many are filled too; more would take too long."""


@dataclass(slots=True)
class Look:
    """How outlines are shown.

    Attributes:
        visible: which layers.
        fill: whether they are filled.
        opacity: of all that is painted over the scan at rest, 0 to 1.
        palette: a colour for each class of outlines; empty for one colour a layer.
        order: what shows the reading order, or None.
        width: of the lines, in view pixels.
    """

    visible: dict[OutlineKind, bool] = field(
        default_factory=lambda: {OutlineKind.LINE: True, OutlineKind.WORD: True}
    )
    fill: bool = False
    opacity: float = 1.0
    palette: Sequence[QColor] = ()
    order: ReadingOrder | None = None
    width: int = 1


def word_detail(shapes: PageShapes, scale: float) -> dict[OutlineKind, bool]:
    """Which layers are worth painting at a scale, a pure function.

    A set without any height (degenerate outlines only) is always worth it.
    """
    least = {OutlineKind.LINE: _LEAST_LINE, OutlineKind.WORD: _LEAST_WORD}
    return {
        kind: not 0 < shapes.sets[kind].typical_height() * scale < least[kind] for kind in least
    }


def paint_outlines(
    painter: QPainter,
    rect: QRect,
    transform: QTransform,
    shapes: PageShapes,
    outlines: Mapping[OutlineKind, Outlines],
    look: Look,
    colours: PageColours,
) -> None:
    """Paint all outlines that a rectangle of the view shows.

    Args:
        painter: in view pixels, clipped to ``rect``.
        rect: view pixels.
        transform: page to view.
        shapes: the page's outlines.
        outlines: the paths of each layer.
        look: how they are shown.
        colours: the colours of layers.
    """
    if look.opacity >= 1.0:
        _paint(painter, rect, transform, shapes, outlines, look, colours)
        return
    if look.opacity <= 0.0:
        return
    # Strokes that can be seen through are ten times as slow; a layer of their own is not.
    ratio = painter.device().devicePixelRatio()
    layer = QImage(rect.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    layer.setDevicePixelRatio(ratio)
    layer.fill(0)
    inner = QPainter(layer)
    place = QRect(0, 0, rect.width(), rect.height())
    inner.setClipRect(place)
    moved = transform * QTransform.fromTranslate(-rect.x(), -rect.y())
    _paint(inner, place, moved, shapes, outlines, look, colours)
    inner.end()
    painter.setOpacity(look.opacity)
    painter.drawImage(QPointF(rect.topLeft()), layer)
    painter.setOpacity(1.0)


def _paint(
    painter: QPainter,
    rect: QRect,
    transform: QTransform,
    shapes: PageShapes,
    outlines: Mapping[OutlineKind, Outlines],
    look: Look,
    colours: PageColours,
) -> None:
    scale = scale_of(transform)
    around = 1 + look.width
    page = transform.inverted()[0].mapRect(QRectF(rect.adjusted(-around, -around, around, around)))
    # By the pixels that the screen has: at 2 a word is twice as high as the window thinks.
    detail = word_detail(shapes, scale * painter.device().devicePixelRatio())
    found: dict[OutlineKind, list[tuple[QColor, QPainterPath]]] = {}
    # By style over the whole part, so that a strip looks like the same part of a full paint.
    for kind, colour in ((OutlineKind.WORD, colours.word), (OutlineKind.LINE, colours.line)):
        if look.visible[kind] and detail[kind]:
            found[kind] = [
                (look.palette[number] if look.palette else colour, path)
                for number, path in outlines[kind].paths(
                    page.left(), page.top(), page.right(), page.bottom()
                )
            ]
    painter.setTransform(transform)
    if look.fill:
        # One layer only: words in filled lines would be hard to tell from one another.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        # Of the page, not of this part: a strip without words is filled as the whole would be.
        words = OutlineKind.WORD in found and len(shapes.sets[OutlineKind.WORD]) > 0
        for colour, path in found.get(OutlineKind.WORD if words else OutlineKind.LINE, []):
            ground = QColor(colour)
            ground.setAlpha(_FILL_ALPHA)
            painter.setBrush(ground)
            painter.drawPath(path)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, scale >= _SMOOTH_OUTLINES)
    for paths in found.values():
        for colour, path in paths:
            pen = QPen(colour, look.width)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawPath(path)
    painter.resetTransform()
    if look.order is not None:
        look.order.paint(
            painter, rect, transform, words=detail[OutlineKind.WORD], lines=detail[OutlineKind.LINE]
        )


def paint_marked(
    painter: QPainter,
    rect: QRect,
    transform: QTransform,
    shapes: PageShapes,
    marked: Mapping[OutlineKind, Indices],
    colour: QColor,
) -> None:
    """Paint outlines that are chosen together, or locked, over all others; see above."""
    page = transform.inverted()[0].mapRect(QRectF(rect.adjusted(-2, -2, 2, 2)))
    painter.setTransform(transform)
    for kind, indices in marked.items():
        seen = shapes.sets[kind].meeting(page.left(), page.top(), page.right(), page.bottom())
        seen = seen[np.isin(seen, indices, assume_unique=True)]
        if not len(seen):
            continue
        path = path_of(shapes.sets[kind], seen)
        if len(seen) <= _FILLED:
            path.setFillRule(Qt.FillRule.WindingFill)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(Qt.PenStyle.NoPen)
            ground = QColor(colour)
            ground.setAlpha(_FILL_ALPHA)
            painter.setBrush(ground)
            painter.drawPath(path)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(colour, 1)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.setRenderHint(
            QPainter.RenderHint.Antialiasing, scale_of(transform) >= _SMOOTH_OUTLINES
        )
        painter.drawPath(path)
    painter.resetTransform()
