"""Rules that run over most of a page, however faint: all of one slope, found by summing along it.

A rule thinner than a cell is ink here and none there, as it falls on the grid; along its whole
length it is dark all the same.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["rules_across"]

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]

_BLOCK = 8
"""Columns that are looked at as one."""
_SLOPES = np.arange(-0.014, 0.0141, 0.001)
_FAINT = 0.045
"""A block of a rule is darker than its surroundings by this."""
_COVERED = 0.55
"""The share of the page's width that a rule goes over."""
_AROUND = 7
"""Rows around, whose median is what the page is like there without a rule."""
_THICK = 2
"""Rows above and below the middle of a rule that may be its own."""


def rules_across(darkness: Floats) -> Mask:
    """Where level rules go over most of the page; ``darkness``: of ink no more than of rules."""
    height, width = darkness.shape
    blocks = width // _BLOCK
    rules = np.zeros((height, width), dtype=np.bool_)
    if blocks < 20 or height < 60:
        return rules
    means = darkness[:, : blocks * _BLOCK].reshape(height, blocks, _BLOCK).mean(axis=2)
    lines = _lines_in(means)
    if not lines.any():
        return rules
    best: tuple[float, float, npt.NDArray[np.float64]] | None = None
    places = (np.arange(blocks) + 0.5 - blocks / 2) * _BLOCK
    for slope in _SLOPES:
        profile = _along(lines, slope, places)
        steep = float((profile**4).sum())
        if best is None or steep > best[0]:
            best = steep, float(slope), profile
    assert best is not None
    _, slope, profile = best
    at = np.flatnonzero(profile >= _COVERED)
    across = np.arange(width)
    down = np.round(slope * (across - blocks * _BLOCK / 2)).astype(np.int64)
    for row in at.tolist():
        for off in range(-_THICK, _THICK + 1):
            rows = row + off + down
            inside = (rows >= 0) & (rows < height)
            rules[rows[inside], across[inside]] = True
    return rules


def _lines_in(means: Floats) -> Mask:
    """Blocks that are darker than those above and below at some distance: thin and level."""
    far = _AROUND // 2 + 1
    padded = np.pad(means, ((far, far), (0, 0)), mode="edge")
    height = len(means)
    above, below = padded[:height], padded[2 * far :]
    return np.asarray(means - np.maximum(above, below) > _FAINT)


def _along(lines: Mask, slope: float, places: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The share of blocks that are lines, for each row along a slope, within a row."""
    height, blocks = lines.shape
    shifts = np.round(slope * places).astype(np.int64)
    rows = np.arange(height)[:, None] + shifts[None, :]
    found = lines[rows.clip(0, height - 1), np.arange(blocks)[None, :]]
    near = found.copy()
    near[1:] |= found[:-1]
    near[:-1] |= found[1:]
    return np.asarray(near.mean(axis=1))
