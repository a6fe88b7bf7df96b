"""Writing taken out of a scan: the ink goes, and outside of it nothing changes."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw
from scipy import ndimage

from madcat_studio.images.erasing import erase

WIDTH, HEIGHT = 900, 700
LINE = ((90, 90), (820, 90), (820, 150), (90, 150))
OTHER = ((90, 290), (820, 290), (820, 350), (90, 350))


def paper(mode: str, noise: float) -> np.ndarray:
    """Paper that is darker to the left, with the grain of a scan."""
    grain = np.random.default_rng(3).normal(0, noise, (HEIGHT, WIDTH))
    grey = np.linspace(190, 250, WIDTH)[None, :] + grain
    if mode == "L":
        return np.clip(np.rint(grey), 0, 255).astype(np.uint8)
    tint = np.array([1.0, 0.95, 0.85])
    return np.clip(np.rint(grey[..., None] * tint), 0, 255).astype(np.uint8)


def written(clean: np.ndarray, top: int, colour: int | tuple[int, int, int]) -> np.ndarray:
    """The same with a row of strokes: 40 words of an upright and a dot below its line."""
    image = Image.fromarray(clean)
    pen = ImageDraw.Draw(image)
    for number in range(16):
        x = 100 + 44 * number
        pen.line((x, top + 50, x + 30, top + 12), fill=colour, width=6)
        pen.ellipse((x + 10, top + 52, x + 16, top + 58), fill=colour)
    return np.asarray(image)


@pytest.mark.parametrize(("mode", "noise"), [("L", 0.0), ("L", 5.0), ("RGB", 5.0)])
def test_the_ink_goes_and_nothing_else_changes(mode: str, noise: float) -> None:
    clean = paper(mode, noise)
    ink = 30 if mode == "L" else (30, 20, 90)
    there = written(written(clean, 90, ink), 290, ink)
    found = erase(Image.fromarray(there), [LINE], 200)
    first = written(clean, 90, ink)
    strokes = (first != clean).reshape(HEIGHT, WIDTH, -1).any(axis=2)
    outside = ~ndimage.binary_dilation(strokes, iterations=3)
    # To the pixel, the other line's writing included.
    assert (found.pixels[outside] == there[outside]).all()
    away = found.pixels.astype(int) - clean
    assert np.abs(away[strokes]).mean() < 2 + 1.2 * noise
    assert np.abs(away[strokes]).max() < 10 + 8 * noise
    assert found.count >= strokes.sum() * 0.98
    wanted = (30, 30, 30) if mode == "L" else ink
    assert np.abs(np.subtract(found.colour, wanted)).max() <= 12


def test_black_and_white_becomes_grey_and_stays_as_it_was_elsewhere() -> None:
    there = Image.fromarray(
        written(written(np.full((HEIGHT, WIDTH), 255, np.uint8), 90, 0), 290, 0)
    )
    found = erase(there.convert("1"), [LINE], 200)
    assert found.pixels.dtype == np.uint8
    assert (found.pixels[:200] == 255).all()
    assert (found.pixels[200:] == np.asarray(there)[200:]).all()
    assert found.colour == (0, 0, 0)


def test_a_dot_beyond_the_outline_goes_with_its_stroke_and_a_rule_stays() -> None:
    image = Image.new("L", (WIDTH, HEIGHT), 250)
    pen = ImageDraw.Draw(image)
    pen.line((0, 400, WIDTH, 400), fill=170, width=3)  # the paper's rule
    pen.line((200, 110, 200, 167), fill=20, width=8)  # a stroke that reaches below its line
    pen.line((600, 145, 600, 260), fill=20, width=8)  # one of the next line that reaches in
    there = np.array(image)
    found = erase(image, [LINE], 200).pixels
    assert (found[105:172, 190:210] > 240).all()
    assert (found[165:262, 590:610] == there[165:262, 590:610]).all()
    assert (found[390:410] == there[390:410]).all()


def test_a_page_without_ink_or_outlines_is_what_it_was() -> None:
    clean = paper("L", 2.0)
    for outlines in ([LINE], [], [((1, 1), (2, 2))]):
        found = erase(Image.fromarray(clean), outlines, 200)
        assert found.count == 0
        assert (found.pixels == clean).all()
    there = written(clean, 90, 30)
    beyond = ((-900, -900), (-800, -900), (-800, -800))
    assert (erase(Image.fromarray(there), [beyond], 200).pixels == there).all()
