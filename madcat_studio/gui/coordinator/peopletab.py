"""The people of a campaign: teams, who has which part in a kit, when it is due."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSplitter,
    QTableView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.coordinator.peopledialogs import (
    DueDialog,
    EditorsDialog,
    PracticeDialog,
    ReplaceDialog,
)
from madcat_studio.gui.coordinator.peoplemodel import PeopleModel
from madcat_studio.gui.messages import Level, Message
from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.translation import tr, tr_report
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher, Queue
from madcat_studio.model.campaign import PassState, Team
from madcat_studio.operations.campaign.board import Board, read_board
from madcat_studio.operations.checked import Outcome
from madcat_studio.operations.people.passes import replace_editor, set_absent, set_due
from madcat_studio.operations.people.teams import add_editors
from madcat_studio.operations.planning.practice import make_practice_kit

__all__ = ["PeopleTab"]


class PeopleTab(QWidget):
    """Teams at the left, parts in kits at the right.

    Signals:
        written: the campaign was changed here.
    """

    written = Signal()

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._location = ""
        self._teams: Sequence[Team] = ()
        self._absent: Collection[str] = ()
        self._systems: Sequence[str] = ()
        self._reader = Dispatcher(self)
        self._writer = Queue(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self._build_teams())
        split.addWidget(self._build_parts())
        split.setStretchFactor(1, 1)
        split.setSizes([340, 1000])
        layout.addWidget(split)

    def _build_teams(self) -> QWidget:
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(14, 10, 10, 10)
        layout.setSpacing(8)
        row = QHBoxLayout()
        self._bring = make_button(tr("Add editors…"), self._ask_editors)
        self._bring.setToolTip(tr("A new team, or more editors for an existing team"))
        self._away = make_button(tr("Away"), self._turn_absence)
        self._away.setToolTip(tr("A team that is away gets nothing new when a plan is proposed"))
        row.addWidget(self._bring)
        row.addWidget(self._away)
        row.addStretch(1)
        layout.addLayout(row)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(tr("Teams and editors"))
        self.tree.setHeaderLabels([tr("Team, editors"), tr("Name")])
        self.tree.setIndentation(16)
        self.tree.header().resizeSection(0, 170)
        self.tree.currentItemChanged.connect(lambda *_: self._refresh())
        layout.addWidget(self.tree, 1)
        return box

    def _build_parts(self) -> QWidget:
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(10, 10, 14, 10)
        layout.setSpacing(8)
        row = QHBoxLayout()
        self._replace = make_button(tr("Replace the editor…"), self._ask_replacement)
        self._replace.setToolTip(tr("Even in the middle of a kit; each editor's share is kept"))
        self._due = make_button(tr("Due date…"), self._ask_due)
        self._due.setToolTip(tr("When the chosen pass, or all passes, should be handed over"))
        self._practise = make_button(tr("Practice kit…"), self._ask_practice)
        self._practise.setToolTip(tr("A kit that all teams edit and that is never scored"))
        for button in (self._replace, self._due, self._practise):
            row.addWidget(button)
        row.addStretch(1)
        layout.addLayout(row)
        self.model = PeopleModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(tr("Who does what in each kit"))
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(30)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for column, width in ((0, 90), (1, 80), (3, 140), (5, 140)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, width)
        self.table.selectionModel().currentChanged.connect(lambda *_: self._refresh())
        self.table.activated.connect(lambda _: self._ask_replacement())
        layout.addWidget(self.table, 1)
        self.said = QLabel(tr("No kit has a team yet: propose a plan and accept it."))
        self.said.setObjectName("quiet")
        layout.addWidget(self.said)
        return box

    # -- what the plan view calls --------------------------------------------------------------

    def show_campaign(
        self,
        location: str,
        teams: Sequence[Team],
        absent: Collection[str],
        systems: Sequence[str],
    ) -> None:
        """Show teams now, and parts as soon as they are read."""
        chosen = self._chosen_team()
        same = (self._location, self._teams, self._absent) == (location, teams, absent)
        self._location, self._teams, self._absent = location, teams, absent
        self._systems = systems
        if not same:
            self._fill(chosen)
        self._read()
        self._refresh()

    def _fill(self, chosen: str) -> None:
        """Make the tree of teams anew."""
        teams, absent = self._teams, self._absent
        self.tree.clear()
        for team in teams:
            away = team.name in absent
            item = QTreeWidgetItem([tr("{team} (away)", team=team.name) if away else team.name, ""])
            item.setData(0, Qt.ItemDataRole.UserRole, team.name)
            for editor in team.editors:
                item.addChild(QTreeWidgetItem([editor.id, editor.name]))
            self.tree.addTopLevelItem(item)
            if team.name == chosen:
                self.tree.setCurrentItem(item)
        self.tree.expandAll()

    def close_worker(self) -> None:
        """Wait until no thread works for it."""
        self._reader.close()
        self._writer.close()

    def _read(self) -> None:
        location = self._location
        self._reader.submit(
            lambda _: read_board(location), self._show, failed=self._shell.show_error
        )

    def _show(self, board: Board) -> None:
        self.model.show_rows(board.rows)
        self.said.setVisible(not board.rows)
        self._refresh()

    # -- changes ------------------------------------------------------------------------------

    def _chosen_team(self) -> str:
        item = self.tree.currentItem()
        while item is not None and item.parent() is not None:
            item = item.parent()
        return "" if item is None else str(item.data(0, Qt.ItemDataRole.UserRole))

    def _refresh(self) -> None:
        team = self._chosen_team()
        self._bring.setEnabled(bool(self._location))
        self._away.setEnabled(bool(team))
        self._away.setText(tr("Back") if team in self._absent else tr("Away"))
        shown = self.model.pass_at(self.table.currentIndex())
        open_ = shown is not None and shown.progress.state is not PassState.HANDED_OVER
        self._replace.setEnabled(open_)
        self._due.setEnabled(shown is not None)
        self._practise.setEnabled(len(self._teams) > 0)

    def _write(self, work: Callable[[], Outcome]) -> None:
        def done(outcome: Outcome) -> None:
            level = Level.WARNING if outcome.problems else Level.INFO
            said = [tr_report(one) for one in outcome.done]
            said += [f"{one.where}: {tr_report(one.what)}" for one in outcome.problems]
            self._shell.messages.post(Message(level, ". ".join(said) + "."))
            self.written.emit()

        self._writer.submit(lambda _: work(), done, failed=self._shell.show_error)

    def _ask_editors(self) -> None:
        location = self._location
        dialog = EditorsDialog(self._teams, self._chosen_team(), self)
        if _given(dialog):
            team, editors = dialog.chosen()
            self._write(lambda: add_editors(location, team, editors))

    def _turn_absence(self) -> None:
        location, team = self._location, self._chosen_team()
        absent = team not in self._absent
        if team:
            self._write(lambda: set_absent(location, team, absent=absent))

    def _ask_replacement(self) -> None:
        index = self.table.currentIndex()
        row, shown = self.model.part(index), self.model.pass_at(index)
        if row is None or shown is None or not self._replace.isEnabled():
            return
        team = next((one for one in self._teams if one.name == row.team), None)
        if team is None:
            return
        location, pass_ = self._location, shown.progress.pass_
        dialog = ReplaceDialog(team, pass_, row.kit, shown.progress.editor, self)
        if _given(dialog):
            editor, reason = dialog.chosen()
            self._write(
                lambda: replace_editor(location, row.kit, row.team, pass_, editor, reason=reason)
            )

    def _ask_due(self) -> None:
        index = self.table.currentIndex()
        row, shown = self.model.part(index), self.model.pass_at(index)
        if row is None or shown is None:
            return
        location = self._location
        dialog = DueDialog(row.kit, shown.progress.pass_, shown.due, self)
        if _given(dialog):
            kits, passes, due = dialog.chosen()
            self._write(lambda: set_due(location, kits, due, passes=passes))

    def _ask_practice(self) -> None:
        location = self._location
        dialog = PracticeDialog(self._systems, self)
        if _given(dialog):
            name, system, bases, words = dialog.chosen()
            self._write(
                lambda: make_practice_kit(location, name, system=system, bases=bases, words=words)
            )


def _given(dialog: QDialog) -> bool:
    given = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return given
