"""Saving a page while its user goes on: what is to be saved, as one value, and the work itself."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.formats.documents import becomes_madcat, proven, save
from madcat_studio.formats.files import keep_beside, read_file
from madcat_studio.formats.source import Source
from madcat_studio.model.document import Document
from madcat_studio.workspace.apart import made_apart
from madcat_studio.workspace.edit_history import EditStep
from madcat_studio.workspace.history import Point

__all__ = ["SaveOrder", "Saved"]


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of it.

    Attributes:
        source: to save with next time.
        kept: where the other one's file was kept, None where there was none to keep.
    """

    source: Source
    kept: Path | None


@dataclass(frozen=True, slots=True)
class SaveOrder:
    """What is saved, and where.

    Attributes:
        path: the file.
        document: the document as it was when this was ordered; nobody changes it until the end.
        source: what it is written into.
        point: that state in the history.
        overwrite: also where somebody else changed the file; theirs is kept beside it.
        backup: keep the file as it was opened.
        telling: is told what the file will be, just before it is replaced.
    """

    path: Path
    document: Document
    source: Source
    point: Point[EditStep]
    overwrite: bool
    backup: bool
    telling: Callable[[str], None]

    def run(self, *, apart: bool = False) -> Saved:
        """Save; in any thread.

        Args:
            apart: the bytes are made in a copy of this process, where there can be one.

        Raises:
            ConflictError: ``madcat.changed-on-disk``.
            WorldError: it cannot be written; the old file is as it was.
        """
        kept = None
        if self.overwrite and self.path.exists():
            on_disk = read_file(self.path)
            if hashlib.sha256(on_disk).hexdigest() != self.source.disk_sha256:
                kept = keep_beside(self.path, "theirs", on_disk)
        ready = None
        if apart and not becomes_madcat(self.path, self.source):
            ready = made_apart(lambda: proven(self.path, self.document, self.source))
        source = save(
            self.path,
            self.document,
            self.source,
            overwrite=self.overwrite,
            backup=self.backup,
            telling=self.telling,
            ready=ready,
        )
        return Saved(source, kept)
