"""Edits made of others: drawing, moving, ordering and removing words and lines.

Right-to-left script decides where a word comes in its line; texts stay as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from madcat_studio.edits.base import Edit, find_line, find_page, find_word
from madcat_studio.edits.composite import CompositeEdit
from madcat_studio.edits.layout import SetLineRegion
from madcat_studio.edits.placing import InsertionPoint, line_place, place_for, word_place
from madcat_studio.edits.segments import AddSegment, RemoveSegment
from madcat_studio.edits.structure import (
    AddLine,
    AddWord,
    MoveLine,
    MoveWord,
    RemoveLine,
    RemoveWord,
)
from madcat_studio.edits.texts import LinkToken
from madcat_studio.edits.values import LineValue, SegmentValue, WordValue
from madcat_studio.errors import InputError
from madcat_studio.model.document import Document, Page, Polygon, Word
from madcat_studio.model.freshids import fresh_line_id, fresh_word_id
from madcat_studio.model.geometry import centre, contains_point, ring_area
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.layout import TEXT_REGION

__all__ = [
    "WordPlace",
    "add_line",
    "add_word",
    "joined_regions",
    "move_words",
    "need_area",
    "order_lines",
    "order_words",
    "place_words",
    "region_at",
    "remove_lines",
    "remove_words",
    "within_regions",
]

WordPlace = tuple[int, int]
"""Line, word."""


def need_area(polygon: Polygon) -> None:
    """Refuse an outline that encloses nothing.

    Raises:
        InputError: ``edit.no-area``.
    """
    if len(polygon) < 3 or ring_area(polygon) < 1:
        raise InputError(
            "edit.no-area",
            "the outline encloses nothing",
            remedy="Draw three points or more that do not lie on one line",
        )


def add_word(
    document: Document,
    page: int,
    polygon: Polygon,
    line: int | None = None,
    *,
    index: DocumentIndex | None = None,
    by_lines: bool = False,
) -> CompositeEdit:
    """A new word, in the line that it lies in; ``line`` is taken where it lies in none.

    Where there is neither it gets a line of its own, with the same outline. ``index``: of the
    document, where somebody keeps it anyway. ``by_lines``: as for :func:`add_line`.

    Raises:
        InputError: ``edit.no-area``, ``edit.locked-line``.
    """
    need_area(polygon)
    found = find_page(document, page)
    index = index if index is not None else DocumentIndex(document)
    word = WordValue(fresh_word_id(document, index.word_names), polygon)
    place = place_for(found, polygon)
    if place.new and line is not None:
        place = InsertionPoint(line, word_place(find_line(document, page, line).words, polygon))
    if place.new:
        name = fresh_line_id(document, index.line_names)
        value = LineValue(name, polygon=polygon, words=(word,), region=region_at(found, polygon))
        added = AddLine(page, place.line, value)
        return CompositeEdit((added, *_segment_of(document, name, by_lines)), "Draw a word")
    return CompositeEdit((AddWord(page, place.line, place.index, word),), "Draw a word")


def add_line(
    document: Document,
    page: int,
    polygon: Polygon,
    *,
    index: DocumentIndex | None = None,
    by_lines: bool = False,
) -> CompositeEdit:
    """A new line in the region that it lies in; it has no words yet.

    It is placed by its height among the lines of the region, else of the page. ``by_lines``: each
    line of the document is a segment of its own, and this one gets one, too.

    Raises:
        InputError: ``edit.no-area``.
    """
    need_area(polygon)
    found = find_page(document, page)
    name = fresh_line_id(document, index.line_names if index is not None else None)
    region = region_at(found, polygon)
    place = line_place(found, polygon) if region is None else _place_in(found, region, polygon)
    edits = (AddLine(page, place, LineValue(name, polygon=polygon, region=region)),)
    return CompositeEdit((*edits, *_segment_of(document, name, by_lines)), "Draw a line")


def _place_in(page: Page, region: str, polygon: Polygon) -> int:
    """Where a new line of a region comes in the order of the page."""
    ids = [each.id for each in page.regions]
    middle = centre(polygon)[1]
    at = 0
    for number, line in enumerate(page.lines):
        if line.region == region:
            if line.polygon and centre(line.polygon)[1] > middle:
                return number
            at = number + 1
        elif line.region in ids and ids.index(line.region) < ids.index(region):
            at = max(at, number + 1)
    return at


def _segment_of(document: Document, line: str, by_lines: bool) -> tuple[Edit, ...]:
    """A segment for a new line of a document in which each line is one; it is the last."""
    if not by_lines:
        return ()
    taken = {segment.id for segment in document.segments()}
    number = len(taken) + 1
    while f"s{number}" in taken:
        number += 1
    section = max(len(document.sections) - 1, 0)
    at = len(document.sections[section].segments) if document.sections else 0
    return (AddSegment(section, at, SegmentValue(f"s{number}", (line,))),)


def region_at(page: Page, polygon: Polygon) -> str | None:
    """The smallest region of text in which the middle of an outline lies; None for none."""
    middle = centre(polygon)
    texts = [region for region in page.regions if region.kind == TEXT_REGION]
    around = [region for region in texts if contains_point(region.polygon, middle)]
    return min(around, key=lambda region: ring_area(region.polygon)).id if around else None


def move_words(
    document: Document, page: int, words: Collection[WordPlace], to_line: int
) -> CompositeEdit:
    """Give words to another line, each where it comes there from right to left.

    Raises:
        InputError: ``edit.nothing-to-move``: all of them are in that line.
    """
    lines = [list(line.words) for line in find_page(document, page).lines]
    find_line(document, page, to_line)
    edits: list[Edit] = []
    moving = [find_word(document, page, *place) for place in sorted(set(words))]
    homes = [place[0] for place in sorted(set(words))]
    for home, word in zip(homes, moving, strict=True):
        if home == to_line:
            continue
        at = next(n for n, each in enumerate(lines[home]) if each is word)
        place = word_place(lines[to_line], word.polygon)
        edits.append(MoveWord(page, home, at, to_line, place))
        lines[to_line].insert(place, lines[home].pop(at))
    if not edits:
        raise InputError(
            "edit.nothing-to-move",
            "the words are already in that line",
            remedy="Choose another line",
        )
    what = "a word" if len(edits) == 1 else f"{len(edits)} words"
    return CompositeEdit(tuple(edits), f"Move {what} to another line")


def place_words(
    document: Document, page: int, words: Sequence[WordPlace], to_line: int, before: int
) -> CompositeEdit:
    """Put words, in this order, before the one at ``before`` of a line, wherever they lie.

    ``before`` counts in the line as it is now; the number of its words means: at the end.

    Raises:
        InputError: ``edit.nothing-to-move``: they are there already.
    """
    places = list(dict.fromkeys(words))
    moving = [find_word(document, page, *place) for place in places]
    target = find_line(document, page, to_line).words
    if all(place[0] == to_line for place in places):
        numbers = [place[1] for place in places]
        rest = [n for n in range(len(target)) if n not in numbers]
        at = sum(n < before for n in rest)
        edit = order_words(document, page, to_line, [*rest[:at], *numbers, *rest[at:]])
        if edit.edits:
            return edit
        raise InputError(
            "edit.nothing-to-move",
            "the words are already in that place",
            remedy="Choose another place",
        )
    lines = [list(line.words) for line in find_page(document, page).lines]
    goal = next((each for each in target[before:] if not _among(each, moving)), None)
    edits: list[Edit] = []
    for (home, _), word in zip(places, moving, strict=True):
        at = next(n for n, each in enumerate(lines[home]) if each is word)
        lines[home].pop(at)
        there = lines[to_line]
        to = next((n for n, each in enumerate(there) if each is goal), len(there))
        there.insert(to, word)
        if (home, at) != (to_line, to):
            edits.append(MoveWord(page, home, at, to_line, to))
    what = "a word" if len(moving) == 1 else f"{len(moving)} words"
    return CompositeEdit(tuple(edits), f"Move {what} to another line")


def _among(word: Word, words: Sequence[Word]) -> bool:
    return any(each is word for each in words)


def _moves(order: Sequence[int]) -> list[tuple[int, int]]:
    """The fewest (from, to) that bring 0, 1, 2 … into an order; what keeps its place stays."""
    stay = _staying(order)
    now, moves = list(range(len(order))), []
    for n, value in enumerate(order):
        if value not in stay:
            source = now.index(value)
            now.pop(source)
            # Behind what comes before it in the wanted order, wherever that is now.
            target = now.index(order[n - 1]) + 1 if n else 0
            now.insert(target, value)
            if source != target:
                moves.append((source, target))
    return moves


def _staying(order: Sequence[int]) -> set[int]:
    """What of an order need not move: a longest rising run of it."""
    best = [1] * len(order)
    before = [-1] * len(order)
    for n, value in enumerate(order):
        for m in range(n):
            if order[m] < value and best[m] + 1 > best[n]:
                best[n], before[n] = best[m] + 1, m
    at = max(range(len(order)), key=lambda n: best[n], default=-1)
    stay: set[int] = set()
    while at >= 0:
        stay.add(order[at])
        at = before[at]
    return stay


def order_words(document: Document, page: int, line: int, order: Sequence[int]) -> CompositeEdit:
    """Bring the words of a line into an order, given by their numbers now.

    Raises:
        InputError: ``edit.order``: the numbers are not those of the words.
    """
    _need_all(order, len(find_line(document, page, line).words), "words")
    edits = tuple(MoveWord(page, line, a, line, b) for a, b in _moves(order))
    return CompositeEdit(edits, "Change the order of words")


def order_lines(
    document: Document,
    page: int,
    order: Sequence[int],
    joins: Mapping[int, str] | None = None,
) -> CompositeEdit:
    """Bring the lines of a page into an order, given by their numbers now.

    ``joins``: the lines that are given to another region with it, and to which.

    Raises:
        InputError: ``edit.order``.
    """
    _need_all(order, len(find_page(document, page).lines), "lines")
    given = [SetLineRegion(page, line, region) for line, region in (joins or {}).items()]
    moves = [MoveLine(page, a, b) for a, b in _moves(order)]
    return CompositeEdit((*given, *moves), "Change the order of lines")


def joined_regions(
    page: Page, order: Sequence[int], moved: Collection[int] | None = None
) -> dict[int, str]:
    """The lines that an order puts away from those of their region, by their numbers now.

    To each the region among whose lines it comes: files with regions hold no other order.
    ``moved``: the lines that were put elsewhere; None for as few as can be.
    """
    stay = _staying(order) if moved is None else set(order) - set(moved)
    joined: dict[int, str] = {}
    before: str | None = None
    for place, number in enumerate(order):
        own = page.lines[number].region
        if number not in stay and own is not None:
            rest = (page.lines[n].region for n in order[place + 1 :] if n in stay)
            after = next((region for region in rest if region is not None), None)
            around = [region for region in (before, after) if region is not None]
            if around and own not in around:
                own = joined[number] = around[0]
        before = own or before
    return joined


def within_regions(page: Page, order: Sequence[int]) -> list[int]:
    """An order in which the lines of each region share out the places that they hold now."""
    wanted: dict[str | None, list[int]] = {}
    for number in order:
        wanted.setdefault(page.lines[number].region, []).append(number)
    members = {region: iter(numbers) for region, numbers in wanted.items()}
    return [next(members[line.region]) for line in page.lines]


def _need_all(order: Sequence[int], count: int, what: str) -> None:
    if sorted(order) != list(range(count)):
        raise InputError(
            "edit.order",
            f"the order does not name each of the {count} {what} once",
            remedy="The document has changed in the meantime; look again",
        )


def remove_words(
    document: Document,
    page: int,
    words: Collection[WordPlace],
    *,
    unlink: bool,
    index: DocumentIndex | None = None,
) -> CompositeEdit:
    """Remove words from a page.

    Args:
        document: as it is.
        page: which page.
        words: which words.
        unlink: whether tokens that are linked to them are linked to none afterwards; else they
            keep a reference to a word that is not there any more.
        index: of the document, where somebody keeps it anyway.
    """
    places = sorted(set(words))
    edits: list[Edit] = []
    if unlink:
        index = index if index is not None else DocumentIndex(document)
        edits += [
            LinkToken(*token, "")
            for line, word in places
            for token in index.tokens_of.get((page, line, word), [])
        ]
    edits += [RemoveWord(page, line, word) for line, word in reversed(places)]
    what = "a word" if len(places) == 1 else f"{len(places)} words"
    return CompositeEdit(tuple(edits), f"Remove {what}")


def remove_lines(
    document: Document,
    page: int,
    lines: Collection[int],
    *,
    unlink: bool,
    index: DocumentIndex | None = None,
    by_lines: bool = False,
) -> CompositeEdit:
    """Remove lines with their words; ``unlink`` and ``index`` as for :func:`remove_words`.

    ``by_lines``: each line is a segment of its own, which goes with it.
    """
    chosen = sorted(set(lines))
    edits: list[Edit] = []
    if unlink:
        index = index if index is not None else DocumentIndex(document)
        edits += [
            LinkToken(*token, "")
            for line in chosen
            for word in range(len(find_line(document, page, line).words))
            for token in index.tokens_of.get((page, line, word), [])
        ]
    edits += [RemoveLine(page, line) for line in reversed(chosen)]
    if by_lines:
        names = {find_line(document, page, line).id for line in chosen}
        edits += [
            RemoveSegment(s, g)
            for s, section in enumerate(document.sections)
            for g, segment in reversed(list(enumerate(section.segments)))
            if segment.zone_refs and set(segment.zone_refs) <= names
        ]
    what = "a line" if len(chosen) == 1 else f"{len(chosen)} lines"
    return CompositeEdit(tuple(edits), f"Remove {what}")
