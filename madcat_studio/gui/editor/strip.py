"""The strip of the page that a segment was written on: its lines lit, the rest dimmed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from madcat_studio.errors import StudioError
from madcat_studio.gui.accessible import Role, Spoken
from madcat_studio.gui.errorwords import tr_error
from madcat_studio.gui.page.levels import Pyramid
from madcat_studio.gui.page.loader import ScanLoader
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr, tr_count
from madcat_studio.model.outlines import SegmentLines
from madcat_studio.operations.pages.segment_lines import DocumentLines

__all__ = ["MOST_HIGH", "LineStrip"]

MOST_HIGH = 210
"""Pixels; where there is more to see below, the strip can be told to be lower."""

_MARGIN = 0.12
"""How much of the lines' height is shown above and below them; at least 20 stored pixels."""

_DIM = 130


class LineStrip(QWidget):
    """Shows the lines of one segment. It loads scans in a thread; the newest wins."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._loader = ScanLoader(self)
        self._loader.opened.connect(self._on_opened)
        self._loader.grew.connect(self.update)
        self._loader.failed.connect(self._on_failed)
        self._scan: tuple[Path, int] | None = None
        self._pyramid: Pyramid | None = None
        self._lines: SegmentLines | None = None
        self._said = ""
        self._most_high = MOST_HIGH
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(tr("The segment's lines on the page"))
        self.spoken = Spoken(self, Role.Graphic, text=self._told)

    @property
    def pyramid(self) -> Pyramid | None:
        """The scan that is shown, None until it is there."""
        return self._pyramid

    def be_at_most(self, high: int) -> None:
        """Leave room for what there is to see below."""
        if high != self._most_high:
            self._most_high = high
            self.updateGeometry()

    def show_lines(self, document: DocumentLines | None, segment: str) -> None:
        """Show a segment; None while its document is being fetched."""
        self._lines = None if document is None else document.segments.get(segment)
        self._said = ""
        if document is None:
            self._said = tr("Looking for the page …")
        elif document.scan is None:
            self._said = tr("The campaign has no scan of this page.")
        elif self._lines is None:
            self._said = tr("The segment names no lines on the page.")
        else:
            wanted = (document.scan, self._lines.frame)
            if wanted != self._scan:
                self._scan, self._pyramid = wanted, None
                self._said = tr("Opening the page …")
                self._loader.load(*wanted)
        self.spoken.changed()
        self.updateGeometry()
        self.update()

    def _told(self) -> str:
        """What there is to see, in words."""
        if self._said or self._lines is None:
            return self._said
        count = len(self._lines.outlines)
        return tr_count("{count} line of the scan", "{count} lines of the scan", count)

    def say(self, text: str) -> None:
        """Say why there is no page to see now."""
        self._said = text
        self.spoken.changed()
        self.update()

    def close_scan(self) -> None:
        """Forget the scan."""
        self._loader.cancel()
        self._scan = self._pyramid = self._lines = None

    def shut_down(self) -> None:
        """End the thread."""
        self._loader.close()

    def _on_opened(self, info: object, pyramid: Pyramid) -> None:
        self._pyramid, self._said = pyramid, ""
        self.spoken.changed()
        self.update()

    def _on_failed(self, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            raise error
        self._scan, self._said = None, tr_error(error)._replace(remedy="").sentences
        self.spoken.changed()
        self.update()

    # -- measuring ----------------------------------------------------------------------------

    def _seen(self) -> QRectF | None:
        """The part of the page that is shown, in stored pixels."""
        if self._lines is None:
            return None
        xs = [x for outline in self._lines.outlines for x, _ in outline]
        ys = [y for outline in self._lines.outlines for _, y in outline]
        margin = max(20.0, _MARGIN * (max(ys) - min(ys)))
        return QRectF(
            min(xs) - margin,
            min(ys) - margin,
            max(xs) - min(xs) + 2 * margin,
            max(ys) - min(ys) + 2 * margin,
        )

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        seen = self._seen()
        if seen is None:
            return 64
        return max(64, min(self._most_high, round(seen.height() * width / max(seen.width(), 1.0))))

    def sizeHint(self) -> QSize:
        return QSize(400, self.heightForWidth(max(self.width(), 400)))

    # -- painting -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QPainterPath()
        frame.addRoundedRect(QRectF(self.rect()), 6, 6)
        painter.setClipPath(frame)
        painter.fillRect(self.rect(), QColor(colours.surface))
        seen = self._seen()
        if self._said or seen is None or self._pyramid is None:
            painter.setPen(QColor(colours.muted))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._said)
        else:
            self._paint_page(painter, seen)
        painter.setClipping(False)
        painter.setPen(QPen(QColor(colours.border), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()

    def _paint_page(self, painter: QPainter, seen: QRectF) -> None:
        assert self._pyramid is not None
        assert self._lines is not None
        scale = min(self.width() / seen.width(), self.height() / seen.height())
        # The whole strip shows page: where the lines leave room, what stands beside them.
        across, down = self.width() / scale, self.height() / scale
        left = seen.center().x() - across / 2
        top = seen.center().y() - down / 2
        level = self._pyramid.best(scale * self.devicePixelRatioF())
        if level is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            part = QRectF(left, top, across, down)
            whole = QRectF(0, 0, self._pyramid.width, self._pyramid.height)
            inside = part.intersected(whole)
            target = QRectF(
                (inside.left() - left) * scale,
                (inside.top() - top) * scale,
                inside.width() * scale,
                inside.height() * scale,
            )
            factor = level.factor
            source = QRectF(
                inside.left() / factor,
                inside.top() / factor,
                inside.width() / factor,
                inside.height() / factor,
            )
            painter.drawImage(target, level.image, source)
        lit = QPainterPath()
        lit.setFillRule(Qt.FillRule.WindingFill)
        for outline in self._lines.outlines:
            lit.addPolygon(
                QPolygonF([QPointF((x - left) * scale, (y - top) * scale) for x, y in outline])
            )
            lit.closeSubpath()
        around = QPainterPath()
        around.addRect(QRectF(self.rect()))
        dim = QColor(self._theme.colours.ground)
        dim.setAlpha(_DIM)
        painter.fillPath(around.subtracted(lit.simplified()), dim)
        accent = QColor(self._theme.colours.accent)
        painter.setPen(QPen(accent, 1))
        painter.drawPath(lit)
