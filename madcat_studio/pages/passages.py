"""Where on a page each translated text belongs: the outlines of its lines, as frames to be filled.

A frame is a rectangle along a line, as thick as the line is on average: ascenders and dots make the
outline's own box much taller. A line that several texts share is parted by their words; where it
was written in the other direction than the texts are read, the parts change sides.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from madcat_studio.model.document import Document, Page, Point, Polygon
from madcat_studio.model.geometry import hull, ring_area
from madcat_studio.model.links import LineIndex, Links, SegmentIndex, link
from madcat_studio.pages.direction import right_to_left

__all__ = ["Frame", "Passage", "Passages", "passages_of"]

_LONG = 2.0
"""A frame that is not this many times as long as thick has no direction of its own."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle that lies along a line.

    Attributes:
        centre: in stored pixels.
        length, thickness: along the line and across it.
        angle: of the line in degrees, clockwise on the page; 0 is level.
    """

    centre: Point
    length: float
    thickness: float
    angle: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A text and where it belongs.

    Attributes:
        id: of the segment, region or line.
        text: the translation.
        frames: in reading order.
        outlines: within which the writing gives way to it.
    """

    id: str
    text: str
    frames: tuple[Frame, ...]
    outlines: tuple[Polygon, ...]


@dataclass(frozen=True, slots=True)
class Passages:
    """What of a page can be set, and what cannot.

    Attributes:
        set: the texts with their frames.
        unplaced: ids of texts that have no outline on this page.
        untranslated: ids of segments on this page without a text: their writing stays.
        unknown: ids that texts are given for and the document does not have.
    """

    set: tuple[Passage, ...]
    unplaced: tuple[str, ...]
    untranslated: tuple[str, ...]
    unknown: tuple[str, ...]


def passages_of(
    document: Document,
    page: int,
    texts: Mapping[str, str] | None = None,
    *,
    from_right: bool | None = None,
) -> Passages:
    """The texts of one page with their frames.

    Args:
        document: any page.
        page: its number, from 0.
        texts: translations by the id of a segment, a region or a line; None for the document's
            own.
        from_right: whether they are read from right to left; None to tell by their letters.
    """
    segments = _segments(document)
    sheet = document.pages[page]
    if from_right is None:
        known = [one.translation for one in segments] if texts is None else list(texts.values())
        from_right = right_to_left([text for text in known if text])
    shared = _shared_lines(segments, sheet, page, from_right)
    found: list[Passage] = []
    unplaced: list[str] = []
    untranslated: dict[str, set[int]] = {}
    taken: set[int] = set()
    for one in segments:
        text = one.translation if texts is None else texts.get(one.name)
        own = {n: outline for (p, n), outline in one.outlines.items() if p == page}
        lines, outlines = set(own), list(own.values())
        if text is None or not text.strip():
            if outlines:
                untranslated[one.name] = lines
        elif outlines:
            taken |= lines
            frames = [
                shared[n].part(outline) if n in shared else _frame(outline)
                for n, outline in own.items()
            ]
            found.append(_passage(one.name, one.part(text, page), outlines, frames))
        elif not one.outlines and page == 0:
            unplaced.append(one.name)  # on no page; told once
    names = {one.name for one in segments}
    for name, text in (texts or {}).items():
        if name in names or not text.strip():
            continue
        lines = set(_lines_of(sheet, name)) - taken
        outlines = [sheet.lines[n].polygon for n in sorted(lines)]
        outlines = [one for one in outlines if len(one) >= 3] or _region(sheet, name)
        if outlines:
            taken |= lines
            found.append(_passage(name, text, outlines, list(map(_frame, outlines))))
    for other in document.pages:
        names |= {line.id for line in other.lines if line.id}
        names |= {region.id for region in other.regions}
    return Passages(
        tuple(found),
        tuple(unplaced),
        # The writing of a line that a text is given for by another name goes anyway.
        tuple(name for name, lines in untranslated.items() if not lines <= taken),
        tuple(name for name in texts or {} if name not in names) if page == 0 else (),
    )


@dataclass(frozen=True, slots=True)
class _Segment:
    """A segment with its outlines, by page and line; a line without an outline is left out."""

    name: str
    translation: str | None
    outlines: Mapping[LineIndex, Polygon]

    def part(self, text: str, page: int) -> str:
        """What of its text belongs to a page, where its lines lie on several: by their lengths."""
        pages = {p for p, _ in self.outlines}
        if len(pages) < 2:
            return text
        lengths = [(p, _frame(outline).length) for (p, _), outline in self.outlines.items()]
        whole = sum(length for _, length in lengths)
        words = text.split()
        start, end = (
            round(len(words) * sum(length for p, length in lengths if p < limit) / whole)
            for limit in (page, page + 1)
        )
        return " ".join(words[start:end])


def _segments(document: Document) -> list[_Segment]:
    links = link(document)
    made: list[_Segment] = []
    for s, section in enumerate(document.sections):
        for g, segment in enumerate(section.segments):
            outlines = {
                place: _outline(document, links, (s, g), place)
                for place in links.lines_of.get((s, g), ())
            }
            usable = {place: one for place, one in outlines.items() if len(one) >= 3}
            name = segment.id or f"#{len(made) + 1}"
            made.append(_Segment(name, segment.translation, usable))
    return made


def _outline(document: Document, links: Links, segment: SegmentIndex, place: LineIndex) -> Polygon:
    """The line's outline; where other segments have a part of it, that around the own words."""
    page, line = place
    whole = document.pages[page].lines[line]
    if len(links.segments_of.get(place, ())) < 2:
        return whole.polygon
    words = [
        whole.words[k].polygon
        for p, n, k in links.words_of.get(segment, ())
        if (p, n) == place and len(whole.words[k].polygon) >= 3
    ]
    return hull(words) if words else whole.polygon


def _lines_of(page: Page, name: str) -> list[int]:
    """The lines of a region, or the one of that name."""
    inner = {name}
    for region in page.regions:  # each after the one that it lies in
        if region.parent in inner:
            inner.add(region.id)
    own = [n for n, line in enumerate(page.lines) if line.region in inner]
    return own or [n for n, line in enumerate(page.lines) if line.id == name]


def _region(page: Page, name: str) -> list[Polygon]:
    return [one.polygon for one in page.regions if one.id == name and len(one.polygon) >= 3]


def _shared_lines(
    segments: Sequence[_Segment], sheet: Page, page: int, from_right: bool
) -> dict[int, _Shared]:
    """The lines that several segments have parts of."""
    parts: dict[int, list[Polygon]] = {}
    for segment in segments:
        for (p, n), outline in segment.outlines.items():
            if p == page:
                parts.setdefault(n, []).append(outline)
    found = {}
    for n, outlines in parts.items():
        if len(outlines) > 1 and len(sheet.lines[n].polygon) >= 3:
            line = _frame(sheet.lines[n].polygon)
            first, last = (_along(one, line) for one in (outlines[0], outlines[-1]))
            found[n] = _Shared(line, (sum(first) > sum(last)) != from_right)
    return found


@dataclass(frozen=True, slots=True)
class _Shared:
    """A line that several segments have parts of.

    Attributes:
        line: all of it.
        turned: whether its parts, in the order of the texts, stand in the other direction.
    """

    line: Frame
    turned: bool

    def part(self, outline: Polygon) -> Frame:
        """The frame of a part; on the other side of the line's middle where it is turned."""
        low, high = _along(outline, self.line)
        by = (low + high) / 2 * (-1 if self.turned else 1)
        turn = math.radians(self.line.angle)
        x, y = self.line.centre
        centre = x + by * math.cos(turn), y + by * math.sin(turn)
        return replace(self.line, centre=centre, length=high - low)


def _along(outline: Polygon, line: Frame) -> tuple[float, float]:
    """From where to where an outline goes along a line, from the line's middle."""
    turn = math.radians(line.angle)
    x0, y0 = line.centre
    places = [(x - x0) * math.cos(turn) + (y - y0) * math.sin(turn) for x, y in outline]
    return min(places), max(places)


def _passage(name: str, text: str, outlines: Sequence[Polygon], frames: Sequence[Frame]) -> Passage:
    return Passage(name, " ".join(text.split()), tuple(_upright(frames)), tuple(outlines))


def _frame(outline: Polygon) -> Frame:
    """The rectangle of the outline's area along its main direction, by its moments."""
    area = abs(ring_area(outline))
    x0, y0 = outline[0]
    # Of the signed ring: centre and second moments, from its first point so that sums stay small.
    sums = [0.0] * 6
    for (xa, ya), (xb, yb) in zip(outline, (*outline[1:], outline[0]), strict=True):
        ax, ay, bx, by = xa - x0, ya - y0, xb - x0, yb - y0
        cross = ax * by - bx * ay
        sums[0] += cross / 2
        sums[1] += (ax + bx) * cross / 6
        sums[2] += (ay + by) * cross / 6
        sums[3] += (ax * ax + ax * bx + bx * bx) * cross / 12
        sums[4] += (ay * ay + ay * by + by * by) * cross / 12
        sums[5] += (ax * by + 2 * ax * ay + 2 * bx * by + bx * ay) * cross / 24
    whole = sums[0]
    if not area or not whole:
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        return Frame(middle, max(xs) - min(xs), max(max(ys) - min(ys), 1.0), 0.0)
    cx, cy = sums[1] / whole, sums[2] / whole
    xx, yy, xy = (sums[3] / whole - cx * cx, sums[4] / whole - cy * cy, sums[5] / whole - cx * cy)
    angle = 0.5 * math.atan2(2 * xy, xx - yy)
    along, across = _extent(outline, angle)
    if along[1] - along[0] < _LONG * (across[1] - across[0]):
        angle = 0.0
        along, across = _extent(outline, angle)
    length = along[1] - along[0]
    cos, sin = math.cos(angle), math.sin(angle)
    # Along the line the middle of its ends, across it the middle of its area.
    middle_along = (along[0] + along[1]) / 2
    middle_across = (cy + y0) * cos - (cx + x0) * sin
    centre = middle_along * cos - middle_across * sin, middle_along * sin + middle_across * cos
    return Frame(centre, length, area / length, math.degrees(angle))


def _extent(outline: Polygon, angle: float) -> tuple[tuple[float, float], tuple[float, float]]:
    cos, sin = math.cos(angle), math.sin(angle)
    along = [x * cos + y * sin for x, y in outline]
    across = [y * cos - x * sin for x, y in outline]
    return (min(along), max(along)), (min(across), max(across))


def _upright(frames: Sequence[Frame]) -> list[Frame]:
    """Lines that run up or down the page, turned so that one follows below the other.

    Of a page that lies on its right side the lines come from right to left, and of one on its left
    side from left to right.
    """
    standing = [frame for frame in frames if abs(frame.angle) > 45]
    if not standing:
        return list(frames)
    down = 90 if standing[-1].centre[0] <= standing[0].centre[0] else -90
    made = []
    for frame in frames:
        angle = frame.angle
        if abs(angle) > 45 and (angle > 0) != (down > 0):
            angle += 180 if angle < 0 else -180
        made.append(Frame(frame.centre, frame.length, frame.thickness, angle))
    return made
