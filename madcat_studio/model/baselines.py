"""A baseline for a line that has only an outline: programs that read layouts ask for one."""

from __future__ import annotations

from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import bounding_box

__all__ = ["derived_baseline"]

_ABOVE = 0.2
"""The part of a line's height that lies below its baseline, about."""


def derived_baseline(outline: Polygon) -> Polygon:
    """Where letters of a line may stand: from left to right, some way above its lower edge.

    The height is taken from each end of the outline, so that a slanted line has a slanted one.
    Empty where the outline encloses no width.
    """
    box = bounding_box(outline)
    if box is None or box[0] == box[2]:
        return ()
    left, _, right, _ = box
    quarter = (right - left) / 4
    ends = (
        (left, [y for x, y in outline if x <= left + quarter]),
        (right, [y for x, y in outline if x >= right - quarter]),
    )
    return tuple((x, round(max(ys) - _ABOVE * (max(ys) - min(ys)))) for x, ys in ends)
