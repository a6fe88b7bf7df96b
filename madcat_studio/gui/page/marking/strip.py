"""The tokens around the current one, from right to left, the current one large in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from madcat_studio.gui.accessible import Part, Role, Spoken
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr
from madcat_studio.workspace.marking import Step

__all__ = ["Shown", "TokenStrip"]

_GAP, _ROOM = 16.0, 12.0


class Shown(NamedTuple):
    """One token: its number in the document, its text, what became of it."""

    number: int
    text: str
    step: Step
    fault: bool = False


def _said(token: Shown) -> str:
    """A token and what became of it."""
    text = token.text or tr("no text")
    match token.step:
        case Step.MARKED:
            said = tr("{word}, marked", word=text)
        case Step.MISSING:
            said = tr("{word}, not on the page", word=text)
        case Step.OPEN:
            said = text
    return tr("{word}, has a problem", word=said) if token.fault else said


class TokenStrip(QWidget):
    """Paints tokens; ``chosen`` carries the number of the one that was clicked."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._large, self._small = QFont(), QFont()
        self._colours: Colours | None = None
        self._before: Sequence[Shown] = ()
        self._current: Shown | None = None
        self._after: Sequence[Shown] = ()
        self._end = ""
        self._places: list[tuple[QRectF, int]] = []
        self.spoken = Spoken(self, Role.List, self._parts)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def apply_theme(self, large: QFont, small: QFont, colours: Colours) -> None:
        """Take on fonts and colours."""
        self._large, self._small, self._colours = large, small, colours
        self.updateGeometry()
        self.update()

    def show_tokens(
        self, before: Sequence[Shown], current: Shown | None, after: Sequence[Shown], end: str
    ) -> None:
        """Show these.

        Args:
            before: those before the current one, the nearest first.
            current: None at the end; then ``end`` is shown in its place.
            after: those that follow, the nearest first.
            end: what to say where no token is current.
        """
        self._before, self._current, self._after, self._end = before, current, after, end
        self.setAccessibleName(
            tr("Current word: {word}", word=current.text) if current is not None else end
        )
        self.spoken.changed()
        self.update()

    def _parts(self) -> list[Part]:
        """All tokens in the order of the text; pressing one is clicking on it."""
        current = [] if self._current is None else [self._current]
        return [
            Part(
                _said(token),
                box=partial(self._box, token.number),
                chosen=partial(self._is_current, token.number),
                act=partial(self.chosen.emit, token.number),
            )
            for token in (*reversed(self._before), *current, *self._after)
        ]

    def _is_current(self, number: int) -> bool:
        return self._current is not None and self._current.number == number

    def _box(self, number: int) -> QRect:
        if self._is_current(number):
            return self.rect()
        places = (place.toAlignedRect() for place, one in self._places if one == number)
        return next(places, QRect())

    def sizeHint(self) -> QSize:
        return QSize(400, round(QFontMetricsF(self._large).height() + 10))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for place, number in self._places:
            if place.contains(event.position()):
                self.chosen.emit(number)
                return

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._colours is None:
            return
        colours = self._colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self._places = []
        middle = self.width() / 2
        current = self._current
        if current is None:
            # Said in the language of the window, and its font, not in the page's.
            painter.setFont(self.font())
            painter.setPen(QColor(colours.muted))
            flags = Qt.AlignmentFlag.AlignCenter
            room = QFontMetricsF(self.font()).horizontalAdvance(self._end) + 2 * _ROOM
            painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            painter.drawText(QRectF(self.rect()), flags, self._end)
            painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
            half = room / 2
        else:
            metrics = QFontMetricsF(self._large)
            width = max(metrics.horizontalAdvance(current.text) + 2 * _ROOM, 56.0)
            chip = QRectF(middle - width / 2, 2, width, self.height() - 4)
            painter.setPen(QPen(QColor(colours.accent), 1.5))
            painter.setBrush(QColor(colours.soft))
            painter.drawRoundedRect(chip.adjusted(1, 1, -1, -1), 8, 8)
            painter.setFont(self._large)
            painter.setPen(QColor(colours.text))
            painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, current.text or "∅")
            half = width / 2
        painter.setFont(self._small)
        self._paint_row(painter, self._before, middle + half + _GAP, 1)
        self._paint_row(painter, self._after, middle - half - _GAP, -1)

    def _paint_row(self, painter: QPainter, tokens: Sequence[Shown], edge: float, way: int) -> None:
        colours = self._colours
        assert colours is not None
        metrics = QFontMetricsF(self._small)
        for token in tokens:
            text = token.text or "∅"
            width = metrics.horizontalAdvance(text)
            left = edge if way > 0 else edge - width
            if left < 4 or left + width > self.width() - 4:
                return
            place = QRectF(left, 0, width, self.height())
            self._places.append((place, token.number))
            done = token.step is not Step.OPEN
            colour = colours.warning if token.fault else colours.muted if done else colours.text
            painter.setPen(QColor(colour))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
            if token.step is Step.MARKED:
                y = self.height() / 2 + metrics.height() / 2 + 2
                painter.setPen(QPen(QColor(colours.accent), 2))
                painter.drawLine(QPointF(left, y), QPointF(left + width, y))
            edge += way * (width + _GAP)
