"""JSON files and files with one JSON value a line; and such a file as a durable log."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from madcat_studio.errors import FormatError, WorldError
from madcat_studio.formats.files import read_file, reading

__all__ = ["JsonLine", "JsonLog", "json_lines", "read_json", "read_json_lines"]


class JsonLine(NamedTuple):
    """A value and the 1-based line it stands in."""

    number: int
    value: Any


def read_json(path: Path) -> Any:
    """The one JSON value of a file.

    Raises:
        InputError, WorldError: the file is not there or cannot be read.
        FormatError: ``json.not-utf8``, ``json.not-json``.
    """
    return _parse(_text(read_file(path), path), path, 1)


def read_json_lines(path: Path) -> list[JsonLine]:
    """The values of a file with one a line; blank lines are skipped.

    ``NaN`` and ``Infinity`` are read as floats: what they mean is the reader's business. Half
    characters (lone surrogates) become U+FFFD.

    Raises:
        InputError, WorldError: the file is not there or cannot be read.
        FormatError: ``json.not-utf8``, ``json.not-json``; both name the line.
    """
    text = _text(read_file(path), path)
    return [
        JsonLine(number, _parse(line, path, number))
        # Only line feeds end a line: U+2028 may stand in a string.
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]


def json_lines(path: Path) -> Iterator[JsonLine]:
    """What :func:`read_json_lines` gives, one after another: the file may be larger than memory."""
    offset = 0
    with reading(path) as stream:
        for number, line in enumerate(stream, 1):
            if not line.isspace():
                text = _text(line, path, offset, number).removesuffix("\n")
                if text.strip():
                    yield JsonLine(number, _parse(text, path, number))
            offset += len(line)


def _text(data: bytes, path: Path, offset: int = 0, line: int = 1) -> str:
    try:
        return data.decode("utf-8-sig" if offset == 0 else "utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(
            "json.not-utf8",
            f"byte {offset + error.start} (0x{data[error.start]:02X}) is not UTF-8",
            where=f"{path}:{data.count(10, 0, error.start) + line}",
            remedy="Save the file as UTF-8",
        ) from None


def _parse(text: str, path: Path, line: int) -> Any:
    try:
        value = json.loads(text)
        return _whole(value) if _ESCAPED_HALF.search(text) else value
    except (ValueError, RecursionError) as error:
        at = line
        reason = "it is nested too deeply"
        if isinstance(error, json.JSONDecodeError):
            at += error.lineno - 1
            reason = f"{error.msg.lower()} at column {error.colno}"
        elif isinstance(error, ValueError):
            reason = "a number has too many digits"
        raise FormatError(
            "json.not-json",
            f"this is not JSON: {reason}",
            where=f"{path}:{at}",
            remedy="Check that the file is complete",
        ) from None


_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def _whole(value: Any) -> Any:
    """The value with half characters, which JSON can hold and no file can, as U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole(one) for one in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(one) for key, one in value.items()}
    return value


class JsonLog:
    """A file that values are appended to, one a line; each is on the disk when ``append`` returns.

    A last line that a kill cut off is dropped on opening. One program at a time.

    Raises:
        WorldError: ``json.cannot-write``, ``json.log-in-use``.
        FormatError: a line in the middle is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.values: list[Any] = []
        """What was there when it was opened."""
        try:
            self._file: IO[bytes] = path.open("a+b")
        except OSError as error:
            raise self._cannot_write(error) from error
        try:
            self._lock()
            self._file.seek(0)
            data = self._file.read()
            whole = data.rfind(b"\n") + 1
            if whole < len(data):
                self._file.truncate(whole)
                self._file.seek(0, os.SEEK_END)
            for number, line in enumerate(_text(data[:whole], path).split("\n"), 1):
                if line.strip():
                    self.values.append(_parse(line, path, number))
        except BaseException:
            self._file.close()
            raise

    def append(self, value: Any) -> None:
        """Write one value and wait until the disk has it."""
        line = json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
        try:
            # Lone surrogates, which a server can send escaped, have no UTF-8.
            self._file.write(line.encode("utf-8", errors="backslashreplace"))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._cannot_write(error) from error

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _cannot_write(self, error: OSError) -> WorldError:
        return WorldError(
            "json.cannot-write",
            f"the log cannot be written ({error.strerror or error})",
            where=self.path,
            remedy="Check the folder's permissions and the disk space",
        )

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # no such locks here: two runs on one log are the user's mistake
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise WorldError(
                "json.log-in-use",
                "another run is writing to this log",
                where=self.path,
                remedy="Wait for it, or give this run its own log",
            ) from None
