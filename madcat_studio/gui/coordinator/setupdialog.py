"""Setting up a campaign in clear steps: everything is examined before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import ConflictError
from madcat_studio.gui.coordinator.findings import Findings, as_problems, errors_of
from madcat_studio.gui.coordinator.setupediting import EditingStep
from madcat_studio.gui.coordinator.setupsteps import FilesStep, ListsStep, SummaryStep
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.pathfields import dropped_paths, make_button
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import (
    mark,
    tr,
    tr_clauses,
    tr_count,
    tr_number,
    tr_report,
)
from madcat_studio.operations.campaign.setup import (
    Examined,
    SetUp,
    SystemFound,
    examine_setup,
    write_setup,
)
from madcat_studio.operations.corpus.from_folders import Inputs, sort_out
from madcat_studio.operations.scores.options import COACH_OPTION
from madcat_studio.store import campaign_there

if TYPE_CHECKING:
    from madcat_studio.gui.views import Shell
    from madcat_studio.gui.workers import Ticket
    from madcat_studio.operations.checked import Outcome

__all__ = ["SetupDialog", "set_up"]

_STEPS = (mark("Files"), mark("Lists"), mark("Editing"), mark("Findings"), mark("Summary"))
_FILES, _LISTS, _EDITING, _FINDINGS, _SUMMARY = range(5)


def set_up(shell: Shell, parent: QWidget, places: Sequence[Path] = ()) -> None:
    """Ask for a new campaign, make it, and open it for planning.

    Args:
        places: folders whose files fill the fields, as if they were dropped.
    """
    dialog = SetupDialog(shell, parent)
    if places:
        dialog.take(list(places))
    made = dialog.exec() == QDialog.DialogCode.Accepted
    location, outcome = dialog.location, dialog.outcome
    dialog.deleteLater()
    if made:
        shell.open(location, view="plan")
        if outcome is not None:
            shell.messages.info(
                tr("The campaign was made: {done}.", done=tr_clauses(outcome.done)),
                detail="\n".join(f"{one.where}: {tr_report(one.what)}" for one in outcome.problems),
            )


class SetupDialog(QDialog):
    """The steps, and the way from one to the next."""

    manual = "campaigns"

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self.setWindowTitle(tr("Set up a campaign"))
        self.setAcceptDrops(True)
        self.resize(940, 660)
        self.location = ""
        self.outcome: Outcome | None = None
        self._examined: Examined | None = None
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._build_rail())
        column = QVBoxLayout()
        column.setContentsMargins(26, 20, 26, 18)
        column.setSpacing(12)
        self._title = QLabel()
        self._title.setObjectName("kitname")
        column.addWidget(self._title)
        self.stack = QStackedWidget()
        self.files = FilesStep()
        self.lists = ListsStep()
        self.editing = EditingStep()
        self.findings = Findings()
        self.summary = SummaryStep()
        for step in (self.files, self.lists, self.editing, self.findings, self.summary):
            self.stack.addWidget(step)
        column.addWidget(self.stack, 1)
        self._said = QLabel()
        self._said.setObjectName("quiet")
        self._said.setWordWrap(True)
        self.job = JobBar()
        self.job.busy_changed.connect(lambda _: self._refresh())
        # What comes and goes has a place of its own: nothing moves under the mouse.
        foot = QWidget()
        lines = 2 * self._said.fontMetrics().lineSpacing()
        foot.setFixedHeight(max(self.job.sizeHint().height(), lines))
        beside = QHBoxLayout(foot)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(self._said, 1)
        beside.addWidget(self.job, 1)
        column.addWidget(foot)
        column.addLayout(self._build_buttons())
        outer.addLayout(column, 1)
        self.files.changed.connect(self._refresh)
        self.summary.lock.changed.connect(self._refresh)
        self._show(_FILES)

    def _build_rail(self) -> QWidget:
        rail = QWidget()
        rail.setObjectName("side")
        rail.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        rail.setFixedWidth(170)
        layout = QVBoxLayout(rail)
        layout.setContentsMargins(22, 26, 16, 18)
        layout.setSpacing(14)
        self._marks = [QLabel() for _ in _STEPS]
        for label in self._marks:
            label.setTextFormat(Qt.TextFormat.RichText)
            layout.addWidget(label)
        layout.addStretch(1)
        return rail

    def _build_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.again = make_button(tr("E&xamine again"), self._examine)
        self.again.setToolTip(tr("After you have mended or added files"))
        row.addWidget(self.again)
        row.addStretch(1)
        self.cancel = make_button(tr("Cancel"), self.reject)
        self.back = make_button(tr("&Back"), self._back)
        self.next = make_button(tr("&Next"), self._next)
        self.next.setDefault(True)
        self.next.setObjectName("primary")
        for button in (self.cancel, self.back, self.next):
            row.addWidget(button)
        return row

    # -- the way ------------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """The number of the step that is seen."""
        return self.stack.currentIndex()

    def _show(self, step: int) -> None:
        self.stack.setCurrentIndex(step)
        self._title.setText(tr(_STEPS[step]))
        for number, label in enumerate(self._marks):
            text = f"{tr_number(number + 1)} &nbsp; {tr(_STEPS[number])}"
            label.setText(f"<b>{text}</b>" if number == step else text)
            label.setEnabled(number <= step)
        first: dict[int, QWidget] = {
            _FILES: self.files.references.field,
            _LISTS: self.lists.rows["corpus"].field,
            _EDITING: self.editing.switches[COACH_OPTION],
            _FINDINGS: self.findings.table,
        }
        first.get(step, self.next).setFocus()
        self._refresh()

    def _back(self) -> None:
        self.job.cancel()
        self._show(self.step - 1)

    def _next(self) -> None:
        if self.job.busy or not self.next.isEnabled():
            return
        if self.step in (_FILES, _LISTS):
            self._show(self.step + 1)
        elif self.step == _EDITING:
            self._show(_FINDINGS)
            self._examine()
        elif self.step == _FINDINGS:
            self._summarise()
            self._show(_SUMMARY)
        else:
            self._write()

    def _refresh(self) -> None:
        busy = self.job.busy
        self.back.setEnabled(self.step > _FILES and not (busy and self.step == _SUMMARY))
        self.again.setVisible(self.step == _FINDINGS)
        self.again.setEnabled(not busy)
        self.next.setText(tr("&Create") if self.step == _SUMMARY else tr("&Next"))
        said = ""
        ready = not busy
        if self.step == _FILES:
            said = self.files.missing()
            ready = ready and not said
        elif self.step == _FINDINGS:
            ready = ready and self._good()
        elif self.step == _SUMMARY:
            ready = ready and not self.summary.lock.problem()
        self.next.setEnabled(ready)
        self._said.setText(said)
        self._said.setVisible(bool(said))

    def _good(self) -> bool:
        return self._examined is not None and not errors_of(self._examined.problems)

    # -- examining and writing ----------------------------------------------------------------

    def set_up(self) -> SetUp:
        """What was said so far."""
        references = self.files.references.path()
        lists = self.lists.paths()
        return SetUp(
            name=self.files.name.text().strip(),
            references=references if references is not None else Path(),
            images=self.files.images.path(),
            outputs=self.files.systems.systems(),
            earlier=self.lists.earlier.path(),
            corpus=lists["corpus"],
            teams=lists["teams"],
            training_scribes=lists["training_scribes"],
            sequestered=lists["sequestered"],
            standoff=lists["standoff"],
            conditions=lists["conditions"],
            guidelines=lists["guidelines"],
            options=self.editing.options(),
        )

    def _examine(self) -> None:
        set_up, where = self.set_up(), self.files.location()
        self._examined = None
        self.findings.show_problems((), tr("The files are being read …"))
        self.job.start(
            tr("Examining"),
            lambda ticket: _examine(set_up, where, ticket),
            self._show_examined,
            self._failed,
        )

    def _show_examined(self, examined: Examined) -> None:
        self._examined = examined
        self.findings.show_problems(examined.problems)
        self._refresh()
        (self.next if self._good() else self.findings.table).setFocus()

    def _failed(self, error: BaseException) -> None:
        problems = as_problems(error)
        if problems is None:
            self._shell.show_error(error)
            self.reject()
            return
        self.findings.show_problems(problems)
        self._show(_FINDINGS)

    def _summarise(self) -> None:
        examined = self._examined
        assert examined is not None
        rows = [(tr("Campaign"), self.files.name.text().strip())]
        rows.append((tr("Goes into"), self.files.where.field.text().strip()))
        rows.append((tr("Pages"), _figures_of_pages(examined)))
        rows.append((tr("Sets"), _counts(examined.sets)))
        rows.append((tr("Genres"), _counts(examined.genres)))
        rows.append((tr("Hands"), _counts(examined.exposures)))
        rows += [_system_row(system) for system in examined.systems]
        if not examined.systems:
            rows.append((tr("Systems"), tr("none yet; they can be added later")))
        rows.append(
            (
                tr("Teams"),
                tr_count(
                    "{teams} with {count} editor",
                    "{teams} with {count} editors",
                    examined.editors,
                    teams=tr_number(examined.teams),
                )
                if examined.teams
                else tr("none yet; they can be added later"),
            )
        )
        given = tr("yes, version 1") if examined.guidelines else tr("none yet")
        rows.append((tr("Guidelines"), given))
        rows.append((tr("Editors see"), self.editing.told()))
        rows.append((tr("Spelling"), self.editing.dictionary.currentText()))
        if examined.problems:
            count = tr_number(len(examined.problems))
            rows.append((tr("Findings"), tr("{count} to look at", count=count)))
        # On a server the logins' roles decide.
        self.summary.lock.setVisible("://" not in self.files.location())
        self.summary.show_rows(tr("Nothing has been written yet. This is what will be made:"), rows)
        self.summary.cost.reckon(examined.setup.earlier, len(examined.setup.outputs))

    def _write(self) -> None:
        examined, where = self._examined, self.files.location()
        words = "" if "://" in where else self.summary.lock.passphrase()
        if examined is not None:
            self.job.start(
                tr("Making the campaign"),
                lambda ticket: write_setup(where, examined, passphrase=words, progress=ticket),
                self._made,
                self._failed,
            )

    def _made(self, outcome: Outcome) -> None:
        self.location, self.outcome = self.files.location(), outcome
        if "://" not in self.location:
            window_state().setValue("setup/where", str(Path(self.location).parent))
        self.accept()

    # -- dropping, closing --------------------------------------------------------------------

    def take(self, paths: list[Path]) -> None:
        """Fill in what files and folders hold, by their names."""
        self.job.start(tr("Looking"), lambda _: sort_out(paths), self._take, self._shell.show_error)

    def _take(self, found: Inputs) -> None:
        self.files.take(found)
        self.lists.take(found)
        self._refresh()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event) and self.step in (_FILES, _LISTS):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.take([Path(path) for path in dropped_paths(event)])

    def done(self, result: int) -> None:
        self.summary.cost.close_worker()
        self.job.close_worker()
        super().done(result)


def _examine(set_up: SetUp, where: str, ticket: Ticket) -> Examined:
    """Look at everything; a place that holds a campaign already is a finding too."""
    if campaign_there(where):
        raise ConflictError(
            "store.not-empty",
            "There is already a campaign here",
            where=where,
            remedy="Choose another place, or open that campaign and add to it from its plan",
        )
    return examine_setup(set_up, progress=ticket)


def _system_row(found: SystemFound) -> tuple[str, str]:
    text = tr_count("{count} document", "{count} documents", found.documents)
    if found.absent:
        text += tr(", {count} without a file", count=tr_number(found.absent))
    if found.missing:
        text += tr_count(
            "; {missing} of {count} segment without output counts as empty",
            "; {missing} of {count} segments without output count as empty",
            found.segments,
            missing=tr_number(found.missing),
        )
    if found.earlier:
        return tr("Earlier system {name}", name=found.name), text
    return tr("System {name}", name=found.name), text


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {tr_number(count)}" for name, count in counts.items()) or tr("none")


def _figures_of_pages(examined: Examined) -> str:
    return tr(
        "{documents}, {segments}, {words}, {images} with images",
        documents=tr_count("{count} document", "{count} documents", examined.documents),
        segments=tr_count("{count} segment", "{count} segments", examined.segments),
        words=tr_count("{count} word", "{count} words", examined.words),
        images=tr_number(examined.images),
    )
