"""Ids for what is added to a document: the next number, never one that anything has or names.

Ids may begin anew on every page, and a reference may name a word that is not there any more. A
new id is new in the whole document and among all references, so that no reference ever comes to
mean something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from madcat_studio.model.document import Document, Segment

__all__ = [
    "fresh_line_id",
    "fresh_line_ids",
    "fresh_token_id",
    "fresh_word_id",
    "fresh_word_ids",
]

_DIGITS = "0123456789"


def fresh_word_id(document: Document) -> str:
    """An id for a new word, numbered on as the others are (``t43`` after ``t42``)."""
    return fresh_word_ids(document, 1)[0]


def fresh_word_ids(document: Document, count: int) -> list[str]:
    """Ids for several new words."""
    own = [word.id for page in document.pages for word in page.words()]
    named = [token.ref_id for segment in document.segments() for token in segment.tokens]
    return _next(own, named, "t", count=count)


def fresh_line_id(document: Document) -> str:
    """An id for a new line (``z6`` after ``z5``)."""
    return fresh_line_ids(document, 1)[0]


def fresh_line_ids(document: Document, count: int) -> list[str]:
    """Ids for several new lines."""
    own = [line.id for page in document.pages for line in page.lines]
    named = [name for segment in document.segments() for name in segment.zone_refs]
    return _next(own, named, "z", count=count)


def fresh_token_id(document: Document, segment: Segment) -> str:
    """An id for a new token of a segment (``s1-13`` after ``s1-12``)."""
    own = [token.id for token in segment.tokens]
    others = [token.id for each in document.segments() for token in each.tokens]
    errors = [token for _, token in document.scribe_errors]
    return _next(own, [*others, *errors], f"{segment.id or 's'}-", first=1)[0]


def _next(
    own: Iterable[str | None],
    others: Iterable[str | None],
    prefix: str,
    *,
    first: int = 0,
    count: int = 1,
) -> list[str]:
    names = [name.strip() for name in own if name]
    taken = {*names, *(name.strip() for name in others if name)}
    heads = Counter(head for name in names if (head := name.rstrip(_DIGITS)) != name)
    if heads:
        prefix = heads.most_common(1)[0][0]
    size = len(prefix)
    numbers = [
        int(name[size:])
        for name in taken
        if name.startswith(prefix) and len(name) > size and not name[size:].strip(_DIGITS)
    ]
    number = max(numbers, default=first - 1) + 1
    return [f"{prefix}{number + step}" for step in range(count)]
