"""Writing taken out of a scan: its ink gives way to the paper around it, and nothing else changes.

Ink is found and the paper is estimated on a smaller copy, as :mod:`madcat_studio.images.ink` has
it; of the scan itself only pixels of strokes are touched, and of these only what is darker than the
paper. What is taken out is the ink within outlines, with the strokes and dots of it that reach
beyond them; rules and stains of the paper are no ink and stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from madcat_studio.images.crops import plain_image
from madcat_studio.images.ink import SPECK, find_ink
from madcat_studio.model.document import Polygon

__all__ = ["Erased", "erase"]

Pixels = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]

_REACH = 0.1
"""Inches that a stroke may reach beyond its outline."""
_PAPER = 0.12
"""Inches around a place whose paper counts there; four times as far where all of that is ink."""
_STRIP = 256
"""Rows of the small copy that are worked on at once."""
_LEAST = 4.0
"""Levels: what is hardly darker than the paper is paper."""


@dataclass(frozen=True, slots=True)
class Erased:
    """A scan without some of its writing.

    Attributes:
        pixels: (height, width) of grey or (height, width, 3) of colours, to be painted on.
        colour: of the ink that was taken out, as red, green and blue.
        count: pixels that were changed.
    """

    pixels: Pixels
    colour: tuple[int, int, int]
    count: int


def erase(image: Image.Image, outlines: Sequence[Polygon], dpi: float | None = None) -> Erased:
    """Take the writing within outlines out of a scan.

    Args:
        image: the scan; it is not changed. What has one bit a pixel becomes grey.
        outlines: in stored pixels; may leave the page.
        dpi: the scan's resolution, where it is known; else it is guessed.
    """
    plain = plain_image(image)
    if plain.mode == "1":
        plain = plain.convert("L")
    pixels = np.array(plain)
    ink = find_ink(plain, dpi)
    small = np.asarray(plain.reduce(ink.factor), dtype=np.float32)
    gone = _gone(ink.mask, outlines, ink.factor, ink.dpi)
    if not gone.any():
        return Erased(pixels, (0, 0, 0), 0)
    paper = _paper(small, ink.mask, ink.dpi)
    # A stroke at a cell's border darkens the next cell too, where no other writing has it.
    near = _grown(gone, 1) & ~(ink.mask & ~gone)
    noise = _noise(pixels, paper, ~_grown(ink.mask, 2), ink.factor)
    count = _replace(pixels, paper, near, ink.factor, noise)
    return Erased(pixels, _colour(small, gone), count)


def _grown(mask: Mask, cells: int) -> Mask:
    from scipy import ndimage  # slow to import, and only workers come here

    return np.asarray(ndimage.maximum_filter(mask, size=2 * cells + 1))


def _gone(mask: Mask, outlines: Sequence[Polygon], factor: int, dpi: float) -> Mask:
    """What of the ink goes: all within outlines, and of strokes that lie mostly there the rest."""
    from scipy import ndimage

    height, width = mask.shape
    drawn = Image.new("1", (width, height))
    pen = ImageDraw.Draw(drawn)
    for outline in outlines:
        if len(outline) >= 3:
            pen.polygon([(x / factor, y / factor) for x, y in outline], fill=1, outline=1)
    inside = np.asarray(drawn)
    if not inside.any():
        return np.zeros(mask.shape, dtype=np.bool_)
    labels, count = ndimage.label(mask, structure=np.ones((3, 3), dtype=int))
    areas = np.bincount(labels.ravel(), minlength=count + 1)
    within = np.bincount(labels[inside], minlength=count + 1)
    # The grain of the paper is no writing.
    piece = areas >= max(3.0, (SPECK * dpi) ** 2)
    piece[0] = False
    mostly = piece & (2 * within > areas)
    reached = _grown(inside, max(1, round(_REACH * dpi)))
    return np.asarray((piece[labels] & inside) | (mostly[labels] & reached))


def _paper(small: Floats, mask: Mask, dpi: float) -> Floats:
    """The paper of the small copy, also where ink lies on it: the mean of the paper around."""
    from scipy import ndimage

    known = (~_grown(mask, 2)).astype(np.float32)
    planes = small[..., None] if small.ndim == 2 else small
    if not known.any():
        return np.broadcast_to(planes.max(axis=(0, 1)), planes.shape).astype(np.float32)
    made = np.empty(planes.shape, dtype=np.float32)
    least = 1e-3
    narrow = max(3, round(_PAPER * dpi) | 1)
    for band in range(planes.shape[2]):
        own = planes[..., band] * known
        whole = float(own.sum() / known.sum())
        filled = np.full(known.shape, whole, dtype=np.float32)
        # The farther first, so that the nearer wins where it knows anything.
        for size in (4 * narrow | 1, narrow):
            share = ndimage.uniform_filter(known, size)
            sums = ndimage.uniform_filter(own, size)
            filled = np.where(share > least, sums / np.maximum(share, least), filled)
        made[..., band] = filled
    return made


def _noise(pixels: Pixels, paper: Floats, bare: Mask, factor: int) -> float:
    """How far pixels of bare paper are from its estimate, as a standard deviation."""
    rows, columns = np.nonzero(bare)
    height, width = pixels.shape[0] // factor, pixels.shape[1] // factor
    whole = (rows < height) & (columns < width)
    rows, columns = rows[whole][::97], columns[whole][::97]
    if not len(rows):
        return 0.0
    planes = pixels[..., None] if pixels.ndim == 2 else pixels
    away = planes[rows * factor, columns * factor] - paper[rows, columns]
    # By the median, so that specks and faint strokes do not count.
    return float(1.4826 * np.median(np.abs(away - np.median(away))))


def _replace(pixels: Pixels, paper: Floats, near: Mask, factor: int, noise: float) -> int:
    """Put paper where ink was, strip by strip; return how many pixels changed."""
    draw = np.random.default_rng(0)  # the same page gives the same picture
    slack = max(_LEAST, 2.5 * noise)
    changed = 0
    for top in range(0, near.shape[0], _STRIP):
        cells = near[top : top + _STRIP]
        columns = np.flatnonzero(cells.any(axis=0))
        if not len(columns):
            continue
        left, right = int(columns[0]), int(columns[-1]) + 1
        part = pixels[top * factor : (top + len(cells)) * factor, left * factor : right * factor]
        planes = part[..., None] if part.ndim == 2 else part
        height, width = planes.shape[:2]
        rows, places = np.nonzero(_as_pixels(cells[:, left:right], factor)[:height, :width])
        own = paper[top + rows // factor, left + places // factor]
        dark = (planes[rows, places] < own - slack).any(axis=1)
        rows, places, own = rows[dark], places[dark], own[dark]
        if noise >= 1:
            own = own + draw.normal(0, noise, (len(own), 1)).astype(np.float32)
        planes[rows, places] = np.clip(np.rint(own), 0, 255).astype(np.uint8)
        changed += len(rows)
    return changed


def _as_pixels(cells: Mask, factor: int) -> Mask:
    return np.repeat(np.repeat(cells, factor, axis=0), factor, axis=1)


def _colour(small: Floats, gone: Mask) -> tuple[int, int, int]:
    """The colour of the ink, of its darker half: edges of strokes are mixed with paper."""
    planes = small[..., None] if small.ndim == 2 else small
    found = planes[gone]
    order = found.sum(axis=1)
    dark = found[order <= np.median(order)]
    red, green, blue = np.median(np.broadcast_to(dark, (len(dark), 3)), axis=0).tolist()
    return round(red), round(green), round(blue)
