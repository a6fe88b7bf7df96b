"""Adding to a campaign that is there: one more system, or an earlier phase."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path

from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.coordinator.findings import Findings, as_problems
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.pathfields import PathRow, add_row, dropped_paths, make_button, make_form
from madcat_studio.gui.translation import tr, tr_clauses
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Ticket
from madcat_studio.operations.campaign.earlier import add_earlier
from madcat_studio.operations.campaign.filling import add_system
from madcat_studio.operations.checked import Outcome
from madcat_studio.operations.corpus.from_folders import sort_out

__all__ = ["AddEarlierDialog", "AddSystemDialog"]


class _AddDialog(QDialog):
    """Asks for files, takes them in as a whole or not at all, and tells what was found."""

    def __init__(self, shell: Shell, location: str, title: str, note: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._shell = shell
        self.location = location
        self._added = False
        self.setWindowTitle(title)
        self.setAcceptDrops(True)
        self.resize(760, 440)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(12)
        text = QLabel(note)
        text.setObjectName("quiet")
        text.setWordWrap(True)
        layout.addWidget(text)
        form = make_form()
        self.fill(form)
        layout.addLayout(form)
        self.findings = Findings()
        self.findings.hide()
        layout.addWidget(self.findings, 1)
        layout.addStretch(0)
        self.job = JobBar()
        self.job.busy_changed.connect(lambda _: self.refresh())
        layout.addWidget(self.job)
        row = QHBoxLayout()
        row.addStretch(1)
        self.leave = make_button(tr("Cancel"), self._leave)
        self.start = make_button(tr("&Add"), self._start)
        self.start.setObjectName("primary")
        self.start.setDefault(True)
        row.addWidget(self.leave)
        row.addWidget(self.start)
        layout.addLayout(row)
        self.refresh()

    @abstractmethod
    def fill(self, form: QFormLayout) -> None:
        """Make the fields."""

    @abstractmethod
    def take(self, paths: list[Path]) -> None:
        """Take what was dropped."""

    @abstractmethod
    def ready(self) -> bool:
        """Whether everything was said."""

    @abstractmethod
    def add(self, ticket: Ticket) -> Outcome:
        """Do it, in a thread; the fields are not touched."""

    def freeze(self) -> None:
        """Note what the fields say, before the thread begins."""

    def refresh(self) -> None:
        """Whether it can begin."""
        if hasattr(self, "start"):
            self.start.setEnabled(self.ready() and not self.job.busy)

    def _start(self) -> None:
        if not self.start.isEnabled():
            return
        self.freeze()
        self.findings.hide()
        self.job.start(self.windowTitle(), self.add, self._done, self._failed)

    def _done(self, outcome: Outcome) -> None:
        self._added = True
        if not outcome.problems:
            self._shell.messages.info(tr_clauses(outcome.done) + ".")
            self.accept()
            return
        # There is something to look at: the dialog stays until it was seen.
        self.findings.show_problems(outcome.problems, tr_clauses(outcome.done) + ".")
        self.findings.show()
        self.resize(self.width(), max(self.height(), 560))
        self.start.hide()
        self.leave.setText(tr("Close"))
        self.leave.setDefault(True)
        self.leave.setFocus()

    def _failed(self, error: BaseException) -> None:
        problems = as_problems(error)
        if problems is None:
            self._shell.show_error(error)
            return
        self.findings.show_problems(problems)
        self.findings.show()

    def _leave(self) -> None:
        if self._added:
            self.accept()
        else:
            self.reject()

    def done(self, result: int) -> None:
        self.job.close_worker()
        super().done(QDialog.DialogCode.Accepted.value if self._added else result)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.take([Path(path) for path in dropped_paths(event)])


class AddSystemDialog(_AddDialog):
    """One more system."""

    def __init__(self, shell: Shell, location: str, parent: QWidget) -> None:
        super().__init__(
            shell,
            location,
            tr("Add a system"),
            tr(
                "Its code is its short name in tables; editors see neither. Segments that it "
                "left out count as empty output; each is listed."
            ),
            parent,
        )

    def fill(self, form: QFormLayout) -> None:
        self.folder = PathRow(
            tr("Outputs"), file=False, folder=True, hint=tr("*.linesys.madcat.xml files")
        )
        self.name = QLineEdit()
        self.code = QLineEdit()
        self.code.setPlaceholderText(tr("the next free one, such as X3"))
        self.earlier = QCheckBox(tr("It is an &earlier phase's output, for the control set"))
        add_row(form, tr("&Outputs"), self.folder, self.folder.field)
        add_row(form, tr("&Name"), self.name)
        add_row(form, tr("&Code"), self.code)
        form.addRow("", self.earlier)
        self.folder.changed.connect(self._on_folder)
        self.name.textChanged.connect(lambda _: self.refresh())

    def take(self, paths: list[Path]) -> None:
        for name, folder in sort_out(paths).outputs[:1]:
            self.folder.show_path(folder)
            self.name.setText(name)

    def ready(self) -> bool:
        return self.folder.path() is not None and bool(self.name.text().strip())

    def freeze(self) -> None:
        self._wish = (
            self.name.text().strip(),
            self.folder.path() or Path(),
            self.code.text().strip(),
            self.earlier.isChecked(),
        )

    def add(self, ticket: Ticket) -> Outcome:
        name, folder, code, earlier = self._wish
        return add_system(
            self.location, name=name, outputs=folder, code=code, earlier=earlier, progress=ticket
        )

    def _on_folder(self) -> None:
        path = self.folder.path()
        if path is not None and not self.name.isModified():
            self.name.setText(next((name for name, _ in sort_out([path]).outputs), path.name))
        self.refresh()


class AddEarlierDialog(_AddDialog):
    """An earlier phase."""

    def __init__(self, shell: Shell, location: str, parent: QWidget) -> None:
        super().__init__(
            shell,
            location,
            tr("Add an earlier phase"),
            tr(
                "Its folder holds corpus.tsv, the references, each old system's outputs, "
                "finals.tsv and hter.tsv. Control and progress sets are then selected from it."
            ),
            parent,
        )

    def fill(self, form: QFormLayout) -> None:
        self.folder = PathRow(tr("Earlier phase"), file=False, folder=True)
        self.images = PathRow(
            tr("Images"), file=False, folder=True, hint=tr("the scans, if they are kept")
        )
        add_row(form, tr("&Folder"), self.folder, self.folder.field)
        add_row(form, tr("&Images"), self.images, self.images.field)
        self.folder.changed.connect(self.refresh)

    def take(self, paths: list[Path]) -> None:
        found = sort_out(paths)
        if found.earlier is not None:
            self.folder.show_path(found.earlier)

    def ready(self) -> bool:
        return self.folder.path() is not None

    def freeze(self) -> None:
        self._wish = (self.folder.path() or Path(), self.images.path())

    def add(self, ticket: Ticket) -> Outcome:
        folder, images = self._wish
        return add_earlier(self.location, folder, images=images, progress=ticket)
