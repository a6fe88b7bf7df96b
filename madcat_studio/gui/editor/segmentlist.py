"""The segments of a kit with their state: a mark, a word, and the beginning of the text."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from madcat_studio.gui.editor.flags import flag_text
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr, tr_number
from madcat_studio.model.campaign import SegmentState
from madcat_studio.workspace.kit import KitWorkspace

__all__ = ["KitSegmentDelegate", "KitSegmentModel", "state_text"]

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


def state_text(state: SegmentState) -> str:
    """The state in words."""
    return {
        SegmentState.UNTOUCHED: tr("untouched"),
        SegmentState.DRAFT: tr("draft"),
        SegmentState.CONFIRMED: tr("confirmed"),
    }[state]


class KitSegmentModel(QAbstractListModel):
    """The segments of one open kit, in its order."""

    STATE = Qt.ItemDataRole.UserRole + 1
    NUMBER = Qt.ItemDataRole.UserRole + 2
    DOCUMENT = Qt.ItemDataRole.UserRole + 3
    FLAGGED = Qt.ItemDataRole.UserRole + 4

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace: KitWorkspace | None = None

    def show_kit(self, workspace: KitWorkspace | None) -> None:
        """Show another kit."""
        self.beginResetModel()
        self._workspace = workspace
        self.endResetModel()

    def changed(self, rows: frozenset[int]) -> None:
        """Texts or states of these rows are different."""
        for row in rows:
            index = self.index(row)
            self.dataChanged.emit(index, index)

    def rowCount(self, parent: Index = _ROOT) -> int:
        if parent.isValid() or self._workspace is None:
            return 0
        return len(self._workspace.segments)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._workspace is None:
            return None
        row = index.row()
        segment, own = self._workspace.segments[row], self._workspace.own(row)
        if role == Qt.ItemDataRole.DisplayRole:
            return own.text if segment.output else tr("(no output: nothing to edit)")
        if role == self.STATE:
            return own.state if segment.output else None
        if role == self.FLAGGED:
            return bool(own.flags)
        if role == self.NUMBER:
            return row + 1
        if role == self.DOCUMENT:
            before = self._workspace.segments[row - 1].name.base if row else ""
            return segment.name.base if segment.name.base != before else ""
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            said = state_text(own.state) if segment.output else tr("no output")
            flags = "".join(f", {flag_text(flag)}" for flag in own.flags)
            return f"{tr_number(row + 1)}, {segment.name}, {said}{flags}"
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return own.text
        return None


class KitSegmentDelegate(QStyledItemDelegate):
    """Draws a row; a document's first row has the document's name above it."""

    _SIDE, _TOP, _MARK = 12, 7, 14

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._font, self._small = QFont(), QFont()
        self._colours: Colours | None = None

    def apply_theme(self, font: QFont, colours: Colours) -> None:
        """Take on fonts and colours."""
        self._font, self._small, self._colours = QFont(font), QFont(font), colours
        self._font.setPixelSize(min(font.pixelSize(), 14))
        self._small.setPixelSize(11)

    def _head(self, index: Index) -> int:
        if not index.data(KitSegmentModel.DOCUMENT):
            return 0
        return QFontMetrics(self._small).height() + self._TOP + 3

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row = QFontMetrics(self._font).height() + 2 * self._TOP
        return QSize(200, row + self._head(index))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if self._colours is None:
            return
        colours, rect = self._colours, QRect(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as the texts run
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        head = self._head(index)
        if head:
            painter.setFont(self._small)
            painter.setPen(QColor(colours.muted))
            title = QRect(rect.left() + self._SIDE, rect.top(), rect.width() - 2 * self._SIDE, head)
            name = QFontMetrics(self._small).elidedText(
                index.data(KitSegmentModel.DOCUMENT), Qt.TextElideMode.ElideMiddle, title.width()
            )
            painter.drawText(title, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, name)
            rect.setTop(rect.top() + head)
        if selected or hovered:
            painter.fillRect(rect, QColor(colours.soft if selected else colours.hover))
        if selected:
            painter.fillRect(
                QRect(rect.left(), rect.top(), 3, rect.height()), QColor(colours.accent)
            )
        state = index.data(KitSegmentModel.STATE)
        self._paint_mark(painter, QPointF(rect.left() + self._SIDE + 5, rect.center().y()), state)
        metrics = QFontMetrics(self._font)
        painter.setFont(self._font)
        painter.setPen(QColor(colours.muted))
        left = rect.left() + self._SIDE + self._MARK + 4
        number = QRect(left, rect.top(), metrics.horizontalAdvance("000"), rect.height())
        painter.drawText(
            number,
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
            tr_number(index.data(KitSegmentModel.NUMBER)),
        )
        painter.setPen(QColor(colours.text if state is not None else colours.muted))
        text = QRect(
            number.right() + 8, rect.top(), rect.right() - number.right() - 16, rect.height()
        )
        if index.data(KitSegmentModel.FLAGGED):
            painter.drawText(text, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, "⚑")
            text.setRight(text.right() - metrics.horizontalAdvance("⚑ "))
        painter.drawText(
            text,
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            metrics.elidedText(index.data() or "", Qt.TextElideMode.ElideRight, text.width()),
        )
        painter.restore()

    def _paint_mark(self, painter: QPainter, centre: QPointF, state: SegmentState | None) -> None:
        """A ring, a half filled ring, a tick; a dash where there is nothing to do."""
        assert self._colours is not None
        ring = QRectF(centre.x() - 5, centre.y() - 5, 10, 10)
        muted, accent = QColor(self._colours.muted), QColor(self._colours.accent)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if state is None:
            painter.setPen(QPen(muted, 1.5))
            painter.drawLine(centre - QPointF(4, 0), centre + QPointF(4, 0))
        elif state == SegmentState.CONFIRMED:  # Qt hands an enum of texts back as a text
            painter.setPen(QPen(accent, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            path = QPainterPath(centre + QPointF(-4, 0))
            path.lineTo(centre + QPointF(-1, 3.5))
            path.lineTo(centre + QPointF(5, -4))
            painter.drawPath(path)
        else:
            painter.setPen(QPen(accent if state == SegmentState.DRAFT else muted, 1.5))
            painter.drawEllipse(ring)
            if state == SegmentState.DRAFT:
                painter.setBrush(accent)
                painter.drawChord(ring, 90 * 16, 180 * 16)
