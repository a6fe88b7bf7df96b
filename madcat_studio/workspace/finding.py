"""Finding and replacing over all texts of a kit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Found", "find", "following", "replaced"]


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """One place: the text (an index), and start and end in it, in characters."""

    index: int
    start: int
    end: int


def _pattern(words: str, case: bool) -> re.Pattern[str]:
    return re.compile(re.escape(words), 0 if case else re.IGNORECASE)


def find(texts: Sequence[str], words: str, *, case: bool = True) -> tuple[Found, ...]:
    """All places where ``words`` stand, as they are written; none for no words."""
    if not words:
        return ()
    pattern = _pattern(words, case)
    return tuple(
        Found(index, match.start(), match.end())
        for index, text in enumerate(texts)
        for match in pattern.finditer(text)
    )


def following(places: Sequence[Found], index: int, place: int) -> Found | None:
    """The first place that begins at ``place`` of text ``index`` or later; else the very first."""
    later = (one for one in places if (one.index, one.start) >= (index, place))
    return next(later, places[0] if places else None)


def replaced(
    texts: Sequence[str], words: str, new: str, *, case: bool = True
) -> tuple[dict[int, str], int]:
    """The texts that change when ``words`` are replaced everywhere, and at how many places."""
    changed: dict[int, str] = {}
    count = 0
    if not words:
        return changed, count
    pattern = _pattern(words, case)
    for index, text in enumerate(texts):
        other, times = pattern.subn(lambda _: new, text)
        if other != text:
            changed[index] = other
            count += times
    return changed, count
