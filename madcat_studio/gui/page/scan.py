"""Reads a page's scan from its file, in any thread.

Stored pixels are the coordinates: an orientation tag is never applied. One frame of a file is
one page. A file that claims more pixels than :data:`LIMIT` allows is refused before any memory
is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QImageIOHandler, QImageReader

from madcat_studio.errors import FormatError, InputError
from madcat_studio.gui.page.levels import Level, as_paintable, half, quarter, smaller

__all__ = ["LIMIT", "ScanInfo", "read_scan"]

LIMIT = 1024
"""MiB at 32 bits a pixel, as Qt counts: 268 megapixels, a page of 16,000 x 16,000."""

_LARGE = 60_000_000
"""Pixels from which on the levels are kept in less memory, and paint a little slower. The half
level of such a page is made when somebody looks at it at that size."""

_ROTATED = QImageIOHandler.Transformation.TransformationNone


@dataclass(frozen=True, slots=True)
class ScanInfo:
    """What a file said of its scan: size in stored pixels, its frames, whether a tag turns it."""

    width: int
    height: int
    frames: int
    turned: bool


def read_scan(
    path: Path,
    frame: int,
    emit: Callable[[ScanInfo | tuple[Level, ...]], None],
    cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Read one frame; hand over what it is, then its levels as they are ready.

    The first levels are the full image and the overview together, so that the first picture that
    is painted is a good one.

    Raises:
        InputError: the file is missing, has no such frame or is too large.
        FormatError: it is not an image, or is damaged.
    """
    if not path.is_file():
        raise InputError(
            "page.image-missing",
            "the page's image is not there",
            where=path,
            remedy="Choose “Locate the image” and show where it lies",
        )
    QImageReader.setAllocationLimit(LIMIT)
    # The count is asked of a reader of its own: asking moves the reader to the last frame.
    frames = max(1, QImageReader(os.fspath(path)).imageCount())
    reader = QImageReader(os.fspath(path))
    reader.setAutoTransform(False)
    reader.setDecideFormatFromContent(True)
    if not reader.canRead():
        raise FormatError(
            "page.image-unreadable",
            f"the file cannot be read as an image ({reader.errorString()})",
            where=path,
            remedy="TIFF, PNG, JPEG and BMP are read; convert the scan to one of them",
        )
    if frame >= frames or (frame and not reader.jumpToImage(frame)):
        raise InputError(
            "page.image-no-frame",
            f"the image has {frames} frame(s), and this is page {frame + 1}",
            where=path,
            remedy="Put one frame for each page into the file",
        )
    size = reader.size()
    _refuse_if_too_large(size, path)
    turned = reader.transformation() != _ROTATED
    decoded = reader.read()
    if decoded.isNull():
        _refuse_if_too_large(decoded.size() if size.isEmpty() else size, path)
        raise FormatError(
            "page.image-damaged",
            f"the image cannot be decoded ({reader.errorString()})",
            where=path,
            remedy="Scan or copy the file again",
        )
    if cancelled():
        return
    image = as_paintable(decoded)
    del decoded
    emit(ScanInfo(image.width(), image.height(), frames, turned))
    for levels in _levels(image, cancelled):
        if cancelled():
            return
        emit(levels)


def _levels(image: QImage, cancelled: Callable[[], bool]) -> Iterator[tuple[Level, ...]]:
    full = Level(image, 1)
    if min(image.width(), image.height()) < 8:
        yield (full,)
        return
    if max(image.width(), image.height()) < 1200:
        yield full, Level(half(image), 2)
        return
    large = image.width() * image.height() > _LARGE
    overview = Level(quarter(image, small=large), 4)
    yield full, overview
    if cancelled():
        return
    if not large:
        yield (Level(half(image), 2),)
    below = smaller(overview)
    while below is not None and not cancelled():
        yield (below,)
        below = smaller(below)


def _refuse_if_too_large(size: QSize, path: Path) -> None:
    megapixels = size.width() * size.height() / 1e6
    if size.isValid() and megapixels * 4e6 > LIMIT * 1024 * 1024:
        raise InputError(
            "page.image-too-large",
            f"the image claims {size.width()} x {size.height()} pixels "
            f"({megapixels:,.0f} megapixels), more than the {LIMIT * 1024 * 1024 / 4e6:,.0f} "
            "that are opened",
            where=path,
            remedy="If it is a real scan, save it in a lower resolution",
        )
