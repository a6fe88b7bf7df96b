"""Documents as layouts and layouts as documents; what one of them cannot hold is listed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from madcat_studio.model.document import (
    Document,
    Line,
    Page,
    Polygon,
    Region,
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
from madcat_studio.model.links import LineIndex, Links, SegmentIndex, WordIndex, link
from madcat_studio.model.problem import Problem, Severity, Where

__all__ = ["document_of", "layout_of", "line_texts", "word_texts"]


@dataclass(slots=True)
class _Lost:
    """Counts what has no place, each kind once in the list."""

    file: str
    target: str
    counts: Counter[str] = field(default_factory=Counter)
    aside: Counter[str] = field(default_factory=Counter)

    def problems(self) -> list[Problem]:
        return [
            Problem(
                code,
                Severity.NOTE,
                Where(self.file),
                f"{self.target} cannot hold {what} ({times} time{'s' * (times != 1)})",
            )
            for code, counts in (("convert-lost", self.counts), ("convert-aside", self.aside))
            for what, times in (+counts).items()
        ]


def layout_of(document: Document, file: str) -> tuple[Layout, list[Problem]]:
    """The image layer of a document with the texts of words and lines.

    A word's text is what its tokens say. A line's text is that of the segments that name it and no
    other line, else that of its words. Segments of several lines, none of which says anything, are
    the text of the region around them. A page without regions gives one around its lines.
    """
    links = link(document)
    lost = _Lost(file, "a layout")
    said = word_texts(document, links)
    own = line_texts(document, links)
    pages = []
    homes: dict[LineIndex, LayoutRegion] = {}
    for p, page in enumerate(document.pages):
        regions = _regions(page)
        for n, line in enumerate(page.lines):
            words = [
                LayoutWord(word.id, word.polygon, said.get((p, n, k)), word.origin, word.traits)
                for k, word in enumerate(line.words)
            ]
            text = own.get((p, n))
            if text is None:
                text = " ".join(word.text for word in words if word.text) or None
            made = LayoutLine(
                line.id,
                line.polygon,
                line.baseline,
                text,
                words,
                line.origin,
                line.custom,
                line.traits,
            )
            regions[n].lines.append(made)
            homes[p, n] = regions[n]
            lost.counts["the type of a line"] += line.type not in (None, "line")
        made_page = LayoutPage(
            page.id,
            document.src,
            page.width,
            page.height,
            page.dpi,
            regions.every(),
            traits=page.traits,
        )
        pages.append(made_page)
        lost.aside["the colour depth"] += page.colordepth is not None
        told = [line.id for region in made_page.regions for line in region.lines]
        lost.counts["the order of lines of several regions"] += told != [x.id for x in page.lines]
    lost.counts["the genre"] += document.genre is not None
    lost.counts["the scribe"] += document.scribe is not None
    in_regions = _told_by_regions(document, links, homes)
    for s, section in enumerate(document.sections):
        for g, segment in enumerate(section.segments):
            lines = links.lines_of[s, g]
            lost.counts["a segment of several lines, or of none"] += len(lines) != 1
            lost.counts["a translation"] += bool(segment.translation)
            held = (len(lines) == 1 and lines[0] in own) or _is_said(segment, (s, g), links)
            held = held or (s, g) in in_regions
            lost.counts["a transcription beside the words' texts"] += bool(
                segment.transcription and not held
            )
            for t, token in enumerate(segment.tokens):
                lost.counts["a token without a word"] += (s, g, t) not in links.word_of
                lost.counts["the status of a token"] += bool(token.status)
    return Layout(pages), lost.problems()


def _told_by_regions(
    document: Document, links: Links, homes: dict[LineIndex, LayoutRegion]
) -> set[SegmentIndex]:
    """The segments of several lines that become the text of a region whose lines say nothing."""
    told: set[SegmentIndex] = set()
    texts: dict[int, list[str]] = {}
    silent = {
        id(region): region
        for region in homes.values()
        if region.text is None and not any(line.text for line in region.lines)
    }
    for s, section in enumerate(document.sections):
        for g, segment in enumerate(section.segments):
            around = {id(homes[line]) for line in links.lines_of[s, g]}
            if segment.transcription and len(around) == 1 and around <= silent.keys():
                texts.setdefault(around.pop(), []).append(segment.transcription)
                told.add((s, g))
    for name, said in texts.items():
        silent[name].text = "\n".join(said)
    return told


def _is_said(segment: Segment, place: SegmentIndex, links: Links) -> bool:
    """Whether the words of a segment say its transcription."""
    said = [token.source or "" for token in segment.tokens]
    linked = all((*place, t) in links.word_of for t in range(len(said)))
    return linked and " ".join(said).split() == (segment.transcription or "").split()


def word_texts(document: Document, links: Links) -> dict[WordIndex, str]:
    """What the tokens of each word say; words of which nothing is said are left out."""
    found: dict[WordIndex, str] = {}
    for word, tokens in links.tokens_of.items():
        texts = [document.sections[s].segments[g].tokens[t].source for s, g, t in tokens]
        if said := " ".join(text for text in texts if text):
            found[word] = said
    return found


def line_texts(document: Document, links: Links) -> dict[LineIndex, str]:
    """The texts of lines that segments of their own transcribe."""
    found: dict[LineIndex, str] = {}
    for line, segments in links.segments_of.items():
        if all(links.lines_of[segment] == [line] for segment in segments):
            texts = [document.sections[s].segments[g].transcription for s, g in segments]
            if all(text is not None for text in texts):
                found[line] = " ".join(text for text in texts if text)
    return found


class _Regions:
    """The regions of a page as values of a layout, and which of them each line lies in."""

    def __init__(self, regions: list[LayoutRegion], of_line: list[LayoutRegion]) -> None:
        self._regions = regions
        self._of_line = of_line

    def __getitem__(self, line: int) -> LayoutRegion:
        return self._of_line[line]

    def every(self) -> list[LayoutRegion]:
        """All of them; a line outside every region brought one."""
        rest = {id(region): region for region in self._of_line}
        return list({**{id(region): region for region in self._regions}, **rest}.values())


def _regions(page: Page) -> _Regions:
    known: dict[str, LayoutRegion] = {}
    for region in page.regions:
        known[region.id] = LayoutRegion(
            region.id,
            region.kind,
            region.polygon,
            region.text,
            type=region.type,
            parent=known.get(region.parent or ""),
            origin=region.origin,
            custom=region.custom,
            traits=region.traits,
        )
    boxes = [box for line in page.lines if (box := bounding_box(line.polygon)) is not None]
    around: Polygon = ()
    if boxes:
        left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
        right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
        around = ((left, top), (right, top), (right, bottom), (left, bottom))
    loose = LayoutRegion("text", TEXT_REGION, around)
    of_line: list[LayoutRegion] = []
    for line in page.lines:
        # A line that was drawn anew lies where the line before it does.
        before = of_line[-1] if of_line else loose
        of_line.append(known.get(line.region, before) if line.region is not None else before)
    return _Regions(list(known.values()), of_line)


def document_of(
    layout: Layout, base: str, file: str, *, every_line: bool = False
) -> tuple[Document, list[Problem]]:
    """A document with a layout's regions, lines and words; each line with text is a segment.

    A line's tokens are linked to its words; the transcription is the line's text. Objects without
    an id get one, and those whose id another has already; other ids stay. ``every_line``: lines
    without text are segments, too.
    """
    lost = _Lost(file, "MADCAT XML")
    image = next((page.image for page in layout.pages if page.image), None)
    lost.counts["the image of a later page"] = sum(
        page.image not in (None, image) for page in layout.pages
    )
    document = Document(base, image, nbpages=len(layout.pages), version="2008.1")
    section = Section("sec0001", "tokenization")
    ids = _Ids(layout, file)
    for page in layout.pages:
        made = Page(
                ids.page(page.id), page.width, page.height, page.dpi, origin=page.origin,
                traits=page.traits,
            )  # fmt: skip
        names: dict[int, str] = {}
        for region in page.regions:
            names[id(region)] = name = ids.region(region.id)
            parent = names.get(id(region.parent))
            made.regions.append(
                Region(
                    name, region.kind, region.type, region.polygon, region.text, parent,
                    region.origin, region.custom, region.traits,
                )
            )  # fmt: skip
            for line in region.lines:
                words = [
                    Word(ids.word(word.id), word.polygon, word.origin, word.traits)
                    for word in line.words
                ]
                made.lines.append(
                    Line(
                        ids.line(line.id), "line", line.polygon, words, line.origin,
                        baseline=line.baseline, region=name, custom=line.custom,
                        traits=line.traits,
                    )
                )  # fmt: skip
                segment = _segment(line, made.lines[-1], f"s{len(section.segments) + 1}")
                if segment.tokens or segment.transcription is not None or every_line:
                    section.segments.append(segment)
        document.pages.append(made)
    if section.segments:
        document.sections.append(section)
    return document, [*lost.problems(), *ids.problems]


def _segment(line: LayoutLine, made: Line, identifier: str) -> Segment:
    tokens = [
        Token(f"{identifier}-{k + 1}", made.words[k].id, "", word.text)
        for k, word in enumerate(line.words)
        if word.text
    ]
    text = line.text
    if text is None and tokens:
        text = " ".join(token.source or "" for token in tokens)
    return Segment(identifier, [made.id or ""], tokens, text)


class _Ids:
    """The ids of a document: those that things have, and new ones like those of MADCAT.

    No two lines have one id, nor two words, on whatever pages: what is said of them is found by it.
    """

    def __init__(self, layout: Layout, file: str) -> None:
        regions = [region for page in layout.pages for region in page.regions]
        lines = [line for region in regions for line in region.lines]
        self._taken = {line.id for line in lines} | {w.id for line in lines for w in line.words}
        self._taken |= {page.id for page in layout.pages} | {region.id for region in regions}
        self._given: dict[str, set[str]] = {letter: set() for letter in "ptzr"}
        self._next = dict.fromkeys("tzr", 0) | {"p": 1}
        self._file = file
        self.problems: list[Problem] = []

    def page(self, wanted: str | None) -> str:
        return self._id("p", wanted)

    def line(self, wanted: str | None) -> str:
        return self._id("z", wanted)

    def word(self, wanted: str | None) -> str:
        return self._id("t", wanted)

    def region(self, wanted: str | None) -> str:
        return self._id("r", wanted)

    def _id(self, letter: str, wanted: str | None) -> str:
        """The id that a thing has, or a new one where it has none or another one has it."""
        given = self._given[letter]
        if wanted and wanted not in given:
            given.add(wanted)
            return wanted
        while (made := f"{letter}{self._next[letter]}") in self._taken:
            self._next[letter] += 1
        self._taken.add(made)
        given.add(made)
        if wanted:
            what = f"the id “{wanted}” occurs twice in the file"
            where = Where(self._file)
            done = f"the second is “{made}”"
            self.problems.append(Problem("convert-id-changed", Severity.NOTE, where, what, done))
        return made
