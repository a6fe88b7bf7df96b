"""Pages of drawn handwriting, where Pillow can shape Arabic: tests that want one skip elsewhere."""

from __future__ import annotations

import pytest
from PIL import features

from benchmarks import made_hands

__all__ = ["make"]


def make(
    name: str, seed: int = 0, *, hand: str | None = None, dpi: int = 300, lines: int | None = None
) -> made_hands.MadePage:
    """As :func:`benchmarks.made_hands.make`."""
    if not (features.check("raqm") and features.check("fribidi")):
        pytest.skip("Pillow cannot shape Arabic here: apt-get install libfribidi0")
    return made_hands.make(name, seed, hand=hand, dpi=dpi, lines=lines)
