"""The writing on a page, found in its ink: lines, and in each the parts from right to left.

A *part* is what a pen wrote without a gap, with the dots above and below it: mostly a piece of an
Arabic word between two letters that do not join. Lines are those of the page where it has any;
else they are traced: the ink is smoothed far along the lines and little across them, and the
ridges of what results are followed from right to left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from madcat_studio.images.ink import Ink, Pieces, pieces_of
from madcat_studio.model.document import Page, Polygon
from madcat_studio.pages.columns import regions_of
from madcat_studio.pages.inserted import above_lines
from madcat_studio.pages.leaning import heights_on_lines, lean_of
from madcat_studio.pages.tracing import Track, nearest_track, traced

__all__ = ["Part", "Writing", "writing_of"]

Floats = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]

_MAIN = 0.45
"""A piece smaller than this share of the writing's height is a dot or a mark, no letter."""
_SAME_PLACE = 0.55
"""Two pieces above each other for this share of the narrower one are one part."""
_OVER = 0.3
_NEAR = 0.1
"""A mark this near to a part, in heights of the writing, belongs to it even if beside it."""
_INSIDE = 0.6
"""Ink of which this share lies in a word's outline is marked already."""
_MOST = 0.8
"""Lines that are there must hold this share of the writing to be followed."""
_FRAME = 0.75
"""A piece that spans this share of the page both ways is its border, not writing."""
_TALL = 1.9
"""A piece as tall as this many heights of the writing may be of several lines."""
_SHARE_OF_LINE = 0.15
"""The share of such a piece that a line must have to get a part of it."""


@dataclass(frozen=True, slots=True)
class Part:
    """Ink that belongs together.

    Attributes:
        line: which line, from 0 at the top.
        pieces: indices of its pieces of ink.
        box: left, top, right, bottom in grid cells; right and bottom are one beyond.
        span: from where to where along the line, with the lean of the hand taken out.
        slope: of the line there, cells down a cell to the right.
        alone: whether it is a word by itself, such as one that was put in above the line.
        begins: whether a word begins with it, as its shape says; None where only gaps can say.
        odd: whether it looks otherwise than the word that it was taken for.
    """

    line: int
    pieces: tuple[int, ...]
    box: tuple[int, int, int, int]
    span: tuple[float, float]
    slope: float = 0.0
    alone: bool = False
    begins: bool | None = None
    odd: bool = False


@dataclass(frozen=True, slots=True)
class Writing:
    """All parts of a page, line by line and from right to left.

    Attributes:
        ink: what it was found in.
        pieces: the pieces of that ink.
        parts: in reading order.
        slopes: the direction of each line, cells down a cell to the right.
        height: of the writing, in cells: what half of the ink is not taller than.
        lean: of the hand: cells to the right a cell up.
        right_to_left: in which direction each line is read.
        columns: whether columns were found, and are read one after the other.
        read: whether words of both directions are in the order of their transcript by now, no
            longer in that of the paper.
    """

    ink: Ink
    pieces: Pieces
    parts: tuple[Part, ...]
    slopes: tuple[float, ...]
    height: float
    lean: float = 0.0
    right_to_left: bool = True
    columns: bool = False
    read: bool = False

    def outline(self, numbers: Sequence[int], margin: float | None = None) -> Polygon:
        """A slanted rectangle around some parts, in whole stored pixels, from its right top on.

        Args:
            numbers: indices in ``parts``; without any the outline is empty.
            margin: in cells; None for what suits the writing.
        """
        if not numbers:
            return ()
        xs, ys = self._cells(numbers)
        slope = float(np.mean([self.parts[number].slope for number in numbers]))
        return self._around(xs, ys, slope, margin)

    def _around(self, xs: Floats, ys: Floats, slope: float, margin: float | None) -> Polygon:
        angle = float(np.arctan(slope))
        cos, sin = np.cos(angle), np.sin(angle)
        along, across = xs * cos + ys * sin, ys * cos - xs * sin
        air = max(1.0, 0.04 * self.height) if margin is None else margin
        left, right = along.min() - air, along.max() + 1 + air
        top, bottom = across.min() - air, across.max() + 1 + air
        a = np.array([right, left, left, right])
        b = np.array([top, top, bottom, bottom])
        return _on_page(self.ink, a * cos - b * sin, a * sin + b * cos)

    def fitted(self, polygon: Polygon, margin: float | None = None) -> Polygon:
        """A slanted rectangle around the ink within a rough outline; empty where there is none.

        It leans as the line does that most of that ink belongs to.
        """
        if len(polygon) < 3 or not self.parts:
            return ()
        pieces = self.pieces
        inside = _fill([polygon], self.ink)[pieces.ys, pieces.xs] > 0
        if not inside.any():
            return ()
        line_of = np.zeros(len(pieces), dtype=np.int64)
        for part in self.parts:
            line_of[list(part.pieces)] = part.line
        line = int(np.bincount(line_of[pieces.owners[inside]]).argmax())
        xs, ys = pieces.xs[inside].astype(np.float64), pieces.ys[inside].astype(np.float64)
        return self._around(xs, ys, self.slopes[line], margin)

    def inside(self, polygon: Polygon) -> tuple[int, ...]:
        """The parts that lie mostly in one outline in stored pixels; its cost is its size's."""
        if len(polygon) < 3 or not self.parts:
            return ()
        pieces = self.pieces
        on_grid = _on_grid(self.ink, polygon)
        xs, ys = [x for x, _ in on_grid], [y for _, y in on_grid]
        boxes = pieces.boxes
        near = np.flatnonzero(
            (boxes[:, 0] <= max(xs))
            & (boxes[:, 2] >= min(xs))
            & (boxes[:, 1] <= max(ys))
            & (boxes[:, 3] >= min(ys))
        )
        touched = {int(piece): 0 for piece in near}
        if not touched:
            return ()
        left, top = int(boxes[near, 0].min()), int(boxes[near, 1].min())
        right, bottom = int(boxes[near, 2].max()), int(boxes[near, 3].max())
        canvas = Image.new("1", (right - left, bottom - top), 0)
        moved = [(x - left, y - top) for x, y in zip(xs, ys, strict=True)]
        ImageDraw.Draw(canvas).polygon(moved, fill=1)
        mask = np.asarray(canvas)
        for piece in touched:
            own = slice(int(pieces.offsets[piece]), int(pieces.offsets[piece + 1]))
            touched[piece] = int(mask[pieces.ys[own] - top, pieces.xs[own] - left].sum())
        areas = pieces.areas
        return tuple(
            number
            for number in range(len(self.parts))
            if not touched.keys().isdisjoint(self.parts[number].pieces)
            and sum(touched.get(piece, 0) for piece in self.parts[number].pieces)
            >= _INSIDE * sum(int(areas[piece]) for piece in self.parts[number].pieces)
        )

    def within(self, outlines: Sequence[Polygon]) -> list[int | None]:
        """For each part the outline, of some in stored pixels, that most of it lies in."""
        count = len(outlines) + 1
        if not self.parts or count == 1:
            return [None] * len(self.parts)
        pieces = self.pieces
        part_of = np.full(len(pieces), -1, dtype=np.int64)
        for number, part in enumerate(self.parts):
            part_of[list(part.pieces)] = number
        owners = part_of[pieces.owners]
        covers = _fill(outlines, self.ink)[pieces.ys, pieces.xs]
        own = owners >= 0
        votes = np.bincount(owners[own] * count + covers[own], minlength=len(self.parts) * count)
        votes = votes.reshape(len(self.parts), count)
        best = votes[:, 1:].argmax(axis=1)
        enough = votes[:, 1:].max(axis=1) >= _INSIDE * votes.sum(axis=1)
        return [
            number if sure else None
            for number, sure in zip(best.tolist(), enough.tolist(), strict=True)
        ]

    def _cells(self, numbers: Sequence[int]) -> tuple[Floats, Floats]:
        pieces = [piece for number in numbers for piece in self.parts[number].pieces]
        offsets = self.pieces.offsets
        runs = [slice(int(offsets[piece]), int(offsets[piece + 1])) for piece in pieces]
        xs = np.concatenate([self.pieces.xs[run] for run in runs])
        ys = np.concatenate([self.pieces.ys[run] for run in runs])
        return xs.astype(np.float64), ys.astype(np.float64)


def writing_of(
    ink: Ink, page: Page | None = None, *, right_to_left: bool = True, columns: bool = True
) -> Writing:
    """The writing in a page's ink.

    Args:
        ink: of the page's scan.
        page: where it has lines with outlines, these are the lines.
        right_to_left: in which direction it is read.
        columns: whether columns are read one after the other, else each line over all of them.
    """
    pieces = pieces_of(ink)
    found = _main_pieces(pieces, ink)
    if not found.typical:
        return Writing(ink, pieces, (), (), 0.0)
    outlines = [] if page is None else [line.polygon for line in page.lines]
    covers = _fill(outlines, ink)[pieces.ys, pieces.xs].astype(np.int64) - 1
    regions, many = np.zeros(len(pieces), dtype=np.int64), 1
    if columns:
        regions, many = regions_of(
            pieces.boxes, found.main, found.typical, right_to_left=right_to_left
        )
    tracks: list[Track] = []
    region_of = _region_of_lines(covers, regions, pieces)
    if not _cover(covers, pieces, found.main):
        covers, tracks, region_of = _traced_by_region(ink, pieces, found, regions, many)
    cut = _cut(pieces, covers, tracks, found)
    if cut is not None:
        pieces, covers = cut
        found = _main_pieces(pieces, ink)
    of_line = _lines_of_cells(covers, pieces)
    of_line[found.frame] = -1
    _marks_to_letters(of_line, pieces.boxes, found.main, found.frame)
    lines = _Lines(pieces, found, of_line, tracks, region_of)
    parts: list[Part] = []
    slopes: list[float] = []
    for old in lines.order():
        of_this = lines.parts(len(slopes), old, right_to_left=right_to_left)
        if of_this:
            parts += of_this
            slopes.append(lines.slope(old))
    return Writing(
        ink, pieces, tuple(parts), tuple(slopes), float(found.typical), lines.lean, right_to_left,
        many > 1,
    )  # fmt: skip


def _region_of_lines(covers: Cells, regions: Cells, pieces: Pieces) -> list[int]:
    """The region that most of each line lies in."""
    count, many = int(covers.max(initial=-1)) + 1, int(regions.max(initial=0)) + 1
    inside = covers >= 0
    votes = np.bincount(
        covers[inside] * many + regions[pieces.owners[inside]], minlength=count * many
    )
    return votes.reshape(count, many).argmax(axis=1).tolist() if count else []


def _traced_by_region(
    ink: Ink, pieces: Pieces, found: _Main, regions: Cells, many: int
) -> tuple[Cells, list[Track], list[int]]:
    """The line of each cell, the lines' ridges, and their regions."""
    covers = np.full(len(pieces.xs), -1, dtype=np.int64)
    tracks: list[Track] = []
    region_of: list[int] = []
    of_cell = regions[pieces.owners]
    of_cell[found.frame[pieces.owners]] = -1
    for region in range(many):
        own = of_cell == region
        mask = np.zeros_like(ink.mask)
        mask[pieces.ys[own], pieces.xs[own]] = True
        here = traced(mask, found.typical)
        nearest = nearest_track(here, pieces.xs[own], pieces.ys[own], found.typical)
        covers[own] = np.where(nearest >= 0, nearest + len(tracks), -1)
        tracks += here
        region_of += [region] * len(here)
    return covers, tracks, region_of


class _Main(NamedTuple):
    """Which pieces are letters, which are the page's border; the height of the writing."""

    main: npt.NDArray[np.bool_]
    frame: npt.NDArray[np.bool_]
    typical: float


def _main_pieces(pieces: Pieces, ink: Ink) -> _Main:
    height, width = ink.mask.shape
    boxes = pieces.boxes
    sizes = np.stack([boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]], axis=1)
    frame = (sizes[:, 0] > _FRAME * width) | (sizes[:, 1] > _FRAME * height)
    typical = _typical(sizes[~frame, 1], pieces.areas[~frame])
    main = (sizes.max(axis=1, initial=0) >= _MAIN * typical) & ~frame
    return _Main(main, frame, typical)


def _cut(
    pieces: Pieces, covers: Cells, tracks: Sequence[Track], found: _Main
) -> tuple[Pieces, Cells] | None:
    """Cut pieces that belong to several lines: letters of one touch those of the next.

    Returns:
        The pieces and the line of each of their cells, None where there is nothing to cut.
    """
    owners = pieces.owners
    lines = covers.copy()
    number = len(pieces)
    fresh = owners.copy()
    tall = pieces.boxes[:, 3] - pieces.boxes[:, 1] >= _TALL * found.typical
    for piece in np.flatnonzero(tall & found.main).tolist():
        own = slice(int(pieces.offsets[piece]), int(pieces.offsets[piece + 1]))
        labels = covers[own]
        there, counts = np.unique(labels[labels >= 0], return_counts=True)
        through = there[counts >= _SHARE_OF_LINE * counts.sum()]
        if tracks:
            left, top, right, bottom = pieces.boxes[piece].tolist()
            middle = (left + right) / 2
            ways = np.array([np.interp(middle, *tracks[line]) for line in through.tolist()])
            through = through[(ways > top) & (ways < bottom)] if len(ways) else through
        if len(through) < 2:
            continue
        # Cells of other lines, and of none, go with the line before them that stays.
        nearest = np.searchsorted(through, labels).clip(0, len(through) - 1)
        lines[own] = through[nearest]
        for line in through[1:].tolist():
            fresh[own][lines[own] == line] = number
            number += 1
    if number == len(pieces):
        return None
    order = np.argsort(fresh, kind="stable")
    return Pieces.of(pieces.xs, pieces.ys, fresh), lines[order]


def _typical(heights: npt.NDArray[np.int64], areas: npt.NDArray[np.int64]) -> float:
    """The height that half of the ink does not exceed; a few blots do not matter."""
    if not len(heights):
        return 0.0
    order = np.argsort(heights)
    ink = areas[order].cumsum()
    return float(heights[order][np.searchsorted(ink, ink[-1] / 2)])


def _fill(outlines: Sequence[Polygon], ink: Ink) -> npt.NDArray[np.int32]:
    """For each cell the number of the outline that covers it, from 1; 0 for none."""
    canvas = Image.new("I", (ink.mask.shape[1], ink.mask.shape[0]), 0)
    draw = ImageDraw.Draw(canvas)
    for number, outline in enumerate(outlines, 1):
        if len(outline) >= 3:
            draw.polygon(_on_grid(ink, outline), fill=number)
    return np.asarray(canvas, dtype=np.int32)


def _on_grid(ink: Ink, outline: Polygon) -> list[tuple[float, float]]:
    corners = np.array(outline, dtype=np.float64).T
    xs, ys = ink.to_grid(corners[0], corners[1])
    return list(zip(xs.tolist(), ys.tolist(), strict=True))


def _on_page(ink: Ink, xs: Floats, ys: Floats) -> Polygon:
    xs, ys = ink.to_page(xs, ys)
    return tuple((round(x), round(y)) for x, y in zip(xs.tolist(), ys.tolist(), strict=True))


def _cover(covers: Cells, pieces: Pieces, main: npt.NDArray[np.bool_]) -> bool:
    """Whether lines that are there hold most of the writing: a few of many are no help."""
    letters = main[pieces.owners]
    return bool(letters.any() and (covers[letters] >= 0).mean() >= _MOST)


def _lines_of_cells(covers: Cells, pieces: Pieces) -> Cells:
    """The line that holds most of each piece; for one in none, -1."""
    count = int(covers.max(initial=-1)) + 2
    votes = np.bincount(pieces.owners * count + covers + 1, minlength=len(pieces) * count)
    votes = votes.reshape(len(pieces), count)[:, 1:]
    if not votes.shape[1]:
        return np.full(len(pieces), -1, dtype=np.int64)
    return np.where(votes.max(axis=1) > 0, votes.argmax(axis=1), -1).astype(np.int64)


def _marks_to_letters(
    of_line: npt.NDArray[np.int64],
    boxes: npt.NDArray[np.int64],
    main: npt.NDArray[np.bool_],
    frame: npt.NDArray[np.bool_],
) -> None:
    """Dots and marks go to the line of the letter that is nearest: a ridge may mislead them."""
    letters = np.flatnonzero(main & (of_line >= 0))
    marks = np.flatnonzero(~main & ~frame)
    if not len(letters) or not len(marks):
        return
    of_line[marks] = of_line[letters[_nearest(boxes[marks], boxes[letters])]]


def _nearest(some: Cells, others: Cells) -> Cells:
    """For each of some boxes the nearest of others."""
    one, other = some[:, None, :], others[None, :, :]
    across = np.maximum(0, np.maximum(other[..., 0] - one[..., 2], one[..., 0] - other[..., 2]))
    down = np.maximum(0, np.maximum(other[..., 1] - one[..., 3], one[..., 1] - other[..., 3]))
    nearest: Cells = np.hypot(across, down).argmin(axis=1).astype(np.int64)
    return nearest


class _Lines:
    """The lines of a page, and how each falls into parts.

    Attributes:
        lean: of the hand: cells to the right a cell up.
    """

    def __init__(
        self,
        pieces: Pieces,
        found: _Main,
        of_line: Cells,
        tracks: Sequence[Track],
        region_of: Sequence[int],
    ) -> None:
        self._pieces, self._found, self._of_line = pieces, found, of_line
        self._region_of = region_of
        self._count = int(of_line.max(initial=-1)) + 1
        self._own = [np.flatnonzero(of_line == line) for line in range(self._count)]
        letters = [own[found.main[own]] for own in self._own]
        high = above_lines(letters, pieces.boxes, region_of, found.typical)
        self._above = {line: self._with_marks(own) for line, own in high.items() if own}
        taken = np.array(sorted(chain(*self._above.values())), dtype=np.int64)
        self._own = [own[~np.isin(own, taken)] for own in self._own]
        letters = [own[found.main[own]] for own in self._own]
        self._slopes = [_slope(each, pieces.boxes, found.typical) for each in letters]
        self._tracks = list(tracks) or [self._straight(n, each) for n, each in enumerate(letters)]
        self._letters = letters
        self._inserted = self._find_inserted()
        self.lean = lean_of(pieces, found.main, of_line, self._tracks)
        self._spans = self._spans_of_pieces()

    def order(self) -> list[int]:
        """The lines as they are read: by region, then from the top."""
        boxes = self._pieces.boxes
        places = []
        for line, letters in enumerate(self._letters):
            if len(letters) and line not in self._inserted:
                middle = float(np.median(boxes[letters, 1] + boxes[letters, 3]))
                places.append((self._region_of[line], middle, line))
        return [line for _, _, line in sorted(places)]

    def slope(self, line: int) -> float:
        """The direction of a line."""
        return self._slopes[line]

    def parts(self, number: int, line: int, *, right_to_left: bool) -> list[Part]:
        """The parts of a line as they are read; ``number``: what the line is called in them."""
        boxes, main, spans = self._pieces.boxes, self._found.main, self._spans
        own = self._own[line]
        parts = [
            self._part(number, line, group, alone=False)
            for group in _groups(own, spans, boxes, main, self._found.typical)
        ]
        parts.sort(key=lambda part: -(part.span[0] + part.span[1]))
        above = list(self._above.get(line, ()))
        for other, target in self._inserted.items():
            if target == line:
                above += self._own[other].tolist()
        for group in self._words_apart(above):
            self._put_in(parts, self._part(number, line, group, alone=True))
        return parts if right_to_left else parts[::-1]

    def _part(self, number: int, line: int, group: Sequence[int], *, alone: bool) -> Part:
        boxes, spans = self._pieces.boxes[group], self._spans[group]
        box = (
            int(boxes[:, 0].min()),
            int(boxes[:, 1].min()),
            int(boxes[:, 2].max()),
            int(boxes[:, 3].max()),
        )
        span = (float(spans[:, 0].min()), float(spans[:, 1].max()))
        slope = self._slope_at(line, (box[0] + box[2]) / 2)
        return Part(number, tuple(int(piece) for piece in group), box, span, slope, alone)

    def _slope_at(self, line: int, x: float) -> float:
        xs, ys = self._tracks[line]
        reach = 4 * self._found.typical
        left, right = max(x - reach, float(xs[0])), min(x + reach, float(xs[-1]))
        if right - left < reach:
            return self._slopes[line]
        down = float(np.interp(right, xs, ys) - np.interp(left, xs, ys))
        # A ridge wavers from letter to letter; the line as a whole does not.
        local = down / (right - left)
        return local if abs(local - self._slopes[line]) > 0.06 else self._slopes[line]

    def _straight(self, line: int, letters: Cells) -> Track:
        boxes = self._pieces.boxes[letters]
        if not len(letters):
            return np.array([0.0, 1.0]), np.array([0.0, 0.0])
        x = float(np.median(boxes[:, 0] + boxes[:, 2])) / 2
        y = float(np.median(boxes[:, 1] + boxes[:, 3])) / 2
        ends = np.array([float(boxes[:, 0].min()), float(boxes[:, 2].max())])
        return ends, y + (ends - x) * self._slopes[line]

    def _spans_of_pieces(self) -> Floats:
        """(pieces, 2) from where to where each goes along its line, without the lean."""
        pieces = self._pieces
        spans = pieces.boxes[:, [0, 2]].astype(np.float64)
        if not self.lean or not len(pieces):
            return spans
        down = heights_on_lines(pieces, self._of_line, self._tracks)
        along = pieces.xs + self.lean * down
        first = pieces.offsets[:-1]
        spans[:, 0] = np.minimum.reduceat(along, first)
        spans[:, 1] = np.maximum.reduceat(along, first) + 1
        return spans

    # Words above the line

    def _find_inserted(self) -> dict[int, int]:
        """Short lines squeezed in above another one, and which one that is."""
        boxes, typical = self._pieces.boxes, self._found.typical
        widths = [float((boxes[own, 2] - boxes[own, 0]).sum()) for own in self._letters]
        places = {
            line: float(np.median(boxes[own, 1] + boxes[own, 3])) / 2
            for line, own in enumerate(self._letters)
            if len(own)
        }
        if len(places) < 4:
            return {}
        usual = float(np.median([widths[line] for line in places]))
        full = [line for line in places if widths[line] >= 0.4 * usual]
        pitch = _pitch([places[line] for line in full], typical)
        found = {}
        for line, own in enumerate(self._letters):
            if line not in places or widths[line] >= 0.4 * usual:
                continue
            middle = float(boxes[own, 0].min() + boxes[own, 2].max()) / 2
            y = float(np.interp(middle, *self._tracks[line]))
            below = [
                (down, other)
                for other in full
                if self._region_of[other] == self._region_of[line]
                and 0 < (down := float(np.interp(middle, *self._tracks[other])) - y) < 0.72 * pitch
            ]
            if below:
                found[line] = min(below)[1]
        return found

    def _with_marks(self, letters: Sequence[int]) -> list[int]:
        """Letters, and the dots and marks that are nearer to them than to any other."""
        boxes, main = self._pieces.boxes, self._found.main
        marks = np.flatnonzero(~main & (self._of_line >= 0))
        others = np.flatnonzero(main & (self._of_line >= 0))
        if not len(marks):
            return list(letters)
        nearest = others[_nearest(boxes[marks], boxes[others])]
        return [*letters, *marks[np.isin(nearest, letters)].tolist()]

    def _words_apart(self, pieces: Sequence[int]) -> list[list[int]]:
        """The pieces of inserted words, word by word."""
        spans = self._spans
        words: list[list[int]] = []
        reach = 0.0
        for piece in sorted(pieces, key=lambda one: float(spans[one, 0])):
            if not words or spans[piece, 0] > reach + 1.2 * self._found.typical:
                words.append([])
                reach = float(spans[piece, 1])
            words[-1].append(piece)
            reach = max(reach, float(spans[piece, 1]))
        return words

    def _put_in(self, parts: list[Part], word: Part) -> None:
        """Put a word among the parts of its line, from the right, into the widest gap near by."""
        middle = (word.span[0] + word.span[1]) / 2
        gaps = [
            (one.span[0] - other.span[1], number)
            for number, (one, other) in enumerate(pairwise(parts), 1)
            if abs((one.span[0] + other.span[1]) / 2 - middle) < 1.5 * self._found.typical
        ]
        if gaps:
            parts.insert(max(gaps)[1], word)
            return
        before = sum(part.span[0] + part.span[1] > 2 * middle for part in parts)
        parts.insert(before, word)


def _pitch(places: Sequence[float], typical: float) -> float:
    apart = np.diff(np.sort(places))
    apart = apart[apart > 0.8 * typical]
    return float(np.median(apart)) if len(apart) else 2 * typical


def _groups(
    own: Cells, spans: Floats, boxes: Cells, main: npt.NDArray[np.bool_], typical: float
) -> list[list[int]]:
    """The pieces of a line, those together that were written over each other."""
    letters = sorted(own[main[own]].tolist(), key=lambda piece: -float(spans[piece, 1]))
    groups: list[list[int]] = []
    reaches: list[list[float]] = []
    for piece in letters:
        left, right = spans[piece].tolist()
        for group, reach in zip(groups[-3:], reaches[-3:], strict=True):
            shared = min(right, reach[1]) - max(left, reach[0])
            if shared > _SAME_PLACE * min(right - left, reach[1] - reach[0]):
                group.append(piece)
                reach[:] = [min(left, reach[0]), max(right, reach[1])]
                break
        else:
            groups.append([piece])
            reaches.append([left, right])
    alone: list[list[int]] = []
    for piece in own[~main[own]].tolist():
        left, right = spans[piece].tolist()
        common = [min(right, reach[1]) - max(left, reach[0]) for reach in reaches]
        best = max(range(len(reaches)), key=common.__getitem__, default=-1)
        if best >= 0 and (
            common[best] >= _OVER * (right - left) or -common[best] <= _NEAR * typical
        ):
            groups[best].append(piece)
        else:
            alone.append([piece])
    return groups + alone


def _slope(letters: Cells, boxes: Cells, typical: float) -> float:
    """The direction of a line: the median of the slopes between pieces far enough apart."""
    if len(letters) < 4:
        return 0.0
    xs = (boxes[letters, 0] + boxes[letters, 2]) / 2
    ys = (boxes[letters, 1] + boxes[letters, 3]) / 2
    one, other = np.triu_indices(len(letters), 1)
    far = np.abs(xs[one] - xs[other]) >= 4 * typical
    if not far.any():
        return 0.0
    slopes = (ys[one] - ys[other])[far] / (xs[one] - xs[other])[far]
    return float(np.clip(np.median(slopes), -0.5, 0.5))
