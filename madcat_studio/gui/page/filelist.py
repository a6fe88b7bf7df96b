"""The documents of a folder, beside the page."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from madcat_studio.gui.translation import tr

__all__ = ["SUFFIX", "FileList", "base_name", "breakable"]

SUFFIX = ".madcat.xml"
_BADGE = Qt.ItemDataRole.UserRole + 1
IMAGE_SUFFIXES = frozenset(
    (".tif", ".tiff", ".png", ".jpg", ".jpeg", ".bmp", ".webp", ".jp2", ".pdf")
)
"""Of scans that may have no document yet, and of PDFs of scans."""


def base_name(path: Path) -> str:
    """A document's name without its suffix; one in another format keeps the format's name."""
    return path.name.removesuffix(SUFFIX).removesuffix(".xml")


def breakable(name: str) -> str:
    """A long name that may be broken where its parts end, so that all of it can be read."""
    return name.replace("_", "_\u200b").replace(".", ".\u200b")


class _Breakable(QStyledItemDelegate):
    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        option.text = breakable(option.text)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        badge = index.data(_BADGE)
        if isinstance(badge, QPixmap):
            size = badge.deviceIndependentSize()
            rect = option.rect
            painter.drawPixmap(QPointF(rect.right() - size.width() - 5, rect.top() + 6), badge)


class FileList(QListWidget):
    """Lists documents; ``wanted`` carries the path that the user chose."""

    wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("files")
        self.setAccessibleName(tr("Documents of the folder"))
        self.setMinimumWidth(150)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setWordWrap(True)
        self.setItemDelegate(_Breakable(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.files: list[Path] = []
        self._folded = False
        self.currentRowChanged.connect(self._on_row)
        self.hide()

    def show_files(self, files: list[Path]) -> None:
        """List these; a single one needs no list."""
        if files == self.files:
            return
        self.files = files
        self.fold(self._folded)
        with QSignalBlocker(self):
            self.clear()
            for path in files:
                item = QListWidgetItem(base_name(path))
                item.setToolTip(str(path))
                self.addItem(item)

    def fold(self, folded: bool) -> None:
        """Fold the list away, or show it where there is something to choose."""
        self._folded = folded
        self.setVisible(len(self.files) > 1 and not folded)

    def mark(self, shown: Path | None, unsaved: Collection[Path]) -> None:
        """Mark the document that is shown and those with unsaved edits."""
        with QSignalBlocker(self):
            for number, path in enumerate(self.files):
                dot = "• " if path in unsaved else ""
                self.item(number).setText(f"{dot}{base_name(path)}")
                if path == shown:
                    self.setCurrentRow(number)

    def badge(self, path: Path, picture: QPixmap, told: str) -> None:
        """Mark a document in its corner with a small picture, and say in the tool tip why."""
        item = self.item(self.files.index(path))
        item.setData(_BADGE, picture)
        item.setToolTip(f"{path}\n{told}")
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, told)

    def neighbour(self, path: Path, step: int) -> Path | None:
        """The document before or after one, None at the ends."""
        if path not in self.files:
            return None
        place = self.files.index(path) + step
        return self.files[place] if 0 <= place < len(self.files) else None

    def _on_row(self, row: int) -> None:
        if 0 <= row < len(self.files):
            self.wanted.emit(self.files[row])
