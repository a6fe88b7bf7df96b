"""A document from a file of any format, for those who look at it and save nothing."""

from __future__ import annotations

from madcat_studio.formats.documents import IN_PLACE, format_of, read_document
from madcat_studio.formats.madcat import base_of
from madcat_studio.formats.registry import read_layout
from madcat_studio.formats.source import ReadDocument, Source
from madcat_studio.model.conversion import document_of

__all__ = ["read_any"]

_STAYING = frozenset({"convert-not-taken-over", "convert-aside"})


def read_any(source: Source) -> ReadDocument:
    """Read a document; one in a format that is not saved in place has each line as a segment.

    Raises:
        FormatError: it is in no format, or is damaged.
    """
    if format_of(source) in IN_PLACE:
        return read_document(source)
    found = read_layout(source)
    base = base_of(source.name)
    document, _ = document_of(found.layout, base, source.name, every_line=True)
    # What the document has no room for stays in the file.
    told = tuple(problem for problem in found.problems if problem.code not in _STAYING)
    return ReadDocument(document, source, told)
