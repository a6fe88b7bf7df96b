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
from madcat_studio.gui.page.levels import Level, as_paintable, eighth, half, quarter, smaller

__all__ = ["LIMIT", "ReadyScan", "ScanInfo", "further_levels", "read_first", "read_scan"]

LIMIT = 1024
"""MiB at 32 bits a pixel, as Qt counts: 268 megapixels, a page of 16,000 x 16,000."""

_LARGE = 60_000_000
"""Pixels from which on the levels are kept in less memory, and paint a little slower. The half
level of such a page is made when somebody looks at it at that size."""

_HUGE = 200_000_000
"""Pixels of a bilevel image from which on the quarter level is made no sooner, either."""

_AHEAD = 160
"""MiB of pixels that are kept of a page before anybody asks for it."""

_ROTATED = QImageIOHandler.Transformation.TransformationNone


@dataclass(frozen=True, slots=True)
class ScanInfo:
    """What a file said of its scan: size in stored pixels, its frames, whether a tag turns it."""

    width: int
    height: int
    frames: int
    turned: bool


@dataclass(frozen=True, slots=True)
class ReadyScan:
    """A scan that can be painted at once, as long as its file is the same."""

    path: Path
    frame: int
    info: ScanInfo
    levels: tuple[Level, ...]
    stamp: tuple[int, int]

    def is_of(self, path: Path, frame: int) -> bool:
        """Whether it is what this file holds now."""
        return (path, frame) == (self.path, self.frame) and _stamp(path) == self.stamp


def read_first(path: Path, frame: int, cancelled: Callable[[], bool]) -> ReadyScan | None:
    """Read a scan so far that it can be painted; None where it takes too much memory.

    Raises:
        InputError, FormatError: as :func:`read_scan`.
    """
    if _weight(path) > _AHEAD * 2**20:
        return None
    parts: list[ScanInfo | tuple[Level, ...]] = []
    stamp = _stamp(path)
    read_scan(path, frame, parts.append, lambda: len(parts) > 1 or cancelled())
    match parts:
        case [ScanInfo() as info, tuple() as levels]:
            return ReadyScan(path, frame, info, levels, stamp)
    return None


def _stamp(path: Path) -> tuple[int, int]:
    """What tells one state of a file from another; of one that is not there, no file's."""
    try:
        found = path.stat()
    except OSError:
        return -1, -1
    return found.st_mtime_ns, found.st_size


def _weight(path: Path) -> int:
    """Bytes of the decoded image, by what the file says of it."""
    reader = QImageReader(os.fspath(path))
    size, form = reader.size(), reader.imageFormat()
    bits = QImage.toPixelFormat(form).bitsPerPixel() if form != QImage.Format.Format_Invalid else 32
    return size.width() * size.height() * bits // 8


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
            "the page's image was not found",
            where=path,
            remedy="Choose “Locate the image” and show where it is",
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
            remedy="Give the file one frame for each page",
        )
    size = reader.size()
    each = _bytes_of(reader.imageFormat())
    _refuse_if_too_large(size, path, each)
    turned = reader.transformation() != _ROTATED
    # Qt counts four bytes a pixel, whatever a pixel takes; what is let through was weighed above.
    QImageReader.setAllocationLimit(round(LIMIT * 4 / each))
    decoded = reader.read()
    QImageReader.setAllocationLimit(LIMIT)
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
    first = _first_levels(image)
    if cancelled():
        return
    emit(first)
    for levels in further_levels(first, cancelled):
        if cancelled():
            return
        emit(levels)


def _first_levels(image: QImage) -> tuple[Level, ...]:
    full = Level(image, 1)
    if min(image.width(), image.height()) < 8:
        return (full,)
    if max(image.width(), image.height()) < 1200:
        return full, Level(half(image), 2)
    if _is_huge(image):
        return full, Level(eighth(image), 8)
    return full, Level(quarter(image, small=_is_large(image)), 4)


def _is_large(image: QImage) -> bool:
    return image.width() * image.height() > _LARGE


def _is_huge(image: QImage) -> bool:
    bilevel = image.format() == QImage.Format.Format_Mono
    return bilevel and image.width() * image.height() > _HUGE


def further_levels(
    first: tuple[Level, ...], cancelled: Callable[[], bool]
) -> Iterator[tuple[Level, ...]]:
    """What comes after the levels with which a scan can be painted."""
    image, overview = first[0].image, first[-1]
    if cancelled() or overview.factor not in (4, 8):
        return
    if not _is_large(image):
        yield (Level(half(image), 2),)
    below = smaller(overview)
    while below is not None and not cancelled():
        yield (below,)
        below = smaller(below)


def _bytes_of(form: QImage.Format) -> float:
    """What a pixel of an image takes once it is opened."""
    if form in (QImage.Format.Format_Mono, QImage.Format.Format_MonoLSB):
        return 1 / 8
    return 4


def _refuse_if_too_large(size: QSize, path: Path, each: float = 4) -> None:
    megapixels = size.width() * size.height() / 1e6
    if size.isValid() and megapixels * 1e6 * each > LIMIT * 1024 * 1024:
        raise InputError(
            "page.image-too-large",
            f"the image claims {size.width()} x {size.height()} pixels ({megapixels:,.0f} "
            f"megapixels), more than the limit of {LIMIT * 1024 * 1024 / each / 1e6:,.0f}",
            where=path,
            remedy="If it is a real scan, save it in a lower resolution",
        )
