"""A PDF's pages as scans: the frames of one TIFF, as fine as the images in them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageStat

from madcat_studio.errors import InputError, WorldError
from madcat_studio.images.reading import MAX_PIXELS
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = ["is_pdf", "scans_of"]

_POINTS = 72
_USUAL = 300
"""Dots per inch of a page that holds no image."""
_LEAST, _MOST = 100, 600


def is_pdf(path: Path) -> bool:
    """Whether a file begins as a PDF does; False where it cannot be read."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            return b"%PDF-" in stream.read(1024)
    except OSError:
        return False


def scans_of(path: Path, target: Path, *, progress: Progress = SILENT) -> int:
    """Write the pages of a PDF as frames of a TIFF, whole or not at all; one page at a time.

    A page is drawn as fine as the finest image on it, at 300 dpi where there is none; one without
    colours is grey.

    Returns:
        How many pages there are.

    Raises:
        InputError: ``pdf.unreadable`` (broken, or locked by a password), ``pdf.no-page``,
            ``image.too-large``.
        WorldError: ``file.cannot-write``.
        Cancelled: the user stopped it; nothing was written.
    """
    import pypdfium2  # with a PDF only: it takes 7 MiB

    try:
        document: Any = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise _unreadable(path, str(error)) from None
    with closing(document):
        number = len(document)
        if not number:
            raise InputError(
                "pdf.no-page",
                "the PDF has no page",
                where=path,
                remedy="Check that it is the file you meant",
            )
        _write(_frames(document, path, progress), target)
    return number


def _unreadable(path: Path, why: str) -> InputError:
    return InputError(
        "pdf.unreadable",
        f"the PDF cannot be read ({why.strip().rstrip('.')})",
        where=path,
        remedy="Save it without a password, or get a new copy of it",
    )


def _frames(document: Any, path: Path, progress: Progress) -> Iterator[Image.Image]:
    import pypdfium2

    for number in range(len(document)):
        if progress.cancelled():
            raise Cancelled
        try:
            with closing(document[number]) as page:
                yield _drawn(page, path, number)
        except pypdfium2.PdfiumError as error:
            raise _unreadable(path, f"page {number + 1}: {error}") from None
        progress.advance(number + 1, len(document))


def _drawn(page: Any, path: Path, number: int) -> Image.Image:
    width, height = page.get_size()
    dpi = _resolution(page)
    size = round(width * dpi / _POINTS), round(height * dpi / _POINTS)
    if size[0] * size[1] > MAX_PIXELS:
        raise InputError(
            "image.too-large",
            f"page {number + 1} would have {size[0]} x {size[1]} pixels, more than "
            f"{MAX_PIXELS // 1_000_000} million",
            where=path,
            remedy="If it is a page, save it in its usual size",
        )
    image: Image.Image = page.render(scale=dpi / _POINTS).to_pil().convert("RGB")
    image = image.crop((0, 0, *size))  # a part of a pixel makes a whole one there
    red, green, blue = image.split()
    if all(ImageStat.Stat(ImageChops.difference(red, other)).extrema[0][1] == 0
           for other in (green, blue)):  # fmt: skip
        image = red
    image.info["dpi"] = (dpi, dpi)
    return image


def _resolution(page: Any) -> int:
    """The dots per inch of the finest image on a page."""
    from pypdfium2 import raw

    found = 0.0
    for part in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        left, bottom, right, top = part.get_bounds()
        across, down = part.get_px_size()
        if right > left and top > bottom:
            found = max(found, across * _POINTS / (right - left), down * _POINTS / (top - bottom))
    return min(max(round(found), _LEAST), _MOST) if found else _USUAL


def _write(frames: Iterator[Image.Image], target: Path) -> None:
    handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=target.parent)
    os.close(handle)
    beside = Path(name)
    try:
        first = next(frames)
        first.save(
            beside,
            "TIFF",
            save_all=True,
            append_images=frames,
            compression="tiff_adobe_deflate",
            dpi=first.info["dpi"],
        )
        mask = os.umask(0)
        os.umask(mask)
        beside.chmod(0o666 & ~mask)  # mkstemp's files are for their owner only
        beside.replace(target)
    except OSError as error:
        raise WorldError(
            "file.cannot-write",
            f"the scans cannot be written ({error.strerror or error})",
            where=target,
            remedy="Check the folder's permissions and the disk space",
        ) from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
