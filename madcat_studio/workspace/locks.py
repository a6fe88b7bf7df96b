"""The locked lines of an open document: from the table beside it, and back into it."""

from __future__ import annotations

from pathlib import Path

from madcat_studio.errors import StudioError
from madcat_studio.formats.locks import find_locked, locks_file, read_locks, write_locks
from madcat_studio.model.document import Document

__all__ = ["Locks"]

_Rows = tuple[tuple[int, int, str], ...]


class Locks:
    """What the table said when it was read or written last.

    Attributes:
        trouble: why it cannot be read, or None; then nothing is locked.
    """

    def __init__(self) -> None:
        self._known: _Rows = ()
        self.trouble: StudioError | None = None

    def load(self, path: Path, document: Document) -> None:
        """Lock the lines that the table beside ``path`` names, and no others."""
        self.trouble, self._known = None, ()
        try:
            self._known = read_locks(locks_file(path))
        except StudioError as error:
            self.trouble = error
        for line in find_locked(document, self._known):
            line.locked = True

    def save(self, path: Path, document: Document) -> None:
        """Write the table, if anything changed.

        Raises:
            WorldError: it cannot be written.
        """
        now = _rows(document)
        if now != self._known:
            self.save_elsewhere(path, document)

    def save_elsewhere(self, path: Path, document: Document) -> None:
        """Write the table for a document that has another name now.

        Raises:
            WorldError: it cannot be written.
        """
        now = _rows(document)
        write_locks(locks_file(path), now)
        self._known = now


def _rows(document: Document) -> _Rows:
    return tuple(
        (p, n, line.id or "")
        for p, page in enumerate(document.pages)
        for n, line in enumerate(page.lines)
        if line.locked
    )
