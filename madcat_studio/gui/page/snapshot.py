"""A copy of a document for a thread that judges it while its user goes on editing."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from madcat_studio.formats.source import ReadDocument
from madcat_studio.images.reading import ImageFinder
from madcat_studio.model.document import Document, Token, Word

if TYPE_CHECKING:
    from madcat_studio.checks import Finding

__all__ = ["find_problems", "snapshot"]


def snapshot(document: Document) -> Document:
    """A copy that shares only what never changes (texts, polygons)."""
    made = copy(document)
    made.pages = [copy(page) for page in document.pages]
    for page in made.pages:
        page.lines = [copy(line) for line in page.lines]
        for line in page.lines:
            # The many are made without further ado: the window waits for this.
            line.words = [Word(word.id, word.polygon, word.origin) for word in line.words]
    made.sections = [copy(section) for section in document.sections]
    for section in made.sections:
        section.segments = [copy(segment) for segment in section.segments]
        for segment in section.segments:
            segment.zone_refs = list(segment.zone_refs)
            segment.tokens = [
                Token(token.id, token.ref_id, token.status, token.source, token.origin)
                for token in segment.tokens
            ]
    made.scribe_errors = dict(document.scribe_errors)
    return made


def find_problems(opened: ReadDocument) -> list[Finding]:
    """Everything that is wrong with a document, and what can be done about it.

    For a worker: its first call loads geometry.
    """
    from madcat_studio.checks import check

    return check(opened, ImageFinder())
