"""Progress on a terminal: a bar where there is one, nothing in a file; Ctrl+C stops in order."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from madcat_studio.progress import Progress

__all__ = ["bar", "without"]


@contextmanager
def bar() -> Iterator[Progress]:
    """A bar for the work inside. The first Ctrl+C asks the work to stop.

    A second one stops it; so does a moment in which it has not asked whether it should.
    """
    shown = _Bar()
    ours = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, shown.stop) if ours else None
    try:
        yield shown
    finally:
        shown.close()
        if ours:
            signal.signal(signal.SIGINT, before)


def without() -> Callable[[], None]:
    """Show no bars from now on; what is returned ends that."""
    _wanted.clear()
    return lambda: _wanted.append(True)


_wanted = [True]
"""Empty while nobody wants to see bars."""

_PATIENCE = 0.25
"""Seconds in which work that was asked to stop has to notice it."""

_AGAIN = 1.0
"""Seconds after which it is interrupted again: Python drops what is raised in a finalizer."""


class _Bar:
    """Rich is loaded when there is something to show, which short work never has."""

    def __init__(self) -> None:
        self._stopped = False
        self._heard = False  # whether the work knows
        self._bars: Any = None
        self._task: Any = None
        self._impatient: Any = None  # what SIGALRM did before

    def advance(self, done: int, total: int | None, text: str = "") -> None:
        if self._bars is None:
            if done == total or not _wanted or not sys.stderr.isatty():
                return
            self._open()
        self._bars.update(self._task, completed=done, total=total, description=text)

    def cancelled(self) -> bool:
        self._heard = self._stopped
        return self._stopped

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        if self._stopped:
            raise KeyboardInterrupt
        self._stopped = True
        if hasattr(signal, "setitimer"):
            self._impatient = signal.signal(signal.SIGALRM, self._interrupt)
            signal.setitimer(signal.ITIMER_REAL, _PATIENCE, _AGAIN)

    def close(self) -> None:
        self._calm()
        if self._bars is not None:
            self._bars.stop()

    def _open(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
        from rich.progress import Progress as Bars

        from madcat_studio.reports import terminal

        self._bars = Bars(
            TextColumn("{task.description}", table_column=None),
            BarColumn(),
            MofNCompleteColumn(),
            console=terminal.console(stderr=True),
            transient=True,
        )
        self._task = self._bars.add_task("", total=None)
        self._bars.start()

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        # Who knows, or is on the way out, may need time to tidy up.
        if not self._heard and not isinstance(sys.exc_info()[1], KeyboardInterrupt):
            raise KeyboardInterrupt

    def _calm(self) -> None:
        if self._impatient is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._impatient)
            self._impatient = None
