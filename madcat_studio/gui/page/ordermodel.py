"""The lines of a page and their words as a tree, in the order of reading. Rows can be dragged.

A drop changes nothing here: it is told, an edit follows, and the tree is read anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QByteArray,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont

from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.translation import tr, tr_count, tr_number
from madcat_studio.model.document import Page

__all__ = ["OrderModel"]

_KIND = "application/x-madcat-studio-outlines"
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_WORD = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled
_LINE = _WORD | Qt.ItemFlag.ItemIsDropEnabled
"""Put together once: the view asks for those of every row."""


class OrderModel(QAbstractItemModel):
    """Top rows are lines, their children words. Nothing is copied: the page is looked at.

    Signals:
        dropped: the dragged ShapeKeys, the line that they fell into (-1: between lines), the row.
    """

    dropped = Signal(object, int, int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._page = Page(None)
        self._counts: list[int] = []
        self._text_of: Callable[[ShapeKey], str] = str
        self._font = QFont()

    def show_page(self, page: Page, text_of: Callable[[ShapeKey], str]) -> None:
        """Show a page as it is now, with the written text of its words."""
        self.beginResetModel()
        self._page, self._text_of = page, text_of
        self._counts = [len(line.words) for line in page.lines]
        self.endResetModel()

    def follow(self, lines: Iterable[int], words: Iterable[ShapeKey]) -> None:
        """Words of some lines came, went or moved, others have another text.

        No line may have come, gone or moved.
        """
        for line in lines:
            row = self.index(line, 0)
            count = len(self._page.lines[line].words)
            # All of its rows: those behind a word that comes have other numbers.
            if self._counts[line]:
                self.beginRemoveRows(row, 0, self._counts[line] - 1)
                self._counts[line] = 0
                self.endRemoveRows()
            if count:
                self.beginInsertRows(row, 0, count - 1)
                self._counts[line] = count
                self.endInsertRows()
            self.dataChanged.emit(row, row)
        for key in words:
            word = self.index_of(key)
            self.dataChanged.emit(word, word)

    def apply_theme(self, font: QFont) -> None:
        """Use a font for words."""
        self._font = font

    def key(self, index: _Index) -> ShapeKey | None:
        """The outline of a row."""
        if not index.isValid():
            return None
        line = int(index.internalId()) - 1
        return ShapeKey(index.row()) if line < 0 else ShapeKey(line, index.row())

    def index_of(self, key: ShapeKey) -> QModelIndex:
        """The row of an outline."""
        if key.word is None:
            return self.index(key.line, 0)
        return self.index(key.word, 0, self.index(key.line, 0))

    # As Qt asks for it. The id of a line's index is 0, that of a word its line's number + 1.

    def index(self, row: int, column: int, parent: _Index = _NOWHERE) -> QModelIndex:
        if not 0 <= row < self.rowCount(parent) or column != 0:
            return QModelIndex()
        return self.createIndex(row, 0, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, child: _Index = _NOWHERE) -> Any:
        if not child.isValid() or not child.internalId():
            return QModelIndex()
        return self.createIndex(int(child.internalId()) - 1, 0, 0)

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self._counts)
        if parent.internalId() or parent.row() >= len(self._counts):
            return 0
        return self._counts[parent.row()]

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        key = self.key(index)
        if key is None or key.line >= len(self._page.lines):
            return None
        line = self._page.lines[key.line]
        if role == Qt.ItemDataRole.FontRole and key.word is not None:
            return self._font
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if key.word is None:
            lock = tr(", locked") if line.locked else ""
            return tr_count(
                "{number}  line {id}: {count} word{lock}",
                "{number}  line {id}: {count} words{lock}",
                len(line.words),
                number=tr_number(key.line + 1),
                id=line.id or "–",
                lock=lock,
            )
        text = self._text_of(key) or line.words[key.word].id or "–"
        # Isolated, so that an Arabic word does not turn the number around.
        return f"{tr_number(key.word + 1)}   \u2068{text}\u2069"

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.ItemIsDropEnabled
        return _WORD if index.internalId() else _LINE

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [_KIND]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        keys = [key for key in map(self.key, indexes) if key is not None]
        carried = QMimeData()
        content = json.dumps([[key.line, key.word] for key in keys]).encode()
        carried.setData(_KIND, QByteArray(content))
        return carried

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: _Index
    ) -> bool:
        if not data.hasFormat(_KIND):
            return False
        found = json.loads(bytes(data.data(_KIND).data()))
        keys = [ShapeKey(line, word) for line, word in found]
        line = parent.row() if parent.isValid() and not parent.internalId() else -1
        if keys:
            self.dropped.emit(keys, line, row)
        return False  # the view must not take the rows out: the edit has moved them
