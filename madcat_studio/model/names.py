"""What a user is told about the place of an object: ``page p1 line z3 word t7``."""

from __future__ import annotations

from madcat_studio.model.document import Document

__all__ = ["label", "line_name", "page_name", "segment_name", "token_name", "word_name"]


def label(kind: str, identifier: str | None, index: int) -> str:
    """``word t7``, or ``word #8`` for the object at ``index`` (from 0) that has no id."""
    return f"{kind} {identifier}" if identifier else f"{kind} #{index + 1}"


def page_name(document: Document, page: int) -> str:
    """The name of the page at this index."""
    return label("page", document.pages[page].id, page)


def line_name(document: Document, page: int, line: int) -> str:
    """The name of the line at these indices."""
    found = document.pages[page].lines[line]
    return f"{page_name(document, page)} {label('line', found.id, line)}"


def word_name(document: Document, page: int, line: int, word: int) -> str:
    """The name of the word at these indices."""
    found = document.pages[page].lines[line].words[word]
    return f"{line_name(document, page, line)} {label('word', found.id, word)}"


def segment_name(document: Document, section: int, segment: int) -> str:
    """The name of the segment at these indices."""
    return label("segment", document.sections[section].segments[segment].id, segment)


def token_name(document: Document, section: int, segment: int, token: int) -> str:
    """The name of the token at these indices."""
    found = document.sections[section].segments[segment].tokens[token]
    return f"{segment_name(document, section, segment)} {label('token', found.id, token)}"
