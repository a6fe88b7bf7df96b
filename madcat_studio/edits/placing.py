"""Where on a page a new outline belongs: in which line, and at which place in the reading order.

Right-to-left script decides where a word comes in its line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from madcat_studio.model.document import Line, Page, Polygon, Word
from madcat_studio.model.geometry import bounding_box, centre, contains_point

__all__ = ["InsertionPoint", "line_place", "place_for", "word_place"]

_SHARED_HEIGHT = 0.4
"""The share of its height that a word must have in common with its neighbour in a line."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class InsertionPoint:
    """Where a new word goes: ``line`` and ``index`` in it; or into a new line before ``line``."""

    line: int
    index: int = 0
    new: bool = False


def place_for(page: Page, polygon: Polygon) -> InsertionPoint:
    """Where on a page a new word with this outline belongs.

    It belongs to the line whose nearest word (the line itself, where it has none) stands at the
    same height, of several to one that reaches over it; within it behind the last word that lies
    to the right.
    """
    box = bounding_box(polygon)
    if box is None:
        return InsertionPoint(len(page.lines), new=True)
    best: tuple[bool, float] = (False, _SHARED_HEIGHT)
    line = None
    for number, each in enumerate(page.lines):
        around = bounding_box(each.polygon)
        if around is not None and (around[1] > box[3] or around[3] < box[1]):
            continue  # the usual case on a page of many lines
        shared = _shared(each, box, polygon)
        if shared > _SHARED_HEIGHT:
            over = around is not None and around[0] < box[2] and around[2] > box[0]
            if (over, shared) > best:
                best, line = (over, shared), number
    if line is None:
        return InsertionPoint(line_place(page, polygon), new=True)
    return InsertionPoint(line, word_place(page.lines[line].words, polygon))


def line_place(page: Page, polygon: Polygon) -> int:
    """Where a new line comes in the order of a page: before the first that lies below it."""
    middle = centre(polygon)[1]
    below = (
        number
        for number, each in enumerate(page.lines)
        if (height := _middle(each)) is not None and height > middle
    )
    return next(below, len(page.lines))


def word_place(words: Sequence[Word], polygon: Polygon) -> int:
    """Where a word comes in a line: behind the last of its words that lies to the right."""
    across = centre(polygon)[0]
    right = [
        number
        for number, word in enumerate(words, 1)
        if word.polygon and centre(word.polygon)[0] > across
    ]
    return right[-1] if right else 0


def _shared(line: Line, box: Box, polygon: Polygon) -> float:
    across = (box[0] + box[2]) / 2
    nearest, other = math.inf, None
    for word in line.words:
        found = bounding_box(word.polygon)
        if found is not None and abs((found[0] + found[2]) / 2 - across) < nearest:
            nearest, other = abs((found[0] + found[2]) / 2 - across), found
    if other is None:
        inside = contains_point(line.polygon, (across, (box[1] + box[3]) / 2))
        return 1.0 if inside else 0.0
    common = min(box[3], other[3]) - max(box[1], other[1])
    lower = min(box[3] - box[1], other[3] - other[1])
    return common / lower if lower > 0 else float(common >= 0)


def _middle(line: Line) -> float | None:
    if line.polygon:
        return centre(line.polygon)[1]
    middles = [centre(word.polygon)[1] for word in line.words if word.polygon]
    return sum(middles) / len(middles) if middles else None
