"""What is open now, on the disk, so that the next start can bring it back after a crash.

Each running window holds a lock beside its list. A list whose lock nobody holds was left by a
program that ended without closing; it is given out once.
"""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path

from PySide6.QtCore import QLockFile, QStandardPaths

from madcat_studio.gui.settings import user_folder

__all__ = ["Session"]


class Session:
    """The list of this window."""

    def __init__(self, folder: Path | None = None) -> None:
        self._given = folder
        self._name = f"{os.getpid()}-{id(self):x}"
        self._lock: QLockFile | None = None
        self._kept: list[str] = []

    @cached_property
    def _folder(self) -> Path:
        if self._given is not None:
            return self._given
        return user_folder(QStandardPaths.StandardLocation.GenericStateLocation) / "sessions"

    def keep(self, locations: list[str]) -> None:
        """Note what is open. A disk that cannot be written to costs only the recovery."""
        if locations == self._kept:
            return
        self._kept = locations
        import json

        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if self._lock is None:
                self._lock = QLockFile(str(self._folder / f"{self._name}.lock"))
                self._lock.setStaleLockTime(0)  # as long as its process lives
                self._lock.tryLock(0)
            file = self._folder / f"{self._name}.json"
            file.write_text(json.dumps(locations), encoding="utf-8")
        except OSError:
            return

    def end(self) -> None:
        """The window closes in good order."""
        (self._folder / f"{self._name}.json").unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def abandon(self) -> None:
        """Let go of the lock but leave the list: the program is left after a fault."""
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def interrupted(self) -> list[str]:
        """What was open in programs that ended without closing; the lists are used up."""
        found: list[str] = []
        for file in sorted(self._folder.glob("*.json")):
            import json  # hardly ever: start-up counts

            if file.stem == self._name:
                continue
            lock = QLockFile(str(file.with_suffix(".lock")))
            lock.setStaleLockTime(0)
            if not lock.tryLock(0):
                continue  # another window that is open now
            try:
                places = json.loads(file.read_text(encoding="utf-8"))
                file.unlink()
            except (OSError, ValueError):
                places = []
            lock.unlock()
            found += [
                place
                for place in places
                if isinstance(place, str)
                and place not in found
                and ("://" in place or Path(place).exists())
            ]
        return found
