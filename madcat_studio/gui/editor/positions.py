"""Places in a text: Python counts characters, Qt counts UTF-16 units."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache

__all__ = ["from_qt", "to_qt"]

_TWO_UNITS = re.compile("[\U00010000-\U0010ffff]")


def to_qt(text: str, place: int) -> int:
    """Qt's position of the place before character ``place``."""
    place = min(place, len(text))
    if text.isascii():
        return place
    return place + bisect_left(_wide(text)[0], place)


def from_qt(text: str, position: int) -> int:
    """The number of characters before Qt's ``position``; half a character counts as one."""
    if text.isascii():
        return min(position, len(text))
    return min(position - bisect_right(_wide(text)[1], position), len(text))


@lru_cache(maxsize=8)
def _wide(text: str) -> tuple[list[int], list[int]]:
    """Where the characters of two units are, and where each ends in units.

    Looked for once in a text: its marks ask for thousands of places.
    """
    places = [found.start() for found in _TWO_UNITS.finditer(text)]
    return places, [place + number + 2 for number, place in enumerate(places)]
