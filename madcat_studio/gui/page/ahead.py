"""The page that comes next, read while its user looks at the one before.

One page at a time, when nothing else is done; its document is taken only if the file is still the
same byte for byte, its scan only if that file is. Going elsewhere forgets it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QTimer

from madcat_studio.errors import StudioError
from madcat_studio.formats.source import ReadDocument
from madcat_studio.gui.memory import give_back
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.scan import ReadyScan, read_first
from madcat_studio.gui.page.shapes import PageShapes
from madcat_studio.gui.workers import Dispatcher, Ticket
from madcat_studio.model.change import Change
from madcat_studio.model.document import Document, Page
from madcat_studio.workspace.ahead import read_ahead

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["Ahead"]

_WAIT_MS = 300
"""After what was done last; nobody turns two pages in that time to look at either."""


class _Next(NamedTuple):
    """A page that may be wanted next; its document where it is open already."""

    path: Path
    document: Document | None
    page: int


class _Ready(NamedTuple):
    opened: ReadDocument | None
    scan: ReadyScan | None
    page: Page | None
    shapes: PageShapes | None


class Ahead(Feature):
    """Reads it, and hands it over where the same page is asked for."""

    def __init__(self, view: PageHost, at_rest: Callable[[], bool]) -> None:
        """``at_rest``: whether the page that is shown needs no more work."""
        super().__init__(view)
        self._at_rest = at_rest
        self._place = (-1, 0)
        self._step = 1
        self._read = False
        self._ready = _Ready(None, None, None, None)
        self._work = Dispatcher(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._timer.timeout.connect(self._begin)

    def shapes(self, page: Page) -> PageShapes:
        """The outlines of a page: those that were made ahead, if nothing was edited since."""
        workspace, ready = self.view.workspace, self._ready
        untouched = workspace is not None and not workspace.can_undo and not workspace.can_redo
        if page is ready.page and ready.shapes is not None and untouched:
            return ready.shapes
        return PageShapes(page)

    @property
    def done(self) -> bool:
        """Whether everything is read that can be."""
        return self._read and not self._work.busy

    def page_shown(self) -> None:
        """Another page: what was read for it is in use now, or in vain."""
        self._forget()
        workspace, files = self.view.workspace, self.view.files.files
        if workspace is None:
            return
        row = files.index(workspace.path) if workspace.path in files else 0
        place = (row, self.view.page_number)
        self._step = -1 if place < self._place else 1
        self._place = place
        self._timer.start()

    def changed(self, change: Change) -> None:
        """Its user works: later."""
        if not self._read:
            self._timer.start()

    def shut_down(self) -> None:
        """Stop, and forget it."""
        self._forget()
        self._timer.stop()
        self._work.close()

    def _forget(self) -> None:
        self._work.cancel()
        self._read = False
        self._ready = _Ready(None, None, None, None)
        self.view.documents.ahead = self.view.scan.ready = None

    def _next(self) -> _Next | None:
        """Where a turn of the page in the same direction as before would lead."""
        workspace = self.view.workspace
        if workspace is None:
            return None
        page = self.view.page_number + self._step
        if 0 <= page < len(workspace.document.pages):
            return _Next(workspace.path, workspace.document, page)
        path = self.view.files.neighbour(workspace.path, self._step)
        if path is None or self.view.documents.is_open(path):
            return None
        return _Next(path, None, 0)

    def _begin(self) -> None:
        if self.view.scan.busy or not self._at_rest():
            self._timer.start()
            return
        self._read = True
        following, image_of = self._next(), self.view.scan.image_of

        def work(ticket: Ticket) -> _Ready:
            try:
                return _read(following, image_of, ticket.cancelled)
            except StudioError:
                return _Ready(None, None, None, None)  # whoever opens it is told what is wrong
            finally:
                give_back()

        self._work.submit(work, self._take)

    def _take(self, ready: _Ready) -> None:
        self._ready = ready
        self.view.documents.ahead, self.view.scan.ready = ready.opened, ready.scan


def _read(
    following: _Next | None,
    image_of: Callable[[Path, Document, int], tuple[Path, int] | None],
    cancelled: Callable[[], bool],
) -> _Ready:
    """Read what is wanted of a page, in any thread."""
    if following is None:
        return _Ready(None, None, None, None)
    opened, document = None, following.document
    page, shapes = None, None
    if document is None:
        opened = read_ahead(following.path)
        document = opened.document
        if document.pages:
            page = document.pages[following.page]
            shapes = PageShapes(page)
        give_back()  # the parsed file, before the scan takes as much again
    image = None if cancelled() else image_of(following.path, document, following.page)
    scan = None if image is None else read_first(*image, cancelled)
    return _Ready(opened, scan, page, shapes)
