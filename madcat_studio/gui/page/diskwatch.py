"""Tells when the file of the document that is shown was changed or removed by somebody else.

The file is looked at when the system says that it changed, and when the window comes to the front
again: on network shares the system says nothing. Each state of the file is told once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from madcat_studio.errors import StudioError
from madcat_studio.formats.source import Source
from madcat_studio.gui.messages import Level, Message
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.translation import tr
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.change import Change
from madcat_studio.workspace.page import DiskState, PageWorkspace

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["DiskWatch"]

_WAIT_MS = 300
"""Programs write a file in several steps; so long after the last one it is looked at."""


class DiskWatch(Feature):
    """Looks, and offers to choose between the two."""

    def __init__(self, view: PageHost) -> None:
        super().__init__(view)
        self._told = DiskState.SAME
        self._work = Dispatcher(self)
        self._watcher: QFileSystemWatcher | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._timer.timeout.connect(self._look)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_state)

    def document_shown(self) -> None:
        """Watch another file."""
        self._told = DiskState.SAME
        self._watch()
        self._timer.start()  # it may have been changed while it waited behind another

    def changed(self, change: Change) -> None:
        """A save made another file of it, perhaps of another name."""
        if change == Change():
            self._told = DiskState.SAME
            self._watch()

    def shut_down(self) -> None:
        """Stop looking."""
        self._timer.stop()
        self._work.close()
        self._watcher = None

    def _watch(self) -> None:
        workspace = self.view.workspace
        if workspace is None:
            return
        if self._watcher is None:
            self._watcher = QFileSystemWatcher(self)
            self._watcher.fileChanged.connect(lambda _: self._timer.start())
        wanted = str(workspace.path)
        if self._watcher.files() != [wanted]:
            if self._watcher.files():
                self._watcher.removePaths(self._watcher.files())
            if workspace.path.exists():
                self._watcher.addPath(wanted)

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive and self._watcher is not None:
            self._timer.start()

    def _look(self) -> None:
        workspace = self.view.workspace
        if workspace is None:
            return
        if self.view.documents.saver.busy:
            self._timer.start()  # it is we who write it
            return
        self._watch()  # a file that was replaced is not watched any more
        source = workspace.source
        self._work.submit(
            lambda _: workspace.disk_state(),
            lambda state: self._on_found(workspace, source, state),
            failed=lambda error: self._on_failed(workspace, error),
        )

    def _on_failed(self, workspace: PageWorkspace, error: BaseException) -> None:
        # It cannot be read now: saving will say why, and what can be done.
        if not isinstance(error, StudioError):
            self.view.shell.show_error(error)

    def _on_found(self, workspace: PageWorkspace, source: Source, state: DiskState) -> None:
        if self.view.documents.saver.busy or workspace.source is not source:
            self._timer.start()  # a save came between
            return
        if workspace is not self.view.workspace or state is self._told:
            return
        self._told = state
        name = workspace.path.name
        if state is DiskState.GONE and workspace.imported_from is None:
            text = tr("{name} no longer exists. Saving writes it again.", name=name)
            self.view.shell.messages.post(Message(Level.WARNING, text, code="gui.file-gone"))
        elif state is DiskState.CHANGED:
            self._tell_changed(workspace)

    def _tell_changed(self, workspace: PageWorkspace) -> None:
        name = workspace.path.name
        if workspace.dirty:
            text = tr(
                "{name} was changed by somebody else. Your edits are safe; you decide what "
                "happens to both.",
                name=name,
            )
            offer = tr("Choose…")
        else:
            text = tr("{name} was changed by somebody else.", name=name)
            offer = tr("Read it again")
        self.view.shell.messages.post(
            Message(
                Level.WARNING,
                text,
                code="gui.file-changed",
                action=(offer, lambda: self._act(workspace)),
            )
        )

    def _act(self, workspace: PageWorkspace) -> None:
        if workspace is not self.view.workspace:
            return
        if workspace.dirty:
            reason = tr("the file was changed by somebody else since it was opened")
            self.view.documents.settle(workspace, reason)
            return
        try:
            workspace.take_theirs()
        except StudioError as error:
            self.view.shell.show_error(error)
