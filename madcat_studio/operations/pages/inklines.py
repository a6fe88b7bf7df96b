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
from madcat_studio.formats.segmenter import FoundLine
from madcat_studio.images.reading import ImageFinder
from madcat_studio.model.document import Document, Page, Polygon
from madcat_studio.model.freshids import fresh_line_ids, fresh_word_ids
from madcat_studio.model.geometry import bounding_box, intersection_area, shape_of
from madcat_studio.operations.pages.convert import open_document
from madcat_studio.operations.pages.marking import compare_writing, read_writing
from madcat_studio.operations.pages.segmenters import OWN, Segmenter
from madcat_studio.operations.pages.segmenting import page_with, segment_page
from madcat_studio.pages.direction import right_to_left
from madcat_studio.pages.lines_from_ink import InkLine, lines_of
from madcat_studio.pages.marking import words_of_text
from madcat_studio.progress import SILENT, Progress

__all__ = ["InkPage", "PageLines", "ink_lines", "lines_from_ink", "new_lines", "page_lines"]


@dataclass(frozen=True, slots=True)
class InkPage:
    """What was found on one page of a file.

    Attributes:
        page: its number, from 0.
        lines: how many lines it got; None where it had some and stays as it is.
        words: how many words.
        by: who found them: the name of a segmenter, or "ink".
    """

    page: int
    lines: int | None
    words: int
    by: str = OWN


@dataclass(frozen=True, slots=True)
class PageLines:
    """The lines that were found on a page's scan, and by whom.

    Attributes:
        lines: in reading order.
        by: the name of a segmenter, or "ink".
        sure: where a transcript told which are better: the words that are sure by the ink's lines
            and by the segmenter's.
    """

    lines: list[InkLine]
    by: str = OWN
    sure: tuple[int, int] | None = None

    @property
    def by_segmenter(self) -> bool:
        """Whether they are not the ink's."""
        return self.by != OWN


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


def page_lines(
    image: Path,
    frame: int,
    page: Page,
    document: Document,
    segmenter: Segmenter | None = None,
    *,
    always: bool = False,
    progress: Progress = SILENT,
) -> PageLines:
    """The lines of a page's scan, in the ink or by a segmenter, whichever are better.

    Better are those along which more words of the transcript are sure. Where no transcript can
    tell, since there is none or it is that of several pages, the segmenter's are taken: its user
    wants it to be asked.

    Args:
        image, frame: the scan.
        page: its lines, if it has any, do not matter.
        document: that it is of.
        segmenter: None to look in the ink only.
        always: whether to take the segmenter's without comparing.
        progress: is told how far the work is, and may end it.

    Raises:
        StudioError: the scan cannot be read; the segmenter cannot be used.
        Cancelled: nobody waits for it any more.
    """
    texts = _texts(document)
    if segmenter is None:
        return PageLines(ink_lines(image, frame, page, texts, progress))
    bare = replace(page, lines=[])
    words = _words(document) if len(document.pages) == 1 else []
    if always or not words:
        leftwards = right_to_left(texts)
        found = segment_page(
            segmenter, image, frame, dpi=page.dpi, right_to_left=leftwards, progress=progress
        )
        return PageLines(_with_words(found, image, frame, bare, texts), segmenter.name)
    own = read_writing(image, frame, bare, words, progress=progress)
    compared = compare_writing(own, segmenter, image, frame, bare, words, progress=progress)
    sure = compared.own_sure, compared.other_sure
    if compared.better is compared.own:
        return PageLines(ink_lines(image, frame, page, texts, progress), OWN, sure)
    lines = _with_words(list(compared.lines), image, frame, bare, texts)
    return PageLines(lines, segmenter.name, sure)


def _texts(document: Document) -> list[str]:
    texts = [token.source or "" for segment in document.segments() for token in segment.tokens]
    return texts + [segment.transcription or "" for segment in document.segments()]


def _words(document: Document) -> list[str]:
    """What stands on the page, if it is the only one."""
    return [
        word
        for segment in document.segments()
        for word in (
            [token.source or "" for token in segment.tokens] or words_of_text(segment.transcription)
        )
    ]


def _with_words(
    found: list[FoundLine], image: Path, frame: int, bare: Page, texts: list[str]
) -> list[InkLine]:
    """A segmenter's lines with the words in their ink, and a baseline where it said none."""
    if not found:
        return []
    followed = page_with(bare, found)
    writing = read_writing(image, frame, followed, leftwards=right_to_left(texts))
    shapes = [shape_of(line.polygon) for line in found]
    inside: list[list[InkLine]] = [[] for _ in found]
    for written in lines_of(writing):
        shares = [intersection_area(shape_of(written.polygon), shape) for shape in shapes]
        best = max(range(len(found)), key=shares.__getitem__)
        if shares[best] > 0:
            inside[best].append(written)
    lines = []
    for line, written_here in zip(found, inside, strict=True):
        base = line.baseline or next((one.baseline for one in written_here), ())
        words = tuple(word for one in written_here for word in one.words)
        lines.append(InkLine(line.polygon, base, words))
    return lines


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
    segmenter: Segmenter | None = None,
    always: bool = False,
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
        segmenter: whose lines may be taken instead (:func:`page_lines`).
        always: whether to take them without comparing.
        dry_run: count only.
        overwrite: replace an existing ``output``.
        progress: is told how far the work is, and may end it.

    Raises:
        InputError: the file or its scan cannot be read, or ``lines.no-scan``.
        StudioError: the segmenter cannot be used.
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
    rows = []
    for number, page in enumerate(document.pages):
        if page.lines:
            rows.append(InkPage(number, None, 0))
            continue
        frame = number if len(document.pages) > 1 else 0
        found = page_lines(
            image, frame, page, document, segmenter, always=always, progress=progress
        )
        new_lines(document, number, found.lines, words=words).apply(document)
        count = sum(len(line.words) for line in found.lines) if words else 0
        rows.append(InkPage(number, len(found.lines), count, found.by))
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
