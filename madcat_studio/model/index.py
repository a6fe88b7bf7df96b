"""Who is linked to whom in a document that is edited, without looking through all of it each time.

:func:`madcat_studio.model.links.link` resolves all references at once. The index answers the same
questions and follows each :class:`Change`: it knows which lines have a word of some name and which
segments refer to it, and looks up one name at a time. Where a name that is referred to belongs to
several words or lines, what a reference means depends on all those before it; then the whole
document is resolved, once after each change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar, overload

from madcat_studio.model.change import Change, Shift
from madcat_studio.model.document import Document
from madcat_studio.model.freshids import Names
from madcat_studio.model.links import (
    LineIndex,
    Links,
    SegmentIndex,
    TokenIndex,
    WordIndex,
    link,
)

__all__ = ["DocumentIndex"]

_K = TypeVar("_K", contravariant=True)
_V = TypeVar("_V", covariant=True)
_D = TypeVar("_D")


class _Asked(Generic[_K, _V]):
    """Answers like a dictionary, by a function that says None for what is not there."""

    def __init__(self, ask: Callable[[_K], _V | None]) -> None:
        self._ask = ask

    @overload
    def get(self, key: _K, /) -> _V | None: ...

    @overload
    def get(self, key: _K, default: _D, /) -> _V | _D: ...

    def get(self, key: _K, default: object = None, /) -> object:
        found = self._ask(key)
        return default if found is None else found

    def __getitem__(self, key: _K, /) -> _V:
        found = self._ask(key)
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: _K, /) -> bool:
        return self._ask(key) is not None


class _Line:
    """A line as the index knows it: its id and the ids of its words."""

    __slots__ = ("id", "page", "words")

    def __init__(self, page: int, words: int) -> None:
        self.page = page
        self.id: str | None = None
        self.words: list[str | None] = [None] * words


class _Segment:
    """What a segment refers to: words by its tokens, lines; and its tokens' statuses."""

    __slots__ = ("lines", "statuses", "words")

    def __init__(
        self,
        words: tuple[str | None, ...],
        lines: tuple[str, ...],
        statuses: tuple[str | None, ...],
    ) -> None:
        self.words = words
        self.lines = lines
        self.statuses = statuses


class DocumentIndex:
    """The links of a document as it is now, and the names that are taken in it.

    Whoever edits the document tells every change to :meth:`follow`.

    Attributes:
        word_of, tokens_of, words_of, lines_of, segments_of: as :class:`Links` has them, to be
            asked one by one.
        word_names, line_names: for new ids.
        statuses: how many tokens have which status.
        touched: words that may have other tokens, or tokens with other texts, than before the last
            change, besides those that came; None where it may be any.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self.word_of = _Asked(self._word_of)
        self.tokens_of = _Asked(self._tokens_of)
        self.words_of = _Asked(self._words_of)
        self.lines_of = _Asked(self._lines_of)
        self.segments_of = _Asked(self._segments_of)
        self._read_all()

    def _read_all(self) -> None:
        self._whole: Links | None = None
        self._doubtful: bool | None = None
        self.touched: frozenset[WordIndex] | None = None
        self._pages: list[list[_Line]] = []
        self._words: dict[str, list[_Line]] = {}
        self._lines: dict[str, list[_Line]] = {}
        self._twice: set[str] = set()
        self._lines_twice: set[str] = set()
        self._segments: dict[SegmentIndex, _Segment] = {}
        self._word_refs: dict[str, Counter[SegmentIndex]] = {}
        self._line_refs: dict[str, Counter[SegmentIndex]] = {}
        self.word_names, self.line_names = Names(), Names()
        self.statuses: Counter[str] = Counter()
        for p, page in enumerate(self._document.pages):
            self._pages.append([_Line(p, len(line.words)) for line in page.lines])
            for line in self._pages[-1]:
                self._read_line(line)
        for s, section in enumerate(self._document.sections):
            for g in range(len(section.segments)):
                self._read_segment((s, g))

    # Following

    def follow(self, change: Change) -> None:
        """The document was changed so."""
        if change.shifts is None:
            self._read_all()
            return
        doubtful = self._links() is not None
        if change.shifts or change.segments:
            self._whole = self._doubtful = None
        named = self._named(change.segments)
        fresh: list[_Line] = []
        for shift in change.shifts:
            fresh += self._shift(shift)
        for line in dict.fromkeys(fresh):
            if line in self._pages[line.page]:
                self._read_line(line)
        for place in change.segments:
            self._read_segment(place)
        named |= self._named(change.segments)
        found = (self._place(name) for name in named)
        self.touched = frozenset(place for place in found if place is not None)
        if change.segments and (doubtful or self._links() is not None):
            self.touched = None

    def _named(self, segments: Iterable[SegmentIndex]) -> set[str]:
        """The names of words that segments refer to."""
        found = (self._segments[place].words for place in segments if place in self._segments)
        return {name for words in found for name in words if name is not None}

    def _shift(self, shift: Shift) -> list[_Line]:
        """Take lines and words along; what came is read later, when all shifts are done."""
        page, source, target = self._pages[shift.page], shift.source, shift.target
        if shift.of_line:
            line = _Line(shift.page, shift.words) if source is None else page.pop(source.line)
            if target is not None:
                page.insert(target.line, line)
                return [line]
            self._forget(line, [line.id], self._lines, self._lines_twice, self.line_names)
            self._forget(line, line.words, self._words, self._twice, self.word_names)
            return []
        name: str | None = None
        if source is not None and source.word is not None:
            name = page[source.line].words.pop(source.word)
            self._forget(page[source.line], [name], self._words, self._twice, self.word_names)
        if target is None or target.word is None:
            return []
        page[target.line].words.insert(target.word, None)
        return [page[target.line]]

    @staticmethod
    def _forget(
        line: _Line,
        ids: Iterable[str | None],
        homes: dict[str, list[_Line]],
        twice: set[str],
        names: Names,
    ) -> None:
        for name in ids:
            if name is not None:
                homes[name].remove(line)
                names.remove(name, own=True)
                if len(homes[name]) < 2:
                    twice.discard(name)

    @staticmethod
    def _know(
        line: _Line, name: str, homes: dict[str, list[_Line]], twice: set[str], names: Names
    ) -> None:
        found = homes.setdefault(name, [])
        found.append(line)
        names.add(name, own=True)
        if len(found) > 1:
            twice.add(name)

    def _read_line(self, line: _Line) -> None:
        """Read the ids of a line and its words that are not known yet; known ones never change."""
        found = self._document.pages[line.page].lines[self._pages[line.page].index(line)]
        if line.id is None and found.id is not None:
            line.id = found.id
            self._know(line, found.id, self._lines, self._lines_twice, self.line_names)
        for number, word in enumerate(found.words):
            if word.id is not None and line.words[number] is None:
                line.words[number] = word.id
                self._know(line, word.id, self._words, self._twice, self.word_names)

    def _read_segment(self, place: SegmentIndex) -> None:
        before = self._segments.get(place)
        if before is not None:
            _uncount(before.words, place, self._word_refs, self.word_names)
            _uncount(before.lines, place, self._line_refs, self.line_names)
            self.statuses.subtract(filter(None, before.statuses))
        segment = self._document.sections[place[0]].segments[place[1]]
        now = self._segments[place] = _Segment(
            tuple(t.ref_id.strip() if t.ref_id else None for t in segment.tokens),
            tuple(name.strip() for name in segment.zone_refs),
            tuple(t.status for t in segment.tokens),
        )
        _count(now.words, place, self._word_refs, self.word_names)
        _count(now.lines, place, self._line_refs, self.line_names)
        self.statuses.update(filter(None, now.statuses))

    # Asking

    def naming(self, line: str) -> list[SegmentIndex]:
        """The segments that name a line, in text order; ``line`` is its id without blanks."""
        return sorted(self._line_refs.get(line, ()))

    def lines_named(self, name: str) -> int:
        """How many lines have this id."""
        return len(self._lines.get(name, ()))

    def words_named(self, name: str) -> int:
        """How many words have this id."""
        return len(self._words.get(name, ()))

    @property
    def names_lines(self) -> bool:
        """Whether any segment names a line."""
        return bool(self._line_refs)

    def _links(self) -> Links | None:
        """All links, where they cannot be told one by one."""
        if self._doubtful is None:
            self._doubtful = any(name in self._word_refs for name in self._twice) or any(
                name in self._line_refs for name in self._lines_twice
            )
        if self._doubtful and self._whole is None:
            self._whole = link(self._document)
        return self._whole

    def _place(self, name: str | None) -> WordIndex | None:
        """Where the word of a name is that only one word has."""
        homes = self._words.get(name) if name is not None else None
        if name is None or not homes:
            return None
        line = homes[0]
        return line.page, self._pages[line.page].index(line), line.words.index(name)

    def _word_of(self, token: TokenIndex) -> WordIndex | None:
        links = self._links()
        if links is not None:
            return links.word_of.get(token)
        segment = self._segments.get(token[:2])
        if segment is None or not 0 <= token[2] < len(segment.words):
            return None
        return self._place(segment.words[token[2]])

    def _tokens_of(self, word: WordIndex) -> list[TokenIndex] | None:
        links = self._links()
        if links is not None:
            return links.tokens_of.get(word)
        page, line, number = word
        if page >= len(self._pages) or line >= len(self._pages[page]):
            return None
        words = self._pages[page][line].words
        name = words[number] if number < len(words) else None
        return (self._naming_word(name) if name is not None else None) or None

    def _naming_word(self, name: str) -> list[TokenIndex]:
        return [
            (*place, number)
            for place in sorted(self._word_refs.get(name, ()))
            for number, each in enumerate(self._segments[place].words)
            if each == name
        ]

    def _words_of(self, place: SegmentIndex) -> list[WordIndex] | None:
        links = self._links()
        if links is not None:
            return links.words_of.get(place)
        segment = self._segments.get(place)
        if segment is None:
            return None
        return [found for name in segment.words if (found := self._place(name)) is not None]

    def _lines_of(self, place: SegmentIndex) -> list[LineIndex] | None:
        links = self._links()
        if links is not None:
            return links.lines_of.get(place)
        words = self._words_of(place)
        if words is None or words:
            return None if words is None else sorted({word[:2] for word in words})
        homes = [line for name in self._segments[place].lines for line in self._lines.get(name, ())]
        return sorted({(line.page, self._pages[line.page].index(line)) for line in homes})

    def _segments_of(self, place: LineIndex) -> list[SegmentIndex] | None:
        links = self._links()
        if links is not None:
            return links.segments_of.get(place)
        page, number = place
        if page >= len(self._pages) or number >= len(self._pages[page]):
            return None
        line = self._pages[page][number]
        found = {
            each
            for name in line.words
            if name is not None
            for each in self._word_refs.get(name, ())
        }
        if line.id is not None:
            named = self._line_refs.get(line.id, ())
            found.update(each for each in named if not self._words_of(each))
        return sorted(found) or None


def _count(
    ids: Iterable[str | None],
    place: SegmentIndex,
    refs: dict[str, Counter[SegmentIndex]],
    names: Names,
) -> None:
    for name in ids:
        if name is not None:
            refs.setdefault(name, Counter())[place] += 1
            names.add(name)


def _uncount(
    ids: Iterable[str | None],
    place: SegmentIndex,
    refs: dict[str, Counter[SegmentIndex]],
    names: Names,
) -> None:
    for name in ids:
        if name is not None:
            names.remove(name)
            counts = refs[name]
            counts[place] -= 1
            if not counts[place]:
                del counts[place]
            if not counts:
                del refs[name]
