"""The scribes' hands: a face each, and how unevenly the scribe writes with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import WorldError

__all__ = ["HANDS", "Hand"]

_FACES = Path("/usr/share/fonts")


@dataclass(frozen=True, slots=True)
class Hand:
    """How one scribe writes. Lengths in pixels at 600 dpi, angles in radians.

    Attributes:
        face: the font file below /usr/share/fonts (Debian's fonts-hosny-amiri, fonts-noto-core).
        size: the face's size.
        shear: how far the letters lean (x per y; positive leans to the right).
        jitter: standard deviation of a word's size, as a share.
        tilt: standard deviation of a word's own angle.
        slope: the lines' mean angle; they rise to the left where it is positive.
        slope_spread: standard deviation of a line's angle.
        wave: amplitude of a line's waves.
        sag: how deep a line hangs in its middle.
        tremble: amplitude of the unsteadiness of strokes.
        weight: threshold that makes strokes thick (low) or thin (high), 0 to 255.
        gap: mean blank between words, as a share of the size.
        clearance: least blank between two lines' words.
        pitch: least distance of two lines.
    """

    face: str
    size: int
    shear: float
    jitter: float
    tilt: float
    slope: float
    slope_spread: float
    wave: float
    sag: float
    tremble: float
    weight: int
    gap: float
    clearance: int
    pitch: int

    def face_path(self) -> Path:
        """Where the face is; raises WorldError where its package is not installed."""
        path = _FACES / self.face
        if not path.is_file():
            raise WorldError(
                "demo.no-face",
                "the face is not installed",
                where=path,
                remedy="Install Debian's fonts-hosny-amiri and fonts-noto-core",
            )
        return path


HANDS: dict[str, Hand] = {
    "SCR0001": Hand(
        face="truetype/noto/NotoNaskhArabic-Regular.ttf",
        size=196,
        shear=0.10,
        jitter=0.045,
        tilt=0.012,
        slope=0.016,
        slope_spread=0.006,
        wave=9,
        sag=14,
        tremble=2.2,
        weight=120,
        gap=0.34,
        clearance=44,
        pitch=385,
    ),
    "SCR0002": Hand(
        face="opentype/fonts-hosny-amiri/Amiri-Regular.ttf",
        size=222,
        shear=-0.12,
        jitter=0.07,
        tilt=0.022,
        slope=-0.032,
        slope_spread=0.008,
        wave=12,
        sag=-30,
        tremble=3.2,
        weight=96,
        gap=0.30,
        clearance=40,
        pitch=370,
    ),
    "SCR0003": Hand(
        face="truetype/noto/NotoNastaliqUrdu-Regular.ttf",
        size=178,
        shear=0.04,
        jitter=0.05,
        tilt=0.015,
        slope=0.05,
        slope_spread=0.007,
        wave=9,
        sag=38,
        tremble=2.6,
        weight=110,
        gap=0.36,
        clearance=38,
        pitch=430,
    ),
    "SCR0004": Hand(
        face="opentype/fonts-hosny-amiri/Amiri-Slanted.ttf",
        size=204,
        shear=0.22,
        jitter=0.08,
        tilt=0.03,
        slope=0.006,
        slope_spread=0.016,
        wave=20,
        sag=46,
        tremble=4.2,
        weight=132,
        gap=0.38,
        clearance=42,
        pitch=380,
    ),
}
"""The scribes by name."""
