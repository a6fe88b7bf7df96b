"""The base layer: two pictures of the size of the view, the scan alone and with all outlines.

They are painted only where they are stale. Panning moves their pixels and makes the strips that
come into view stale; an edit makes the old and the new place of one outline stale, and the scan
under it need not be painted again. Each stale rectangle is painted on its own, because Qt's fast
line stroker wants a plain rectangular clip.

While the user zooms, the last picture is stretched instead of painted anew; once the wheel rests
it is painted again, smoothly.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QImage, QPainter, QPen, QRegion, QTransform

from madcat_studio.gui.page.labels import WordLabels
from madcat_studio.gui.page.levels import Level, Pyramid
from madcat_studio.gui.page.outlining import Look, paint_marked, paint_outlines
from madcat_studio.gui.page.paths import Outlines
from madcat_studio.gui.page.picture import Picture, rectangles, scale_of
from madcat_studio.gui.page.shapes import Indices, OutlineKind, PageShapes, ShapeKey
from madcat_studio.gui.page.style import LIGHT, PageColours
from madcat_studio.gui.page.tone import PLAIN

__all__ = ["BaseLayer"]


class BaseLayer:
    """Paints scan and outlines into its picture where it is stale, and the picture into a view.

    All rectangles and points without "page" in their name are view pixels.
    """

    def __init__(self) -> None:
        self.colours: PageColours = LIGHT
        self.pyramid: Pyramid | None = None
        self.shapes: PageShapes | None = None
        self.outlines: dict[OutlineKind, Outlines] = {}
        self.look = Look()
        self.tone = PLAIN
        self.show_scan = True
        self.labels: WordLabels | None = None
        self.selected: dict[OutlineKind, Indices] = {}
        self.locked: dict[OutlineKind, Indices] = {}
        self._scan = Picture()
        self._whole = Picture()
        self._factor = 0
        self._transform = QTransform()
        self._now = QTransform()

    @property
    def visible(self) -> dict[OutlineKind, bool]:
        """Which layers are shown."""
        return self.look.visible

    # What is shown

    def set_page(self, shapes: PageShapes | None, pyramid: Pyramid | None) -> None:
        """Show another page."""
        self.shapes = shapes
        self.pyramid = pyramid
        self.outlines = (
            {} if shapes is None else {kind: Outlines(shapes.sets[kind]) for kind in OutlineKind}
        )
        self.invalidate_scan()

    def page_rect(self) -> QRectF:
        """The page in stored pixels: the scan's size where there is one, else the file's."""
        if self.pyramid is not None:
            return QRectF(0, 0, self.pyramid.width, self.pyramid.height)
        if self.shapes is not None:
            return QRectF(0, 0, self.shapes.width, self.shapes.height)
        return QRectF()

    # Staleness

    def resize(self, size: QSize, ratio: float) -> None:
        """Follow the view's size and the screen's pixels for each of its own."""
        self._scan.resize(size, ratio)
        self._whole.resize(size, ratio)

    def invalidate(self, rect: QRect | None = None) -> None:
        """Paint outlines anew at the next occasion; all of them without ``rect``."""
        self._whole.invalidate(rect)

    def invalidate_scan(self) -> None:
        """Paint the scan anew as well: it, its level, its surroundings or its scale changed."""
        self._scan.invalidate()
        self._whole.invalidate()

    def scan_could_be_better(self) -> bool:
        """Whether there is a level now that fits the scale better than the one that was painted."""
        level = self._best()
        return level is not None and level.factor != self._factor

    def move_to(self, transform: QTransform, *, settled: bool) -> None:
        """Take on a view transform (page to view).

        A plain move scrolls the picture. A change of scale paints it anew when ``settled``, and
        else leaves it to be stretched.
        """
        before = self._transform
        self._now = transform
        if transform == before:
            return
        if _linear(transform) != _linear(before):
            if settled:
                self._transform = transform
                self.invalidate_scan()
            return
        dx, dy = transform.dx() - before.dx(), transform.dy() - before.dy()
        self._transform = transform
        self._whole.scroll(dx, dy)
        if self._scan_is_cheap():
            self._scan.invalidate()  # not in use at this scale
        else:
            self._scan.scroll(dx, dy)

    @property
    def settled(self) -> bool:
        """Whether the picture is of the present scale."""
        return self._transform == self._now

    def settle(self) -> None:
        """Paint anew at the present scale."""
        if not self.settled:
            self._transform = self._now
            self.invalidate_scan()

    def stretch(self) -> float:
        """How many times the last picture is enlarged to show the present scale."""
        before = scale_of(self._transform)
        return scale_of(self._now) / before if before else 1.0

    # Painting

    def paint(self, painter: QPainter, exposed: QRegion) -> None:
        """Bring the picture up to date and paint it into the view. ``painter``: view pixels."""
        if not self.settled and not 0.5 <= self.stretch() <= 2.5:
            self.settle()
        if self.settled:
            self._freshen()
            for rect in rectangles(exposed):
                self._whole.blit(painter, rect)
            return
        # Between two sizes: the scan roughly, and over it the last picture, stretched.
        whole = exposed.boundingRect()
        across = self._transform.inverted()[0] * self._now
        if self.stretch() < 1.0:
            # Only where the picture will not be painted over it.
            covered = across.mapRect(QRectF(self._whole.rect())).toRect().adjusted(1, 1, -1, -1)
            for rect in rectangles(QRegion(whole) - QRegion(covered)):
                self._paint_scan(painter, rect, self._now, smooth=False)
            painter.setClipRect(whole)
        painter.setTransform(across)
        painter.drawPixmap(QPointF(0, 0), self._whole.pixmap)
        painter.resetTransform()

    def paint_fresh(
        self, painter: QPainter, rect: QRect, transform: QTransform, *, outlines: bool = True
    ) -> None:
        """Paint a part of the page by another transform, without the cached pictures."""
        self._paint_scan(painter, rect, transform, smooth=True)
        if outlines and self.shapes is not None:
            look = replace(self.look, order=None)
            paint_outlines(painter, rect, transform, self.shapes, self.outlines, look, self.colours)

    def touched(self, key: ShapeKey) -> QRectF:
        """The part of the page that looks different when one outline does; empty for none."""
        shapes = self.shapes
        if shapes is None or key not in shapes:
            return QRectF()
        of_layer = shapes.sets[key.kind]
        index = shapes.index(key)
        numbers = [index]
        if self.look.order is not None:  # the arrows to it and from it move as well
            numbers += [n for n in (index - 1, index + 1) if 0 <= n < len(of_layer)]
        boxes = [of_layer.box(number) for number in numbers]
        area = QRectF()
        for left, top, right, bottom in boxes:
            if left <= right:
                # Never null, also around a single point: a null rectangle unites to nothing.
                area |= QRectF(left, top, max(right - left, 0.1), max(bottom - top, 0.1))
        return area

    def margin(self) -> int:
        """How far what belongs to an outline sticks out of its box, in view pixels."""
        reaches = [2.0 + self.look.width]
        if self.labels is not None:
            reaches.append(self.labels.reach)
        if self.look.order is not None:
            reaches.append(self.look.order.reach)
        return int(max(reaches))

    def _freshen(self) -> None:
        stale = self._whole.take_stale()
        if not stale:
            return
        level = self._best()
        self._factor = level.factor if level is not None else 0
        if not self._scan_is_cheap():
            for rect in stale:
                self._freshen_scan(rect)
        painter = QPainter(self._whole.pixmap)
        for rect in stale:
            painter.save()
            self._paint_part(painter, rect)
            painter.restore()
        painter.end()

    def _scan_is_cheap(self) -> bool:
        """Whether painting the scan takes no longer than copying its picture."""
        level = self._best()
        return level is None or (
            level.image.format() == QImage.Format.Format_RGB32 and self.tone.plain
        )

    def _best(self) -> Level | None:
        return self.pyramid.best(scale_of(self._transform)) if self.pyramid is not None else None

    def _freshen_scan(self, within: QRect) -> None:
        stale = self._scan.take_stale(within)
        if not stale:
            return
        painter = QPainter(self._scan.pixmap)
        for rect in stale:
            self._paint_scan(painter, rect, self._transform, smooth=True)
        painter.end()

    def _paint_part(self, painter: QPainter, rect: QRect) -> None:
        transform = self._transform
        if self._scan_is_cheap():
            self._paint_scan(painter, rect, transform, smooth=True)
        else:
            painter.setClipRect(rect)
            self._scan.blit(painter, rect)
        if self.shapes is None:
            return
        paint_outlines(
            painter, rect, transform, self.shapes, self.outlines, self.look, self.colours
        )
        for marked, colour in (
            (self.locked, self.colours.locked),
            (self.selected, self.colours.chosen),
        ):
            if marked:
                paint_marked(painter, rect, transform, self.shapes, marked, colour)
        if self.labels is not None:
            self.labels.paint(painter, QRectF(rect), transform)

    def _paint_scan(
        self, painter: QPainter, rect: QRect, transform: QTransform, *, smooth: bool
    ) -> None:
        """The surroundings, the paper and the scan within ``rect``, by the level that fits."""
        painter.setClipRect(rect)
        painter.fillRect(rect, self.colours.surround)
        page = self.page_rect()
        if page.isEmpty():
            return
        on_view = transform.mapRect(page)
        if not on_view.intersects(QRectF(rect)):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(self.colours.edge, 1))
        painter.setBrush(QBrush(self.colours.paper))
        painter.drawRect(on_view.toAlignedRect().adjusted(-1, -1, 0, 0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        scale = scale_of(transform)
        level = self.pyramid.best(scale) if self.pyramid is not None and self.show_scan else None
        if level is None:
            return
        own = scale * level.factor
        # At exactly 1:1 there is nothing to smooth, and enlarged pixels are shown as they are.
        smooth = smooth and own != 1.0 and own < 3.0
        if self.tone.plain:
            _draw_level(painter, level, transform, smooth=smooth)
            return
        part = rect.intersected(on_view.toAlignedRect())
        ratio = painter.device().devicePixelRatio()
        toned = QImage(part.size() * ratio, QImage.Format.Format_RGB32)
        toned.setDevicePixelRatio(ratio)
        toned.fill(self.colours.paper)
        inner = QPainter(toned)
        moved = transform * QTransform.fromTranslate(-part.x(), -part.y())
        _draw_level(inner, level, moved, smooth=smooth)
        inner.end()
        self.tone.apply(toned, grey=self.pyramid is not None and self.pyramid.grey)
        painter.drawImage(QPointF(part.topLeft()), toned)


def _linear(transform: QTransform) -> tuple[float, float, float, float]:
    """Scale and turn of a transform, without where it moves things."""
    return transform.m11(), transform.m12(), transform.m21(), transform.m22()


def _draw_level(painter: QPainter, level: Level, transform: QTransform, *, smooth: bool) -> None:
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
    painter.setTransform(QTransform.fromScale(level.factor, level.factor) * transform)
    painter.drawImage(QPointF(0, 0), level.image)
    painter.resetTransform()
