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
from madcat_studio.gui.corpus.orderdialog import OrderDialog, OrderWish
from madcat_studio.gui.corpus.panes import OverlapPane, QuotasTable, TablePane, told_of
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.frame import FramedView, TitleBar, below
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.pathfields import input_folder, make_button, remember_input
from madcat_studio.gui.translation import tr, tr_count
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Ticket
from madcat_studio.operations.planning.corpus import plan_corpus, read_corpus, write_corpus
from madcat_studio.operations.planning.corpus_report import (
    copies_table,
    corpus_page,
    scribes_table,
)
from madcat_studio.operations.planning.quotas import quotas_table
from madcat_studio.operations.planning.scribes import (
    Arrivals,
    arrivals_of,
    write_scribes_sheets,
)
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
                "Plan which scribe copies which passage, with what, on what and how fast: from a "
                "table of passages and one of scribes. A campaign starts from what comes of it."
            ),
            (
                (tr("New corpus"), self.ask_new),
                (tr("Open a corpus"), self.ask_open),
            ),
        )
        super().__init__(shell, empty, parent)
        self.state: CorpusWorkspace | None = None
        self.arrivals: Arrivals | None = None
        self._folder: Path | None = None
        self._scans: Path | None = None
        self._standing: tuple[Standing, ...] = ()
        self._page = self._build()
        self.screens.addWidget(self._page)

    def _build(self) -> QWidget:
        self.summary = QLabel()
        self.job = JobBar()
        self.job.setMinimumWidth(460)
        self.job.busy_changed.connect(lambda _: self._refresh())
        self._choose = make_button(tr("Choose passages…"), self.ask_passages)
        self._assign = make_button(tr("Assign scribes"), self.assign)
        self._assign.setToolTip(tr("So that they overlap as much as they can (Ctrl+P)"))
        self._save = make_button(tr("Save"), self.save)
        self._save.setObjectName("primary")
        self._bar = TitleBar((self.summary,), (self.job, self._choose, self._assign, self._save))
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
        return tr("New corpus") if self._folder is None else self._folder.name

    def is_modified(self) -> bool:
        """Whether the folder has it otherwise, or there is none yet."""
        return self.state is not None and self.state.modified

    def open_location(self, location: str, target: Mapping[str, str]) -> None:
        """Open a corpus; what is open stays until that has succeeded."""
        folder = Path(location)
        if not self.may_close():
            return

        def show(found: CorpusWorkspace) -> None:
            self._folder, self._scans = folder, None
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
            tr("The corpus was not saved as it is now. Leave it?"),
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
        return self.is_open and self._plan is not None

    @property
    def _plan(self) -> CorpusPlan | None:
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
        before = self._plan if state is self.state else None
        self.state = state
        plan, order = state.plan, state.order
        if plan is None or plan is not before:
            self.arrivals = None
        self._standing = state.standing
        quotas = quotas_table([("", one) for one in self._standing])
        self.quotas.table.show_rows(quotas.columns[2:], [row[2:] for row in quotas.rows])
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
            tr("The quotas were changed since the scribes were assigned. Assign them again.")
            if state.stale
            else ""
        )
        self.caution.setVisible(state.stale)
        self.screens.setCurrentWidget(self._page)
        self.title_changed.emit()
        self._refresh()

    def _show_copies(self) -> None:
        plan = self._plan
        without = tr("Nobody is assigned yet.")
        self.scribes.show_table(
            None if plan is None else scribes_table(plan, self.arrivals), without
        )
        self.copies.show_table(None if plan is None else copies_table(plan, self.arrivals), without)

    def _refresh(self) -> None:
        for button in (self._choose, self._assign):
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
            self._folder = self._scans = None
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
        if self._folder is None:
            self.ask_save()
        else:
            self.save_into(self._folder)

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
            self._folder = folder
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

        self._work(tr("Saving"), lambda _: write_corpus(order, plan, folder), done)

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

    def _work(self, what: str, work: Callable[[Ticket], Any], done: Callable[[Any], None]) -> None:
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

        self._work(
            tr("Assigning scribes"), lambda ticket: plan_corpus(order, progress=ticket), done
        )

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

    # -- giving it out, and what comes in ---------------------------------------------------------

    def _ask_folder(self, title: str) -> Path | None:
        folder = QFileDialog.getExistingDirectory(self, title, input_folder())
        if not folder:
            return None
        remember_input(folder)
        return Path(folder)

    def ask_sheets(self) -> None:
        """Ask for a folder, and write what each scribe is to copy into it."""
        folder = self._ask_folder(tr("Write the scribes' sheets into a folder"))
        if folder is not None:
            self.write_sheets(folder)

    def write_sheets(self, folder: Path) -> None:
        """Write a PDF for each scribe."""
        plan = self._plan
        if plan is None:
            return

        def done(files: tuple[Path, ...]) -> None:
            self.shell.messages.info(
                tr_count(
                    "The sheets of {count} scribe are in {folder}.",
                    "The sheets of {count} scribes are in {folder}.",
                    len(files),
                    folder=folder,
                )
            )

        self._work(
            tr("Writing sheets"),
            lambda ticket: write_scribes_sheets(plan, folder, progress=ticket),
            done,
        )

    def ask_arrivals(self) -> None:
        """Ask for the folder of scans, and tick off what has come in."""
        folder = self._ask_folder(tr("The folder into which copies are scanned"))
        if folder is not None:
            self.look_into(folder)

    def look_again(self) -> None:
        """Look into the folder of scans again."""
        if self._scans is None:
            self.ask_arrivals()
        else:
            self.look_into(self._scans)

    def look_into(self, folder: Path) -> None:
        """Tick off the copies whose scans lie in a folder."""
        plan = self._plan
        if plan is None:
            return
        scribes = {one.base: one.scribe.name for one in plan.manuscripts}

        def done(found: Arrivals) -> None:
            self._scans, self.arrivals = folder, found
            self._show_copies()
            self.tabs.setCurrentWidget(self.scribes)
            self.scribes.table.setFocus()
            missing = sum(len(bases) for bases in found.missing.values())
            said = tr_count(
                "{count} copy has come in", "{count} copies have come in", len(found.arrived)
            )
            left = tr_count("{count} is missing.", "{count} are missing.", missing)
            self.shell.messages.info(
                f"{said}, {left}"
                + (
                    " "
                    + tr_count(
                        "{count} file belongs to no copy.",
                        "{count} files belong to no copy.",
                        len(found.unknown),
                    )
                    if found.unknown
                    else ""
                ),
                detail="\n".join(str(one) for one in found.unknown),
            )

        self._work(
            tr("Looking for scans"),
            lambda ticket: arrivals_of(scribes, folder, progress=ticket),
            done,
        )

    def ask_export(self) -> None:
        """Ask for a folder, and write the report into it."""
        folder = self._ask_folder(tr("Export the report into a folder"))
        if folder is not None:
            self.export(folder)

    def export(self, folder: Path) -> None:
        """Write the corpus as a page to read, and its tables beside it."""
        plan, arrivals = self._plan, self.arrivals
        if plan is None:
            return

        def done(files: tuple[Path, ...]) -> None:
            self.shell.messages.info(
                tr("The report is {file}, its tables are beside it.", file=files[0])
            )

        self._work(tr("Exporting"), lambda _: corpus_page(plan, arrivals, folder), done)

    def set_up_campaign(self) -> None:
        """Begin a campaign from the tables that were saved."""
        from madcat_studio.gui.coordinator.setupdialog import set_up

        if self._folder is not None:
            set_up(self.shell, self, (self._folder,))
