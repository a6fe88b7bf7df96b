"""The writing on a page, found in its ink: lines, and in each the parts from right to left.

A *part* is what a pen wrote without a gap, with the dots above and below it: mostly a piece of an
Arabic word between two letters that do not join. Lines are those of the page where it has any;
else they are traced: the ink is smoothed far along the lines and little across them, and the
ridges of what results are followed from right to left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from madcat_studio.images.ink import Ink, Pieces, pieces_of
from madcat_studio.model.document import Page, Polygon

__all__ = ["Part", "Writing", "writing_of"]

Floats = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]
Track = tuple[Floats, Floats]
"""A ridge: x ascending, and y."""

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
_COLUMNS = 48
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
    """

    line: int
    pieces: tuple[int, ...]
    box: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Writing:
    """All parts of a page, line by line and from right to left.

    Attributes:
        ink: what it was found in.
        pieces: the pieces of that ink.
        parts: in reading order.
        slopes: the direction of each line, cells down a cell to the right.
        height: of the writing, in cells: what half of the ink is not taller than.
    """

    ink: Ink
    pieces: Pieces
    parts: tuple[Part, ...]
    slopes: tuple[float, ...]
    height: float

    def outline(self, numbers: Sequence[int], margin: float | None = None) -> Polygon:
        """A slanted rectangle around some parts, in whole stored pixels, from its right top on.

        Args:
            numbers: indices in ``parts``; without any the outline is empty.
            margin: in cells; None for what suits the writing.
        """
        if not numbers:
            return ()
        xs, ys = self._cells(numbers)
        return self._around(xs, ys, self.slopes[self.parts[numbers[0]].line], margin)

    def _around(self, xs: Floats, ys: Floats, slope: float, margin: float | None) -> Polygon:
        angle = float(np.arctan(slope))
        cos, sin = np.cos(angle), np.sin(angle)
        along, across = xs * cos + ys * sin, ys * cos - xs * sin
        air = max(1.0, 0.04 * self.height) if margin is None else margin
        left, right = along.min() - air, along.max() + 1 + air
        top, bottom = across.min() - air, across.max() + 1 + air
        return tuple(
            (
                round(float(a * cos - b * sin) * self.ink.factor),
                round(float(a * sin + b * cos) * self.ink.factor),
            )
            for a, b in ((right, top), (left, top), (left, bottom), (right, bottom))
        )

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
        factor, pieces = self.ink.factor, self.pieces
        xs, ys = [x / factor for x, _ in polygon], [y / factor for _, y in polygon]
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


def writing_of(ink: Ink, page: Page | None = None) -> Writing:
    """The writing in a page's ink.

    Args:
        ink: of the page's scan.
        page: where it has lines with outlines, these are the lines.
    """
    pieces = pieces_of(ink)
    found = _main_pieces(pieces, ink)
    if not found.typical:
        return Writing(ink, pieces, (), (), 0.0)
    outlines = [] if page is None else [line.polygon for line in page.lines]
    covers = _fill(outlines, ink)[pieces.ys, pieces.xs].astype(np.int64) - 1
    tracks: list[Track] = []
    if not _cover(covers, pieces, found.main):
        tracks = _traced(ink, found.typical)
        covers = _nearest_track(tracks, pieces, found.typical)
    cut = _cut(pieces, covers, tracks, found)
    if cut is not None:
        pieces, covers = cut
        found = _main_pieces(pieces, ink)
    boxes, main, frame, typical = pieces.boxes, found.main, found.frame, found.typical
    of_line = _lines_of_cells(covers, pieces)
    of_line[frame] = -1
    _marks_to_letters(of_line, boxes, main, frame)
    count = int(of_line.max(initial=-1)) + 1
    order = _top_to_bottom(of_line, boxes, main, count)
    parts: list[Part] = []
    slopes: list[float] = []
    for old in order:
        own = np.flatnonzero(of_line == old)
        of_this = _parts_of_line(len(slopes), own, boxes, main, typical)
        if of_this:
            parts += of_this
            slopes.append(_slope(own[main[own]], boxes, typical))
    return Writing(ink, pieces, tuple(parts), tuple(slopes), float(typical))


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
            draw.polygon([(x / ink.factor, y / ink.factor) for x, y in outline], fill=number)
    return np.asarray(canvas, dtype=np.int32)


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


def _nearest_track(tracks: Sequence[Track], pieces: Pieces, typical: float) -> Cells:
    """The ridge that is nearest to each cell, -1 where none is near."""
    if not tracks:
        return np.full(len(pieces.xs), -1, dtype=np.int64)
    # Beyond its ends a line goes on level.
    ways = np.stack([np.interp(pieces.xs, xs, ys) for xs, ys in tracks])
    apart = np.abs(ways - pieces.ys)
    return np.where(apart.min(axis=0) <= 1.6 * typical, apart.argmin(axis=0), -1).astype(np.int64)


def _traced(ink: Ink, typical: float) -> list[Track]:
    """The ridges of the smoothed ink, in grid cells, from top to bottom."""
    from scipy import ndimage

    step = max(1, round(typical / 12))
    height, width = (size // step for size in ink.mask.shape)
    coarse = ink.mask[: height * step, : width * step].reshape(height, step, width, step)
    density = coarse.mean(axis=(1, 3)).astype(np.float32)
    tall = typical / step
    smooth = ndimage.gaussian_filter(density, (0.33 * tall, 2.2 * tall), mode="constant")
    columns = np.linspace(0.5 * tall, width - 1 - 0.5 * tall, _COLUMNS).round().astype(int)
    tracks = _follow(smooth, columns[::-1], tall)
    whole = [((xs + 0.5) * step, (ys + 0.5) * step) for xs, ys in tracks]
    return sorted(whole, key=lambda track: float(track[1].mean()))


def _follow(
    smooth: npt.NDArray[np.float32], columns: npt.NDArray[np.int64], tall: float
) -> list[tuple[Floats, Floats]]:
    """Ridges from right to left, as (x ascending, y)."""
    floor = 0.12 * float(np.quantile(smooth.max(axis=0)[columns], 0.8))
    open_tracks: list[list[tuple[float, float]]] = []
    for column in columns.tolist():
        profile = smooth[:, column]
        inner = profile[1:-1]
        peaks = np.flatnonzero((inner >= profile[:-2]) & (inner > profile[2:]) & (inner > floor))
        free = [float(peak + 1) for peak in peaks]
        # The surest pairs of track and peak first.
        pairs = sorted(
            (abs(track[-1][1] - peak), number, peak)
            for number, track in enumerate(open_tracks)
            for peak in free
            if abs(track[-1][1] - peak) <= 0.6 * tall
        )
        used_tracks: set[int] = set()
        used_peaks: set[float] = set()
        for _, number, peak in pairs:
            if number not in used_tracks and peak not in used_peaks:
                open_tracks[number].append((float(column), peak))
                used_tracks.add(number)
                used_peaks.add(peak)
        open_tracks += [[(float(column), peak)] for peak in free if peak not in used_peaks]
    return _joined(open_tracks, tall)


def _joined(tracks: list[list[tuple[float, float]]], tall: float) -> list[tuple[Floats, Floats]]:
    """Pieces of one ridge as one; those that go beside a longer one, or hardly exist, go."""
    found: list[list[tuple[float, float]]] = []
    for track in sorted(tracks, key=len, reverse=True):
        right, left = track[0], track[-1]
        for other in found:
            apart = [
                abs(end[1] - float(np.interp(end[0], *_ascending(other)))) for end in (right, left)
            ]
            beside = right[0] <= other[-1][0] or left[0] >= other[0][0]
            if max(apart) <= (0.9 if beside else 0.55) * tall:
                if beside:
                    other += track
                    other.sort(reverse=True)
                break
        else:
            if len(track) >= 2:
                found.append(list(track))
    return [_ascending(track) for track in found]


def _ascending(track: list[tuple[float, float]]) -> tuple[Floats, Floats]:
    xs, ys = zip(*track[::-1], strict=True)
    return np.array(xs), np.array(ys)


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
    ones, others = boxes[marks][:, None, :], boxes[letters][None, :, :]
    across = np.maximum(0, np.maximum(others[..., 0] - ones[..., 2], ones[..., 0] - others[..., 2]))
    down = np.maximum(0, np.maximum(others[..., 1] - ones[..., 3], ones[..., 1] - others[..., 3]))
    nearest = np.hypot(across, down).argmin(axis=1)
    of_line[marks] = of_line[letters[nearest]]


def _top_to_bottom(
    of_line: npt.NDArray[np.int64],
    boxes: npt.NDArray[np.int64],
    main: npt.NDArray[np.bool_],
    count: int,
) -> list[int]:
    places = []
    for line in range(count):
        own = np.flatnonzero((of_line == line) & main)
        if len(own):
            places.append((float(np.median(boxes[own, 1] + boxes[own, 3])), line))
    return [line for _, line in sorted(places)]


def _parts_of_line(
    line: int,
    own: npt.NDArray[np.int64],
    boxes: npt.NDArray[np.int64],
    main: npt.NDArray[np.bool_],
    typical: float,
) -> list[Part]:
    letters = sorted(own[main[own]].tolist(), key=lambda piece: -int(boxes[piece, 2]))
    groups: list[list[int]] = []
    spans: list[list[int]] = []
    for piece in letters:
        left, right = int(boxes[piece, 0]), int(boxes[piece, 2])
        for group, span in zip(groups[-3:], spans[-3:], strict=True):
            shared = min(right, span[1]) - max(left, span[0])
            if shared > _SAME_PLACE * min(right - left, span[1] - span[0]):
                group.append(piece)
                span[:] = [min(left, span[0]), max(right, span[1])]
                break
        else:
            groups.append([piece])
            spans.append([left, right])
    alone: list[int] = []
    for piece in own[~main[own]].tolist():
        left, right = int(boxes[piece, 0]), int(boxes[piece, 2])
        common = [min(right, span[1]) - max(left, span[0]) for span in spans]
        best = max(range(len(spans)), key=common.__getitem__, default=-1)
        if best >= 0 and (
            common[best] >= _OVER * (right - left) or -common[best] <= _NEAR * typical
        ):
            groups[best].append(piece)
        else:
            alone.append(piece)
    groups += [[piece] for piece in alone]
    parts = [
        Part(
            line,
            tuple(group),
            (
                int(boxes[group, 0].min()),
                int(boxes[group, 1].min()),
                int(boxes[group, 2].max()),
                int(boxes[group, 3].max()),
            ),
        )
        for group in groups
    ]
    return sorted(parts, key=lambda part: -(part.box[0] + part.box[2]))


def _slope(letters: npt.NDArray[np.int64], boxes: npt.NDArray[np.int64], typical: float) -> float:
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
