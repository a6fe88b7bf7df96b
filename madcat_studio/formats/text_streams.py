"""Texts with ids, block by block: what is too large to be read at once.

Plain lines, JSON Lines and Parquet are read as they are wanted, in the same way and with the same
messages as :func:`~madcat_studio.formats.segment_texts.read_segment_texts` reads them as a whole;
other forms are read at once and given out in blocks.
"""

from __future__ import annotations

import tempfile
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from madcat_studio.closing import Closing
from madcat_studio.formats.files import is_pipe, reading
from madcat_studio.formats.json_lines import json_lines
from madcat_studio.formats.parquet import PARQUET, ParquetTexts
from madcat_studio.formats.segment_texts import (
    JSON_LINES,
    Layer,
    SegmentTexts,
    decoded_lines,
    duplicate_ids,
    read_segment_texts,
    text_of_json,
)

__all__ = ["Block", "TextStream", "WholeTexts", "open_stream"]

_CHUNK = 1 << 20
_AT_ONCE = 4096  # texts of a block of JSON Lines


class Block(NamedTuple):
    """Some texts that follow each other; no ids where lines are only numbered."""

    ids: Sequence[str] | None
    texts: Sequence[str]


class TextStream(Protocol):
    """The texts of a file.

    Attributes:
        path: as the user gave it.
        numbered: whether the ids are nothing but line numbers.
        count: how many there are; about so many where only reading all would tell.
        warnings: what the reader should know.
    """

    path: str
    numbered: bool
    count: int
    warnings: tuple[str, ...]

    def blocks(self) -> Iterator[Block]:
        """All texts in order; an id that comes twice is told at the end."""
        ...


def open_stream(path: Path, layer: Layer = "translation") -> TextStream:
    """The texts of a file, to be read once.

    Raises:
        InputError, WorldError: the file is not there or cannot be read; blocks() raises them too,
            and what else is wrong in the file.
    """
    suffix = path.suffix.lower()
    if suffix == PARQUET:
        return _Parquet(path)
    if is_pipe(path) or suffix in (".tsv", ".csv", ".xlsx", ".xml", ".trn", ".stm", ".ctm"):
        return WholeTexts(read_segment_texts(path, layer))
    return _JsonLines(path) if suffix in JSON_LINES else _Lines(path)


class WholeTexts:
    """A file that was read at once."""

    def __init__(self, found: SegmentTexts) -> None:
        self.path, self.numbered, self.warnings = found.path, found.numbered, found.warnings
        self.count = len(found.texts)
        self._found = found

    def blocks(self) -> Iterator[Block]:
        """All texts in order."""
        for first in range(0, self.count, _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            yield Block(None if self.numbered else self._found.ids[part], self._found.texts[part])


class _Lines:
    """One text a line."""

    numbered = True
    warnings: tuple[str, ...] = ()

    def __init__(self, path: Path) -> None:
        self.path, self._path = str(path), path
        self.count = _count_lines(path)

    def blocks(self) -> Iterator[Block]:
        line = offset = 0
        with reading(self._path) as stream:
            while chunk := stream.read(_CHUNK):
                chunk += stream.readline()
                texts = decoded_lines(chunk, self._path, line, offset)
                line, offset = line + len(texts), offset + len(chunk)
                yield Block(None, texts)


def _count_lines(path: Path) -> int:
    count, last = 0, b"\n"
    with reading(path) as stream:
        while chunk := stream.read(_CHUNK):
            count += chunk.count(b"\n")
            last = chunk[-1:]
    return count + (last != b"\n")


class _JsonLines:
    """One object a line."""

    numbered = False
    warnings: tuple[str, ...] = ()

    def __init__(self, path: Path) -> None:
        self.path, self._path = str(path), path
        self.count = _count_lines(path)

    def blocks(self) -> Iterator[Block]:
        pairs = self._pairs()
        with _Once(self._path) as once:
            while some := list(islice(pairs, _AT_ONCE)):
                ids = [name for name, _ in some]
                once.see(ids)
                yield Block(ids, [text for _, text in some])
            once.check(name for name, _ in self._pairs())

    def _pairs(self) -> Iterator[tuple[str, str]]:
        return (text_of_json(value, f"{self._path}:{n}") for n, value in json_lines(self._path))


class _Parquet:
    """Columns of a table; read by row groups."""

    warnings: tuple[str, ...] = ()

    def __init__(self, path: Path) -> None:
        self.path, self._path = str(path), path
        self._found = ParquetTexts(path)
        self.numbered, self.count = self._found.id_column is None, self._found.count

    def blocks(self) -> Iterator[Block]:
        with _Once(self._path) as once:
            for ids, texts in self._found.blocks():
                once.see(ids or ())
                yield Block(ids, texts)
            once.check(name for ids, _ in self._found.blocks() for name in ids or ())


class _Once(Closing):
    """Sees that every id is there once, in memory that does not grow with their number."""

    _BITS = 4

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = tempfile.TemporaryFile(prefix="madcat-ids-")  # noqa: SIM115 - by close()

    def close(self) -> None:
        """Remove what was kept."""
        self._file.close()

    def see(self, ids: Sequence[str]) -> None:
        """Take in some ids."""
        array("q", map(hash, ids)).tofile(self._file)

    def check(self, again: Iterator[str]) -> None:
        """Look at all that were seen; ``again`` reads them anew where two may be equal.

        Raises:
            FormatError: ``scoring.duplicate-ids``.
        """
        self._file.flush()
        suspects = {one for share in range(1 << self._BITS) for one in self._doubled(share)}
        if not suspects:
            return
        times = Counter(name for name in again if hash(name) in suspects)
        double = [name for name, count in times.items() if count > 1]
        if double:
            raise duplicate_ids(double, self._path)

    def _doubled(self, share: int) -> Iterator[int]:
        """Hashes that are there more than once, of those that end in ``share``."""
        found = []
        self._file.seek(0)
        while len(some := np.fromfile(self._file, np.int64, 1 << 17)):
            found.append(some[some & ((1 << self._BITS) - 1) == share])
        if found:
            hashes = np.sort(np.concatenate(found))
            yield from hashes[1:][hashes[1:] == hashes[:-1]].tolist()
