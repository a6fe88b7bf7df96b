"""The journal as an open page keeps it: begun with the first edit, gone when nothing is unsaved."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from madcat_studio.edits.base import Edit
from madcat_studio.errors import WorldError
from madcat_studio.formats.source import Source
from madcat_studio.workspace.journal import Journal, Record, Recovered, find_journal, new_journal
from madcat_studio.workspace.page_state import Recovery

__all__ = ["PageJournal"]


class PageJournal:
    """Keeps edits against a crash. Trouble with that is reported, and stops nobody's work."""

    def __init__(self, folder: Path, report: Callable[[WorldError], None]) -> None:
        self._folder = folder
        self._report = report
        self._journal: Journal | None = None
        self._left: Recovered | None = None

    def find_left(self, path: Path, sha256: str) -> None:
        """Look for what an earlier session left of a file; ``sha256``: of it as it is now."""

        def find() -> None:
            left = find_journal(path, self._folder)
            self._left = None if left is None else left.settled(sha256)

        self._try(find)

    def recovery(self, sha256: str) -> Recovery | None:
        """What it left unsaved, None for nothing; ``sha256``: of the file as it is now."""
        left = self._left
        if left is None:
            return None
        expected = left.saved_sha256 or hashlib.sha256(left.base).hexdigest()
        begun = len(left.drafts().begun())
        return Recovery(left.unsaved, expected != sha256, left.damaged, begun)

    @property
    def left(self) -> Recovered | None:
        """What an earlier session left, None for nothing."""
        return self._left

    def take_left(self) -> None:
        """Go on with it: what it holds was made again."""
        if self._left is not None:
            self._journal, self._left = self._left.journal, None

    def hand_over(self, path: Path, source: Source, records: Iterable[Record]) -> None:
        """Begin anew with these instead of what an earlier session left, which is deleted then."""
        left, self._left = self._left, None
        for record in records:
            self.write(path, source, record)
        if left is not None:
            self._try(left.journal.remove)

    def write(self, path: Path, source: Source, record: Record) -> None:
        """Write one record; the first of them begins the journal of the file."""

        def write() -> None:
            if self._journal is None:
                if self._left is not None:
                    # The user went on without it; what was left stays where it is.
                    self._left.journal.close()
                    self._left = None
                self._journal = new_journal(path, self._folder, source.data)
                if source.saved_sha256 is not None:
                    # Saved before the first edit: nothing was changed, so the file is the base.
                    self._journal.write(Record("saved", sha256=source.saved_sha256))
            self._journal.write(record)

        self._try(write)

    def saving(self, path: Path, source: Source) -> None:
        """The state as it is now is being saved."""
        if self._journal is not None:
            self.write(path, source, Record("saving"))

    def writing(self, sha256: str) -> None:
        """The file will be this in a moment. From any thread: a record is one write."""
        journal = self._journal
        if journal is not None:
            self._try(lambda: journal.write(Record("writing", sha256=sha256)))

    def saved(self, path: Path, source: Source) -> None:
        """The document was saved."""
        if self._journal is not None and source.saved_sha256 is not None:
            self.write(path, source, Record("saved", sha256=source.saved_sha256))

    def begin_anew(self, path: Path, source: Source, edits: Iterable[Edit]) -> None:
        """Another file is the base now: these edits lead from it to the document, and are saved."""
        for edit in edits:
            self.write(path, source, Record("do", edit))
        self.saved(path, source)

    def drop(self) -> None:
        """Delete the journal: nothing of it is wanted."""
        if self._journal is not None:
            self._try(self._journal.remove)
            self._journal = None

    def close(self, *, keep: bool) -> None:
        """End the session; ``keep``: there are edits to be recovered."""
        if self._left is not None:
            self._try(self._left.journal.close)
        if self._journal is not None:
            self._try(self._journal.close if keep else self._journal.remove)
        self._journal = self._left = None

    def _try(self, action: Callable[[], None]) -> None:
        try:
            action()
        except WorldError as error:
            self._report(error)
