"""Line polygons anew from the words, with bleed before and after."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from madcat_studio.edits.base import Edit, Outline
from madcat_studio.edits.composite import CompositeEdit
from madcat_studio.edits.outlines import SetPolygon
from madcat_studio.formats.madcat import read
from madcat_studio.formats.madcat_writer import save
from madcat_studio.model.document import Document, Page
from madcat_studio.model.names import line_name
from madcat_studio.pages.lines_from_words import MARGIN, bleed, derive_lines, word_overlap

__all__ = ["DerivedLine", "derive_lines_of_file", "lines_edit"]


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
    """Derive the lines of a file and save it.

    Args:
        path: the file.
        output: another file to save to; None for the same, with a backup ``NAME.bak``.
        margin: around words, as a share of the median word height.
        dry_run: measure only.
        overwrite: replace an existing ``output``.

    Raises:
        InputError, FormatError, ConflictError, WorldError: it cannot be read or saved.
    """
    opened = read(path)
    document = opened.document
    before = [bleed(page) for page in document.pages]
    lines_edit(document, margin).apply(document)
    rows = [
        row for p, page in enumerate(document.pages) for row in _rows(document, p, page, before[p])
    ]
    if not dry_run:
        target = path if output is None else output
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
