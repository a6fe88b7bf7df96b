"""Edits made of others: a word, or a line, in two by a cut drawn across it.

Texts stay as they are. The part that a token's link stays with keeps the word's identifier, so
that the token needs no change; the other part is new and gets an identifier that nothing has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from madcat_studio.edits.base import Edit, Outline, find_line, find_word
from madcat_studio.edits.composite import CompositeEdit
from madcat_studio.edits.outlines import SetPolygon
from madcat_studio.edits.structure import AddLine, AddWord, MoveWord
from madcat_studio.edits.texts import LinkToken, SetZoneRefs
from madcat_studio.edits.values import LineValue, WordValue
from madcat_studio.errors import InputError
from madcat_studio.model.document import Document, Polygon, Segment
from madcat_studio.model.freshids import fresh_line_id, fresh_word_id
from madcat_studio.model.geometry import bounding_box, centre, contains_point, cut
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.links import SegmentIndex, TokenIndex

__all__ = ["Part", "segments_in_doubt", "split_line", "split_parts", "split_word"]

_BESIDE = 0.5
"""Parts that share so much of the lower one's height lie beside each other."""


class Part(StrEnum):
    """Which part of what was cut, in the order of reading right-to-left script."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"


def split_parts(polygon: Polygon, path: Polygon) -> tuple[Polygon, Polygon]:
    """The two parts of an outline, the one that is read first before the other.

    The right-hand one comes first where they lie beside each other, else the upper one.

    Raises:
        InputError: ``edit.cut-misses``, ``edit.cut-pieces``.
    """
    one, other = cut(polygon, path)
    if not one:
        raise InputError(
            "edit.cut-misses",
            "the cut does not cross the outline",
            remedy="Draw it from one side of the outline to the other",
        )
    if len(one) + len(other) > 2:
        raise InputError(
            "edit.cut-pieces",
            f"the cut makes {len(one) + len(other)} pieces",
            remedy="Draw one that leaves two",
        )
    return _in_order(one[0], other[0])


def _in_order(one: Polygon, other: Polygon) -> tuple[Polygon, Polygon]:
    boxes = [bounding_box(each) or (0, 0, 0, 0) for each in (one, other)]
    heights = [box[3] - box[1] for box in boxes]
    shared = min(box[3] for box in boxes) - max(box[1] for box in boxes)
    (x0, y0), (x1, y1) = centre(one), centre(other)
    beside = shared >= _BESIDE * min(heights)
    return (one, other) if (x0 >= x1 if beside else y0 <= y1) else (other, one)


def split_word(
    document: Document,
    page: int,
    line: int,
    word: int,
    path: Polygon,
    links: Mapping[TokenIndex, Part] | None = None,
    *,
    index: DocumentIndex | None = None,
) -> CompositeEdit:
    """Two words out of one.

    Args:
        document: as it is.
        page, line, word: which word.
        path: the cut, in stored pixels; its ends need not reach over the outline.
        links: with which part the link of each of its tokens stays; with the first for None.
        index: of the document, where somebody keeps it anyway.

    Raises:
        InputError: ``edit.cut-misses``, ``edit.cut-pieces``.
    """
    found = find_word(document, page, line, word)
    first, second = split_parts(found.polygon, path)
    seconds = [token for token, part in (links or {}).items() if part is Part.SECOND]
    stays_second = bool(seconds) and links is not None and len(seconds) == len(links)
    fresh = fresh_word_id(document, index.word_names if index is not None else None)
    own, new = (second, first) if stays_second else (first, second)
    edits: list[Edit] = [
        SetPolygon(Outline(page, line, word), own),
        AddWord(page, line, word if stays_second else word + 1, WordValue(fresh, new)),
    ]
    if not stays_second:
        edits += [LinkToken(*token, fresh) for token in seconds]
    return CompositeEdit(tuple(edits), "Split a word")


def segments_in_doubt(
    document: Document, page: int, line: int, *, index: DocumentIndex | None = None
) -> list[SegmentIndex]:
    """Segments that name a line without any word of theirs in it: a split must ask about them."""
    index = index if index is not None else DocumentIndex(document)
    name = find_line(document, page, line).id
    return [
        place
        for place, _ in _naming(document, index, name)
        if not any(word[:2] == (page, line) for word in index.words_of.get(place, []))
    ]


def _naming(
    document: Document, index: DocumentIndex, name: str | None
) -> Iterator[tuple[SegmentIndex, Segment]]:
    """The segments that name a line exactly so."""
    for place in index.naming((name or "").strip()):
        segment = document.sections[place[0]].segments[place[1]]
        if name in segment.zone_refs:
            yield place, segment


def split_line(
    document: Document,
    page: int,
    line: int,
    path: Polygon,
    named: Part = Part.BOTH,
    *,
    index: DocumentIndex | None = None,
) -> CompositeEdit:
    """Two lines out of one; each word goes with the part that holds its middle.

    A segment that names the line names the parts that hold words of it.

    Args:
        document: as it is.
        page, line: which line.
        path: the cut, in stored pixels.
        named: which part a segment names that has no word in the line.
        index: of the document, where somebody keeps it anyway.

    Raises:
        InputError: ``edit.cut-misses``, ``edit.cut-pieces``.
    """
    index = index if index is not None else DocumentIndex(document)
    found = find_line(document, page, line)
    first, second = split_parts(found.polygon, path)
    goes = [_nearer(first, second, word.polygon) is Part.SECOND for word in found.words]
    fresh = fresh_line_id(document, index.line_names)
    edits: list[Edit] = [
        SetPolygon(Outline(page, line), first),
        AddLine(page, line + 1, LineValue(fresh, found.type, second)),
    ]
    moved = 0
    for at, away in enumerate(goes):
        if away:
            edits.append(MoveWord(page, line, at - moved, line + 1, moved))
            moved += 1
    edits += _named_anew(document, index, (page, line), goes, fresh, named)
    return CompositeEdit(tuple(edits), "Split a line")


def _nearer(first: Polygon, second: Polygon, word: Polygon) -> Part:
    middle = centre(word)
    inside = [contains_point(part, middle) for part in (first, second)]
    if inside[0] == inside[1]:
        apart = [
            sum((a - b) ** 2 for a, b in zip(centre(part), middle, strict=True))
            for part in (first, second)
        ]
        return Part.FIRST if apart[0] <= apart[1] else Part.SECOND
    return Part.FIRST if inside[0] else Part.SECOND


def _named_anew(
    document: Document,
    index: DocumentIndex,
    line: tuple[int, int],
    goes: list[bool],
    fresh: str,
    named: Part,
) -> list[Edit]:
    name = find_line(document, *line).id
    if not name:
        return []
    edits: list[Edit] = []
    for place, segment in _naming(document, index, name):
        words = [word for word in index.words_of.get(place, []) if word[:2] == line]
        part = named
        if words:
            sides = {goes[word[2]] for word in words}
            part = Part.BOTH if len(sides) > 1 else Part.SECOND if True in sides else Part.FIRST
        wanted = {Part.FIRST: [name], Part.SECOND: [fresh], Part.BOTH: [name, fresh]}[part]
        refs = [each for ref in segment.zone_refs for each in (wanted if ref == name else [ref])]
        if refs != segment.zone_refs:
            edits.append(SetZoneRefs(*place, tuple(refs)))
    return edits
