"""The kits of a plan, to look at and to drag about."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from madcat_studio.gui.coordinator.planmodel import Index, PlanModel, PlanNode
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr

__all__ = ["PlanTree"]


class _LengthDelegate(QStyledItemDelegate):
    """A kit's words as a bar under the number; the band of the tolerance is marked."""

    def __init__(self, theme: Theme, parent: QTreeView) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        model = index.model()
        words = index.data(PlanModel.WORDS)
        if words is None or not isinstance(model, PlanModel) or model.draft is None:
            return
        rules, colours = model.draft.rules, self._theme.colours
        rect = QRectF(option.rect).adjusted(58, 0, -12, 0)
        if rect.width() < 30:
            return
        full = max(rules.most * 1.25, words)
        outside = not rules.least <= words <= rules.most
        bar = QRectF(rect.left(), rect.center().y() - 3, rect.width(), 6)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.border))
        painter.drawRoundedRect(bar, 3, 3)
        bar.setWidth(rect.width() * words / full)
        painter.setBrush(QColor(colours.warning if outside else colours.accent))
        painter.drawRoundedRect(bar, 3, 3)
        painter.setBrush(QColor(colours.text))
        for edge in (rules.least, rules.most):
            x = rect.left() + rect.width() * edge / full
            painter.drawRect(QRectF(x - 0.5, rect.center().y() - 6, 1, 12))
        painter.restore()


class PlanTree(QTreeView):
    """The tree. What is dragged over is told, so that its effect can be shown.

    Signals:
        hovered: what is dragged (a unit's key or a team's name) and the place under it, or None
            and None when the drag is over.
    """

    hovered = Signal(object, object)

    def __init__(self, model: PlanModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Names, bars and rates run from left to right, whichever way the window runs.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._model = model
        self._over: object = None
        self._drag: object = None
        self.setModel(model)
        self.setAccessibleName(tr("Kits and their manuscripts"))
        self.setItemDelegateForColumn(PlanModel.LENGTH, _LengthDelegate(theme, self))
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(True)
        self.setDragDropOverwriteMode(True)
        self.setDefaultDropAction(Qt.DropAction.CopyAction)
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(True)
        self.setAllColumnsShowFocus(True)
        self.setAnimated(False)
        self.setIndentation(18)
        header = self.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, width in enumerate((230, 200, 210, 190)):
            header.resizeSection(column, width)

    def chosen(self) -> PlanNode | None:
        """What the current row is."""
        return self._model.place(self.currentIndex())

    def choose(self, index: Index) -> None:
        """Bring a row into sight and choose it."""
        if index.isValid():
            self.expand(self._model.parent(index))
            self.setCurrentIndex(self._model.index(index.row(), 0, self._model.parent(index)))
            self.scrollTo(self.currentIndex())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if not self.indexAt(event.position().toPoint()).isValid():
            self.setCurrentIndex(self._model.index(-1, -1))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        super().dragEnterEvent(event)
        self._drag = self._model.dragged(event.mimeData())

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)
        place = self._model.place(self.indexAt(event.position().toPoint()))
        if self._drag is not None and place != self._over:
            self._over = place
            self.hovered.emit(self._drag, place)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._rest()

    def dropEvent(self, event: QDropEvent) -> None:
        self._rest()
        super().dropEvent(event)

    def _rest(self) -> None:
        if self._over is not None:
            self._over = None
            self.hovered.emit(None, None)

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        place = self._model.place(index)
        if place is not None and place.kit.frozen:
            # What cannot be changed is drawn back; the tool tip says why.
            option.state &= ~QStyle.StateFlag.State_Enabled
        super().drawRow(painter, option, index)
