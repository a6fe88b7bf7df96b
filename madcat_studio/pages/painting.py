"""An outline made larger or smaller by a brush or an area: always one valid polygon.

Whatever a stroke makes of it otherwise (several pieces, a hole, nothing at all) is for the user to
decide, and told as such.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from madcat_studio.errors import InputError
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import (
    Box,
    Shape,
    bridged,
    brush,
    corners,
    on_whole_pixels,
    opened,
    parts_of,
    ring_like,
    shape_of,
    without_holes,
)

__all__ = ["Doubt", "Painted", "paint", "settle_doubt"]

_NARROW = 4.0
"""Pixels: of a bridge between pieces, of a slit into a hole."""


class Doubt(StrEnum):
    """What has to be decided before there is one polygon."""

    NONE = "none"
    PIECES = "pieces"
    HOLE = "hole"


@dataclass(frozen=True, slots=True)
class Painted:
    """What a stroke makes of an outline.

    Attributes:
        pieces: as polygons without holes, the largest first.
        doubt: what has to be decided.
        shape: all of it.
    """

    pieces: tuple[Polygon, ...]
    doubt: Doubt
    shape: Shape


def paint(
    polygon: Polygon, path: Polygon, width: float, *, away: bool, within: Box | None = None
) -> Painted:
    """Add what a brush paints to an outline, or take it away.

    Args:
        polygon: the outline.
        path: of the brush, in stored pixels.
        width: of the brush; 0 for the area that the path encloses.
        away: take away instead of adding.
        within: nothing is added outside of it.

    Raises:
        InputError: ``paint.nothing-left``: all of the outline was taken away.
    """
    before, stroke = shape_of(polygon), brush(path, width)
    if away:
        made = before.difference(stroke)
    else:
        paper = stroke if within is None else stroke.intersection(shape_of(corners(within)))
        made = without_holes(before.union(paper))  # what a stroke goes round is meant
    made = on_whole_pixels(made)
    parts = sorted(parts_of(made), key=lambda part: -part.area)
    if not parts:
        raise InputError(
            "paint.nothing-left",
            "nothing would be left of the outline",
            remedy="Remove it, if you do not want it",
        )
    holes = any(part.interiors for part in parts)
    doubt = Doubt.PIECES if len(parts) > 1 else Doubt.HOLE if holes else Doubt.NONE
    if made.equals(before):
        return Painted((polygon,), Doubt.NONE, before)
    return Painted(tuple(ring_like(part, polygon) for part in parts), doubt, made)


def settle_doubt(polygon: Polygon, painted: Painted, *, whole: bool) -> Polygon:
    """The one polygon where there is a doubt.

    Args:
        polygon: the outline before.
        painted: what a stroke made of it.
        whole: keep all pieces, with a bridge between them; open a hole by a slit. Else only the
            largest piece is kept, and a hole stays filled.
    """
    shape = painted.shape
    if whole:
        before = shape_of(polygon)
        taken = before.covers(shape)
        shape = bridged(opened(shape, _NARROW), _NARROW)
        if taken:  # a bridge along the edge does not reach over it
            shape = shape.intersection(before)
    else:
        shape = without_holes(max(parts_of(shape), key=lambda part: part.area))
    parts = parts_of(on_whole_pixels(shape))
    return ring_like(max(parts, key=lambda part: part.area), polygon)
