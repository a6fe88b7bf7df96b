"""Finding and replacing over all texts of a kit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["Found", "find", "following", "preceding", "replaced"]


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """One place: the text (an index), and start and end in it, in characters."""

    index: int
    start: int
    end: int


_APOSTROPHES = "'\u2019"
_JOINERS = "\u200c\u200d"


def _of_word(text: str, place: int) -> bool:
    """Whether the character at a place belongs to a word: letters, digits, marks, joiners.

    The vowel signs of Arabic are marks; an apostrophe belongs to the word that it stands in.
    """
    if not 0 <= place < len(text):
        return False
    character = text[place]
    if character in _APOSTROPHES:
        return all(0 <= at < len(text) and text[at].isalpha() for at in (place - 1, place + 1))
    return (
        character.isalnum()
        or character == "_"
        or character in _JOINERS
        or unicodedata.category(character).startswith("M")
    )


def _boundary(text: str, place: int) -> bool:
    """Whether no word goes on from one side of a place to the other."""
    return not (_of_word(text, place - 1) and _of_word(text, place))


def _places(text: str, words: str, case: bool, whole: bool) -> Iterator[tuple[int, int]]:
    pattern = re.compile(re.escape(words), 0 if case else re.IGNORECASE)
    at = 0
    while match := pattern.search(text, at):
        start, end = match.span()
        if not whole or (_boundary(text, start) and _boundary(text, end)):
            yield start, end
            at = end
        else:
            at = start + 1


def find(
    texts: Sequence[str], words: str, *, case: bool = True, whole: bool = False
) -> tuple[Found, ...]:
    """All places where ``words`` stand, as they are written; none for no words.

    Args:
        texts: where to look.
        words: what to look for.
        case: whether upper and lower case are different.
        whole: whether places within a longer word are left out.
    """
    if not words:
        return ()
    return tuple(
        Found(index, start, end)
        for index, text in enumerate(texts)
        for start, end in _places(text, words, case, whole)
    )


def following(places: Sequence[Found], index: int, place: int) -> Found | None:
    """The first place that begins at ``place`` of text ``index`` or later; else the very first."""
    later = (one for one in places if (one.index, one.start) >= (index, place))
    return next(later, places[0] if places else None)


def preceding(places: Sequence[Found], index: int, place: int) -> Found | None:
    """The last place that ends at ``place`` of text ``index`` or earlier; else the very last."""
    earlier = [one for one in places if (one.index, one.end) <= (index, place)]
    last = earlier or places
    return last[-1] if last else None


def replaced(
    texts: Sequence[str], words: str, new: str, *, case: bool = True, whole: bool = False
) -> tuple[dict[int, str], int]:
    """The texts that change when ``words`` are replaced everywhere, and at how many places.

    The arguments are those of :func:`find`.
    """
    changed: dict[int, str] = {}
    count = 0
    if not words:
        return changed, count
    for index, text in enumerate(texts):
        parts, behind, times = [], 0, 0
        for start, end in _places(text, words, case, whole):
            parts += [text[behind:start], new]
            behind, times = end, times + 1
        other = "".join([*parts, text[behind:]])
        if other != text:
            changed[index] = other
            count += times
    return changed, count
