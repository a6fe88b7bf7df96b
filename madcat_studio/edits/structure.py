"""Edits that add, remove and move lines and words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from madcat_studio.edits.base import Edit, find_line, find_open_line, find_page, find_word
from madcat_studio.edits.values import LineValue, WordValue
from madcat_studio.errors import InputError
from madcat_studio.model.change import Change, Position, Shift
from madcat_studio.model.document import Document

__all__ = ["AddLine", "AddWord", "MoveLine", "MoveWord", "RemoveLine", "RemoveWord", "insert_at"]

_T = TypeVar("_T")


def insert_at(items: list[_T], index: int, item: _T, what: str) -> None:
    """Insert before ``index``; the length means: at the end."""
    if not 0 <= index <= len(items):
        raise InputError(
            "edit.no-such-place",
            f"there is no place {index + 1} among {len(items)} {what}",
            remedy="The document has changed in the meantime; look again",
        )
    items.insert(index, item)


def _shifted(page: int, source: Position | None, target: Position | None, words: int = 0) -> Change:
    """That a line or a word came, went or moved; a line that a word left changed as well."""
    told = [target] if source is None or source.word is None else [source, target]
    return Change(
        lines=frozenset((page, place.line) for place in told if place is not None),
        structure=True,
        shifts=(Shift(page, source, target, words),),
    )


@dataclass(frozen=True, slots=True)
class AddWord:
    """Add a word to a line, before the word at ``index`` in reading order."""

    page: int
    line: int
    index: int
    word: WordValue

    @property
    def label(self) -> str:
        """What the user did."""
        return "Add a word"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Add the word."""
        words = find_open_line(document, self.page, self.line).words
        insert_at(words, self.index, self.word.make(), "words")
        back = RemoveWord(self.page, self.line, self.index)
        return _shifted(self.page, None, Position(self.line, self.index)), back


@dataclass(frozen=True, slots=True)
class RemoveWord:
    """Remove a word from the page. Tokens that refer to it keep their reference."""

    page: int
    line: int
    index: int

    @property
    def label(self) -> str:
        """What the user did."""
        return "Remove a word"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Remove the word."""
        word = find_word(document, self.page, self.line, self.index)
        del find_open_line(document, self.page, self.line).words[self.index]
        back = AddWord(self.page, self.line, self.index, WordValue.of(word))
        return _shifted(self.page, Position(self.line, self.index), None), back


@dataclass(frozen=True, slots=True)
class MoveWord:
    """Move a word to another place in the reading order, of its line or another.

    ``to_index`` counts in the target line without the word.
    """

    page: int
    line: int
    index: int
    to_line: int
    to_index: int

    @property
    def label(self) -> str:
        """What the user did."""
        if self.line == self.to_line:
            return "Change the order of words"
        return "Move a word to another line"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Move the word."""
        word = find_word(document, self.page, self.line, self.index)
        source = find_open_line(document, self.page, self.line).words
        target = find_open_line(document, self.page, self.to_line).words
        del source[self.index]
        try:
            insert_at(target, self.to_index, word, "words")
        except InputError:
            source.insert(self.index, word)
            raise
        change = _shifted(
            self.page, Position(self.line, self.index), Position(self.to_line, self.to_index)
        )
        return change, MoveWord(self.page, self.to_line, self.to_index, self.line, self.index)


@dataclass(frozen=True, slots=True)
class AddLine:
    """Add a line to a page, before the line at ``index``."""

    page: int
    index: int
    line: LineValue

    @property
    def label(self) -> str:
        """What the user did."""
        return "Add a line"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Add the line."""
        insert_at(find_page(document, self.page).lines, self.index, self.line.make(), "lines")
        change = _shifted(self.page, None, Position(self.index), len(self.line.words))
        return change, RemoveLine(self.page, self.index)


@dataclass(frozen=True, slots=True)
class RemoveLine:
    """Remove a line with its words. Segments and tokens keep their references."""

    page: int
    index: int

    @property
    def label(self) -> str:
        """What the user did."""
        return "Remove a line"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Remove the line."""
        line = find_open_line(document, self.page, self.index)
        del find_page(document, self.page).lines[self.index]
        back = AddLine(self.page, self.index, LineValue.of(line))
        return _shifted(self.page, Position(self.index), None), back


@dataclass(frozen=True, slots=True)
class MoveLine:
    """Move a line in the order of the page; ``to_index`` counts without the line."""

    page: int
    index: int
    to_index: int

    @property
    def label(self) -> str:
        """What the user did."""
        return "Change the order of lines"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Move the line."""
        line = find_line(document, self.page, self.index)
        lines = find_page(document, self.page).lines
        del lines[self.index]
        try:
            insert_at(lines, self.to_index, line, "lines")
        except InputError:
            lines.insert(self.index, line)
            raise
        back = MoveLine(self.page, self.to_index, self.index)
        return _shifted(self.page, Position(self.index), Position(self.to_index)), back
