"""Joins the queue of pages to the view: who has the page that is shown, and what comes next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QMessageBox

from madcat_studio.formats.page_queue import PageQueue
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.queue.model import STATES, dot
from madcat_studio.gui.page.queue.pace import PaceDialog
from madcat_studio.gui.page.queue.panel import QueuePanel
from madcat_studio.gui.settings import QUEUE_NAME, Setting
from madcat_studio.gui.translation import tr
from madcat_studio.gui.workers import Dispatcher, Queue
from madcat_studio.model.change import Change
from madcat_studio.model.pagework import PageWork, WorkState
from madcat_studio.operations.pages import page_queue
from madcat_studio.operations.pages.folder import page_file, page_name
from madcat_studio.operations.pages.pace import FolderPace, folder_pace

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["QueueFeature"]

_LOOK_MS = 10_000
_BUSY = (WorkState.IN_WORK, WorkState.IN_CHECK)


class QueueFeature(Feature):
    """Shows the queue beside the pages and makes its steps.

    Attributes:
        panel: a tab beside the page.
    """

    def __init__(self, view: PageHost, buttons: Sequence[Action[Any]]) -> None:
        super().__init__(view)
        self.panel = QueuePanel(view.shell.commands, buttons)
        view.side.tabs.addTab(self.panel, tr("Queue"))
        self.panel.wanted.connect(self._open)
        self.panel.noted.connect(self._note)
        view.shell.settings.changed.connect(self._on_setting)
        self._jobs = Queue(self)
        self._pace = Dispatcher(self)
        self._works: Sequence[PageWork] = ()
        self._known: PageQueue | None = None
        self._told: tuple[Path, WorkState, str] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.look)

    @property
    def who(self) -> str:
        """Under which name this user works."""
        return self.view.shell.settings.get(QUEUE_NAME) or page_queue.me()

    @property
    def work(self) -> PageWork | None:
        """What the queue says of the page that is shown; None before it was read."""
        workspace = self.view.workspace
        if workspace is None:
            return None
        name = page_name(workspace.path)
        return next((work for work in self._works if work.page == name), None)

    # As a feature of the view

    @property
    def is_mine(self) -> bool:
        """Whether this user is at work on the page."""
        work = self.work
        return work is not None and work.holder == self.who and work.state in _BUSY

    @property
    def can_claim(self) -> bool:
        """Whether the page can be worked on, checked or taken over."""
        work = self.work
        if work is None:
            return False
        checkable = work.state is WorkState.DONE and work.worker != self.who
        foreign = work.state in _BUSY and not self.is_mine
        return work.state is WorkState.OPEN or checkable or foreign

    @property
    def can_reopen(self) -> bool:
        """Whether the work on the page is over."""
        return self._stands(WorkState.DONE, WorkState.CHECKED, WorkState.RELEASED)

    @property
    def can_release(self) -> bool:
        """Whether the page is finished, and not given out yet."""
        return self._stands(WorkState.DONE, WorkState.CHECKED)

    def _stands(self, *states: WorkState) -> bool:
        return self.work is not None and self.work.state in states

    @property
    def claim_title(self) -> str | None:
        """Claiming is checking where a page is done."""
        work = self.work
        if work is not None and work.state is WorkState.DONE:
            return tr("&Check the page")
        return tr("Take the page &over") if work is not None and work.state in _BUSY else None

    def show_panel(self) -> None:
        """Show the queue, as it is now."""
        self.view.side.bring(self.panel)
        self.panel.table.setFocus()
        self.look()

    def claim_next(self) -> None:
        """Claim the next page of the folder, and open it."""
        path, who = self._path, self.who
        if path is not None:
            folder = path.parent
            self._step(lambda: page_queue.claim_next(folder, who), then=self._open_work)

    def show_pace(self) -> None:
        """Tell how many pages an hour are done in this folder."""
        path = self._path
        if path is None:
            return
        folder = path.parent

        def done(found: FolderPace) -> None:
            dialog = PaceDialog(found, self.view.widget)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

        self._pace.submit(
            lambda ticket: folder_pace(folder, progress=ticket),
            done,
            failed=self.view.shell.show_error,
        )

    def finish(self) -> None:
        """The work on the page is done: what is finished is what lies in the file."""
        workspace, who = self.view.workspace, self.who
        if workspace is not None and (not workspace.dirty or self.view.documents.save(workspace)):
            path = workspace.path
            self._step(lambda: page_queue.finish(path, who))

    def give_back(self) -> None:
        """Somebody else may claim the page."""
        path, who = self._path, self.who
        if path is not None:
            self._step(lambda: page_queue.give_back(path, who))

    def reopen(self) -> None:
        """The page is open again."""
        path, who = self._path, self.who
        if path is not None:
            self._step(lambda: page_queue.reopen(path, who))

    @property
    def _path(self) -> Path | None:
        return None if self.view.workspace is None else self.view.workspace.path

    def document_shown(self) -> None:
        """Another document, perhaps in another folder."""
        workspace = self.view.workspace
        assert workspace is not None
        if self._known is None or self._known.folder.parent != workspace.path.parent:
            self._known = PageQueue(workspace.path.parent)
            self._works = ()
        self._show()
        self.look()
        self._timer.start()

    def changed(self, change: Change) -> None:
        """Other rows are marked where the document has another name now."""
        if change == Change():
            self._show()

    def apply_theme(self) -> None:
        """Follow the theme."""
        colours, ratio = self.view.shell.theme.colours, self.view.widget.devicePixelRatioF()
        self.panel.model.apply_theme(colours, ratio)
        self._mark_files()

    def shut_down(self) -> None:
        """Stop looking."""
        self._timer.stop()
        self._jobs.close()
        self._pace.close()

    def _on_setting(self, setting: Setting[str]) -> None:
        if setting is QUEUE_NAME:
            self._show()

    # Reading

    def look(self) -> None:
        """Read the queue again, in a thread: it may lie on a slow share."""
        if not self._jobs.busy:
            self._look()

    def _look(self, then: Callable[[], None] | None = None) -> None:
        known = self._known
        if known is None:
            return
        folder = known.folder.parent

        def take(works: Sequence[PageWork]) -> None:
            if known is self._known and works != self._works:
                self._works = works
                self._show()
            if then is not None:
                then()

        self._jobs.submit(
            lambda _: page_queue.list_work(folder, known), take, failed=self._on_failed
        )

    def _on_failed(self, error: BaseException) -> None:
        self._timer.stop()  # told once; it is read again with the next page or step
        self.view.shell.show_error(error)

    def _show(self) -> None:
        workspace = self.view.workspace
        if workspace is None:
            return
        work = self.work
        frozen = page_queue.why_frozen(work) if work is not None else ""
        if work is not None and workspace.frozen != frozen:
            workspace.frozen = frozen
        self.view.canvas.selection.set_editable(not workspace.frozen)
        self.panel.show_person(self.who)
        self.panel.model.set_queue(self._works)
        self.panel.show_counts()
        self.view.state_changed.emit()
        self.panel.show_work(work, _told(work) if work is not None else "")
        self.panel.mark(page_name(workspace.path))
        self._mark_files()
        if work is not None:
            self._say(workspace.path, work)

    def _say(self, path: Path, work: PageWork) -> None:
        """Tell once that a page is frozen, or in somebody else's hands."""
        now = (path, work.state, work.holder)
        if now == self._told:
            return
        self._told = now
        if work.frozen:
            self.view.shell.messages.info(
                tr("This page is released and frozen: you can look at it, but not edit it.")
            )
        elif work.state in _BUSY and work.holder != self.who:
            self.view.shell.messages.info(
                tr(
                    "{who} has this page. Claim another one, or talk to them first.",
                    who=work.holder,
                )
            )

    def _mark_files(self) -> None:
        files = self.view.files
        if files.isHidden() or not any(work.number for work in self._works):
            return
        colours, ratio = self.view.shell.theme.colours, self.view.widget.devicePixelRatioF()
        by_name = {work.page: work for work in self._works}
        dots = {state: dot(state, colours, ratio) for state in WorkState}
        for path in files.files:
            work = by_name.get(page_name(path))
            if work is not None:
                files.badge(path, dots[work.state], _told(work))

    # Steps

    def _step(
        self, act: Callable[[], PageWork], then: Callable[[PageWork], None] | None = None
    ) -> None:
        """Make a step in the thread, then read the queue again."""

        def done(work: PageWork) -> None:
            self._timer.start()
            self._look()
            if then is not None:
                then(work)

        def failed(error: BaseException) -> None:
            # What the queue says now explains the refusal; the refusal is what stays to be read.
            self._look(lambda: self.view.shell.show_error(error))

        self._jobs.submit(lambda _: act(), done, failed=failed)

    def claim(self) -> None:
        """Work on the page, or check it; where somebody else does, ask first."""
        work, path, who = self.work, self._path, self.who
        if path is None:
            return
        over = work is not None and work.state in _BUSY and work.holder != who
        if (
            over
            and work is not None
            and not self._agreed(
                tr("Take the page over"),
                tr("{who} has this page. Take it over?", who=work.holder),
            )
        ):
            return
        self._step(lambda: page_queue.claim(path, who, take_over=over))

    def release(self) -> None:
        """Give the page out; where nobody checked it, ask first."""
        work, path, who = self.work, self._path, self.who
        if path is None:
            return
        unchecked = work is not None and work.state is WorkState.DONE
        if unchecked and not self._agreed(
            tr("Release without a second check"),
            tr("Nobody has checked this page. Release it anyway?"),
        ):
            return
        self._step(lambda: page_queue.release(path, who, unchecked=unchecked))

    def _agreed(self, title: str, text: str) -> bool:
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self.view.widget, title, text, buttons.Yes | buttons.Cancel, buttons.Cancel
        )
        return answer == buttons.Yes

    def _note(self, text: str) -> None:
        workspace, who = self.view.workspace, self.who
        if workspace is not None:
            path = workspace.path
            self._step(lambda: page_queue.set_note(path, who, text))

    def _open_work(self, work: PageWork) -> None:
        self._open(work.page)

    def _open(self, page: str) -> None:
        workspace = self.view.workspace
        if workspace is None:
            return
        path = page_file(workspace.path.parent, page)
        if path != workspace.path:
            self.view.shell.open(str(path), view="page")


def _told(work: PageWork) -> str:
    """One sentence on a page's state."""
    state = tr(STATES[work.state]).capitalize()
    since = ""
    if work.since is not None:
        since = f"{work.since.astimezone():%Y-%m-%d %H:%M}"
    if work.holder:
        return tr("{state}: {who} has it since {since}.", state=state, who=work.holder, since=since)
    if work.checker:
        return tr(
            "{state} since {since}: done by {worker}, checked by {checker}.",
            state=state,
            since=since,
            worker=work.worker,
            checker=work.checker,
        )
    if work.worker:
        return tr("{state} since {since}: by {who}.", state=state, since=since, who=work.worker)
    return tr("{state}: nobody has claimed it.", state=state)
