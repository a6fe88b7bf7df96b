"""How much each pair of teams shares, as a table whose cells are the darker the more it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr, tr_figure, tr_number

__all__ = ["HeatMap", "blend"]

Index = QModelIndex | QPersistentModelIndex
Told = Callable[[int], str]
_ROOT = QModelIndex()


def blend(one: str, other: str, share: float) -> QColor:
    """The colour at a share of the way from one colour to another."""
    a, b = QColor(one), QColor(other)
    return QColor(
        round(a.red() + (b.red() - a.red()) * share),
        round(a.green() + (b.green() - a.green()) * share),
        round(a.blue() + (b.blue() - a.blue()) * share),
    )


class _PairModel(QAbstractTableModel):
    HEAT = Qt.ItemDataRole.UserRole + 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.names: Sequence[str] = ()
        self._values: Sequence[Sequence[float]] = ()
        self._told: Told = tr_number
        self._most = 0.0

    def show_matrix(
        self, names: Sequence[str], values: Sequence[Sequence[float]], told: Told
    ) -> None:
        self.beginResetModel()
        self.names, self._values, self._told = names, values, told
        # A team's own sum, on the diagonal, is no pair.
        pairs = (
            value
            for number, row in enumerate(values)
            for place, value in enumerate(row)
            if place != number
        )
        self._most = max(pairs, default=0)
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.names)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.names)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and 0 <= section < len(self.names):
            return self.names[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        value = self._values[row][column]
        if role == Qt.ItemDataRole.DisplayRole:
            return "" if row == column else tr_figure(f"{value:,.0f}")
        if role == self.HEAT:
            return None if row == column else value / self._most if self._most else 0.0
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            if row == column:
                return None
            one, other = self.names[row], self.names[column]
            return tr(
                "{one} and {other}: {shared}", one=one, other=other, shared=self._told(round(value))
            )
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignCenter)
        return None


class _HeatDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(64, 40)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours, rect = self._theme.colours, option.rect.adjusted(1, 1, -1, -1)
        heat = index.data(_PairModel.HEAT)
        painter.save()
        if heat is None:
            painter.fillRect(rect, QColor(colours.hover))
        else:
            painter.fillRect(rect, blend(colours.surface, colours.accent, 0.85 * heat))
            # Words stand out from both ends of the scale.
            painter.setPen(QColor(colours.on_accent if heat > 0.6 else colours.text))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, index.data() or "")
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QColor(colours.text))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.restore()


class HeatMap(QTableView):
    """The matrix of pairs of teams; reached and walked by the arrow keys."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("What pairs of teams share"))
        self.matrix = _PairModel(self)
        self.setModel(self.matrix)
        self.setItemDelegate(_HeatDelegate(theme, self))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        for header, size in ((self.horizontalHeader(), 78), (self.verticalHeader(), 40)):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setDefaultSectionSize(size)
            header.setHighlightSections(False)
        self.verticalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )

    def show_matrix(
        self, names: Sequence[str], values: Sequence[Sequence[float]], told: Told
    ) -> None:
        """Show values of pairs; ``told`` says a value in words, for tips and screen readers."""
        self.matrix.show_matrix(names, values, told)
