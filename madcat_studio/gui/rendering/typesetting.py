"""Texts laid out in frames by Qt, as large as they fit, and painted on a page or into a PDF.

A text fills its frames row by row: one row a frame, or more and smaller ones where it is long. The
texts of a page are set in about one size. What does not fit at the least size is cut with an
ellipsis and told.
"""

from __future__ import annotations

import math
import statistics
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QFontMetricsF,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextLayout,
    QTextLine,
    QTextOption,
    QTransform,
)

from madcat_studio.errors import UsageError
from madcat_studio.gui.fonts import arabic_families
from madcat_studio.pages.direction import right_to_left
from madcat_studio.pages.lettering import SetText, Style
from madcat_studio.pages.passages import Frame, Passage

__all__ = ["FittedPage", "fit"]

Pixels = npt.NDArray[np.uint8]

_FILL = 1.2
"""How tall a font may be, ascent and descent together, as a share of its row; 1 where rows of one
frame lie close below each other."""
_MOST_ROWS = 4
"""Rows that one frame is parted into at most."""
_EVEN = 1.1
"""No text is larger than this times the median of its page."""
_ROOM = 0.5
"""Pixels by which a row may be longer than its frame."""
_ELLIPSIS = "…"
_UNSEEN = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})
"""Kinds of characters that have no glyph of their own."""
_GLYPHS = (
    QTextLayout.GlyphRunRetrievalFlag.RetrieveGlyphIndexes
    | QTextLayout.GlyphRunRetrievalFlag.RetrieveStringIndexes
)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A text in its rows; the layout keeps its lines alive."""

    passage: Passage
    layout: QTextLayout
    rows: tuple[Frame, ...]
    size: int
    left: str

    def lines(self) -> Iterator[tuple[QTextLine, Frame]]:
        for number in range(self.layout.lineCount()):
            yield self.layout.lineAt(number), self.rows[number]


class FittedPage:
    """The texts of a page, laid out."""

    def __init__(
        self, placed: Sequence[_Placed], families: Sequence[str], colour: tuple[int, int, int]
    ) -> None:
        self._placed = placed
        self._colour = colour
        self.families = tuple(families)
        self.texts = tuple(_told(one) for one in placed)
        self.missing = tuple(sorted(set().union(*(_missing(one.layout) for one in placed))))

    def paint(self, pixels: Pixels) -> None:
        """Paint the texts; nothing but the pixels of letters is touched."""
        for one in self._placed:
            for line, frame in one.lines():
                _blend(pixels, line, frame, self._colour)

    def pdf(self, pixels: Pixels, dpi: float) -> bytes:
        """The page as a PDF of its real size; the texts stay texts."""
        height, width = pixels.shape[:2]
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QPdfWriter(buffer)
        writer.setResolution(round(dpi))
        inches = QSizeF(width / round(dpi), height / round(dpi))
        writer.setPageSize(
            QPageSize(inches, QPageSize.Unit.Inch, "", QPageSize.SizeMatchPolicy.ExactMatch)
        )
        writer.setPageMargins(QMarginsF(), QPageLayout.Unit.Point)
        kind = QImage.Format.Format_Grayscale8 if pixels.ndim == 2 else QImage.Format.Format_RGB888
        data = np.ascontiguousarray(pixels)
        image = QImage(data.data, width, height, data.strides[0], kind)
        painter = QPainter(writer)
        painter.drawImage(0, 0, image)
        painter.setPen(QColor(*self._colour))
        for one in self._placed:
            for line, frame in one.lines():
                painter.setTransform(_transform(frame))
                line.draw(painter, _corner(line, frame))
        painter.end()
        return bytes(buffer.data().data())


def fit(passages: Sequence[Passage], style: Style) -> FittedPage:
    """Lay the texts of a page out.

    Raises:
        UsageError: ``render.no-font``.
    """
    families = _families(style)
    fitter = _Fitter(families, style)
    first = [fitter.largest(one) for one in passages]
    placed = first
    if first:
        most = max(style.least, round(_EVEN * statistics.median(one.size for one in first)))
        placed = [
            fitter.at(one.passage, most, len(one.rows) // len(one.passage.frames)) or one
            if one.size > most
            else one
            for one in first
        ]
    return FittedPage(placed, families, style.colour)


def _families(style: Style) -> list[str]:
    if style.family:
        known = {name.casefold(): name for name in QFontDatabase.families()}
        found = known.get(style.family.casefold())
        if found is None:
            raise UsageError(
                "render.no-font",
                f"the font “{style.family}” is not installed",
                remedy="Give the name of an installed font, as fc-list prints it",
            )
        return [found, *arabic_families()]
    return [QFontInfo(QFont()).family(), *arabic_families()]


class _Fitter:
    """Finds the size of texts, in the fonts of one page."""

    def __init__(self, families: Sequence[str], style: Style) -> None:
        self._families = list(families)
        self._style = style

    def largest(self, passage: Passage) -> _Placed:
        """The text as large as it fits; cut at the least size where it does not."""
        best: _Placed | None = None
        for parts in range(1, _MOST_ROWS + 1):
            most = self._most(passage, parts)
            if best is not None and best.size >= most:
                break
            found = self._between(
                passage, parts, best.size + 1 if best else self._style.least, most
            )
            best = found or best
        return best or self._cut(passage)

    def at(self, passage: Passage, size: int, parts: int) -> _Placed | None:
        """The text in a size, each frame parted into so many rows; None if it does not fit."""
        rows = _rows(passage.frames, parts)
        layout, left = self._laid(passage.text, rows, size)
        if left or any(
            layout.lineAt(number).naturalTextWidth() > row.length + _ROOM
            for number, row in enumerate(rows[: layout.lineCount()])
        ):
            return None
        return _Placed(passage, layout, rows, size, "")

    def _between(self, passage: Passage, parts: int, low: int, high: int) -> _Placed | None:
        found = None
        while low <= high:
            middle = (low + high) // 2
            one = self.at(passage, middle, parts)
            if one is None:
                high = middle - 1
            else:
                found, low = one, middle + 1
        return found

    def _most(self, passage: Passage, parts: int) -> int:
        """The largest size that rows have the height for."""
        thickness = statistics.median(frame.thickness for frame in passage.frames) / parts
        metrics = QFontMetricsF(self._font(passage.text, 100))
        fill = _FILL if parts == 1 else 1.0
        return math.floor(100 * fill * thickness / (metrics.ascent() + metrics.descent()))

    def _cut(self, passage: Passage) -> _Placed:
        size = self._style.least
        parts = next((n for n in range(_MOST_ROWS, 1, -1) if self._most(passage, n) >= size), 1)
        rows = _rows(passage.frames, parts)
        _, left = self._laid(passage.text, rows, size, anywhere=True)
        shown = passage.text[: len(passage.text) - len(left)].rstrip()
        while True:
            layout, more = self._laid(shown + _ELLIPSIS, rows, size, anywhere=True)
            if not more or not shown:
                break
            shown = shown[:-1].rstrip()
        return _Placed(passage, layout, rows, size, passage.text[len(shown) :].strip())

    def _laid(
        self, text: str, rows: Sequence[Frame], size: int, *, anywhere: bool = False
    ) -> tuple[QTextLayout, str]:
        """A layout of one line a row, and the text that is left over."""
        turned = self._style.right_to_left
        turned = right_to_left([text]) if turned is None else turned
        option = QTextOption()
        option.setWrapMode(
            QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
            if anywhere
            else QTextOption.WrapMode.WordWrap
        )
        option.setTextDirection(
            Qt.LayoutDirection.RightToLeft if turned else Qt.LayoutDirection.LeftToRight
        )
        side = Qt.AlignmentFlag.AlignRight if turned else Qt.AlignmentFlag.AlignLeft
        option.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
        layout = QTextLayout(text, self._font(text, size))
        layout.setTextOption(option)
        layout.setCacheEnabled(True)
        layout.beginLayout()
        end = 0
        for row in rows:
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(max(row.length, 1.0))
            line.setPosition(QPointF())
            end = line.textStart() + line.textLength()
        layout.endLayout()
        # Qt counts in units of UTF-16.
        left = text.encode("utf-16-le", "surrogatepass")[2 * end :]
        return layout, left.decode("utf-16-le", "replace").strip()

    def _font(self, text: str, size: int) -> QFont:
        font = QFont()
        own = self._families
        if not self._style.family and right_to_left([text]):
            own = [*own[1:], own[0]]
        font.setFamilies(own)
        font.setPixelSize(max(1, size))
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        return font


def _rows(frames: Sequence[Frame], parts: int) -> tuple[Frame, ...]:
    """The frames, each parted into rows that lie one below the other."""
    made = []
    for frame in frames:
        thickness = frame.thickness / parts
        turn = math.radians(frame.angle)
        for number in range(parts):
            down = (number - (parts - 1) / 2) * thickness
            x, y = frame.centre
            centre = x - down * math.sin(turn), y + down * math.cos(turn)
            made.append(replace(frame, centre=centre, thickness=thickness))
    return tuple(made)


def _told(one: _Placed) -> SetText:
    text = one.layout.text()
    units = text.encode("utf-16-le", "surrogatepass")
    rows = []
    for line, _ in one.lines():
        start = 2 * line.textStart()
        rows.append(units[start : start + 2 * line.textLength()].decode("utf-16-le", "replace"))
    return SetText(one.passage.id, one.size, tuple(row.strip() for row in rows), one.left)


def _missing(layout: QTextLayout) -> set[str]:
    """Characters that are drawn as the glyph for what a font does not have."""
    units = layout.text().encode("utf-16-le", "surrogatepass")
    found = set()
    for run in layout.glyphRuns(-1, -1, _GLYPHS):
        for glyph, place in zip(run.glyphIndexes(), run.stringIndexes(), strict=False):
            if glyph:
                continue
            character = units[2 * place : 2 * place + 4].decode("utf-16-le", "ignore")[:1]
            if character and unicodedata.category(character) not in _UNSEEN:
                found.add(character)
    return found


def _corner(line: QTextLine, frame: Frame) -> QPointF:
    """Where the line begins in the frame's own coordinates, whose origin is its centre."""
    return QPointF(-frame.length / 2, -(line.ascent() + line.descent()) / 2)


def _transform(frame: Frame) -> QTransform:
    made = QTransform()
    made.translate(*frame.centre)
    made.rotate(frame.angle)
    return made


def _blend(pixels: Pixels, line: QTextLine, frame: Frame, colour: tuple[int, int, int]) -> None:
    """Paint one line: as a mask of its own, through which the colour is laid on."""
    corner = _corner(line, frame)
    slack = line.height()  # swashes and marks reach beyond their line
    own = line.naturalTextRect().translated(corner).adjusted(-slack, -slack, slack, slack)
    box = _transform(frame).mapRect(own).toAlignedRect()
    left, top = max(box.left(), 0), max(box.top(), 0)
    right = min(box.right() + 1, pixels.shape[1])
    bottom = min(box.bottom() + 1, pixels.shape[0])
    if left >= right or top >= bottom:
        return
    mask = QImage(right - left, bottom - top, QImage.Format.Format_Grayscale8)
    mask.fill(0)
    painter = QPainter(mask)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.setPen(Qt.GlobalColor.white)
    painter.setTransform(_transform(frame) * QTransform.fromTranslate(-left, -top))
    line.draw(painter, corner)
    painter.end()
    rows = np.frombuffer(mask.constBits(), dtype=np.uint8).reshape(bottom - top, -1)
    cover = rows[:, : right - left]
    part = pixels[top:bottom, left:right]
    ys, xs = np.nonzero(cover)
    share = cover[ys, xs].astype(np.float32) / 255
    if pixels.ndim == 2:
        grey = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
        mixed = part[ys, xs] * (1 - share) + grey * share
    else:
        mixed = part[ys, xs] * (1 - share)[:, None] + np.array(colour) * share[:, None]
    part[ys, xs] = np.rint(mixed).astype(np.uint8)
