"""Copies of a document that share only what never changes: texts, polygons."""

from __future__ import annotations

from copy import copy

from madcat_studio.model.document import Document, Line, Segment, Token, Word

__all__ = ["copy_document", "copy_line", "copy_segment"]


def copy_document(document: Document) -> Document:
    """A document that is the same now, and stays so whatever becomes of the other."""
    made = copy(document)
    made.pages = [copy(page) for page in document.pages]
    for page in made.pages:
        page.lines = [copy_line(line) for line in page.lines]
        page.regions = [copy(region) for region in page.regions]
    made.sections = [copy(section) for section in document.sections]
    for section in made.sections:
        section.segments = [copy_segment(segment) for segment in section.segments]
    made.scribe_errors = dict(document.scribe_errors)
    return made


def copy_line(line: Line) -> Line:
    """A line with its words."""
    made = copy(line)
    # The many are made without further ado: a window waits for this.
    made.words = [Word(word.id, word.polygon, word.origin, word.traits) for word in line.words]
    return made


def copy_segment(segment: Segment) -> Segment:
    """A segment with its tokens."""
    made = copy(segment)
    made.zone_refs = list(segment.zone_refs)
    made.tokens = [
        Token(token.id, token.ref_id, token.status, token.source, token.origin)
        for token in segment.tokens
    ]
    return made
