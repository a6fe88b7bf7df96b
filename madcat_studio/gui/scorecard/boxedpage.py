"""A scored page with its boxes painted over it: right, beside, missed, and matched to nothing.

The mouse drags the page and its wheel zooms; plus and minus zoom, 0 shows the whole page.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QToolTip, QWidget

from madcat_studio.gui.accessible import Part, Role, Spoken
from madcat_studio.gui.rendering.placedpage import PlacedPage
from madcat_studio.gui.rendering.twopages import Sheet
from madcat_studio.gui.translation import tr, tr_number
from madcat_studio.reports.cards_ltb_boxes import BoxState, MarkedBox, PageBoxes

__all__ = ["BoxedPage", "Legend", "state_name"]

_STYLES: dict[BoxState, tuple[str, Qt.PenStyle, int]] = {
    BoxState.TRUTH: ("#555555", Qt.PenStyle.DotLine, 0),
    BoxState.MISSED: ("#b3261e", Qt.PenStyle.SolidLine, 40),
    BoxState.RIGHT: ("#1b7f4b", Qt.PenStyle.SolidLine, 20),
    BoxState.OFF: ("#b26a00", Qt.PenStyle.DashLine, 30),
    BoxState.EXTRA: ("#6a3fa0", Qt.PenStyle.DashDotLine, 30),
}
"""The colour of a box on paper, its line, and how much of its colour fills it."""


_IN_ORDER = (
    BoxState.RIGHT,
    BoxState.OFF,
    BoxState.MISSED,
    BoxState.EXTRA,
    BoxState.TRUTH,
)


def state_name(state: BoxState) -> str:
    """What a box is, in the user's language."""
    match state:
        case BoxState.TRUTH:
            return tr("ground truth")
        case BoxState.MISSED:
            return tr("missed")
        case BoxState.RIGHT:
            return tr("right")
        case BoxState.OFF:
            return tr("beside")
        case BoxState.EXTRA:
            return tr("matched to nothing")


def _told(box: MarkedBox) -> str:
    """A box in words."""
    facts = ", ".join(f"{name} {value}" for name, value in box.facts)
    return ": ".join(one for one in (box.region, state_name(box.state), facts) if one)


def _pen(state: BoxState, width: float) -> QPen:
    colour, style, _ = _STYLES[state]
    return QPen(QColor(colour), width, style)


def _filling(state: BoxState) -> QColor:
    colour = QColor(_STYLES[state][0])
    colour.setAlpha(_STYLES[state][2])
    return colour


class BoxedPage(PlacedPage):
    """One page and what a system found on it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("The page with the boxes of the system"))
        self.spoken = Spoken(self, Role.Graphic, self._parts)
        self.setMinimumSize(160, 160)
        self._page: PageBoxes | None = None
        self._sheet: Sheet | None = None
        self._document = ""
        self._region = ""

    @property
    def page(self) -> PageBoxes | None:
        """What is shown."""
        return self._page

    @property
    def has_picture(self) -> bool:
        """Whether the page's picture lies below the boxes."""
        return self._sheet is not None

    def show_boxes(self, page: PageBoxes | None, region: str = "") -> None:
        """Show the boxes of a page; a region of it stands out."""
        before, self._page, self._region = self._page, page, region
        if page is not None and page.document != self._document:
            self._document, self._sheet = page.document, None
        if page is not None and (before is None or page.document != before.document):
            self.fit()
        self.spoken.changed()
        self.update()

    def forget(self) -> None:
        """Another result: a page of the same name may be another one."""
        self._document, self._page, self._sheet = "", None, None

    def show_picture(self, sheet: Sheet) -> None:
        """Put the page's picture below its boxes."""
        self._sheet = sheet
        self.update()

    def place_of(self, box: MarkedBox) -> QRectF:
        """Where a box is painted."""
        left, top, width, height = box.box
        scale, corner = self._placing.scale, self._placing.left_top
        return QRectF(
            corner.x() + left * scale, corner.y() + top * scale, width * scale, height * scale
        )

    def _page_size(self) -> QSize | None:
        if self._page is None:
            return None
        width, height = self._page.size
        return QSize(max(1, round(width)), max(1, round(height)))

    def _box(self, box: MarkedBox) -> QRect:
        return self.place_of(box).toAlignedRect()

    def _found(self) -> list[MarkedBox]:
        """What is told of: all but the ground truth, which lies below what was matched to it."""
        boxes = () if self._page is None else self._page.boxes
        return [box for box in boxes if box.state is not BoxState.TRUTH]

    def _parts(self) -> list[Part]:
        return [Part(_told(box), Role.StaticText, partial(self._box, box)) for box in self._found()]

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.rect(), self.palette().color(self.backgroundRole()).darker(112))
        if self._page is not None:
            self._paint_page(painter, self._page)
        painter.end()

    def _paint_page(self, painter: QPainter, page: PageBoxes) -> None:
        width, height = page.size
        scale, corner = self._placing.scale, self._placing.left_top
        if self._sheet is None:
            painter.fillRect(QRectF(corner.x(), corner.y(), width * scale, height * scale), "white")
        else:
            self._sheet.paint(painter, scale * width / self._sheet.size.width(), corner)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for box in page.boxes:
            chosen = bool(self._region) and box.region == self._region
            painter.setPen(_pen(box.state, 3.5 if chosen else 1.6))
            painter.setBrush(_filling(box.state))
            painter.drawRect(self.place_of(box))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            told = [
                _told(box)
                for box in self._found()
                if self.place_of(box).contains(QPointF(event.pos()))
            ]
            QToolTip.showText(event.globalPos(), "\n".join(told), self)
            return True
        return super().event(event)


class Legend(QWidget):
    """What the lines of the boxes mean, and how many of each a page has."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page: PageBoxes | None = None
        self.setAccessibleName(tr("What the boxes are"))
        self.spoken = Spoken(
            self, Role.Graphic, lambda: [Part(text, Role.StaticText) for _, text in self._rows()]
        )
        self.setFixedHeight(len(BoxState) * self._line() + 8)

    def show_page(self, page: PageBoxes | None) -> None:
        """Count another page's boxes."""
        self._page = page
        self.spoken.changed()
        self.update()

    def _line(self) -> int:
        return self.fontMetrics().height() + 4

    def _rows(self) -> list[tuple[BoxState, str]]:
        page = self._page
        return [
            (
                state,
                state_name(state)
                if page is None
                else f"{tr_number(page.count(state))} {state_name(state)}",
            )
            for state in _IN_ORDER
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        right_to_left = self.isRightToLeft()
        for number, (state, text) in enumerate(self._rows()):
            top = 4 + number * self._line()
            key = QRect(2, top + 2, 22, self._line() - 8)
            if right_to_left:
                key.moveRight(self.width() - 3)
            painter.fillRect(key, "white")
            painter.setPen(_pen(state, 1.6))
            painter.setBrush(_filling(state))
            painter.drawRect(key)
            painter.setPen(self.palette().color(self.foregroundRole()))
            line = QRect(32, top, self.width() - 64, self._line() - 4)
            side = Qt.AlignmentFlag.AlignRight if right_to_left else Qt.AlignmentFlag.AlignLeft
            painter.drawText(
                line, side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter, text
            )
        painter.end()
