"""Marks under words of the edit box: odd characters, misspelt words, what the coach speaks of.

They are painted here and not by the text's own layout, which draws a whole paragraph anew for each
range of another look: with twenty marks a letter came to the screen in twice the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QPainter,
    QPen,
    QPixmap,
    QPolygonF,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextLine,
)

from madcat_studio.gui.editor.carriers import restored
from madcat_studio.gui.textpaint import x_of

__all__ = ["Mark", "MarkBox", "TextMarks"]


class Mark(Enum):
    """Why something is marked, with its colour on paper and in the dark."""

    ODD = ("#d55e00", "#ff9a5c")
    MISSPELT = ("#0072b2", "#6fb7e9")
    COACHED = ("#00735c", "#4fd1ab")

    def colour(self, *, dark: bool) -> QColor:
        """The colour of the line."""
        return QColor(self.value[dark])

    def ground(self, *, dark: bool) -> QColor | None:
        """The colour behind the words."""
        ground = self.colour(dark=dark)
        ground.setAlpha({Mark.ODD: 60, Mark.MISSPELT: 0, Mark.COACHED: 40}[self])
        return ground if ground.alpha() else None


_STEP, _HEIGHT = 2.0, 3.0
"""Half the length of a wave, and its height, in pixels."""
_NEAR = 0.5
"""Pixels between two characters that stand beside each other, at most."""


class MarkBox(NamedTuple):
    """A mark on one line: what lies behind its words, and the line that they stand on."""

    kind: Mark
    around: QRectF
    baseline: float


class TextMarks:
    """The marks of a document of one paragraph; they follow the words as these move."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._marks: dict[Mark, list[QTextCursor]] = {}
        self._brushes: dict[tuple[Mark, float, bool], QBrush] = {}

    def set(self, kind: Mark, places: Sequence[tuple[int, int]]) -> bool:
        """Mark these places (in Qt's units) and no others of the kind; whether there are any."""
        had = bool(self._marks.get(kind))
        made = []
        for start, end in places:
            cursor = QTextCursor(self._document)
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            made.append(cursor)
        self._marks[kind] = made
        return had or bool(made)

    def words(self, *kinds: Mark) -> list[str]:
        """What is marked, kind by kind; of all kinds where none is named."""
        return [restored(cursor.selectedText()) for _, cursor in self._all(kinds or Mark)]

    def around(self, kind: Mark, place: int) -> list[tuple[int, str]]:
        """The marks at a place: where each begins, and its words."""
        return [
            (cursor.selectionStart(), restored(cursor.selectedText()))
            for _, cursor in self._all((kind,))
            if cursor.selectionStart() <= place <= cursor.selectionEnd()
        ]

    def _all(self, kinds: Iterable[Mark]) -> Iterator[tuple[Mark, QTextCursor]]:
        return ((kind, cursor) for kind in kinds for cursor in self._marks.get(kind, ()))

    def paint_grounds(self, painter: QPainter, boxes: Iterable[MarkBox], *, dark: bool) -> None:
        """Colour what lies behind the words, before they are drawn."""
        for box in boxes:
            ground = box.kind.ground(dark=dark)
            if ground is not None:
                painter.fillRect(box.around, ground)

    def paint_lines(self, painter: QPainter, boxes: Iterable[MarkBox], *, dark: bool) -> None:
        """Draw the lines under the words."""
        scale = painter.device().devicePixelRatioF()
        for box in boxes:
            left, top = box.around.left(), box.baseline + 1
            painter.setBrushOrigin(QPointF(left, top))
            line = QRectF(left, top, box.around.width(), _HEIGHT)
            painter.fillRect(line, self._brush(box.kind, scale, dark=dark))

    def boxes(self, block: QTextBlock, corner: QPointF, exposed: QRectF) -> Iterator[MarkBox]:
        """The part of each mark on each line that is to be painted."""
        layout = block.layout()
        lines = (layout.lineAt(number) for number in range(layout.lineCount()))
        shown = [line for line in lines if line.rect().translated(corner).intersects(exposed)]
        if not shown:
            return
        # A caret that blinks is painted often, and most marks are elsewhere.
        first, beyond = shown[0].textStart(), shown[-1].textStart() + shown[-1].textLength()
        # Words that are being composed stand in the layout and not in the text.
        composed, more = layout.preeditAreaPosition(), len(layout.preeditAreaText())
        for kind, cursor in self._all(Mark):
            start, end = cursor.selectionStart(), cursor.selectionEnd()
            if more and start >= composed:
                start += more
            if more and end > composed:
                end += more
            start, end = max(start, first), min(end, beyond)
            while start < end:
                line = layout.lineForTextPosition(start)
                if not line.isValid():
                    break
                last = min(end, line.textStart() + line.textLength())
                if last <= start:
                    break
                around = line.rect().translated(corner)
                baseline = around.top() + line.ascent()
                for left, right in _extents(line, start, last):
                    box = QRectF(corner.x() + left, around.top(), right - left, around.height())
                    yield MarkBox(kind, box, baseline)
                start = last

    def _brush(self, kind: Mark, scale: float, *, dark: bool) -> QBrush:
        """What draws the line of a kind: one wave or dash, to be repeated."""
        key = kind, scale, dark
        if key not in self._brushes:
            tile = QPixmap(round(2 * _STEP * scale), round(_HEIGHT * scale))
            tile.setDevicePixelRatio(scale)
            tile.fill(Qt.GlobalColor.transparent)
            painter = QPainter(tile)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(kind.colour(dark=dark), 1.0))
            if kind is Mark.COACHED:  # by its form, too, it is no slip
                painter.drawLine(QPointF(0, 1.5), QPointF(_STEP, 1.5))
            else:
                heights = (2.5, 0.5, 2.5, 0.5)
                points = [QPointF((n - 0.5) * _STEP, height) for n, height in enumerate(heights)]
                painter.drawPolyline(QPolygonF(points))
            painter.end()
            self._brushes[key] = QBrush(tile)
        return self._brushes[key]


def _extents(line: QTextLine, start: int, end: int) -> list[tuple[float, float]]:
    """From where to where the characters of a part of a line stand, as few pieces as they make.

    A place between two characters is two places where the directions meet, so each character is
    asked for its own edges.
    """
    leading, trailing = QTextLine.Edge.Leading, QTextLine.Edge.Trailing
    pieces: list[tuple[float, float]] = []
    for at in range(start, end):
        left, right = sorted((x_of(line, at, leading), x_of(line, at, trailing)))
        if pieces and left <= pieces[-1][1] + _NEAR and right >= pieces[-1][0] - _NEAR:
            pieces[-1] = min(left, pieces[-1][0]), max(right, pieces[-1][1])
        else:
            pieces.append((left, right))
    return pieces
