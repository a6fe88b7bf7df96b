"""The journal: every edit of an open document, on this machine, at once.

One journal is two files in the user's state folder: ``KEY.base``, the bytes that were opened, and
``KEY.journal``, one JSON object a line: a head, then ``do``, ``undo``, ``redo``, ``saved``,
``draft`` (a step of what is not finished) and ``held`` (what the hand is at). With both, what was
open at a crash is made again exactly, its history included. A torn last line is what a kill leaves
behind, and is left out.

A save may take a while, and edits come meanwhile: ``saving`` says which state is being saved, and
``writing`` what the file will be, just before it is replaced; ``saved`` says that it was.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import platformdirs

from madcat_studio.edits.base import Edit
from madcat_studio.edits.codec import edit_from_json, edit_to_json
from madcat_studio.errors import FormatError, WorldError
from madcat_studio.formats.files import write_atomically
from madcat_studio.workspace.drafts import DraftKey, Drafts, DraftStep

__all__ = [
    "Journal",
    "Record",
    "Recovered",
    "find_journal",
    "journal_folder",
    "new_journal",
    "told",
]

_VERSION = 1
_STEPS = ("do", "undo", "redo")
_KINDS = (*_STEPS, "saving", "writing", "saved", "draft", "held")
_SESSIONS = 100
"""That have one document open at once, at most."""


def journal_folder() -> Path:
    """Where journals are kept for this user."""
    return Path(platformdirs.user_state_dir("madcat-studio", appauthor=False)) / "journals"


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a journal.

    Attributes:
        kind: ``do``, ``undo``, ``redo``, ``saving``, ``writing``, ``saved``, ``draft`` or ``held``.
        edit: with ``do``, the edit; with ``held``, what would be made if the hand let go now, None
            once it did.
        merged: with ``do``, whether it joined the step before it.
        sha256: with ``saved``, of the file that was written; with ``writing``, of the one to be.
        draft: with ``draft``, its step.
        ends: with ``do``, the draft that became this edit. In one record, so that a kill leaves
            either the draft or the edit.
    """

    kind: str
    edit: Edit | None = None
    merged: bool = False
    sha256: str = ""
    draft: DraftStep | None = None
    ends: DraftKey | None = None


@dataclass(frozen=True, slots=True)
class Recovered:
    """What an earlier session left behind.

    Attributes:
        journal: to go on with, or to discard.
        base: the bytes that were opened then.
        records: what was done, in order.
        damaged: whether records after these could not be read.
    """

    journal: Journal
    base: bytes
    records: tuple[Record, ...]
    damaged: bool

    @property
    def saved_sha256(self) -> str | None:
        """Of the file as it was last saved, None if it never was."""
        return next((r.sha256 for r in reversed(self.records) if r.kind == "saved"), None)

    @property
    def unsaved(self) -> int:
        """How many steps came after the last save, what the hand held at the end among them."""
        number, saving = 0, None
        for record in self.records:
            if record.kind in _STEPS:
                number += 1
            elif record.kind == "saving":
                saving = number
            elif record.kind == "saved":
                number, saving = number - (number if saving is None else saving), None
        return number + (self.held is not None)

    @property
    def held(self) -> Edit | None:
        """What the hand held when the session ended: it is let go where it was."""
        kinds = (*_STEPS, "held")
        last = next((r for r in reversed(self.records) if r.kind in kinds), None)
        return last.edit if last is not None and last.kind == "held" else None

    def settled(self, sha256: str) -> Recovered:
        """The same, where the file that was being written is there: the kill came after that."""
        last = next((r for r in reversed(self.records) if r.kind in ("writing", "saved")), None)
        if last is None or last.kind == "saved" or last.sha256 != sha256:
            return self
        return replace(self, records=(*self.records, Record("saved", sha256=sha256)))

    def drafts(self) -> Drafts:
        """What was begun and not finished."""
        drafts = Drafts()
        for record in self.records:
            if record.draft is not None:
                drafts.apply(record.draft)
            elif record.kind == "do":
                drafts.edited(record.ends)
        return drafts

    @property
    def is_wanted(self) -> bool:
        """Whether it holds anything that is nowhere else."""
        return bool(self.unsaved or self.drafts().begun())


class Journal:
    """The journal of one open document; made at its first edit, removed when nothing is unsaved."""

    def __init__(self, path: Path, number: int, folder: Path) -> None:
        key = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:24]
        name = key if number == 0 else f"{key}-{number}"
        self.document = path
        self.path = folder / f"{name}.journal"
        self.base_path = folder / f"{name}.base"
        self._stream: IO[bytes] | None = None

    def start(self, base: bytes) -> bool:
        """Begin a new journal; False if another session holds this one.

        Raises:
            WorldError: ``journal.cannot-write``.
        """
        with told(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            stream = self.path.open("ab")
            if not _lock(stream):
                stream.close()
                return False
            stream.truncate(0)
            self._stream = stream
        write_atomically(self.base_path, base)
        self._append(
            {
                "journal": _VERSION,
                "document": os.fspath(self.document),
                "sha256": hashlib.sha256(base).hexdigest(),
            }
        )
        return True

    def resume(self) -> bool:
        """Go on with a journal that an earlier session left; False if another holds it.

        Raises:
            WorldError: ``journal.cannot-write``.
        """
        with told(self.path):
            stream = self.path.open("r+b")
            if not _lock(stream):
                stream.close()
                return False
            content = stream.read()
            stream.truncate(content.rfind(b"\n") + 1)  # a torn line would spoil the next one
            stream.seek(0, os.SEEK_END)
            self._stream = stream
        return True

    @property
    def is_open(self) -> bool:
        """Whether edits are being written."""
        return self._stream is not None

    def write(self, record: Record) -> None:
        """Write one record; it is in the system's hands when this returns.

        Raises:
            WorldError: ``journal.cannot-write``.
        """
        plain: dict[str, Any] = {"kind": record.kind}
        if record.edit is not None:
            plain["edit"] = edit_to_json(record.edit)
        if record.merged:
            plain["merged"] = True
        if record.sha256:
            plain["sha256"] = record.sha256
        if record.draft is not None:
            plain["draft"] = record.draft.to_json()
        if record.ends is not None:
            plain["ends"] = record.ends
        self._append(plain)

    def _append(self, plain: dict[str, Any]) -> None:
        assert self._stream is not None
        with told(self.path):
            self._stream.write(json.dumps(plain, separators=(",", ":")).encode() + b"\n")
            self._stream.flush()

    def close(self) -> None:
        """Stop writing; the files stay, to be recovered."""
        if self._stream is not None:
            with told(self.path):
                self._stream.close()
            self._stream = None

    def remove(self) -> None:
        """Stop writing and delete the files."""
        self.close()
        with told(self.path):
            self.path.unlink(missing_ok=True)
            self.base_path.unlink(missing_ok=True)

    def read(self) -> Recovered | None:
        """What the journal holds; None where it holds nothing that could be made again."""
        try:
            lines = self.path.read_bytes().split(b"\n")[:-1]  # what follows the last is torn
            base = self.base_path.read_bytes()
        except OSError:
            return None
        try:
            head = json.loads(lines[0]) if lines else {}
        except ValueError:
            return None
        if head.get("journal") != _VERSION or head.get("sha256") != _sha256(base):
            return None
        records: list[Record] = []
        for line in lines[1:]:
            try:
                records.append(_record(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError, FormatError):
                return Recovered(self, base, tuple(records), damaged=True)
        return Recovered(self, base, tuple(records), damaged=False)


def find_journal(path: Path, folder: Path) -> Recovered | None:
    """The first journal of this document that no session holds and that has something unsaved.

    Journals in which everything is saved and finished are removed. The one returned is held by the
    caller.

    Raises:
        WorldError: ``journal.cannot-write``.
    """
    for journal in _numbered(path, folder):
        # Not only up to the first gap: of two sessions the first may have ended in good order.
        if not journal.path.exists() or not journal.resume():
            continue
        found = journal.read()
        if found is not None and found.is_wanted:
            return found
        journal.remove()
    return None


def _numbered(path: Path, folder: Path) -> Iterator[Journal]:
    for number in range(_SESSIONS):
        yield Journal(path, number, folder)


def new_journal(path: Path, folder: Path, base: bytes) -> Journal:
    """A journal for a document that is opened now; another one where a session holds the first.

    Raises:
        WorldError: ``journal.cannot-write``.
    """
    for journal in _numbered(path, folder):
        if journal.path.exists() and not _is_free(journal):
            continue
        if journal.start(base):
            return journal
    raise WorldError(
        "journal.cannot-write",
        "this document is open in a hundred sessions",
        where=path,
        remedy="Close some of them",
    )


def _is_free(journal: Journal) -> bool:
    """Whether nobody holds the journal and nothing in it waits to be recovered."""
    found = journal.read()
    return found is None or not found.is_wanted


def _record(plain: dict[str, Any]) -> Record:
    kind = plain["kind"]
    if kind not in _KINDS:
        raise ValueError(kind)
    has_edit = kind == "do" or (kind == "held" and "edit" in plain)
    edit = edit_from_json(plain["edit"]) if has_edit else None
    draft = DraftStep.from_json(plain["draft"]) if kind == "draft" else None
    page, name = plain.get("ends") or (None, "")
    ends = None if page is None else (int(page), str(name))
    return Record(kind, edit, plain.get("merged", False), plain.get("sha256", ""), draft, ends)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _lock(stream: IO[bytes]) -> bool:
    """Hold the file until it is closed or the process ends; False if another process does."""
    try:
        import fcntl
    except ImportError:  # where there is none, two sessions on one document are not told apart
        return True
    try:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn an error of the system into one message."""
    try:
        yield
    except OSError as error:
        raise WorldError(
            "journal.cannot-write",
            (
                f"edits cannot be protected against a crash ({error.strerror or error} in "
                f"{path.parent})"
            ),
            where=path,
            remedy="Check the folder's permissions and the disk space; save often",
        ) from error
