"""What was written reaches the disk soon, beside the typing.

A line that is in the system's hands survives a kill of the program; only what is on the disk
survives a machine that stops. To wait for the disk at each key would be felt.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

__all__ = ["SYNC_SECONDS", "DiskSync"]

SYNC_SECONDS = 0.25
"""How long what was written waits, at most, until the disk is told to take it."""


class DiskSync:
    """Calls ``sync`` once soon after one or many writes, in a thread that ends with it.

    It is one thread for all: to start another takes longer than to show the letter typed.
    """

    def __init__(self, sync: Callable[[], None]) -> None:
        self._sync = sync
        self._told = threading.Condition()
        self._waits = self._closed = False
        self._thread: threading.Thread | None = None

    def wrote(self) -> None:
        """Something was written."""
        with self._told:
            if self._waits or self._closed:
                return
            self._waits = True
            if self._thread is None or not self._thread.is_alive():  # what it called may fail
                self._thread = threading.Thread(target=self._run, name="disk sync", daemon=True)
                self._thread.start()
            self._told.notify()

    def _run(self) -> None:
        while self._next():
            self._sync()

    def _next(self) -> bool:
        """Wait for something that was written, and then for what comes with it; False: closed."""
        with self._told:
            self._told.wait_for(lambda: self._waits or self._closed)
            self._told.wait_for(lambda: self._closed, SYNC_SECONDS)
            self._waits = False  # what is written from now on is synced once more
            return not self._closed

    def close(self) -> None:
        """Nothing is synced any more when this returns; what still waits is not."""
        with self._told:
            self._closed = True
            self._told.notify()
        if self._thread is not None:
            self._thread.join()
