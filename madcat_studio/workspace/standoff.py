"""The scribe errors of an open document: from the stand-off file, and back into it."""

from __future__ import annotations

from pathlib import Path

from madcat_studio.errors import StudioError
from madcat_studio.formats.madcat import base_of
from madcat_studio.formats.standoff import change_errors, find_standoff, read_errors
from madcat_studio.model.document import Document, TokenError

__all__ = ["Standoff"]


class Standoff:
    """What the stand-off file said of a document when it was read or written last.

    Attributes:
        trouble: why the file cannot be read, or None; then nothing is written either.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], TokenError] = {}
        self.trouble: StudioError | None = None

    def load(self, path: Path, document: Document) -> None:
        """Take the errors of a document that was read from ``path`` into it."""
        self.trouble = None
        self._known = {}
        try:
            self._known = read_errors(find_standoff(path), base_of(path))
        except StudioError as error:
            self.trouble = error
        document.scribe_errors = dict(self._known)

    def differs(self, document: Document) -> bool:
        """Whether there is something to write."""
        return document.scribe_errors != self._known

    def save(self, path: Path, document: Document) -> None:
        """Write what changed since.

        Raises:
            FormatError, WorldError: the file cannot be read or written; nothing is changed.
        """
        if not self.differs(document):
            return
        change_errors(find_standoff(path), base_of(path), self._known, document.scribe_errors)
        self._known = dict(document.scribe_errors)

    def save_elsewhere(self, path: Path, document: Document) -> None:
        """Write all of it for a document that has another name now.

        Raises:
            FormatError, WorldError: as :meth:`save`.
        """
        target = find_standoff(path)
        change_errors(
            target, base_of(path), read_errors(target, base_of(path)), document.scribe_errors
        )
        self._known = dict(document.scribe_errors)
