"""A corpus that is planned: its quotas, who copies what and how, and what has come in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QInputDialog,
    QLabel,
    QMessageBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import StudioError
from madcat_studio.gui.coordinator.rowtable import RowTable
from madcat_studio.gui.corpus.copying import Copying
from madcat_studio.gui.corpus.orderdialog import OrderDialog, OrderWish
from madcat_studio.gui.corpus.panes import (
    OverlapPane,
    QuotasTable,
    TablePane,
    told_of,
    told_quota,
)
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.frame import FramedView, TitleBar, below
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.pathfields import input_folder, make_button, remember_input
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Ticket
from madcat_studio.operations.planning.corpus import plan_corpus, read_corpus, write_corpus
from madcat_studio.operations.planning.corpus_report import copies_table, scribes_table
from madcat_studio.operations.planning.quotas import quotas_table
from madcat_studio.planning.corpus import CorpusPlan, Passage
from madcat_studio.planning.quotas import Standing, with_target
from madcat_studio.workspace.corpus import CorpusWorkspace

__all__ = ["CorpusView"]

_DIGITS = 4


class CorpusView(FramedView):
    """One corpus, from the tables that it is made from to the scans of its copies."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        empty = EmptyScreen(
            tr("No corpus is open"),
            tr(
                "Plan which scribe copies which passage, with what, on what and how fast: from "
                "a table of passages and one of scribes. A campaign starts from the result."
            ),
            (
                (tr("New corpus"), self.ask_new),
                (tr("Open a corpus"), self.ask_open),
            ),
        )
        super().__init__(shell, empty, parent)
        self.state: CorpusWorkspace | None = None
        self.folder: Path | None = None
        self.copying = Copying(self, self)
        self.copying.looked.connect(self._on_looked)
        self._standing: tuple[Standing, ...] = ()
        self._page = self._build()
        self.screens.addWidget(self._page)

    def _build(self) -> QWidget:
        self.summary = QLabel()
        self.job = JobBar()
        self.job.setMinimumWidth(460)
        self.job.busy_changed.connect(lambda _: self._refresh())
        self._choose = make_button(tr("Choose passages…"), self.ask_passages)
        self.assign_button = make_button(tr("Assign scribes"), self.assign)
        self.assign_button.setToolTip(tr("So that they overlap as much as they can"))
        self._save = make_button(tr("Save"), self.save)
        self._save.setObjectName("primary")
        self._bar = TitleBar(
            (self.summary,), (self.job, self._choose, self.assign_button, self._save)
        )
        self.told = QLabel()
        self.told.setWordWrap(True)
        self.caution = QLabel()
        self.caution.setObjectName("caution")
        self.caution.setWordWrap(True)
        said = QWidget()
        column = QVBoxLayout(said)
        column.setContentsMargins(16, 10, 16, 4)
        column.setSpacing(4)
        column.addWidget(self.told)
        column.addWidget(self.caution)
        self.quotas = TablePane(QuotasTable())
        self.scribes = TablePane(RowTable(tr("Scribes")))
        self.copies = TablePane(RowTable(tr("Copies")))
        self.overlap = OverlapPane(self.shell.theme)
        if isinstance(self.quotas.table, QuotasTable):
            self.quotas.table.wanted.connect(self.ask_target)
        self.quotas.table.selectionModel().selectionChanged.connect(
            lambda *_: self.state_changed.emit()
        )
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        for page, title in (
            (self.quotas, tr("Quotas")),
            (self.scribes, tr("Scribes")),
            (self.copies, tr("Copies")),
            (self.overlap, tr("Overlap")),
        ):
            self.tabs.addTab(page, title)
        self.tabs.currentChanged.connect(lambda _: self.state_changed.emit())
        return below(self._bar, said, self.tabs)

    # -- the shell ----------------------------------------------------------------------------

    def title(self) -> str:
        """The corpus's name."""
        return "" if self.state is None else tr("{name} – corpus", name=self._name())

    def _name(self) -> str:
        return tr("New corpus") if self.folder is None else self.folder.name

    def is_modified(self) -> bool:
        """Whether the folder has it otherwise, or there is none yet."""
        return self.state is not None and self.state.modified

    def open_location(self, location: str, target: Mapping[str, str]) -> None:
        """Open a corpus; what is open stays until that has succeeded."""
        folder = Path(location)
        if not self.may_close():
            return

        def show(found: CorpusWorkspace) -> None:
            self.folder = folder
            self.copying.begin()
            self.show_state(found)
            self.shell.opened(location, self)

        self.job.start(
            tr("Opening"),
            lambda _: CorpusWorkspace(*read_corpus(folder)),
            show,
            self.shell.show_error,
        )

    def shown(self, campaign: str) -> None:
        """The view came to the front."""
        if self.state is not None:
            self.quotas.table.setFocus()

    def may_close(self) -> bool:
        """Ask where a corpus was not saved."""
        if not self.is_modified():
            return True
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self,
            tr("Leave the corpus?"),
            tr("The corpus has unsaved changes. Leave anyway?"),
            buttons.Discard | buttons.Cancel,
        )
        return answer == buttons.Discard

    def shut_down(self) -> None:
        """End the worker."""
        self.job.close_worker()

    def apply_theme(self) -> None:
        """Follow the theme."""
        self.overlap.map.viewport().update()

    # -- showing ------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether a corpus is open, and nothing is worked at."""
        return self.state is not None and not self.job.busy

    @property
    def is_planned(self) -> bool:
        """Whether its scribes are assigned as well."""
        return self.is_open and self.plan is not None

    @property
    def plan(self) -> CorpusPlan | None:
        """Who copies what; None while nobody is assigned."""
        return None if self.state is None else self.state.plan

    @property
    def undo_label(self) -> str:
        """What an undo takes back, or ""."""
        return "" if self.state is None else self.state.undo_label

    @property
    def redo_label(self) -> str:
        """What a redo does again, or ""."""
        return "" if self.state is None else self.state.redo_label

    def show_state(self, state: CorpusWorkspace) -> None:
        """Show a corpus, or the one that is shown as it is now."""
        before = self.plan if state is self.state else None
        self.state = state
        plan, order = state.plan, state.order
        if plan is None or plan is not before:
            self.copying.arrivals = None
        self._standing = state.standing
        quotas = quotas_table([("", one) for one in self._standing])
        self.quotas.table.show_rows(
            quotas.columns[2:], [told_quota(row[2:]) for row in quotas.rows]
        )
        if self.quotas.table.current_row() is None and self._standing:
            self.quotas.table.choose(0)
        self._show_copies()
        self.overlap.show_plan(plan)
        missed = sum(one.missing > 0 for one in self._standing)
        told = told_of(plan, len(order.passages), len(order.scribes), missed)
        self._bar.title.setText(self._name())
        self.summary.setText(" · ".join(filter(None, (order.data_set, order.track, told.summary))))
        self.told.setText(told.sentences)
        self.caution.setText(
            tr("The quotas have changed since the scribes were assigned. Assign them again.")
            if state.stale
            else ""
        )
        self.caution.setVisible(state.stale)
        self.screens.setCurrentWidget(self._page)
        self.title_changed.emit()
        self._refresh()

    def _show_copies(self) -> None:
        plan = self.plan
        without = tr("No scribes are assigned yet.")
        self.scribes.show_table(
            None if plan is None else scribes_table(plan, self.copying.arrivals), without
        )
        self.copies.show_table(
            None if plan is None else copies_table(plan, self.copying.arrivals), without
        )

    def _on_looked(self) -> None:
        self._show_copies()
        self.tabs.setCurrentWidget(self.scribes)
        self.scribes.table.setFocus()

    def _refresh(self) -> None:
        for button in (self._choose, self.assign_button):
            button.setEnabled(self.is_open)
        self._save.setEnabled(self.is_open and self.is_modified())
        self.summary.setVisible(not self.job.busy)
        self.state_changed.emit()

    # -- making and saving --------------------------------------------------------------------

    def ask_new(self) -> None:
        """Ask what a corpus is to be made from."""
        if self.job.busy or not self.may_close():
            return
        dialog = OrderDialog(self)
        given = dialog.exec() == QDialog.DialogCode.Accepted
        wish = dialog.wish()
        dialog.deleteLater()
        if given and wish is not None:
            self.make(wish)

    def make(self, wish: OrderWish) -> None:
        """Begin a corpus from tables."""

        def show(state: CorpusWorkspace) -> None:
            self.folder = None
            self.copying.begin()
            self.show_state(state)
            self.tabs.setCurrentWidget(self.quotas)
            self.quotas.table.setFocus()

        self.job.start(
            tr("Reading the tables"),
            lambda _: CorpusWorkspace(wish.read(), saved=False),
            show,
            self.shell.show_error,
        )

    def ask_open(self) -> None:
        """Ask for the folder of a corpus."""
        folder = QFileDialog.getExistingDirectory(self, tr("Open a corpus"), input_folder())
        if folder:
            remember_input(folder)
            self.open_location(folder, {})

    def save(self) -> None:
        """Save into its folder, or ask for one."""
        if self.folder is None:
            self.ask_save()
        else:
            self.save_into(self.folder)

    def ask_save(self) -> None:
        """Ask for a folder, and save into it."""
        folder = QFileDialog.getExistingDirectory(self, tr("Save the corpus"), input_folder())
        if folder:
            remember_input(folder)
            self.save_into(Path(folder))

    def save_into(self, folder: Path) -> None:
        """Write the tables into a folder, which is the corpus's own from then on."""
        state = self.state
        if state is None:
            return
        order, plan = state.order, state.plan

        def done(files: tuple[Path, ...]) -> None:
            self.folder = folder
            state.written()
            self.show_state(state)
            self.shell.opened(str(folder), self)
            self.shell.messages.info(
                tr(
                    "The corpus is in {folder}: {files}.",
                    folder=folder,
                    files=", ".join(one.name for one in files),
                )
            )

        self.work(tr("Saving"), lambda _: write_corpus(order, plan, folder), done)

    def undo(self) -> None:
        """Take the last step back."""
        if self.state is not None:
            self.state.undo()
            self.show_state(self.state)

    def redo(self) -> None:
        """Make it again."""
        if self.state is not None:
            self.state.redo()
            self.show_state(self.state)

    def work(self, what: str, work: Callable[[Ticket], Any], done: Callable[[Any], None]) -> None:
        """Do something long, with a bar and a way to stop it; one thing at a time."""
        self.job.start(what, work, done, self.shell.show_error)

    # -- changing it --------------------------------------------------------------------------

    def assign(self) -> None:
        """Assign scribes to passages by the order as it is."""
        state = self.state
        if state is None or self.job.busy:
            return
        order = state.order

        def done(plan: CorpusPlan) -> None:
            state.make(tr("assign scribes"), order, plan)
            self.show_state(state)

        self.work(tr("Assigning scribes"), lambda ticket: plan_corpus(order, progress=ticket), done)

    @property
    def can_change_target(self) -> bool:
        """Whether a quota is chosen."""
        return (
            self.tabs.currentWidget() is self.quotas and self.quotas.table.current_row() is not None
        )

    def ask_target(self) -> None:
        """Ask for another target of the quota that is chosen."""
        row = self.quotas.table.current_row()
        if row is None or not self.is_open:
            return
        quota = self._standing[row].quota
        share = quota.factor.is_share
        what = f"{quota.factor} {quota.level}".strip()
        label = (
            tr("Percent of all copies for {what}; the others make up the rest", what=what)
            if share
            else tr("Target for {what}", what=what)
        )
        value, given = QInputDialog.getDouble(
            self,
            tr("Change a quota"),
            label,
            quota.target * (100 if share else 1),
            0,
            100 if share else 1_000_000,
            2 if share else 0,
        )
        if given:
            self.set_target(row, round(value / 100, _DIGITS) if share else value)

    def set_target(self, row: int, target: float) -> None:
        """Give a quota another target; it can be undone."""
        state = self.state
        if state is None:
            return
        order, quota = state.order, self._standing[row].quota
        if target == quota.target:
            return
        try:
            quotas = with_target(order.quotas, order.quotas.index(quota), target)
        except StudioError as error:
            self.shell.show_error(error)
            return
        what = f"{quota.factor} {quota.level}".strip()
        state.make(
            tr("change the quota of {what}", what=what), replace(order, quotas=quotas), state.plan
        )
        self.show_state(state)

    def ask_passages(self) -> None:
        """Ask which of many passages the corpus is to have."""
        from madcat_studio.gui.corpus.choosedialog import ChooseDialog

        state = self.state
        if state is None:
            return
        dialog = ChooseDialog(self.shell, self)
        given = dialog.exec() == QDialog.DialogCode.Accepted
        chosen = dialog.chosen
        dialog.deleteLater()
        if given and chosen is not None:
            self.take_passages(chosen.passages)

    def take_passages(self, passages: tuple[Passage, ...]) -> None:
        """Have other passages; who copies them is open then."""
        if self.state is not None:
            order = replace(self.state.order, passages=passages)
            self.state.make(tr("choose passages"), order, None)
            self.show_state(self.state)
