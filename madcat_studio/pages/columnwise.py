"""Lines of writing, and words as they are drawn, as sequences of columns that can be compared.

What a column is like: how much ink there is at each height, and where it begins and ends. Both
sides are measured by their own mean and spread, so that size and weight of the hand do not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from madcat_studio.pages.glyphs import DrawnWord
from madcat_studio.pages.writing import Writing

__all__ = ["FINE", "LineColumns", "columns_of_ink", "columns_of_words", "line_columns"]

Floats = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]

FINE = 8
"""Columns to a height of the writing."""
_ZONES = np.array([-1.6, -0.9, -0.3, 0.3, 0.9, 1.6])
"""Borders of the heights that are told apart, in spreads of the ink around its middle."""


class LineColumns(NamedTuple):
    """A line of writing.

    Attributes:
        cells: its cells of ink, as indices in the pieces' arrays.
        columns: (cells,) the column of each, as the line is read.
        away: (cells,) the same, not in whole columns.
        down: (cells,) how far below the middle of the line each lies.
        length: how many columns there are.
    """

    cells: Cells
    columns: Cells
    away: Floats
    down: Floats
    length: int


def line_columns(writing: Writing, line: int) -> LineColumns:
    """The ink of a line in columns."""
    pieces = writing.pieces
    own = [piece for part in writing.parts if part.line == line for piece in part.pieces]
    cells = np.concatenate(
        [np.arange(pieces.offsets[piece], pieces.offsets[piece + 1]) for piece in own]
    )
    xs, ys = pieces.xs[cells].astype(np.float64), pieces.ys[cells].astype(np.float64)
    wide = 5 * writing.height
    bins = ((xs - xs.min()) / wide).astype(np.int64)
    middles = [(float(xs[bins == b].mean()), float(ys[bins == b].mean())) for b in np.unique(bins)]
    at, level = zip(*middles, strict=True)
    down = ys - np.interp(xs, at, level)
    along = xs + writing.lean * down
    step = writing.height / FINE
    origin = float(along.max()) + 1 if writing.right_to_left else float(along.min())
    away = origin - 0.5 - along if writing.right_to_left else along - origin
    away = np.maximum(away / step, 0)
    columns = away.astype(np.int64)
    return LineColumns(cells, columns, away, down, int(columns.max()) + 1)


def columns_of_ink(lines: Sequence[LineColumns]) -> Floats:
    """(columns of all lines, features)."""
    spread = float(np.concatenate([line.down for line in lines]).std()) or 1.0
    found = []
    for line in lines:
        heights = line.down / spread
        found.append(_features(line.columns, heights, line.length))
    return _standard(np.concatenate(found))


def columns_of_words(words: Sequence[DrawnWord]) -> list[Floats]:
    """(columns, features) of each word, at the size at which it was drawn."""
    total = np.sum([word.ink.sum(axis=1) for word in words], axis=0)
    rows = np.arange(len(total), dtype=np.float64)
    middle = float((rows * total).sum() / total.sum())
    spread = float(np.sqrt(((rows - middle) ** 2 * total).sum() / total.sum()))
    raw = []
    for word in words:
        ys, xs = np.nonzero(word.ink > 0.5)
        raw.append(_features(xs, ((ys - middle) / spread).astype(np.float64), word.ink.shape[1]))
    standard = _standard(np.concatenate(raw))
    return np.split(standard, np.cumsum([len(each) for each in raw])[:-1])


def _features(columns: Cells, heights: Floats, count: int) -> Floats:
    zones = np.searchsorted(_ZONES, heights)
    many = len(_ZONES) + 1
    ink = np.bincount(columns * many + zones, minlength=count * many)
    top, bottom = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(top, columns, heights)
    np.maximum.at(bottom, columns, heights)
    bare = ~np.isfinite(top)
    top[bare] = bottom[bare] = 0.0
    return np.column_stack([np.sqrt(ink.reshape(count, many)), top, bottom])


def _standard(features: Floats) -> Floats:
    spread = features.std(axis=0)
    return np.asarray((features - features.mean(axis=0)) / np.where(spread > 0, spread, 1.0))
