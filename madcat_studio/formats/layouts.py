"""What readers and writers of layout formats share: points, boxes, names, what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from lxml import etree

from madcat_studio.formats.numbers import holds_points, number
from madcat_studio.formats.source import Source
from madcat_studio.formats.survey import Survey
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import bounding_box, corners, known_outline
from madcat_studio.model.layout import Layout, LayoutLine, LayoutPage, LayoutRegion
from madcat_studio.model.problem import Problem, Severity, Where
from madcat_studio.model.traits import traits_of

__all__ = [
    "FreshNames",
    "ImageSize",
    "Notes",
    "ReadLayout",
    "is_name",
    "line_outline",
    "named",
    "region_outline",
]

ImageSize: TypeAlias = Callable[[str, int], tuple[int, int] | None]
"""Width and height of an image by its name and frame, None where it is not to be found."""


@dataclass(frozen=True)
class ReadLayout:
    """A layout as it was read.

    Attributes:
        layout: its pages.
        told: what was odd and what was not taken over; places are ordinals.
        source: the file.
    """

    layout: Layout
    told: tuple[Problem, ...]
    source: Source

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What was told, with lines and columns: finding them costs as much as all the rest."""
        return tuple(self._placed(problem) for problem in self.told)

    def _placed(self, problem: Problem) -> Problem:
        where = problem.where
        if where.origin is None or where.line is not None:
            return problem
        line, column = self.source.place_of(where.origin)
        return replace(problem, where=replace(where, line=line, column=column))


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
        origin: int | None = None,
        place: str = "",
        done: str = "",
        remedy: str = "",
        severity: Severity = Severity.WARNING,
    ) -> None:
        """Record one problem, at the element of the file with this ordinal."""
        where = Where(self.source.name, None, place, origin)
        self.problems.append(Problem(code, severity, where, what, done, remedy))

    def tell_outline_made(self, what: str, place: str) -> None:
        """Tell of an outline that a format asks for, and that nobody drew."""
        self.tell(
            "convert-outline-made",
            f"the {what} has no outline",
            place=place,
            done="the nearest known one is used instead",
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
            f"the id “{wanted}” occurs twice in the file, or is not a name",
            done=f"written as “{made}”",
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
                what = f"{format_name} cannot hold {trait}"
                self.tell("convert-lost", what, severity=Severity.NOTE)

    def tell_aside(self, what: str, place: str = "") -> None:
        """Tell of what is left out and is no part of the page: facts of the file or its image."""
        self.tell("convert-aside", what, place=place, severity=Severity.NOTE)

    def tell_unreadable(
        self, survey: Survey, numbers: Set[str], points: Set[str] = frozenset()
    ) -> None:
        """Tell of attributes that should hold a number, or points, and do not; each kind once."""
        found: dict[str, list[tuple[int, str]]] = {}
        for tag, keys in survey.keys.items():
            for key in keys & (numbers | points):
                given = ((each, each.get(key)) for each in survey.tagged[tag])
                odd = [
                    (survey.ordinals[element], value)
                    for element, value in given
                    if value
                    and not (key in numbers and number(value) is not None)
                    and not (key in points and holds_points(value))
                    and value.strip()
                ]
                if odd:
                    found.setdefault(f"{survey.names[tag]}/@{key}", []).extend(odd)
        for name, places in found.items():
            origin, value = min(places)
            shown = value if len(value) <= 40 else value[:39] + "…"
            self.tell(
                "number-unreadable",
                f"{name} is “{shown}” ({_times(len(places))} of this kind)",
                origin=origin,
                done="read as far as possible",
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
        outer = [element for name in aside for element in survey.every(name)]
        apart = {inner for element in outer for inner in element.iter("*")}
        for tag, elements in survey.tagged.items():
            name = names[tag]
            if name not in held:
                if name not in passed:
                    lost[name] += len(elements) - len(apart.intersection(elements))
                continue
            for key in survey.keys[tag]:
                local = names[key]
                if local not in held[name] and "XMLSchema-instance" not in key:
                    having = [each for each in elements if each.get(key) is not None]
                    lost[f"{name}/@{local}"] += len(having) - len(apart.intersection(having))
        for name, times in sorted((+lost).items()):
            self.tell(
                "convert-not-taken-over",
                f"{name} ({_times(times)}) is not copied",
                severity=Severity.NOTE,
            )
        beside = Counter(names[element.tag] for element in apart)
        for name, times in sorted(beside.items()):
            if name not in passed:
                self.tell_aside(f"{name} ({_times(times)}) is about the old file, and is left out")


def _times(times: int) -> str:
    return f"{times} time{'s' * (times != 1)}"


def named(kind: str, identifier: str | None) -> str:
    """Where something is, for what is told: ``line l1``, or ``a line without an id``."""
    return f"{kind} {identifier}" if identifier is not None else f"a {kind} without an id"


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
