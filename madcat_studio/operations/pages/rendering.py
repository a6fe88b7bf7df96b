"""Pages with their translations in place of the writing, as PNG and PDF, and what did not fit."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from madcat_studio.errors import ConflictError, InputError, StudioError, UsageError
from madcat_studio.formats.files import filled_folder, write_atomically
from madcat_studio.images.erasing import erase
from madcat_studio.images.reading import ImageFinder, open_image
from madcat_studio.model.document import Document, Page
from madcat_studio.model.geometry import bounding_box
from madcat_studio.operations.pages.convert import open_document
from madcat_studio.operations.pages.folder import page_base
from madcat_studio.operations.pages.rendered_texts import Texts
from madcat_studio.pages.lettering import Fit, Fitted, SetText, Style
from madcat_studio.pages.passages import Passage, passages_of
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = [
    "Picture",
    "RenderOptions",
    "RenderedFile",
    "RenderedPage",
    "render_files",
    "render_page",
    "save_picture",
]

Pixels = npt.NDArray[np.uint8]

_LEAST_POINTS = 5.0
_NOTHING_TO_SET = ("render.no-texts", "render.no-outlines")
_GUESSED_WIDTH = 8.5
"""Inches across a page whose resolution nobody knows."""


class Picture(StrEnum):
    """What a rendered page is written as."""

    PNG = "png"
    PDF = "pdf"


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How pages are rendered.

    Attributes:
        formats: what is written.
        family: of the font; empty for one that suits the text.
        right_to_left: the direction of the texts; None for that of each text.
        least_points: the smallest size of the font, in points of the paper.
        image_folders: where else to look for scans.
        overwrite: replace files that are there.
    """

    formats: tuple[Picture, ...] = (Picture.PNG,)
    family: str = ""
    right_to_left: bool | None = None
    least_points: float = _LEAST_POINTS
    image_folders: tuple[Path, ...] = ()
    overwrite: bool = False


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page with its translations.

    Attributes:
        page: its number, from 0.
        pixels: the picture.
        erased: the scan without the writing that gave way.
        passages: the texts with their places.
        texts: how each was set.
        fitted: what paints them.
        dpi: of the scan, or what it was taken for.
        notes: what a reader has to know: what did not fit, was not found, has no glyph.
        is_whole: whether every text is there, whole and with all its glyphs.
    """

    page: int
    pixels: Pixels
    erased: Pixels
    passages: tuple[Passage, ...]
    texts: tuple[SetText, ...]
    fitted: Fitted
    dpi: float
    notes: tuple[str, ...]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class RenderedFile:
    """What became of one document: what was written and noticed, or why not."""

    path: Path
    outputs: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    is_whole: bool = True
    pages: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    error: StudioError | None = None


def render_files(
    paths: Sequence[Path],
    folder: Path,
    fit: Fit,
    options: RenderOptions,
    *,
    texts: Texts | None = None,
    progress: Progress = SILENT,
) -> Iterator[RenderedFile]:
    """Write ``BASE.png`` (``BASE.p2.png`` for a second page) for each document, and one list.

    ``rendered.jsonl`` has a line a page: where each text stands, in which size, and what did not
    fit. It is read as a submission of the page scorecard.

    Args:
        paths: pages in any format.
        folder: is made if it is not there.
        fit: lays the texts out.
        options: how.
        texts: other translations than the documents' own.
        progress: may cancel.

    Raises:
        WorldError: ``file.no-folder``: the folder cannot be made.
        Cancelled: documents that were finished until then are whole.
    """
    finder = ImageFinder(options.image_folders)
    bases = Counter(map(page_base, paths))
    with filled_folder(folder):
        lines: list[Mapping[str, Any]] = []
        try:
            for done, path in enumerate(paths, 1):
                base = page_base(path)
                name = base if bases[base] == 1 else path.name.removesuffix(".xml")
                try:
                    made = _render_one(path, folder / name, fit, options, texts, finder)
                    lines += made.pages
                    yield made
                except StudioError as error:
                    yield RenderedFile(path, error=error)
                progress.advance(done, len(paths), path.name)
                if progress.cancelled():
                    raise Cancelled
        finally:
            # The list tells of all pages that are there, also where the rest was stopped.
            if lines:
                text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
                write_atomically(folder / "rendered.jsonl", text.encode("utf-8"))


def _render_one(
    path: Path,
    target: Path,
    fit: Fit,
    options: RenderOptions,
    texts: Texts | None,
    finder: ImageFinder,
) -> RenderedFile:
    document = open_document(path).document
    image_path = finder.require(document.src, path)
    given = None if texts is None else texts.of(page_base(path))
    files: dict[Path, bytes] = {}
    notes: list[str] = []
    pages: list[Mapping[str, Any]] = []
    is_whole = True
    without: InputError | None = None
    for number in range(len(document.pages)):
        name = target.name if number == 0 else f"{target.name}.p{number + 1}"
        own = {kind: target.with_name(f"{name}.{kind}") for kind in options.formats}
        for file in own.values():
            if file.exists() and not options.overwrite:
                raise ConflictError(
                    "render.file-exists",
                    "a file with this name already exists",
                    where=file,
                    remedy="Choose another folder, or give --overwrite",
                )
        try:
            with open_image(image_path, number) as image:
                made = render_page(document, number, image, fit, options, given, where=path)
        except InputError as error:
            if error.code not in _NOTHING_TO_SET:
                raise
            without = without or error
            notes.append(f"page {number + 1} is left out: {error.reason}")
            continue
        files |= {file: _bytes(made, kind) for kind, file in own.items()}
        notes += made.notes
        is_whole = is_whole and made.is_whole
        # As the page scorecard calls the pages of a document.
        called = target.name if len(document.pages) == 1 else f"{target.name}#{number + 1}"
        pages.append(_line(called, made, own.get(Picture.PNG)))
    if without is not None and not pages:
        raise without
    for file, data in files.items():
        write_atomically(file, data)
    return RenderedFile(path, tuple(files), tuple(notes), is_whole, tuple(pages))


def render_page(
    document: Document,
    number: int,
    image: Image.Image,
    fit: Fit,
    options: RenderOptions,
    texts: Mapping[str, str] | None = None,
    *,
    where: Path | str = "",
) -> RenderedPage:
    """One page with its translations in place of the writing.

    Args:
        document: any page.
        number: of the page, from 0.
        image: its scan.
        fit: lays the texts out.
        options: how.
        texts: other translations, by segment, region or line; None for the document's own.
        where: the document's file, for messages.

    Raises:
        InputError: ``render.size-differs``, ``render.no-texts``, ``render.no-outlines``.
        UsageError: ``render.no-font``.
    """
    page = document.pages[number]
    _same_size(page, image, where)
    found = passages_of(document, number, texts, from_right=options.right_to_left)
    if not found.set:
        raise _nothing(bool(found.unplaced), where)
    dpi = _resolution(page, image)
    outlines = [outline for passage in found.set for outline in passage.outlines]
    erased = erase(image, outlines, dpi)
    style = Style(
        options.family,
        options.right_to_left,
        max(4, round(options.least_points * dpi / 72)),
        erased.colour,
    )
    fitted = fit(found.set, style)
    pixels = erased.pixels.copy()
    fitted.paint(pixels)
    cut = [one for one in fitted.texts if one.left]
    notes = [
        f"segment {one.id}: the text does not fit at {style.least} pixels; not shown: “{one.left}”"
        for one in cut
    ]
    if fitted.missing:
        shown = ", ".join(f"{one} (U+{ord(one):04X})" for one in fitted.missing)
        notes.append(f"no glyph in {' or '.join(fitted.families)} for {shown}")
    notes += _named("no outline on the page, so not shown", found.unplaced)
    notes += _named("no translation, so the writing stays", found.untranslated)
    notes += _named("texts for what the document does not have, so not shown", found.unknown)
    return RenderedPage(
        number,
        pixels,
        erased.pixels,
        found.set,
        tuple(fitted.texts),
        fitted,
        dpi,
        tuple(notes),
        not (cut or fitted.missing or found.unplaced or found.unknown),
    )


def _named(what: str, names: Sequence[str]) -> list[str]:
    if not names:
        return []
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return [f"{what}: {shown}"]


def _nothing(unplaced: bool, where: Path | str) -> InputError:
    if unplaced:
        return InputError(
            "render.no-outlines",
            "no text has an outline to fit into",
            where=where,
            remedy="Mark the page's lines first, and link the segments to them",
        )
    return InputError(
        "render.no-texts",
        "no segment on the page has a translation",
        where=where,
        remedy="Give texts with --texts, by the ids of segments, regions or lines",
    )


def _same_size(page: Page, image: Image.Image, where: Path | str) -> None:
    if not page.width or not page.height or (page.width, page.height) == image.size:
        return
    raise InputError(
        "render.size-differs",
        f"the page has {page.width} x {page.height} pixels and its image "
        f"{image.width} x {image.height}",
        where=where,
        remedy="Give the image that the outlines were drawn on",
    )


def _resolution(page: Page, image: Image.Image) -> float:
    said = image.info.get("dpi")
    for dpi in (page.dpi, said[0] if said else None):
        if dpi is not None and 40 <= float(dpi) <= 4800:
            return float(dpi)
    return max(image.width / _GUESSED_WIDTH, 40.0)


def _bytes(made: RenderedPage, kind: Picture) -> bytes:
    if kind is Picture.PDF:
        return made.fitted.pdf(made.erased, made.dpi)
    stream = io.BytesIO()
    # Small files are not worth many times the time: a page at 600 dpi has 34 million pixels.
    Image.fromarray(made.pixels).save(stream, "PNG", compress_level=1, dpi=(made.dpi, made.dpi))
    return stream.getvalue()


def save_picture(made: RenderedPage, path: Path) -> None:
    """Write a rendered page as what its name ends in.

    Raises:
        UsageError: ``render.picture``: neither PNG nor PDF.
        WorldError: it cannot be written.
    """
    try:
        kind = Picture(path.suffix.lower().removeprefix("."))
    except ValueError:
        raise UsageError(
            "render.picture",
            f"“{path.name}” does not end in a picture format that can be written",
            remedy=f"Make the name end in {' or '.join(f'.{kind}' for kind in Picture)}",
        ) from None
    write_atomically(path, _bytes(made, kind))


def _line(name: str, made: RenderedPage, picture: Path | None) -> Mapping[str, Any]:
    regions = []
    for order, (passage, text) in enumerate(zip(made.passages, made.texts, strict=True)):
        box = bounding_box(tuple(point for one in passage.outlines for point in one))
        assert box is not None
        left, top, right, bottom = box
        regions.append(
            {
                "region_id": passage.id,
                "bbox": [left, top, right - left, bottom - top],
                "text": passage.text,
                "reading_order": order,
                "rows": list(text.rows),
                "pixels": text.size,
                "left": text.left,
            }
        )
    height, width = made.pixels.shape[:2]
    return {
        "doc_id": name,
        "page_size": [width, height],
        "output_file": picture.name if picture else None,
        "regions": regions,
        "notes": list(made.notes),
    }
