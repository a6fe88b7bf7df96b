"""Brightness, contrast and gamma of what is shown; the scan itself keeps its pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import pi, tan

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage

__all__ = ["PLAIN", "Tone"]

_STEEPEST = 0.98
"""The share of the way to an endless slope at which the contrast stops: nearly a threshold."""


@dataclass(frozen=True, slots=True)
class Tone:
    """How grey values are shown.

    Attributes:
        brightness: -100 (black) to 100 (white), added.
        contrast: -100 (all the same grey) to 100 (nearly black and white), around the middle.
        gamma: in percent; more than 100 lightens the middle, as photographers count.
    """

    brightness: int = 0
    contrast: int = 0
    gamma: int = 100

    @property
    def plain(self) -> bool:
        """Whether everything is shown as it is."""
        return self == PLAIN

    def table(self) -> npt.NDArray[np.uint8]:
        """What becomes of each of the 256 values: (256,) uint8, never falling."""
        slope = tan((1 + self.contrast / 100 * _STEEPEST) * pi / 4)
        values = np.arange(256) / 255
        values = (values - 0.5) * slope + 0.5 + self.brightness / 100
        values = np.clip(values, 0, 1) ** (100 / self.gamma)
        return np.rint(values * 255).astype(np.uint8)

    def apply(self, image: QImage, *, grey: bool) -> None:
        """Change the pixels of an RGB32 image in place.

        Args:
            image: RGB32; nothing else may paint on it.
            grey: that red, green and blue are the same in every pixel, which is faster.
        """
        # The image is held by the caller: an array does not keep it alive.
        bytes_ = np.frombuffer(image.bits(), dtype=np.uint8)
        if grey:
            pixels = bytes_.view(np.uint32)
            np.take(_shades(self), pixels & np.uint32(0xFF), out=pixels)
            return
        table = self.table()
        alpha = bytes_[3::4].copy()
        np.take(table, bytes_, out=bytes_)
        bytes_[3::4] = alpha


PLAIN = Tone()
"""As it is."""


@lru_cache(maxsize=4)
def _shades(tone: Tone) -> npt.NDArray[np.uint32]:
    """The RGB32 pixel of each grey value."""
    return tone.table().astype(np.uint32) * np.uint32(0x00010101) | np.uint32(0xFF000000)
