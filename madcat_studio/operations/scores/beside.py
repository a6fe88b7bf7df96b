"""Where a reader of two texts looks: the words of one that stand for the words of the other.

Words are the scorer's. For the output they are paired as the alignment of the score pairs them. For
the reference they are paired by the fewest edits without shifts, which is quick enough for every
keystroke; a word that was moved is found by being the only one of its kind in both texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from madcat_studio.scoring.changes import Alignment, Place, places
from madcat_ter.options import TerOptions
from madcat_ter.text import words
from madcat_ter.wer import wer_words

__all__ = ["Beside", "Output", "Pairs", "Reference", "words_at"]

_NONE = -1


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands for some words in another text.

    Attributes:
        places: start and end of each word, in order.
        exact: these words are their counterparts; else those that stand on either side of where
            they would be.
    """

    places: tuple[Place, ...] = ()
    exact: bool = False


class Pairs:
    """The words of a text, each with its counterpart in another one."""

    def __init__(
        self,
        own: Sequence[Place | None],
        partners: Sequence[int],
        other: Sequence[Place | None],
    ) -> None:
        """Pair them.

        Args:
            own: where the words of the text stand.
            partners: for each of them the number of its counterpart, -1 for none.
            other: where the words of the other text stand.
        """
        self._own, self._partners, self._other = own, partners, other

    def at(self, start: int, end: int) -> Beside:
        """What stands in the other text for the words from ``start`` to ``end`` of the own one."""
        chosen = words_at(self._own, start, end)
        if found := self._places(chosen):
            return Beside(found, exact=True)
        if not chosen:
            return Beside()
        around = (
            self._nearest(range(chosen[0] - 1, -1, -1)),
            self._nearest(range(chosen[-1] + 1, len(self._partners))),
        )
        return Beside(tuple(sorted({one for one in around if one is not None})))

    def _places(self, numbers: Sequence[int]) -> tuple[Place, ...]:
        partners = {self._partners[number] for number in numbers} - {_NONE}
        return tuple(sorted(span for one in partners if (span := self._other[one]) is not None))

    def _nearest(self, numbers: Sequence[int]) -> Place | None:
        return next((found[0] for one in numbers if (found := self._places([one]))), None)


def words_at(spans: Sequence[Place | None], start: int, end: int) -> range:
    """The numbers of the words that are selected, or of the one at the caret.

    Between two words it is the one before, which was typed last; before all words the first.
    """
    if start < end:
        touched = [
            number
            for number, span in enumerate(spans)
            if span is not None and span[0] < end and span[1] > start
        ]
        if touched:
            return range(touched[0], touched[-1] + 1)
    before = range(0)
    for number, span in enumerate(spans):
        if span is None:
            continue
        if span[0] <= start <= span[1]:
            return range(number, number + 1)
        if span[0] > start:
            return before or range(number, number + 1)
        before = range(number, number + 1)
    return before


class Output:
    """An output, of which a text is made; where its words stand is found once."""

    def __init__(self) -> None:
        self._places: tuple[Place | None, ...] | None = None

    def beside(self, alignment: Alignment) -> Pairs:
        """The words of a text that was aligned with it, with those of the output."""
        if self._places is None:
            self._places = alignment.output_places
        partners = [_NONE] * len(alignment.text_places)
        for column in alignment.columns:
            if column.text_at >= 0:
                partners[column.text_at] = column.output_at
        return Pairs(alignment.text_places, partners, self._places)


class Reference:
    """A reference, beside which a text is edited; its words are found once."""

    def __init__(self, text: str, options: TerOptions) -> None:
        self._text, self._options = text, options

    @cached_property
    def _words(self) -> tuple[str, ...]:
        return tuple(words(self._text, self._options))

    @cached_property
    def _places(self) -> tuple[Place | None, ...]:
        return places(self._text, self._words)

    @cached_property
    def _single(self) -> dict[str, int]:
        """The words that it has once, with their numbers."""
        counts = Counter(self._words)
        return {word: at for at, word in enumerate(self._words) if counts[word] == 1}

    def beside(self, alignment: Alignment) -> Pairs:
        """The words of a text that was aligned, with those of the reference."""
        own = [column.text for column in alignment.columns if column.text_at >= 0]
        partners, free = self._in_order(own)
        counts = Counter(own)
        for number in free:
            single = self._single.get(own[number])
            if single is not None and counts[own[number]] == 1:
                partners[number] = single
        return Pairs(alignment.text_places, partners, self._places)

    def _in_order(self, own: Sequence[str]) -> tuple[list[int], list[int]]:
        """Counterparts by the fewest edits, and the words that have no like one there."""
        partners, free = [_NONE] * len(own), []
        here = there = 0
        for step in wer_words(own, self._words).alignment:
            if step != "D":
                if step != "I":
                    partners[here] = there
                if step != " ":
                    free.append(here)
                here += 1
            there += step != "I"
        return partners, free
