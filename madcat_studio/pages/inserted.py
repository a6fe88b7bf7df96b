"""Words put in above a line: pieces of ink that stand high over the letters of their line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["above_lines"]

Floats = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]

_HIGH = 0.72
"""So many heights of the writing a piece's middle stands over that of the letters around it."""
_AROUND = 7.0
"""How far around letters count, in heights."""
_MOST = 0.08
"""Where more of the letters stand high, it is the way of the hand."""
_WIDE = 0.9
"""A word is at least as many heights wide."""
_APART = 1.2
"""Pieces so many heights from each other are of two words."""
_LOW = 0.95
"""A piece that hangs so far below its line may stand above the next."""


def above_lines(
    lines: Sequence[Cells], boxes: Cells, region_of: Sequence[int], typical: float
) -> dict[int, list[int]]:
    """The letters that stand above each line, not in it.

    Args:
        lines: the letters of each line.
        boxes: of all pieces.
        region_of: which region each line is in.
        typical: the height of the writing.

    Returns:
        By line. Nothing where the hand lets letters stand so.
    """
    found: dict[int, list[int]] = {}
    middles = [_level(own, boxes, typical) for own in lines]
    for line, own in enumerate(lines):
        if len(own) < 4:
            continue
        xs, ys = _middle(own, boxes)
        off = ys - np.interp(xs, *middles[line])
        high = (off < -_HIGH * typical) & (boxes[own, 3] < np.interp(xs, *middles[line]))
        for piece in own[high].tolist():
            found.setdefault(line, []).append(piece)
        for place in np.flatnonzero(off > _LOW * typical).tolist():
            below = _line_below(line, float(xs[place]), float(ys[place]), middles, region_of)
            if below is not None and boxes[own[place], 1] > np.interp(xs[place], *middles[line]):
                found.setdefault(below, []).append(int(own[place]))
    found = {line: _wide(own, boxes, typical) for line, own in found.items()}
    many = sum(map(len, found.values()))
    return found if many <= _MOST * sum(map(len, lines)) else {}


def _wide(own: Sequence[int], boxes: Cells, typical: float) -> list[int]:
    """What makes words: a narrow piece alone is a mark of the letter below it."""
    kept: list[int] = []
    group: list[int] = []

    def close() -> None:
        if group and boxes[group, 2].max() - boxes[group, 0].min() >= _WIDE * typical:
            kept.extend(group)

    for piece in sorted(own, key=lambda one: int(boxes[one, 0])):
        if group and boxes[piece, 0] > boxes[group, 2].max() + _APART * typical:
            close()
            group = []
        group.append(piece)
    close()
    return kept


def _middle(own: Cells, boxes: Cells) -> tuple[Floats, Floats]:
    return (boxes[own, 0] + boxes[own, 2]) / 2, (boxes[own, 1] + boxes[own, 3]) / 2


def _level(own: Cells, boxes: Cells, typical: float) -> tuple[Floats, Floats]:
    """The median height of a line's letters, here and there along it."""
    if not len(own):
        return np.array([0.0]), np.array([0.0])
    xs, ys = _middle(own, boxes)
    at = np.arange(float(xs.min()), float(xs.max()) + 1, max(2 * typical, 1.0))
    near = [np.abs(xs - x) <= _AROUND * typical for x in at.tolist()]
    level = [float(np.median(ys[some])) if some.any() else np.nan for some in near]
    known = ~np.isnan(level)
    return at[known], np.array(level)[known]


def _line_below(
    line: int,
    x: float,
    y: float,
    middles: Sequence[tuple[Floats, Floats]],
    region_of: Sequence[int],
) -> int | None:
    down = [
        (float(np.interp(x, *middle)) - y, other)
        for other, middle in enumerate(middles)
        if other != line and region_of[other] == region_of[line]
    ]
    below = [one for one in down if one[0] > 0]
    return min(below)[1] if below else None
