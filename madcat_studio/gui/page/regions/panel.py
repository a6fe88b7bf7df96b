"""The list of regions beside the page, and what the chosen one is."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.formats.page_xml_writer import VERSIONS, kinds_of, types_of
from madcat_studio.gui.translation import tr, tr_count
from madcat_studio.model.document import Page, Region

__all__ = ["RegionPanel", "region_name"]

_NEWEST = max(VERSIONS)


def region_name(region: Region) -> str:
    """What a region is, in a word or two."""
    return region.type or region.kind.removesuffix("Region") or region.id


class RegionPanel(QWidget):
    """Signals: ``chosen`` (a number, -1 for none), ``named`` (kind, type), ``removal_wanted``."""

    chosen = Signal(int)
    named = Signal(str, str)
    removal_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._quiet = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        hint = QLabel(tr("In reading order; U chooses the tool that draws and moves them"))
        hint.setObjectName("heading")
        hint.setWordWrap(True)
        column.addWidget(hint)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Regions"))
        self.list.currentRowChanged.connect(self._on_row)
        column.addWidget(self.list, 1)
        form = QFormLayout()
        form.setContentsMargins(12, 8, 12, 8)
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(6)
        self.kind, self.type = QComboBox(), QComboBox()
        self.kind.addItems(sorted(kinds_of(_NEWEST)))
        self.kind.setAccessibleName(tr("Kind"))
        self.type.setEditable(True)
        self.type.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.type.setAccessibleName(tr("Type"))
        form.addRow(tr("Kind"), self.kind)
        form.addRow(tr("Type"), self.type)
        self.remove = QPushButton(tr("Remove the region"))
        self.remove.clicked.connect(self.removal_wanted)
        form.addRow("", self.remove)
        column.addLayout(form)
        self.kind.activated.connect(lambda _: self._on_named())
        self.type.activated.connect(lambda _: self._on_named())
        line = self.type.lineEdit()
        assert line is not None
        line.editingFinished.connect(self._on_named)

    def show_page(self, page: Page | None, number: int) -> None:
        """Show the regions of a page, one of them chosen (-1: none)."""
        self._quiet = True
        regions = page.regions if page is not None else []
        counts = Counter(line.region for line in page.lines) if page is not None else Counter()
        names = [
            tr(
                "{name} {id}: {lines}",
                name=region_name(region),
                id=region.id,
                lines=tr_count("{count} line", "{count} lines", counts[region.id]),
            )
            for region in regions
        ]
        if names != [self.list.item(n).text() for n in range(self.list.count())]:
            self.list.clear()
            self.list.addItems(names)
        self.list.setCurrentRow(number)
        region = regions[number] if 0 <= number < len(regions) else None
        for field in (self.kind, self.type, self.remove):
            field.setEnabled(region is not None)
        if region is not None:
            if self.kind.findText(region.kind) < 0:
                self.kind.addItem(region.kind)
            self.kind.setCurrentText(region.kind)
            self.type.clear()
            self.type.addItems(["", *sorted(types_of(_NEWEST, region.kind))])
        self.type.setCurrentText(region.type or "" if region is not None else "")
        self._quiet = False

    def _on_row(self, row: int) -> None:
        if not self._quiet:
            self.chosen.emit(row)

    def _on_named(self) -> None:
        if not self._quiet:
            self.named.emit(self.kind.currentText(), self.type.currentText().strip())
