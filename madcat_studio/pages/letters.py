"""How wide words are written, and in how many pieces: what their letters ask for."""

from __future__ import annotations

import unicodedata

__all__ = ["letter_width", "parts_expected"]

_NARROW = frozenset("اأإآٱل1١")
_SMALL = frozenset("دذرزوؤءةه")
_WIDE = frozenset("سشصض")
_BREAKS = frozenset("اأإآٱدذرزوؤءةى")
"""Letters that do not join the one after them."""


def letter_width(text: str) -> float:
    """How wide a word is, in ordinary letters; marks that stand above or below have no width."""
    width = 0.0
    letters = [c for c in text if not unicodedata.combining(c) and not c.isspace()]
    for place, character in enumerate(letters):
        kind = unicodedata.category(character)[0]
        last = place == len(letters) - 1
        if kind == "P" or kind == "S":
            width += 0.35
        elif character in _NARROW:
            width += 0.5
        elif character in _SMALL:
            width += 0.75
        elif character in _WIDE:
            width += 2.0 if last else 1.5
        else:
            width += 1.5 if last else 0.9
    return max(width, 0.3)


def parts_expected(text: str) -> int:
    """How many pieces its letters would be written in, if nothing touched."""
    letters = [c for c in text if not unicodedata.combining(c)]
    return 1 + sum(c in _BREAKS for c in letters[:-1])
