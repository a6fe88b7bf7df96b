"""Where a page is written on: its ink as a grid of yes and no, and the pieces it falls into.

Ink is found on a smaller copy of the scan (a cell of the grid is ``factor`` stored pixels each
way), which is fine enough for strokes and takes a tenth of a second for a page at 600 dpi. The
threshold is Otsu's (1979), of the brightness relative to the paper around it, so that shadows and
stains are not ink. Rules of lined paper are taken out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from madcat_studio.images.crops import plain_image
from madcat_studio.images.reading import open_image

__all__ = ["Ink", "Pieces", "find_ink", "pieces_of", "read_ink"]

Mask = npt.NDArray[np.bool_]
Cells = npt.NDArray[np.int64]

_GRID_DPI = 200
"""Fine enough for a pen's stroke (0.3 mm are 2.4 cells), coarse enough to be quick."""
_GUESSED_WIDTH = 8.5
"""Inches across a page whose resolution nobody knows."""
_PAPER = 0.25
"""Inches around a place whose brightest part counts as the paper there."""
_LEAST_CONTRAST = 0.12
"""A page whose darkest part is hardly darker than its paper has nothing on it."""
_FAINTEST = 0.1
"""What is not darker than the paper around it by this share is never ink."""
_RULE = 0.2
"""A level stroke longer than this share of the page is a rule, not writing."""
_THICK = 0.025
"""Inches: what is taller than this at a column is writing that a rule runs through."""
_SPECK = 0.008
"""Inches: what is smaller than a square of this side is dust."""


@dataclass(frozen=True, slots=True)
class Ink:
    """The ink of a page.

    Attributes:
        mask: (height, width) of the grid, True where there is ink.
        factor: stored pixels a cell is wide and high.
        dpi: cells an inch.
    """

    mask: Mask
    factor: int
    dpi: float


@dataclass(frozen=True, slots=True)
class Pieces:
    """The connected pieces of ink (touching corners connect), in grid cells.

    Attributes:
        xs, ys: (cells,) all cells of ink, those of one piece after those of another.
        offsets: (pieces + 1,) where the cells of each begin.
        boxes: (pieces, 4) left, top, right, bottom; right and bottom are one beyond.
    """

    xs: npt.NDArray[np.int64]
    ys: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    boxes: npt.NDArray[np.int64]

    @classmethod
    def of(cls, xs: Cells, ys: Cells, owners: Cells) -> Pieces:
        """Pieces out of cells; ``owners`` numbers the piece of each, from 0 and without gaps."""
        order = np.argsort(owners, kind="stable")
        xs, ys = xs[order].astype(np.int64), ys[order].astype(np.int64)
        offsets = np.concatenate([[0], np.bincount(owners).cumsum()]).astype(np.int64)
        boxes = np.empty((len(offsets) - 1, 4), dtype=np.int64)
        if len(boxes):
            for side, values in ((0, xs), (1, ys)):
                boxes[:, side] = np.minimum.reduceat(values, offsets[:-1])
                boxes[:, side + 2] = np.maximum.reduceat(values, offsets[:-1]) + 1
        return cls(xs, ys, offsets, boxes)

    def __len__(self) -> int:
        return len(self.boxes)

    @property
    def areas(self) -> npt.NDArray[np.int64]:
        """(pieces,) how many cells each has."""
        return np.diff(self.offsets)

    @property
    def owners(self) -> npt.NDArray[np.int64]:
        """(cells,) the piece that each cell belongs to."""
        return np.repeat(np.arange(len(self)), self.areas)


def read_ink(path: Path, frame: int = 0, *, dpi: float | None = None) -> Ink:
    """The ink of one frame of an image.

    Args:
        path: the image.
        frame: which frame, from 0.
        dpi: the scan's resolution, where it is known; else what the file says, else a guess.

    Raises:
        InputError, WorldError: the image cannot be read; see :func:`images.reading.open_image`.
    """
    with open_image(path, frame) as image:
        said = image.info.get("dpi")
        if dpi is None and said and float(said[0]) > 1:
            dpi = float(said[0])
        return find_ink(image, dpi)


def find_ink(image: Image.Image, dpi: float | None = None) -> Ink:
    """The ink of an image that is open; a resolution of nonsense is guessed from its width."""
    if dpi is None or not 40 <= dpi <= 4800:
        dpi = max(image.width / _GUESSED_WIDTH, 40.0)
    factor = max(1, round(dpi / _GRID_DPI))
    grey = plain_image(image).convert("L").reduce(factor)
    values = np.asarray(grey, dtype=np.float32)
    cells = dpi / factor
    return Ink(_without_rules(_threshold(values, cells), cells), factor, cells)


def pieces_of(ink: Ink) -> Pieces:
    """The connected pieces of ink, without specks of dust."""
    from scipy import ndimage  # slow to import, and only workers come here

    labels, count = ndimage.label(ink.mask, structure=np.ones((3, 3), dtype=int))
    ys, xs = np.nonzero(labels)
    owners = labels[ys, xs] - 1
    areas = np.bincount(owners, minlength=count)
    keep = areas >= max(3.0, (_SPECK * ink.dpi) ** 2)
    number = np.cumsum(keep) - 1
    kept = keep[owners]
    return Pieces.of(xs[kept], ys[kept], number[owners[kept]])


def _threshold(values: npt.NDArray[np.float32], dpi: float) -> Mask:
    from scipy import ndimage

    # The paper: the brightest cell around, smoothed, on a grid of its own that is coarser still.
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
    dark = 1.0 - values / fine[: values.shape[0], : values.shape[1]]
    levels = np.clip(dark * 255, 0, 255).astype(np.uint8)
    counts = np.bincount(levels.ravel(), minlength=256).astype(np.float64)
    cut = _otsu(counts)
    if _contrast(counts, cut) < _LEAST_CONTRAST * 255:
        return np.zeros(values.shape, dtype=np.bool_)
    # A stroke at a cell's border darkens two cells by half: Otsu's cut loses both of them. On a
    # page with a few words only it finds shades of the paper instead.
    return np.asarray(levels > max(0.75 * cut, _FAINTEST * 255))


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


def _without_rules(mask: Mask, dpi: float) -> Mask:
    """Take out level strokes that run over much of the page, where nothing else crosses them."""
    from scipy import ndimage

    length = round(mask.shape[1] * _RULE)
    if not mask.any() or length < 3:
        return mask
    # A rule may lean a little: runs are sought in rows that are joined three at a time.
    joined = ndimage.binary_dilation(mask, np.ones((3, 1), dtype=bool))
    edges = np.diff(np.pad(joined, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, starts = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    rules = np.zeros(mask.shape, dtype=np.bool_)
    for row, start, end in zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True):
        if end - start >= length:
            rules[row, start:end] = True
    if not rules.any():
        return mask
    thick = max(3, round(_THICK * dpi))
    tall = ndimage.binary_opening(mask, np.ones((thick, 1), dtype=bool))
    return np.asarray(mask & ~(rules & ~tall))
