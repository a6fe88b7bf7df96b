from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from PySide6.QtGui import QImage

from madcat_studio.gui.page.levels import (
    Level,
    Pyramid,
    as_paintable,
    eighth,
    half,
    quarter,
    smaller,
)

FORMATS = QImage.Format
SIZES = [(64, 40), (67, 43), (131, 9)]


def noise(form: QImage.Format, width: int, height: int) -> QImage:
    image = QImage(width, height, form)
    if form in (FORMATS.Format_Mono, FORMATS.Format_Indexed8):
        image.setColorCount(2 if form == FORMATS.Format_Mono else 256)
        for number in range(image.colorCount()):
            shade = number * (255 if form == FORMATS.Format_Mono else 1)
            image.setColor(number, 0xFF000000 | shade * 0x010101)
    memory = np.frombuffer(image.bits(), np.uint8)
    memory[:] = np.random.default_rng(5).integers(0, 256, memory.size)
    if form == FORMATS.Format_RGB32:
        memory[3::4] = 255
    return image


def colours(image: QImage) -> np.ndarray:
    plain = image.convertToFormat(FORMATS.Format_RGB32)
    memory = np.frombuffer(plain.bits(), np.uint8)
    return memory.reshape(plain.height(), plain.width(), 4)[:, :, :3].astype(int)


EVERY = [FORMATS.Format_Mono, FORMATS.Format_Grayscale8, FORMATS.Format_RGB32]


@pytest.mark.parametrize(("width", "height"), [*SIZES, (70, 300)])
@pytest.mark.parametrize(
    ("make", "factor", "form"),
    [
        *((make, factor, form) for make, factor in ((half, 2), (quarter, 4)) for form in EVERY),
        (eighth, 8, FORMATS.Format_Mono),
    ],
)
def test_a_level_is_the_mean(make, factor: int, form, width: int, height: int) -> None:
    image = noise(form, width, height)
    high, wide = height // factor, width // factor
    full = colours(image)[: high * factor, : wide * factor]
    mean = full.reshape(high, factor, wide, factor, 3).mean(axis=(1, 3))
    level = colours(make(image))
    assert level.shape == mean.shape
    assert np.abs(level - mean).max() < 1.0


@pytest.mark.parametrize("make", [half, lambda image: quarter(image, small=True), eighth])
def test_a_level_of_a_plan_takes_no_more_memory_than_its_own_pixels(make) -> None:
    image = noise(FORMATS.Format_Mono, 4000 + 32, 8000)  # rows that are no whole words of 64 bits
    tracemalloc.start()
    try:
        made = make(image)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert made.height() in (4000, 2000, 1000)
    assert most < image.sizeInBytes() / 4


def test_levels_that_were_left_out_are_known_by_what_they_are_looked_at() -> None:
    full = QImage(4000, 3000, FORMATS.Format_Mono)
    pyramid = Pyramid(4000, 3000)
    assert pyramid.lacking(0.4) is None
    pyramid.add(Level(full, 1))
    assert pyramid.lacking(0.2) is None
    pyramid.add(Level(eighth(full), 8))
    scales = (1.0, 0.51, 0.5, 0.26, 0.25, 0.13, 0.125, 0.01)
    assert [pyramid.lacking(s) for s in scales] == [None, None, 2, 2, 4, 4, None, None]
    pyramid.add(Level(quarter(full, small=True), 4))
    assert [pyramid.lacking(s) for s in scales] == [None, None, 2, 2, None, None, None, None]
    pyramid.add(Level(half(full), 2))
    assert not any(pyramid.lacking(s) for s in scales)


@pytest.mark.parametrize("form", [FORMATS.Format_Mono, FORMATS.Format_Grayscale8])
def test_a_large_page_has_its_quarter_in_grey(form) -> None:
    image = noise(form, 131, 43)
    small = quarter(image, small=True)
    assert small.format() == FORMATS.Format_Grayscale8
    # Two halves in a row are rounded twice.
    assert np.abs(colours(small) - colours(quarter(image))).max() <= 1
    below = smaller(Level(noise(FORMATS.Format_Grayscale8, 1500, 40), 4))
    assert below is not None
    assert (below.image.format(), below.factor) == (FORMATS.Format_Grayscale8, 8)


def test_an_inverted_bilevel_image_stays_inverted() -> None:
    image = noise(FORMATS.Format_Mono, 64, 40)
    image.setColorTable([0xFFFFFFFF, 0xFF000000])
    mean = colours(image).reshape(20, 2, 32, 2, 3).mean(axis=(1, 3))
    assert np.abs(colours(half(image)) - mean).max() < 1.0


@pytest.mark.parametrize("bits", [10, 12, 16])
def test_16_bit_grey_fills_the_range(bits: int) -> None:
    image = QImage(256, 2, FORMATS.Format_Grayscale16)
    rows = np.frombuffer(image.bits(), np.uint16).reshape(2, -1)
    rows[:, :256] = np.arange(256, dtype=np.uint16) << (bits - 8)
    shown = as_paintable(image)
    assert shown.format() == FORMATS.Format_Grayscale8
    assert colours(shown)[0, :, 0].tolist() == list(range(256))


def test_a_grey_palette_becomes_grey_and_a_coloured_one_colour() -> None:
    grey = noise(FORMATS.Format_Indexed8, 20, 10)
    assert as_paintable(grey).format() == FORMATS.Format_Grayscale8
    assert np.array_equal(colours(as_paintable(grey)), colours(grey))
    grey.setColor(7, 0xFFFF0000)
    assert as_paintable(grey).format() == FORMATS.Format_RGB32
    assert np.array_equal(colours(as_paintable(grey)), colours(grey))


def test_what_is_transparent_lies_on_white() -> None:
    image = QImage(4, 4, FORMATS.Format_ARGB32)
    image.fill(0x00123456)
    assert colours(as_paintable(image)).min() == 255


def test_the_pyramid_shrinks_by_at_most_two() -> None:
    full = QImage(4000, 3000, FORMATS.Format_Grayscale8)
    full.fill(0)
    pyramid = Pyramid(4000, 3000)
    assert pyramid.best(1.0) is None
    overview = Level(quarter(full), 4)
    for level in (Level(full, 1), overview):
        pyramid.add(level)
    assert [pyramid.best(s).factor for s in (2.0, 1.0, 0.4, 0.25, 0.1)] == [1, 1, 1, 4, 4]
    below = smaller(overview)
    assert below is not None
    pyramid.add(below)
    pyramid.add(Level(half(full), 2))
    assert [pyramid.best(s).factor for s in (0.9, 0.5, 0.3, 0.125, 0.01)] == [1, 2, 2, 8, 8]
    assert smaller(below) is None
