"""The spool: what an editor typed and what has not reached the campaign, on this machine.

One file for one pass of one kit, one JSON object a line, appended and never changed: the text of
a segment at each keystroke, revisions that were made, the log of visits, and which of them have
arrived. Each line is in the system's hands when the call returns, so a kill loses nothing, and what
is typed is on the disk within a second; where the disk is full or the folder has become read-only
the lines wait in memory and are written when they can be. A torn line is left out.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import platformdirs

from madcat_studio.errors import ConflictError
from madcat_studio.model.campaign import Flag, Pass, Revision, SegmentName, SegmentState
from madcat_studio.model.visits import Event, Visit, events_of, plain_events
from madcat_studio.workspace.disksync import DiskSync

__all__ = ["Spool", "SpoolKey", "Spooled", "Typed", "Unsent", "spool_folder"]

_VERSION = 1

_LARGE = 8 << 20
"""From this size (bytes) on, a spool is written anew when its segment is left."""


def spool_folder() -> Path:
    """Where spools are kept for this user."""
    return Path(platformdirs.user_state_dir("madcat-studio", appauthor=False)) / "spools"


@dataclass(frozen=True, slots=True)
class SpoolKey:
    """Whose spool it is: the campaign's id, kit, team, pass and editor."""

    campaign: str
    kit: str
    team: str
    pass_: Pass
    editor: str

    def file_name(self) -> str:
        """A name that is safe everywhere and tells the kit to a human."""
        whole = "\0".join((self.campaign, self.kit, self.team, self.pass_.value, self.editor))
        plain = re.sub(r"[^A-Za-z0-9_-]+", "_", f"{self.kit}-{self.pass_.value}")[:40]
        return f"{plain}-{hashlib.sha256(whole.encode('utf-8', 'replace')).hexdigest()[:16]}.spool"


@dataclass(frozen=True, slots=True)
class Typed:
    """The text of a segment as it was on the screen.

    ``base`` is the id of the latest revision that the program knew of, or "".
    """

    segment: SegmentName
    text: str
    caret: int
    anchor: int
    state: SegmentState
    reason: str
    base: str
    flags: Mapping[Flag, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Spooled:
    """What an earlier session left behind.

    Attributes:
        typed: the latest text of each segment that has not become a revision.
        pending: revisions that have not arrived, in order.
        current: the segment that was being edited, or None.
        damaged: how many lines could not be read.
        visits: of the log, those that have not arrived; the last may have been cut short.
    """

    typed: tuple[Typed, ...]
    pending: tuple[Revision, ...]
    current: SegmentName | None
    damaged: int
    visits: tuple[Visit, ...] = ()


@dataclass(frozen=True, slots=True)
class Unsent:
    """All that a spool is there for: what the campaign does not have yet.

    Attributes:
        typed: texts that are no revisions yet.
        pending: revisions that have not arrived.
        visits: of the log, those that have not arrived, with the one that goes on.
    """

    typed: Iterable[Typed]
    pending: Iterable[Revision]
    visits: Iterable[Visit] = ()


class Spool:
    """The spool of one open pass. One program at a time holds it.

    Attributes:
        trouble: why the last line could not be written, or "" when all are.
    """

    def __init__(self, key: SpoolKey, folder: Path | None = None) -> None:
        """Open or begin a spool.

        Where it cannot be written, ``trouble`` says why from the beginning: what was left is read
        all the same, and what is typed waits until :meth:`reopen` succeeds.

        Raises:
            ConflictError: ``spool.held``: another program on this machine has the kit open.
        """
        self.key = key
        self.path = (folder or spool_folder()) / key.file_name()
        self.trouble = ""
        # Typing and the worker that delivers write at the same time.
        self._lock = threading.RLock()
        self._waiting: list[_Line] = []
        self._torn = self._closed = False
        self._size = 0
        self._soon = DiskSync(self._sync_beside)
        try:
            self._file = _open(self.path)
        except OSError as error:
            self.trouble = self._why(error)
            self._file = -1
            self.left = self._read_only()
            return
        self._hold(self._file)
        self._size = os.fstat(self._file).st_size
        self.left = self._read(_content(self._file))
        if self._size == 0:
            self._append(self._head())

    def _hold(self, file: int) -> None:
        if not _lock(file):
            os.close(file)
            raise ConflictError(
                "spool.held",
                "The kit is open in another window on this machine",
                where=f"kit {self.key.kit}",
                remedy="Continue there, or close it first",
            )

    def _read_only(self) -> Spooled:
        """What an earlier session left in a file that cannot be written now."""
        try:
            file = os.open(self.path, os.O_RDONLY)
        except OSError:
            return self._read(b"")
        self._hold(file)
        try:
            return self._read(_content(file))
        except OSError:
            return self._read(b"")
        finally:
            os.close(file)

    def _why(self, error: OSError) -> str:
        """What is told of an error: the folder, and the system's reason."""
        return f"{error.strerror or error} in {self.path.parent}"

    def _head(self) -> dict[str, Any]:
        return {
            "spool": _VERSION,
            "campaign": self.key.campaign,
            "kit": self.key.kit,
            "team": self.key.team,
            "pass": self.key.pass_.value,
            "editor": self.key.editor,
        }

    # -- writing ------------------------------------------------------------------------------

    def typed(self, typed: Typed) -> None:
        """Keep the text of a segment; it is on the disk within a second."""
        self._write(_Line.of(_plain_typed(typed), typed.segment))
        self._soon.wrote()

    def at(self, segment: SegmentName) -> None:
        """Keep which segment is being edited."""
        self._append({"at": str(segment)})

    def made(self, revision: Revision) -> None:
        """Keep a revision until it has arrived; it is on the disk when this returns."""
        self._append({"made": _plain(revision)})
        self._sync()

    def entered(self, visit: Visit) -> None:
        """Keep that a visit has begun."""
        self._append({"visit": _plain_visit(visit)})

    def seen(self, visit: str, first: int, events: tuple[Event, ...], ms: int) -> None:
        """Keep more of a visit: events from number ``first`` on, and how long it is by now."""
        plain = {"of": visit, "first": first, "events": plain_events(events), "ms": ms}
        # While the disk is full only the latest length of a visit counts.
        self._write(_Line.of(plain, None if events else visit))

    def arrived(self, made: Iterable[Revision | Visit]) -> None:
        """These revisions and visits are in the campaign."""
        self._append({"arrived": [one.id for one in made]})

    def flush(self) -> bool:
        """Write what waits since the disk was full. Returns whether nothing waits any more."""
        self._write(None)
        return not self._waiting

    def reopen(self, now: Callable[[], Unsent]) -> bool:
        """Write what waits, where need be to a file that is opened anew.

        A file that was open when its disk went away stays useless, whatever comes back in its
        place.

        Args:
            now: what the campaign does not have yet; asked for while nothing else can be written.

        Returns:
            Whether nothing waits any more.
        """
        with self._lock:
            if self._closed or self.flush():
                return not self._waiting
            if self._file >= 0:
                os.close(self._file)
                self._file = -1
            try:
                file = _open(self.path)
            except OSError as error:
                self.trouble = self._why(error)
                return False
            if not _lock(file):
                os.close(file)
                self.trouble = "another window has the kit open"
                return False
            self._file, self._size = file, os.fstat(file).st_size
            # Nobody knows what is left of the old lines: all that counts is written once more.
            self._torn = self._size > 0
            again = [_Line.of(line, again=True) for line in self._lines(now())]
            self._waiting = [*again, *(one for one in self._waiting if not one.again)]
            return self.flush()

    def _append(self, plain: dict[str, Any]) -> None:
        self._write(_Line.of(plain))

    def _write(self, line: _Line | None) -> None:
        with self._lock:
            if line is not None:
                self._wait(line)
            if self._file >= 0:
                self._write_waiting()

    def _wait(self, line: _Line) -> None:
        if line.only is not None:
            # While the disk is full only the latest text of a segment counts.
            self._waiting = [one for one in self._waiting if one.only != line.only]
        self._waiting.append(line)

    def _write_waiting(self) -> None:
        while self._waiting:
            # After half a line the next one begins on a line of its own.
            data = (b"\n" if self._torn else b"") + self._waiting[0].data
            try:
                written = os.write(self._file, data)
            except OSError as error:
                self.trouble = self._why(error)
                return
            self._size += written
            self._torn = written < len(data)
            if self._torn:
                self.trouble = self._why(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
                return
            del self._waiting[0]
        self.trouble = ""

    def _sync(self) -> None:
        if self._file < 0:
            return  # it waits, and ``trouble`` says why
        try:
            os.fsync(self._file)
        except OSError as error:
            self.trouble = self._why(error)

    def _sync_beside(self) -> None:
        """Let the disk take what was written, while more is written."""
        try:
            with self._lock:
                if self._file < 0:
                    return
                file = os.dup(self._file)  # the other may be closed meanwhile
            try:
                os.fsync(file)
            finally:
                os.close(file)
        except OSError as error:
            self.trouble = self._why(error)

    # -- tidying ------------------------------------------------------------------------------

    def compact(self, now: Callable[[], Unsent]) -> None:
        """Write a large spool anew with what still counts; smaller ones are left alone."""
        with self._lock:
            if self._size >= _LARGE and not self._waiting:
                self._write_anew(now())

    def _lines(self, now: Unsent) -> list[dict[str, Any]]:
        return [
            self._head(),
            *({"made": _plain(one)} for one in now.pending),
            *({"visit": _plain_visit(one)} for one in now.visits),
            *map(_plain_typed, now.typed),
        ]

    def _write_anew(self, now: Unsent) -> None:
        data = b"".join(_Line.of(line).data for line in self._lines(now))
        beside = self.path.with_suffix(".part")
        try:
            beside.write_bytes(data)
            file = os.open(beside, os.O_RDWR | os.O_APPEND)
            if not _lock(file):
                os.close(file)
                return
            beside.replace(self.path)
        except OSError as error:
            self.trouble = self._why(error)
            return
        os.close(self._file)
        self._file, self._size = file, len(data)

    def close(self, at: SegmentName | None = None) -> None:
        """Let go of the file; it stays, to be read at the next start.

        Args:
            at: everything has arrived, and only this place is worth keeping.
        """
        self._soon.close()
        with self._lock:
            self._closed = True
            if self._file < 0:
                return
            if at is not None:
                try:
                    os.ftruncate(self._file, 0)
                except OSError as error:
                    self.trouble = self._why(error)
                else:
                    self._waiting.clear()
                    self._torn = False
                    self._append(self._head())
                    self.at(at)
            self.flush()
            if at is None:
                self._sync()
            os.close(self._file)
            self._file = -1

    def remove(self) -> None:
        """Let go of the file and delete it: everything in it has arrived."""
        self.close()
        self.path.unlink(missing_ok=True)

    # -- reading ------------------------------------------------------------------------------

    def _read(self, data: bytes) -> Spooled:
        lines = data.split(b"\n")
        self._torn = bool(lines[-1])
        typed: dict[SegmentName, Typed] = {}
        pending: dict[str, Revision] = {}
        visits: dict[str, Visit] = {}
        current: SegmentName | None = None
        damaged = 0
        for line in lines:
            if not line:
                continue
            try:
                plain = json.loads(line)
                if "of" in plain:
                    visits[plain["of"]] = _longer(visits[plain["of"]], plain)
                elif "text" in plain:
                    one = _typed(plain)
                    typed[one.segment] = one
                    current = one.segment
                elif "made" in plain:
                    revision = self._revision(plain["made"])
                    pending[revision.id] = revision
                    typed.pop(revision.segment, None)
                elif "arrived" in plain:
                    for known in plain["arrived"]:
                        pending.pop(known, None)
                        visits.pop(known, None)
                elif "visit" in plain:
                    visit = self._visit(plain["visit"])
                    visits[visit.id] = visit
                elif "at" in plain:
                    current = SegmentName.parse(plain["at"])
            except (ValueError, KeyError, TypeError, AttributeError):
                damaged += 1
        return Spooled(
            tuple(typed.values()),
            tuple(pending.values()),
            current,
            damaged,
            tuple(visits.values()),
        )

    def _visit(self, plain: dict[str, Any]) -> Visit:
        return Visit(
            id=plain["id"],
            kit=self.key.kit,
            team=self.key.team,
            pass_=self.key.pass_,
            segment=SegmentName.parse(plain["in"]),
            editor=self.key.editor,
            machine=plain["machine"],
            at=datetime.fromisoformat(plain["when"]),
            ms=plain["ms"],
            turn=plain["turn"],
            events=events_of(plain["events"])[0],
        )

    def _revision(self, plain: dict[str, Any]) -> Revision:
        return Revision(
            id=plain["id"],
            kit=self.key.kit,
            team=self.key.team,
            pass_=self.key.pass_,
            segment=SegmentName.parse(plain["in"]),
            editor=self.key.editor,
            machine=plain["machine"],
            at=datetime.fromisoformat(plain["when"]),
            state=SegmentState(plain["state"]),
            text=plain["text"],
            turn=plain["turn"],
            reason=plain["reason"],
            side=plain["side"],
            flags=_flags(plain["flags"]),
            base=plain["base"],
            place=plain["place"],
        )


@dataclass(frozen=True, slots=True)
class _Line:
    """One line to write.

    Attributes:
        only: of those with the same, the last one counts.
        again: it is a repetition.
    """

    data: bytes
    only: SegmentName | str | None = None
    again: bool = False

    @classmethod
    def of(
        cls, plain: dict[str, Any], only: SegmentName | str | None = None, *, again: bool = False
    ) -> _Line:
        """The line that keeps these values."""
        # Lone surrogates are escaped by JSON: no text at all can make this fail.
        data = json.dumps(plain, separators=(",", ":")).encode("ascii") + b"\n"
        return cls(data, only, again)


def _plain(revision: Revision) -> dict[str, Any]:
    return {
        "id": revision.id,
        "in": str(revision.segment),
        "machine": revision.machine,
        "when": revision.at.isoformat(),
        "state": revision.state.value,
        "text": revision.text,
        "turn": revision.turn,
        "reason": revision.reason,
        "side": revision.side,
        "flags": dict(revision.flags),
        "base": revision.base,
        "place": revision.place,
    }


def _plain_visit(visit: Visit) -> dict[str, Any]:
    return {
        "id": visit.id,
        "in": str(visit.segment),
        "machine": visit.machine,
        "when": visit.at.isoformat(),
        "turn": visit.turn,
        "ms": visit.ms,
        "events": plain_events(visit.events),
    }


def _longer(visit: Visit, plain: dict[str, Any]) -> Visit:
    """A visit with more of it; the same line twice changes nothing."""
    events = events_of(plain["events"])[0]
    return replace(visit, ms=plain["ms"], events=visit.events[: plain["first"]] + events)


def _plain_typed(typed: Typed) -> dict[str, Any]:
    return {
        "text": typed.text,
        "in": str(typed.segment),
        "caret": typed.caret,
        "anchor": typed.anchor,
        "state": typed.state.value,
        "reason": typed.reason,
        "base": typed.base,
        "flags": dict(typed.flags),
    }


def _typed(plain: dict[str, Any]) -> Typed:
    return Typed(
        segment=SegmentName.parse(plain["in"]),
        text=plain["text"],
        caret=plain["caret"],
        anchor=plain["anchor"],
        state=SegmentState(plain["state"]),
        reason=plain["reason"],
        base=plain["base"],
        flags=_flags(plain["flags"]),
    )


def _flags(plain: Mapping[str, str]) -> dict[Flag, str]:
    return {Flag(name): words for name, words in plain.items()}


def _open(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)


def _content(file: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    parts = []
    while part := os.read(file, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _lock(file: int) -> bool:
    """Hold the file until it is closed or the process ends; False if another process does."""
    try:
        import fcntl
    except ImportError:  # where there is none, two windows on one kit are not told apart
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
