"""Numbers and points as the formats of pages write them.

A page has thousands of coordinates, and the same ones over and over: what is made of a text is kept
where that is small.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from madcat_studio.model.document import Point, Polygon

__all__ = ["MOST", "Points", "box_polygon", "holds_points", "number", "points_of", "whole"]

MOST = 1e9
"""Larger numbers are no coordinates of a page."""

_KEPT = 1 << 14
"""So many numbers are kept by their texts: a large page has coordinates up to about that."""

_LONG = 32
"""Texts of so many letters are not kept; few of them are numbers."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_SURELY_LESS = re.compile(r"[+-]?\d{1,9}", re.ASCII)
"""Whole numbers below :data:`MOST`."""
_PLAIN = re.compile(r"\d{1,9},\d{1,9}(?: \d{1,9},\d{1,9})*", re.ASCII)
"""Points as most programs write them."""
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


_whole_number = _WholeNumbers().__getitem__


def points_of(text: str | None) -> Polygon:
    """Points from ``x,y x,y`` or the flat ``x y x y``; a number without a partner is left out."""
    return _points(text)[0] if text else ()


def holds_points(text: str) -> bool:
    """Whether a text holds points and nothing else."""
    return _points(text)[1]


def _points(text: str) -> tuple[Polygon, bool]:
    """The points of a text, and whether it holds nothing else."""
    if text.isascii():  # what else is blank elsewhere is odd here
        each = map(_whole_number, text.replace(",", " ").split())
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


class Points(dict[str, Polygon]):
    """The points of one file by their texts, each text read once.

    Attributes:
        odd: whether a text was asked for that holds something else.
    """

    odd = False

    def __missing__(self, text: str) -> Polygon:
        found, good = _points(text)
        self.odd |= not good
        self[text] = found
        return found

    def look_at(self, text: str) -> None:
        """Notice whether a text holds something else, without reading it."""
        if not _PLAIN.fullmatch(text):
            self[text]


def box_polygon(
    left: float | None, top: float | None, width: float | None, height: float | None
) -> Polygon:
    """The corners of a box, clockwise from the top left; empty where a number is missing."""
    if left is None or top is None or width is None or height is None:
        return ()
    right, bottom = left + width, top + height
    corners: tuple[Point, ...] = ((left, top), (right, top), (right, bottom), (left, bottom))
    return corners
