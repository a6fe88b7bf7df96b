"""A page's layout as neighbouring formats see it: regions, lines with baselines, words with text.

What MADCAT, PAGE XML, ALTO, hOCR and GEDI have in common passes through these values. Coordinates
are stored pixels of the image. Lists stand in reading order. ``origin`` is the ordinal of the
element that something was read from, ``traits`` what its format says of it in attributes that have
no word here (see :mod:`model.traits`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from madcat_studio.model.document import Polygon

__all__ = ["TEXT_REGION", "Layout", "LayoutLine", "LayoutPage", "LayoutRegion", "LayoutWord"]

TEXT_REGION = "TextRegion"
"""The kind of region that holds lines; others are named as PAGE XML names them."""


@dataclass(slots=True)
class LayoutWord:
    """One word."""

    id: str | None
    polygon: Polygon = ()
    text: str | None = None
    origin: int | None = field(default=None, compare=False)
    traits: str | None = None


@dataclass(slots=True)
class LayoutLine:
    """One line. ``text`` is the line's own; words may say something else.

    ``custom`` is what PAGE XML says of it besides: styles, entities.
    """

    id: str | None
    polygon: Polygon = ()
    baseline: Polygon = ()
    text: str | None = None
    words: list[LayoutWord] = field(default_factory=list)
    origin: int | None = field(default=None, compare=False)
    custom: str | None = None
    traits: str | None = None


@dataclass(slots=True)
class LayoutRegion:
    """A block of lines, or something else on the page.

    Attributes:
        text: its own, None where it says no more than its lines.
        type: what it is for, in the words of the file: ``heading``, ``marginalia``.
        parent: the region that it lies in, such as the table of a cell.
        custom: what PAGE XML says of it besides.
    """

    id: str | None
    kind: str = TEXT_REGION
    polygon: Polygon = ()
    text: str | None = None
    lines: list[LayoutLine] = field(default_factory=list)
    type: str | None = None
    parent: LayoutRegion | None = field(default=None, compare=False, repr=False)
    origin: int | None = field(default=None, compare=False)
    custom: str | None = None
    traits: str | None = None


@dataclass(slots=True)
class LayoutPage:
    """One page; ``ordered`` tells whether the file itself gave a reading order."""

    id: str | None
    image: str | None = None
    width: int | None = None
    height: int | None = None
    dpi: int | None = None
    regions: list[LayoutRegion] = field(default_factory=list)
    ordered: bool = True
    origin: int | None = field(default=None, compare=False)
    traits: str | None = None


@dataclass(slots=True)
class Layout:
    """All pages of one file."""

    pages: list[LayoutPage] = field(default_factory=list)
