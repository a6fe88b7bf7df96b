"""The coordinator's board: which team is how far with which kit, kept fresh while it is seen."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QInputDialog,
    QLabel,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.coordinator.boardmodel import BoardModel, PassDelegate
from madcat_studio.gui.coordinator.kitfiles import KitFiles
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import Shell, View
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.campaign import PassProgress, PassState
from madcat_studio.operations.board import Board, BoardPass, read_board, release_pass

__all__ = ["BoardView"]

_REFRESH_MS = 30_000


class BoardView(View):
    """How one campaign stands."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._location = ""
        self._board: Board | None = None
        self._reader = Dispatcher(self)
        self._writer = Dispatcher(self)
        self._files = KitFiles(self, shell, self._refresh)
        self._timer = QTimer(self)
        self._timer.setInterval(_REFRESH_MS)
        self._timer.timeout.connect(self._refresh)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self._stack = QStackedWidget()
        layout.addWidget(self._stack)
        empty = EmptyScreen(
            tr("No campaign is open"),
            tr("Open a campaign to see how its kits stand, or have a look at the demo."),
            (
                (tr("Open a campaign"), "file.open-campaign"),
                (tr("Open the demo"), "file.open-demo"),
            ),
        )
        empty.wanted.connect(shell.run)
        self._stack.addWidget(empty)
        self._page = self._build()
        self._stack.addWidget(self._page)

    def _build(self) -> QWidget:
        page = QWidget()
        outer = QVBoxLayout(page)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        bar = QWidget()
        bar.setObjectName("toolbar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(bar)
        row.setContentsMargins(16, 8, 12, 8)
        row.setSpacing(10)
        self._title = QLabel()
        self._title.setObjectName("kitname")
        row.addWidget(self._title)
        self.summary = QLabel()
        row.addWidget(self.summary)
        row.addStretch(1)
        self._give = QPushButton(tr("Give out as a file…"))
        self._give.clicked.connect(lambda: self.trigger("board.give-out", False))
        self._take = QPushButton(tr("Take files in…"))
        self._take.clicked.connect(lambda: self.trigger("board.take-in", False))
        for button in (self._give, self._take):
            row.addWidget(button)
        self._release = QPushButton(tr("Release the pass…"))
        self._release.clicked.connect(lambda: self.trigger("board.release", False))
        row.addWidget(self._release)
        outer.addWidget(bar)
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
        table = QHBoxLayout()
        table.setContentsMargins(6, 4, 6, 0)
        table.addWidget(self.table)
        outer.addLayout(table, 1)
        return page

    # -- the shell ----------------------------------------------------------------------------

    def title(self) -> str:
        """The campaign's name."""
        return "" if self._board is None else tr("{name} – board", name=self._board.campaign)

    def open_location(self, location: str, target: Mapping[str, str]) -> None:
        """Show the board of a campaign."""
        self._location = location
        self.shell.opened(location, self)
        self._refresh()

    def shown(self, campaign: str) -> None:
        """The view came to the front: show the campaign that is open."""
        if campaign:
            self._location = campaign
            self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def shut_down(self) -> None:
        """End worker and timer."""
        self._timer.stop()
        self._reader.close()
        self._writer.close()
        self._files.close()

    def dress(self) -> None:
        """Follow the theme."""
        self.table.viewport().update()

    def trigger(self, action: str, checked: bool) -> None:
        """Do what an action of the board says."""
        if action == "board.refresh":
            self._refresh()
        elif action == "board.release":
            self._ask_release()
        elif action == "board.give-out":
            chosen = self._to_give_out()
            if chosen is not None:
                self._files.give_out(self._location, chosen)
        elif action == "board.take-in":
            self._files.take_in(self._location)

    def can(self, action: str) -> bool:
        """Only a pass that somebody holds can be released."""
        if action == "board.release":
            return self._held() is not None
        if action == "board.give-out":
            return self._to_give_out() is not None
        return bool(self._location)

    # -- reading ------------------------------------------------------------------------------

    def _refresh(self) -> None:
        location = self._location
        if location and not self._reader.busy:
            self._reader.submit(lambda _: read_board(location), self._show, failed=self._failed)

    def _failed(self, error: BaseException) -> None:
        self._timer.stop()  # told once; the next look at the view tries again
        self.shell.show_error(error)

    def _show(self, board: Board) -> None:
        self._board = board
        self._title.setText(board.campaign)
        passes = board.passes
        done = sum(one.progress.state is PassState.HANDED_OVER for one in passes)
        stalled = sum(one.stalled for one in passes)
        words = sum(one.progress.words for one in passes)
        confirmed = sum(one.progress.words_confirmed for one in passes)
        text = tr(
            "{done} of {all} passes handed over · {share} of the words",
            done=done,
            all=len(passes),
            share=f"{100 * confirmed / words:.0f} %" if words else "0 %",
        )
        self.summary.setText(text + (tr(" · {count} stalled", count=stalled) if stalled else ""))
        self.model.show_board(board)
        self._stack.setCurrentWidget(self._page)
        self.title_changed.emit()
        self._chosen_changed()

    def _chosen_changed(self) -> None:
        self._release.setEnabled(self._held() is not None)
        self._give.setEnabled(self._to_give_out() is not None)
        self.state_changed.emit()

    def _held(self) -> BoardPass | None:
        found = self.model.pass_at(self.table.currentIndex())
        return found if found and found.progress.state is PassState.CLAIMED else None

    def _to_give_out(self) -> PassProgress | None:
        """The chosen pass, where somebody can take it up or go on with it."""
        found = self.model.pass_at(self.table.currentIndex())
        state = found.progress.state if found is not None else None
        able = state in (PassState.OPEN, PassState.CLAIMED)
        return found.progress if found is not None and able else None

    def _ask_release(self) -> None:
        held = self._held()
        if held is None:
            return
        one, location = held.progress, self._location
        reason, given = QInputDialog.getText(
            self,
            tr("Release the pass"),
            tr(
                "{who} holds kit {kit}. What is saved stays; another editor of the team can go "
                "on. Why is it released?",
                who=one.editor or "",
                kit=one.kit,
            ),
        )
        if given and reason.strip():
            self._writer.submit(
                lambda _: release_pass(location, one.kit, one.team, one.pass_, reason=reason),
                lambda _: self._refresh(),
                failed=self.shell.show_error,
            )
