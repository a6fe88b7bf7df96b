"""Columns on a page: where white runs upright between writing, over several lines.

A *gutter* is such a strip of white: far wider than a gap between words, as tall as some lines, with
writing on both sides. Gutters beside each other make a *band* of columns; what lies above and below
goes over the whole width.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["regions_of"]

Cells = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_STRIPS = ((9.0, 1.3), (5.5, 2.6))
"""How tall and how wide a gutter is at least, in heights of the writing: one of these."""
_FINE = 4
"""Cells that a height of the writing is looked at with."""
_MARGIN = 0.35
"""A column narrower than this share of the widest is a margin, and read after the others."""


class _Gutter(NamedTuple):
    x: float
    top: float
    bottom: float


def regions_of(
    boxes: Cells, letters: Mask, typical: float, *, right_to_left: bool
) -> tuple[Cells, int]:
    """Which region each piece of ink lies in; the regions are numbered as they are read.

    Args:
        boxes: (pieces, 4) of all pieces.
        letters: (pieces,) which of them are letters: they alone tell where columns are.
        typical: the height of the writing.
        right_to_left: in which direction columns are read.

    Returns:
        The region of each piece, and how many there are.
    """
    gutters = _gutters(boxes[letters], typical)
    if not gutters:
        return np.zeros(len(boxes), dtype=np.int64), 1
    xs = (boxes[:, 0] + boxes[:, 2]) / 2
    ys = (boxes[:, 1] + boxes[:, 3]) / 2
    keys = np.zeros((len(boxes), 2), dtype=np.int64)
    for number, band in enumerate(_bands(gutters)):
        top, bottom = min(g.top for g in band), max(g.bottom for g in band)
        keys[ys > bottom, 0] = 2 * number + 2
        inside = (ys >= top) & (ys <= bottom)
        keys[inside, 0] = 2 * number + 1
        columns = np.searchsorted([g.x for g in band], xs[inside])
        keys[inside, 1] = _in_order(
            columns, boxes[inside], letters[inside], len(band) + 1, right_to_left
        )
    _, of_piece = np.unique(keys, axis=0, return_inverse=True)
    return of_piece.astype(np.int64).ravel(), int(of_piece.max()) + 1


def _in_order(
    columns: Cells, boxes: Cells, letters: Mask, count: int, right_to_left: bool
) -> Cells:
    """When each column is read: margins last."""
    widths = np.zeros(count)
    for column in range(count):
        own = boxes[(columns == column) & letters]
        widths[column] = own[:, 2].max() - own[:, 0].min() if len(own) else 0
    sequence = range(count)[::-1] if right_to_left else range(count)
    order = sorted(sequence, key=lambda column: widths[column] < _MARGIN * widths.max())
    rank = np.empty(count, dtype=np.int64)
    rank[order] = np.arange(count)
    return rank[columns]


def _bands(gutters: Sequence[_Gutter]) -> list[list[_Gutter]]:
    """Gutters that share rows, from the top; each band from the left."""
    bands: list[list[_Gutter]] = []
    for gutter in sorted(gutters, key=lambda g: g.top):
        if bands and gutter.top < max(g.bottom for g in bands[-1]):
            bands[-1].append(gutter)
        else:
            bands.append([gutter])
    return [sorted(band) for band in bands]


def _gutters(boxes: Cells, typical: float) -> list[_Gutter]:
    from scipy import ndimage

    cell = max(1.0, typical / _FINE)
    if not len(boxes):
        return []
    height, width = int(boxes[:, 3].max() / cell) + 2, int(boxes[:, 2].max() / cell) + 2
    ink = np.zeros((height, width), dtype=np.bool_)
    for left, top, right, bottom in (boxes / cell).astype(np.int64).tolist():
        ink[top : bottom + 1, left : right + 1] = True
    # Between lines, the lines around say how far the writing goes.
    padded = np.pad(ink, 3 * _FINE)
    tall: Mask = np.array(ndimage.binary_closing(padded, np.ones((3 * _FINE, 1), dtype=bool)))
    tall = tall[3 * _FINE : -3 * _FINE, 3 * _FINE : -3 * _FINE]
    some: Mask = np.array(tall.any(axis=1))
    first, last = tall.argmax(axis=1), width - 1 - tall[:, ::-1].argmax(axis=1)
    columns = np.arange(width)[None, :]
    within = some[:, None] & (columns > first[:, None]) & (columns < last[:, None])
    white = within & ~ink
    found = np.zeros_like(white)
    for high, wide in _STRIPS:
        shape = (round(high * _FINE), round(wide * _FINE))
        if shape[0] < height and shape[1] < width:
            found |= ndimage.binary_opening(white, np.ones(shape, dtype=bool))
    labels, _ = ndimage.label(found)
    gutters = []
    for place in ndimage.find_objects(labels):
        middle = (place[1].start + place[1].stop - 1) // 2
        top, bottom = place[0].start, place[0].stop
        # It goes on until writing crosses it.
        while top > 0 and not ink[top - 1, middle]:
            top -= 1
        while bottom < height and not ink[bottom, middle]:
            bottom += 1
        gutters.append(_Gutter((middle + 0.5) * cell, top * cell, bottom * cell))
    return gutters
