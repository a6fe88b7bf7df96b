"""How the lines of a page lie: a quarter turn, and the angle that makes them level.

The ink of level lines, summed along rows, rises and falls steeply from line to line. That is
measured for every angle, at the scale of whole lines: single letters stand upright, and the words
of some hands fall. The steepest is the angle that the lines have.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

__all__ = ["angle_of_lines", "is_on_its_side"]

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

_COARSE_DPI = 60
_REACH = 16.0
"""Degrees to either side in which an angle is sought."""
_FEWEST = 50
"""Points of ink without which nothing is said."""
_LINE_WIDE = (5, 8, 12)
"""Rows at that resolution: half of a line, from small writing to large."""
_WORTH = 1.1
"""How much steeper the rows must become for an angle to be believed."""
_SURER = 1.5
"""How much steeper the columns of a page must be than its rows for it to lie on its side."""


def angle_of_lines(mask: Mask, dpi: float) -> float:
    """The angle of the lines in degrees, positive where they fall towards the right."""
    return _steepest(*_points(mask, dpi))[0]


def is_on_its_side(mask: Mask, dpi: float) -> bool:
    """Whether the lines run up or down the page."""
    xs, ys = _points(mask, dpi)
    return _steepest(ys, xs)[1] > _SURER * _steepest(xs, ys)[1]


def _points(mask: Mask, dpi: float) -> tuple[Floats, Floats]:
    step = max(1, round(dpi / _COARSE_DPI))
    height, width = (size // step * step for size in mask.shape)
    blocks = mask[:height, :width].reshape(height // step, step, width // step, step)
    ys, xs = np.nonzero(blocks.mean(axis=(1, 3)) > 0.1)
    return xs.astype(np.float64), ys.astype(np.float64)


def _steepest(xs: Floats, ys: Floats) -> tuple[float, float]:
    """The angle, in degrees, along which the profile is the steepest, and how steep it is."""
    if len(xs) < _FEWEST:
        return 0.0, 0.0

    def steepness(degrees: float) -> float:
        profile = _profile(xs, ys, degrees)
        return sum(_ups_and_downs(profile, wide) for wide in _LINE_WIDE)

    coarse = np.arange(-_REACH, _REACH + 0.1, 0.5)
    best = float(coarse[int(np.argmax([steepness(a) for a in coarse]))])
    fine = np.arange(best - 0.5, best + 0.51, 0.1)
    steep = [steepness(a) for a in fine]
    level = steepness(0.0)
    # A few words look level at many angles.
    if max(steep) < _WORTH * level:
        return 0.0, level
    return float(fine[int(np.argmax(steep))]), max(steep)


def _profile(xs: Floats, ys: Floats, degrees: float) -> Floats:
    """How much ink each row holds along an angle."""
    angle = math.radians(degrees)
    rows = np.floor(ys * math.cos(angle) - xs * math.sin(angle)).astype(np.int64)
    return np.bincount(rows - rows.min()).astype(np.float64)


def _ups_and_downs(profile: Floats, wide: int) -> float:
    """How much a profile varies from one so many rows to the next, by its mean."""
    if len(profile) < 3 * wide:
        return 0.0
    smooth = np.convolve(profile, np.ones(wide) / wide, mode="valid")
    return float(np.mean((smooth[wide:] - smooth[:-wide]) ** 2)) / float(profile.mean()) ** 2
