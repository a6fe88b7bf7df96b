from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from madcat_studio.errors import InputError
from madcat_studio.images.ink import find_ink, pieces_of, read_ink


def page(
    width: int = 850, height: int = 600, paper: int = 255
) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("L", (width, height), paper)
    return image, ImageDraw.Draw(image)


def test_strokes_are_pieces_and_dust_is_not() -> None:
    image, draw = page()
    draw.rectangle((100, 100, 180, 140), fill=0)
    draw.ellipse((300, 100, 340, 160), fill=30)
    draw.point((500, 300), fill=0)
    pieces = pieces_of(find_ink(image, 200))
    assert pieces.boxes.tolist() == [[100, 100, 181, 141], [300, 100, 341, 161]]
    assert pieces.areas[0] == 81 * 41
    assert (pieces.xs[: 81 * 41].min(), pieces.ys[: 81 * 41].max()) == (100, 140)
    assert (pieces.owners == 0).sum() == 81 * 41


@pytest.mark.parametrize("mode", ["1", "L", "RGB", "I;16", "RGBA"])
def test_every_kind_of_image_has_the_same_ink(mode: str) -> None:
    image, draw = page()
    draw.rectangle((100, 100, 180, 140), fill=0)
    if mode == "I;16":
        values = np.asarray(image).astype(np.uint16) * 257
        other = Image.frombytes("I;16", image.size, values.astype("<u2").tobytes())
    else:
        other = image.convert(mode)
    assert (find_ink(other, 200).mask == find_ink(image, 200).mask).all()


def test_cells_are_stored_pixels_times_factor() -> None:
    image, draw = page(2550, 1800)
    draw.rectangle((300, 300, 542, 422), fill=0)
    ink = find_ink(image, 600)
    assert (ink.factor, ink.dpi, ink.mask.shape) == (3, 200, (600, 850))
    assert pieces_of(ink).boxes.tolist() == [[100, 100, 181, 141]]


def test_a_shadow_is_not_ink() -> None:
    image, draw = page()
    shade = np.linspace(255, 110, 850)[None, :].repeat(600, axis=0)
    draw.rectangle((600, 100, 680, 140), fill=0)
    dark = Image.fromarray(np.minimum(np.asarray(image), shade.astype(np.uint8)))
    ink = find_ink(dark, 200)
    assert pieces_of(ink).boxes.tolist() == [[600, 100, 681, 141]]


@pytest.mark.parametrize("paper", [255, 0, 128])
def test_an_empty_page_has_no_ink(paper: int) -> None:
    image, _ = page(paper=paper)
    ink = find_ink(image, 200)
    assert not ink.mask.any()
    assert len(pieces_of(ink)) == 0


def test_grain_of_paper_is_not_ink() -> None:
    rng = np.random.default_rng(7)
    grain = rng.normal(225, 5, (600, 850)).clip(0, 255).astype(np.uint8)
    assert not find_ink(Image.fromarray(grain), 200).mask.any()


def test_rules_of_lined_paper_go_and_letters_on_them_stay() -> None:
    image, draw = page()
    for y in (200, 300, 400):
        draw.line((20, y, 830, y + 2), fill=90, width=2)
    draw.rectangle((400, 270, 430, 320), fill=0)
    pieces = pieces_of(find_ink(image, 200))
    assert len(pieces) == 1
    left, top, right, bottom = pieces.boxes[0].tolist()
    assert (left, top, right, bottom) == pytest.approx((400, 270, 431, 321), abs=2)


@pytest.mark.long
def test_a_resolution_of_nonsense_is_guessed(tmp_path: Path) -> None:
    image, draw = page(1700, 2200)
    draw.rectangle((300, 300, 542, 422), fill=0)
    image.save(tmp_path / "page.png", dpi=(2, 2))
    assert read_ink(tmp_path / "page.png").factor == 1
    image.save(tmp_path / "page.png", dpi=(400, 400))
    assert read_ink(tmp_path / "page.png").factor == 2
    assert read_ink(tmp_path / "page.png", dpi=600).factor == 3


def test_tiny_images_do_no_harm() -> None:
    for size in ((1, 1), (3, 2), (1, 400)):
        assert not find_ink(Image.new("L", size, 255)).mask.any()


def test_a_missing_image_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_ink(tmp_path / "none.tif")
    assert caught.value.code == "image.not-found"


def test_the_dark_edge_of_a_scan_is_not_ink() -> None:
    image, draw = page()
    for edge in ((0, 0, 849, 30), (0, 0, 44, 599), (820, 0, 849, 599), (0, 560, 849, 599)):
        draw.rectangle(edge, fill=12)
    draw.rectangle((300, 270, 380, 310), fill=0)
    assert pieces_of(find_ink(image, 200)).boxes.tolist() == [[300, 270, 381, 311]]
