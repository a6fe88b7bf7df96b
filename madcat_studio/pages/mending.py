"""What can be offered about an outline that is not right: not certain enough to be done unasked.

Each gives the edit for one outline of a document as it is, or None where there is nothing to offer.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor

from madcat_studio.edits.arranging import move_words
from madcat_studio.edits.base import Edit, Outline
from madcat_studio.edits.outlines import SetPolygon
from madcat_studio.model.document import Document, Point, Polygon
from madcat_studio.model.geometry import (
    Shape,
    bounding_box,
    corners,
    covered,
    exterior_of,
    hull,
    parts_of,
    shape_of,
    shapes_of,
)

__all__ = ["OFFERS", "clip", "close", "give_to_nearest", "offer", "polygon_of", "round_off"]

_MAIN = 0.9
"""A part with this share of the area is the outline, and the rest a slip of the hand."""


def polygon_of(document: Document, outline: Outline) -> Polygon:
    """The points of an outline."""
    line = document.pages[outline.page].lines[outline.line]
    return line.polygon if outline.word is None else line.words[outline.word].polygon


def clip(document: Document, outline: Outline) -> Edit | None:
    """The part of the outline that lies on the page."""
    page, polygon = document.pages[outline.page], polygon_of(document, outline)
    box = bounding_box(polygon)
    if box is None:
        return None
    right = box[2] if page.width is None else page.width
    bottom = box[3] if page.height is None else page.height
    if right <= 0 or bottom <= 0:
        return None
    inside = shape_of(polygon).intersection(shape_of(corners((0, 0, right, bottom))))
    return _set(document, outline, _largest(inside))


def round_off(document: Document, outline: Outline) -> Edit | None:
    """Its points on whole pixels."""
    return _set(document, outline, polygon_of(document, outline))


def close(document: Document, outline: Outline) -> Edit | None:
    """One area out of an outline that crosses itself, as a bow tie does.

    A small loop is left off; where the areas are alike, the outline goes around all of them.
    """
    polygon = polygon_of(document, outline)
    ordered = hull([polygon])
    if len(polygon) == 4 and set(ordered) == set(polygon):
        return _set(document, outline, ordered)
    shape = shape_of(polygon)
    if shape.is_empty:
        return None
    main = _largest(shape)
    if shape_of(main).area < _MAIN * shape.area:
        main = ordered
    return _set(document, outline, main)


def give_to_nearest(document: Document, outline: Outline) -> Edit | None:
    """The word to the line that covers most of it, else to the one that is nearest."""
    if outline.word is None:
        return None
    lines = document.pages[outline.page].lines
    word = shape_of(lines[outline.line].words[outline.word].polygon)
    shapes = shapes_of([line.polygon for line in lines])
    if word.is_empty:
        return None

    def nearness(number: int) -> tuple[float, float]:
        shape: Shape = shapes[number]
        return covered(word, shape), -float(word.distance(shape))

    open_lines = [n for n, line in enumerate(lines) if not line.locked and not shapes[n].is_empty]
    best = max(open_lines, key=nearness, default=outline.line)
    if best == outline.line:
        return None  # its own line is the nearest: that has to be drawn anew
    return move_words(document, outline.page, [(outline.line, outline.word)], best)


OFFERS: dict[str, Callable[[Document, Outline], Edit | None]] = {
    "polygon-outside-page": clip,
    "point-fractional": round_off,
    "polygon-self-crossing": close,
    "word-outside-line": give_to_nearest,
}
"""By the code of the problem."""


def offer(document: Document, code: str, outline: Outline) -> Edit | None:
    """What can be done about a problem of an outline; None for nothing, also in a locked line."""
    made = OFFERS.get(code)
    if made is None or document.pages[outline.page].lines[outline.line].locked:
        return None
    return made(document, outline)


def _largest(shape: Shape) -> Polygon:
    parts = parts_of(shape)
    return exterior_of(max(parts, key=lambda part: part.area)) if parts else ()


def _set(document: Document, outline: Outline, polygon: Polygon) -> Edit | None:
    # Half up, as coordinates are written.
    whole: list[Point] = [(floor(x + 0.5), floor(y + 0.5)) for x, y in polygon]
    if len(set(whole)) < 3 or tuple(whole) == polygon_of(document, outline):
        return None
    return SetPolygon(outline, tuple(whole))
