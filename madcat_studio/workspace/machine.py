"""What this machine has for the program and what it lacks: for ``madcat-studio doctor``."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import platformdirs

from madcat_studio import __version__, log
from madcat_studio.errors import StudioError
from madcat_studio.paths import resources
from madcat_studio.workspace.dictionaries import AMERICAN, BRITISH, find_dictionary, installed
from madcat_studio.workspace.journal import journal_folder
from madcat_studio.workspace.spool import spool_folder

__all__ = ["Finding", "State", "examine", "worst"]

_ROOM = 500
"""Megabytes below which a folder's disk is called full: a scan or a backup would not fit."""

_PATIENCE = 60
"""Seconds for Qt to start on a busy machine; a display that never answers takes longer."""

_LIBRARIES = "See README.md for the system's packages that the window needs"


class State(StrEnum):
    """How something stands."""

    GOOD = "good"
    LACKS = "lacks"
    """It is not here, and what needs it does not work; the rest does."""
    BROKEN = "broken"
    """It is here and does not do its work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        name: what it is.
        state: how it stands.
        what: a sentence without its full stop.
        remedy: what to do, "" where nothing need be done.
    """

    name: str
    state: State
    what: str
    remedy: str = ""


def examine() -> Iterator[Finding]:
    """Look at the machine, one thing after the other; some take a second."""
    yield _program()
    yield _kernel()
    yield from _window()
    yield _dictionaries()
    yield _files_as_databases()
    yield _server()
    yield from _folders()


def _program() -> Finding:
    what = f"MADCAT Studio {__version__}, Python {platform.python_version()}, in {sys.prefix}"
    if not (resources() / "demo").is_dir():
        return Finding(
            "program", State.BROKEN, f"{what}: its files are not whole", "Install it again"
        )
    return Finding("program", State.GOOD, what)


def _kernel() -> Finding:
    try:
        from madcat_ter import kernel
    except StudioError as error:
        return Finding("kernel", State.BROKEN, error.reason, error.remedy)
    if kernel.NAME == "python":
        return Finding(
            "kernel",
            State.LACKS,
            "Scores are computed in Python, which is some hundred times slower",
            "Install a C++ compiler and Python's headers, then the program again",
        )
    return Finding(
        "kernel", State.GOOD, f"Scores are computed by the compiled kernel: {kernel.NAME}"
    )


def _window() -> Iterator[Finding]:
    if importlib.util.find_spec("PySide6") is None:
        yield Finding(
            "window",
            State.LACKS,
            "Qt is not installed: commands work, the window does not",
            "Install madcat-studio[window]",
        )
        return
    found, said = _probe(QT_QPA_PLATFORM="offscreen")
    if found is None:
        yield Finding("window", State.BROKEN, f"Qt does not start: {said}", _LIBRARIES)
        return
    yield Finding("window", State.GOOD, f"Qt {found['qt']} starts")
    yield _fonts(found["arabic"])
    yield _display()


def _fonts(families: object) -> Finding:
    if not isinstance(families, list) or not families:
        return Finding(
            "fonts",
            State.BROKEN,
            "No face has Arabic letters: Arabic text is not shown",
            "Install one, such as fonts-noto-core",
        )
    return Finding("fonts", State.GOOD, f"Arabic is shown in {families[0]}")


def _display() -> Finding:
    named = [
        f"{name}={os.environ[name]}"
        for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")
        if os.environ.get(name)
    ]
    if not named and sys.platform not in ("win32", "darwin"):
        return Finding(
            "display",
            State.LACKS,
            "There is no display: commands work, the window does not open",
            "Start it in a desktop session, or connect with ssh -X",
        )
    found, said = _probe()
    if found is None:
        return Finding(
            "display",
            State.BROKEN,
            f"The display does not answer ({', '.join(named)}): {said}",
            "Look at DISPLAY, WAYLAND_DISPLAY and QT_QPA_PLATFORM",
        )
    screens = found["screens"]
    told = ", ".join(map(str, screens)) if isinstance(screens, list) else ""
    return Finding("display", State.GOOD, f"The window opens on {found['platform']}: {told}")


def _probe(**environment: str) -> tuple[dict[str, object] | None, str]:
    """What Qt says of itself, started in a process of its own; or None and why it did not."""
    command = [sys.executable, "-m", "madcat_studio.gui.probe"]
    try:
        ended = subprocess.run(
            command,
            env={**os.environ, **environment},
            capture_output=True,
            check=False,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
        )
        if ended.returncode == 0:
            found: dict[str, object] = json.loads(ended.stdout.splitlines()[-1])
            return found, ""
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError) as error:
        return None, str(error)
    last = ended.stderr.strip().splitlines()[-1:] or [f"it ended with {ended.returncode}"]
    return None, last[0].removeprefix("madcat-studio: ").split(". ")[0]


def _dictionaries() -> Finding:
    for name in (AMERICAN, BRITISH):
        try:
            there = find_dictionary(name).is_file()
        except (StudioError, ImportError):
            there = False
        if not there:
            return Finding(
                "spelling", State.BROKEN, f"The dictionary {name} is gone", "Install it again"
            )
    others = [name for name in installed() if name not in (AMERICAN, BRITISH)]
    more = f"; of this machine, in Hunspell's folders: {', '.join(others)}" if others else ""
    return Finding("spelling", State.GOOD, f"Dictionaries: {AMERICAN}, {BRITISH} come along{more}")


def _files_as_databases() -> Finding:
    return Finding("database", State.GOOD, f"Campaigns in folders: SQLite {sqlite3.sqlite_version}")


def _server() -> Finding:
    try:
        import psycopg

        library = psycopg.pq.version()
    except ImportError as error:
        return Finding(
            "server",
            State.LACKS,
            f"Campaigns on a server cannot be opened ({error})",
            "Install psycopg[binary]",
        )
    what = f"Campaigns on a server: PostgreSQL's library {library // 10000}.{library % 10000}"
    tools = shutil.which("pg_ctl") or next(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), None)
    own = "a server can be run here" if tools else "no server on this machine, and none is needed"
    return Finding("server", State.GOOD, f"{what}; {own}")


def _folders() -> Iterator[Finding]:
    config, data, cache = (
        find("madcat-studio", appauthor=False)
        for find in (
            platformdirs.user_config_path,
            platformdirs.user_data_path,
            platformdirs.user_cache_path,
        )
    )
    yield _folder("settings", config, "XDG_CONFIG_HOME")
    yield _folder("unsaved pages", journal_folder(), "XDG_STATE_HOME")
    yield _folder("unsaved kits", spool_folder(), "XDG_STATE_HOME")
    yield _folder("log", log.folder(), "XDG_STATE_HOME")
    yield _folder("demo", data, "XDG_DATA_HOME")
    yield _folder("pictures of pages", cache, "XDG_CACHE_HOME")
    yield _folder("passing files", Path(tempfile.gettempdir()), "TMPDIR")


def _folder(use: str, folder: Path, variable: str) -> Finding:
    """Whether a folder takes files, and locks on them, and has room."""
    name = f"folder for {use}"
    there = next(one for one in (folder, *folder.parents) if one.exists())
    elsewhere = f"Give yourself the right to write there, or set {variable} to another folder"
    try:
        with tempfile.NamedTemporaryFile(dir=there, prefix=".madcat-studio-") as file:
            locks = _can_lock(file.fileno())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return Finding(name, State.BROKEN, f"{folder} cannot be written ({reason})", elsewhere)
    free = shutil.disk_usage(there).free // 1_000_000
    if free < _ROOM:
        return Finding(
            name,
            State.BROKEN,
            f"{folder} has {free:,} MB left",
            f"Make room, or set {variable} to a folder on another disk",
        )
    if not locks:
        return Finding(
            name,
            State.LACKS,
            f"{folder} knows no locks: two windows do not see each other",
            f"Set {variable} to a folder on this machine's own disk",
        )
    return Finding(name, State.GOOD, f"{folder}, {free:,} MB free")


def _can_lock(file: int) -> bool:
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # a file system without locks
        return False
    return True


def worst(findings: Iterable[Finding]) -> State:
    """The worst state among findings."""
    states = {one.state for one in findings}
    return next((one for one in (State.BROKEN, State.LACKS) if one in states), State.GOOD)
