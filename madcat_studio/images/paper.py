"""What of a scan is paper and what is writing: shades, stains and the rules of lined paper go.

All of it works on the small grey copy that :mod:`madcat_studio.images.ink` makes. The threshold is
Otsu's (1979), of the darkness relative to the paper around, so that shadows are not ink. A stain is
wider than any stroke and lighter than the ink: within it, its own shade counts as the paper, and
only what is as dark as the writing of the page is ink. Rules are long, thin and nearly level or
upright; where they are lighter than the ink they go by that, else by their thickness.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from madcat_studio.images.rules import rules_across

__all__ = ["without_rules", "writing_mask"]

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]

_PAPER = 0.25
"""Inches around a place whose brightest part counts as the paper there."""
_STROKE = 0.09
"""Inches: no stroke is as wide, so that what is left without strokes is paper or a stain."""
_LEAST_CONTRAST = 0.12
"""A page whose darkest part is hardly darker than its paper has nothing on it."""
_FAINTEST = 0.1
"""What is not darker than the paper around it by this share is never ink."""
_STAIN = 0.06
"""Paper that is darker than the paper around by this share is stained."""
_AS_INK = 0.7
"""Of the darkness of the ink; a wide patch as dark is ink itself, and ink on a stain is as dark."""
_EDGE_DPI = 50
_RULE = 0.2
"""A level stroke longer than this share of the page is a rule, not writing."""
_THICK = 0.025
"""Inches: what is taller than this at a column is writing that a rule runs through."""
_LIGHTER = 0.72
"""A rule lighter than this share of the ink's darkness is told from ink by its shade."""
_GAP = 0.03
"""Inches: a rule goes on over a gap of this length."""
_FEWEST_STROKES = 40


class _Darkness(NamedTuple):
    """How dark a page is.

    Attributes:
        around: relative to the paper at large.
        here: relative to the paper or the stain right there.
        ink: of the writing; 0 where there is none.
        cut: what is darker here is ink.
    """

    around: Floats
    here: Floats
    ink: float
    cut: float


def writing_mask(values: Floats, dpi: float) -> Mask:
    """Where the writing is.

    Args:
        values: grey, 0 to 255.
        dpi: of that copy.
    """
    return _parted(values, dpi)[0]


def without_rules(values: Floats, dpi: float) -> tuple[Mask, Floats]:
    """Where the writing is, and the page with paper in place of its rules.

    A page that is turned afterwards would have its rules aslant, where nothing finds them.
    """
    from scipy import ndimage

    mask, rules = _parted(values, dpi)
    if not rules.any():
        return mask, values
    wide = ndimage.binary_dilation(rules, np.ones((3, 3), dtype=bool)) & ~mask
    return mask, np.where(wide, _paper_at_large(values, dpi), values).astype(np.float32)


def _parted(values: Floats, dpi: float) -> tuple[Mask, Mask]:
    """Writing, and what was taken for rules."""
    darkness = _darkness(values, dpi)
    if not darkness.ink:
        nothing = np.zeros(values.shape, dtype=np.bool_)
        return nothing, nothing
    dark = np.asarray(darkness.here > darkness.cut)
    # First of all the dark edge of a scan, which would be cut into rules.
    mask = _without_rules(dark & ~_edge_of_scan(dark, dpi), darkness, dpi)
    return mask, dark & ~mask


def _darkness(values: Floats, dpi: float) -> _Darkness:
    from scipy import ndimage  # slow to import, and only workers come here

    around = 1.0 - values / _paper_at_large(values, dpi)
    levels = np.clip(around * 255, 0, 255).astype(np.uint8)
    counts = np.bincount(levels.ravel(), minlength=256).astype(np.float64)
    cut = _otsu(counts)
    if _contrast(counts, cut) < _LEAST_CONTRAST * 255:
        return _Darkness(around, around, 0.0, 1.0)
    # Without strokes: what is left dark is a stain, or a patch of ink.
    size = max(3, round(_STROKE * dpi) | 1)
    closed = ndimage.grey_closing(ndimage.uniform_filter(values, 3), size=(size, size))
    shade = np.clip(1.0 - closed / np.maximum(values / np.maximum(1 - around, 1e-3), 1.0), 0, 1)
    strokes = np.clip(around - shade, 0, 1)
    stroke_levels = (strokes * 255).astype(np.uint8)
    stroke_counts = np.bincount(stroke_levels.ravel(), minlength=256).astype(np.float64)
    stroke_cut = _otsu(stroke_counts)
    dark = stroke_levels > max(stroke_cut, _FAINTEST * 255)
    ink = float(np.quantile(around[dark], 0.7)) if dark.sum() >= _FEWEST_STROKES else 0.0
    stained = (shade > _STAIN) & (shade < _AS_INK * ink)
    here = around
    if stained.any():
        # The rim of a stain is darker than its middle, and belongs to it.
        wide = ndimage.binary_dilation(stained, np.ones((3, 3), dtype=bool), iterations=2)
        lighter = wide & (around < _AS_INK * ink)
        here = np.where(stained, 1.0 - values / np.maximum(closed, 1.0), around)
        here = np.where(lighter, 0.0, here).astype(np.float32)
        levels = np.clip(here * 255, 0, 255).astype(np.uint8)
        cut = _otsu(np.bincount(levels.ravel(), minlength=256).astype(np.float64))
    # A stroke at a cell's border darkens two cells by half: Otsu's cut loses both of them. On a
    # page with a few words only it finds shades of the paper instead.
    return _Darkness(around, here, ink or 1.0, max(0.75 * cut / 255, _FAINTEST))


def _paper_at_large(values: Floats, dpi: float) -> Floats:
    """The brightest cell around, smoothed, on a grid of its own that is coarser still."""
    from scipy import ndimage

    step = max(1, round(dpi / 25))
    height, width = (math.ceil(size / step) for size in values.shape)
    padded = np.pad(
        values,
        ((0, height * step - values.shape[0]), (0, width * step - values.shape[1])),
        mode="edge",
    )
    blocks = padded.reshape(height, step, width, step).max(axis=(1, 3))
    around = max(3, round(_PAPER * dpi / step) | 1)
    paper = ndimage.uniform_filter(ndimage.maximum_filter(blocks, around), around)
    paper = np.maximum(paper, 1.0)
    fine = np.repeat(np.repeat(paper, step, axis=0), step, axis=1)
    return np.asarray(fine[: values.shape[0], : values.shape[1]], dtype=np.float32)


def _otsu(counts: npt.NDArray[np.float64]) -> int:
    """The level that parts a histogram with the greatest variance between its two sides."""
    levels = np.arange(len(counts))
    below = counts.cumsum()
    sums = (counts * levels).cumsum()
    above = below[-1] - below
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = (sums / below) - (sums[-1] - sums) / above
        variance = below * above * apart * apart
    return int(np.nan_to_num(variance).argmax())


def _contrast(counts: npt.NDArray[np.float64], cut: int) -> float:
    levels = np.arange(len(counts))
    light, dark = counts[: cut + 1], counts[cut + 1 :]
    if not light.sum() or not dark.sum():
        return 0.0
    return float(
        (dark * levels[cut + 1 :]).sum() / dark.sum()
        - (light * levels[: cut + 1]).sum() / light.sum()
    )


def _edge_of_scan(dark: Mask, dpi: float) -> Mask:
    """What is dark, wider than any stroke, and hangs together with the end of the image."""
    from scipy import ndimage

    step = max(1, round(dpi / _EDGE_DPI))
    height, width = (size // step for size in dark.shape)
    edge = np.zeros(dark.shape, dtype=np.bool_)
    if min(height, width) < 8:
        return edge
    blocks = dark[: height * step, : width * step].reshape(height, step, width, step)
    full = blocks.mean(axis=(1, 3)) > 0.8
    size = max(2, round(_STROKE * dpi / step))
    wide = np.ones((size, size), dtype=bool)
    thick = ndimage.binary_dilation(ndimage.binary_erosion(full, wide, border_value=1), wide)
    labels, _ = ndimage.label(thick)
    ends = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    found = np.isin(labels, np.unique(ends[ends > 0]))
    if not found.any():
        return edge
    near = ndimage.binary_dilation(found, np.ones((3, 3), dtype=bool))
    fine = np.repeat(np.repeat(near, step, axis=0), step, axis=1)
    edge[: height * step, : width * step] = fine
    # The last rows and columns are no whole block.
    edge[height * step :, : width * step] = fine[-1:]
    edge[:, width * step :] = edge[:, width * step - 1 : width * step]
    return edge


# Rules


def _without_rules(mask: Mask, darkness: _Darkness, dpi: float) -> Mask:
    """Take out strokes that run straight over much of the page, where nothing else crosses."""
    faint = np.minimum(darkness.here, 0.5 * darkness.ink)
    level = (_rules(mask, dpi) | rules_across(faint)) & mask
    upright = (_rules(mask.T, dpi) | rules_across(faint.T)).T & mask
    if not level.any() and not upright.any():
        return mask
    kept = mask
    for rules, other, turned in ((level, upright, False), (upright, level, True)):
        if not rules.any():
            continue
        if turned:
            gone = _gone(kept.T, rules.T, other.T, darkness.here.T, darkness, dpi).T
        else:
            gone = _gone(kept, rules, other, darkness.here, darkness, dpi)
        kept = kept & ~gone
    return np.asarray(kept)


def _rules(mask: Mask, dpi: float) -> Mask:
    """Where level rules are, a cell of slack above and below."""
    from scipy import ndimage

    length = round(mask.shape[1] * _RULE)
    if not mask.any() or length < 3:
        return np.zeros(mask.shape, dtype=np.bool_)
    # A rule may lean a little: runs are sought in rows that are joined three at a time.
    joined = ndimage.binary_dilation(mask, np.ones((3, 1), dtype=bool))
    edges = np.diff(np.pad(joined, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, starts = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    rules = np.zeros(mask.shape, dtype=np.bool_)
    gap = max(1, round(_GAP * dpi))
    run_row, run_start, run_end, filled = -1, 0, 0, 0

    def close() -> None:
        # Writing in a row has gaps, too: most of a rule is ink.
        if run_end - run_start >= length and filled >= 0.9 * (run_end - run_start):
            rules[run_row, run_start:run_end] = True

    for row, start, end in zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True):
        if row == run_row and start - run_end <= gap and end - start >= 2 * gap:
            filled += end - start
            run_end = end
            continue
        if run_row >= 0:
            close()
        run_row, run_start, run_end, filled = row, start, end, end - start
    if run_row >= 0:
        close()
    return rules


def _gone(
    mask: Mask, rules: Mask, other: Mask, here: Floats, darkness: _Darkness, dpi: float
) -> Mask:
    """What goes of level rules: what is as light as they are, or no taller."""
    from scipy import ndimage

    alone = rules & ~other
    shade = float(np.median(here[alone])) if alone.any() else 1.0
    thick = max(3, round(_THICK * dpi))
    tall = ndimage.binary_opening(mask & ~other, np.ones((thick, 1), dtype=bool))
    if shade < _LIGHTER * darkness.ink:
        dark = here > (shade + darkness.ink) / 2
        # The edge of a stroke is as light as the rule that it lies on.
        edge = ndimage.binary_dilation(dark & mask, np.ones((3, 3), dtype=bool)) & tall
        return np.asarray(rules & ~dark & ~edge)
    return np.asarray(rules & ~tall)
