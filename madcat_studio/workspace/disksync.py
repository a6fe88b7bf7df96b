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
    """Calls ``sync`` once soon after one or many writes, in a thread that ends with it."""

    def __init__(self, sync: Callable[[], None]) -> None:
        self._sync = sync
        self._lock = threading.Lock()
        self._waits = self._closed = False
        self._live: set[threading.Timer] = set()  # timers; one may run while the next waits

    def wrote(self) -> None:
        """Something was written."""
        with self._lock:
            if self._waits or self._closed:
                return
            self._waits = True
            timer = threading.Timer(SYNC_SECONDS, self._run)
            timer.daemon = True
            self._live.add(timer)
            timer.start()

    def _run(self) -> None:
        with self._lock:
            self._waits = False  # what is written from now on is synced once more
        try:
            self._sync()
        finally:
            with self._lock:
                this = threading.current_thread()
                self._live = {timer for timer in self._live if timer is not this}

    def close(self) -> None:
        """Nothing is synced any more when this returns; what still waits is not."""
        with self._lock:
            self._closed = True
            live = tuple(self._live)
        for timer in live:
            timer.cancel()
            timer.join()
