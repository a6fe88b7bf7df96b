"""What a page's file holds, as values to print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.formats.madcat import base_of
from madcat_studio.images.reading import ImageFinder
from madcat_studio.model.document import Document
from madcat_studio.model.links import Links, WordIndex, link
from madcat_studio.model.names import label, page_name
from madcat_studio.model.problem import Problem
from madcat_studio.operations.pages.convert import open_document

__all__ = ["LineRow", "PageContent", "SegmentRow", "show_page"]


@dataclass(frozen=True, slots=True)
class LineRow:
    """One line of a page: its words' texts in reading order, as the tokens give them."""

    page: str
    line: str
    points: int
    words: int
    text: str


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """One segment, and the lines that it touches."""

    name: str
    lines: tuple[str, ...]
    tokens: int
    transcription: str | None
    translation: str | None


@dataclass(frozen=True, slots=True)
class PageContent:
    """What one file holds.

    Attributes:
        image: where its image is, None if it is not to be found or none is named.
        problems: what reading noticed; ``madcat-studio check`` finds more.
    """

    path: Path
    base: str
    document: Document
    encoding: str
    image: Path | None
    lines: tuple[LineRow, ...]
    segments: tuple[SegmentRow, ...]
    problems: tuple[Problem, ...]


def show_page(path: Path) -> PageContent:
    """Read a file in any format of pages and lay its content out.

    Raises:
        InputError, FormatError, WorldError: it cannot be read.
    """
    opened = open_document(path)
    document = opened.document
    image = ImageFinder().find(document.src, path) if document.src else None
    links = link(document)
    return PageContent(
        path,
        base_of(path),
        document,
        opened.source.encoding,
        image,
        tuple(_lines(document, links)),
        tuple(_segments(document, links)),
        opened.problems,
    )


def _lines(document: Document, links: Links) -> Iterator[LineRow]:
    def said(word: WordIndex) -> str:
        """What the tokens of a word say, a box for a word that none refers to."""
        texts = [
            document.sections[s].segments[g].tokens[t].source or "▯"
            for s, g, t in links.tokens_of.get(word, ())
        ]
        return " ".join(texts) or "▯"

    for p, page in enumerate(document.pages):
        for n, line in enumerate(page.lines):
            yield LineRow(
                page_name(document, p),
                label("line", line.id, n),
                len(line.polygon),
                len(line.words),
                " ".join(said((p, n, k)) for k in range(len(line.words))),
            )


def _segments(document: Document, links: Links) -> Iterator[SegmentRow]:
    for s, section in enumerate(document.sections):
        for g, segment in enumerate(section.segments):
            yield SegmentRow(
                label("segment", segment.id, g),
                tuple(
                    document.pages[p].lines[n].id or f"#{n + 1}"
                    for p, n in links.lines_of.get((s, g), ())
                ),
                len(segment.tokens),
                segment.transcription,
                segment.translation,
            )
