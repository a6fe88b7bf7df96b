"""How far a hand leans its letters: the shear that makes their upright strokes upright."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from madcat_studio.images.ink import Pieces
from madcat_studio.pages.tracing import Track

__all__ = ["heights_on_lines", "lean_of"]

Floats = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]

_MOST = 0.8
_LEAST = 0.13
"""A hand that leans less is left as it is."""
_CELLS = 60_000
"""More than so many cells of ink say nothing new."""
_WORTH = 1.04
"""How much narrower the strokes must become for a lean to be believed."""


def heights_on_lines(pieces: Pieces, of_line: Cells, tracks: Sequence[Track]) -> Floats:
    """For each cell how far it lies below the middle of its line; 0 for one of no line."""
    lines = of_line[pieces.owners]
    down = np.zeros(len(pieces.xs))
    for number, track in enumerate(tracks):
        own = lines == number
        down[own] = pieces.ys[own] - np.interp(pieces.xs[own], *track)
    return down


def lean_of(
    pieces: Pieces, main: npt.NDArray[np.bool_], of_line: Cells, tracks: Sequence[Track]
) -> float:
    """Cells to the right a cell up."""
    own = np.flatnonzero((main & (of_line >= 0))[pieces.owners])
    if len(own) < 200:
        return 0.0
    own = own[:: max(1, len(own) // _CELLS)]
    down = heights_on_lines(pieces, of_line, tracks)[own]
    lines, xs = of_line[pieces.owners[own]], pieces.xs[own].astype(np.float64)
    wide = int(xs.max() + 2 * _MOST * np.abs(down).max()) + 2
    shift = _MOST * float(np.abs(down).max())

    def narrow(lean: float) -> float:
        places = lines * wide + (xs + lean * down + shift).astype(np.int64)
        counts = np.bincount(places).astype(np.float64)
        return float((counts * counts).sum())

    leans = np.arange(-_MOST, _MOST + 0.01, 0.05)
    best = float(leans[int(np.argmax([narrow(each) for each in leans]))])
    # At the very end of the reach it is the lines that are told wrongly.
    if not _LEAST <= abs(best) < _MOST - 0.01 or narrow(best) < _WORTH * narrow(0.0):
        return 0.0
    return best
