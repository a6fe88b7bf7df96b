"""Outlines against the ink of words: pages with truth, and how much of a word's ink each holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

__all__ = ["RIGHT", "TruePage", "shares"]

RIGHT = 0.9
"""An outline is right that shares this much of its ink, and of the word's, with the word."""

Outline = Sequence[tuple[int, int]]
Mask = npt.NDArray[np.bool_]


@dataclass
class TruePage:
    """A page whose words are known.

    Attributes:
        texts: the words of the transcript.
        scan: the image's file.
        ink: (height, width) where there is ink.
        labels: (height, width) the word that each point is of, by its number from 1; None where
            the truth is outlines.
        outlines: those; a word's ink is what lies in its outline.
    """

    texts: list[str]
    scan: Path
    ink: Mask
    labels: npt.NDArray[np.int32] | None = None
    outlines: list[Outline] | None = None

    @cached_property
    def totals(self) -> npt.NDArray[np.intp]:
        """How much ink each label has in all."""
        assert self.labels is not None
        return np.bincount(self.labels.ravel())

    @classmethod
    def handed(cls, scan: Path) -> TruePage:
        """From a scan with NAME.json beside it: ``truth``, a list of ``word`` and ``poly``."""
        said = json.loads(scan.with_suffix(".json").read_text("utf-8"))["truth"]
        with Image.open(scan) as image:
            grey = np.asarray(image.convert("L"))
        outlines = [[(int(x), int(y)) for x, y in word["poly"]] for word in said]
        inside = Image.new("1", (grey.shape[1], grey.shape[0]), 0)
        draw = ImageDraw.Draw(inside)
        for outline in outlines:
            draw.polygon(outline, fill=1)
        # The darkest of what is in the outlines is ink; stains and rules are lighter.
        darkest = int(np.quantile(grey[np.asarray(inside)], 0.02))
        ink = grey < min(darkest + 60, 140)
        return cls([word["word"] for word in said], scan, ink, outlines=outlines)


def shares(page: TruePage, proposed: Sequence[Outline]) -> list[float]:
    """For each word the ink in both its own and its proposed outline, by that in either."""
    found = []
    for number, outline in enumerate(proposed):
        if len(outline) < 3:
            found.append(0.0)
            continue
        true = page.outlines[number] if page.outlines is not None else ()
        place, masks = _drawn(page.ink.shape, [outline, true])
        if masks is None:
            found.append(0.0)
            continue
        ink = page.ink[place]
        own = ink & masks[1] if page.labels is None else page.labels[place] == number + 1
        held = ink & masks[0]
        whole = int((own | held).sum())
        if page.labels is not None:
            # What of the word lies outside the cut-out that the outline was drawn in.
            total = int(page.totals[number + 1]) if number + 1 < len(page.totals) else 0
            whole += total - int(own.sum())
        found.append(int((own & held).sum()) / max(whole, 1))
    return found


def _drawn(
    shape: tuple[int, ...], outlines: Sequence[Outline]
) -> tuple[tuple[slice, slice], list[Mask] | None]:
    xs = [x for outline in outlines for x, _ in outline]
    ys = [y for outline in outlines for _, y in outline]
    left, top = max(min(xs), 0), max(min(ys), 0)
    right, bottom = min(max(xs) + 1, shape[1]), min(max(ys) + 1, shape[0])
    place = (slice(top, bottom), slice(left, right))
    if right <= left or bottom <= top:
        return place, None
    masks = []
    for outline in outlines:
        canvas = Image.new("1", (right - left, bottom - top), 0)
        if len(outline) >= 3:
            moved = [(x - left, y - top) for x, y in outline]
            ImageDraw.Draw(canvas).polygon(moved, fill=1)
        masks.append(np.asarray(canvas))
    return place, masks
