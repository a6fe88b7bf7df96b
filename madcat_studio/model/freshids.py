"""Ids for what is added to a document: the next number, never one that anything has or names.

Ids may begin anew on every page, and a reference may name a word that is not there any more. A
new id is new in the whole document and among all references, so that no reference ever comes to
mean something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

from madcat_studio.model.document import Document, Segment

__all__ = [
    "Names",
    "fresh_line_id",
    "fresh_line_ids",
    "fresh_token_id",
    "fresh_token_ids",
    "fresh_word_id",
    "fresh_word_ids",
]

_DIGITS = "0123456789"


class Names:
    """The names of one kind that a document has or refers to: what may not be given again.

    They come and go one by one, and the largest number of each beginning is known at any time.
    """

    def __init__(self) -> None:
        self._heads: Counter[str] = Counter()
        self._numbers: dict[str, Counter[int]] = {}
        self._largest: dict[str, list[int]] = {}

    def add(self, name: str | None, *, own: bool = False) -> None:
        """One more: ``own`` where something is called so, else it is only referred to."""
        head, number = _parted(name)
        if number is None:
            return
        self._heads[head] += own
        numbers = self._numbers.setdefault(head, Counter())
        if not numbers[number]:
            heappush(self._largest.setdefault(head, []), -number)
        numbers[number] += 1

    def remove(self, name: str | None, *, own: bool = False) -> None:
        """One of those that were added is gone."""
        head, number = _parted(name)
        if number is None:
            return
        self._heads[head] -= own
        self._numbers[head][number] -= 1

    def fresh(self, prefix: str, count: int = 1) -> list[str]:
        """New names, numbered on as most are; with ``prefix`` where none has a number."""
        heads = {head: used for head, used in self._heads.items() if used}
        return self.after(_usual(heads, prefix), count=count)

    def after(self, head: str, *, first: int = 0, count: int = 1) -> list[str]:
        """New names that begin so; the first of all gets the number ``first``."""
        numbers, largest = self._numbers.get(head, Counter()), self._largest.get(head, [])
        while largest and not numbers[-largest[0]]:
            del numbers[-heappop(largest)]
        start = -largest[0] + 1 if largest else first
        return [f"{head}{start + step}" for step in range(count)]


def _parted(name: str | None) -> tuple[str, int | None]:
    """What a name begins with, and the number that it ends with, if it does."""
    name = (name or "").strip()
    head = name.rstrip(_DIGITS)
    return head, int(name[len(head) :]) if head != name else None


def _usual(heads: dict[str, int], prefix: str) -> str:
    """What most names begin with; of several the first by the alphabet."""
    return min(heads, key=lambda head: (-heads[head], head)) if heads else prefix


def fresh_word_id(document: Document, names: Names | None = None) -> str:
    """An id for a new word, numbered on as the others are (``t43`` after ``t42``)."""
    return fresh_word_ids(document, 1, names)[0]


def fresh_word_ids(document: Document, count: int, names: Names | None = None) -> list[str]:
    """Ids for several new words. ``names``: those of words, where somebody keeps them anyway."""
    if names is None:
        names = _counted(
            (word.id for page in document.pages for word in page.words()),
            (token.ref_id for segment in document.segments() for token in segment.tokens),
        )
    return names.fresh("t", count)


def fresh_line_id(document: Document, names: Names | None = None) -> str:
    """An id for a new line (``z6`` after ``z5``)."""
    return fresh_line_ids(document, 1, names)[0]


def fresh_line_ids(document: Document, count: int, names: Names | None = None) -> list[str]:
    """Ids for several new lines. ``names``: those of lines, where somebody keeps them anyway."""
    if names is None:
        names = _counted(
            (line.id for page in document.pages for line in page.lines),
            (name for segment in document.segments() for name in segment.zone_refs),
        )
    return names.fresh("z", count)


def fresh_token_id(document: Document, segment: Segment) -> str:
    """An id for a new token of a segment (``s1-13`` after ``s1-12``)."""
    return fresh_token_ids(document, [segment])[0]


def fresh_token_ids(document: Document, segments: Sequence[Segment]) -> list[str]:
    """Ids for new tokens, one for each of these segments; a segment may be named again."""
    names = _counted((), (t.id for each in document.segments() for t in each.tokens))
    for _, name in document.scribe_errors:
        names.add(name)
    found = []
    for segment in segments:
        for token in segment.tokens:  # may not be a part of the document yet
            names.add(token.id)
        own = Counter(head for head, n in (_parted(t.id) for t in segment.tokens) if n is not None)
        found.append(names.after(_usual(own, f"{segment.id or 's'}-"), first=1)[0])
        names.add(found[-1])
    return found


def _counted(own: Iterable[str | None], others: Iterable[str | None]) -> Names:
    names = Names()
    for name in own:
        names.add(name, own=True)
    for name in others:
        names.add(name)
    return names
