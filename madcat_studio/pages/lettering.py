"""What setting a page's translations asks for and gives: values, whoever lays the text out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from madcat_studio.pages.passages import Passage

__all__ = ["Fit", "Fitted", "SetText", "Style"]

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Style:
    """How translations are set.

    Attributes:
        family: of the font; empty for one that suits the text.
        right_to_left: the direction; None for that of each text.
        least: pixels of the smallest font; what does not fit then is cut, and told.
        colour: of the text, as red, green and blue.
    """

    family: str = ""
    right_to_left: bool | None = None
    least: int = 12
    colour: tuple[int, int, int] = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class SetText:
    """How one text was set.

    Attributes:
        id: of its passage.
        size: of its font, in pixels.
        rows: the text as it stands, row by row.
        left: what did not fit.
    """

    id: str
    size: int
    rows: tuple[str, ...]
    left: str = ""


class Fitted(Protocol):
    """The texts of a page, laid out."""

    @property
    def texts(self) -> Sequence[SetText]:
        """How each was set."""

    @property
    def families(self) -> Sequence[str]:
        """The fonts that were asked for."""

    @property
    def missing(self) -> Sequence[str]:
        """Characters that no font has a glyph for; a box stands in their place."""

    def paint(self, pixels: Pixels) -> None:
        """Paint the texts on a page of that many pixels."""

    def pdf(self, pixels: Pixels, dpi: float) -> bytes:
        """The page with the texts, which stay texts, as a PDF."""


class Fit(Protocol):
    """Lays the texts of a page out."""

    def __call__(self, passages: Sequence[Passage], style: Style) -> Fitted:
        """Lay them out.

        Raises:
            UsageError: ``render.no-font``: there is no font of that name.
        """
