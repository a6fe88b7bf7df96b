"""What readers and writers of layout formats share: points, boxes, names, what is left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

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
    "Survey",
    "box_polygon",
    "is_name",
    "line_outline",
    "number",
    "points_of",
    "region_outline",
    "whole",
]

ImageSize: TypeAlias = Callable[[str, int], tuple[int, int] | None]
"""Width and height of an image by its name and frame, None where it is not to be found."""

MOST = 1e9
"""Larger numbers are no coordinates of a page."""

_KEPT = 4096
"""Texts of numbers and points whose values are kept: a file is read, and then looked through."""

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

    def tell_unreadable(
        self, survey: Survey, numbers: Set[str], points: Set[str] = frozenset()
    ) -> None:
        """Tell of attributes that should hold a number, or points, and do not; each kind once."""
        found: dict[str, list[tuple[Element, str]]] = {}
        for (tag, *keys), elements in survey.kinds.items():
            for key in keys:
                if key not in numbers and key not in points:
                    continue
                if key in numbers:  # nearly all are good
                    odd = [each for each in elements if number(each.get(key)) is None]
                else:
                    odd = [each for each in elements if not _points(each.get(key))[1]]
                for element in odd:
                    value = element.get(key)
                    if value.strip() and not (key in points and _points(value)[1]):
                        name = f"{survey.names[tag]}/@{key}"
                        found.setdefault(name, []).append((element, value))
        for name, places in found.items():
            element, value = min(places, key=lambda each: survey.ordinals[each[0]])
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
        survey: Survey,
        held: Mapping[str, Set[str]],
        passed: Set[str] = frozenset(),
        besides: Iterable[str] = (),
        aside: Set[str] = frozenset(),
    ) -> None:
        """List elements and attributes that the layout has no room for, each kind once.

        Args:
            survey: of the file.
            held: for each element that is taken over, its attributes that are.
            passed: elements that carry nothing themselves.
            besides: what else is left, a name each time.
            aside: elements, and all in them, that tell of the file and not of its pages.
        """
        names = survey.names
        lost: Counter[str] = Counter(besides)
        beside: Counter[str] = Counter()
        outer = [found for name in aside for found in survey.every(name)]
        apart = {inner for found in outer for inner in found.iter("*")}
        for element in sorted(apart, key=survey.ordinals.__getitem__):
            name = names[element.tag]
            beside[name] += name not in passed
        for (tag, *keys), elements in survey.kinds.items():
            name = names[tag]
            times = len(elements)
            if apart:
                times -= sum(element in apart for element in elements)
            if name in held:
                for key in keys:
                    if names[key] not in held[name] and "XMLSchema-instance" not in str(key):
                        lost[f"{name}/@{names[key]}"] += times
            elif name not in passed:
                lost[name] += times
        for name, times in (+lost).items():
            self.tell(
                "convert-not-taken-over",
                f"{name} ({_times(times)}) is not taken over",
                severity=Severity.NOTE,
            )
        for name, times in (+beside).items():
            self.tell_aside(f"{name} ({_times(times)}) tells of the old file, and is left out")


class Survey:
    """All elements of a file by their kinds: tag and attributes. It is looked through once.

    Attributes:
        ordinals: the place of each in document order, as :mod:`formats.spans` counts them.
        kinds: the elements of each tag with these attributes, in document order.
    """

    def __init__(self, root: Element) -> None:
        self.names = Names()
        self.ordinals: dict[Element, int] = {}
        self.kinds: dict[tuple[Any, ...], list[Element]] = {}
        kinds = self.kinds
        for place, element in enumerate(root.iter("*")):
            self.ordinals[element] = place
            kind = (element.tag, *element.keys())
            if kind in kinds:
                kinds[kind].append(element)
            else:
                kinds[kind] = [element]

    def every(self, *names: str) -> list[Element]:
        """The elements of these local names in document order."""
        found = [
            element
            for (tag, *_), elements in self.kinds.items()
            if self.names[tag] in names
            for element in elements
        ]
        return sorted(found, key=self.ordinals.__getitem__)


def _times(times: int) -> str:
    return f"{times} time{'s' * (times != 1)}"


@lru_cache(maxsize=_KEPT)
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


def points_of(text: str | None) -> Polygon:
    """Points from ``x,y x,y`` or the flat ``x y x y``; a number without a partner is left out."""
    return _points(text)[0] if text else ()


@lru_cache(maxsize=_KEPT)
def _points(text: str) -> tuple[Polygon, bool]:
    """The points of a text, and whether it holds nothing else."""
    plain = _plain(text)
    if plain is not None:
        each = iter(plain)
        return tuple(zip(each, each, strict=False)), len(plain) % 2 == 0
    found = _NUMBER.findall(text)
    values = [number(each) for each in found]
    pairs = zip(values[::2], values[1::2], strict=False)
    left = _NUMBER.sub("", text).translate(_BETWEEN)
    good = not left and len(found) % 2 == 0
    return tuple((x, y) for x, y in pairs if x is not None and y is not None), good


_BETWEEN = dict.fromkeys(map(ord, " \t\r\n,;()"))


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
