"""Saving PAGE XML and ALTO in place: only what changed is written anew, every other byte stays.

As with MADCAT, the document as it is now is compared with a fresh reading of the file, object by
object through ``origin``. What the two formats differ in, their elements and attributes, is the
matter of :mod:`formats.page_patch` and :mod:`formats.alto_patch`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from madcat_studio.errors import InputError
from madcat_studio.formats.cannot_hold import cannot_hold
from madcat_studio.formats.layouts import FreshNames
from madcat_studio.formats.madcat_elements import New, Render
from madcat_studio.formats.patching import TextPatch
from madcat_studio.formats.region_patch import RegionPatch
from madcat_studio.model.conversion import line_texts, word_texts
from madcat_studio.model.document import Document, Line, Page, Polygon, Segment, Word
from madcat_studio.model.geometry import bounding_box, centre, contains_point, corners
from madcat_studio.model.layout import TEXT_REGION
from madcat_studio.model.links import LineIndex, Links, SegmentIndex, WordIndex, link

__all__ = ["LayoutPatch", "Said"]


class Said:
    """What the segments of a document say of its lines and words, as files by lines hold it.

    Attributes:
        words: the text of each word of which anything is said.
        lines: the text of each line, None for nothing. A line of which this cannot be told is
            left out: its text stays as it is.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._links = link(document)
        self.words = word_texts(document, self._links)
        self.lines: dict[LineIndex, str | None] = {}
        own = line_texts(document, self._links)
        for p, page in enumerate(document.pages):
            for n, line in enumerate(page.lines):
                text = own.get((p, n))
                segments = self._links.segments_of.get((p, n), [])
                if text is not None:
                    self.lines[p, n] = text or None
                elif all(self._is_marked(segment) for segment in segments):
                    self.lines[p, n] = self.spelt(line, (p, n)) or None
                elif not any(self._links.words_of[segment] for segment in segments):
                    self.lines[p, n] = self._of_several((p, n), segments)

    @property
    def links(self) -> Links:
        """The links of the document."""
        return self._links

    def spelt(self, line: Line, place: LineIndex) -> str:
        """What the words of a line say."""
        said = (self.words.get((*place, k)) for k in range(len(line.words)))
        return " ".join(text for text in said if text)

    def loose(self, place: LineIndex) -> int:
        """How many tokens of a line's segments say something, and have no word."""
        return sum(
            bool(token.source) and (s, g, t) not in self._links.word_of
            for s, g in self._links.segments_of.get(place, [])
            for t, token in enumerate(self._segment((s, g)).tokens)
        )

    def _segment(self, place: SegmentIndex) -> Segment:
        return self._document.sections[place[0]].segments[place[1]]

    def _is_marked(self, place: SegmentIndex) -> bool:
        """Whether the words on the page say all that a segment says."""
        segment = self._segment(place)
        tokens = [token.source or "" for token in segment.tokens]
        linked = all((*place, t) in self._links.word_of for t in range(len(tokens)))
        said = " ".join(tokens)
        transcription = said if segment.transcription is None else segment.transcription
        return linked and transcription.split() == said.split()

    def _of_several(self, line: LineIndex, segments: Sequence[SegmentIndex]) -> str | None:
        """The text of a line of segments that were never tokenised: it stays at their first."""
        texts = [
            self._segment(segment).transcription
            for segment in segments
            if self._links.lines_of[segment][0] == line
        ]
        return " ".join(text for text in texts if text) or None


Place = tuple[int, ...]
"""The indices of a line or a word."""


def _every(document: Document) -> Iterator[tuple[Line | Word, Place]]:
    for p, page in enumerate(document.pages):
        for n, line in enumerate(page.lines):
            yield line, (p, n)
            for k, word in enumerate(line.words):
                yield word, (p, n, k)


def _of_line(place: Place) -> LineIndex:
    page, line = place
    return page, line


def _of_word(place: Place) -> WordIndex:
    page, line, word = place
    return page, line, word


class LayoutPatch(TextPatch, ABC):
    """The differences between two documents as replacements in the text of the first.

    Attributes:
        format_name: for messages.
        line_name, word_name, id_name: the elements of lines and words, the attribute of ids.
        page: the index of the page that is written just now.
        regions: writes regions and baselines.
    """

    format_name: str
    line_name: str
    word_name: str
    id_name: str
    regions: RegionPatch

    def __init__(self, data: bytes, before: Mapping[str, Sequence[str]]) -> None:
        super().__init__(data, before)
        self.names = FreshNames()
        for span in self.spans:
            self.names.take(span.values.get(self.id_name))
        self.known: dict[int, int] = {}
        self.page = 0
        self.said: Said
        self.old_said: Said

    def document(self, new: Document, old: Document) -> bytes:
        """The whole text for ``new``, where the file as it is reads as ``old``."""
        self.refuse(new, old)
        self.said, self.old_said = Said(new), Said(old)
        before = {found.origin: (found, place) for found, place in _every(old)}
        places: dict[int, tuple[Line | Word, Place]] = {}
        for found, place in _every(new):
            origin = found.origin
            # An origin counts once: a copy of an object is a new one.
            if origin is None or origin not in before or origin in places:
                continue
            if type(before[origin][0]) is type(found):
                places[origin] = (found, place)
                self.known[id(found)] = origin
        for p, (page, was) in enumerate(zip(new.pages, old.pages, strict=True)):
            self.page = p
            self.page_facts(page, was)
            self.arrange_lines(p, page, was)
        for origin, (found, place) in places.items():
            was_found, was_place = before[origin]
            self.page = place[0]
            if found.polygon != was_found.polygon:
                self.need_outline(found)
                self.set_outline(origin, found)
            if isinstance(found, Line) and isinstance(was_found, Line):
                self.found_line(origin, found, was_found, _of_line(place), _of_line(was_place))
            else:
                text = self.said.words.get(_of_word(place))
                if text != self.old_said.words.get(_of_word(was_place)):
                    self.set_word_text(origin, text)
        self.regions.unlisted.drop_emptied()
        self.close_filled()
        return self.render_all()

    def refuse(self, new: Document, old: Document) -> None:
        """Refuse what the format cannot hold.

        Raises:
            InputError: ``layout.cannot-hold``.
        """
        if new.nbpages != old.nbpages or len(new.pages) != len(old.pages):
            raise cannot_hold(self.format_name, "another number of pages")
        for segment in new.segments():
            if segment.translation:
                raise cannot_hold(self.format_name, f"a translation (segment {segment.id})")
            for token in segment.tokens:
                if token.status:
                    what = f"the status of a token (“{token.status}”, token {token.id})"
                    raise cannot_hold(self.format_name, what)

    def found_line(
        self, origin: int, new: Line, old: Line, place: LineIndex, was: LineIndex
    ) -> None:
        """Write what differs in a line that the file has."""
        if new.baseline != old.baseline:  # which stands before words and texts
            self.regions.set_baseline(origin, new)
        now = [self.known.get(id(word)) for word in new.words]
        then = [word.origin for word in old.words if word.origin is not None]
        if now != then:
            self.arrange_words(origin, new, now, then, place)
        self.line_text(origin, new, old, place, was)

    @abstractmethod
    def line_text(
        self, origin: int, new: Line, old: Line, place: LineIndex, was: LineIndex
    ) -> None:
        """Write the text of a line that the file has, where it changed."""

    def need_outline(self, found: Line | Word) -> None:
        """Refuse an outline that the format does not allow.

        Raises:
            InputError: ``layout.no-outline``.
        """
        if len(found.polygon) < 2:
            what = "line" if isinstance(found, Line) else "word"
            raise InputError(
                "layout.no-outline",
                f"the {what} {found.id} has no outline, which {self.format_name} requires",
                remedy=f"Draw its outline, or remove the {what}",
            )

    # Lines and words that come, go or move

    def arrange_lines(self, p: int, new: Page, old: Page) -> None:
        """Write which regions and lines a page has, and their order."""
        now = [self.known.get(id(line)) for line in new.lines]
        then = [line.origin for line in old.lines if line.origin is not None]
        apart = self.regions.apart(new, old)
        for origin in set(then) - set(now):
            self.forget(origin)
        own = {
            name: [self.line(new.lines[n], (p, n), now[n], None) for n in numbers]
            for name, numbers in apart.items()
        }
        self.regions.write(new, old, own)
        taken = {n for numbers in apart.values() for n in numbers}
        rest = [n for n in range(len(new.lines)) if n not in taken]
        arranged = [now[n] for n in rest]
        was = {line.origin: line.region for line in old.lines}
        moved = any(
            origin is not None and was[origin] != new.lines[n].region
            for n, origin in zip(rest, arranged, strict=True)
        )
        if arranged != then or moved:
            part = replace(new, lines=[new.lines[n] for n in rest])
            self.arrange_others(p, rest, arranged, then, part, old)

    def arrange_others(
        self, p: int, numbers: list[int], now: list[int | None], then: list[int], new: Page,
        old: Page,
    ) -> None:  # fmt: skip
        """Write the lines of regions that have lines in the file, and lines of none."""
        homes = self.homes(new, old) if then else None
        if homes is not None:
            self.order_lines(new, now, then, homes)
            inside: dict[int, list[int]] = {}
            for n, home in enumerate(homes):
                inside.setdefault(home, []).append(n)
            was_inside: dict[int, list[int]] = {}
            for origin in then:
                was_inside.setdefault(self.spans[origin].parent, []).append(origin)
            for home, were in was_inside.items():
                here = inside.get(home, [])

                def make(index: int, here: list[int] = here) -> New | Render:
                    n = here[index]
                    at = self.place_in_order(n, homes) if now[n] is None else None
                    return self.line(new.lines[n], (p, numbers[n]), now[n], at)

                self.arrange([now[n] for n in here], were, make)
            return
        lines = [
            self.new_line(line, (p, n), None) for line, n in zip(new.lines, numbers, strict=True)
        ]
        kept = {region.origin for region in new.regions}
        texts = [r for r in old.regions if r.kind == TEXT_REGION and r.origin in kept]
        middle = centre(new.lines[0].polygon)
        around = next((r for r in texts if contains_point(r.polygon, middle)), None)
        around = around or next(iter(texts), None)
        if around is not None and around.origin is not None:
            self.add_children(around.origin, lines, self.line_name)
        elif old.origin is not None:
            points = tuple(point for line in new.lines for point in line.polygon)
            outline = corners(bounding_box(points) or (0, 0, 1, 1))
            self.add_region(old.origin, outline, lines)

    def homes(self, new: Page, old: Page) -> list[int] | None:
        """The element that each line is put into: that of its region.

        One that belongs to none lies in the region of the line before it in reading order, unless
        it was drawn in that of the line after it. Where the regions of all lines were taken away,
        there is none.

        Raises:
            InputError: ``layout.cannot-hold``: a line was taken out of its region.
        """
        there = {region.id: region.origin for region in new.regions}
        was = {line.origin: line.region for line in old.lines}
        own: list[int | None] = []
        for line in new.lines:
            origin = self.known.get(id(line))
            home = there.get(line.region or "")
            if origin is not None and was[origin] == line.region:
                home = self.spans[origin].parent
            elif origin is not None and home is None:
                raise cannot_hold(self.format_name, f"line {line.id} in no region")
            own.append(home)
        outlines = {region.origin: region.polygon for region in old.regions}
        after: list[int | None] = [None] * len(own)
        for n in reversed(range(len(own) - 1)):
            after[n] = own[n + 1] if own[n + 1] is not None else after[n + 1]
        gone = {r.origin for r in old.regions} - {r.origin for r in new.regions}
        were = (self.spans[line.origin].parent for line in old.lines if line.origin is not None)
        known = (home for home in own if home is not None)
        before = next(known, next((home for home in were if home not in gone), None))
        if before is None:
            return None if new.lines else []
        homes: list[int] = []
        for line, home, following in zip(new.lines, own, after, strict=True):
            if home is not None:
                before = home
            elif following is not None:
                middle = centre(line.polygon)
                inside = [contains_point(outlines.get(h, ()), middle) for h in (before, following)]
                before = following if inside == [False, True] else before
            homes.append(before)
        return homes

    def line(
        self, line: Line, place: LineIndex, origin: int | None, index: int | None
    ) -> New | Render:
        """A line that is put somewhere: a new one, or one that the file has elsewhere."""
        if origin is not None:
            span = self.spans[origin]
            return lambda: self.render(span.start, span.end)
        return self.new_line(line, place, index)

    def place_in_order(self, number: int, homes: list[int]) -> int | None:
        """What a new line says of its own place among those of its region; None for nothing."""
        return None

    def order_lines(
        self, new: Page, now: list[int | None], then: list[int], homes: list[int]
    ) -> None:
        """Write the order of lines where the file gives it besides."""

    def word(self, word: Word, place: WordIndex) -> New | Render:
        """A word that is put somewhere: a new one, or one that the file has elsewhere."""
        origin = self.known.get(id(word))
        if origin is None:
            return self.new_word(word, place)
        span = self.spans[origin]
        return lambda: self.render(span.start, span.end)

    def arrange_words(
        self, line: int, new: Line, now: list[int | None], then: list[int], place: LineIndex
    ) -> None:
        """Write which words a line has, and their order."""
        for origin in set(then) - set(self.known.values()):
            self.forget(origin)
        if then:
            self.arrange(now, then, lambda k: self.word(new.words[k], (*place, k)))
        else:
            words = [self.word(word, (*place, k)) for k, word in enumerate(new.words)]
            self.add_children(line, words, self.word_name)

    def forget(self, origin: int) -> None:
        """Take out what the file says elsewhere of an element that goes."""

    def name(self, wanted: str | None, prefix: str) -> str:
        """The id of something new: what it is called, where the file can have that."""
        if wanted is not None and self.names.take(wanted):
            return wanted
        return self.names.fresh(prefix)

    # What the formats differ in

    @abstractmethod
    def page_facts(self, new: Page, old: Page) -> None:
        """Write size and resolution of a page where they changed."""

    @abstractmethod
    def set_outline(self, origin: int, found: Line | Word) -> None:
        """Write the outline of a line or a word."""

    @abstractmethod
    def set_word_text(self, origin: int, text: str | None) -> None:
        """Write the text of a word."""

    @abstractmethod
    def new_line(self, line: Line, place: LineIndex, index: int | None) -> New:
        """A line that the file has not; ``index`` is its place in its region, if it says so."""

    @abstractmethod
    def new_word(self, word: Word, place: WordIndex) -> New:
        """A word that the file has not."""

    @abstractmethod
    def add_region(self, page: int, outline: Polygon, lines: Sequence[New]) -> None:
        """Put a region with lines into a page that has none."""
