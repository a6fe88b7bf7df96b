"""Output, text and reference side by side: where they agree, and which words are still free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from madcat_studio.scoring.changes import Alignment
from madcat_studio.scoring.columns import Column, ColumnKind, columns
from madcat_ter.options import TerOptions
from madcat_ter.ter import TerResult, ter, ter_words
from madcat_ter.text import check_text, words

__all__ = ["Sides"]

_DIFFERENT = (ColumnKind.SUBSTITUTION, ColumnKind.DELETION)


class Sides:
    """The three texts of a segment, by words as they are compared.

    Attributes:
        alignment: how the output became the text.
        result: the same, in numbers.
    """

    def __init__(self, output: str, text: str, reference: str, options: TerOptions) -> None:
        self.result: TerResult = ter(output, [text], options)
        self.alignment = Alignment(output, text, columns(self.result))
        self._options = options
        self._output, self._text = self.result.output_words, self.result.reference_words
        self._reference = words(check_text(reference, "the reference"), options)
        self._in_text, self._in_reference = _counted(self._text), _counted(self._reference)
        self._known = frozenset(self._reference)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the alignment."""
        return self.alignment.columns

    @property
    def farthest(self) -> int:
        """Words that a shift goes at most."""
        return self._options.max_shift_distance

    def output_words(self, part: range) -> Sequence[str]:
        """Words of the output."""
        return self._output[part.start : part.stop]

    def text_words(self, part: range) -> Sequence[str]:
        """Words of the text."""
        return self._text[part.start : part.stop]

    @cached_property
    def _met(self) -> list[int]:
        """For each word of the output the reference's word that it agrees with, or -1."""
        return _matches(self._across)

    @cached_property
    def _across(self) -> tuple[Column, ...]:
        return columns(ter_words(self._output, [self._reference], self._options))

    @cached_property
    def _in_place(self) -> list[bool]:
        """Whether a word of the output stands where the reference has it, or beside the same."""
        found = [False] * len(self._output)
        for column in self._across:
            if column.kind is ColumnKind.MATCH:
                at, there = column.output_at, column.text_at
                beside = self._next_to(at - 1, there - 1) or self._next_to(at + 1, there + 1)
                found[at] = not column.shift or beside
        return found

    def _next_to(self, output: int, reference: int) -> bool:
        """Whether a word of the output agrees with one of the reference, or an end with an end."""
        if 0 <= output < len(self._met):
            return self._met[output] == reference >= 0
        return reference == (-1 if output < 0 else len(self._reference))

    @cached_property
    def _text_across(self) -> tuple[Column, ...]:
        return columns(ter_words(self._text, [self._reference], self._options))

    @cached_property
    def _text_met(self) -> list[int]:
        return _matches(self._text_across)

    @cached_property
    def _text_moved(self) -> frozenset[int]:
        """Words of the text that the reference has at another place."""
        return frozenset(one.output_at for one in self._text_across if one.shift)

    @cached_property
    def _taken(self) -> dict[int, int]:
        """Which word of the text agrees with a word of the reference."""
        return {there: here for here, there in enumerate(self._text_met) if there >= 0}

    def loses(self, output: range, text: range) -> bool:
        """Whether words that agree with the reference would go, if the output's came instead."""
        agreed = [place for place in text if self._text_met[place] >= 0]
        if not agreed:
            return False
        new = self.output_words(output)
        if Counter(self._text[place] for place in agreed) - Counter(new):
            return True
        rest = iter(new)  # what stands in the reference's order must stay in it
        return not all(
            self._text[place] in rest for place in agreed if place not in self._text_moved
        )

    def output_agrees(self, output: range, text: range) -> bool:
        """Whether the output agreed with the reference in a part that the text has otherwise.

        Words that were put in are needless where the output's words around them follow each other
        in the reference as well.
        """
        met = self._met
        if not output:
            if output.start > len(met):
                return False
            place = met[output.start] if output.start < len(met) else len(self._reference)
            return place >= 0 and self._next_to(output.start - 1, place - 1)
        there = range(met[output.start], met[output.start] + len(output))
        if met[output.start : output.stop] != list(there):
            return False
        if not text and not self._fits(text.start, there):
            return False
        return all(self._in_place[place] for place in output) and not any(
            self._elsewhere(place, text) for place in there
        )

    def _elsewhere(self, place: int, text: range) -> bool:
        """Whether the text has a word of the reference already, but for a part of the text.

        Another of the same words that would have to move there does not count, where one came in
        the place of this one.
        """
        taker = self._taken.get(place)
        return (
            taker is not None and taker not in text and (not text or taker not in self._text_moved)
        )

    def differences(self) -> Iterator[tuple[range, range]]:
        """Where text and reference differ in a word: it, and what the output has for it.

        The output's word is the one that the reference's agrees with, whatever it became in the
        text by the alignment; each part is one word or none.
        """
        there = {met: place for place, met in enumerate(self._met) if met >= 0}
        own = reference = -1  # the last words before a column
        for column in self._text_across:
            if column.kind is ColumnKind.INSERTION:
                before = there.get(reference, -1 if reference < 0 else len(self._met))
                yield range(before + 1, before + 1), range(column.output_at, column.output_at + 1)
            elif column.kind in _DIFFERENT and column.text_at in there:
                text = column.output_at if column.output_at >= 0 else own + 1
                place = there[column.text_at]
                yield range(place, place + 1), range(text, text + (column.output_at >= 0))
            own, reference = max(own, column.output_at), max(reference, column.text_at)

    def _fits(self, place: int, there: range) -> bool:
        """Whether words of the reference may come before a word of the text, by its neighbours."""
        met = self._text_met
        left = met[place - 1] if place else -1
        right = met[place] if place < len(met) else len(self._reference)
        before = left == there.start - 1 and (left >= 0 or not place)
        unknown = place > 0 and left < 0 and right < 0
        return before or right == there.stop or unknown

    def reference_has(self, output: range, text: range) -> bool:
        """Whether the reference has the output's words, and the text has not used them up.

        Args:
            output: what would come into the text.
            text: what would go.
        """
        before = self.output_words(output)
        more = _counted(before) - _counted(self.text_words(text))
        new = set(before).difference(self.text_words(text))
        return (
            bool(new)
            and new <= self._known
            and all(
                self._in_text[word] + count <= self._in_reference[word]
                for word, count in more.items()
            )
        )

    def in_order(self, output: range) -> bool:
        """Whether words of the output stand in the reference's order, where it has them."""
        met = [place for place in self._met[output.start : output.stop] if place >= 0]
        return met == sorted(met)

    def may_return(self, output: range, place: int) -> bool:
        """Whether words that were left out may come before a word of the text once more.

        Where the reference has them elsewhere, others may have been put in there for them.
        """
        around = range(max(output.start - 1, 0), output.stop + 1)
        if not self.in_order(around):
            return False
        first, last = self._met[output.start], self._met[output.stop - 1]
        return first < 0 or last < 0 or self._fits(place, range(first, last + 1))

    def all_met(self, output: range) -> bool:
        """Whether each of the output's words agrees with one of the reference."""
        return min(self._met[output.start : output.stop]) >= 0

    def knows(self, output: range) -> bool:
        """Whether the reference has each of the output's words at all."""
        return self._known.issuperset(self.output_words(output))

    def belongs_between(self, output: range, text: range) -> bool:
        """Whether the reference has the output's words beside a neighbour of words of the text."""
        wanted, here = list(self.output_words(output)), self._reference
        left = self._text_met[text.start - 1] if text.start else -1
        right = self._text_met[text.stop] if text.stop < len(self._text_met) else len(here)
        begins = {left + 1} if left >= 0 or not text.start else set()
        if right >= 0:
            begins.add(right - len(wanted))
        return any(at >= 0 and here[at : at + len(wanted)] == wanted for at in begins)

    def stood_right(self, block: range) -> bool:
        """Whether words of the output that moved stood beside the reference's own neighbours."""
        met = self._met
        there = met[block.start : block.stop]
        if there[0] < 0 or there != list(range(there[0], there[0] + len(block))):
            return False
        before = self._next_to(block.start - 1, there[0] - 1)
        after = self._next_to(block.stop, there[-1] + 1)
        strange = any(
            0 <= beside < len(met) and met[beside] >= 0 and not right
            for beside, right in ((block.start - 1, before), (block.stop, after))
        )
        return (before or after) and not strange


def _matches(across: Sequence[Column]) -> list[int]:
    """For each word of the one side the word of the other that it agrees with, or -1."""
    found = [-1] * (1 + max((column.output_at for column in across), default=-1))
    for column in across:
        if column.kind is ColumnKind.MATCH:
            found[column.output_at] = column.text_at
    return found


def _counted(some: Iterable[str]) -> Counter[str]:
    """How often each word is there: whoever has “The” has “the”."""
    return Counter(word.lower() for word in some)
