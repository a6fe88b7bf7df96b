"""What an edit changed, as a value: views read it and refresh only that.

All places are those after the change. Where lines or words came, went or moved, ``shifts`` says
how, step by step, so that whoever keeps something for each line or word can take it along.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["EVERYTHING", "MOST_SHIFTS", "Change", "Position", "Shift", "combined", "moved"]

MOST_SHIFTS = 64
"""More steps than this are told as "anything may be otherwise": reading anew is cheaper."""


class Position(NamedTuple):
    """A line of a page, or a word of it. Indices from 0."""

    line: int
    word: int | None = None


@dataclass(frozen=True, slots=True)
class Shift:
    """One line or one word of a page that came, went or moved.

    Attributes:
        page: which page.
        source: where it was, None for one that came.
        target: where it is then, counted without it; None for one that went. A word's source and
            target are words, a line's are lines.
        words: of a line that came, how many words it brought.
    """

    page: int
    source: Position | None
    target: Position | None
    words: int = 0

    @property
    def of_line(self) -> bool:
        """Whether it is a line with its words, or else one word."""
        place = self.source if self.target is None else self.target
        return place is None or place.word is None


@dataclass(frozen=True, slots=True)
class Change:
    """The kinds of things that one edit (or its undoing) touched.

    Attributes:
        lines: (page index, line index) of lines whose polygon or words' order changed.
        words: (page index, line index, word index) of words whose polygon changed.
        segments: (section index, segment index) of segments whose text or tokens changed.
        regions: indices of pages whose regions, or what lies in them, changed.
        structure: whether objects were added, removed or moved, so that indices shifted.
        shifts: the lines and words that came, went or moved, in this order; None where nobody
            knows: then anything may be otherwise.
    """

    lines: frozenset[tuple[int, int]] = field(default_factory=frozenset)
    words: frozenset[tuple[int, int, int]] = field(default_factory=frozenset)
    segments: frozenset[tuple[int, int]] = field(default_factory=frozenset)
    structure: bool = False
    shifts: tuple[Shift, ...] | None = ()
    regions: frozenset[int] = field(default_factory=frozenset)

    def shifts_of(self, page: int) -> tuple[Shift, ...] | None:
        """The shifts on one page; None where nobody knows."""
        if self.shifts is None:
            return None
        return tuple(shift for shift in self.shifts if shift.page == page)


EVERYTHING = Change(structure=True, shifts=None)
"""Anything may be otherwise: the document was read anew, or changed in very many places."""


def moved(place: Position, shift: Shift) -> Position | None:
    """Where a place of the same page is after a shift; None where it went."""
    line, word = place
    source, target = shift.source, shift.target
    if source is not None:
        if source.word is None:
            if line == source.line:
                return None if target is None else Position(target.line, word)
            line -= line > source.line
        elif word is not None and line == source.line:
            if word == source.word:
                return target
            word -= word > source.word
    if target is not None:
        if target.word is None:
            line += line >= target.line
        elif word is not None and line == target.line:
            word += word >= target.word
    return Position(line, word)


def combined(changes: Iterable[Change]) -> Change:
    """Several changes, one after the other, as one."""
    lines: set[tuple[int, int]] = set()
    words: set[tuple[int, int, int]] = set()
    segments: set[tuple[int, int]] = set()
    regions: set[int] = set()
    structure = False
    shifts: list[Shift] = []
    for change in changes:
        if change.shifts is None or len(shifts) + len(change.shifts) > MOST_SHIFTS:
            return EVERYTHING
        for shift in change.shifts:
            lines = {(p, n) for p, n, _ in _followed(((p, n, None) for p, n in lines), shift)}
            words = {(p, n, k) for p, n, k in _followed(words, shift) if k is not None}
        lines |= change.lines
        words |= change.words
        segments |= change.segments
        regions |= change.regions
        structure = structure or change.structure
        shifts += change.shifts
    return Change(
        frozenset(lines), frozenset(words), frozenset(segments), structure, tuple(shifts),
        frozenset(regions),
    )  # fmt: skip


def _followed(
    places: Iterable[tuple[int, int, int | None]], shift: Shift
) -> Iterator[tuple[int, int, int | None]]:
    for page, line, word in places:
        if page != shift.page:
            yield page, line, word
        elif (place := moved(Position(line, word), shift)) is not None:
            yield page, *place
