"""One written word as ink: a shaped Arabic word, leant, turned and unsteady."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont, features
from scipy import ndimage

from madcat_studio.errors import WorldError
from scripts.demo.hands import Hand

__all__ = ["Ink", "write_word"]

_Wave = Callable[[npt.NDArray[np.float32], float], npt.NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Ink:
    """A word's black pixels, cropped to them.

    ``rise`` is how far the crop's top lies above the baseline (rows); the baseline is that of
    the word's right end.
    """

    mask: npt.NDArray[np.bool_]
    rise: int

    @property
    def width(self) -> int:
        """Columns of the crop."""
        return int(self.mask.shape[1])


@lru_cache(maxsize=32)
def _face(path: str, size: int) -> ImageFont.FreeTypeFont:
    # Without either, Pillow would quietly draw letters unjoined and from left to right.
    if not (features.check("raqm") and features.check("fribidi")):
        raise WorldError(
            "demo.no-shaping",
            "Pillow finds no Raqm or no FriBiDi, so it cannot shape Arabic",
            remedy="Use Pillow's own wheels and install Debian's libfribidi0",
        )
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.RAQM)


def write_word(text: str, hand: Hand, angle: float, rng: np.random.Generator) -> Ink:
    """Write ``text`` with ``hand`` on a line that rises to the left by ``angle`` (radians)."""
    size = round(hand.size * float(np.exp(rng.normal(0, hand.jitter))))
    face = _face(str(hand.face_path()), size)
    left, top, right, bottom = face.getbbox(text, direction="rtl", language="ar", anchor="ls")
    margin = size // 2
    width = int(right - left) + 2 * margin
    height = int(bottom - top) + 2 * margin
    baseline = margin - int(top)
    canvas = Image.new("L", (width, height), 0)
    ImageDraw.Draw(canvas).text(
        (margin - left, baseline),
        text,
        fill=255,
        font=face,
        anchor="ls",
        direction="rtl",
        language="ar",
    )
    grey = np.asarray(canvas, dtype=np.float32)
    own_angle = angle + float(rng.normal(0, hand.tilt))
    mask = _bent(grey, baseline, width - margin, hand, own_angle, rng) > hand.weight
    rows = np.flatnonzero(mask.any(axis=1))
    columns = np.flatnonzero(mask.any(axis=0))
    crop = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return Ink(np.ascontiguousarray(crop), baseline - int(rows[0]))


def _bent(
    grey: npt.NDArray[np.float32],
    baseline: int,
    anchor: int,
    hand: Hand,
    angle: float,
    rng: np.random.Generator,
) -> npt.NDArray[np.float32]:
    """``grey`` sheared and turned about (``anchor``, ``baseline``), its strokes trembling."""
    y, x = np.mgrid[0 : grey.shape[0], 0 : grey.shape[1]].astype(np.float32)
    dx, dy = x - anchor, y - baseline
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    source_y = cos * dy - sin * dx
    source_x = cos * dx + sin * dy + hand.shear * source_y
    long_x, short_x, long_y, short_y = (
        _wave(size, hand.size, rng) for size in (hand.tremble, hand.tremble / 2) * 2
    )
    source_x += long_x(y, 1.0) + short_x(x + y, 0.4)
    source_y += long_y(x, 1.0) + short_y(x - y, 0.4)
    bent: npt.NDArray[np.float32] = ndimage.map_coordinates(
        grey, [source_y + baseline, source_x + anchor], order=1, mode="constant", cval=0.0
    )
    return bent


def _wave(amplitude: float, size: int, rng: np.random.Generator) -> _Wave:
    """A sine wave of ``amplitude`` about as long as a letter of ``size`` is large."""
    phase = float(rng.uniform(0, 2 * np.pi))
    number = 2 * np.pi / (size * float(rng.uniform(0.7, 1.3)))

    def wave(along: npt.NDArray[np.float32], length: float) -> npt.NDArray[np.float32]:
        result: npt.NDArray[np.float32] = amplitude * np.sin(number / length * along + phase)
        return result

    return wave
