"""A MADCAT document in memory: pages with lines and words, segments with tokens.

All coordinates are stored pixels of the page image, origin at the top left, y down; nothing
ever rotates or scales them. Identifiers are the file's own: they may be missing (None),
doubled or dangling, and are never renumbered.

The objects are mutable and have no behaviour of their own: ``edits`` changes them, ``formats``
reads and writes them, ``checks`` judges them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = [
    "Document",
    "Line",
    "Page",
    "Point",
    "Polygon",
    "Region",
    "Section",
    "Segment",
    "Token",
    "TokenError",
    "Word",
]

Point = tuple[float, float]
"""x, y in pixels; an int where the file has an integer."""

Polygon = tuple[Point, ...]
"""Points in the file's order, not closed. May be empty or have fewer than three points."""


@dataclass(slots=True)
class Word:
    """One written word on the page (``token-image``); ``traits`` as of a line."""

    id: str | None
    polygon: Polygon = ()
    origin: int | None = None
    traits: str | None = None


@dataclass(slots=True)
class Line:
    """One written line on the page (``zone``), its words in reading order.

    A ``locked`` line is finished: edits of its outlines are refused. The lock is no part of the
    file, so it does not count when lines are compared. ``baseline`` is where its letters stand,
    ``region`` the id of the region that it lies in, ``custom`` what PAGE XML says of it besides
    (styles, entities), ``traits`` what a neighbour's format says in attributes (languages, styles;
    see :mod:`model.traits`); MADCAT itself has none of them.
    """

    id: str | None
    type: str | None = "line"
    polygon: Polygon = ()
    words: list[Word] = field(default_factory=list)
    origin: int | None = None
    locked: bool = field(default=False, compare=False)
    baseline: Polygon = ()
    region: str | None = None
    custom: str | None = None
    traits: str | None = None


@dataclass(slots=True)
class Region:
    """A part of a page as other formats have them: a column, a table and its cells, a margin note.

    Attributes:
        kind: as PAGE XML names it: ``TextRegion``, ``TableRegion``.
        type: what it is for, free text: ``heading``, ``marginalia``.
        text: its own, None where it says no more than its lines.
        parent: the id of the region that it lies in.
        custom: what PAGE XML says of it besides.
        traits: what a neighbour's format says of it in attributes; the place of a cell.
    """

    id: str
    kind: str
    type: str | None = None
    polygon: Polygon = ()
    text: str | None = None
    parent: str | None = None
    origin: int | None = None
    custom: str | None = None
    traits: str | None = None


@dataclass(slots=True)
class Page:
    """One page: the unit of evaluation. ``width`` and ``height`` in pixels, ``dpi`` per inch.

    ``regions`` stand in reading order, each after the one that it lies in; MADCAT has none, and no
    ``traits`` (as of a line).
    """

    id: str | None
    width: int | None = None
    height: int | None = None
    dpi: int | None = None
    colordepth: int | None = None
    lines: list[Line] = field(default_factory=list)
    origin: int | None = None
    regions: list[Region] = field(default_factory=list)
    traits: str | None = None

    def words(self) -> Iterator[Word]:
        """All words of the page, line by line."""
        for line in self.lines:
            yield from line.words


@dataclass(slots=True)
class Token:
    """One written unit of a segment's text, linked to a word by ``ref_id``.

    ``source`` is the raw text, None where the element is missing.
    """

    id: str | None
    ref_id: str | None = None
    status: str | None = None
    source: str | None = None
    origin: int | None = None


@dataclass(frozen=True, slots=True)
class TokenError:
    """What a scribe did wrong at a token, as the stand-off file says it; ``error`` is free text."""

    error: str
    written: str = ""
    intended: str = ""


@dataclass(slots=True)
class Segment:
    """A stretch of text with its transcription and translation; may span lines and pages.

    A text is None where its element is missing, "" where it is empty.
    """

    id: str | None
    zone_refs: list[str] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    transcription: str | None = None
    translation: str | None = None
    origin: int | None = None


@dataclass(slots=True)
class Section:
    """A group of segments in the content layer."""

    id: str | None
    type: str | None = None
    segments: list[Segment] = field(default_factory=list)
    origin: int | None = None


@dataclass(slots=True)
class Document:
    """One MADCAT file.

    Attributes:
        id: ``doc/@id``, names page and scribe (not the source document).
        src: the image's file name (``doc/@src``).
        genre: ``doc/@type``, free text.
        nbpages: the number of pages that the file claims.
        scribe: ``writer/@id``.
        version: ``madcat/@version``.
        scribe_errors: by the ids of segment and token; they lie in the stand-off file, never in
            the document's own, and are here so that editing them is editing the document.
    """

    id: str | None
    src: str | None = None
    genre: str | None = None
    nbpages: int | None = None
    scribe: str | None = None
    version: str | None = None
    pages: list[Page] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    origin: int | None = None
    scribe_errors: dict[tuple[str, str], TokenError] = field(default_factory=dict)

    def segments(self) -> Iterator[Segment]:
        """All segments in document order."""
        for section in self.sections:
            yield from section.segments
