"""Places in a text: Python counts characters, Qt counts UTF-16 units."""

from __future__ import annotations

__all__ = ["from_qt", "to_qt"]


def to_qt(text: str, place: int) -> int:
    """Qt's position of the place before character ``place``."""
    if text.isascii():
        return min(place, len(text))
    head = text[:place]
    return len(head) + sum(character > "\uffff" for character in head)


def from_qt(text: str, position: int) -> int:
    """The number of characters before Qt's ``position``."""
    if text.isascii():
        return min(position, len(text))
    units = 0
    for place, character in enumerate(text):
        if units >= position:
            return place
        units += 2 if character > "\uffff" else 1
    return len(text)
