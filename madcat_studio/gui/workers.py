"""Work outside the GUI thread: plain values in, plain values out, the result by signal.

    Dispatcher     one job in flight, one waiting; a newer job replaces the waiting one and makes
                   the running one stale, so that only the newest result ever arrives
    Follower       the same, but what runs comes to its end and its result arrives: for what is
                   read again and again while others write
    Queue          every job in order, one at a time (for the store: one thread owns it)

While any job runs, garbage waits: Python collects it in whatever thread is at work, and a widget
that is thrown away in another thread than its own takes the program down.

Callers give functions for the result and for the failure; both are called in the GUI thread. A
failure that nobody asked for goes to the same place as any other exception of the program.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from PySide6.QtCore import QObject, Qt, QThreadPool, Signal, Slot

from madcat_studio.gui.memory import hold, let_go, tidy

__all__ = ["Dispatcher", "Follower", "Queue", "Ticket"]


class Ticket:
    """What a running job holds: whether it is still wanted, and a way to hand over parts.

    It has the methods of :class:`madcat_studio.progress.Progress` and can be given to long work.
    """

    def __init__(self, signals: _Signals) -> None:
        self._signals = signals
        self.stale = False

    def part(self, value: object) -> None:
        """Hand over a part of the result before the end."""
        self._signals.part.emit(self, value)

    def advance(self, done: int, total: int | None, text: str = "") -> None:
        """Tell how far the work is."""
        self._signals.progress.emit(self, done, -1 if total is None else total, text)

    def cancelled(self) -> bool:
        """Whether nobody waits for the result any more."""
        return self.stale


class _Signals(QObject):
    """Carries results from any thread to the GUI thread."""

    part = Signal(object, object)
    progress = Signal(object, int, int, str)
    done = Signal(object, object)
    failed = Signal(object, object)


class _Ends(QObject):
    """Hears of the end of every job, also where the window that waited for it is gone."""

    job = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.job.connect(self._let_go, Qt.ConnectionType.QueuedConnection)

    @Slot(object)
    def _let_go(self, job: _Job) -> None:
        job.let_go()
        let_go(job)


@cache
def _ends() -> _Ends:
    return _Ends()


class _Job:
    """Run in a thread. Not a QRunnable: the pool keeps those, and whatever they hold, for ever."""

    def __init__(self, ticket: Ticket, signals: _Signals, work: Callable[[Ticket], Any]) -> None:
        self._ticket = ticket
        self._signals = signals
        self._work: Callable[[Ticket], Any] | None = work
        self._ends = _ends()  # made here, in the GUI thread

    def let_go(self) -> None:
        """It is done: what it held is thrown away here, in the GUI thread."""
        self._work = None

    def run(self) -> None:
        # A window that is closed meanwhile takes the signals along: nobody waits for the end then.
        with suppress(RuntimeError):
            try:
                result = self._work(self._ticket) if self._work is not None else None
            except BaseException as error:
                self._signals.failed.emit(self._ticket, error)
            else:
                self._signals.done.emit(self._ticket, result)
        self._ends.job.emit(self)


class _Order:
    def __init__(
        self,
        work: Callable[[Ticket], Any],
        done: Callable[[Any], None],
        failed: Callable[[BaseException], None] | None,
        part: Callable[[Any], None] | None,
        progress: Callable[[int, int, str], None] | None,
    ) -> None:
        self.work = work
        self.done = done
        self.failed = failed
        self.part = part
        self.progress = progress


class _Runner(QObject):
    """One job at a time; the subclasses say what becomes of the others."""

    busy_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None, *, pool: QThreadPool | None = None) -> None:
        super().__init__(parent)
        self._pool = pool if pool is not None else QThreadPool.globalInstance()
        self._signals = _Signals(self)
        queued = Qt.ConnectionType.QueuedConnection
        self._signals.part.connect(self._on_part, queued)
        self._signals.progress.connect(self._on_progress, queued)
        self._signals.done.connect(self._on_done, queued)
        self._signals.failed.connect(self._on_failed, queued)
        self._waiting: deque[_Order] = deque()
        self._ticket: Ticket | None = None
        self._job: _Job | None = None
        self._order: _Order | None = None

    @property
    def busy(self) -> bool:
        """Whether a job runs or waits."""
        return self._ticket is not None or bool(self._waiting)

    def submit(
        self,
        work: Callable[[Ticket], Any],
        done: Callable[[Any], None],
        *,
        failed: Callable[[BaseException], None] | None = None,
        part: Callable[[Any], None] | None = None,
        progress: Callable[[int, int, str], None] | None = None,
    ) -> None:
        """Run ``work`` in a thread; everything else is called in the GUI thread."""
        self._make_room()
        self._waiting.append(_Order(work, done, failed, part, progress))
        self._next()

    def _make_room(self) -> None:
        """What a new job does to the others."""

    def cancel(self) -> None:
        """Forget what waits, and the result of what runs."""
        self._waiting.clear()
        if self._ticket is not None:
            self._ticket.stale = True

    def close(self) -> None:
        """Cancel, and wait for the thread to be free."""
        self.cancel()
        if self._job is not None and self._pool.waitForDone(10_000):
            let_go(self._job)

    def _next(self) -> None:
        if self._ticket is not None or not self._waiting:
            return
        self._order = self._waiting.popleft()
        self._ticket = Ticket(self._signals)
        self._job = _Job(self._ticket, self._signals, self._order.work)
        self.busy_changed.emit(True)
        hold(self._job)
        self._pool.start(self._job.run)

    def _finish(self, ticket: Ticket) -> _Order | None:
        order = None if ticket.stale else self._order
        if self._job is not None:
            self._job.let_go()
            let_go(self._job)
        self._ticket = self._job = self._order = None
        if not self._waiting:
            self.busy_changed.emit(False)
        self._next()
        return order

    @Slot(object, object)
    def _on_part(self, ticket: Ticket, value: object) -> None:
        if not ticket.stale and self._order is not None and self._order.part is not None:
            self._order.part(value)

    @Slot(object, int, int, str)
    def _on_progress(self, ticket: Ticket, done: int, total: int, text: str) -> None:
        tidy()
        if not ticket.stale and self._order is not None and self._order.progress is not None:
            self._order.progress(done, total, text)

    @Slot(object, object)
    def _on_done(self, ticket: Ticket, result: object) -> None:
        order = self._finish(ticket)
        if order is not None:
            order.done(result)

    @Slot(object, object)
    def _on_failed(self, ticket: Ticket, error: BaseException) -> None:
        order = self._finish(ticket)
        if order is None:
            return
        if order.failed is not None:
            order.failed(error)
        else:
            sys.excepthook(type(error), error, error.__traceback__)


class Dispatcher(_Runner):
    """The newest job wins: what waits is replaced, and what runs becomes stale."""

    def _make_room(self) -> None:
        self.cancel()


class Follower(_Runner):
    """What runs is finished first; of what came meanwhile the newest follows.

    So something is shown also where changes come faster than they can be read.
    """

    def _make_room(self) -> None:
        self._waiting.clear()


class Queue(_Runner):
    """Every job in order, all in one thread of their own: whoever is not thread-safe lives there.

    A job's failure does not stop the next one.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        pool = QThreadPool()
        pool.setMaxThreadCount(1)
        pool.setExpiryTimeout(-1)  # the same thread for ever: SQLite's connections stay in it
        super().__init__(parent, pool=pool)
        pool.setParent(self)

    def close(self) -> None:
        """Finish what runs, drop what waits, end the thread."""
        super().close()
        self._pool.waitForDone(10_000)
