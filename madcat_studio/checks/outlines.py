"""Rules about polygons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from madcat_studio.checks.findings import Checked, Finding
from madcat_studio.edits.base import Outline
from madcat_studio.edits.outlines import SetPolygon
from madcat_studio.model.document import Document, Line, Page, Polygon, Word
from madcat_studio.model.geometry import (
    Shape,
    bounding_box,
    bounds_overlap,
    contains_point,
    covered,
    crosses_itself,
    hull,
    intersection_area,
    shape_of,
)
from madcat_studio.model.names import line_name, word_name
from madcat_studio.model.problem import Severity

__all__ = [
    "BLEED_SHARE",
    "INSIDE_SHARE",
    "bleeding_lines",
    "crossing_polygons",
    "outside_page",
    "small_polygons",
    "words_outside_line",
]

INSIDE_SHARE = 0.9
"""A word is inside its line if the line covers at least this part of it."""

BLEED_SHARE = 0.02
"""A line bleeds if it covers more than this part of another line's word."""


def _outlines(document: Document) -> Iterator[tuple[Page, Outline, Line | Word]]:
    for pi, page in enumerate(document.pages):
        for li, line in enumerate(page.lines):
            yield page, Outline(pi, li), line
            for wi, word in enumerate(line.words):
                yield page, Outline(pi, li, wi), word


def _name(document: Document, outline: Outline) -> str:
    if outline.word is None:
        return line_name(document, outline.page, outline.line)
    return word_name(document, outline.page, outline.line, outline.word)


def small_polygons(checked: Checked) -> Iterator[Finding]:
    """An outline has three points or more. A missing polygon was told by reading."""
    told = {p.where.origin for p in checked.read.problems if p.code == "polygon-missing"}
    for _, outline, owner in _outlines(checked.document):
        number = len(owner.polygon)
        if number >= 3 or (owner.origin in told and not number):
            continue
        points = "no points" if not number else f"{number} point{'s' * (number > 1)}"
        yield checked.found(
            "polygon-few-points",
            Severity.ERROR,
            (owner.origin, _name(checked.document, outline)),
            f"the polygon has {points}, at least three are needed",
            "Draw its outline anew",
        )


def outside_page(checked: Checked) -> Iterator[Finding]:
    """Points lie on the page: 0 to width, 0 to height; an edge of the image counts as on it."""
    for page, outline, owner in _outlines(checked.document):
        box = bounding_box(owner.polygon)
        if box is None:
            continue
        beyond = [
            f"{axis} = {value:g}"
            for axis, value in zip("xyxy", box, strict=True)
            if value < 0
            or (axis == "x" and page.width and value > page.width)
            or (axis == "y" and page.height and value > page.height)
        ]
        if beyond:
            yield checked.found(
                "polygon-outside-page",
                Severity.WARNING,
                (owner.origin, _name(checked.document, outline)),
                f"the polygon leaves the page ({', '.join(beyond)})",
                "Move its points onto the page",
            )


def crossing_polygons(checked: Checked) -> Iterator[Finding]:
    """The edges of an outline do not cross. Four points in a wrong order can be put right."""
    for _, outline, owner in _outlines(checked.document):
        if crosses_itself(owner.polygon):
            ordered = hull([owner.polygon])
            mend = (
                (SetPolygon(outline, ordered),)
                if len(owner.polygon) == 4 and set(ordered) == set(owner.polygon)
                else ()
            )
            yield checked.found(
                "polygon-self-crossing",
                Severity.WARNING,
                (owner.origin, _name(checked.document, outline)),
                "the polygon crosses itself",
                "Put its points in order",
                mend,
            )


def words_outside_line(checked: Checked) -> Iterator[Finding]:
    """A word lies in its line."""
    document = checked.document
    for pi, page in enumerate(document.pages):
        for li, line in enumerate(page.lines):
            if len(line.polygon) < 3:
                continue
            shape: Shape = None  # made at the first word that needs it
            for wi, word in enumerate(line.words):
                if len(word.polygon) < 3 or _plainly_inside(word.polygon, line.polygon):
                    continue
                if shape is None:
                    shape = shape_of(line.polygon)
                own = shape_of(word.polygon)
                share = covered(own, shape)
                if share < INSIDE_SHARE:
                    yield checked.found(
                        "word-outside-line",
                        Severity.WARNING,
                        (word.origin, word_name(document, pi, li, wi)),
                        f"only {share:.0%} of the word lies inside its line",
                        "Move the word to its line, or derive the line anew",
                    )


def _plainly_inside(inner: Polygon, outer: Polygon) -> bool:
    """A cheap test that is right for a band around its words: all corners are inside.

    Where an outer edge dips between two corners the full test would differ by a sliver only.
    """
    return all(contains_point(outer, point) for point in inner)


def bleeding_lines(checked: Checked) -> Iterator[Finding]:
    """A line does not cover words of other lines."""
    document = checked.document
    for pi, page in enumerate(document.pages):
        boxes = [bounding_box(line.polygon) for line in page.lines]
        words = [
            (li, wi, word, box)
            for li, line in enumerate(page.lines)
            for wi, word in enumerate(line.words)
            if len(word.polygon) >= 3 and (box := bounding_box(word.polygon)) is not None
        ]
        shapes: dict[tuple[int, int], Shape] = {}
        for li, line in enumerate(page.lines):
            box = boxes[li]
            if box is None or len(line.polygon) < 3:
                continue
            near = [w for w in words if w[0] != li and bounds_overlap(w[3], box)]
            if not near:
                continue
            shape = shape_of(line.polygon)
            hit: dict[int, list[str]] = defaultdict(list)
            for other, wi, word, _ in near:
                own = shapes.setdefault((other, wi), shape_of(word.polygon))
                if own.area and intersection_area(own, shape) / own.area > BLEED_SHARE:
                    hit[other].append(word.id or f"#{wi + 1}")
            for other, ids in hit.items():
                yield checked.found(
                    "line-bleed",
                    Severity.WARNING,
                    (line.origin, line_name(document, pi, li)),
                    f"the line covers {_some(ids)} of line {page.lines[other].id or other + 1}",
                    "Derive the lines anew with `madcat-studio lines`",
                )


def _some(ids: list[str]) -> str:
    named = ", ".join(ids[:3]) + ("…" if len(ids) > 3 else "")
    return f"{len(ids)} word{'s' * (len(ids) != 1)} ({named})"
