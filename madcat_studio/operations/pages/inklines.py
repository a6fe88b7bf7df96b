"""Lines for pages that have none, found in the ink of their scans."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from madcat_studio.edits.base import Edit
from madcat_studio.edits.composite import CompositeEdit
from madcat_studio.edits.structure import AddLine
from madcat_studio.edits.values import LineValue, WordValue
from madcat_studio.errors import InputError
from madcat_studio.formats.documents import save
from madcat_studio.images.reading import ImageFinder
from madcat_studio.model.document import Document, Page, Polygon
from madcat_studio.model.freshids import fresh_line_ids, fresh_word_ids
from madcat_studio.model.geometry import bounding_box, intersection_area, shape_of
from madcat_studio.operations.pages.convert import open_document
from madcat_studio.operations.pages.marking import read_writing
from madcat_studio.pages.direction import right_to_left
from madcat_studio.pages.lines_from_ink import InkLine, lines_of
from madcat_studio.progress import SILENT, Progress

__all__ = ["InkPage", "ink_lines", "lines_from_ink", "new_lines"]


@dataclass(frozen=True, slots=True)
class InkPage:
    """What was found on one page of a file.

    Attributes:
        page: its number, from 0.
        lines: how many lines it got; None where it had some and stays as it is.
        words: how many words.
    """

    page: int
    lines: int | None
    words: int


def ink_lines(
    image: Path, frame: int, page: Page, texts: list[str], progress: Progress = SILENT
) -> list[InkLine]:
    """The lines in the ink of a page's scan.

    Args:
        image, frame: the scan.
        page: its lines, if it has any, do not matter.
        texts: of the document, for the direction of reading.
        progress: is told how far the work is, and may end it.

    Raises:
        StudioError: the scan cannot be read.
        Cancelled: nobody waits for it any more.
    """
    bare = replace(page, lines=[])
    writing = read_writing(image, frame, bare, leftwards=right_to_left(texts), progress=progress)
    return lines_of(writing)


def new_lines(
    document: Document, page: int, lines: list[InkLine], *, words: bool = True
) -> CompositeEdit:
    """One edit that adds lines to a page, each to the region that most of it lies in."""
    found = document.pages[page]
    many = sum(len(line.words) for line in lines) if words else 0
    names = iter(fresh_line_ids(document, len(lines)))
    word_names = iter(fresh_word_ids(document, many))
    at = len(found.lines)
    edits: list[Edit] = []
    for number, line in enumerate(lines):
        own = tuple(WordValue(next(word_names), each) for each in line.words) if words else ()
        value = LineValue(
            next(names),
            polygon=line.polygon,
            words=own,
            baseline=line.baseline,
            region=_region_of(found, line.polygon),
        )
        edits.append(AddLine(page, at + number, value))
    return CompositeEdit(tuple(edits), "Lines from the ink")


def _region_of(page: Page, polygon: Polygon) -> str | None:
    shape = shape_of(polygon)
    shares = [
        (intersection_area(shape, shape_of(region.polygon)), region.id)
        for region in page.regions
        if region.kind == "TextRegion" and region.polygon and region.id
    ]
    best = max(shares, default=(0.0, None), key=lambda one: one[0])
    return best[1] if best[0] > 0 else None


def lines_from_ink(
    path: Path,
    output: Path | None = None,
    *,
    words: bool = True,
    dry_run: bool = False,
    overwrite: bool = False,
    progress: Progress = SILENT,
) -> list[InkPage]:
    """Give every page of a file that has no lines those of its ink, and save it.

    Where the format has upright boxes only, boxes are written.

    Args:
        path: a file that is saved in place: MADCAT, PAGE XML or ALTO.
        output: another file to save to; None for the same, with a backup ``NAME.bak``.
        words: whether to add words, too, where gaps tell them.
        dry_run: count only.
        overwrite: replace an existing ``output``.
        progress: is told how far the work is, and may end it.

    Raises:
        InputError: the file or its scan cannot be read, or ``lines.no-scan``.
        FormatError, ConflictError, WorldError: it cannot be read or saved.
    """
    opened = open_document(path)
    document = opened.document
    own = opened.source.path or path
    image = ImageFinder().find(document.src or f"{own.stem}.tif", own)
    if image is None:
        raise InputError(
            "lines.no-scan",
            f"the scan {document.src or ''} is not there".replace("  ", " "),
            where=path.name,
            remedy="Put the image beside the file",
        )
    texts = [token.source or "" for segment in document.segments() for token in segment.tokens]
    texts += [segment.transcription or "" for segment in document.segments()]
    rows = []
    for number, page in enumerate(document.pages):
        if page.lines:
            rows.append(InkPage(number, None, 0))
            continue
        frame = number if len(document.pages) > 1 else 0
        found = ink_lines(image, frame, page, texts, progress)
        new_lines(document, number, found, words=words).apply(document)
        count = sum(len(line.words) for line in found) if words else 0
        rows.append(InkPage(number, len(found), count))
    if dry_run:
        return rows
    target = own if output is None else output
    try:
        save(target, document, opened.source, overwrite=overwrite, backup=output is None)
    except InputError as error:
        if error.code != "layout.cannot-hold":
            raise
        _as_boxes(document)
        save(target, document, opened.source, overwrite=overwrite, backup=output is None)
    return rows


def _as_boxes(document: Document) -> None:
    for page in document.pages:
        for line in page.lines:
            if line.origin is None:
                line.polygon = _box(line.polygon)
                for word in line.words:
                    word.polygon = _box(word.polygon)


def _box(polygon: Polygon) -> Polygon:
    box = bounding_box(polygon)
    if box is None:
        return polygon
    left, top, right, bottom = map(int, box)
    return ((left, top), (right, top), (right, bottom), (left, bottom))
