"""Draws how the output became the editor's text: what went, what came, what was moved.

The large row is the editor's own text. Above a word stands what the output had instead; a word
that is only in the output stands above a gap. Each kind has a mark besides its colour, and the
colours are of Okabe and Ito's set, which the colour-blind can tell apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr
from madcat_studio.scoring.columns import Column, ColumnKind

__all__ = ["AlignmentView", "described"]

_GAP = 1.0
_PADDING = 2.0
_ROW_GAP = 6.0
_LEGEND_GAP = 14.0

# Okabe and Ito's vermilion, blue, and reddish purple; darker on paper, lighter on the dark theme.
_COLOURS = {
    ColumnKind.INSERTION: ("#b34700", "#ff9a5c"),
    ColumnKind.DELETION: ("#005a94", "#6fb7e9"),
    ColumnKind.SUBSTITUTION: ("#7a5b00", "#e8c04a"),
    ColumnKind.ORIGIN: ("#8f3f6d", "#e59ac4"),
}
_MARKS = {
    ColumnKind.INSERTION: "−",
    ColumnKind.DELETION: "+",
    ColumnKind.SUBSTITUTION: "~",
}
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"


def _number(shift: int) -> str:
    return _CIRCLED[shift - 1] if shift <= len(_CIRCLED) else f"({shift})"


def described(column: Column) -> str:
    """What a column shows, in a sentence: for tool tips and screen readers."""
    moved = (
        tr("moved here (move {number})", number=column.shift)
        if column.shift and column.kind is not ColumnKind.ORIGIN
        else ""
    )
    match column.kind:
        case ColumnKind.MATCH:
            said = tr("“{word}” is in both", word=column.text)
        case ColumnKind.INSERTION:
            said = tr("“{word}” is only in the output", word=column.output)
        case ColumnKind.DELETION:
            said = tr("“{word}” is only in the edited text", word=column.text)
        case ColumnKind.SUBSTITUTION:
            said = tr("“{old}” became “{new}”", old=column.output, new=column.text)
        case ColumnKind.ORIGIN:
            said = tr("from here move {number} took its words", number=column.shift)
    return f"{said}, {moved}" if moved else said


@dataclass(frozen=True, slots=True)
class _Placed:
    column: Column
    box: QRectF


class AlignmentView(QWidget):
    """The columns, flowing over as many rows as the width needs. ``show_columns`` fills it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._columns: Sequence[Column] = ()
        self._placed: list[_Placed] = []
        self._height = 0.0
        self._font = QFont()
        self._small = QFont()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("What changed"))

    def set_font(self, font: QFont) -> None:
        """The face of the words; what the output had is a little smaller."""
        self._font = QFont(font)
        self._small = QFont(font)
        self._small.setPixelSize(max(9, round(font.pixelSize() * 0.86)))
        self._place()

    def show_columns(self, columns: Sequence[Column]) -> None:
        """Show other columns."""
        if columns == self._columns:
            return
        self._columns = columns
        changes = [
            described(column)
            for column in columns
            if column.kind is not ColumnKind.MATCH or column.shift
        ]
        self.setAccessibleDescription("; ".join(changes) or tr("Nothing was changed"))
        self._place()

    @property
    def columns(self) -> Sequence[Column]:
        """What is shown."""
        return self._columns

    def sizeHint(self) -> QSize:
        return QSize(400, round(self._height))

    def heightForWidth(self, width: int) -> int:
        return round(self._flow(width)[1])

    def hasHeightForWidth(self) -> bool:
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def _place(self) -> None:
        self._placed, self._height = self._flow(self.width())
        self.updateGeometry()
        self.update()

    def _flow(self, width: float) -> tuple[list[_Placed], float]:
        large, small = QFontMetricsF(self._font), QFontMetricsF(self._small)
        row = small.height() + large.height() + 2 * _PADDING
        placed, x, y = [], 0.0, 0.0
        for column in self._columns:
            own = (
                large.horizontalAdvance(column.text)
                if column.kind is not ColumnKind.ORIGIN
                else 0.0
            )
            above = small.horizontalAdvance(self._above(column))
            wide = max(own, above, large.averageCharWidth()) + 2 * _PADDING
            if x > 0 and x + wide > width:
                x, y = 0.0, y + row + _ROW_GAP
            placed.append(_Placed(column, QRectF(x, y, wide, row)))
            x += wide + _GAP
        return placed, (y + row if placed else 0.0) + _LEGEND_GAP + small.height()

    @staticmethod
    def _above(column: Column) -> str:
        """The upper row's text: marks, and what the output had."""
        number = _number(column.shift) if column.shift else ""
        match column.kind:
            case ColumnKind.MATCH:
                return number
            case ColumnKind.ORIGIN:
                return f"{number}→"
            case ColumnKind.DELETION:
                return "+"
            case _:
                return f"{_MARKS[column.kind]}{number}{column.output}"

    def _colour(self, kind: ColumnKind) -> QColor:
        return QColor(_COLOURS[kind][self._theme.dark])

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for placed in self._placed:
            if placed.box.bottom() >= event.rect().top():
                self._paint(painter, placed)
        self._paint_legend(painter)
        painter.end()

    def _paint(self, painter: QPainter, placed: _Placed) -> None:
        column, box = placed.column, placed.box
        small = QFontMetricsF(self._small)
        large = QFontMetricsF(self._font)
        upper = QPointF(box.left() + _PADDING, box.top() + small.ascent())
        base = QPointF(
            box.left() + _PADDING, box.top() + small.height() + 2 * _PADDING + large.ascent()
        )
        kind = column.kind
        text_colour = QColor(self._theme.colours.text)
        if kind is ColumnKind.MATCH and not column.shift:
            painter.setFont(self._font)
            painter.setPen(text_colour)
            painter.drawText(base, column.text)
            return
        colour = self._colour(ColumnKind.ORIGIN if kind is ColumnKind.MATCH else kind)
        painter.setFont(self._small)
        painter.setPen(colour)
        if kind in (ColumnKind.INSERTION, ColumnKind.SUBSTITUTION):
            marks = _MARKS[kind] + (_number(column.shift) if column.shift else "")
            painter.drawText(upper, marks)
            upper.setX(upper.x() + small.horizontalAdvance(marks))
            struck = QFont(self._small)
            struck.setStrikeOut(True)
            painter.setFont(struck)
            painter.drawText(upper, column.output)
        else:
            painter.drawText(upper, self._above(column))
        if kind in (ColumnKind.INSERTION, ColumnKind.ORIGIN):
            # A caret in the own text: here something is no longer.
            painter.setPen(QPen(colour, 1.5))
            foot = base + QPointF(large.averageCharWidth() / 2, 0)
            painter.drawLine(foot + QPointF(-3, 2), foot + QPointF(0, -3))
            painter.drawLine(foot + QPointF(0, -3), foot + QPointF(3, 2))
            return
        painter.setFont(self._font)
        painter.setPen(text_colour if kind is ColumnKind.MATCH else colour)
        painter.drawText(base, column.text)
        wide = large.horizontalAdvance(column.text)
        under = base + QPointF(0, 3)
        if kind is ColumnKind.MATCH or column.shift:
            painter.setPen(QPen(self._colour(ColumnKind.ORIGIN), 1.5, Qt.PenStyle.DotLine))
            painter.drawLine(under, under + QPointF(wide, 0))
        if kind is not ColumnKind.MATCH:
            painter.setPen(QPen(colour, 1.5))
            painter.drawLine(under, under + QPointF(wide, 0))
            if kind is ColumnKind.DELETION:
                painter.drawLine(under + QPointF(0, 3), under + QPointF(wide, 3))

    def _paint_legend(self, painter: QPainter) -> None:
        small = QFontMetricsF(self._small)
        x = _PADDING
        y = self._height - small.descent()
        painter.setFont(self._small)
        for kind, text in (
            (ColumnKind.INSERTION, tr("− only in the output")),
            (ColumnKind.DELETION, tr("+ only in your text")),
            (ColumnKind.SUBSTITUTION, tr("~ replaced")),
            (ColumnKind.ORIGIN, tr("① moved, from ①→")),
        ):
            painter.setPen(self._colour(kind))
            painter.drawText(QPointF(x, y), text)
            x += small.horizontalAdvance(text) + 18

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = QPointF(event.pos())
            hit = next((p for p in self._placed if p.box.contains(place)), None)
            if hit is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), described(hit.column), self)
            return True
        return super().event(event)
