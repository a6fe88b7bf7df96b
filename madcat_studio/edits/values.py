"""Objects of a document as frozen values: what edits that add something carry."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.model.document import Line, Polygon, Region, Segment, Token, Word

__all__ = ["LineValue", "RegionValue", "SegmentValue", "TokenValue", "WordValue"]


@dataclass(frozen=True, slots=True)
class WordValue:
    """A word. ``origin`` ties one that was removed to its element in the file; None for a new."""

    id: str | None
    polygon: Polygon = ()
    origin: int | None = None
    traits: str | None = None

    @classmethod
    def of(cls, word: Word) -> WordValue:
        """The value of a word."""
        return cls(word.id, word.polygon, word.origin, word.traits)

    def make(self) -> Word:
        """A word with this value."""
        return Word(self.id, self.polygon, self.origin, self.traits)


@dataclass(frozen=True, slots=True)
class LineValue:
    """A line with its words."""

    id: str | None
    type: str | None = "line"
    polygon: Polygon = ()
    words: tuple[WordValue, ...] = ()
    origin: int | None = None
    baseline: Polygon = ()
    region: str | None = None
    custom: str | None = None
    traits: str | None = None

    @classmethod
    def of(cls, line: Line) -> LineValue:
        """The value of a line."""
        words = tuple(map(WordValue.of, line.words))
        return cls(
            line.id, line.type, line.polygon, words, line.origin, line.baseline, line.region,
            line.custom, line.traits,
        )  # fmt: skip

    def make(self) -> Line:
        """A line with this value."""
        words = [word.make() for word in self.words]
        return Line(
            self.id,
            self.type,
            self.polygon,
            words,
            self.origin,
            baseline=self.baseline,
            region=self.region,
            custom=self.custom,
            traits=self.traits,
        )


@dataclass(frozen=True, slots=True)
class TokenValue:
    """A token."""

    id: str | None
    ref_id: str | None = None
    status: str | None = None
    source: str | None = None
    origin: int | None = None

    @classmethod
    def of(cls, token: Token) -> TokenValue:
        """The value of a token."""
        return cls(token.id, token.ref_id, token.status, token.source, token.origin)

    def make(self) -> Token:
        """A token with this value."""
        return Token(self.id, self.ref_id, self.status, self.source, self.origin)


@dataclass(frozen=True, slots=True)
class RegionValue:
    """A region."""

    id: str
    kind: str
    type: str | None = None
    polygon: Polygon = ()
    text: str | None = None
    parent: str | None = None
    origin: int | None = None
    custom: str | None = None
    traits: str | None = None

    @classmethod
    def of(cls, region: Region) -> RegionValue:
        """The value of a region."""
        return cls(
            region.id, region.kind, region.type, region.polygon, region.text, region.parent,
            region.origin, region.custom, region.traits,
        )  # fmt: skip

    def make(self) -> Region:
        """A region with this value."""
        return Region(
            self.id, self.kind, self.type, self.polygon, self.text, self.parent, self.origin,
            self.custom, self.traits,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SegmentValue:
    """A segment with its tokens."""

    id: str | None
    zone_refs: tuple[str, ...] = ()
    tokens: tuple[TokenValue, ...] = ()
    transcription: str | None = None
    translation: str | None = None
    origin: int | None = None

    @classmethod
    def of(cls, segment: Segment) -> SegmentValue:
        """The value of a segment."""
        return cls(
            segment.id,
            tuple(segment.zone_refs),
            tuple(map(TokenValue.of, segment.tokens)),
            segment.transcription,
            segment.translation,
            segment.origin,
        )

    def make(self) -> Segment:
        """A segment with this value."""
        return Segment(
            self.id,
            list(self.zone_refs),
            [token.make() for token in self.tokens],
            self.transcription,
            self.translation,
            self.origin,
        )
