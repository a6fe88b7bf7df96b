"""The changes of an alignment in the text as it was written: where they stand, taking one back.

An alignment speaks of words, after punctuation was split off; an editor sees a text. Here the
words are found again in the text that they came from, so that a change can be drawn with the
text's own spacing and one single change can be taken back without touching the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from madcat_studio.scoring.columns import Column, ColumnKind

__all__ = ["Alignment", "Place", "Splice", "carried", "counterpart", "places", "removal"]

Place = tuple[int, int]

_WRITTEN = {'"': "&quot;", "&": "&amp;", "<": "&lt;", ">": "&gt;"}
"""What tercom's normalisation reads as these characters."""

_EDITS = (ColumnKind.SUBSTITUTION, ColumnKind.INSERTION, ColumnKind.DELETION)


def places(text: str, words: Sequence[str]) -> tuple[Place | None, ...]:
    """Where each word stands in the text that it was taken from: start and end.

    A word that is not found as it is (a setting changed its letters) has None. Case is not
    heeded, as the words may have been lower-cased.
    """
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter with two lower-case ones: take the text as it is
        lowered = text
    found: list[Place | None] = []
    at = 0
    for word in words:
        best: Place | None = None
        lower = word.lower()
        near = at + 1 if lowered.startswith(" ", at) else at
        if lower and lowered.startswith(lower, near):  # nearly always: it is in every keystroke
            found.append((near, near + len(lower)))
            at = near + len(lower)
            continue
        for form in (word, lower, _WRITTEN.get(word, "")):
            start = lowered.find(form, at) if form else -1
            if start >= 0 and (best is None or start < best[0]):
                best = (start, start + len(form))
        found.append(best)
        if best is not None:
            at = best[1]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Splice:
    """One change of a text: what stands from ``start`` to ``end`` becomes ``words``."""

    start: int
    end: int
    words: str

    def apply(self, text: str) -> str:
        """The changed text."""
        return text[: self.start] + self.words + text[self.end :]


class Alignment:
    """How ``output`` became ``text``: the columns, and where their words stand."""

    def __init__(self, output: str, text: str, columns: Sequence[Column]) -> None:
        """Find the words of the columns in the text."""
        self.output, self.text, self.columns = output, text, tuple(columns)
        # Columns without their words' numbers cannot be placed; they can be drawn all the same.
        self.text_places = places(text, [one.text for one in columns if one.text_at >= 0])
        self._joined = _joined(text, self.text_places)

    @cached_property
    def output_joined(self) -> frozenset[int]:
        """The output's words that follow the word before them without a blank."""
        return _joined(self.output, self.output_places)

    @cached_property
    def output_places(self) -> tuple[Place | None, ...]:
        """Where the output's words stand in it; only taking a change back asks for it."""
        own = {one.output_at: one.output for one in self.columns if one.output_at >= 0}
        return places(self.output, [own[number] for number in sorted(own)])

    def place(self, column: Column) -> Place | None:
        """Where the column's word stands in the text."""
        return self.text_places[column.text_at] if column.text_at >= 0 else None

    def joined(self, column: Column) -> bool:
        """Whether the column's word follows the word before it without a blank."""
        return column.text_at in self._joined

    def moved(self, shift: int) -> str:
        """The words of the output that a shift moved, in the order that they have now."""
        return " ".join(self._moved.get(shift, ()))

    @cached_property
    def _moved(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for one in self.columns:
            if one.shift and one.kind is not ColumnKind.ORIGIN:
                found.setdefault(one.shift, []).append(one.output)
        return found

    def same_columns(self, other: Alignment) -> int:
        """How many columns, from the first on, look the same in another alignment."""
        both = min(len(self.columns), len(other.columns))
        if self.columns[:both] != other.columns[:both]:
            pairs = zip(self.columns, other.columns, strict=False)
            both = next(at for at, (one, two) in enumerate(pairs) if one != two)
        if self._joined ^ other._joined:
            at = min(self._joined ^ other._joined)
            both = next((n for n in range(both) if self.columns[n].text_at >= at), both)
        if self._moved != other._moved:
            origin = ColumnKind.ORIGIN
            both = next(
                (
                    at
                    for at, one in enumerate(self.columns[:both])
                    if one.kind is origin and self.moved(one.shift) != other.moved(one.shift)
                ),
                both,
            )
        return both

    def change_at(self, place: int) -> int | None:
        """The column of the change that stands at a place of the text, None where there is none.

        A word that is only in the output stands between two words; it is found at the end of the
        word before it, or at the start of the text.
        """
        behind = 0
        for number, column in enumerate(self.columns):
            span = self.place(column)
            if span is None:
                if column.kind is ColumnKind.INSERTION and behind <= place <= behind + 1:
                    return number
                continue
            if span[0] <= place <= span[1] and (column.kind is not ColumnKind.MATCH):
                return number
            if span[0] <= place <= span[1] and column.shift:
                return number
            behind = span[1]
        return None

    def change_places(self) -> tuple[Place, ...]:
        """Where each change stands in the text; words that were left out have no width."""
        found: list[Place] = []
        number = 0
        while number < len(self.columns):
            column = self.columns[number]
            after = number + 1
            if column.kind in _EDITS:
                after = self.run(number).stop
            elif column.kind is ColumnKind.MATCH and column.shift:
                while after < len(self.columns) and self._goes_on(number, after):
                    after += 1
            else:
                number = after
                continue
            spans = [span for one in self.columns[number:after] if (span := self.place(one))]
            end = self.end_before(number)
            found.append((spans[0][0], spans[-1][1]) if spans else (end, end))
            number = after
        return tuple(found)

    def _goes_on(self, number: int, after: int) -> bool:
        """Whether a column belongs to the block that was moved with an earlier one."""
        one, other = self.columns[number], self.columns[after]
        return (one.kind, one.shift) == (other.kind, other.shift)

    def run(self, number: int) -> range:
        """The columns of the change that column ``number`` belongs to: its neighbours' too."""
        first = last = number
        while first > 0 and self.columns[first - 1].kind in _EDITS:
            first -= 1
        while last + 1 < len(self.columns) and self.columns[last + 1].kind in _EDITS:
            last += 1
        return range(first, last + 1)

    def reverted(self, number: int) -> tuple[Splice, ...]:
        """What takes the change at a column back; empty where there is none.

        Words that were replaced, left out or added come back or go, with their neighbours that
        were changed with them. Words that only moved go back to where they were. The splices are
        meant for :attr:`text`, from the right to the left.
        """
        column = self.columns[number]
        if column.kind in _EDITS:
            return self._taken_back(self.run(number))
        return self._moved_back(column.shift) if column.shift else ()

    def _taken_back(self, run: range) -> tuple[Splice, ...]:
        spans = [span for one in run if (span := self.place(self.columns[one])) is not None]
        words, joined = self._output_words([self.columns[one] for one in run])
        if spans:
            start, end = spans[0][0], spans[-1][1]
            return (removal(self.text, start, end) if not words else Splice(start, end, words),)
        return (self.insertion(self.end_before(run.start), words, joined),) if words else ()

    def _output_words(self, run: Sequence[Column]) -> tuple[str, bool]:
        """The output's words of some columns, with the output's own blanks between neighbours."""
        written, before = "", -2
        joined = False
        for column in run:
            if column.output_at < 0:
                continue
            span = self.output_places[column.output_at]
            word = column.output if span is None else self.output[span[0] : span[1]]
            close = column.output_at in self.output_joined
            if not written:
                joined = close
            elif not (close and column.output_at == before + 1):
                written += " "
            written += word
            before = column.output_at
        return written, joined

    def end_before(self, number: int) -> int:
        """The end of the last word of the text before a column, 0 where there is none."""
        for column in reversed(self.columns[:number]):
            if (span := self.place(column)) is not None:
                return span[1]
        return 0

    def insertion(self, at: int, words: str, joined: bool) -> Splice:
        """What puts words in behind the word of the text that ends there, with their blanks."""
        before = "" if at == 0 or joined else " "
        after = " " if at == 0 and self.text and not self.text[0].isspace() else ""
        return Splice(at, at, before + words + after)

    def _moved_back(self, shift: int) -> tuple[Splice, ...]:
        block = [
            span
            for one in self.columns
            if one.shift == shift and (span := self.place(one)) is not None
        ]
        origin = next(
            number
            for number, one in enumerate(self.columns)
            if one.kind is ColumnKind.ORIGIN and one.shift == shift
        )
        if not block:
            return ()
        start, end = block[0][0], block[-1][1]
        at = self.end_before(origin)
        if start < at <= end:
            return ()  # its place is within itself: another shift took the words around it
        back = self.insertion(at, self.text[start:end], joined=False)
        gone = removal(self.text, start, end)
        return tuple(sorted((back, gone), key=lambda one: -one.start))


def _joined(text: str, spans: Sequence[Place | None]) -> frozenset[int]:
    """The words that follow the word before them without a blank."""
    return frozenset(
        number
        for number, span in enumerate(spans)
        if span is not None and span[0] > 0 and not text[span[0] - 1].isspace()
    )


def removal(text: str, start: int, end: int) -> Splice:
    """What leaves words out together with one blank beside them."""
    if start and text[start - 1] == " " and (end == len(text) or text[end] in " .,;:!?)"):
        return Splice(start - 1, end, "")
    if not start and text[end : end + 1] == " ":
        return Splice(start, end + 1, "")
    return Splice(start, end, "")


def counterpart(text: str, other: str, place: int) -> int | None:
    """The place of ``other`` that stands for a place of ``text``; None where they differ there."""
    if text == other:
        return place
    for tag, i, end, j, _ in SequenceMatcher(None, text, other, autojunk=False).get_opcodes():
        if tag == "equal" and i <= place <= end:
            return place - i + j
    return None


def carried(splice: Splice, old: str, new: str) -> Splice | None:
    """The same change in a text that was edited further; None where that place was changed too.

    Args:
        splice: a change of ``old``.
        old, new: the text before and after the further editing.
    """
    if old == new:
        return splice
    for tag, i, end, j, _ in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal" and i <= splice.start and splice.end <= end:
            return Splice(splice.start - i + j, splice.end - i + j, splice.words)
    return None
