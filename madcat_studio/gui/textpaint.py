"""Text of either direction, laid out and painted in a delegate."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)

__all__ = ["TextBlock", "x_of"]


def x_of(line: QTextLine, position: int, edge: QTextLine.Edge = QTextLine.Edge.Leading) -> float:
    """Where a position of a line is, or an edge of the character there, from its block's left."""
    found: object = line.cursorToX(position, edge)
    # The binding gives the position back beside it.
    x = found[0] if isinstance(found, tuple) else found
    assert isinstance(x, float)
    return x


class TextBlock:
    """One paragraph, wrapped to a width. The direction is the language's, not the first word's."""

    def __init__(
        self, text: str, font: QFont, width: float, *, right_to_left: bool, most_lines: int = 0
    ) -> None:
        # A paragraph is one layout: breaks within it are shown as the soft ones they are.
        self._layout = QTextLayout(text.replace("\n", "\u2028"), font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(
            Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight
        )
        option.setAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
            if right_to_left
            else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
        )
        self._layout.setTextOption(option)
        self._layout.setCacheEnabled(True)
        self._layout.beginLayout()
        height, number = 0.0, 0
        while not most_lines or number < most_lines:
            line = self._layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(max(width, 1.0))
            line.setPosition(QPointF(0, height))
            height += line.height()
            number += 1
        self._layout.endLayout()
        self.height = height

    def paint(
        self,
        painter: QPainter,
        x: float,
        y: float,
        colour: QColor,
        *,
        lit: tuple[int, int] | None = None,
        ground: QColor | None = None,
    ) -> None:
        """Paint with the top left corner at a point.

        Args:
            painter: where.
            x: of the corner.
            y: of the corner.
            colour: of the text.
            lit: start and end of a stretch of the text that is marked.
            ground: what it is marked with.
        """
        painter.setPen(colour)
        marks = []
        if lit is not None and ground is not None:
            form = QTextCharFormat()
            form.setBackground(ground)
            mark = QTextLayout.FormatRange()
            mark.start, mark.length, mark.format = lit[0], lit[1] - lit[0], form
            marks.append(mark)
        self._layout.draw(painter, QPointF(x, y), marks)

    def place_at(self, x: float, y: float) -> int | None:
        """The place in the text at a point counted from the block's corner, None beside it."""
        for number in range(self._layout.lineCount()):
            line = self._layout.lineAt(number)
            if line.y() <= y < line.y() + line.height():
                within = line.naturalTextRect()
                if not within.left() - 2 <= x <= within.right() + 2:
                    return None
                place: object = line.xToCursor(x, QTextLine.CursorPosition.CursorOnCharacter)
                return place if isinstance(place, int) else None
        return None
