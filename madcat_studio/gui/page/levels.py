"""A scan in several sizes, so that it paints fast and its text looks good at every zoom.

Level ``f`` has one pixel for ``f`` times ``f`` stored pixels, their exact mean. The full image
stays in its own format (a bilevel page stays one bit a pixel); the half level is grey where the
scan is; from the quarter level on everything is RGB32, which Qt smooths fastest, but for large
pages, which stay grey in all levels because RGB32 takes four times the memory. Of a bilevel plan of
hundreds of megapixels the half and the quarter level take more than the plan itself: they are made
when somebody looks at it at that size.

Every function here takes and returns plain values and may run in any thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage

__all__ = ["Level", "Pyramid", "as_paintable", "eighth", "half", "quarter", "smaller"]

_STRIP = 32
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

    @property
    def grey(self) -> bool:
        """Whether it has no colours for certain."""
        full = self._levels.get(1)
        forms = (QImage.Format.Format_Mono, QImage.Format.Format_Grayscale8)
        return full is not None and full.image.format() in forms and _is_grey(full.image)

    def factors(self) -> list[int]:
        """The factors of the levels that are ready, in rising order."""
        return sorted(self._levels)

    @property
    def full(self) -> Level | None:
        """The stored pixels, as soon as they are ready."""
        return self._levels.get(1)

    def lacking(self, scale: float) -> int | None:
        """The factor of the level that is not there and would look better at a scale.

        Only the half level is ever left out alone, and the quarter level together with it.
        """
        if 1 not in self._levels:
            return None
        if 0.25 < scale <= 0.5:
            return 2 if 2 not in self._levels else None
        if 0.125 < scale <= 0.25 and 8 in self._levels:
            return 4 if 4 not in self._levels else None
        return None

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


def _pair_counts(part: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The number of set bits in each pair of bits, left in its place."""
    odd = np.uint64(0x5555555555555555)
    return part - ((part >> np.uint64(1)) & odd)


def _whole_words(rows: npt.NDArray[np.unsignedinteger]) -> npt.NDArray[np.uint64]:
    """Rows of a bilevel image as 64-bit words; a copy where they are not a multiple.

    Asked for a few rows at a time: of a plan the copy would take as much again as the plan.
    """
    spare = -rows.shape[1] % 8
    if spare:
        rows = np.pad(rows, ((0, 0), (0, spare)))
    return rows.view(np.uint64)


def _is_grey(image: QImage) -> bool:
    """Whether an image of few colours has only greys among them."""
    return all(
        colour & 255 == colour >> 8 & 255 == colour >> 16 & 255 for colour in image.colorTable()
    )


def _mono_ends(image: QImage) -> tuple[int, int]:
    """The grey values of bits 0 and 1 of a bilevel image."""
    table = image.colorTable()
    if len(table) < 2:
        return 0, 255
    zero, one = map(int, table[:2])
    return _grey(zero), _grey(one)


def _grey(colour: int) -> int:
    """As QImage makes grey of a colour."""
    return ((colour >> 16 & 255) * 11 + (colour >> 8 & 255) * 16 + (colour & 255) * 5) // 32


def half(image: QImage) -> QImage:
    """The level of factor 2. ``image`` must come from :func:`as_paintable`."""
    width, height = image.width() // 2, image.height() // 2
    form = image.format()
    if form == QImage.Format.Format_RGB32:
        return _colour_level(image, 2)
    out_image = QImage(width, height, QImage.Format.Format_Grayscale8)
    out = _rows(out_image, np.uint8)
    if form == QImage.Format.Format_Mono:
        _half_of_mono(image, out)
        return out_image
    source = _rows(image, np.uint16)
    low = np.uint16(0xFF)
    for row in range(0, height, _STRIP):
        part = source[2 * row : 2 * min(row + _STRIP, height)]
        lanes = (part & low) + (part >> 8)
        total = (lanes[0::2] + lanes[1::2]) >> 2
        out[row : row + _STRIP, :width] = total[:, :width]
    return out_image


def quarter(image: QImage, *, small: bool = False) -> QImage:
    """The level of factor 4. ``image`` must come from :func:`as_paintable`.

    It is RGB32; with ``small`` a bilevel or grey image gives a grey one, a quarter of the memory.
    """
    width, height = image.width() // 4, image.height() // 4
    form = image.format()
    if form == QImage.Format.Format_RGB32:
        return _colour_level(image, 4)
    if small and form == QImage.Format.Format_Grayscale8:
        return half(half(image))
    formats = QImage.Format
    out_image = QImage(width, height, formats.Format_Grayscale8 if small else formats.Format_RGB32)
    out = _rows(out_image, np.uint8 if small else np.uint32)
    if form == QImage.Format.Format_Mono:
        _quarter_of_mono(image, out)
        return out_image
    source = _rows(image, np.uint32)
    lanes_mask, low = np.uint32(0x00FF00FF), np.uint32(0xFFFF)
    # The same memory for every strip: fresh pages from the system would cost as much again.
    even = np.empty((4 * _STRIP, source.shape[1]), dtype=np.uint32)
    odd = np.empty_like(even)
    total = np.empty((_STRIP, source.shape[1]), dtype=np.uint32)
    for row in range(0, height, _STRIP):
        rows = min(_STRIP, height - row)
        part = source[4 * row : 4 * (row + rows)]
        lanes, other, sums = even[: 4 * rows], odd[: 4 * rows], total[:rows]
        np.bitwise_and(part, lanes_mask, out=lanes)
        np.right_shift(part, 8, out=other)
        np.bitwise_and(other, lanes_mask, out=other)
        np.add(lanes, other, out=lanes)
        by_four = lanes.reshape(rows, 4, -1)
        np.add(by_four[:, 0], by_four[:, 1], out=sums)
        np.add(sums, by_four[:, 2], out=sums)
        np.add(sums, by_four[:, 3], out=sums)
        spare = other[:rows]
        np.right_shift(sums, 16, out=spare)
        np.bitwise_and(sums, low, out=sums)
        np.add(sums, spare, out=sums)
        np.right_shift(sums, 4, out=sums)
        np.multiply(sums, _GREY, out=sums)
        np.bitwise_or(sums[:, :width], _OPAQUE, out=out[row : row + rows, :width])
    return out_image


def eighth(image: QImage) -> QImage:
    """The grey level of factor 8 of a bilevel image."""
    zero, one = _mono_ends(image)
    shades = (zero + (one - zero) * np.arange(65) / 64 + 0.5).astype(np.uint8)
    width, height = image.width() // 8, image.height() // 8
    out_image = QImage(width, height, QImage.Format.Format_Grayscale8)
    out, source = _rows(out_image, np.uint8), _rows(image, np.uint8)
    # A byte holds eight pixels of a row. The same memory for every strip, as in `quarter`.
    counts = np.empty((8 * _STRIP, source.shape[1]), dtype=np.uint8)
    for row in range(0, height, _STRIP):
        rows = min(_STRIP, height - row)
        np.bitwise_count(source[8 * row : 8 * (row + rows)], out=counts[: 8 * rows])
        total = counts[: 8 * rows].reshape(rows, 8, -1).sum(axis=1, dtype=np.uint8)
        out[row : row + rows, :width] = shades[total[:, :width]]
    return out_image


def _half_of_mono(image: QImage, out: npt.NDArray[np.unsignedinteger]) -> None:
    zero, one = _mono_ends(image)
    shades = (zero + (one - zero) * np.arange(5) / 4 + 0.5).astype(np.uint8)
    plain = (zero, one) in ((0, 255), (255, 0))
    source = _rows(image, np.uint8)
    pairs = np.uint64(0x3333333333333333)
    nibble = np.uint8(0x0F)
    height, width = image.height() // 2, image.width() // 2
    for row in range(0, height, _STRIP):
        part = source[2 * row : 2 * min(row + _STRIP, height)]
        counts = _pair_counts(_whole_words(part))
        right = counts & pairs
        left = (counts >> np.uint64(2)) & pairs
        right = (right[0::2] + right[1::2]).view(np.uint8)
        left = (left[0::2] + left[1::2]).view(np.uint8)
        # A byte holds eight pixels of a row, so four of the level, the leftmost in its top bits.
        total = np.stack([left >> 4, right >> 4, left & nibble, right & nibble], axis=2)
        total = total.reshape(total.shape[0], -1)[:, :width]
        if plain:
            # 0, 64, 128, 192, 255 by arithmetic, which is much faster than a table.
            total = (total << 6) - (total >> 2)
            out[row : row + _STRIP, :width] = total if one else 255 - total
        else:
            out[row : row + _STRIP, :width] = shades[total]


def _quarter_of_mono(image: QImage, out: npt.NDArray[np.unsignedinteger]) -> None:
    zero, one = _mono_ends(image)
    source = _rows(image, np.uint8)
    pairs = np.uint64(0x3333333333333333)
    nibble = np.uint64(0x0F0F0F0F0F0F0F0F)
    height, width = image.height() // 4, image.width() // 4
    start, step = np.int32(16 * zero + 8), np.int32(one - zero)
    for row in range(0, height, _STRIP):
        part = source[4 * row : 4 * min(row + _STRIP, height)]
        counts = _pair_counts(_whole_words(part))
        counts = (counts & pairs) + ((counts >> np.uint64(2)) & pairs)
        right = counts & nibble
        left = (counts >> np.uint64(4)) & nibble
        right = right[0::4] + right[1::4] + right[2::4] + right[3::4]
        left = left[0::4] + left[1::4] + left[2::4] + left[3::4]
        total = np.stack([left.view(np.uint8), right.view(np.uint8)], axis=2)
        shades = total.reshape(total.shape[0], -1)[:, :width].astype(np.int32)
        shades *= step
        shades += start
        shades >>= 4
        if out.dtype == np.uint8:
            out[row : row + _STRIP, :width] = shades[:, :width]
        else:
            out[row : row + _STRIP, :width] = shades.astype(np.uint32) * _GREY | _OPAQUE


def _fold(values: npt.NDArray[Any], factor: int) -> npt.NDArray[Any]:
    """The sums of ``factor`` rows each."""
    total: npt.NDArray[Any] = values[0::factor] + values[1::factor]
    for row in range(2, factor):
        total = total + values[row::factor]
    return total


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
        rb: npt.NDArray[Any] = part & red_blue
        green: npt.NDArray[Any] = (part >> 8) & np.uint32(0xFF)
        rb = _fold(_fold(rb, factor).T, factor).T
        green = _fold(_fold(green, factor).T, factor).T
        rb = (rb >> shift) & red_blue
        out[row : row + _STRIP, :width] = rb | ((green >> shift) << 8) | _OPAQUE
    return out_image


def smaller(level: Level) -> Level | None:
    """The next level below one that is not bilevel; None where it is small enough already."""
    if max(level.image.width(), level.image.height()) <= _SMALLEST:
        return None
    if min(level.image.width(), level.image.height()) < 4:
        return None
    if level.image.format() == QImage.Format.Format_Grayscale8:
        return Level(half(level.image), level.factor * 2)
    return Level(_colour_level(level.image, 2), level.factor * 2)
