"""References that changed since the campaign was made: what follows is said before it is done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QTextBrowser, QVBoxLayout, QWidget

from madcat_studio.errors import StudioError
from madcat_studio.gui.coordinator.rowtable import RowTable
from madcat_studio.gui.errorwords import tr_error
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.pathfields import PathRow, add_row, dropped_paths, make_button, make_form
from madcat_studio.gui.translation import mark, tr, tr_clauses, tr_number
from madcat_studio.gui.views import Shell
from madcat_studio.operations.campaign.references import (
    ChangedReference,
    changed_references,
    replace_references,
)
from madcat_studio.operations.checked import Outcome
from madcat_studio.operations.user import who
from madcat_studio.reports.tables import Column

__all__ = ["ReferencesDialog"]

_COLUMNS = (
    Column("base", mark("Document")),
    Column("state", mark("May be replaced")),
    Column("differences", mark("What is different")),
)


class ReferencesDialog(QDialog):
    """Compares a folder with the campaign, tells what follows, takes in what may be."""

    def __init__(self, shell: Shell, location: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._location = location
        self._found: Sequence[ChangedReference] = ()
        self.setWindowTitle(tr("Changed references"))
        self.setAcceptDrops(True)
        self.resize(900, 620)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(10)
        form = make_form()
        self.folder = PathRow(
            tr("References"), file=False, folder=True, hint=tr("as they are now: *.madcat.xml")
        )
        self.folder.changed.connect(self._refresh)
        self.folder.chosen.connect(self.compare)
        add_row(form, tr("&References"), self.folder, self.folder.field)
        layout.addLayout(form)
        self.said = QLabel(tr("The files are compared with those in the campaign, byte for byte."))
        self.said.setWordWrap(True)
        self.said.setObjectName("quiet")
        layout.addWidget(self.said)
        self.job = JobBar()
        self.job.busy_changed.connect(lambda _: self._refresh())
        layout.addWidget(self.job)
        self.table = RowTable(tr("Changed references"))
        self.table.selectionModel().currentChanged.connect(lambda *_: self._on_choice())
        layout.addWidget(self.table, 1)
        self.detail = QTextBrowser()
        self.detail.setAccessibleName(tr("What follows"))
        self.detail.setFixedHeight(190)
        layout.addWidget(self.detail)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(make_button(tr("Close"), self.reject))
        self.take = make_button(tr("&Replace those allowed"), self._take)
        self.take.setToolTip(tr("All references in the list that may be replaced"))
        self.start = make_button(tr("&Compare"), self.compare)
        self.start.setObjectName("primary")
        self.start.setDefault(True)
        row.addWidget(self.take)
        row.addWidget(self.start)
        layout.addLayout(row)
        self._refresh()

    def compare(self) -> None:
        """Look which files are others than those of the campaign."""
        location, folder = self._location, self.folder.path()
        if folder is None or self.job.busy:
            return
        self.job.start(
            tr("Comparing"),
            lambda ticket: changed_references(location, folder, progress=ticket),
            self._show,
            self._failed,
        )

    def _show(self, found: Sequence[ChangedReference]) -> None:
        self._found = found
        self.table.show_rows(
            _COLUMNS,
            [
                (one.base, tr("yes") if one.allowed else tr("no"), tr_clauses(one.differences))
                for one in found
            ],
        )
        allowed = sum(one.allowed for one in found)
        self.said.setText(
            tr(
                (
                    "{count} changed; {allowed} of them may be replaced. Nothing has been replaced "
                    "yet."
                ),
                count=tr_number(len(found)),
                allowed=tr_number(allowed),
            )
            if found
            else tr("All references are the same as in the campaign.")
        )
        if found:
            self.table.choose(0)
            self.table.setFocus()
        self._on_choice()
        self._refresh()

    def _on_choice(self) -> None:
        row = self.table.current_row()
        if row is None or row >= len(self._found):
            self.detail.clear()
            return
        one = self._found[row]
        lines = [f"**{one.base}**", ""]
        lines += [f"* {text}" for text in one.differences]
        if one.refusal:
            lines += ["", tr("It cannot be replaced: {why}.", why=one.refusal)]
        elif one.consequences:
            lines += ["", tr("If it is replaced:"), ""]
            lines += [f"* {text}" for text in one.consequences]
        self.detail.setMarkdown("\n".join(lines))

    def _take(self) -> None:
        location = self._location
        allowed = [one for one in self._found if one.allowed]
        if allowed:
            self.job.start(
                tr("Replacing"),
                lambda _: replace_references(location, allowed, by=who()),
                self._taken,
                self._failed,
            )

    def _taken(self, outcome: Outcome) -> None:
        self._shell.messages.info(tr_clauses(outcome.done) + ".")
        self.accept()

    def _failed(self, error: BaseException) -> None:
        if isinstance(error, StudioError):
            self.said.setText(f"{error.where}: {tr_error(error).sentences}".lstrip(": "))
        else:
            self._shell.show_error(error)

    def _refresh(self) -> None:
        busy = self.job.busy
        self.start.setEnabled(self.folder.path() is not None and not busy)
        self.take.setEnabled(not busy and any(one.allowed for one in self._found))

    def done(self, result: int) -> None:
        self.job.close_worker()
        super().done(result)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.folder.field.setText(dropped_paths(event)[0])
        self.compare()
