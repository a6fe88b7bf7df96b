"""Waiting for one's turn to write to a campaign's file, in the order in which programs came.

SQLite knows no order: whoever looks at the right moment gets the file, and that is most often the
program that has just written and goes on. Of 20 that only wrote, one was passed by 381 turns of
others in 15 s. So those who find the file taken stand in a line, which is a file beside the
database that is there only while somebody waits. Its length is the number of the last who came;
each holds a lock on the byte of its number, and is first when nobody holds one before it. The
system takes the locks of a program that ends, however it ends.

The line keeps order and nothing else: what is written is guarded by SQLite. So whatever is wrong
with it, and where there are no such locks, all who wait look equally often, as if it were not.
"""

from __future__ import annotations

import os
import random
import sqlite3
import struct
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

__all__ = ["BUSY_SECONDS", "WriterQueue", "begin_writing"]

BUSY_SECONDS = 30
"""How long a writer waits for others."""

TRUST_SECONDS = 10
"""How long those before one are trusted to go on: a program may be stopped while it stands."""

_LOOK_SECONDS = (0.001, 0.02)
"""How long to wait before looking again whether the file is free, where there is no order."""

_FIRST_SECONDS = (0.0005, 0.002)
"""The same for who is first: nobody else looks."""

_BEHIND_SECONDS = (0.004, 0.012)
"""How long to wait before looking whether one is first; this costs a hundredth of the other."""

_FLOCK = "hhqqi4x"  # type, whence, start, length, process (fcntl(2), struct flock)


class WriterQueue:
    """A place in the line of those who wait for a file; it is left at the end of the block."""

    def __init__(self, path: Path, end: float) -> None:
        """Stand nowhere yet.

        Args:
            path: of the line's file.
            end: until when to wait, by the monotonic clock.
        """
        self._path, self._end = path, end
        self._file = -1
        self._number = 0

    def __enter__(self) -> WriterQueue:
        with suppress(OSError):
            self._join()
        if not self._number:
            self._leave()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            # The last one removes the file. Who opened it just now sees that, and makes another.
            if self._number and _take(self._file, 0):
                found = os.fstat(self._file)
                if found.st_nlink and found.st_size == self._number:
                    self._path.unlink()
        self._leave()

    def _leave(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    @property
    def stands(self) -> bool:
        """Whether there is an order."""
        return self._number > 0

    def first(self) -> bool:
        """Whether nobody is before this one (or that cannot be known)."""
        try:
            return self._number < 2 or _free(self._file, 1, self._number - 1)
        except OSError:
            return True

    def _join(self) -> None:
        while time.monotonic() < self._end:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            while not _take(self._file, 0):  # one number for each
                if time.monotonic() > self._end:
                    return
                time.sleep(random.uniform(*_FIRST_SECONDS))
            found = os.fstat(self._file)
            if found.st_nlink:
                number = found.st_size + 1
                os.ftruncate(self._file, number)
                if _take(self._file, number):
                    self._number = number
                _give(self._file, 0)
                return
            self._leave()


def begin_writing(connection: sqlite3.Connection, line: Path | None) -> None:
    """Begin a transaction that writes, when it is this program's turn.

    Args:
        connection: to the file.
        line: the file in which those who wait stand; None where there is no such order.

    Raises:
        sqlite3.OperationalError: others have been writing for :data:`BUSY_SECONDS`.
    """
    begun = time.monotonic()
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        if line is None or sys.platform != "linux":
            _look(connection, begun + BUSY_SECONDS, _LOOK_SECONDS)
            return
        if not line.exists() and _begin(connection):
            return
        with WriterQueue(line, begun + BUSY_SECONDS) as place:
            trust = begun + TRUST_SECONDS
            while not place.first() and time.monotonic() < trust:
                time.sleep(random.uniform(*_BEHIND_SECONDS))
            alone = place.stands and time.monotonic() < trust
            _look(connection, begun + BUSY_SECONDS, _FIRST_SECONDS if alone else _LOOK_SECONDS)
    finally:
        # A commit may have to wait for readers, where there is no log.
        connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")


def _look(connection: sqlite3.Connection, end: float, pause: tuple[float, float]) -> None:
    while not _begin(connection, last=time.monotonic() > end):
        time.sleep(random.uniform(*pause))


def _begin(connection: sqlite3.Connection, *, last: bool = False) -> bool:
    """Whether the transaction is begun; raises where that can never be, or it was the last try."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if last or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


if sys.platform == "linux":
    import errno
    import fcntl

    def _ask(file: int, what: int, kind: int, start: int, length: int) -> int:
        """One call for a lock that belongs to the open file, not to the whole process."""
        asked = struct.pack(_FLOCK, kind, os.SEEK_SET, start, length, 0)
        told = struct.unpack(_FLOCK, fcntl.fcntl(file, what, asked))
        return int(told[0])

    def _take(file: int, byte: int) -> bool:
        try:
            _ask(file, fcntl.F_OFD_SETLK, fcntl.F_WRLCK, byte, 1)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                return False
            raise
        return True

    def _give(file: int, byte: int) -> None:
        _ask(file, fcntl.F_OFD_SETLK, fcntl.F_UNLCK, byte, 1)

    def _free(file: int, start: int, length: int) -> bool:
        found = _ask(file, fcntl.F_OFD_GETLK, fcntl.F_WRLCK, start, length)
        return found == fcntl.F_UNLCK
