"""The coordinator's board: which team is how far with which kit, kept fresh while it is seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QInputDialog,
    QLabel,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.coordinator.agreementtab import AgreementTab
from madcat_studio.gui.coordinator.boardmodel import BoardModel, PassDelegate
from madcat_studio.gui.coordinator.countdown import countdown_texts
from madcat_studio.gui.coordinator.kitfiles import KitFiles
from madcat_studio.gui.coordinator.overlaptab import OverlapTab
from madcat_studio.gui.coordinator.stepstab import StepsTab
from madcat_studio.gui.coordinator.trailtab import TrailTab
from madcat_studio.gui.coordinator.watching import Watcher
from madcat_studio.gui.coreactions import OPEN_CAMPAIGN, OPEN_DEMO
from madcat_studio.gui.elided import ElidedLabel
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.frame import (
    FramedView,
    TitleBar,
    begin_reading,
    below,
    give_up_reading,
)
from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.translation import tr, tr_count, tr_figure, tr_number
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher, Follower, Ticket
from madcat_studio.model.campaign import PassProgress, PassState
from madcat_studio.operations.campaign.board import Board, BoardPass, read_board
from madcat_studio.operations.campaign.pace import Pace, hours_left, read_pace
from madcat_studio.operations.people.passes import release
from madcat_studio.operations.scores.drift import read_alarms, told
from madcat_studio.reports.drift import ALL_TEAMS, Drift

__all__ = ["BoardView", "alarm_text"]

_AGES_MS = 60_000
"""How often the board is read without a change: how long ago things were grows by itself."""

_FIRST_KITS = 40
"""So many kits of a campaign are shown before all of them are read: more than a screen has."""

_PACE_MS = 300
"""How long the pace waits after the board is there: it would hold up the board's painting."""


def alarm_text(alarms: Sequence[Drift]) -> str:
    """What stands before everything else where teams edit otherwise than those of then.

    In short, since it has a part of one line: two of them, and that there are more.
    """
    named = [
        (
            tr("all teams") if one.team == ALL_TEAMS else one.team,
            tr_figure(f"{100 * one.difference:+.1f}"),
        )
        for one in alarms[:2]
        if one.difference is not None
    ]
    (team, difference), *second = named
    said = [tr("⚠ Drift of {team}: {difference}", team=team, difference=difference)]
    said += [tr("{track}: {said}", track=team, said=difference) for team, difference in second]
    return " · ".join(said) + tr(" points of HTER") + (" …" if len(alarms) > 2 else "")


class BoardView(FramedView):
    """How one campaign stands: its kits, and what can be told of teams and people so far."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        empty = EmptyScreen(
            tr("No campaign is open"),
            tr("Open a campaign to see how its kits are doing, or try the demo."),
            (
                (tr("Open a campaign"), lambda: shell.run(OPEN_CAMPAIGN)),
                (tr("Open the demo"), lambda: shell.run(OPEN_DEMO)),
            ),
        )
        super().__init__(shell, empty, parent)
        self._location = self._seen = ""
        self._board: Board | None = None
        self._pace: Pace | None = None
        self._alarms: Sequence[Drift] = ()
        self._paced = ""
        self._reader = Follower(self)
        self._pacer = Dispatcher(self)
        self._writer = Dispatcher(self)
        self._files = KitFiles(self, shell, self._refresh)
        self._watcher = Watcher(self)
        self._watcher.changed.connect(self._on_change)
        self._timer = QTimer(self)
        self._timer.setInterval(_AGES_MS)
        self._timer.timeout.connect(self._refresh)
        self._timer.timeout.connect(self._read_pace)
        self._pace_soon = QTimer(self)
        self._pace_soon.setSingleShot(True)
        self._pace_soon.setInterval(_PACE_MS)
        self._pace_soon.timeout.connect(self._read_pace)
        self._page = self._build()
        self.screens.addWidget(self._page)

    def _build(self) -> QWidget:
        self.summary = ElidedLabel()
        self.alarm = QLabel()
        self.alarm.setObjectName("caution")
        self.alarm.hide()
        self._give = make_button(tr("Give out as a file…"), self.give_out)
        take = make_button(tr("Import files…"), self.take_in)
        self._release = make_button(tr("Release the pass…"), self.ask_release)
        self._bar = TitleBar((self.alarm, self.summary), (self._give, take, self._release))
        self.tabs: QTabWidget = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.overlap = OverlapTab(self.shell)
        self.agreement = AgreementTab(self.shell)
        self.trail = TrailTab(self.shell)
        self._kits = self._build_kits()
        self.tabs.addTab(self._kits, tr("Kits"))
        self.tabs.addTab(self.overlap, tr("Overlap"))
        self.tabs.addTab(self.agreement, tr("Agreement"))
        self.tabs.addTab(self.trail, tr("Audit trail"))
        self.steps = StepsTab(self.shell)
        self.tabs.addTab(self.steps, tr("Next steps"))
        self.tabs.currentChanged.connect(lambda _: self._on_tab())
        return below(self._bar, self.tabs)

    def _build_kits(self) -> QWidget:
        self.model = BoardModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(tr("Kits and passes"))
        self._delegate = PassDelegate(self.shell.theme, self)
        self.table.setItemDelegate(self._delegate)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(42)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for column, width in ((0, 130), (1, 130), (2, 90)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, width)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._chosen_changed())
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(6, 4, 6, 0)
        layout.addWidget(self.table)
        return page

    # -- the shell ----------------------------------------------------------------------------

    def title(self) -> str:
        """The campaign's name."""
        return "" if self._board is None else tr("{name} – board", name=self._board.campaign)

    def open_location(self, location: str, target: Mapping[str, str]) -> None:
        """Show the board of a campaign."""
        self._look_at(location)
        self.shell.opened(location, self)

    def shown(self, campaign: str) -> None:
        """The view came to the front: show the campaign that is open."""
        if campaign:
            self._look_at(campaign)
            begin_reading(self)
            self._watcher.start(campaign)  # it says when to read

    def _look_at(self, location: str) -> None:
        if location != self._location:
            self._reader.cancel()  # it reads another one
        self._location = location

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()
        self._pace_soon.stop()
        self._watcher.pause()

    def shut_down(self) -> None:
        """End workers and timers."""
        self._timer.stop()
        self._pace_soon.stop()
        self._watcher.close()
        for worker in (self._reader, self._pacer, self._writer, self._files):
            worker.close()
        for tab in (self.overlap, self.agreement, self.trail, self.steps):
            tab.close_worker()

    def apply_theme(self) -> None:
        """Follow the theme."""
        self.table.viewport().update()
        self.overlap.map.viewport().update()

    # -- actions ------------------------------------------------------------------------------

    @property
    def location(self) -> str:
        """The campaign that is shown, or ""."""
        return self._location

    @property
    def has_campaign(self) -> bool:
        """Whether there is a campaign to look at."""
        return bool(self._location)

    @property
    def can_release(self) -> bool:
        """Whether the chosen pass is held by somebody."""
        return self.tabs.currentWidget() is self._kits and self._held() is not None

    @property
    def can_give_out(self) -> bool:
        """Whether the chosen pass can be taken up or gone on with."""
        return self.tabs.currentWidget() is self._kits and self._to_give_out() is not None

    @property
    def can_call_back(self) -> bool:
        """Whether the chosen pass is out as a file."""
        return self.tabs.currentWidget() is self._kits and self._out() is not None

    def look_again(self) -> None:
        """Read everything that is shown anew."""
        self._refresh()
        self._on_tab(anew=True)

    def give_out(self) -> None:
        """Ask for the file that the chosen pass is given out as."""
        chosen = self._to_give_out()
        if chosen is not None:
            self._files.give_out(self._location, chosen)

    def ask_call_back(self) -> None:
        """Ask whether the file of the chosen pass is to count no more."""
        chosen = self._out()
        if chosen is not None:
            self._files.call_back(self._location, chosen.progress)

    def take_in(self) -> None:
        """Ask for the files of kits that came back."""
        self._files.take_in(self._location)

    def ask_release(self) -> None:
        """Ask why the chosen pass is taken from its editor, and take it."""
        held = self._held()
        if held is None:
            return
        one, location = held.progress, self._location
        reason, given = QInputDialog.getText(
            self,
            tr("Release the pass"),
            tr(
                "{who} holds kit {kit}. What is saved stays; another editor of the team can "
                "continue. Why do you release it?",
                who=one.editor or "",
                kit=one.kit,
            ),
        )
        if given and reason.strip():
            self._writer.submit(
                lambda _: release(location, one.kit, one.team, one.pass_, reason=reason),
                lambda _: self._refresh(),
                failed=self.shell.show_error,
            )

    # -- reading ------------------------------------------------------------------------------

    def _on_change(self) -> None:
        """Somebody, perhaps in another program, wrote to the campaign."""
        self._refresh()
        if self.tabs.currentWidget() is self.agreement:
            self.agreement.outdated()
        else:
            self._on_tab()

    def _on_tab(self, *, anew: bool = False) -> None:
        """Read what the tab in front shows; what is behind is read when it comes to the front."""
        location, tab = self._location, self.tabs.currentWidget()
        self.state_changed.emit()
        if not location:
            return
        if tab in (self.overlap, self.trail, self.steps):
            tab.read(location)
        elif tab is self.agreement:
            self.agreement.read(location, anew=anew)

    def _read_pace(self) -> None:
        """How fast editors are: read after the board, which must not wait for it, and seldom."""
        location = self._location
        if location and not self._pacer.busy:
            self._paced = location
            self._pacer.submit(
                lambda _: (read_pace(location), read_alarms(location)),
                lambda found: self._show_pace(*found),
                failed=lambda _: None,
            )  # a campaign that cannot be read is told by the board

    def _show_pace(self, pace: Pace, alarms: Sequence[Drift]) -> None:
        self._pace, self._alarms = pace, alarms
        self._summarise()

    def _refresh(self) -> None:
        location = self._location
        if not location:
            return
        seen = location == self._seen

        def work(ticket: Ticket) -> Board:
            if not seen:
                begun = read_board(location, first_kits=_FIRST_KITS)
                if begun.complete:
                    return begun
                ticket.part(begun)
            return read_board(location)

        self._reader.submit(work, self._show, part=self._show_rows, failed=self._failed)

    def _failed(self, error: BaseException) -> None:
        self._timer.stop()  # told once; the next look at the view tries again
        give_up_reading(self)
        self.shell.show_error(error)

    def _show_rows(self, board: Board) -> None:
        self._board = board
        if self._seen != self._location and not board.rows:
            self.tabs.setCurrentWidget(self.steps)  # there is nothing else to see yet
        self._seen = self._location
        self._bar.title.setText(board.campaign)
        self._summarise()
        self.model.show_board(board)
        self.screens.setCurrentWidget(self._page)
        self.title_changed.emit()
        self._chosen_changed()

    def _show(self, board: Board) -> None:
        self._show_rows(board)
        if self._paced != self._location and not self._pace_soon.isActive():
            self._pace, self._alarms = None, ()
            self._pace_soon.start()

    def _summarise(self) -> None:
        board = self._board
        if board is None:
            return
        self._warn(board)
        if not board.complete:
            self.summary.setText(tr("The other kits are being read …"))
            return
        passes = words = confirmed = done = stalled = late = 0
        for row in board.rows:  # once: a large campaign has thousands of rows
            if row.practice:
                continue
            for one in (row.first, row.review):
                passes += 1
                words += one.progress.words
                confirmed += one.progress.words_confirmed
                done += one.progress.state is PassState.HANDED_OVER
                stalled += one.stalled
                late += one.late
        text = tr_count(
            "{done} of {count} pass handed over · {share} of the words",
            "{done} of {count} passes handed over · {share} of the words",
            passes,
            done=tr_number(done),
            share=tr_figure(f"{100 * confirmed / words:.0f} %" if words else "0 %"),
        )
        if words > confirmed:
            text += tr_count(" · {count} word left", " · {count} words left", words - confirmed)
            hours = None if self._pace is None else hours_left(board, self._pace)
            if hours is not None:
                text += tr(", about {hours} h of editing", hours=tr_figure(f"{hours:,.0f}"))
        text += tr(" · {count} stalled", count=tr_number(stalled)) if stalled else ""
        text += tr(" · {count} late", count=tr_number(late)) if late else ""
        self.summary.setText(" · ".join([text, *countdown_texts(board.calendars, board.at)]))
        self.summary.setToolTip(self.summary.text())

    def _warn(self, board: Board) -> None:
        """What makes figures doubtful: teams that drift, rows that are left out."""
        said = [alarm_text(self._alarms)] if self._alarms else []
        said += [tr("⚠ Rows left out")] if board.left_out else []
        self.alarm.setText(" · ".join(said))
        told_in_full = [*map(told, self._alarms), *board.left_out]
        self.alarm.setToolTip("\n".join(told_in_full))
        self.alarm.setAccessibleDescription(". ".join(told_in_full))
        self.alarm.setVisible(bool(said))

    def _chosen_changed(self) -> None:
        self._release.setEnabled(self._held() is not None)
        self._give.setEnabled(self._to_give_out() is not None)
        self.state_changed.emit()

    def _held(self) -> BoardPass | None:
        found = self.model.pass_at(self.table.currentIndex())
        return found if found and found.progress.state is PassState.CLAIMED else None

    def _out(self) -> BoardPass | None:
        found = self.model.pass_at(self.table.currentIndex())
        return found if found is not None and found.out is not None else None

    def _to_give_out(self) -> PassProgress | None:
        """The chosen pass, where somebody can take it up or go on with it."""
        found = self.model.pass_at(self.table.currentIndex())
        state = found.progress.state if found is not None else None
        able = state in (PassState.OPEN, PassState.CLAIMED)
        return found.progress if found is not None and able else None
