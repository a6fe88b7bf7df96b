"""Where a page is written on: its ink as a grid of yes and no, and the pieces it falls into.

Ink is found on a smaller copy of the scan (a cell of the grid is ``factor`` stored pixels each
way), which is fine enough for strokes and takes a tenth of a second for a page at 600 dpi. Shadows,
stains and rules of lined paper are no ink (:mod:`madcat_studio.images.paper`). The grid of a whole
page is turned so that its lines are level; :meth:`Ink.to_page` leads back to stored pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from madcat_studio.images.crops import plain_image
from madcat_studio.images.level import angle_of_lines, is_on_its_side
from madcat_studio.images.paper import without_rules, writing_mask
from madcat_studio.images.reading import open_image

__all__ = ["SPECK", "Ink", "Pieces", "find_ink", "level_ink", "pieces_of", "read_ink"]

Mask = npt.NDArray[np.bool_]
Cells = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_GRID_DPI = 200
"""Fine enough for a pen's stroke (0.3 mm are 2.4 cells), coarse enough to be quick."""
_GUESSED_WIDTH = 8.5
"""Inches across a page whose resolution nobody knows."""
_TURNED = 0.75
"""Degrees: lines that lean less are left as they are."""
SPECK = 0.008
"""Inches: what is smaller than a square of this side is dust."""


@dataclass(frozen=True, slots=True)
class Ink:
    """The ink of a page.

    Attributes:
        mask: (height, width) of the grid, True where there is ink.
        factor: stored pixels a cell is wide and high.
        dpi: cells an inch.
        turn: degrees that the scan was turned by, against the clock, so that its lines are level.
        size: width and height of the grid before that.
    """

    mask: Mask
    factor: int
    dpi: float
    turn: float = 0.0
    size: tuple[int, int] | None = None

    def to_page(self, xs: Floats, ys: Floats) -> tuple[Floats, Floats]:
        """Places on the grid as places in stored pixels."""
        if self.turn and self.size is not None:
            cos, sin = self._way
            across, down = xs - self.mask.shape[1] / 2, ys - self.mask.shape[0] / 2
            xs = across * cos - down * sin + self.size[0] / 2
            ys = across * sin + down * cos + self.size[1] / 2
        return xs * self.factor, ys * self.factor

    def to_grid(self, xs: Floats, ys: Floats) -> tuple[Floats, Floats]:
        """Places in stored pixels as places on the grid."""
        xs, ys = xs / self.factor, ys / self.factor
        if self.turn and self.size is not None:
            cos, sin = self._way
            across, down = xs - self.size[0] / 2, ys - self.size[1] / 2
            xs = across * cos + down * sin + self.mask.shape[1] / 2
            ys = down * cos - across * sin + self.mask.shape[0] / 2
        return xs, ys

    @property
    def _way(self) -> tuple[float, float]:
        angle = math.radians(self.turn)
        return math.cos(angle), math.sin(angle)


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


def read_ink(
    path: Path, frame: int = 0, *, dpi: float | None = None, quarter: int | None = None
) -> Ink:
    """The ink of one frame of an image, its lines level.

    Args:
        path: the image.
        frame: which frame, from 0.
        dpi: the scan's resolution, where it is known; else what the file says, else a guess.
        quarter: see :func:`level_ink`.

    Raises:
        InputError, WorldError: the image cannot be read; see :func:`images.reading.open_image`.
    """
    with open_image(path, frame) as image:
        said = image.info.get("dpi")
        if dpi is None and said and float(said[0]) > 1:
            dpi = float(said[0])
        return level_ink(image, dpi, quarter)


def find_ink(image: Image.Image, dpi: float | None = None) -> Ink:
    """The ink of an image that is open; a resolution of nonsense is guessed from its width."""
    grey, factor, cells = _small_grey(image, dpi)
    return Ink(writing_mask(np.asarray(grey, dtype=np.float32), cells), factor, cells)


def level_ink(image: Image.Image, dpi: float | None = None, quarter: int | None = None) -> Ink:
    """The ink of a page, turned so that its lines are level.

    Args:
        image: the scan.
        dpi: its resolution, where it is known.
        quarter: quarter turns against the clock that the page is turned by first; None for one
            where the lines run up or down the page, else none. Which of the two ways is right, ink
            alone does not say.
    """
    grey, factor, cells = _small_grey(image, dpi)
    mask, bare = without_rules(np.asarray(grey, dtype=np.float32), cells)
    if quarter is None:
        quarter = 1 if is_on_its_side(mask, cells) else 0
    turn = 90.0 * (quarter % 4)
    upright = np.rot90(mask, quarter)
    turn += _leaning(upright, cells)
    if not turn:
        return Ink(mask, factor, cells)
    grey = Image.fromarray(bare.astype(np.uint8))
    mask = writing_mask(_turned(grey, turn), cells)
    # The rules of the paper may have told another angle than the writing on it.
    more = _leaning(mask, cells)
    if more:
        turn += more
        mask = writing_mask(_turned(grey, turn), cells)
    return Ink(mask, factor, cells, turn, grey.size)


def _small_grey(image: Image.Image, dpi: float | None) -> tuple[Image.Image, int, float]:
    if dpi is None or not 40 <= dpi <= 4800:
        dpi = max(image.width / _GUESSED_WIDTH, 40.0)
    factor = max(1, round(dpi / _GRID_DPI))
    return plain_image(image).convert("L").reduce(factor), factor, dpi / factor


def _leaning(mask: Mask, dpi: float) -> float:
    angle = angle_of_lines(mask, dpi)
    return angle if abs(angle) >= _TURNED else 0.0


def _turned(grey: Image.Image, turn: float) -> npt.NDArray[np.float32]:
    paper = int(np.median(np.asarray(grey)))
    turned = grey.rotate(turn, Image.Resampling.BILINEAR, expand=True, fillcolor=paper)
    return np.asarray(turned, dtype=np.float32)


def pieces_of(ink: Ink) -> Pieces:
    """The connected pieces of ink, without specks of dust."""
    from scipy import ndimage  # slow to import, and only workers come here

    labels, count = ndimage.label(ink.mask, structure=np.ones((3, 3), dtype=int))
    ys, xs = np.nonzero(labels)
    owners = labels[ys, xs] - 1
    areas = np.bincount(owners, minlength=count)
    keep = areas >= max(3.0, (SPECK * ink.dpi) ** 2)
    number = np.cumsum(keep) - 1
    kept = keep[owners]
    return Pieces.of(xs[kept], ys[kept], number[owners[kept]])
