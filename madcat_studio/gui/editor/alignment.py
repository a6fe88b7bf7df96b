"""Draws how one text became another: what went, what came, what was moved.

The large row is the text as it is now. Above it stands, small, what was there before: struck out
above the words that replaced it, struck out above a caret where nothing replaced it, with a
number where words moved away. Each kind has a form of its own besides its colour, and the colours
are of Okabe and Ito's set, which the colour-blind can tell apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil, floor

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QHelpEvent,
    QHideEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip, QWidget

from madcat_studio.gui.accessible import Part, Role, Spoken
from madcat_studio.gui.editor.flow import CARET, Flow, Placed, Row, flow, known_of, rows_of
from madcat_studio.gui.editor.inks import KINDS, Inks, inks, shown
from madcat_studio.gui.editor.sayings import say_at, sayings
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr, tr_joined
from madcat_studio.scoring.changes import Alignment
from madcat_studio.scoring.columns import Column, ColumnKind

__all__ = ["AlignmentView"]

_ROW_GAP = 5.0
_SPEAK_MS = 250
"""A screen reader hears of the changes when typing rests, not at every key."""
_BEYOND = 4.0
"""How far what is painted may reach beyond its place, in pixels: slanted letters, thick lines."""
_LEGEND_GAP, _BETWEEN_SAMPLES = 10.0, 20
_MOST_WIDTHS = 20_000
_MISSING = (ColumnKind.INSERTION, ColumnKind.ORIGIN)


def _changed(column: Column) -> bool:
    return column.kind is not ColumnKind.MATCH or column.shift > 0


def _sample(kind: ColumnKind) -> tuple[str, str]:
    """How a mark looks, and what it means."""
    return {
        ColumnKind.INSERTION: (tr("word"), tr(" ^  left out")),
        ColumnKind.DELETION: ("+", tr(" added")),
        ColumnKind.SUBSTITUTION: (tr("word"), tr(" above a word: replaced by it")),
        ColumnKind.ORIGIN: ("①", tr(" moved; above ^ its old place")),
    }[kind]


class _Widths(dict[str, float]):
    """The widths of texts in one face. Nearly all words are those of the keystroke before."""

    def __init__(self, metrics: QFontMetricsF) -> None:
        super().__init__()
        self._metrics = metrics

    def __missing__(self, text: str) -> float:
        if len(self) > _MOST_WIDTHS:
            self.clear()
        width = self[text] = self._metrics.horizontalAdvance(text)
        return width


class AlignmentView(QWidget):
    """An alignment, flowing over as many rows as the width needs. ``show_alignment`` fills it.

    Signals:
        clicked: the number of the column of a change, where ``answers`` is on.
    """

    clicked = Signal(int)

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        spell_unchanged: bool = True,
        legend: bool = True,
    ) -> None:
        """Make an empty view.

        Args:
            theme: for the colours.
            parent: as for any widget.
            spell_unchanged: whether a text without any change is written out all the same.
            legend: whether the marks are explained below.
        """
        super().__init__(parent)
        # English runs from left to right, whichever way the window runs.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._theme = theme
        self._spell_unchanged, self._legend = spell_unchanged, legend
        self._alignment = Alignment("", "", ())
        self._flow, self._flow_width = Flow((), 0), 0
        self._asked = 0.0
        self._rows: list[Row] = []
        self._changes = False
        self._hovered: int | None = None
        self._answer = ""
        self._flows: dict[int, Flow] = {}
        self._legends: dict[int, list[list[ColumnKind]]] = {}
        self._set_fonts(QFont(), QFont())
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMouseTracking(True)
        # It paints its own ground, so that nothing below is painted with each keystroke.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(tr("What changed"))
        self.spoken = Spoken(self, Role.List, self._parts)
        self._speak = QTimer(self)
        self._speak.setSingleShot(True)
        self._speak.setInterval(_SPEAK_MS)
        self._speak.timeout.connect(self._describe)

    def answer_clicks(self, hint: str) -> None:
        """Let changes be clicked; ``hint`` says in the tool tip what a click does."""
        self._answer = hint

    def set_font(self, font: QFont) -> None:
        """The face of the words; what was there before is a little smaller."""
        small = QFont(font)
        small.setPixelSize(max(9, round(font.pixelSize() * 0.86)))
        self._set_fonts(QFont(font), small)
        self._place()
        self.update()

    def _set_fonts(self, font: QFont, small: QFont) -> None:
        self._font, self._small = font, small
        self._struck, self._slanted = QFont(small), QFont(small)
        self._struck.setStrikeOut(True)
        self._slanted.setItalic(True)
        self._large_metrics, self._small_metrics = QFontMetricsF(font), QFontMetricsF(small)
        self._upper = self._line = self._small_metrics.height()
        self._letters = self._large_metrics.height()
        # Whole pixels, so that no row reaches into another one's when it is painted alone.
        self._row = ceil(self._upper + self._letters + _ROW_GAP)
        self._legends.clear()
        self._flow_width = 0
        self._below, self._above = _Widths(self._large_metrics), _Widths(self._small_metrics)

    def show_alignment(self, alignment: Alignment) -> None:
        """Show another alignment."""
        same = alignment.columns == self._alignment.columns
        if same and alignment.text == self._alignment.text:
            return
        before, self._alignment = self._alignment, alignment
        self._hover(None)
        self._changes = any(_changed(column) for column in alignment.columns)
        fresh = self._flow_width == self.width()
        self._place(known_of(self._flow, before, alignment) if fresh else ())
        if self.isVisible():
            self._speak.start()
        else:
            self._describe()

    def hideEvent(self, event: QHideEvent) -> None:
        if self._speak.isActive():
            self._speak.stop()
            self._describe()

    def _describe(self) -> None:
        """Tell a screen reader what changed."""
        said = tr_joined(one.text for one in sayings(self._alignment))
        self.setAccessibleDescription(said or tr("Nothing is changed"))
        self.spoken.changed()

    def _parts(self) -> list[Part]:
        """The changes, each a sentence in its place; pressing one is clicking on it."""
        places = {one.number: one for one in self._flow.placed}
        found = []
        for said in sayings(self._alignment):
            box = QRectF()
            for number in said.columns:
                if number in places:
                    box |= self._box(places[number])
            click = partial(self.clicked.emit, said.columns[0]) if self._answer else None
            found.append(Part(said.text, box=box.toAlignedRect, act=click))
        return found

    @property
    def alignment(self) -> Alignment:
        """What is shown."""
        return self._alignment

    def box_of(self, word: int) -> QRect:
        """Where a word of the text stands, by its number for the score; null where it does not."""
        columns = self._alignment.columns
        found = (one for one in self._flow.placed if columns[one.number].text_at == word)
        return next((self._box(one).toAlignedRect() for one in found), QRect())

    # -- measuring ----------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(400, round(self._height(self._flow, self.width())))

    def heightForWidth(self, width: int) -> int:
        return round(self._height(self._flowing(width), width))

    def hasHeightForWidth(self) -> bool:
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()
        self.update()

    def _place(self, known: Sequence[Placed] = ()) -> None:
        """Put the columns into their rows; only what looks different then is painted anew."""
        self._flows.clear()
        if known and self._shows:
            self._flows[self.width()] = self._flow_of(self.width(), known)
        self._flow, self._flow_width = self._flowing(self.width()), self.width()
        old = self._rows
        kept = known[-1].row if known and self._shows else 0
        self._rows = rows_of(self._flow, self._alignment.columns, old, kept)
        height = self._height(self._flow, self.width())
        if height != self._asked or len(old) != len(self._rows):
            # The whole pane would be laid out anew: only where the rows became more or fewer.
            self._asked = height
            self.updateGeometry()
            self.update()
            return
        for number, (row, last) in enumerate(zip(self._rows, old, strict=True)):
            left = row.changed_from(last)
            if left is not None:
                x = max(0, floor(left - _BEYOND))
                self.update(QRect(x, number * self._row, self.width() - x, self._row))

    def _flowing(self, width: int) -> Flow:
        """The rows for a width; layouts ask for several widths again and again."""
        if not self._shows:
            return Flow((), 0)
        found = self._flows.get(width)
        if found is None:
            found = self._flows[width] = self._flow_of(width)
        return found

    @property
    def _shows(self) -> bool:
        return self._changes or self._spell_unchanged

    def _flow_of(self, width: int, known: Sequence[Placed] = ()) -> Flow:
        below, above = self._below.__getitem__, self._above.__getitem__
        return flow(self._alignment, width, below, above, known)

    def _height(self, placed: Flow, width: int) -> float:
        rows = placed.rows * self._row if placed.rows else self._line
        if not self._legend:
            return rows
        return rows + _LEGEND_GAP + self._line * len(self._legend_rows(width))

    def _box(self, placed: Placed) -> QRectF:
        left = placed.x
        right = placed.x + max(placed.width, placed.above_width)
        return QRectF(left, placed.row * self._row, right - left, self._row)

    def _at(self, point: QPointF) -> Placed | None:
        """The column at a point; a word itself goes before what reaches over it from the left."""
        hits = [one for one in self._flow.placed if self._box(one).contains(point)]
        lower = point.y() % self._row > self._upper
        for one in hits:
            width = one.width if lower else one.above_width
            if one.x <= point.x() <= one.x + width:
                return one
        return hits[0] if hits else None

    # -- painting -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        wanted = event.rect()
        ink = inks(self._theme.colours)
        painter = QPainter(self)
        painter.fillRect(wanted, ink.ground)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self._rows:
            painter.setFont(self._small)
            painter.setPen(ink.muted)
            small = self._small_metrics
            painter.drawText(QPointF(0, small.ascent()), tr("Nothing is changed."))
        lit = () if self._hovered is None else self._block(self._hovered)
        first, last = wanted.top() // self._row, wanted.bottom() // self._row
        for row in self._rows[first : last + 1]:
            self._paint_row(painter, ink, row, wanted.left() - _BEYOND, lit)
        legend = len(self._rows) * self._row if self._rows else self._line
        if self._legend and wanted.bottom() > legend:
            self._paint_legend(painter, ink)
        painter.end()

    def _paint_row(
        self, painter: QPainter, ink: Inks, row: Row, left: float, lit: range | tuple[int, ...]
    ) -> None:
        """Paint a row, as far as it lies to the right of ``left``."""
        columns = self._alignment.columns
        marked = [
            (placed, before, column)
            for placed, before in row.placed
            if _changed(column := columns[placed.number])
            and placed.x + max(placed.width, placed.above_width) >= left
        ]
        for placed, before, column in marked:
            self._paint_ground(painter, ink, placed, before, column, placed.number in lit)
        self._paint_lower(painter, ink, row, left)
        for placed, _, column in marked:
            self._paint_marks(painter, ink, placed, column)

    def _block(self, number: int) -> range:
        """The columns that a click on one takes back together."""
        column = self._alignment.columns[number]
        if column.kind in (ColumnKind.MATCH, ColumnKind.ORIGIN):
            return range(number, number + 1)
        return self._alignment.run(number)

    def _paint_ground(
        self,
        painter: QPainter,
        ink: Inks,
        placed: Placed,
        before: Placed | None,
        column: Column,
        lit: bool,
    ) -> None:
        kind = shown(column.kind)
        left = placed.x
        if placed.continues and before is not None:
            left = before.x + before.width
        top = placed.row * self._row + self._upper
        box = QRectF(left, top, placed.x + placed.width - left, self._letters)
        colour = (ink.lit if lit else ink.tints)[kind]
        if column.kind in _MISSING:
            if lit:
                painter.fillRect(box.adjusted(0, -self._upper, placed.above_width, 0), colour)
            return
        painter.fillRect(box, colour)
        painter.setPen(ink.dotted if column.shift else ink.thick[kind])
        painter.drawLine(box.bottomLeft(), box.bottomRight())

    def _paint_lower(self, painter: QPainter, ink: Inks, row: Row, left: float) -> None:
        """The text itself; words that follow each other are painted in one go."""
        painter.setFont(self._font)
        painter.setPen(ink.text)
        blank, ascent = self._below[" "], self._large_metrics.ascent()
        run, start, end = "", 0.0, 0.0

        def paint() -> None:
            if run and end >= left:
                base = QPointF(start, row.placed[0][0].row * self._row + self._upper + ascent)
                painter.drawText(base, run)

        for placed, _ in row.placed:
            column = self._alignment.columns[placed.number]
            if column.kind in _MISSING:
                continue
            gap = placed.x - end
            if run and (gap < 0.01 or abs(gap - blank) < 0.01):
                run += (" " if gap > 0.01 else "") + column.text
            else:
                paint()
                run, start = column.text, placed.x
            end = placed.x + placed.width
        paint()

    def _paint_marks(self, painter: QPainter, ink: Inks, placed: Placed, column: Column) -> None:
        """What stands above, and the caret where words are missing."""
        if placed.width and column.kind in _MISSING:
            painter.setPen(ink.thick[column.kind])
            top = placed.row * self._row + self._upper
            foot = QPointF(placed.x + CARET / 2, top + self._large_metrics.ascent() + 1)
            painter.drawPolyline(
                [foot + QPointF(-3.5, 3), foot + QPointF(0, -3), foot + QPointF(3.5, 3)]
            )
        if placed.above_width:
            self._paint_above(painter, ink, placed, column)

    def _paint_above(self, painter: QPainter, ink: Inks, placed: Placed, column: Column) -> None:
        small = self._small_metrics
        upper = QPointF(placed.above_x, placed.row * self._row + small.ascent())
        if placed.mark:
            painter.setFont(self._small)
            painter.setPen(ink.fine[ColumnKind.ORIGIN if column.shift else column.kind])
            painter.drawText(upper, placed.mark)
            upper.setX(upper.x() + small.horizontalAdvance(placed.mark))
        if placed.above:
            origin = column.kind is ColumnKind.ORIGIN
            painter.setFont(self._slanted if origin else self._struck)
            painter.setPen(ink.fine[shown(column.kind)])
            painter.drawText(upper, placed.above)

    def _legend_rows(self, width: int) -> list[list[ColumnKind]]:
        """The marks that are explained, in as many rows as they need."""
        found = self._legends.get(width)
        if found is None:
            found, x = [[]], 0.0
            for kind in KINDS:
                room = sum(self._above[part] for part in _sample(kind))
                if x and x + room > width:
                    found, x = [*found, []], 0.0
                found[-1].append(kind)
                x += room + _BETWEEN_SAMPLES
            self._legends[width] = found
        return found

    def _paint_legend(self, painter: QPainter, ink: Inks) -> None:
        small = self._small_metrics
        rows = self._legend_rows(self.width())
        for number, row in enumerate(rows, start=1):
            x = 0.0
            y = self._height(self._flow, self.width()) - small.descent()
            y -= (len(rows) - number) * self._line
            for kind in row:
                sample, text = _sample(kind)
                struck = kind in (ColumnKind.INSERTION, ColumnKind.SUBSTITUTION)
                painter.setPen(ink.fine[kind])
                painter.setFont(self._struck if struck else self._small)
                painter.drawText(QPointF(x, y), sample)
                x += self._above[sample]
                painter.setFont(self._small)
                painter.setPen(ink.muted)
                painter.drawText(QPointF(x, y), text)
                x += self._above[text] + _BETWEEN_SAMPLES

    # -- the mouse ----------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hit = self._at(event.position())
        answers = hit is not None and _changed(self._alignment.columns[hit.number])
        self._hover(hit.number if hit is not None and answers and self._answer else None)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)

    def _hover(self, number: int | None) -> None:
        if number == self._hovered:
            return
        self._hovered = number
        if number is None:
            self.unsetCursor()
        else:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or not self._answer:
            return
        hit = self._at(event.position())
        if hit is not None and _changed(self._alignment.columns[hit.number]):
            self.clicked.emit(hit.number)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        copy = menu.addAction(tr("Copy the text"))
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(self._alignment.text))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            hit = self._at(QPointF(event.pos()))
            said = "" if hit is None else say_at(self._alignment, hit.number)
            if not said:
                QToolTip.hideText()
            else:
                QToolTip.showText(
                    event.globalPos(), f"{said}. {self._answer}" if self._answer else said, self
                )
            return True
        return super().event(event)
