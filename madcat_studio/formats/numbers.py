"""Numbers and points as the formats of pages write them.

A page has thousands of coordinates, and the same ones over and over: what is made of a text is kept
where that is small.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from madcat_studio.model.document import Point, Polygon

__all__ = [
    "MOST",
    "Points",
    "box_polygon",
    "holds_points",
    "number",
    "plain_number",
    "points_of",
    "whole",
]

MOST = 1e9
"""Larger numbers are no coordinates of a page."""

_KEPT = 1 << 14
"""So many numbers are kept by their texts: a large page has coordinates up to about that."""

_LONG = 32
"""Texts of so many letters are not kept; few of them are numbers."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_SURELY_LESS = re.compile(r"[+-]?\d{1,9}", re.ASCII)
"""Whole numbers below :data:`MOST`."""
_PLAIN = b"0123456789, "
"""What points are made of as most programs write them."""
_BETWEEN = dict.fromkeys(map(ord, " \t\r\n,;()"))


class _Numbers(dict[str | None, float | None]):
    """Numbers by their texts."""

    def __missing__(self, text: str | None) -> float | None:
        found = _number(text) if text is not None else None
        if len(self) >= _KEPT:
            self.clear()
        if text is None or len(text) < _LONG:
            self[text] = found
        return found


def _number(text: str) -> float | None:
    if _SURELY_LESS.fullmatch(text):
        return int(text)  # what nearly all are
    if not _NUMBER.fullmatch(text.strip()):
        return None
    value = float(text)
    if not abs(value) < MOST:
        return None
    return int(value) if value == int(value) else value


number: Callable[[str | None], float | None] = _Numbers().__getitem__
"""A number, an int where it is whole; None where there is none that a page could have."""


def whole(text: str | None) -> int | None:
    """A number rounded to a whole one, None for nothing and for 0 and less."""
    value = number(text)
    return round(value) if value is not None and value > 0 else None


class _WholeNumbers(dict[str, int]):
    """Whole numbers by their texts; a text that is none raises ``ValueError``."""

    def __missing__(self, text: str) -> int:
        if not _SURELY_LESS.fullmatch(text):
            raise ValueError(text)
        if len(self) >= _KEPT:
            self.clear()
        value = self[text] = int(text)
        return value


plain_number: Callable[[str], int] = _WholeNumbers().__getitem__
"""A whole number that a page could have, without blanks; ``ValueError`` where a text is none."""


def points_of(text: str | None) -> Polygon:
    """Points from ``x,y x,y`` or the flat ``x y x y``; a number without a partner is left out."""
    return _points(text)[0] if text else ()


def holds_points(text: str) -> bool:
    """Whether a text holds points and nothing else."""
    return _points(text)[1]


def _points(text: str) -> tuple[Polygon, bool]:
    """The points of a text, and whether it holds nothing else."""
    if text.isascii():  # what else is blank elsewhere is odd here
        each = map(plain_number, text.replace(",", " ").split())
        try:
            return tuple(zip(each, each, strict=True)), True  # what nearly all are
        except ValueError:
            pass
    found = _NUMBER.findall(text)
    values = [number(one) for one in found]
    pairs = zip(values[::2], values[1::2], strict=False)
    left = _NUMBER.sub("", text).translate(_BETWEEN)
    good = not left and len(found) % 2 == 0
    return tuple((x, y) for x, y in pairs if x is not None and y is not None), good


def _plain_pairs(text: str) -> list[Point]:
    """Pairs of a text that holds whole numbers and nothing else; none where it holds more."""
    if not text or not text.isascii() or text.encode("ascii").translate(None, _PLAIN):
        return []
    import numpy as np

    # What comes last is a number, since NumPy takes blanks at the end for one.
    numbers = np.fromstring(f"{text.replace(',', ' ')} 0", dtype=np.int64, sep=" ")[:-1]
    if len(numbers) % 2 or not len(numbers) or numbers.max() >= MOST:
        return []
    each = iter(numbers.tolist())
    return list(zip(each, each, strict=True))


class Points(dict[str, Polygon]):
    """The points of one file by their texts, each text read once.

    All are read at the beginning and at once, which is quicker than one after another.

    Args:
        texts: those of the file.

    Attributes:
        odd: whether a text holds something else.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        super().__init__()
        # Pairs of numbers have an odd number of separators. Two of them side by side make fewer
        # numbers than that, and nothing makes more.
        counted = [
            (text, between // 2 + 1)
            for text in dict.fromkeys(texts)
            if (between := text.count(",") + text.count(" ")) % 2
        ]
        pairs = _plain_pairs(" ".join([text for text, _ in counted]))
        if len(pairs) == sum([number for _, number in counted]):
            end = 0
            for text, number in counted:
                start, end = end, end + number
                self[text] = tuple(pairs[start:end])
        self.odd = False
        for text in texts:
            self[text]

    def __missing__(self, text: str) -> Polygon:
        found, good = _points(text)
        self.odd |= not good
        self[text] = found
        return found


def box_polygon(
    left: float | None, top: float | None, width: float | None, height: float | None
) -> Polygon:
    """The corners of a box, clockwise from the top left; empty where a number is missing."""
    if left is None or top is None or width is None or height is None:
        return ()
    right, bottom = left + width, top + height
    corners: tuple[Point, ...] = ((left, top), (right, top), (right, bottom), (left, bottom))
    return corners
