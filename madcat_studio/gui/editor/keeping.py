"""Sees to it that what is typed reaches disk and campaign, and tells what hinders it, once."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from madcat_studio.errors import StudioError
from madcat_studio.gui.translation import tr
from madcat_studio.gui.workers import Queue
from madcat_studio.model.campaign import Revision
from madcat_studio.workspace.kit import KitWorkspace

__all__ = ["Keeper"]

_TRY_AGAIN_MS = 20_000
_ROUND_MS = 2_000
"""How often it is asked whether the kit was opened elsewhere: one short question."""
_ASIDES_EACH = 10
"""In each of so many rounds it is asked what was kept aside, too, which reads the pass's texts."""


class Keeper(QObject):
    """Looks after the kit that is open. Sending is done in the store's thread.

    Signals:
        notice: something the editor should be told, with the level ("info" or "warning").
        moved: what is typed may lie somewhere else now; :meth:`where` says it.
        trying: what could not be reached may be there again.
        taken: the kit was opened elsewhere; the workspace has let go of it.
        asides: texts of this editor that the campaign keeps aside, where there are other ones
            than before.
    """

    notice = Signal(str, str)
    moved = Signal()
    trying = Signal()
    taken = Signal()
    asides = Signal(object)

    def __init__(self, store: Queue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._workspace: KitWorkspace | None = None
        self._told = self._told_disk = ""
        self._told_side = self._sending = self._in_file = False
        self._beside = 0
        self._again = QTimer(self)
        self._again.setInterval(_TRY_AGAIN_MS)
        self._again.timeout.connect(self.try_again)
        self._asides: frozenset[str] = frozenset()
        self._round = QTimer(self)
        self._round.setInterval(_ROUND_MS)
        self._round.timeout.connect(self._look_again)
        self._rounds = 0

    def begin(self, workspace: KitWorkspace, *, in_file: bool) -> None:
        """Look after a kit; ``in_file``: it came as a file, and is saved there."""
        self._workspace, self._in_file = workspace, in_file
        self._told = self._told_disk = ""
        self._told_side = self._sending = False
        self._beside = 0
        self._again.start()
        self._asides = frozenset()
        if not in_file:
            self._round.start()
            self.look_around()
        self.deliver()

    def end(self) -> None:
        """The kit is closed."""
        self._workspace = None
        self._again.stop()
        self._round.stop()

    def where(self) -> str:
        """Where what is typed lies: the one thing that an editor must never have to wonder."""
        workspace = self._workspace
        if workspace is None:
            return ""
        if workspace.taken is not None:
            return tr("Open elsewhere: read-only here")
        if workspace.texts.spool_trouble:
            return tr("Not on the disk yet")
        if workspace.texts.pending:
            return tr("Kept on this machine")
        if workspace.texts.unsaved:
            return tr("Kept on this machine as you type")
        if workspace.texts.side:
            return tr("Kept aside in the campaign")
        return tr("Saved in the file") if self._in_file else tr("Saved in the campaign")

    def look(self) -> None:
        """The editor did something: tell of the disk, and send what is finished."""
        if self._workspace is not None:
            self._tell_disk(self._workspace)
            self.deliver()

    def deliver(self) -> None:
        """Send finished revisions to the campaign, unless it is known to be away."""
        workspace = self._workspace
        if workspace is not None and workspace.texts.pending and not workspace.texts.trouble:
            self._send(workspace, workspace.texts.deliver)

    def _look_again(self) -> None:
        self._rounds = (self._rounds + 1) % _ASIDES_EACH
        self.look_around(asides=not self._rounds)

    def look_around(self, *, asides: bool = True) -> None:
        """See whether the kit was opened elsewhere; ``asides``: and what was kept aside."""
        workspace = self._workspace
        if workspace is None or workspace.taken is not None or self._store.busy:
            return

        def work(_: object) -> tuple[Revision, ...] | None:
            found = workspace.texts.seat.elsewhere()
            if found is not None:
                workspace.be_taken_over(found)
            return workspace.texts.asides() if asides or found is not None else None

        def done(kept: tuple[Revision, ...] | None) -> None:
            if self._workspace is not workspace:
                return
            if workspace.taken is not None:
                self._again.stop()
                self._round.stop()
                self.taken.emit()
                self.moved.emit()
            if kept is not None and (known := frozenset(one.id for one in kept)) != self._asides:
                self._asides = known
                self.asides.emit(kept)

        def failed(error: BaseException) -> None:
            if not isinstance(error, StudioError):
                raise error  # else it is away, which is told where a text cannot be sent

        self._store.submit(work, done, failed=failed)

    def try_again(self) -> None:
        """Send and write what could not be sent or written before."""
        workspace = self._workspace
        if workspace is None:
            return
        self.trying.emit()
        if workspace.texts.pending or workspace.texts.spool_trouble:
            self._send(workspace, workspace.texts.flush)

    def _send(self, workspace: KitWorkspace, act: Callable[[], object]) -> None:
        """Send, unless it is being done: whoever types while a server is away must not queue."""
        if self._sending:
            return
        self._sending = True

        def done(_: object) -> None:
            if self._workspace is workspace:
                self._sending = False
                self._sent(workspace)
                self.deliver()  # what was finished meanwhile

        def failed(error: BaseException) -> None:
            if self._workspace is workspace:
                self._sending = False
            raise error

        self._store.submit(lambda _: act(), done, failed=failed)

    def _sent(self, workspace: KitWorkspace) -> None:
        self._tell_disk(workspace)
        if workspace.texts.trouble and not self._told:
            self.notice.emit(
                tr(
                    "The campaign cannot be reached. Your texts wait on this machine and are sent "
                    "as soon as it is back."
                ),
                "warning",
            )
        elif self._told and not workspace.texts.trouble:
            self.notice.emit(tr("The campaign is back; everything is saved."), "info")
        self._told = workspace.texts.trouble
        if workspace.texts.beside > self._beside:
            self._beside = workspace.texts.beside
            self.look_around()
        if workspace.texts.side and not self._told_side:
            self._told_side = True
            self.notice.emit(
                tr(
                    "This pass has been given to somebody else. Your texts are kept aside; ask "
                    "the coordinator."
                ),
                "warning",
            )
        self.moved.emit()

    def _tell_disk(self, workspace: KitWorkspace) -> None:
        """Once when the disk takes nothing more, once when it does again."""
        trouble = workspace.texts.spool_trouble
        if bool(trouble) == bool(self._told_disk):
            return
        self._told_disk = trouble
        if trouble:
            text = tr(
                "Your text cannot be kept on the disk ({why}). Carry on, but leave the program "
                "open: the text is written as soon as possible.",
                why=trouble,
            )
            self.notice.emit(text, "warning")
        else:
            self.notice.emit(tr("The disk can be written again; everything is kept."), "info")
