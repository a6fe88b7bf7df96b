"""A program of others' in a process of its own: bounded in time and output, and ended with all of
its children when nobody waits for it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = ["Ended", "plain_environment", "run_program"]

_LOOK_S = 0.05
_PATIENCE_S = 1.0
_LAST = 4_000
"""Letters of what it told at last that are kept for a message."""
_LONGEST = 10_000
"""Bytes of one line that are looked at; a program may print without ever ending a line."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended.

    Attributes:
        status: its exit status; less than 0 for the signal that ended it.
        output: its standard output.
        told: the last of what it told on standard error.
        late: whether it was ended because its time was over.
        flood: whether it was ended because it printed more than is taken.
    """

    status: int
    output: bytes
    told: str
    late: bool = False
    flood: bool = False


def run_program(
    command: Sequence[str],
    *,
    question: bytes = b"",
    folder: Path,
    seconds: float,
    most: int,
    environment: dict[str, str] | None = None,
    progress: Progress = SILENT,
    heard: Callable[[str], None] = lambda _: None,
) -> Ended:
    """Run a program to its end.

    Args:
        command: its words.
        question: its standard input; short.
        folder: where it works.
        seconds: after which it is ended.
        most: bytes of output after which it is ended.
        environment: None for this program's own, without what is meant for this program alone.
        progress: may end it.
        heard: is given every line of its standard error, in the thread that waits.

    Raises:
        OSError: it cannot be started.
        Cancelled: nobody waits for it any more; it is ended.
    """
    process = subprocess.Popen(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=plain_environment() if environment is None else environment,
        start_new_session=True,  # what it starts ends with it
    )
    assert process.stdout is not None
    assert process.stderr is not None
    output = _Output(process.stdout, most)
    told = _Told(process.stderr)
    try:
        _ask(process, question)
        end = time.monotonic() + seconds
        late = False
        while process.poll() is None and not output.flood and not late:
            if progress.cancelled():
                raise Cancelled
            for line in told.fresh():
                heard(line)
            late = time.monotonic() > end
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_LOOK_S)
    finally:
        _end(process)
        for reader in (output, told):
            # What it started may have gone out of its reach, and hold the stream open for ever.
            reader.join(_PATIENCE_S)
    for line in told.fresh():
        heard(line)
    return Ended(process.returncode, bytes(output.data), told.last, late, output.flood)


def plain_environment() -> dict[str, str]:
    """This process's, without what is meant for this program alone, such as passphrases."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MADCAT_")}


def _ask(process: subprocess.Popen[bytes], question: bytes) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError):  # it ended already, or does not want to know
        process.stdin.write(question)
        process.stdin.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it and all that it started, whether it still runs or not."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()


class _Reader(threading.Thread, ABC):
    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self._stream = stream
        self.start()

    def run(self) -> None:
        with self._stream:
            # As much as is there, without waiting for more.
            while piece := os.read(self._stream.fileno(), 65_536):
                self.take(piece)

    @abstractmethod
    def take(self, piece: bytes) -> None:
        """A piece came."""


class _Output(_Reader):
    """Keeps what it prints, up to a bound."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self.data, self._most, self.flood = bytearray(), most, False
        super().__init__(stream)

    def take(self, piece: bytes) -> None:
        if len(self.data) + len(piece) > self._most:
            self.flood = True  # read on, so that it is not stopped in the middle of a word
        else:
            self.data += piece


class _Told(_Reader):
    """Parts what it tells into lines; keeps the last of it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.last, self._begun, self._lines = "", b"", list[str]()
        self._lock = threading.Lock()
        super().__init__(stream)

    def take(self, piece: bytes) -> None:
        with self._lock:
            self.last = (self.last + piece.decode("utf-8", "replace"))[-_LAST:]
            *whole, self._begun = (self._begun + piece).replace(b"\r", b"\n").split(b"\n")
            self._begun = self._begun[-_LONGEST:]
            self._lines += [line[:_LONGEST].decode("utf-8", "replace") for line in whole]
            del self._lines[:-_LONGEST]

    def fresh(self) -> list[str]:
        """The lines since this was asked last."""
        with self._lock:
            found, self._lines = self._lines, []
        return found
