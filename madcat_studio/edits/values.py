"""Objects of a document as frozen values: what edits that add something carry."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.model.document import Line, Polygon, Token, Word

__all__ = ["LineValue", "TokenValue", "WordValue"]


@dataclass(frozen=True, slots=True)
class WordValue:
    """A word. ``origin`` ties one that was removed to its element in the file; None for a new."""

    id: str | None
    polygon: Polygon = ()
    origin: int | None = None

    @classmethod
    def of(cls, word: Word) -> WordValue:
        """The value of a word."""
        return cls(word.id, word.polygon, word.origin)

    def make(self) -> Word:
        """A word with this value."""
        return Word(self.id, self.polygon, self.origin)


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

    @classmethod
    def of(cls, line: Line) -> LineValue:
        """The value of a line."""
        words = tuple(map(WordValue.of, line.words))
        return cls(
            line.id, line.type, line.polygon, words, line.origin, line.baseline, line.region,
            line.custom,
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
