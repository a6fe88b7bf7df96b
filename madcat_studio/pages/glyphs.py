"""What words look like, column by column, drawn with a face that comes with the program.

Hands differ from a face, but the order of what rises above the line, hangs below it and carries
dots is the same in both. HarfBuzz joins the letters, so that each column is known to be of which
form of which letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from madcat_studio.paths import resources

__all__ = ["DrawnWord", "draw_words"]

Floats = npt.NDArray[np.float64]
_EM = 64
_ABOVE, _BELOW = 90, 60
"""Rows above and below the base line that a word may have, in sixty-fourths of the face's size."""


class DrawnWord(NamedTuple):
    """A word as it is drawn.

    Attributes:
        ink: (rows, columns) how much ink there is; the base line is the same row in all words.
        letters: form, first column and width of each letter, as they are read.
    """

    ink: Floats
    letters: list[tuple[int, float, float]]


class _Pen:
    """Collects outlines as corners; curves are cut into straight pieces."""

    def __init__(self) -> None:
        self.rings: list[list[tuple[float, float]]] = []

    def moveTo(self, point: tuple[float, float]) -> None:  # noqa: N802 (the protocol's names)
        self.rings.append([point])

    def lineTo(self, point: tuple[float, float]) -> None:  # noqa: N802
        self.rings[-1].append(point)

    def qCurveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802
        start = self.rings[-1][-1]
        middle, end = points[0], points[-1]
        for t in (0.25, 0.5, 0.75, 1.0):
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
            self.rings[-1].append(
                (
                    a * start[0] + b * middle[0] + c * end[0],
                    a * start[1] + b * middle[1] + c * end[1],
                )
            )

    def curveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802
        start = self.rings[-1][-1]
        one, two, end = points
        for t in (0.25, 0.5, 0.75, 1.0):
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            self.rings[-1].append(
                (
                    a * start[0] + b * one[0] + c * two[0] + d * end[0],
                    a * start[1] + b * one[1] + c * two[1] + d * end[1],
                )
            )

    def closePath(self) -> None:  # noqa: N802
        pass

    def endPath(self) -> None:  # noqa: N802
        pass


class _Face:
    """A face, and the outlines of its forms."""

    def __init__(self, path: Path) -> None:
        import uharfbuzz

        self._hb = uharfbuzz
        self._font = uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path))))
        self._scale = _EM / self._font.face.upem
        self._rings: dict[int, list[list[tuple[float, float]]]] = {}

    def draw(self, text: str, *, right_to_left: bool) -> DrawnWord | None:
        """Draw a word; None where the face lacks a letter of it."""
        buffer = self._hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        self._hb.shape(self._font, buffer)
        forms, places = buffer.glyph_infos, buffer.glyph_positions
        if not forms or any(form.codepoint == 0 for form in forms):
            return None
        width = max(1, round(sum(place.x_advance for place in places) * self._scale))
        canvas = Image.new("L", (width, _ABOVE + _BELOW), 0)
        draw = ImageDraw.Draw(canvas)
        at = 0.0
        letters = []
        for form, place in zip(forms, places, strict=True):
            left = at + place.x_offset * self._scale
            down = _ABOVE - place.y_offset * self._scale
            rings = self._outline(form.codepoint)
            for ring in sorted(rings, key=lambda r: -abs(_area(r))):
                fill = (
                    255 if _area(ring) * _area(max(rings, key=lambda r: abs(_area(r)))) > 0 else 0
                )
                draw.polygon([(left + x, down - y) for x, y in ring], fill=fill)
            advance = place.x_advance * self._scale
            if advance > 0.5:
                letters.append((form.codepoint, at, advance))
            at += advance
        ink = np.asarray(canvas, dtype=np.float64) / 255
        if right_to_left:
            ink = ink[:, ::-1]
            letters = [(form, width - left - wide, wide) for form, left, wide in letters[::-1]]
        return DrawnWord(ink, letters)

    def _outline(self, form: int) -> list[list[tuple[float, float]]]:
        if form not in self._rings:
            pen = _Pen()
            self._font.draw_glyph_with_pen(form, pen)
            self._rings[form] = [
                [(x * self._scale, y * self._scale) for x, y in ring]
                for ring in pen.rings
                if len(ring) >= 3
            ]
        return self._rings[form]


def _area(ring: Sequence[tuple[float, float]]) -> float:
    xs = np.array([x for x, _ in ring])
    ys = np.array([y for _, y in ring])
    return float((xs * np.roll(ys, -1) - ys * np.roll(xs, -1)).sum())


@cache
def _faces() -> tuple[_Face, ...]:
    import matplotlib  # for Latin letters: the faces that come with it

    latin = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    return (_Face(resources() / "fonts" / "NotoNaskhArabic-Regular.ttf"), _Face(latin))


def draw_words(texts: Sequence[str], *, right_to_left: bool) -> list[DrawnWord] | None:
    """Draw words, columns in the order of reading; None where one cannot be drawn."""
    drawn: dict[str, DrawnWord] = {}
    for number, face in enumerate(_faces()):
        for text in set(texts) - drawn.keys():
            word = face.draw(text, right_to_left=right_to_left)
            if word is not None and word.letters:
                named = [(form + 100_000 * number, left, wide) for form, left, wide in word.letters]
                drawn[text] = DrawnWord(word.ink, named)
    if any(text not in drawn for text in texts):
        return None
    return [drawn[text] for text in texts]
