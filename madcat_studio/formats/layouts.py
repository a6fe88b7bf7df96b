"""What readers and writers of layout formats share: points, boxes, names, what is left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import TypeAlias

from lxml import etree

from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import Element, Names
from madcat_studio.model.document import Point, Polygon
from madcat_studio.model.geometry import bounding_box, corners, known_outline
from madcat_studio.model.layout import Layout, LayoutLine, LayoutPage, LayoutRegion
from madcat_studio.model.problem import Problem, Severity, Where
from madcat_studio.model.traits import traits_of

__all__ = [
    "FreshNames",
    "ImageSize",
    "Notes",
    "ReadLayout",
    "box_polygon",
    "is_name",
    "line_outline",
    "number",
    "ordinals",
    "points_of",
    "region_outline",
    "whole",
]

ImageSize: TypeAlias = Callable[[str, int], tuple[int, int] | None]
"""Width and height of an image by its name and frame, None where it is not to be found."""

MOST = 1e9
"""Larger numbers are no coordinates of a page."""

_SURELY_LESS = 9
"""Of so few digits no number reaches :data:`MOST`."""

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

    def tell_outline_made(self, what: str, place: str) -> None:
        """Tell of an outline that a format asks for, and that nobody drew."""
        self.tell(
            "convert-outline-made",
            f"the {what} has no outline",
            place=place,
            done="the nearest that is known stands for it",
            severity=Severity.NOTE,
        )

    def tell_baseline_derived(self, place: str) -> None:
        """Tell of a baseline that other programs ask for, and that nobody drew."""
        self.tell(
            "convert-baseline-derived",
            "the line has no baseline",
            place=place,
            done="one is derived from its outline",
            severity=Severity.NOTE,
        )

    def tell_id_changed(self, wanted: str, made: str) -> None:
        """Tell of an id that the file cannot have, or has already."""
        self.tell(
            "convert-id-changed",
            f"the id “{wanted}” is given twice in the file, or no name",
            done=f"written as {made}",
            severity=Severity.NOTE,
        )

    def tell_traits_lost(self, format_name: str, page: LayoutPage) -> None:
        """Tell what a format without languages and styles leaves out of a page, each kind."""
        lines = [line for region in page.regions for line in region.lines]
        words = [word for line in lines for word in line.words]
        said = [page.traits, *(region.traits for region in page.regions)]
        said += [*(line.traits for line in lines), *(word.traits for word in words)]
        for traits in said:
            for trait in traits_of(traits):
                what = f"{format_name} has no room for {trait}"
                self.tell("convert-lost", what, severity=Severity.NOTE)

    def tell_aside(self, what: str, place: str = "") -> None:
        """Tell of what is left out and is no part of the page: facts of the file or its image."""
        self.tell("convert-aside", what, place=place, severity=Severity.NOTE)

    def tell_unreadable(self, root: Element, numbers: Set[str], points: Set[str]) -> None:
        """Tell of attributes that should hold a number, or points, and do not; each kind once."""
        names = Names()
        found: dict[str, list[tuple[Element, str]]] = {}
        for element in root.iter("*"):
            for key, value in element.items():
                if (key not in numbers and key not in points) or not value.strip():
                    continue
                good = key in numbers and number(value) is not None
                if not good and not (key in points and _all_points(value)):
                    found.setdefault(f"{names[element.tag]}/@{key}", []).append((element, value))
        for name, places in found.items():
            element, value = places[0]
            shown = value if len(value) <= 40 else value[:39] + "…"
            self.tell(
                "number-unreadable",
                f"{name} is “{shown}” ({_times(len(places))} of this kind)",
                element=element,
                done="read as far as it can be",
                remedy="Correct it in the file",
            )

    def tell_unheld(
        self,
        root: Element,
        held: Mapping[str, Set[str]],
        passed: Set[str] = frozenset(),
        besides: Iterable[str] = (),
        aside: Set[str] = frozenset(),
    ) -> None:
        """List elements and attributes that the layout has no room for, each kind once.

        Args:
            root: the file.
            held: for each element that is taken over, its attributes that are.
            passed: elements that carry nothing themselves.
            besides: what else is left, a name each time.
            aside: elements, and all in them, that tell of the file and not of its pages.
        """
        names = Names()
        lost: Counter[str] = Counter(besides)
        beside: Counter[str] = Counter()
        apart: set[Element] = set()
        for element in root.iter("*"):
            name = names[element.tag]
            if name in aside or element.getparent() in apart:
                apart.add(element)
                beside[name] += name not in passed
            elif name in held:
                lost.update(
                    f"{name}/@{names[key]}"
                    for key in element.attrib
                    if names[key] not in held[name] and "XMLSchema-instance" not in key
                )
            elif name not in passed:
                lost[name] += 1
        for name, times in (+lost).items():
            self.tell(
                "convert-not-taken-over",
                f"{name} ({_times(times)}) is not taken over",
                severity=Severity.NOTE,
            )
        for name, times in (+beside).items():
            self.tell_aside(f"{name} ({_times(times)}) tells of the old file, and is left out")


def _times(times: int) -> str:
    return f"{times} time{'s' * (times != 1)}"


def number(text: str | None) -> float | None:
    """A number, an int where it is whole; None where there is none that a page could have."""
    if text is None:
        return None
    if text.isdigit() and text.isascii() and len(text) < _SURELY_LESS:
        return int(text)  # what nearly all are
    if not _NUMBER.fullmatch(text.strip()):
        return None
    value = float(text)
    if not abs(value) < MOST:
        return None
    return int(value) if value == int(value) else value


def whole(text: str | None) -> int | None:
    """A number rounded to a whole one, None for nothing and for 0 and less."""
    value = number(text)
    return round(value) if value is not None and value > 0 else None


def _all_points(text: str) -> bool:
    """Whether a text holds nothing but pairs of numbers."""
    if _PLAIN_POINTS.fullmatch(text):
        return True  # nearly all
    left = _NUMBER.sub("", text).translate(_BETWEEN)
    return not left and len(_NUMBER.findall(text)) % 2 == 0


_PLAIN_POINTS = re.compile(r"\s*(?:-?\d+[\s,]+-?\d+(?:\s+|$))*", re.ASCII)
_BETWEEN = dict.fromkeys(map(ord, " \t\r\n,;()"))


def points_of(text: str | None) -> Polygon:
    """Points from ``x,y x,y`` or the flat ``x y x y``; a number without a partner is left out."""
    if not text:
        return ()
    plain = _plain(text)
    if plain is not None:
        return tuple(zip(plain[::2], plain[1::2], strict=False))
    values = [number(found) for found in _NUMBER.findall(text)]
    pairs = zip(values[::2], values[1::2], strict=False)
    return tuple((x, y) for x, y in pairs if x is not None and y is not None)


def _plain(text: str) -> list[int] | None:
    """The numbers of a text that holds nothing but whole ones, as most do; else None."""
    if not text.isascii() or "_" in text:
        return None
    try:
        values = list(map(int, text.replace(",", " ").split()))
    except ValueError:
        return None
    if values and not -MOST < min(values) <= max(values) < MOST:
        return None
    return values


def box_polygon(
    left: float | None, top: float | None, width: float | None, height: float | None
) -> Polygon:
    """The corners of a box, clockwise from the top left; empty where a number is missing."""
    if left is None or top is None or width is None or height is None:
        return ()
    right, bottom = left + width, top + height
    corners: tuple[Point, ...] = ((left, top), (right, top), (right, bottom), (left, bottom))
    return corners


def ordinals(root: Element) -> dict[Element, int]:
    """The place of each element in document order, as :mod:`formats.spans` counts them."""
    return {element: number_ for number_, element in enumerate(root.iter("*"))}


def is_name(text: str) -> bool:
    """Whether XML Schema takes a text as an id."""
    try:
        etree.QName("urn:any", text)
    except ValueError:
        return False
    return True


class FreshNames:
    """Ids of one file that is written: each is a name, and none is given twice."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: Counter[str] = Counter()

    def take(self, wanted: str | None) -> bool:
        """Give out an id that somebody wants; False where the file cannot have it."""
        if wanted is None or wanted in self._taken or not is_name(wanted):
            return False
        self._taken.add(wanted)
        return True

    def fresh(self, prefix: str) -> str:
        """An id that nothing has: ``l_0``, ``l_1``."""
        while (made := f"{prefix}_{self._next[prefix]}") in self._taken:
            self._next[prefix] += 1
        self._taken.add(made)
        return made


def line_outline(line: LayoutLine, region: LayoutRegion, page: LayoutPage) -> Polygon:
    """Where a line is, for formats that must be told: what is known best.

    Its outline, else the box of its words, else its baseline, else where its region is.
    """
    words = tuple(point for word in line.words for point in word.polygon)
    return known_outline(line.polygon, words, line.baseline) or region_outline(region, page)


def region_outline(region: LayoutRegion, page: LayoutPage) -> Polygon:
    """Where a region is: its outline, else the box of its lines, else the whole page."""
    if len(region.polygon) > 1:
        return region.polygon
    points = [point for line in region.lines for point in (*line.polygon, *line.baseline)]
    points += [point for line in region.lines for word in line.words for point in word.polygon]
    box = bounding_box(tuple(points))
    return corners(box or (0, 0, page.width or 1, page.height or 1))
