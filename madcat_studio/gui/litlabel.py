"""A text to read in which words can be lit, where they are easily found again."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextDocument,
    QTextOption,
)

from madcat_studio.gui.readinglabel import ReadingLabel
from madcat_studio.gui.textpaint import x_of

__all__ = ["LitLabel"]

_ROUND = 3.0


class LitLabel(ReadingLabel):
    """A text of which some words stand on a ground of their own.

    A label keeps its layout to itself. The same text is laid out once more here, when a place is
    asked for: only then, and once for each text, face and width.
    """

    _layout: QTextDocument | None = None
    _parts: tuple[tuple[int, int], ...] = ()
    _lit: tuple[QRect, ...] = ()
    _ground = QColor()
    _exact = True

    def setText(self, text: str) -> None:
        """Show a plain text; nothing of it is lit."""
        self._layout, self._parts, self._lit = None, (), ()
        super().setText(text)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._lay_out_anew()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out_anew()

    def _lay_out_anew(self) -> None:
        self._layout = None
        self._lit = self._boxes_of(self._parts)

    def _boxes_of(self, parts: Sequence[tuple[int, int]]) -> tuple[QRect, ...]:
        return tuple(box for start, end in parts for box in self.boxes(start, end))

    def light(
        self, parts: Sequence[tuple[int, int]], ground: QColor, *, exact: bool = True
    ) -> None:
        """Light parts of the text, and nothing else.

        Args:
            parts: start and end of each, in UTF-16 units.
            ground: what they stand on.
            exact: whether these are the words; else what is looked for would stand between them,
                and they are underlined.
        """
        now = (tuple(parts), ground, exact)
        if now == (self._parts, self._ground, self._exact):
            return
        before = self._lit
        self._parts, self._ground, self._exact = now
        self._lit = self._boxes_of(parts)
        for box in (*before, *self._lit):
            self.update(box.adjusted(-2, -2, 2, 2))

    @property
    def lit(self) -> tuple[QRect, ...]:
        """What is lit, in pixels."""
        return self._lit

    def boxes(self, start: int, end: int) -> list[QRect]:
        """Where a part of the text stands: one box for each line that it is on."""
        layout = self._laid_out()
        corner = QPointF(self.contentsRect().topLeft())
        found = []
        block = layout.findBlock(start)
        while block.isValid() and block.position() < end:
            origin = corner + layout.documentLayout().blockBoundingRect(block).topLeft()
            low = max(start - block.position(), 0)
            high = min(end - block.position(), block.length() - 1)
            lines = block.layout()
            for number in range(lines.lineCount()):
                line = lines.lineAt(number)
                begin, stop = line.textStart(), line.textStart() + line.textLength()
                if begin >= high or stop <= low:
                    continue
                xs = [x_of(line, max(low, begin)), x_of(line, min(high, stop))]
                box = QRectF(min(xs), line.y(), max(xs) - min(xs), line.height())
                found.append(box.translated(origin).toAlignedRect())
            block = block.next()
        return found

    def _laid_out(self) -> QTextDocument:
        if self._layout is None:
            layout = QTextDocument()
            layout.setDocumentMargin(0)
            layout.setDefaultFont(self.font())
            option = QTextOption(self.alignment())
            option.setWrapMode(QTextOption.WrapMode.WordWrap)
            layout.setDefaultTextOption(option)
            layout.setHtml(super(ReadingLabel, self).text())
            layout.setTextWidth(self.contentsRect().width())
            self._layout = layout
        return self._layout

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._lit:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            for box in self._lit:
                if self._exact:
                    painter.setBrush(self._ground)
                    painter.drawRoundedRect(QRectF(box), _ROUND, _ROUND)
                else:
                    painter.setPen(QPen(self._ground, 2))
                    painter.drawLine(box.bottomLeft(), box.bottomRight())
            painter.end()
        super().paintEvent(event)
