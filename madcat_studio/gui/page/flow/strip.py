"""The bar under the page: each token under its word, and what is not marked yet between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from madcat_studio.gui.accessible import Part, Role, Spoken
from madcat_studio.gui.actions import Actions
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.page.flow.entries import Entry, State, places
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr

__all__ = ["FlowBar", "FlowStrip"]

_ROOM = 9.0


def _said(entry: Entry) -> str:
    """An entry and how far it is."""
    text = entry.text or tr("no text")
    match entry.state:
        case State.MARKED:
            said = tr("{word}, marked", word=text)
        case State.OPEN:
            said = tr("{word}, not marked yet", word=text)
        case State.MISSING:
            said = tr("{word}, not on the page", word=text)
        case State.WITHOUT_TEXT:
            said = tr("a word without text")
        case State.PLAIN:
            said = text
    return tr("{word}, has a problem", word=said) if entry.fault else said


class FlowStrip(QWidget):
    """Paints the entries; ``chosen`` carries the number of the one that was clicked."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._font = QFont()
        self._colours: Colours | None = None
        self._entries: Sequence[Entry] = ()
        self._current = -1
        self._right_to_left = True
        self._to_view: Callable[[float], float] | None = None
        self._boxes: list[QRectF] = []
        self.spoken = Spoken(self, Role.List, self._parts)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def apply_theme(self, font: QFont, colours: Colours) -> None:
        """Take on font and colours."""
        self._font, self._colours = font, colours
        self.updateGeometry()
        self._lay()

    def show_entries(
        self, entries: Sequence[Entry], current: int, name: str, *, right_to_left: bool
    ) -> None:
        """Show these, with one of them current; -1 for none. ``name``: of the line."""
        self._entries, self._current, self._right_to_left = entries, current, right_to_left
        at = entries[current] if 0 <= current < len(entries) else None
        self.setAccessibleName(name if at is None else f"{name}: {_said(at)}")
        self._lay()
        self.spoken.changed()

    def follow(self, to_view: Callable[[float], float] | None) -> None:
        """Where an x of the page is seen, in its own pixels; None where words lie otherwise."""
        self._to_view = to_view
        self._lay()

    @property
    def boxes(self) -> Sequence[QRectF]:
        """Where each entry stands."""
        return self._boxes

    def _lay(self) -> None:
        """Give each its place, under its word where it has one."""
        metrics = QFontMetricsF(self._font)
        order = list(range(len(self._entries)))
        if self._right_to_left:
            order.reverse()
        shown = [self._entries[number] for number in order]
        widths = [max(metrics.horizontalAdvance(_text(e)) + 2 * _ROOM, 26.0) for e in shown]
        middles = [self._middle(entry) for entry in shown]
        found = places(widths, middles, float(self.width()))
        self._boxes = [QRectF()] * len(self._entries)
        height = self.height() - 8.0
        for number, (left, width) in zip(order, found, strict=True):
            self._boxes[number] = QRectF(left, 4.0, width, height)
        self.update()

    def _middle(self, entry: Entry) -> float | None:
        if entry.span is None or self._to_view is None:
            return None
        return (self._to_view(entry.span[0]) + self._to_view(entry.span[1])) / 2

    def _parts(self) -> list[Part]:
        return [
            Part(
                _said(entry),
                box=partial(self._box, number),
                chosen=partial(self._is_current, number),
                act=partial(self.chosen.emit, number),
            )
            for number, entry in enumerate(self._entries)
        ]

    def _box(self, number: int) -> QRect:
        return self._boxes[number].toAlignedRect() if number < len(self._boxes) else QRect()

    def _is_current(self, number: int) -> bool:
        return number == self._current

    def sizeHint(self) -> QSize:
        return QSize(400, round(QFontMetricsF(self._font).height() + 20))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._lay()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for number, box in enumerate(self._boxes):
            if box.contains(event.position()):
                self.chosen.emit(number)
                return

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._colours
        if colours is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        metrics = QFontMetricsF(self._font)
        for number, (entry, box) in enumerate(zip(self._entries, self._boxes, strict=True)):
            self._paint(painter, metrics, colours, entry, box, current=number == self._current)

    def _paint(
        self,
        painter: QPainter,
        metrics: QFontMetricsF,
        colours: Colours,
        entry: Entry,
        box: QRectF,
        *,
        current: bool,
    ) -> None:
        frame = box.adjusted(0.75, 0.75, -0.75, -0.75)
        if current:
            painter.setPen(QPen(QColor(colours.accent), 1.5))
            painter.setBrush(QColor(colours.soft))
            painter.drawRoundedRect(frame, 7, 7)
        elif entry.state in (State.OPEN, State.WITHOUT_TEXT):
            painter.setPen(QPen(QColor(colours.muted), 1.2, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(frame, 7, 7)
        done = entry.state is State.MARKED
        clear = done or entry.state is State.PLAIN
        colour = colours.warning if entry.fault else colours.text if clear else colours.muted
        painter.setPen(QColor(colour))
        side = Qt.TextElideMode.ElideRight
        text = metrics.elidedText(_text(entry), side, max(box.width() - 4.0, 1.0))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        if done:  # as the bar of marking does
            y = box.bottom() - 3.0
            painter.setPen(QPen(QColor(colours.accent), 2))
            inset = min(_ROOM, box.width() / 4)
            painter.drawLine(QPointF(box.left() + inset, y), QPointF(box.right() - inset, y))


def _text(entry: Entry) -> str:
    return "?" if entry.state is State.WITHOUT_TEXT else entry.text or "∅"


class FlowBar(QFrame):
    """The strip, how far line and page are, and buttons."""

    def __init__(
        self, commands: Actions, actions: Sequence[Action[Any]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("markbar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Line by line"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 6)
        column.setSpacing(2)
        self.strip = FlowStrip()
        column.addWidget(self.strip)
        row = QHBoxLayout()
        row.setContentsMargins(10, 0, 10, 0)
        row.setSpacing(4)
        self.progress = QLabel()
        self.progress.setObjectName("quiet")
        row.addWidget(self.progress)
        row.addStretch(1)
        for action in actions:
            button = QToolButton()
            button.setObjectName("chip")
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setDefaultAction(commands[action])
            # A click leaves the keys with the page.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)
        column.addLayout(row)
        self.hide()
