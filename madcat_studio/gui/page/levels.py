"""A scan in several sizes, so that it paints fast and its text looks good at every zoom.

Level ``f`` has one pixel for ``f`` times ``f`` stored pixels, their exact mean. The full image
stays in its own format (a bilevel page stays one bit a pixel); the half level is grey where the
scan is; from the quarter level on everything is RGB32, which Qt smooths fastest.

Every function here takes and returns plain values and may run in any thread.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage

__all__ = ["Level", "Pyramid", "as_paintable", "half", "quarter", "smaller"]

_STRIP = 64
"""Rows of output made at a time: small enough for the processor's cache."""

_SMALLEST = 700
"""No further level once the longer side is at most this many pixels."""

_OPAQUE = np.uint32(0xFF000000)
_GREY = np.uint32(0x00010101)


@dataclass(frozen=True, slots=True)
class Level:
    """One size of the scan; ``factor`` stored pixels to one of its own."""

    image: QImage
    factor: int


class Pyramid:
    """The levels of one scan that are ready; more may come while it is painted."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._levels: dict[int, Level] = {}

    def add(self, level: Level) -> None:
        """Take in a level as soon as it is ready."""
        self._levels[level.factor] = level

    def factors(self) -> list[int]:
        """The factors of the levels that are ready, in rising order."""
        return sorted(self._levels)

    def best(self, scale: float) -> Level | None:
        """The level to paint at ``scale`` screen pixels a stored pixel: shrunk by at most two.

        Where that one is not ready the next finer is taken, else the next coarser.
        """
        if not self._levels:
            return None
        factors = self.factors()
        fine = [factor for factor in factors if scale * factor <= 1.0 + 1e-9 or factor == 1]
        return self._levels[fine[-1] if fine else factors[0]]


def as_paintable(image: QImage) -> QImage:
    """The decoded image in a format that paints fast and that the levels understand.

    Bilevel, 8-bit grey and RGB32 stay. A palette becomes grey where all its colours are,
    16-bit grey becomes 8-bit over the full range, everything else RGB32.
    """
    form = image.format()
    formats = QImage.Format
    if form in (formats.Format_Mono, formats.Format_Grayscale8, formats.Format_RGB32):
        return image
    if form == formats.Format_MonoLSB:
        return image.convertToFormat(formats.Format_Mono)
    if form == formats.Format_Grayscale16:
        return _grey_from_16(image)
    if image.isGrayscale():
        return image.convertToFormat(formats.Format_Grayscale8)
    if image.hasAlphaChannel():
        flat = QImage(image.size(), formats.Format_RGB32)
        flat.fill(0xFFFFFFFF)
        from PySide6.QtGui import QPainter

        painter = QPainter(flat)
        painter.drawImage(0, 0, image)
        painter.end()
        return flat
    return image.convertToFormat(formats.Format_RGB32)


def _grey_from_16(image: QImage) -> QImage:
    """8-bit grey; a scanner that fills only 10, 12 or 14 of 16 bits still gives full range."""
    wide = _rows(image, np.uint16)[:, : image.width()]
    top = int(wide.max()) if wide.size else 0
    bits = max(8, top.bit_length())
    grey = QImage(image.size(), QImage.Format.Format_Grayscale8)
    out = _rows(grey, np.uint8)
    # A page without white is a dark page, not a narrow range: only whole missing bits count.
    shift = 8 if bits >= 15 else bits - 8
    for row in range(0, wide.shape[0], _STRIP):
        part = wide[row : row + _STRIP] >> shift
        out[row : row + _STRIP, : image.width()] = part
    return grey


def _rows(image: QImage, kind: type[np.unsignedinteger]) -> npt.NDArray[np.unsignedinteger]:
    """The image's memory as rows. The caller keeps ``image`` alive while it uses the array."""
    memory = np.frombuffer(image.bits(), dtype=np.uint8)
    return memory.reshape(image.height(), image.bytesPerLine()).view(kind)


def _pairs_table() -> npt.NDArray[np.uint8]:
    """For each byte of a bilevel row the number of set bits in its four pairs."""
    value = np.arange(256, dtype=np.uint8)
    pairs = [(value >> shift & 1) + (value >> (shift + 1) & 1) for shift in (6, 4, 2, 0)]
    return np.stack(pairs, axis=1).astype(np.uint8)


def _nibbles_table() -> npt.NDArray[np.uint8]:
    """For each byte of a bilevel row the number of set bits in its two halves."""
    pairs = _pairs_table()
    return np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 2] + pairs[:, 3]], axis=1)


def _mono_ends(image: QImage) -> tuple[int, int]:
    """The grey values of bits 0 and 1 of a bilevel image."""
    table = image.colorTable()
    if len(table) < 2:
        return 0, 255
    zero, one = (int(colour) & 0xFFFFFF for colour in table[:2])
    return tuple(  # type: ignore[return-value]
        ((colour >> 16) * 11 + (colour >> 8 & 255) * 16 + (colour & 255) * 5) // 32
        for colour in (zero, one)
    )


def half(image: QImage) -> QImage:
    """The level of factor 2. ``image`` must come from :func:`as_paintable`."""
    width, height = image.width() // 2, image.height() // 2
    form = image.format()
    if form == QImage.Format.Format_RGB32:
        return _colour_level(image, 2)
    out_image = QImage(width, height, QImage.Format.Format_Grayscale8)
    out = _rows(out_image, np.uint8)
    if form == QImage.Format.Format_Mono:
        zero, one = _mono_ends(image)
        # Half of each shade from either row; rounded up in one and down in the other, so that
        # four equal bits give their shade exactly. Four output pixels lie in one 32-bit lane.
        pairs = _pairs_table().astype(np.int64)
        shares = (zero * (2 - pairs) + one * pairs) / 4
        upper = np.ceil(shares).astype(np.uint8).view(np.uint32)[:, 0]
        lower = np.floor(shares).astype(np.uint8).view(np.uint32)[:, 0]
        source = _rows(image, np.uint8)
        for row in range(0, height, _STRIP):
            part = source[2 * row : 2 * min(row + _STRIP, height)]
            lanes = upper[part[0::2]] + lower[part[1::2]]
            out[row : row + _STRIP, :width] = lanes.view(np.uint8)[:, :width]
        return out_image
    source = _rows(image, np.uint16)
    low = np.uint16(0xFF)
    for row in range(0, height, _STRIP):
        part = source[2 * row : 2 * min(row + _STRIP, height)]
        lanes = (part & low) + (part >> 8)
        total = (lanes[0::2] + lanes[1::2]) >> 2
        out[row : row + _STRIP, :width] = total[:, :width]
    return out_image


def quarter(image: QImage) -> QImage:
    """The level of factor 4, RGB32. ``image`` must come from :func:`as_paintable`."""
    width, height = image.width() // 4, image.height() // 4
    form = image.format()
    if form == QImage.Format.Format_RGB32:
        return _colour_level(image, 4)
    out_image = QImage(width, height, QImage.Format.Format_RGB32)
    out = _rows(out_image, np.uint32)
    if form == QImage.Format.Format_Mono:
        zero, one = _mono_ends(image)
        shades = (zero + (one - zero) * np.arange(17) / 16 + 0.5).astype(np.uint32)
        shades = shades * _GREY | _OPAQUE
        # One gather for two output pixels: both counts in one 16-bit lane each.
        pairs = _nibbles_table().astype(np.uint16)
        table = pairs[:, 0] | (pairs[:, 1] << 8)
        source = _rows(image, np.uint8)
        for row in range(0, height, _STRIP):
            part = source[4 * row : 4 * min(row + _STRIP, height)]
            counts = table[part].reshape(part.shape[0] // 4, 4, -1)
            total = counts[:, 0] + counts[:, 1] + counts[:, 2] + counts[:, 3]
            out[row : row + _STRIP, :width] = shades[total.view(np.uint8)[:, :width]]
        return out_image
    source = _rows(image, np.uint32)
    lanes_mask = np.uint32(0x00FF00FF)
    low = np.uint32(0xFFFF)
    for row in range(0, height, _STRIP):
        part = source[4 * row : 4 * min(row + _STRIP, height)]
        lanes = (part & lanes_mask) + ((part >> 8) & lanes_mask)
        total = lanes[0::4] + lanes[1::4] + lanes[2::4] + lanes[3::4]
        grey = ((total & low) + (total >> 16)) >> 4
        out[row : row + _STRIP, :width] = grey[:, :width] * _GREY | _OPAQUE
    return out_image


def _colour_level(image: QImage, factor: int) -> QImage:
    """An RGB32 level of factor 2 or 4 of an RGB32 image."""
    width, height = image.width() // factor, image.height() // factor
    out_image = QImage(width, height, QImage.Format.Format_RGB32)
    out = _rows(out_image, np.uint32)
    source = _rows(image, np.uint32)
    red_blue = np.uint32(0x00FF00FF)
    shift = 2 if factor == 2 else 4
    for row in range(0, height, _STRIP):
        part = source[factor * row : factor * min(row + _STRIP, height), : width * factor]
        rb = part & red_blue
        green = (part >> 8) & np.uint32(0xFF)
        rb = sum(rb[i::factor] for i in range(1, factor)) + rb[0::factor]
        green = sum(green[i::factor] for i in range(1, factor)) + green[0::factor]
        rb = sum(rb[:, i::factor] for i in range(1, factor)) + rb[:, 0::factor]
        green = sum(green[:, i::factor] for i in range(1, factor)) + green[:, 0::factor]
        rb = (rb >> shift) & red_blue
        out[row : row + _STRIP, :width] = rb | ((green >> shift) << 8) | _OPAQUE
    return out_image


def smaller(level: Level) -> Level | None:
    """The next level below an RGB32 one, or None where it is small enough already."""
    if max(level.image.width(), level.image.height()) <= _SMALLEST:
        return None
    if min(level.image.width(), level.image.height()) < 4:
        return None
    return Level(_colour_level(level.image, 2), level.factor * 2)
