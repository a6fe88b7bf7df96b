"""Brings a scan from its file to the canvas, level by level, without holding up the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from madcat_studio.gui.page.levels import Level, Pyramid, half, quarter
from madcat_studio.gui.page.scan import ReadyScan, ScanInfo, further_levels, read_scan
from madcat_studio.gui.workers import Dispatcher, Ticket

__all__ = ["ScanLoader"]


class ScanLoader(QObject):
    """Loads one scan at a time; the newest request wins.

    Signals:
        opened: the scan can be painted: ScanInfo, Pyramid.
        grew: one more level is in the pyramid.
        failed: the exception.
        finished: all levels are there.
    """

    opened = Signal(object, object)
    grew = Signal()
    failed = Signal(object)
    finished = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = Dispatcher(self)
        self._info: ScanInfo | None = None
        self._pyramid: Pyramid | None = None
        self._scale = 0.0

    @property
    def busy(self) -> bool:
        """Whether levels are still to come."""
        return self._jobs.busy

    def load(self, path: Path, frame: int) -> None:
        """Begin; whatever is being loaded is forgotten."""
        self._info = self._pyramid = None
        self._run(lambda ticket: read_scan(path, frame, ticket.part, ticket.cancelled))

    def show(self, ready: ReadyScan) -> None:
        """Open one that was read before, now; its further levels follow."""
        self._jobs.cancel()
        self._info, self._pyramid = ready.info, None
        self._take(ready.levels)

        def work(ticket: Ticket) -> None:
            for levels in further_levels(ready.levels, ticket.cancelled):
                ticket.part(levels)

        self._run(work)

    def _run(self, work: Callable[[Ticket], None]) -> None:
        self._jobs.submit(
            work,
            lambda _: self._finish(),
            failed=self.failed.emit,
            part=self._take,
        )

    def refine(self, scale: float) -> None:
        """Make the level that a scale needs, where it was left out because the page is large."""
        self._scale = scale
        pyramid = self._pyramid
        if pyramid is None or self._jobs.busy or pyramid.full is None:
            return
        factor, image = pyramid.lacking(scale), pyramid.full.image
        if factor is not None:
            self._jobs.submit(
                lambda _: half(image) if factor == 2 else quarter(image, small=True),
                lambda made: self._take((Level(made, factor),)),
            )

    def _finish(self) -> None:
        self.finished.emit()
        self.refine(self._scale)

    def cancel(self) -> None:
        """Forget what is being loaded."""
        self._jobs.cancel()

    def close(self) -> None:
        """Cancel, and wait until no thread is at work."""
        self._jobs.close()

    def _take(self, part: ScanInfo | tuple[Level, ...]) -> None:
        if isinstance(part, ScanInfo):
            self._info = part
            return
        first = self._pyramid is None
        if self._pyramid is None:
            if self._info is None:
                return
            self._pyramid = Pyramid(self._info.width, self._info.height)
        for level in part:
            self._pyramid.add(level)
        if first:
            self.opened.emit(self._info, self._pyramid)
        else:
            self.grew.emit()
