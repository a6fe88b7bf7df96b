"""Rows on disk: what is too much for memory and too dear to be made twice."""

from __future__ import annotations

import marshal
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import IO, Any

__all__ = ["Blocks", "KeptRows"]

_LENGTH = 8  # bytes of a block's length
_AT_ONCE = 500  # rows of a block


class Blocks:
    """Blocks of plain rows in a file that vanishes when closed or let go, readable again and again.

    Rows are tuples and lists of str, int, float, bool and None. Several may read at a time, also
    while more is added.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(  # noqa: SIM115 - closed by close()
            prefix="madcat-report-"
        )
        self._ended = weakref.finalize(self, self._file.close)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def end(self) -> int:
        """The place behind the last block."""
        return self._file.seek(0, 2)

    def append(self, rows: list[Any]) -> int:
        """Add a block of rows; returns the place behind it."""
        # Plain tuples by marshal: a tenth of what pickled objects cost, and only we read it. As
        # one string of bytes each: from a file marshal reads number by number.
        block = marshal.dumps(rows)
        self._file.seek(0, 2)
        self._file.write(len(block).to_bytes(_LENGTH, "big"))
        self._file.write(block)
        self._count += len(rows)
        return self._file.tell()

    def at(self, place: int) -> tuple[list[Any], int]:
        """The block at a place (the first is at 0), and the place behind it."""
        self._file.seek(place)
        size = int.from_bytes(self._file.read(_LENGTH), "big")
        return marshal.loads(self._file.read(size)), place + _LENGTH + size

    def __iter__(self) -> Iterator[list[Any]]:
        place = 0
        while place < self.end:
            block, place = self.at(place)
            yield block

    def close(self) -> None:
        """Remove the file."""
        self._ended()


class KeptRows:
    """The rows of a long table: made once, as far as anybody read, and kept on disk from then.

    Args:
        make: gives the rows.
        count: gives their number without making them.
        read: told how many rows were read, a block at a time.
    """

    def __init__(
        self,
        make: Callable[[], Iterable[tuple[Any, ...]]],
        count: Callable[[], int],
        read: Callable[[int], None] = lambda done: None,
    ) -> None:
        self._make, self._count, self._read = make, count, read
        self._kept: tuple[Blocks, Iterator[tuple[Any, ...]]] | None = None

    def __len__(self) -> int:
        return self._count()

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        if self._kept is None:
            self._kept = Blocks(), iter(self._make())
        blocks, rest = self._kept
        place = done = 0
        while True:
            if place < blocks.end:
                block, place = blocks.at(place)
            else:
                try:
                    block = list(islice(rest, _AT_ONCE))
                except BaseException:
                    self.close()  # the rest is lost with it: whoever comes next begins anew
                    raise
                if not block:
                    return
                place = blocks.append(block)
            self._read(done)
            done += len(block)
            yield from block

    def close(self) -> None:
        """Remove the file; the rows are made anew when they are wanted again."""
        if self._kept is not None:
            self._kept[0].close()
            self._kept = None
