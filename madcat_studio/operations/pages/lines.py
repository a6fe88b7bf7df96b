"""Line polygons anew from the words, with bleed before and after; lines and words in order."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.edits.base import Edit, Outline
from madcat_studio.edits.composite import CompositeEdit
from madcat_studio.edits.outlines import SetPolygon
from madcat_studio.errors import UsageError
from madcat_studio.formats.documents import save
from madcat_studio.model.document import Document, Line, Page, Polygon
from madcat_studio.model.names import line_name
from madcat_studio.operations.pages.convert import open_document
from madcat_studio.pages.lines_from_words import (
    MARGIN,
    bleed,
    bleed_areas,
    derive_lines,
    word_overlap,
)
from madcat_studio.pages.order import line_order, word_order

__all__ = [
    "DerivedLine",
    "DerivedLines",
    "ReadingOrder",
    "derive_lines_of_file",
    "derive_lines_of_page",
    "lines_edit",
    "reading_order",
]

SUFFIX = ".madcat.xml"


@dataclass(frozen=True, slots=True)
class DerivedLine:
    """One line, before and after.

    Attributes:
        before, after: its bleed in square pixels.
        least: the overlap of its own words with others', below which no line can come.
        points: of the new polygon, 0 for a line without words, which stays as it was.
    """

    name: str
    before: float
    after: float
    least: float
    points: int


def lines_edit(document: Document, margin: float = MARGIN) -> CompositeEdit:
    """One edit that gives every line with words its derived polygon; for commands and windows."""
    edits: list[Edit] = [
        SetPolygon(Outline(p, n), polygon)
        for p, page in enumerate(document.pages)
        for n, polygon in enumerate(derive_lines(page, margin))
        if polygon is not None and polygon != page.lines[n].polygon
    ]
    return CompositeEdit(tuple(edits), "Derive lines from words")


def derive_lines_of_file(
    path: Path,
    output: Path | None = None,
    *,
    margin: float = MARGIN,
    dry_run: bool = False,
    overwrite: bool = False,
) -> list[DerivedLine]:
    """Derive the lines of a file in any format and save it.

    Args:
        path: the file.
        output: another file to save to; None for the same, with a backup ``NAME.bak``. A file that
            is not saved in place (hOCR, GEDI) gives a MADCAT file, beside it for None.
        margin: around words, as a share of the median word height.
        dry_run: measure only.
        overwrite: replace an existing ``output``.

    Raises:
        InputError, FormatError, ConflictError, WorldError: it cannot be read or saved.
        UsageError: ``lines.not-madcat``: ``output`` would be a MADCAT file of another name.
    """
    opened = open_document(path)
    own = opened.source.path or path
    if own != path and output is not None and not output.name.lower().endswith(SUFFIX):
        raise UsageError(
            "lines.not-madcat",
            f"a page that comes from “{path.name}” is saved as MADCAT XML",
            where=output,
            remedy=f"Use a name that ends in {SUFFIX}",
        )
    document = opened.document
    before = [bleed(page) for page in document.pages]
    lines_edit(document, margin).apply(document)
    rows = [
        row for p, page in enumerate(document.pages) for row in _rows(document, p, page, before[p])
    ]
    if not dry_run:
        target = own if output is None else output
        save(target, document, opened.source, overwrite=overwrite, backup=output is None)
    return rows


def _rows(document: Document, p: int, page: Page, before: list[float]) -> list[DerivedLine]:
    after, least = bleed(page), word_overlap(page)
    return [
        DerivedLine(
            line_name(document, p, n),
            before[n],
            after[n],
            least[n],
            len(line.polygon) if line.words else 0,
        )
        for n, line in enumerate(page.lines)
    ]


@dataclass(frozen=True, slots=True)
class DerivedLines:
    """Lines of a page, derived from their words.

    Attributes:
        polygons: the new outlines, by the numbers of their lines.
        before, after: the bleed of these lines in square pixels.
        areas: where a line bleeds into others now.
    """

    polygons: dict[int, Polygon]
    before: float
    after: float
    areas: dict[int, list[Polygon]]


def derive_lines_of_page(page: Page, only: Collection[int]) -> DerivedLines:
    """Derive some lines of a page, which stays as it is, and say what that would come to."""
    found = {
        n: polygon for n, polygon in enumerate(derive_lines(page, only=only)) if polygon is not None
    }
    lines = [
        Line(line.id, line.type, found.get(n, line.polygon), line.words)
        for n, line in enumerate(page.lines)
    ]
    before, after = bleed(page), bleed(Page(page.id, page.width, page.height, lines=lines))
    return DerivedLines(
        found,
        sum(before[n] for n in found),
        sum(after[n] for n in found),
        bleed_areas(page, found),
    )


@dataclass(frozen=True, slots=True)
class ReadingOrder:
    """How right-to-left script is read where it lies, by the numbers that lines and words have.

    Attributes:
        lines: all lines of the page.
        words: those of each line that is not locked and stands in another order now.
    """

    lines: list[int]
    words: dict[int, list[int]]


def reading_order(page: Page) -> ReadingOrder:
    """Propose an order for a page, which stays as it is."""
    orders = {n: word_order(line) for n, line in enumerate(page.lines) if not line.locked}
    return ReadingOrder(
        line_order(page),
        {n: order for n, order in orders.items() if order != list(range(len(order)))},
    )
