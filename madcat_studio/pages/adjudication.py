"""Two segmentations of one page: what differs, one difference at a time, and taking the other's.

A *difference* is what :mod:`pages.compare` calls missed, extra, split or merged, or a match whose
outlines are not nearly the same. Taking the other's is one edit; geometry never changes text, and
whoever asks for it says which link stays where words become one or several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from madcat_studio.edits import (
    AddLine,
    AddWord,
    CompositeEdit,
    Edit,
    LineValue,
    MoveWord,
    Outline,
    RemoveLine,
    SetPolygon,
    WordValue,
    merge_lines,
    merge_words,
)
from madcat_studio.edits.arranging import add_line, add_word, remove_words
from madcat_studio.edits.placing import place_for
from madcat_studio.errors import InputError
from madcat_studio.model.document import Document, Page, Polygon
from madcat_studio.model.freshids import fresh_line_ids, fresh_word_ids
from madcat_studio.model.geometry import centre, contains_point
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.links import TokenIndex
from madcat_studio.pages.compare import PageComparison, UnitComparison, compare_pages

__all__ = ["SAME", "Difference", "DifferenceKind", "Level", "differences", "take"]

SAME = 0.9
"""Matched outlines with this intersection over union or more count as the same."""


class DifferenceKind(StrEnum):
    """What differs: seen from the first page, which is one's own."""

    SHAPE = "shape"
    MISSED = "missed"
    EXTRA = "extra"
    SPLIT = "split"
    MERGED = "merged"


class Level(StrEnum):
    """What it is about."""

    LINE = "line"
    WORD = "word"


Unit = tuple[int, int | None]
"""Line, and word within it; None for the line itself."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference.

    Attributes:
        kind, level: what differs.
        mine: the units of the first page; none where only the other has something.
        theirs: those of the second.
        iou: of a match, None for anything else.
        polygons: the outlines of all of them, by which it is known again after other edits.
    """

    kind: DifferenceKind
    level: Level
    mine: tuple[Unit, ...]
    theirs: tuple[Unit, ...]
    iou: float | None
    polygons: tuple[Polygon, ...]


def differences(
    mine: Page, theirs: Page, *, same: float = SAME, comparison: PageComparison | None = None
) -> list[Difference]:
    """All differences of two segmentations, from top to bottom and from right to left.

    Args:
        mine: one's own page.
        theirs: the other.
        same: the least intersection over union of outlines that do not differ.
        comparison: of the two, where it is known already.
    """
    compared = comparison if comparison is not None else compare_pages(mine, theirs)
    found: list[Difference] = []
    for level, units in ((Level.LINE, compared.lines), (Level.WORD, compared.words)):
        found += _of_level(level, units, mine, theirs, same)
    return sorted(found, key=lambda difference: _place(difference, mine))


def _of_level(
    level: Level, units: UnitComparison, mine: Page, theirs: Page, same: float
) -> list[Difference]:
    ours, others = _units(mine, level), _units(theirs, level)

    def made(
        kind: DifferenceKind, first: Sequence[int], second: Sequence[int], iou: float | None = None
    ) -> Difference:
        own = tuple(ours[number] for number in first)
        other = tuple(others[number] for number in second)
        polygons = (
            *(_polygon(mine, unit) for unit in own),
            *(_polygon(theirs, unit) for unit in other),
        )
        return Difference(kind, level, own, other, iou, polygons)

    in_pieces = {*units.split, *(i for parts in units.parts for i in parts)}
    return [
        *(
            made(DifferenceKind.SHAPE, (i,), (j,), iou)
            for i, j, iou in units.matches
            if iou < same and i not in in_pieces
        ),
        *(made(DifferenceKind.MISSED, (i,), ()) for i in units.missed),
        *(made(DifferenceKind.EXTRA, (), (j,)) for j in units.extra),
        *(
            made(DifferenceKind.SPLIT, (i,), pieces)
            for i, pieces in zip(units.split, units.pieces, strict=True)
        ),
        *(
            made(DifferenceKind.MERGED, parts, (j,))
            for j, parts in zip(units.merged, units.parts, strict=True)
        ),
    ]


def take(
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
    """The edit that makes one's own page as the other at one difference.

    Args:
        document: one's own, as it is now; the difference was found in it.
        page: which page of it.
        difference: which.
        theirs: the other page.
        keep: where words become one, the token whose link stays; None joins their tokens.
        keeps: where a word becomes several, which of them (in the other's order) keeps the link.
        unlink: where a word goes, whether its tokens are linked to none.
        index: of one's own, where somebody keeps it anyway.

    Raises:
        InputError: ``adjudicate.line-has-words``, ``adjudicate.lines-apart``, and what edits
            raise (a locked line).
    """
    outlines = [_polygon(theirs, unit) for unit in difference.theirs]
    index = index if index is not None else DocumentIndex(document)
    if difference.kind is DifferenceKind.SHAPE:
        line, word = difference.mine[0]
        edit: Edit = SetPolygon(Outline(page, line, word), outlines[0])
        return CompositeEdit((edit,), f"Take the other outline of a {difference.level}")
    if difference.level is Level.WORD:
        edits = _take_words(document, index, page, difference, outlines, keep, keeps, unlink)
    else:
        edits = _take_lines(document, index, page, difference, outlines)
    labels = {
        DifferenceKind.MISSED: f"Remove a {difference.level} that the other does not have",
        DifferenceKind.EXTRA: f"Take a {difference.level} of the other",
        DifferenceKind.SPLIT: f"Split a {difference.level} as the other did",
        DifferenceKind.MERGED: f"Merge {difference.level}s as the other did",
    }
    return CompositeEdit(tuple(edits), labels[difference.kind])


def _take_words(
    document: Document,
    index: DocumentIndex,
    page: int,
    difference: Difference,
    outlines: list[Polygon],
    keep: TokenIndex | None,
    keeps: int,
    unlink: bool,
) -> list[Edit]:
    places = [(line, word) for line, word in difference.mine if word is not None]
    if difference.kind is DifferenceKind.MISSED:
        return list(remove_words(document, page, places, unlink=unlink, index=index).edits)
    if difference.kind is DifferenceKind.EXTRA:
        return list(add_word(document, page, outlines[0], index=index).edits)
    line, word = places[0]
    if difference.kind is DifferenceKind.SPLIT:
        edits: list[Edit] = [SetPolygon(Outline(page, line, word), outlines[keeps])]
        identifiers = iter(fresh_word_ids(document, len(outlines) - 1, index.word_names))
        edits += [
            AddWord(page, line, word + number, WordValue(next(identifiers), outline))
            for number, outline in enumerate(outlines)
            if number != keeps
        ]
        return edits
    if any(other != line for other, _ in places):
        raise InputError(
            "adjudicate.lines-apart",
            "the words that the other one merged are in different lines",
            remedy="Move them into one line first",
        )
    words = [number for _, number in places]
    merged = merge_words(document, page, line, words, keep=keep, index=index)
    return [*merged.edits, SetPolygon(Outline(page, line, min(words)), outlines[0])]


def _take_lines(
    document: Document,
    index: DocumentIndex,
    page: int,
    difference: Difference,
    outlines: list[Polygon],
) -> list[Edit]:
    lines = [line for line, _ in difference.mine]
    if difference.kind is DifferenceKind.EXTRA:
        return list(add_line(document, page, outlines[0], index=index).edits)
    if difference.kind is DifferenceKind.MISSED:
        if document.pages[page].lines[lines[0]].words:
            raise InputError(
                "adjudicate.line-has-words",
                "the line has words, which would be removed with it",
                remedy="Move them to another line first, or remove them",
            )
        return [RemoveLine(page, lines[0])]
    first = min(lines)
    if difference.kind is DifferenceKind.MERGED:
        merged = merge_lines(document, page, lines, index=index)
        return [*merged.edits, SetPolygon(Outline(page, first), outlines[0])]
    edits: list[Edit] = [SetPolygon(Outline(page, first), outlines[0])]
    identifiers = fresh_line_ids(document, len(outlines) - 1, index.line_names)
    for number, outline in enumerate(outlines[1:], 1):
        value = LineValue(identifiers[number - 1], polygon=outline)
        edits.append(AddLine(page, first + number, value))
    # Each word goes where its middle lies; the order within the lines stays.
    counts = [0] * len(outlines)
    gone = 0
    for at, word in enumerate(document.pages[page].lines[first].words):
        middle = centre(word.polygon)
        owner = next(
            (n for n, outline in enumerate(outlines) if contains_point(outline, middle)), 0
        )
        if owner:
            edits.append(MoveWord(page, first, at - gone, first + owner, counts[owner]))
            gone += 1
        counts[owner] += 1
    return edits


def _units(page: Page, level: Level) -> list[Unit]:
    if level is Level.LINE:
        return [(number, None) for number in range(len(page.lines))]
    return [
        (number, word) for number, line in enumerate(page.lines) for word in range(len(line.words))
    ]


def _polygon(page: Page, unit: Unit) -> Polygon:
    line, word = unit
    return page.lines[line].polygon if word is None else page.lines[line].words[word].polygon


def _place(difference: Difference, mine: Page) -> tuple[int, int, float]:
    """Line by line as one's own page has them; a line before its words; from right to left."""
    right = max((centre(polygon)[0] for polygon in difference.polygons), default=0.0)
    if difference.mine:
        line = difference.mine[0][0]
    else:
        line = place_for(mine, difference.polygons[0]).line
    return line, difference.level is Level.WORD, -right
