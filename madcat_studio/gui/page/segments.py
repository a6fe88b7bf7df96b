"""Segments and tokens beside the page: models and how their rows look."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from madcat_studio.gui.textpaint import TextBlock
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr
from madcat_studio.model.characters import runs_right_to_left
from madcat_studio.model.document import Document, Segment
from madcat_studio.model.links import SegmentIndex, TokenIndex
from madcat_studio.operations.pages.tokens import spans_of_tokens

__all__ = ["SegmentDelegate", "SegmentModel", "TokenDelegate", "TokenModel"]

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class SegmentModel(QAbstractListModel):
    """The segments of a document, in its order."""

    SEGMENT = Qt.ItemDataRole.UserRole + 1
    PLACE = Qt.ItemDataRole.UserRole + 2

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._places: list[SegmentIndex] = []
        self._rows: dict[SegmentIndex, int] = {}
        self._said: list[tuple[str | None, str | None]] = []

    def set_document(self, document: Document | None) -> None:
        """Show another document, or the same after its structure changed."""
        self.beginResetModel()
        self._document = document
        self._places = (
            []
            if document is None
            else [
                (s, g)
                for s, section in enumerate(document.sections)
                for g in range(len(section.segments))
            ]
        )
        self._rows = {place: row for row, place in enumerate(self._places)}
        self._said = [self._say(row) for row in range(len(self._places))]
        self.endResetModel()

    def _say(self, row: int) -> tuple[str | None, str | None]:
        """What a row shows of its segment."""
        assert self._document is not None
        section, number = self._places[row]
        segment = self._document.sections[section].segments[number]
        return segment.transcription, segment.translation

    def place(self, row: int) -> SegmentIndex:
        """Section and segment of a row."""
        return self._places[row]

    def row(self, place: SegmentIndex) -> int:
        """The row of a segment, -1 if there is none."""
        return self._rows.get(place, -1)

    def changed(self, places: frozenset[SegmentIndex]) -> None:
        """Some segments changed; those that say something else now are told.

        A list lays all of its rows anew for each that is told, and most edits are of tokens.
        """
        for place in places:
            row = self.row(place)
            if row >= 0 and self._said[row] != (said := self._say(row)):
                self._said[row] = said
                index = self.index(row)
                self.dataChanged.emit(index, index)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._places)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._document is None:
            return None
        section, number = self._places[index.row()]
        segment = self._document.sections[section].segments[number]
        if role == Qt.ItemDataRole.DisplayRole:
            return segment.id or f"#{number + 1}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{segment.id or ''} {segment.transcription or ''} {segment.translation or ''}"
        if role == self.SEGMENT:
            return segment
        if role == self.PLACE:
            return self._places[index.row()]
        return None


class TokenModel(QAbstractListModel):
    """The tokens of one segment, in text order."""

    TOKEN = Qt.ItemDataRole.UserRole + 1
    LINKED = Qt.ItemDataRole.UserRole + 2

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._segment: Segment | None = None
        self._place: SegmentIndex = (0, 0)
        self._linked: frozenset[int] = frozenset()
        self._rows = 0

    def set_segment(
        self, segment: Segment | None, place: SegmentIndex, linked: frozenset[int]
    ) -> None:
        """Show another segment; ``linked``: the tokens that have a word on a page."""
        rows = 0 if segment is None else len(segment.tokens)
        if segment is not None and segment is self._segment and rows == self._rows:
            # The same tokens, with other texts perhaps: what is marked stays so.
            self._place, self._linked = place, linked
            if rows:
                self.dataChanged.emit(self.index(0), self.index(rows - 1))
            return
        self.beginResetModel()
        self._segment, self._place, self._linked, self._rows = segment, place, linked, rows
        self.endResetModel()

    def place(self, row: int) -> TokenIndex:
        """Section, segment and token of a row."""
        return (*self._place, row)

    @property
    def segment_place(self) -> SegmentIndex | None:
        """Which segment is shown."""
        return None if self._segment is None else self._place

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else self._rows

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        segment = self._segment
        if not index.isValid() or segment is None or index.row() >= len(segment.tokens):
            return None
        token = segment.tokens[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return token.source if token.source else "∅"
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            parts = [token.id or tr("no id")]
            if index.row() not in self._linked:
                parts.append(tr("no word on the page"))
            if token.status:
                parts.append(token.status)
            return " · ".join(parts)
        if role == self.TOKEN:
            return token
        if role == self.LINKED:
            return index.row() in self._linked
        return None


class _Dressed(QStyledItemDelegate):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.arabic = QFont()
        self.english = QFont()
        self.small = QFont()
        self.colours: Colours | None = None

    def apply_theme(self, arabic: QFont, english: QFont, colours: Colours) -> None:
        """Take on fonts and colours."""
        self.arabic, self.english, self.colours = arabic, english, colours
        self.small = QFont(english)
        self.small.setPixelSize(12)


class SegmentDelegate(_Dressed):
    """A segment: its id, its transcription right to left, its translation left to right.

    ``word_chosen`` carries the token (TokenIndex) whose word was clicked in a transcription.
    """

    word_chosen = Signal(object)
    _SIDE, _TOP, _GAP = 12, 9, 4

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._marked: TokenIndex | None = None
        self._heights: dict[tuple[str | None, str | None, int], int] = {}

    def apply_theme(self, arabic: QFont, english: QFont, colours: Colours) -> None:
        """Take on fonts and colours; texts are as high as these make them."""
        super().apply_theme(arabic, english, colours)
        self._heights.clear()

    def mark(self, token: TokenIndex | None) -> None:
        """Mark the word of a token in its segment's transcription."""
        self._marked = token

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            token = self._token_at(event.position(), option, index)
            if token is not None:
                self.word_chosen.emit(token)
        return super().editorEvent(event, model, option, index)

    def _token_at(
        self, point: QPointF, option: QStyleOptionViewItem, index: Index
    ) -> TokenIndex | None:
        segment: Segment = index.data(SegmentModel.SEGMENT)
        if not segment.transcription:
            return None
        arabic, _ = self._blocks(segment, option.rect.width())
        x, y = option.rect.left() + self._SIDE, self._text_top(option.rect)
        place = arabic.place_at(point.x() - x, point.y() - y)
        if place is None:
            return None
        spans = spans_of_tokens(segment)
        for number, span in enumerate(spans):
            if span is not None and span[0] <= place < span[1]:
                return (*index.data(SegmentModel.PLACE), number)
        return None

    def _text_top(self, rect: QRect) -> int:
        return rect.top() + self._TOP + QFontMetrics(self.small).height() + self._GAP

    def _lit(self, segment: Segment, index: Index) -> tuple[int, int] | None:
        marked = self._marked
        if marked is None or index.data(SegmentModel.PLACE) != marked[:2]:
            return None
        if not segment.transcription or marked[2] >= len(segment.tokens):
            return None
        spans = spans_of_tokens(segment)
        return spans[marked[2]]

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._width(option)
        segment = index.data(SegmentModel.SEGMENT)
        # One change makes the view ask for all of them again.
        asked = (segment.transcription, segment.translation, width)
        height = self._heights.get(asked)
        if height is None:
            arabic, english = self._blocks(segment, width)
            head = QFontMetrics(self.small).height()
            whole = 2 * self._TOP + head + self._GAP + arabic.height + english.height + self._GAP
            height = self._heights[asked] = round(whole)
        return QSize(width, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if self.colours is None:
            return
        colours, rect = self.colours, option.rect
        segment: Segment = index.data(SegmentModel.SEGMENT)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        if selected or hovered:
            painter.fillRect(rect, QColor(colours.soft if selected else colours.hover))
        if selected:
            painter.fillRect(
                QRect(rect.left(), rect.top(), 3, rect.height()), QColor(colours.accent)
            )
        painter.fillRect(
            QRect(rect.left() + self._SIDE, rect.bottom(), rect.width() - 2 * self._SIDE, 1),
            QColor(colours.border),
        )
        x, y = rect.left() + self._SIDE, rect.top() + self._TOP
        width = rect.width() - 2 * self._SIDE
        painter.setFont(self.small)
        painter.setPen(QColor(colours.accent if selected else colours.muted))
        head = QFontMetrics(self.small).height()
        painter.drawText(
            QRect(x, y, width, head), Qt.AlignmentFlag.AlignLeft, str(index.data() or "")
        )
        y = self._text_top(rect)
        arabic, english = self._blocks(segment, rect.width())
        missing = QColor(colours.muted)
        text = QColor(colours.text)
        arabic.paint(
            painter,
            x,
            y,
            text if segment.transcription else missing,
            lit=self._lit(segment, index),
            ground=QColor(colours.lit),
        )
        y += round(arabic.height) + self._GAP
        english.paint(painter, x, y, text if segment.translation else missing)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(colours.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.restore()

    def _width(self, option: QStyleOptionViewItem) -> int:
        view = option.widget
        viewport = view.viewport() if view is not None and hasattr(view, "viewport") else None
        return viewport.width() if viewport is not None else max(option.rect.width(), 240)

    def _blocks(self, segment: Segment, width: int) -> tuple[TextBlock, TextBlock]:
        room = width - 2 * self._SIDE
        upper = self._block(segment.transcription, room, default=True)
        lower = self._block(segment.translation, room, default=False)
        return (
            upper or TextBlock(tr("no transcription"), self.small, room, right_to_left=False),
            lower or TextBlock(tr("no translation"), self.small, room, right_to_left=False),
        )

    def _block(self, text: str | None, room: int, *, default: bool) -> TextBlock | None:
        """A text in its own direction; None for none."""
        if not text:
            return None
        right = runs_right_to_left(text, default=default)
        return TextBlock(text, self.arabic if right else self.english, room, right_to_left=right)


class TokenDelegate(_Dressed):
    """A token as a chip; one without a word on the page has a dashed border."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        metrics = QFontMetrics(self.arabic)
        width = metrics.horizontalAdvance(str(index.data() or ""))
        return QSize(max(width + 22, 34), metrics.height() + 12)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if self.colours is None:
            return
        colours = self.colours
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        token = index.data(TokenModel.TOKEN)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chip = QRectF(option.rect).adjusted(3.5, 3.5, -3.5, -3.5)
        pen = painter.pen()
        pen.setWidthF(1.0)
        pen.setColor(QColor(colours.accent if selected else colours.border))
        if not index.data(TokenModel.LINKED):
            pen.setStyle(Qt.PenStyle.DashLine)
            pen.setColor(QColor(colours.warning))
        painter.setPen(pen)
        ground = colours.soft if selected else colours.hover if hovered else colours.surface
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(chip, 6, 6)
        if token.status:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.warning))
            painter.drawEllipse(QRectF(chip.left() + 4, chip.top() + 4, 5, 5))
        painter.setFont(self.arabic if token.source else self.small)
        painter.setPen(QColor(colours.text if token.source else colours.muted))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, str(index.data() or ""))
        painter.restore()
