"""Saves large pages in a thread, from a copy, while their user goes on."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from PySide6.QtCore import QObject

from madcat_studio.errors import StudioError
from madcat_studio.gui.page.snapshot import Snapshots
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.change import Change
from madcat_studio.workspace.page import PageWorkspace
from madcat_studio.workspace.saving import Saved, SaveOrder

__all__ = ["Saver"]

_LARGE = 250
"""Words; a page with more takes longer to be written than a picture takes on the screen."""

Told = Callable[[PageWorkspace, BaseException | None], None]


class Saver(QObject):
    """One save at a time; whoever has to wait for it can."""

    def __init__(self, told: Told, parent: QObject | None = None) -> None:
        """``told``: a save in a thread came to its end, with an error or without."""
        super().__init__(parent)
        self._told = told
        self._copies: dict[PageWorkspace, Snapshots] = {}
        self._work = Dispatcher(self)
        self._running: tuple[PageWorkspace, SaveOrder, Future[Saved]] | None = None
        self._again: PageWorkspace | None = None

    def snapshots(self, workspace: PageWorkspace) -> Snapshots:
        """Copies of a document, each of which costs what changed since the one before."""
        return self._copies.setdefault(workspace, Snapshots())

    def follow(self, workspace: PageWorkspace, change: Change) -> None:
        """The document changed."""
        if workspace in self._copies:
            self._copies[workspace].follow(change)

    def forget(self, workspace: PageWorkspace) -> None:
        """The document is closed."""
        self.wait()
        self._copies.pop(workspace, None)

    @staticmethod
    def is_large(workspace: PageWorkspace) -> bool:
        """Whether a save would be felt."""
        pages = workspace.document.pages
        return sum(len(line.words) for page in pages for line in page.lines) > _LARGE

    @property
    def busy(self) -> bool:
        """Whether a page is being written."""
        return self._running is not None

    def begin(self, workspace: PageWorkspace) -> None:
        """Save in a thread; where one runs already, once more after that.

        Raises:
            ConflictError: ``page.frozen``.
        """
        if self._running is not None:
            self._again = workspace
            return
        copy = self.snapshots(workspace).take(workspace.document)
        order, future = workspace.begin_save(copy), Future[Saved]()
        self._running = workspace, order, future

        def work(_: object) -> None:
            try:
                future.set_result(order.run(apart=True))
            except BaseException as error:
                future.set_exception(error)

        self._work.submit(work, lambda _: self._end())

    def wait(self) -> None:
        """Until nothing is being saved: its end is told in here."""
        while self._running is not None:
            self._running[2].exception()  # waits
            self._end()

    def _end(self) -> None:
        if self._running is None:
            return  # somebody waited for it
        (workspace, order, future), self._running = self._running, None
        error = future.exception()
        if error is None:
            try:
                workspace.finish_save(order, future.result())
            except StudioError as failed:
                error = failed
        self._told(workspace, error)
        again, self._again = self._again, None
        if again is not None and again.dirty:
            try:
                self.begin(again)
            except StudioError as failed:
                self._told(again, failed)

    def close(self) -> None:
        """Wait for what runs."""
        self.wait()
        self._work.close()
