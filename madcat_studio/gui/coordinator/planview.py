"""The plan of a campaign: its kits and teams, the people in them, what editors are told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QLabel,
    QMessageBox,
    QTabWidget,
    QWidget,
)

from madcat_studio.gui.coordinator.guidelinestab import GuidelinesTab
from madcat_studio.gui.coordinator.kitstab import KitsTab
from madcat_studio.gui.coordinator.peopletab import PeopleTab
from madcat_studio.gui.coordinator.proposaldialog import ProposeDialog, Wish, remembered_rules
from madcat_studio.gui.coordinator.watching import Watcher
from madcat_studio.gui.coreactions import NEW_CAMPAIGN, OPEN_CAMPAIGN
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.frame import (
    FramedView,
    TitleBar,
    begin_reading,
    below,
    give_up_reading,
)
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.pathfields import input_folder, make_button, remember_input
from madcat_studio.gui.translation import tr, tr_clauses, tr_count, tr_number
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher, Ticket
from madcat_studio.operations.checked import Outcome
from madcat_studio.operations.planning.draft import (
    read_draft,
    write_draft,
    write_tables,
)
from madcat_studio.operations.planning.proposal import propose_draft
from madcat_studio.planning.draft import Draft
from madcat_studio.planning.units import KitRules
from madcat_studio.store import open_campaign
from madcat_studio.workspace.plan import PlanWorkspace, Preview

__all__ = ["PlanView"]


_CALM_MS = 1_000
"""While many write, the plan is read no more often than that."""


class PlanView(FramedView):
    """One campaign's plan."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        empty = EmptyScreen(
            tr("No campaign is open"),
            tr("Set up a campaign from folders of references, images and outputs, or open one."),
            (
                (tr("Set up a campaign"), lambda: shell.run(NEW_CAMPAIGN)),
                (tr("Open a campaign"), lambda: shell.run(OPEN_CAMPAIGN)),
            ),
        )
        super().__init__(shell, empty, parent)
        self._location = ""
        self._reader = Dispatcher(self)
        self._watcher = Watcher(self)
        self._watcher.changed.connect(self._on_foreign)
        self._again = False
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(_CALM_MS)
        self._calm.timeout.connect(self._after_calm)
        self._page = self._build()
        self.screens.addWidget(self._page)

    def _build(self) -> QWidget:
        self.summary = QLabel()
        self.job = JobBar()
        self.job.setMinimumWidth(460)
        self.job.busy_changed.connect(lambda _: self._refresh())
        self.propose_button = make_button(tr("Propose…"), self.ask_proposal)
        self.propose_button.setToolTip(tr("Let kits and teams be proposed"))
        self.accept_button = make_button(tr("Accept the plan"), self.accept)
        self.accept_button.setToolTip(tr("Write the plan into the campaign"))
        self.accept_button.setObjectName("primary")
        self._bar = TitleBar((self.summary,), (self.job, self.propose_button, self.accept_button))
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.kits = KitsTab(self.shell)
        self.people = PeopleTab(self.shell)
        self.guidelines = GuidelinesTab(self.shell)
        self.tabs.addTab(self.kits, tr("Kits"))
        self.tabs.addTab(self.people, tr("People"))
        self.tabs.addTab(self.guidelines, tr("Guidelines"))
        self.tabs.currentChanged.connect(lambda _: self._refresh())
        self.kits.changed.connect(self._refresh)
        self.kits.proposal_wanted.connect(self.ask_proposal)
        self.guidelines.changed.connect(self._refresh)
        self.people.written.connect(self._read)
        return below(self._bar, self.tabs)

    # -- the shell ----------------------------------------------------------------------------

    def title(self) -> str:
        """The campaign's name."""
        name = self._bar.title.text()
        return tr("{name} – plan", name=name) if name else ""

    def is_modified(self) -> bool:
        """Whether the plan that is shown was not accepted, or guidelines are not saved."""
        return self.kits.modified or self.guidelines.modified

    def open_location(self, location: str, target: Mapping[str, str]) -> None:
        """Show the plan of a campaign."""
        if location != self._location:
            if not self.may_close():
                return
            self._location, self.kits.state = location, None
        self.shell.opened(location, self)

    def shown(self, campaign: str) -> None:
        """The view came to the front: show the campaign that is open."""
        if not campaign:
            return
        if campaign != self._location and self._location and not self.may_close():
            campaign = self._location
        if campaign != self._location:
            self._location, self.kits.state = campaign, None
        if self.kits.state is None:
            self._calm.stop()
            self._reader.cancel()
            begin_reading(self)
        self._watcher.start(campaign)  # it says when to read
        self.kits.tree.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._watcher.pause()

    def may_close(self) -> bool:
        """Ask where a plan was not accepted."""
        if not self.is_modified():
            return True
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self,
            tr("Leave the plan?"),
            tr("Changes to the plan or the guidelines have not been accepted yet. Leave anyway?"),
            buttons.Discard | buttons.Cancel,
        )
        return answer == buttons.Discard

    def shut_down(self) -> None:
        """End workers and timers."""
        self._calm.stop()
        self._watcher.close()
        self._reader.close()
        self.job.close_worker()
        self.kits.close_worker()
        self.people.close_worker()
        self.guidelines.close_worker()

    def apply_theme(self) -> None:
        """Follow the theme."""
        self.kits.tree.viewport().update()

    # -- actions ------------------------------------------------------------------------------

    @property
    def is_ready(self) -> bool:
        """Whether a plan is shown, and nothing is worked at."""
        return bool(self._location) and self.kits.state is not None and not self.job.busy

    @property
    def on_kits(self) -> bool:
        """Whether the kits are in front."""
        return self.tabs.currentWidget() is self.kits

    def _refresh(self) -> None:
        state = self.kits.state
        busy = self.job.busy
        self.propose_button.setEnabled(state is not None and not busy)
        self.accept_button.setEnabled(state is not None and state.modified and not busy)
        self.summary.setVisible(not busy)
        if state is not None:
            kits = state.draft.kits
            text = tr(
                "{kits} · {words}",
                kits=tr_count("{count} kit", "{count} kits", len(kits)),
                words=tr_count("{count} word", "{count} words", sum(kit.words for kit in kits)),
            )
            frozen = sum(kit.frozen for kit in kits)
            if frozen:
                text += tr(" · {count} claimed, and so kept as they are", count=tr_number(frozen))
            if state.modified:
                text += tr(" · not accepted yet")
            self.summary.setText(text)
        self.state_changed.emit()

    # -- reading and writing ------------------------------------------------------------------

    def _on_foreign(self) -> None:
        if self._calm.isActive() or self._reader.busy:
            self._again = True  # a read that is under way is not thrown away for the next one
        else:
            self._read()
        if not self._calm.isActive():
            self._calm.start()

    def _after_calm(self) -> None:
        if self._again:
            self._again = False
            self._on_foreign()

    def drop(self) -> None:
        """Back to the plan of the campaign, where nothing or all of it may be lost."""
        state = self.kits.state
        if state is None or not state.modified or self.may_close():
            self.kits.state = None
            self._read()

    def _read(self) -> None:
        location, rules = self._location, remembered_rules()

        def failed(error: BaseException) -> None:
            give_up_reading(self)
            self.shell.show_error(error)

        if location:
            self._reader.submit(lambda _: _read(location, rules), self._show, failed=failed)

    def _show(self, found: _Found) -> None:
        self._bar.title.setText(found.name)
        self.screens.setCurrentWidget(self._page)
        draft = found.state.draft
        state = self.kits.state
        if state is None or not state.modified:
            self.kits.show_state(found.state)
        elif state.meet(draft):
            # The plan here stays; what was claimed meanwhile is told when it is accepted.
            self.kits.show_state(state)
        self.people.show_campaign(self._location, draft.teams, draft.absent, found.systems)
        self.guidelines.show_campaign(self._location, frozen=found.frozen)
        self.title_changed.emit()
        self._refresh()

    def ask_proposal(self) -> None:
        """Ask how a plan is to be proposed."""
        state = self.kits.state
        if state is None or self.job.busy:
            return
        dialog = ProposeDialog(state.draft, self)
        given = dialog.exec() == QDialog.DialogCode.Accepted
        wish = dialog.wish()
        dialog.deleteLater()
        if given:
            self.propose(wish)

    def propose(self, wish: Wish) -> None:
        """Let a plan be proposed; it is shown, not written."""
        location, state = self._location, self.kits.state
        if state is None:
            return
        self.tabs.setCurrentWidget(self.kits)

        def work(ticket: Ticket) -> Preview:
            def proposed(_: Draft) -> Draft:
                return propose_draft(
                    location,
                    rules=wish.rules,
                    overlap=wish.overlap,
                    absent=wish.absent,
                    anew=wish.anew,
                    seed=wish.seed,
                    progress=ticket,
                )

            return state.preview(tr("proposal"), proposed)

        def done(preview: Preview) -> None:
            state.make(preview)
            self.kits.show_state(state)
            self.kits.tree.setFocus()

        self.job.start(tr("Planning"), work, done, self.shell.show_error)

    def accept(self) -> None:
        """Write the plan into the campaign."""
        location, state = self._location, self.kits.state
        if state is None:
            return
        draft = state.draft

        def done(outcome: Outcome) -> None:
            state.written()
            told = tr_clauses(outcome.done)
            self.shell.messages.info(tr("The plan is in the campaign: {done}.", done=told))
            self._read()

        self.job.start(
            tr("Writing the plan"),
            lambda ticket: write_draft(location, draft, progress=ticket),
            done,
            self.shell.show_error,
        )

    def save_tables(self) -> None:
        """Ask for a folder, and write the plan as tables into it."""
        state = self.kits.state
        folder = QFileDialog.getExistingDirectory(self, tr("Save the plan"), input_folder())
        if not folder or state is None:
            return
        remember_input(folder)
        draft = state.draft
        self.job.start(
            tr("Saving"),
            lambda _: write_tables(draft, Path(folder)),
            lambda _: self.shell.messages.info(
                tr("kits.tsv and assignments.tsv are in {folder}.", folder=folder)
            ),
            self.shell.show_error,
        )

    # -- dialogs ------------------------------------------------------------------------------

    def select(self) -> None:
        """Ask which passages the control, progress and evaluation sets are to have."""
        from madcat_studio.gui.coordinator.selectiondialog import SelectDialog

        self._run_dialog(SelectDialog(self.shell, self._location, self))

    def add_system(self) -> None:
        """Ask for the outputs of one more system."""
        from madcat_studio.gui.coordinator.adddialog import AddSystemDialog

        self._run_dialog(AddSystemDialog(self.shell, self._location, self))

    def add_earlier(self) -> None:
        """Ask for the outputs, finals and HTER of an earlier phase."""
        from madcat_studio.gui.coordinator.adddialog import AddEarlierDialog

        self._run_dialog(AddEarlierDialog(self.shell, self._location, self))

    def look_for_references(self) -> None:
        """Compare the references' files with those that the campaign took in."""
        from madcat_studio.gui.coordinator.referencesdialog import ReferencesDialog

        self._run_dialog(ReferencesDialog(self.shell, self._location, self))

    def _run_dialog(self, dialog: QDialog) -> None:
        changed = dialog.exec() == QDialog.DialogCode.Accepted
        dialog.deleteLater()
        if changed and not self.is_modified():
            self._read()


class _Found(NamedTuple):
    """What is read of a campaign."""

    name: str
    frozen: bool
    systems: tuple[str, ...]
    state: PlanWorkspace


def _read(location: str, rules: KitRules) -> _Found:
    """Read a plan, with its figures counted in the thread too."""
    with open_campaign(location, read_only=True) as campaign:
        name, frozen = campaign.name, campaign.frozen
        systems = tuple(system.name for system in campaign.contents.systems())
    return _Found(name, frozen, systems, PlanWorkspace(read_draft(location, rules=rules)))
