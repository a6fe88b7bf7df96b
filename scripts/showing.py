"""Run long commands and show what they are doing: pip's and apt's own lines, said in a few words.

Standard library alone: ``run.py`` uses it before anything is installed.
"""

from __future__ import annotations

import platform
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

__all__ = ["Line", "Told", "reason", "watch"]

_UNITS = {"kB": 1e-3, "MB": 1.0, "GB": 1e3}
_NOT_OFFERED = re.compile(
    r"No matching distribution found for (\S+)"
    r"|no matching distributions available for your environment:\s+(\S+)"
)
_EVERY = 0.5
_SELDOM = 15.0
"""Seconds between two lines in a file or a pipe, where nothing can be written over."""


class Told:
    """What pip or apt has said so far, as one short sentence."""

    def __init__(self, packages: Path | None = None) -> None:
        """Begin; ``packages`` is the folder that pip installs into."""
        self._packages = packages
        self._names: set[str] = set()
        self._megabytes = 0.0
        self._total, self._before, self._done = 0, 0, 0
        self._project = "a package"
        self._doing = ""

    def hear(self, line: str) -> None:
        """Take in a line."""
        words = line.split()
        if not words:
            return
        if words[0] == "Collecting" and len(words) > 1:
            self._names.add(re.split(r"[<>=!~\[;@(]", words[1])[0])
            self._doing = f"{len(self._names)} packages found"
        elif words[0] == "Downloading" and (size := re.search(r"\(([\d.]+) (kB|MB|GB)\)", line)):
            self._megabytes += float(size[1]) * _UNITS[size[2]]
            name = words[1].rsplit("/", 1)[-1].split("-")[0]
            self._doing = f"downloading {name}, {self._megabytes:.0f} MB so far"
        elif words[0] == "Obtaining" and len(words) > 1:
            self._project = f"{Path(words[1]).name}/"
        elif "pyproject.toml" in line and words[0] in {"Preparing", "Building"}:
            self._doing = f"building {words[3] if words[0] == 'Building' else self._project}"
        elif words[0] == "Installing" and "packages:" in words:
            self._total = line.count(",") + 1
            self._before = self._there()
            self._doing = "unpacking"
        elif found := re.search(r"(\d+) newly installed", line):
            self._total = int(found[1])
        elif words[0] == "Get:" or words[0].startswith("Get:"):
            self._doing = f"downloading, {words[0][4:]} of {self._total or '?'}"
        elif words[:2] == ["Setting", "up"]:
            self._done += 1
            self._doing = f"setting up {self._done} of {max(self._total, self._done)}"

    def _there(self) -> int:
        if self._packages is None:
            return 0
        return sum(1 for _ in self._packages.glob("*.dist-info"))

    def __str__(self) -> str:
        if self._doing == "unpacking":
            done = min(max(self._there() - self._before, 0), self._total)
            return f"unpacking, {done} of {self._total} packages"
        return self._doing


def reason(said: str) -> str | None:
    """What stopped pip or apt, and what helps, where that is not what they say themselves.

    Without the network pip tells of versions that do not fit, after pages of attempts.
    """
    if "Retry(total=0" in said or "Temporary failure resolving" in said:
        return (
            "The network cannot be reached from here, or not where the packages are. Connect this"
            " machine, or name a package index that it can reach in PIP_INDEX_URL."
        )
    if "No space left on device" in said:
        return "The disk is full: an installation needs 1 GB, and another in the folder for /tmp."
    # Of this pip says, above all, that versions do not fit.
    if absent := _NOT_OFFERED.search(said):
        return (
            f"The package index offers no {absent[1] or absent[2]} for Python"
            f" {platform.python_version()} now. Try again, or name another index in PIP_INDEX_URL."
        )
    return None


class Line:
    """One line on the terminal that is written over; in a file, a line now and then."""

    def __init__(self, what: str, stream: TextIO | None = None) -> None:
        """Begin with what is done."""
        self._what = what
        self._stream = sys.stdout if stream is None else stream
        self._begin = self._last = time.monotonic()
        self._over = self._stream.isatty()
        self._put(f"{what} ...", end="" if self._over else "\n")

    def _put(self, text: str, end: str = "\n") -> None:
        self._stream.write(f"\r\x1b[K{text}{end}" if self._over else f"{text}{end}")
        self._stream.flush()

    @property
    def seconds(self) -> float:
        """How long it takes already."""
        return time.monotonic() - self._begin

    def show(self, doing: str) -> None:
        """Say what is being done now."""
        now = time.monotonic()
        if self._over:
            self._put(f"{self._what} ... {self.seconds:.0f} s  {doing}"[:110], end="")
        elif now - self._last >= _SELDOM and doing:
            self._last = now
            self._put(f"  {self.seconds:.0f} s: {doing}")

    def end(self, outcome: str) -> None:
        """Say how it ended."""
        if self._over:
            self._put(f"{self._what}: {outcome} ({self.seconds:.0f} s)")
        else:
            self._put(f"  {outcome} ({self.seconds:.0f} s)")


def watch(
    commands: Sequence[Sequence[str]],
    show: Callable[[str], None],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    packages: Path | None = None,
) -> list[tuple[int, str]]:
    """Run commands side by side to their ends; the exit status of each and all that it said.

    Args:
        commands: programs with their arguments; they get no input.
        show: is handed what the commands do, twice a second.
        cwd: where they run.
        environment: what they see.
        packages: the folder that they install into, if they are pip.
    """
    told = [Told(packages) for _ in commands]
    said: list[list[str]] = [[] for _ in commands]
    lines: queue.SimpleQueue[tuple[int, str | None]] = queue.SimpleQueue()

    def read(number: int, output: Iterable[str]) -> None:
        for line in output:
            lines.put((number, line))
        lines.put((number, None))

    with ExitStack() as ending:
        started = [ending.enter_context(_started(one, cwd, environment)) for one in commands]
        for number, running in enumerate(started):
            assert running.stdout is not None
            threading.Thread(target=read, args=(number, running.stdout), daemon=True).start()
        shown, working = 0.0, set(range(len(started)))
        while working:
            try:
                number, line = lines.get(timeout=_EVERY)
            except queue.Empty:
                pass
            else:
                if line is None:
                    working.discard(number)
                else:
                    said[number].append(line)
                    told[number].hear(line)
            if time.monotonic() - shown >= _EVERY:
                shown = time.monotonic()
                doing = (str(told[number]) for number in sorted(working))
                show("; ".join(filter(None, doing)))
    return [
        (running.returncode, "".join(words)) for running, words in zip(started, said, strict=True)
    ]


def _started(
    command: Sequence[str], cwd: Path, environment: Mapping[str, str]
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        list(command),
        cwd=cwd,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
