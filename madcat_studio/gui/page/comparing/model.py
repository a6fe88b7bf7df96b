"""The differences of two segmentations as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont

from madcat_studio.gui.rows import Index, RowModel
from madcat_studio.gui.translation import mark, tr, tr_figure
from madcat_studio.pages.adjudication import Difference, DifferenceKind, Level

__all__ = ["DifferenceModel", "describe"]

_TOLD = {
    (Level.WORD, DifferenceKind.SHAPE): mark("Word: another outline"),
    (Level.WORD, DifferenceKind.MISSED): mark("Word: only mine"),
    (Level.WORD, DifferenceKind.EXTRA): mark("Word: only theirs"),
    (Level.WORD, DifferenceKind.SPLIT): mark("Word: they cut it"),
    (Level.WORD, DifferenceKind.MERGED): mark("Words: they joined them"),
    (Level.LINE, DifferenceKind.SHAPE): mark("Line: another outline"),
    (Level.LINE, DifferenceKind.MISSED): mark("Line: only mine"),
    (Level.LINE, DifferenceKind.EXTRA): mark("Line: only theirs"),
    (Level.LINE, DifferenceKind.SPLIT): mark("Line: they cut it"),
    (Level.LINE, DifferenceKind.MERGED): mark("Lines: they joined them"),
}


def describe(difference: Difference) -> str:
    """What the window calls a difference."""
    return tr(_TOLD[difference.level, difference.kind])


class DifferenceModel(RowModel):
    """One difference a row."""

    COLUMNS = (mark("What differs"), mark("Words"), mark("IoU"))

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[tuple[Difference, str]] = ()
        self._arabic = QFont()

    def apply_theme(self, arabic: QFont) -> None:
        """Take on the font for Arabic."""
        self._arabic = arabic

    def set_rows(self, rows: Sequence[tuple[Difference, str]]) -> None:
        """Show differences, each with the text of its words."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def difference(self, row: int) -> Difference:
        """The difference of a row."""
        return self._rows[row][0]

    def count(self) -> int:
        return len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        difference, words = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            iou = "" if difference.iou is None else tr_figure(f"{difference.iou:.2f}")
            return (describe(difference), words, iou)[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == 1:
            flags = Qt.AlignmentFlag
            return flags.AlignRight | flags.AlignVCenter | flags.AlignAbsolute
        if role == Qt.ItemDataRole.FontRole and index.column() == 1:
            return self._arabic
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{describe(difference)}  {words}"
        return None
