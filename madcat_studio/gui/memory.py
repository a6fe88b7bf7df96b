"""When garbage is looked for, and what is free is given back to the system.

Python looks for garbage wherever something is made: in whatever thread is at work, and in the
middle of a gesture. A widget that is thrown away in another thread than its own takes the program
down, and to look through a large page takes longer than a picture may. So nobody looks while a job
runs; and where a window is open, only while nothing happens in it.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from PySide6.QtCore import QAbstractEventDispatcher, QObject, QTimer

__all__ = ["Calm", "give_back", "hold", "let_go", "tidy", "without_search"]


def give_back() -> None:
    """Give back memory that is free but kept by the C library; in any thread.

    Only glibc keeps so much that there is a call for it.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


_waited_for: set[int] = set()
_MANY = 100_000
"""So much new since the last time is collected in between, in a job of minutes."""


def hold(who: object) -> None:
    """Let garbage wait. Only the GUI thread asks."""
    _waited_for.add(id(who))
    gc.disable()


def let_go(who: object) -> None:
    """It need not wait for this one any more."""
    _waited_for.discard(id(who))
    if not _waited_for:
        gc.enable()


def tidy() -> None:
    """Look for it now, in the GUI thread, where a job makes very much."""
    if _waited_for and gc.get_count()[0] > _MANY:
        gc.collect()


@contextmanager
def without_search() -> Iterator[None]:
    """Nobody looks for garbage in what is made in here, while it is made.

    Modules and a view are some hundred thousand objects that stay; to look through them again and
    again is a fifth of the time that they take.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


_LOOK_MS = 500
_QUIET = 6
"""Turns of the event loop in that time: a caret that blinks is all that happens."""
_SOME = 2_000
_TOO_MANY = 1_000_000
"""So many new things are not waited with, whatever its user does."""


class Calm(QObject):
    """Looks for garbage while nothing happens in the window; begins at once."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._turns, self._quiet = 0, False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(_LOOK_MS)
        self._loop = QAbstractEventDispatcher.instance()
        self._loop.awake.connect(self._turned)
        hold(self)

    def close(self) -> None:
        """Garbage is looked for as usual."""
        self._timer.stop()
        self._loop.awake.disconnect(self._turned)
        let_go(self)

    def _turned(self) -> None:
        self._turns += 1

    def _look(self) -> None:
        before, self._quiet = self._quiet, self._turns <= _QUIET
        self._turns = 0
        new = gc.get_count()[0]
        others = _waited_for - {id(self)}
        if new > _TOO_MANY or (new > _SOME and before and self._quiet and not others):
            gc.collect()
