"""The problems beside the page: the list, what can be done about the one that is marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.page.problems import ProblemModel, can_mend
from madcat_studio.gui.translation import tr, tr_count, tr_number, tr_report
from madcat_studio.operations.pages.mending import LABELS

if TYPE_CHECKING:
    from madcat_studio.checks import Finding
    from madcat_studio.checks.progress import Marked

__all__ = ["ProblemPanel"]

_ROW, _HIGH_ROW = 46, 80
"""Pixels of two lines, and of four."""
_LEAST_PLACE, _MOST_PLACE = 64, 130
"""Pixels for where it is."""


class ProblemPanel(QWidget):
    """Tells what the user chooses and acts on nothing.

    Signals:
        chosen: Problem; its user wants to see it.
        marked: another problem is marked, or none.
        mend: the marked one is to be mended.
        mend_all: and with it all of its kind.
    """

    chosen = Signal(object)
    marked = Signal()
    mend = Signal()
    mend_all = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quiet = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.progress = QLabel()
        self.progress.setObjectName("heading")
        self.progress.hide()
        column.addWidget(self.progress)
        self.model = ProblemModel(self)
        self.table = self._build_table()
        column.addWidget(self.table, 1)
        foot = self._foot = QFrame()
        foot.setObjectName("foot")
        row = QVBoxLayout(foot)
        row.setContentsMargins(12, 8, 12, 8)
        self.remedy = QLabel()
        self.remedy.setWordWrap(True)
        self.remedy.setTextFormat(Qt.TextFormat.PlainText)
        row.addWidget(self.remedy)
        self.button = QPushButton(tr("Mend"))
        self.button.setToolTip(tr("Mend it, as one step to undo"))
        self.button.clicked.connect(self.mend)
        self.all_button = QPushButton()
        self.all_button.setToolTip(tr("Mend all of this kind, as one step"))
        self.all_button.clicked.connect(self.mend_all)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.button)
        buttons.addWidget(self.all_button)
        row.addLayout(buttons)
        column.addWidget(foot)
        self._show_remedy()

    def _build_table(self) -> QTableView:
        table = QTableView()
        table.setAccessibleName(tr("Problems"))
        table.setModel(self.model)
        table.setShowGrid(False)
        table.setWordWrap(True)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        rows = table.verticalHeader()
        rows.hide()
        # All rows of as many lines: thousands of them need not be measured.
        rows.setDefaultSectionSize(_ROW)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(_LEAST_PLACE)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(1, _MOST_PLACE)
        table.selectionModel().currentRowChanged.connect(self._on_row)
        table.clicked.connect(self._on_row)
        return table

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # In a narrow panel what is wrong needs the room more, and lines.
        place = min(max(self.width() // 3, _LEAST_PLACE), _MOST_PLACE)
        self.table.horizontalHeader().resizeSection(1, place)
        high = _HIGH_ROW if place < _MOST_PLACE * 3 // 4 else _ROW
        self.table.verticalHeader().setDefaultSectionSize(high)

    def show_progress(self, marked: Marked | None) -> None:
        """Tell how far the marking is: that is no problem. None: nothing is left to mark."""
        self.progress.setVisible(marked is not None)
        if marked is not None:
            self.progress.setText(
                tr_count(
                    "{done} of {count} word marked",
                    "{done} of {count} words marked",
                    marked.of,
                    done=tr_number(marked.done),
                )
            )

    def show_findings(self, findings: Sequence[Finding], texts: Sequence[str] = ()) -> None:
        """Show problems; the marked one stays marked as long as it is there."""
        before = self.current()
        self._quiet = True
        self.model.set_findings(findings, texts)
        row = -1
        if before is not None:
            row = next(
                (
                    number
                    for number, finding in enumerate(findings)
                    if (finding.problem.code, finding.problem.where)
                    == (before.problem.code, before.problem.where)
                ),
                -1,
            )
        self.table.setCurrentIndex(self.model.index(row, 0) if row >= 0 else QModelIndex())
        self._quiet = False
        self._show_remedy()

    def take_out(self, finding: Finding) -> None:
        """Take a problem off the list, because it is mended; nothing is gone to."""
        findings = self.model.findings()
        if finding not in findings:
            return
        self._quiet = True
        self.model.take_out(findings.index(finding))
        self._quiet = False
        self._show_remedy()

    def current(self) -> Finding | None:
        """The problem that is marked."""
        row = self.table.currentIndex().row()
        return self.model.finding(row) if 0 <= row < self.model.rowCount() else None

    @property
    def can_mend(self) -> bool:
        """Whether something can be done about the marked problem."""
        finding = self.current()
        return finding is not None and can_mend(finding)

    def of_kind(self) -> list[Finding]:
        """The marked problem and all others of its kind about which something can be done."""
        finding = self.current()
        code = "" if finding is None else finding.problem.code
        return [f for f in self.model.findings() if f.problem.code == code and can_mend(f)]

    def step(self, way: int) -> None:
        """Go to the problem after (1) or before (-1) the marked one, around the ends."""
        count = self.model.rowCount()
        if not count:
            return
        row = self.table.currentIndex().row()
        if row < 0:
            row = -1 if way > 0 else 0
        index = self.model.index((row + way) % count, 0)
        if index == self.table.currentIndex():
            self._on_row(index)  # the only one: it is gone to again
        self.table.setCurrentIndex(index)

    def _on_row(self, index: QModelIndex) -> None:
        if self._quiet:
            return
        self._show_remedy()
        if index.isValid():
            self.chosen.emit(self.model.finding(index.row()).problem)

    def _show_remedy(self) -> None:
        finding = self.current()
        mends = finding is not None and can_mend(finding)
        self._foot.setVisible(finding is not None and (bool(finding.problem.remedy) or mends))
        if finding is not None:
            offered = "" if finding.mend else LABELS.get(finding.problem.code, "")
            self.remedy.setText(tr_report(finding.problem.remedy))
            self.button.setText(tr_report(offered) if offered else tr("Mend"))
            self.button.setVisible(mends)
            alike = len(self.of_kind())
            self.all_button.setText(tr_count("All {count}", "All {count}", alike))
            self.all_button.setVisible(mends and alike > 1)
        self.marked.emit()
