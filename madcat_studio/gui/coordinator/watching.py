"""Sees that somebody else wrote to a campaign: asked twice a second, in a thread of its own."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, QTimer, Signal

from madcat_studio.errors import StudioError
from madcat_studio.gui.workers import Queue
from madcat_studio.store.watch import Watch

__all__ = ["Watcher"]

_EVERY_MS = 500


class Watcher(QObject):
    """Watches one campaign at a time.

    Signals:
        changed: the campaign is to be read: the watch stands now, or something was written since.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None, *, every: int = _EVERY_MS) -> None:
        super().__init__(parent)
        self._queue = Queue(self)
        self._watch: Watch | None = None  # these two live in the queue's thread
        self._watched = ""
        self._where = ""
        self._begun = False
        self._timer = QTimer(self)
        self._timer.setInterval(every)
        self._timer.timeout.connect(self._look)

    def start(self, where: str) -> None:
        """Watch this campaign from now on; ``changed`` is sent once in any case.

        Whoever reads only then misses nothing: the watch is older than what is read.
        """
        self._where, self._begun = where, True
        self._timer.start()
        self._look()

    def pause(self) -> None:
        """Ask no more until the next start; what was written meanwhile is told then."""
        self._timer.stop()

    def close(self) -> None:
        """Let go of the campaign and of the thread."""
        self._timer.stop()
        self._queue.close()
        self._let_go()  # nobody is in the thread any more

    def _look(self) -> None:
        if self._where and not self._queue.busy:
            where = self._where
            self._queue.submit(
                lambda _: (where, self._ask(where)), self._on_answer, failed=self._on_fault
            )

    def _on_fault(self, error: BaseException) -> None:
        self._timer.stop()  # told once, not at every look
        sys.excepthook(type(error), error, error.__traceback__)

    def _on_answer(self, answer: tuple[str, bool]) -> None:
        where, changed = answer
        if where != self._where:
            self._look()
        elif changed or self._begun:
            self._begun = False
            self.changed.emit()

    def _ask(self, where: str) -> bool:
        try:
            if self._watch is None or self._watched != where:
                self._let_go()
                self._watch, self._watched = Watch(where), where
                return True
            return self._watch.changed()
        except StudioError:
            # The server is away, or the folder: whoever reads tells it; this asks again.
            self._let_go()
            return False

    def _let_go(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None
