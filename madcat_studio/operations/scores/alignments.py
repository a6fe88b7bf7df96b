"""The alignments that an editor sees and works by: plain values in and out, for any thread."""

from __future__ import annotations

import time
from dataclasses import dataclass

from madcat_studio.scoring.changes import Alignment, carried, counterpart, places, removal
from madcat_studio.scoring.columns import Column, ColumnKind, columns
from madcat_ter.options import TerOptions
from madcat_ter.ter import ter
from madcat_ter.text import words

__all__ = [
    "Aligned",
    "Compared",
    "align",
    "align_segment",
    "carried",
    "compare",
    "counterpart",
    "plain",
    "removal",
    "scored_words",
]


@dataclass(frozen=True, slots=True)
class Compared:
    """How one text became another, counted.

    Attributes:
        alignment: the changes.
        edits, words: of the later text against the earlier one, the figures of HTER.
    """

    alignment: Alignment
    edits: float
    words: float


@dataclass(frozen=True, slots=True)
class Aligned:
    """What is known of one text of a segment.

    Attributes:
        output: how the own text came from the system's output.
        first: how it came from the first pass's text; None where it is the first pass.
        seconds: of the processor, that it took.
    """

    output: Compared
    first: Compared | None
    seconds: float

    @property
    def own(self) -> Compared:
        """How the own text came from what the pass began with."""
        return self.output if self.first is None else self.first


def compare(output: str, text: str, options: TerOptions) -> Compared:
    """How ``output`` became ``text``, with the edits that it took.

    Raises:
        InputError: a text is too long to be scored, or holds what cannot be.
    """
    result = ter(output, [text], options)
    return Compared(Alignment(output, text, columns(result)), result.edits, result.words)


def align(output: str, text: str, options: TerOptions) -> Alignment:
    """How ``output`` became ``text``.

    Raises:
        InputError: as :func:`compare`.
    """
    return compare(output, text, options).alignment


def align_segment(output: str, first: str | None, text: str, options: TerOptions) -> Aligned:
    """Align a segment's own text with the output, and with the first pass where there is one.

    Raises:
        InputError: as :func:`compare`.
    """
    start = time.thread_time()
    own = compare(output, text, options)
    since = None if first is None else compare(first, text, options)
    return Aligned(own, since, time.thread_time() - start)


def scored_words(text: str, options: TerOptions) -> tuple[tuple[int, int], ...]:
    """Where the words that are scored stand in a text: start and end of each, in order.

    Words that a setting changed beyond recognition are left out.
    """
    return tuple(span for span in places(text, words(text, options)) if span and span[0] < span[1])


def plain(text: str) -> Alignment:
    """A text against itself: what is shown until it is aligned."""
    return Alignment(
        text,
        text,
        [
            Column(ColumnKind.MATCH, word, word, 0, number, number)
            for number, word in enumerate(text.split())
        ],
    )
