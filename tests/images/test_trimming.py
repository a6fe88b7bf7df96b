from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from madcat_studio.images.trimming import trim_to_ink
from madcat_studio.model.geometry import bounding_box, crosses_itself

CORNER = (1000, 2000)


@pytest.fixture
def image() -> Image.Image:
    """Paper with a word in the middle and a neighbour's tail coming in from above."""
    made = Image.new("L", (600, 400), 240)
    draw = ImageDraw.Draw(made)
    draw.rectangle((200, 180, 380, 200), fill=20)
    draw.rectangle((260, 215, 275, 230), fill=20)
    draw.rectangle((300, 0, 308, 112), fill=20)
    return made


def at(*points: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple((x + CORNER[0], y + CORNER[1]) for x, y in points)


def test_a_quadrilateral_keeps_its_edges_and_meets_the_ink(image: Image.Image) -> None:
    loose = at((450, 100), (150, 100), (150, 300), (450, 300))
    trimmed = trim_to_ink(image, CORNER, loose, 600)
    assert trimmed is not None
    assert len(trimmed) == 4
    left, top, right, bottom = bounding_box(trimmed)
    assert left == pytest.approx(1200, abs=5)
    assert right == pytest.approx(1380, abs=5)
    assert top == pytest.approx(2180, abs=5), "the neighbour's tail lies mostly outside"
    assert bottom == pytest.approx(2230, abs=5)
    assert trim_to_ink(image, CORNER, trimmed, 600) == trimmed, "there is no room any more"


def test_a_slanted_outline_stays_slanted(image: Image.Image) -> None:
    loose = at((460, 130), (120, 150), (130, 290), (470, 270))
    trimmed = trim_to_ink(image, CORNER, loose, 600)
    assert trimmed is not None
    slants = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in (loose[:2], trimmed[:2])]
    assert slants[0] == pytest.approx(slants[1], abs=0.02)


def test_an_outline_with_a_bay_stays_simple(image: Image.Image) -> None:
    bay = at((450, 120), (320, 170), (150, 120), (150, 300), (450, 300))
    trimmed = trim_to_ink(image, CORNER, bay, 600)
    assert trimmed is not None
    assert not crosses_itself(trimmed)
    assert bounding_box(trimmed)[3] < 2240


@pytest.mark.parametrize(
    "polygon",
    [
        (),
        at((5, 5)),
        at((5, 5), (90, 90)),
        at((5, 300), (90, 300), (90, 390), (5, 390)),
        ((-50, -50), (-20, -50), (-20, -20)),
    ],
)
def test_where_there_is_no_ink_there_is_nothing_to_trim(image: Image.Image, polygon) -> None:
    assert trim_to_ink(image, CORNER, polygon, 600) is None


def test_white_paper_and_nonsense_of_a_resolution() -> None:
    polygon = at((450, 100), (150, 100), (150, 300), (450, 300))
    for dpi in (None, 0.0, 1e9):
        assert trim_to_ink(Image.new("L", (600, 400), 255), CORNER, polygon, dpi) is None
