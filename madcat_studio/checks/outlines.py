"""Rules about polygons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

from madcat_studio.checks.findings import Checked, Finding
from madcat_studio.edits.base import Outline
from madcat_studio.edits.outlines import SetPolygon
from madcat_studio.model.document import Document, Line, Page, Word
from madcat_studio.model.geometry import (
    bounding_box,
    covered,
    covers_all,
    crosses_itself,
    hull,
    overlapping_pairs,
)
from madcat_studio.model.names import line_name, word_name
from madcat_studio.model.problem import Problem, Severity

__all__ = [
    "BLEED_SHARE",
    "INSIDE_SHARE",
    "baselines_outside_line",
    "bleeding_lines",
    "crossing_polygons",
    "not_rounded_yet",
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


def not_rounded_yet(checked: Checked) -> Iterator[Problem]:
    """What reading noticed, without the fractions of outlines that have none any more."""
    noticed = checked.read.problems
    if not any(problem.code == "point-fractional" for problem in noticed):
        yield from noticed
        return
    document = checked.document
    left = {
        _name(document, outline)
        for _, outline, owner in _outlines(document)
        if any(x != int(x) or y != int(y) for x, y in owner.polygon)
    }
    for problem in noticed:
        if problem.code != "point-fractional" or problem.where.element in left:
            yield problem


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
            "Draw its outline again",
        )


def outside_page(checked: Checked) -> Iterator[Finding]:
    """Points lie on the page: 0 to width, 0 to height; an edge of the image counts as on it."""
    if not any(map(_is_left, checked.document.pages)):
        return  # nearly always, and far cheaper than a box for every outline
    for page, outline, owner in _outlines(checked.document):
        box = bounding_box(owner.polygon)
        if box is None:
            continue
        beyond = [
            f"{axis} = {value:g}"
            for axis, value in zip("xyxy", box, strict=True)
            if value < 0
            or (axis == "x" and page.width is not None and value > page.width)
            or (axis == "y" and page.height is not None and value > page.height)
        ]
        if beyond:
            yield checked.found(
                "polygon-outside-page",
                Severity.WARNING,
                (owner.origin, _name(checked.document, outline)),
                f"the polygon goes off the page ({', '.join(beyond)})",
                "Move its points onto the page",
            )


def _is_left(page: Page) -> bool:
    """Whether any outline leaves the page."""
    lines = (line.polygon for line in page.lines)
    words = (word.polygon for word in page.words())
    box = bounding_box(tuple(chain.from_iterable(chain(lines, words))))
    if box is None:
        return False
    return (
        min(box[:2]) < 0
        or (page.width is not None and box[2] > page.width)
        or (page.height is not None and box[3] > page.height)
    )


def crossing_polygons(checked: Checked) -> Iterator[Finding]:
    """The edges of an outline do not cross. Four points in a wrong order can be put right."""
    for _, outline, owner in _outlines(checked.document):
        shapes = checked.shapes[outline.page]
        if outline.word is None:
            valid = shapes.valid_lines[outline.line]
        else:
            valid = shapes.valid_words[outline.line][outline.word]
        if not valid and crosses_itself(owner.polygon):
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
        shapes = checked.shapes[pi]
        for li, line in enumerate(page.lines):
            shape, words = shapes.lines[li], shapes.words[li]
            if shape.is_empty or not words:
                continue
            for wi, inside in enumerate(covers_all(shape, words)):
                share = 1.0 if inside or words[wi].is_empty else covered(words[wi], shape)
                if share < INSIDE_SHARE:
                    yield checked.found(
                        "word-outside-line",
                        Severity.WARNING,
                        (line.words[wi].origin, word_name(document, pi, li, wi)),
                        f"only {share:.0%} of the word lies inside its line",
                        "Move the word to its line, or derive the line anew",
                    )


def baselines_outside_line(checked: Checked) -> Iterator[Finding]:
    """A baseline runs through its line's outline, or near it: as far off as the line is high."""
    document = checked.document
    for pi, page in enumerate(document.pages):
        for li, line in enumerate(page.lines):
            box, below = bounding_box(line.polygon), bounding_box(line.baseline)
            if box is None or below is None:
                continue
            near = box[3] - box[1]
            if below[1] > box[3] + near or below[3] < box[1] - near:
                yield checked.found(
                    "baseline-outside-line",
                    Severity.WARNING,
                    (line.origin, line_name(document, pi, li)),
                    f"the baseline is at {below[1]:g}, the line from {box[1]:g} to {box[3]:g}",
                    "Correct the baseline in the program that drew it",
                )


def bleeding_lines(checked: Checked) -> Iterator[Finding]:
    """A line does not cover words of other lines."""
    document = checked.document
    for pi, page in enumerate(document.pages):
        shapes = checked.shapes[pi]
        words = [(li, wi) for li, line in enumerate(page.lines) for wi in range(len(line.words))]
        hit: dict[tuple[int, int], list[str]] = defaultdict(list)
        for li, number, shared in overlapping_pairs(
            shapes.lines,
            [shapes.words[li][wi] for li, wi in words],
            owners=[li for li, _ in words],
        ):
            other, wi = words[number]
            if shared > BLEED_SHARE * shapes.words[other][wi].area:
                hit[li, other].append(page.lines[other].words[wi].id or f"#{wi + 1}")
        for (li, other), ids in hit.items():
            yield checked.found(
                "line-bleed",
                Severity.WARNING,
                (page.lines[li].origin, line_name(document, pi, li)),
                f"the line covers {_some(ids)} of line {page.lines[other].id or other + 1}",
                "Derive the line again, in the window or with `madcat-studio lines`",
            )


def _some(ids: list[str]) -> str:
    named = ", ".join(ids[:3]) + ("…" if len(ids) > 3 else "")
    return f"{len(ids)} word{'s' * (len(ids) != 1)} ({named})"
