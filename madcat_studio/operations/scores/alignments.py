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
    "align",
    "align_segment",
    "carried",
    "counterpart",
    "plain",
    "removal",
    "scored_words",
]


@dataclass(frozen=True, slots=True)
class Aligned:
    """What is known of one text of a segment.

    Attributes:
        own: how the own text came from what the pass began with.
        edits, words: of the own text against the output, the figures of HTER.
        seconds: of the processor, that it took.
    """

    own: Alignment
    edits: float
    words: float
    seconds: float


def align(output: str, text: str, options: TerOptions) -> Alignment:
    """How ``output`` became ``text``.

    Raises:
        InputError: a text is too long to be scored, or holds what cannot be.
    """
    return Alignment(output, text, columns(ter(output, [text], options)))


def align_segment(output: str, first: str | None, text: str, options: TerOptions) -> Aligned:
    """Align a segment's own text with the first pass where there is one, else with the output.

    Raises:
        InputError: as :func:`align`.
    """
    start = time.thread_time()
    result = ter(output, [text], options)
    drawn = Alignment(output, text, columns(result))
    own = drawn if first is None else align(first, text, options)
    return Aligned(own, result.edits, result.words, time.thread_time() - start)


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
