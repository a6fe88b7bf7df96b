"""Several annotators' segmentations of one page: where they differ, and whose is taken.

A *place* is where their outlines lie over one another; a *version* what one or more of them have
there: an outline, several (a word that they cut), or nothing. What most have is offered first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from madcat_studio.edits import CompositeEdit, Edit, Outline, RemoveLine, SetPolygon
from madcat_studio.edits.placing import place_for
from madcat_studio.errors import InputError
from madcat_studio.model.copies import copy_document
from madcat_studio.model.document import Document, Page, Polygon
from madcat_studio.model.geometry import Shape, centre, iou, overlapping_pairs, shapes_of
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.links import TokenIndex
from madcat_studio.pages.adjudication import SAME, Difference, DifferenceKind, Level, Unit, take
from madcat_studio.pages.compare import MOSTLY

__all__ = ["Place", "Version", "difference_of", "places", "same_outlines", "take_version"]


@dataclass(frozen=True, slots=True)
class Version:
    """What some annotators have at a place.

    Attributes:
        annotators: their numbers.
        units: those of the first of them, in the order of reading; none for nothing.
        polygons: their outlines.
    """

    annotators: tuple[int, ...]
    units: tuple[Unit, ...]
    polygons: tuple[Polygon, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where annotators differ.

    Attributes:
        level: lines or words.
        mine: the units of the first annotator, whose page is made the common one.
        versions: those that most have first; of as many the one that is there already.
        key: by which it is known again: what the others have there, which no edit changes.
    """

    level: Level
    mine: tuple[Unit, ...]
    versions: tuple[Version, ...]
    key: tuple[tuple[Polygon, ...], ...]

    @property
    def majority(self) -> Version | None:
        """The version that more than half of the annotators have."""
        count = sum(len(version.annotators) for version in self.versions)
        first = self.versions[0]
        return first if 2 * len(first.annotators) > count else None

    @property
    def own(self) -> Version:
        """The version that is there already."""
        return next(version for version in self.versions if 0 in version.annotators)


def places(pages: Sequence[Page], same: float = SAME) -> list[Place]:
    """All places where annotators differ, from top to bottom and from right to left.

    Args:
        pages: of each annotator; the first is one's own.
        same: the least intersection over union of outlines that do not differ.
    """
    found = [place for level in Level for place in _of_level(pages, level, same)]
    return sorted(found, key=lambda place: _where(place, pages[0]))


def _where(place: Place, mine: Page) -> tuple[int, bool, float]:
    """Line by line as one's own page has them; a line before its words; from right to left."""
    polygons = [polygon for version in place.versions for polygon in version.polygons]
    line = place.mine[0][0] if place.mine else place_for(mine, polygons[0]).line
    return line, place.level is Level.WORD, -max(centre(polygon)[0] for polygon in polygons)


def _of_level(pages: Sequence[Page], level: Level, same: float) -> list[Place]:
    owners: list[int] = []
    units: list[Unit] = []
    polygons: list[Polygon] = []
    for owner, page in enumerate(pages):
        for n, line in enumerate(page.lines):
            if level is Level.LINE:
                owners.append(owner)
                units.append((n, None))
                polygons.append(line.polygon)
                continue
            owners += [owner] * len(line.words)
            units += [(n, k) for k in range(len(line.words))]
            polygons += [word.polygon for word in line.words]
    shapes = shapes_of(polygons)
    made = []
    for group in _groups(owners, shapes):
        versions = _versions(group, len(pages), owners, units, polygons, shapes, same)
        if len(versions) > 1:
            mine = tuple(units[number] for number in group if owners[number] == 0)
            key = tuple(
                tuple(polygons[number] for number in group if owners[number] == owner)
                for owner in range(1, len(pages))
            )
            made.append(Place(level, mine, tuple(versions), key))
    return made


def _groups(owners: Sequence[int], shapes: Sequence[Shape]) -> list[list[int]]:
    """Outlines of different annotators that lie mostly over one another, transitively."""
    head = list(range(len(shapes)))

    def find(number: int) -> int:
        while head[number] != number:
            head[number] = head[head[number]]
            number = head[number]
        return number

    for a, b, shared in overlapping_pairs(shapes, shapes):
        if owners[a] != owners[b] and shared >= MOSTLY * min(shapes[a].area, shapes[b].area):
            one, other = find(a), find(b)
            head[max(one, other)] = min(one, other)
    groups: dict[int, list[int]] = {}
    for number in range(len(shapes)):
        groups.setdefault(find(number), []).append(number)
    return list(groups.values())


def _versions(
    group: Sequence[int],
    count: int,
    owners: Sequence[int],
    units: Sequence[Unit],
    polygons: Sequence[Polygon],
    shapes: Sequence[Shape],
    same: float,
) -> list[Version]:
    by_owner = [[number for number in group if owners[number] == owner] for owner in range(count)]
    sets: list[tuple[list[int], list[int]]] = []  # what is there, who has it
    for owner, numbers in enumerate(by_owner):
        for there, who in sets:
            if _alike([shapes[n] for n in there], [shapes[n] for n in numbers], same):
                who.append(owner)
                break
        else:
            sets.append((numbers, [owner]))
    sets.sort(key=lambda each: (-len(each[1]), each[1]))
    return [
        Version(tuple(who), tuple(units[n] for n in numbers), tuple(polygons[n] for n in numbers))
        for numbers, who in sets
    ]


def _alike(ones: Sequence[Shape], others: Sequence[Shape], same: float) -> bool:
    """Whether there are as many, and each has its like."""
    left = list(others)
    if len(ones) != len(left):
        return False
    for one in ones:
        best = max(left, key=lambda other: iou(one, other))
        if iou(one, best) < same:
            return False
        left.remove(best)
    return True


def same_outlines(ones: Sequence[Polygon], others: Sequence[Polygon], same: float = SAME) -> bool:
    """Whether two versions are the same."""
    return _alike(shapes_of(ones), shapes_of(others), same)


def difference_of(place: Place, version: Version) -> Difference | None:
    """The difference between one's own version and another one; None where they are the same.

    Raises:
        InputError: ``settle.too-different``: several outlines against several others.
    """
    if 0 in version.annotators:
        return None
    mine, theirs = len(place.mine), len(version.units)
    kinds = {  # of those that fit the last one counts
        (1, theirs): DifferenceKind.SPLIT,
        (mine, 1): DifferenceKind.MERGED,
        (mine, 0): DifferenceKind.MISSED,
        (0, theirs): DifferenceKind.EXTRA,
        (theirs, theirs): DifferenceKind.SHAPE,
    }
    kind = kinds.get((mine, theirs))
    if kind is None:
        raise InputError(
            "settle.too-different",
            f"{mine} outlines are opposed by {theirs} others",
            remedy="Draw it by hand here, then continue",
        )
    polygons = (*place.own.polygons, *version.polygons)
    return Difference(kind, place.level, place.mine, version.units, None, polygons)


def take_version(
    document: Document,
    page: int,
    difference: Difference,
    theirs: Page,
    *,
    keep: TokenIndex | None = None,
    keeps: int = 0,
    unlink: bool = True,
    index: DocumentIndex | None = None,
) -> CompositeEdit:
    """The edit that makes one's own page as another's at a place; see :func:`adjudication.take`.

    Raises:
        InputError: as that does.
    """
    mine, others = difference.mine, difference.theirs
    if difference.kind is DifferenceKind.SHAPE:
        edits: list[Edit] = [
            SetPolygon(Outline(page, *own), _polygon(theirs, other))
            for own, other in zip(mine, others, strict=True)
        ]
        return CompositeEdit(tuple(edits), f"Take another outline of a {difference.level}")
    if difference.kind is DifferenceKind.MISSED and difference.level is Level.LINE:
        if any(document.pages[page].lines[line].words for line, _ in mine):
            raise InputError(
                "adjudicate.line-has-words",
                "the line has words, which would be removed with it",
                remedy="Move them to another line first, or remove them",
            )
        lines = sorted((line for line, _ in mine), reverse=True)
        gone: list[Edit] = [RemoveLine(page, line) for line in lines]
        return CompositeEdit(tuple(gone), "Remove what the others do not have")
    if difference.kind is not DifferenceKind.EXTRA or len(others) == 1:
        return take(
            document, page, difference, theirs, keep=keep, keeps=keeps, unlink=unlink, index=index
        )
    # One after the other: where the next one goes depends on those before.
    copy = copy_document(document)
    made: list[Edit] = []
    for other in others:
        step = take(copy, page, replace(difference, theirs=(other,)), theirs)
        step.apply(copy)
        made.append(step)
    return CompositeEdit(tuple(made), f"Take {len(others)} {difference.level}s of the others")


def _polygon(page: Page, unit: Unit) -> Polygon:
    line, word = unit
    return page.lines[line].polygon if word is None else page.lines[line].words[word].polygon
