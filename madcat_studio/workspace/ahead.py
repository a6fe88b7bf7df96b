"""A document that is read before anybody asks for it, and taken if the file is still the same."""

from __future__ import annotations

from pathlib import Path

from madcat_studio.formats.files import read_file
from madcat_studio.formats.source import ReadDocument
from madcat_studio.model.copies import copy_document
from madcat_studio.operations.pages.convert import open_document

__all__ = ["make_ready", "read_ahead", "still_so"]


def read_ahead(path: Path) -> ReadDocument:
    """Read a page's document; for any thread.

    Raises:
        InputError, FormatError, WorldError: it cannot be read.
    """
    opened = open_document(path)
    make_ready(opened)
    return opened


def make_ready(opened: ReadDocument) -> None:
    """What a workspace needs of a document that was just read; done once."""
    if opened.source.reading() is None:
        opened.source.keep_reading(copy_document(opened.document))


def still_so(opened: ReadDocument, path: Path) -> bool:
    """Whether a document is what the file at a path says now, byte for byte.

    Raises:
        InputError, WorldError: it cannot be read any more.
    """
    return opened.source.path == path and read_file(path) == opened.source.data
