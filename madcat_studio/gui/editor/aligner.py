"""Aligns the text that is being typed: in a worker, or at once where that is the smaller delay."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from madcat_studio.errors import InputError
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.campaign import KitSegment
from madcat_studio.operations.scores.alignments import Aligned, align_segment
from madcat_ter.options import TerOptions

__all__ = ["SegmentAligner"]

_AT_ONCE = 0.004
"""An alignment that takes less (seconds) is made at once: waking a worker takes as long."""


class SegmentAligner(QObject):
    """Aligns one segment's text again and again.

    How long it takes depends on the texts and the kernel, and is only known from the time before:
    the first one of each segment goes to a worker, and so does all that is not quick.
    """

    def __init__(
        self,
        done: Callable[[Aligned], None],
        failed: Callable[[BaseException], None],
        parent: QObject | None = None,
    ) -> None:
        """Make one; ``done`` and ``failed`` are called in the GUI thread, for the newest text."""
        super().__init__(parent)
        self._worker = Dispatcher(self)
        self._done, self._failed = done, failed
        self._segment: KitSegment | None = None
        self._quick = False

    @property
    def busy(self) -> bool:
        """Whether a text is being aligned, or waits."""
        return self._worker.busy

    def align(self, segment: KitSegment, text: str, options: TerOptions) -> None:
        """Align a text of a segment; an older text is forgotten."""
        if segment is not self._segment:
            self._segment, self._quick = segment, False
        output, first = segment.output, segment.first
        if not self._quick:
            self._worker.submit(
                lambda _: align_segment(output, first, text, options),
                lambda aligned: self._aligned(segment, aligned),
                failed=self._failed,
            )
            return
        self._worker.cancel()
        try:
            aligned = align_segment(output, first, text, options)
        except InputError as error:
            self._failed(error)
        else:
            self._aligned(segment, aligned)

    def _aligned(self, segment: KitSegment, aligned: Aligned) -> None:
        if segment is self._segment:
            self._quick = aligned.seconds < _AT_ONCE
        self._done(aligned)

    def cancel(self) -> None:
        """Forget what is being aligned."""
        self._worker.cancel()

    def close(self) -> None:
        """End the worker."""
        self._worker.close()
