"""How far teams agree on what both have finished: each pair, and the raw table under it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.coordinator.rowtable import RowTable
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.pathfields import input_folder, make_button, remember_input
from madcat_studio.gui.translation import tr, tr_count, tr_number
from madcat_studio.gui.views import Shell
from madcat_studio.operations.campaign.follow import AgreementSoFar, read_agreement, write_agreement

__all__ = ["AgreementTab"]


class AgreementTab(QWidget):
    """Counts when it is seen for the first time, and when it is told to."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._location = ""
        self._found: AgreementSoFar | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 10)
        layout.setSpacing(8)
        row = QHBoxLayout()
        self.said = QLabel()
        self.said.setObjectName("quiet")
        self.said.setWordWrap(True)
        row.addWidget(self.said, 1)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter the raw table"))
        self.filter.setAccessibleName(tr("Filter the raw table"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(220)
        row.addWidget(self.filter)
        self._save = make_button(tr("Save as CSV…"), self._choose_folder)
        self._save.setToolTip(tr("Both tables, each as a file"))
        row.addWidget(self._save)
        layout.addLayout(row)
        self.job = JobBar()
        layout.addWidget(self.job)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        self.summary = RowTable(tr("Agreement of pairs of teams"))
        self.raw = RowTable(tr("Agreement, segment by segment"))
        self.filter.textChanged.connect(self.raw.proxy.filter_by)
        self.raw.activated.connect(lambda _: self._open_segment())
        self.raw.clicked.connect(self._on_click)
        split.addWidget(self.summary)
        split.addWidget(self.raw)
        split.setSizes([260, 440])
        layout.addWidget(split, 1)
        self._refresh()

    def read(self, location: str, *, anew: bool = True) -> None:
        """Count it; ``anew``: also where it was counted before."""
        if self.job.busy or (not anew and self._found is not None and location == self._location):
            return
        if location != self._location:
            self._found = None
        self._location = location
        self.job.start(
            tr("Scoring what both teams of a kit have finished"),
            lambda ticket: read_agreement(location, progress=ticket),
            self._show,
            self._shell.show_error,
        )

    def outdated(self) -> None:
        """Texts came since it was counted."""
        if self._found is not None and not self.job.busy:
            self._refresh(tr(" The campaign has changed since: look again."))

    def close_worker(self) -> None:
        """Wait until no thread works for it."""
        self.job.close_worker()

    def _show(self, found: AgreementSoFar) -> None:
        self._found = found
        self.summary.show_rows(found.summary.columns, list(found.summary.rows))
        self.raw.show_rows(found.raw.columns, list(found.raw.rows))
        self._refresh()

    def _refresh(self, more: str = "") -> None:
        self._save.setEnabled(self._found is not None)
        if self._found is None:
            self.said.setText("")
            return
        self.said.setText(
            tr_count(
                "{compared} of {count} segment has the finals of two teams. Each team is "
                "counted against its own words.",
                "{compared} of {count} segments have final texts by two teams. Each team is "
                "counted against its own words.",
                self._found.segments,
                compared=tr_number(self._found.compared),
            )
            + more
        )

    def _on_click(self, index: QModelIndex) -> None:
        if self.raw.rows.is_link(self.raw.proxy.mapToSource(index)):
            self._open_segment()

    def _open_segment(self) -> None:
        """Both teams' texts of the chosen segment, as the report shows them."""
        from madcat_studio.gui.coordinator.segment import SegmentDialog

        row = self.raw.current_row()
        if row is None:
            return
        keys = ("system", "kit", "document", "segment")
        segment = {key: str(self.raw.rows.value(row, key)) for key in keys}
        dialog = SegmentDialog(self._shell, self._location, segment, self)
        dialog.exec()
        dialog.deleteLater()

    def _choose_folder(self) -> None:
        found = self._found
        folder = QFileDialog.getExistingDirectory(self, tr("Save the agreement"), input_folder())
        if folder and found is not None:
            remember_input(folder)
            self.job.start(
                tr("Saving"),
                lambda _: write_agreement(found, Path(folder)),
                lambda files: self._shell.messages.info(
                    tr(
                        "{files} are in {folder}.",
                        files=tr(" and ").join(file.name for file in files),
                        folder=folder,
                    )
                ),
                self._shell.show_error,
            )
