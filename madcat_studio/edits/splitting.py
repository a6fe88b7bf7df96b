"""Edits made of others: words, or lines, in two by a cut drawn across them.

Texts stay as they are, unless a token is to be split with its word. The part that a token's link
stays with keeps the word's identifier, so that the token needs no change; the other part is new and
gets an identifier that nothing has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from madcat_studio.edits.base import Edit, Outline, find_line, find_word
from madcat_studio.edits.composite import CompositeEdit
from madcat_studio.edits.layout import SetBaseline
from madcat_studio.edits.outlines import SetPolygon
from madcat_studio.edits.structure import AddLine, AddWord, MoveWord
from madcat_studio.edits.texts import AddToken, LinkToken, SetTokenText, SetZoneRefs
from madcat_studio.edits.values import LineValue, TokenValue, WordValue
from madcat_studio.errors import InputError
from madcat_studio.model.document import Document, Polygon, Segment
from madcat_studio.model.freshids import fresh_line_ids, fresh_token_ids, fresh_word_ids
from madcat_studio.model.geometry import bounding_box, centre, contains_point, cut, path_within
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.links import SegmentIndex, TokenIndex

__all__ = [
    "Part",
    "WordCut",
    "segments_in_doubt",
    "split_line",
    "split_lines",
    "split_parts",
    "split_word",
    "split_words",
]

_BESIDE = 0.5
"""Parts that share so much of the lower one's height lie beside each other."""


class Part(StrEnum):
    """Which part of what was cut, in the order of reading right-to-left script."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class WordCut:
    """A word that is cut.

    Attributes:
        line, word: which.
        links: with which part the link of each of its tokens stays; with the first for None.
        texts: what a token of it says from now on, and what a new one behind it says, which gets
            the second part.
    """

    line: int
    word: int
    links: Mapping[TokenIndex, Part] = field(default_factory=dict)
    texts: Mapping[TokenIndex, tuple[str, str]] = field(default_factory=dict)


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
            remedy="Draw one that makes two",
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
    """Two words out of one; see :func:`split_words`."""
    return split_words(document, page, [WordCut(line, word, links or {})], path, index=index)


def split_words(
    document: Document,
    page: int,
    cuts: Sequence[WordCut],
    path: Polygon,
    *,
    index: DocumentIndex | None = None,
) -> CompositeEdit:
    """Two words out of each of several, by one cut.

    Args:
        document: as it is.
        page: which page of it.
        cuts: which words, and what becomes of their tokens.
        path: the cut, in stored pixels; its ends need not reach over the outlines.
        index: of the document, where somebody keeps it anyway.

    Raises:
        InputError: ``edit.cut-misses``, ``edit.cut-pieces``.
    """
    cuts = sorted(cuts, key=lambda each: (each.line, each.word))
    names = index.word_names if index is not None else None
    fresh = fresh_word_ids(document, len(cuts), names)
    outlines: list[list[Edit]] = []
    links: list[Edit] = []
    parted: list[tuple[TokenIndex, str, str]] = []
    for each, new_id in zip(cuts, fresh, strict=True):
        line, word = each.line, each.word
        first, second = split_parts(find_word(document, page, line, word).polygon, path)
        seconds = [token for token, part in each.links.items() if part is Part.SECOND]
        stays_second = bool(seconds) and len(seconds) == len(each.links)
        own, new = (second, first) if stays_second else (first, second)
        place = word if stays_second else word + 1
        outlines.append(
            [
                SetPolygon(Outline(page, line, word), own),
                AddWord(page, line, place, WordValue(new_id, new)),
            ]
        )
        if not stays_second:
            links += [LinkToken(*token, new_id) for token in seconds]
        for token, (stays, goes) in each.texts.items():
            links.append(SetTokenText(*token, stays))
            parted.append((token, new_id, goes))
    # From the end, so that the places before stay what they are.
    edits = [edit for pair in reversed(outlines) for edit in pair]
    edits += links + _new_tokens(document, parted)
    label = "Split a word" if len(cuts) == 1 else f"Split {len(cuts)} words"
    return CompositeEdit(tuple(edits), label)


def _new_tokens(document: Document, parted: Sequence[tuple[TokenIndex, str, str]]) -> list[Edit]:
    """What adds a token behind each of several: the word that it is linked to, what it says."""
    behind = sorted(parted)
    segments = [document.sections[s].segments[g] for (s, g, _), _, _ in behind]
    names = fresh_token_ids(document, segments)
    edits: list[Edit] = [
        AddToken(s, g, t + 1, TokenValue(name, word, "", text))
        for ((s, g, t), word, text), name in zip(behind, names, strict=True)
    ]
    return edits[::-1]


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
    """Two lines out of one; see :func:`split_lines`."""
    return split_lines(document, page, {line: named}, path, index=index)


def split_lines(
    document: Document,
    page: int,
    lines: Mapping[int, Part],
    path: Polygon,
    *,
    index: DocumentIndex | None = None,
) -> CompositeEdit:
    """Two lines out of each of several, by one cut; each word goes with the part that holds it.

    The part that holds a word's middle holds the word, and each gets the stretch of the baseline
    that lies in it. A segment that names a line names the parts that hold words of it.

    Args:
        document: as it is.
        page: which page of it.
        lines: which lines, and which part a segment names that has no word in the line.
        path: the cut, in stored pixels.
        index: of the document, where somebody keeps it anyway.

    Raises:
        InputError: ``edit.cut-misses``, ``edit.cut-pieces``.
    """
    index = index if index is not None else DocumentIndex(document)
    fresh = dict(
        zip(sorted(lines), fresh_line_ids(document, len(lines), index.line_names), strict=True)
    )
    edits: list[Edit] = []
    named: list[_LineCut] = []
    for line in sorted(lines, reverse=True):  # so that the places before stay what they are
        found = find_line(document, page, line)
        first, second = split_parts(found.polygon, path)
        goes = [_nearer(first, second, word.polygon) is Part.SECOND for word in found.words]
        own, other = _baselines(found.baseline, first, second)
        edits.append(SetPolygon(Outline(page, line), first))
        if own != found.baseline:
            edits.append(SetBaseline(page, line, own))
        new = LineValue(fresh[line], found.type, second, baseline=other, region=found.region)
        edits.append(AddLine(page, line + 1, new))
        moved = 0
        for at, away in enumerate(goes):
            if away:
                edits.append(MoveWord(page, line, at - moved, line + 1, moved))
                moved += 1
        named.append(_LineCut((page, line), goes, fresh[line], lines[line]))
    edits += _named_anew(document, index, named)
    label = "Split a line" if len(lines) == 1 else f"Split {len(lines)} lines"
    return CompositeEdit(tuple(edits), label)


@dataclass(frozen=True, slots=True)
class _LineCut:
    """A line that is cut: which of its words go, the new line's name, what segments name."""

    line: tuple[int, int]
    goes: list[bool]
    fresh: str
    named: Part


def _baselines(baseline: Polygon, first: Polygon, second: Polygon) -> tuple[Polygon, Polygon]:
    """Each part gets the stretch that lies in it; where only one has any, that gets all of it."""
    own, other = path_within(baseline, first), path_within(baseline, second)
    if own and other:
        return own, other
    return ((), baseline) if other else (baseline, ())


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


def _named_anew(document: Document, index: DocumentIndex, cuts: Sequence[_LineCut]) -> list[Edit]:
    """A segment may name several of the lines that are cut: its references change once."""
    wanted: dict[SegmentIndex, dict[str, list[str]]] = {}
    for each in cuts:
        name = find_line(document, *each.line).id
        if not name:
            continue
        for place, _ in _naming(document, index, name):
            words = [word for word in index.words_of.get(place, []) if word[:2] == each.line]
            part = each.named
            if words:
                sides = {each.goes[word[2]] for word in words}
                part = Part.BOTH if len(sides) > 1 else Part.SECOND if True in sides else Part.FIRST
            parts = {Part.FIRST: [name], Part.SECOND: [each.fresh], Part.BOTH: [name, each.fresh]}
            wanted.setdefault(place, {})[name] = parts[part]
    edits: list[Edit] = []
    for place in sorted(wanted):
        refs = document.sections[place[0]].segments[place[1]].zone_refs
        anew = [each for ref in refs for each in wanted[place].get(ref, [ref])]
        if anew != refs:
            edits.append(SetZoneRefs(*place, tuple(anew)))
    return edits
