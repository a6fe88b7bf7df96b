"""In which direction a text is read, and how words of both directions stand in one line."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

__all__ = ["in_line_order", "leans_right_to_left", "right_to_left", "scripts_mixed"]

_RIGHT_TO_LEFT = frozenset({"R", "AL"})


def _leaning(text: str) -> int:
    """How many more of its letters are written from right to left; numbers say nothing."""
    kinds = [unicodedata.bidirectional(letter) for letter in text]
    return sum(kind in _RIGHT_TO_LEFT for kind in kinds) - kinds.count("L")


def right_to_left(texts: Sequence[str]) -> bool:
    """Whether most of the letters are written from right to left; so where nothing says it."""
    return sum(map(_leaning, texts)) >= 0


def leans_right_to_left(text: str) -> bool:
    """Whether a word is written from right to left; so where nothing says it."""
    return _leaning(text) >= 0


def scripts_mixed(texts: Sequence[str]) -> bool:
    """Whether there are words of both directions."""
    leanings = [_leaning(text) for text in texts]
    return min(leanings, default=0) < 0 < max(leanings, default=0)


def in_line_order(texts: Sequence[str], *, from_right: bool, base: bool | None = None) -> list[int]:
    """The words of one line as they stand on the paper.

    Words of the other direction stand, as many as follow one another, in their own order. A word
    without letters goes with the line.

    Args:
        texts: the words in reading order.
        from_right: whether to begin at the right end of the line.
        base: whether the line as a whole is read from right to left; None: as most of its letters.

    Returns:
        Indices in ``texts``.
    """
    base = right_to_left(texts) if base is None else base
    order: list[int] = []
    run: list[int] = []
    for number, text in enumerate(texts):
        leaning = _leaning(text)
        if leaning and (leaning > 0) != base:
            run.append(number)
            continue
        if not leaning and run and _goes_on(texts[number + 1 :], base):
            run.append(number)
            continue
        order += run[::-1]
        run = []
        order.append(number)
    order += run[::-1]
    return order if base == from_right else order[::-1]


def _goes_on(rest: Sequence[str], base: bool) -> bool:
    """Whether the next word with letters is again of the other direction."""
    following = next((leaning for leaning in map(_leaning, rest) if leaning), 0)
    return bool(following) and (following > 0) != base
