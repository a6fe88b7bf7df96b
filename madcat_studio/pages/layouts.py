"""Documents as layouts and layouts as documents; what one of them cannot hold is listed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from madcat_studio.model.document import (
    Document,
    Line,
    Page,
    Polygon,
    Section,
    Segment,
    Token,
    Word,
)
from madcat_studio.model.geometry import bounding_box
from madcat_studio.model.layout import (
    TEXT_REGION,
    Layout,
    LayoutLine,
    LayoutPage,
    LayoutRegion,
    LayoutWord,
)
from madcat_studio.model.links import WordIndex, link
from madcat_studio.model.problem import Problem, Severity, Where

__all__ = ["document_of", "layout_of"]


@dataclass(slots=True)
class _Lost:
    """Counts what has no place, each kind once in the list."""

    file: str
    target: str
    counts: Counter[str] = field(default_factory=Counter)

    def problems(self) -> list[Problem]:
        return [
            Problem(
                "convert-lost",
                Severity.NOTE,
                Where(self.file),
                f"{self.target} has no room for {what} ({times} time{'s' * (times != 1)})",
            )
            for what, times in self.counts.items()
        ]


def layout_of(document: Document, file: str) -> tuple[Layout, list[Problem]]:
    """The image layer of a document with the words' texts.

    A word's text is what its tokens say; a line's text, that of its words. Each page gives one
    region around its lines.
    """
    links = link(document)
    lost = _Lost(file, "a layout")

    def said(index: WordIndex) -> str | None:
        texts = [
            document.sections[s].segments[g].tokens[t].source or ""
            for s, g, t in links.tokens_of.get(index, ())
        ]
        return " ".join(text for text in texts if text) or None

    pages = []
    for p, page in enumerate(document.pages):
        lines = []
        for n, line in enumerate(page.lines):
            words = [
                LayoutWord(word.id, word.polygon, said((p, n, k)))
                for k, word in enumerate(line.words)
            ]
            text = " ".join(word.text for word in words if word.text) or None
            lines.append(LayoutLine(line.id, line.polygon, (), text, words))
            lost.counts["the type of a line"] += line.type not in (None, "line")
        boxes = [box for line in page.lines if (box := bounding_box(line.polygon)) is not None]
        around: Polygon = ()
        if boxes:
            left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
            right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
            around = ((left, top), (right, top), (right, bottom), (left, bottom))
        pages.append(
            LayoutPage(
                page.id,
                document.src,
                page.width,
                page.height,
                page.dpi,
                [LayoutRegion("text", TEXT_REGION, around, None, lines)],
            )
        )
        lost.counts["the colour depth"] += page.colordepth is not None
    lost.counts["the genre"] += document.genre is not None
    lost.counts["the scribe"] += document.scribe is not None
    for s, section in enumerate(document.sections):
        for g, segment in enumerate(section.segments):
            lost.counts["segments"] += 1
            lost.counts["a translation"] += bool(segment.translation)
            lost.counts["a transcription beside the words' texts"] += bool(segment.transcription)
            for t, token in enumerate(segment.tokens):
                lost.counts["a token without a word"] += (s, g, t) not in links.word_of
                lost.counts["the status of a token"] += bool(token.status)
    lost.counts = +lost.counts
    return Layout(pages), lost.problems()


def document_of(layout: Layout, base: str, file: str) -> tuple[Document, list[Problem]]:
    """A document with a layout's lines and words; each line with text is a segment of its own.

    A line's tokens are linked to its words; the transcription is the line's text. Objects without
    an id get one; ids that are there stay.
    """
    lost = _Lost(file, "MADCAT XML")
    image = next((page.image for page in layout.pages if page.image), None)
    lost.counts["the image of a later page"] = sum(
        page.image not in (None, image) for page in layout.pages
    )
    document = Document(base, image, nbpages=len(layout.pages), version="2008.1")
    section = Section("sec0001", "tokenization")
    for p, page in enumerate(layout.pages):
        made = Page(page.id or f"p{p + 1}", page.width, page.height, page.dpi)
        fresh = _Ids(page)
        for region in page.regions:
            _count_region(region, lost)
            for line in region.lines:
                words = [Word(word.id or fresh.word(), word.polygon) for word in line.words]
                made.lines.append(Line(line.id or fresh.line(), "line", line.polygon, words))
                lost.counts["a baseline"] += bool(line.baseline)
                segment = _segment(line, made.lines[-1], f"s{len(section.segments) + 1}")
                if segment is not None:
                    section.segments.append(segment)
        document.pages.append(made)
    if section.segments:
        document.sections.append(section)
    lost.counts = +lost.counts
    return document, lost.problems()


def _count_region(region: LayoutRegion, lost: _Lost) -> None:
    if region.kind != TEXT_REGION:
        lost.counts[f"regions of kind {region.kind}"] += 1
    elif region.polygon:
        lost.counts["the outline of a region"] += 1
    lost.counts["text of a region without lines"] += bool(region.text)


def _segment(line: LayoutLine, made: Line, identifier: str) -> Segment | None:
    tokens = [
        Token(f"{identifier}-{k + 1}", made.words[k].id, "", word.text)
        for k, word in enumerate(line.words)
        if word.text
    ]
    if line.text is None and not tokens:
        return None
    text = line.text if line.text is not None else " ".join(t.source or "" for t in tokens)
    return Segment(identifier, [made.id or ""], tokens, text)


class _Ids:
    """Ids for what has none: like those of MADCAT, and none that the page has already."""

    def __init__(self, page: LayoutPage) -> None:
        lines = [line for region in page.regions for line in region.lines]
        self._taken = {line.id for line in lines} | {w.id for line in lines for w in line.words}
        self._next = {"z": 0, "t": 0}

    def _fresh(self, letter: str) -> str:
        while f"{letter}{self._next[letter]}" in self._taken:
            self._next[letter] += 1
        made = f"{letter}{self._next[letter]}"
        self._taken.add(made)
        return made

    def line(self) -> str:
        return self._fresh("z")

    def word(self) -> str:
        return self._fresh("t")
