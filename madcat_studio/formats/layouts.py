"""What the readers of layout formats share: points, boxes, what is not taken over."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import TypeAlias

from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import Element, Names
from madcat_studio.model.document import Point, Polygon
from madcat_studio.model.layout import Layout
from madcat_studio.model.problem import Problem, Severity, Where

__all__ = [
    "ImageSize",
    "Notes",
    "ReadLayout",
    "box_polygon",
    "number",
    "points_of",
    "whole",
]

ImageSize: TypeAlias = Callable[[str, int], tuple[int, int] | None]
"""Width and height of an image by its name and frame, None where it is not to be found."""

MOST = 1e9
"""Larger numbers are no coordinates of a page."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ReadLayout:
    """A layout as it was read, with what was odd and what was not taken over."""

    layout: Layout
    problems: tuple[Problem, ...]


@dataclass(slots=True)
class Notes:
    """Collects problems of one file."""

    source: Source
    problems: list[Problem] = field(default_factory=list)

    def tell(
        self,
        code: str,
        what: str,
        *,
        element: Element | None = None,
        place: str = "",
        done: str = "",
        remedy: str = "",
        severity: Severity = Severity.WARNING,
    ) -> None:
        """Record one problem."""
        line = getattr(element, "sourceline", None) if element is not None else None
        where = Where(self.source.name, line, place)
        self.problems.append(Problem(code, severity, where, what, done, remedy))

    def tell_unheld(
        self, root: Element, held: Mapping[str, Set[str]], passed: Set[str] = frozenset()
    ) -> None:
        """List elements and attributes that the layout has no room for, each kind once.

        Args:
            root: the file.
            held: for each element that is taken over, its attributes that are.
            passed: elements that carry nothing themselves.
        """
        names = Names()
        lost: Counter[str] = Counter()
        for element in root.iter("*"):
            name = names[element.tag]
            if name in held:
                lost.update(
                    f"{name}/@{names[key]}"
                    for key in element.attrib
                    if names[key] not in held[name] and "XMLSchema-instance" not in key
                )
            elif name not in passed:
                lost[name] += 1
        for name, times in lost.items():
            self.tell(
                "convert-not-taken-over",
                f"{name} ({times} time{'s' * (times != 1)}) is not taken over",
                severity=Severity.NOTE,
            )


def number(text: str | None) -> float | None:
    """A number, an int where it is whole; None where there is none that a page could have."""
    if text is None or not _NUMBER.fullmatch(text.strip()):
        return None
    value = float(text)
    if not abs(value) < MOST:
        return None
    return int(value) if value == int(value) else value


def whole(text: str | None) -> int | None:
    """A number rounded to a whole one, None for nothing and for 0 and less."""
    value = number(text)
    return round(value) if value is not None and value > 0 else None


def points_of(text: str | None) -> Polygon:
    """Points from ``x,y x,y`` or the flat ``x y x y``; a number without a partner is left out."""
    values = [number(found) for found in _NUMBER.findall(text or "")]
    pairs = zip(values[::2], values[1::2], strict=False)
    return tuple((x, y) for x, y in pairs if x is not None and y is not None)


def box_polygon(
    left: float | None, top: float | None, width: float | None, height: float | None
) -> Polygon:
    """The corners of a box, clockwise from the top left; empty where a number is missing."""
    if left is None or top is None or width is None or height is None:
        return ()
    right, bottom = left + width, top + height
    corners: tuple[Point, ...] = ((left, top), (right, top), (right, bottom), (left, bottom))
    return corners
