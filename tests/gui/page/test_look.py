"""How outlines look, as it is set: colours that everybody tells apart, widths, sizes of texts."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.style import DARK, LIGHT, page_colours
from madcat_studio.gui.settings import LABEL_SIZE, OUTLINE_COLOURS, OUTLINE_WIDTH, SEE_LABELS
from tests.gui.helpers import NORMAL, copy_sample

SEEN = ("line", "word", "chosen", "linked")

# What is left of a colour (linear RGB) to the colour-blind, by Viénot, Brettel and Mollon (1999).
SIGHTS = {
    "all": np.eye(3),
    "deutan": np.array([[0.29, 0.71, 0.0], [0.29, 0.71, 0.0], [-0.02, 0.02, 1.0]]),
    "protan": np.array([[0.11, 0.89, 0.0], [0.11, 0.89, 0.0], [0.0, 0.0, 1.0]]),
    "tritan": np.array([[1.0, 0.13, -0.13], [0.0, 0.87, 0.13], [0.0, 0.87, 0.13]]),
}
_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
FOR = {"standard": ("all",), "red-green": ("deutan", "protan"), "blue-yellow": ("tritan",)}


def lab(colour, sight: str) -> np.ndarray:
    """A colour as it is seen, in CIE L*a*b*."""
    srgb = np.array(colour.getRgbF()[:3])
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    linear = np.clip(SIGHTS[sight] @ linear, 0, 1)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = to_xyz @ linear / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize(("outlines", "sight"), [(o, s) for o, all_ in FOR.items() for s in all_])
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_are_told_apart_by_those_they_are_for(theme, outlines: str, sight: str) -> None:
    colours = page_colours(theme, outlines)
    for one, other in combinations(SEEN, 2):
        apart = lab(getattr(colours, one), sight) - lab(getattr(colours, other), sight)
        assert np.linalg.norm(apart) >= 20, (one, other)
        assert lab(getattr(colours, one), sight)[0] < 80, "it would not be seen on white paper"


def test_every_choice_has_its_colours() -> None:
    for outlines, _ in OUTLINE_COLOURS.choices:
        assert page_colours(LIGHT, outlines).surround == LIGHT.surround


@pytest.fixture
def someone(user, tmp_path: Path):
    return user(copy_sample(NORMAL, tmp_path, image=False))


def pixels(someone) -> np.ndarray:
    someone.view.canvas.settle_now()
    image = someone.view.canvas.grab().toImage().convertToFormat(image_format())
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return rows[:, : image.width() * 4].reshape(image.height(), image.width(), 4).astype(int)


def image_format():
    from PySide6.QtGui import QImage

    return QImage.Format.Format_RGB32


def painted(someone, colour) -> int:
    """How many pixels have about this colour."""
    wanted = np.array([colour.blue(), colour.green(), colour.red()])
    return int((np.abs(pixels(someone)[:, :, :3] - wanted).max(axis=2) < 30).sum())


@pytest.mark.long
def test_outlines_take_on_the_colours_and_the_width_at_once(someone) -> None:
    settings = someone.window.settings
    thin = painted(someone, LIGHT.word)
    assert thin > 0
    settings.set(OUTLINE_WIDTH, 4)
    assert painted(someone, LIGHT.word) > 1.5 * thin
    settings.set(OUTLINE_COLOURS, "strong")
    strong = page_colours(LIGHT, "strong")
    assert painted(someone, strong.word) > 1.5 * thin
    assert painted(someone, LIGHT.word) == 0
    someone.click(someone.at(ShapeKey(2, 1)))
    assert painted(someone, strong.chosen) > 0


@pytest.mark.long
def test_a_change_beside_a_wide_outline_leaves_nothing_behind(someone) -> None:
    """What is painted in pieces is what is painted at once, with wide lines as well."""
    from PySide6.QtCore import QPoint

    someone.window.settings.set(OUTLINE_WIDTH, 5)
    someone.click(someone.at(ShapeKey(2, 1)))
    start = someone.at(ShapeKey(2, 1), 0)
    someone.drag(start, start + QPoint(30, 25))
    someone.view.canvas.selection.select([])
    pieces = pixels(someone)
    someone.view.canvas.outlines.refresh()
    assert (pieces == pixels(someone)).all()


@pytest.mark.long
def test_words_on_the_page_have_their_size(someone) -> None:
    settings = someone.window.settings
    settings.set(SEE_LABELS, True)
    settings.set(LABEL_SIZE, 30)
    assert someone.view.canvas.base.labels._font.pixelSize() == 30
