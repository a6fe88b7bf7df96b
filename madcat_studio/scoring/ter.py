"""Translation edit rate, exactly as tercom 0.7.25 computes it.

TER (Snover, Dorr, Schwartz, Micciulla and Makhoul, "A Study of Translation Edit Rate with
Targeted Human Annotation", AMTA 2006) counts the insertions, deletions, substitutions and shifts
of blocks that turn the output into the reference, divided by the words of the reference. The
search for shifts is greedy, and its limits and tie rules decide the number: those of tercom are
followed to the letter (docs/engine.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from madcat_studio.errors import InputError, UsageError
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.scoring import kernel
from madcat_studio.scoring.text import TextOptions, check_text, check_texts, words

__all__ = [
    "MOST_WORDS",
    "Costs",
    "Shift",
    "TerCorpus",
    "TerOptions",
    "TerResult",
    "rate",
    "ter",
    "ter_corpus",
    "ter_words",
]

MOST_WORDS = 100_000
"""Most words of one text that are scored; the work grows with the square of the length."""


LEAST_SHIFT_COST = 1e-6
"""A shift that costs less can vanish in the rounding of the sums."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What each kind of edit costs; tercom ``-M -T -I -D -B``.

    Raises:
        UsageError: a cost is negative or not finite, or a shift costs nothing (tercom would then
            go on shifting for ever).
    """

    match: float = 0.0
    shift: float = 1.0
    insertion: float = 1.0
    deletion: float = 1.0
    substitution: float = 1.0

    def __post_init__(self) -> None:
        for name, cost in zip(self.__slots__, self.values(), strict=True):
            if not (math.isfinite(cost) and cost >= 0):
                raise UsageError(
                    "scoring.cost",
                    f"the cost of a {name} is {cost}",
                    remedy="Costs are finite numbers, 0 or more",
                )
        if self.shift < LEAST_SHIFT_COST:
            raise UsageError(
                "scoring.cost",
                f"the cost of a shift is {self.shift}, and shifting would never end",
                remedy=f"It is at least {LEAST_SHIFT_COST}; turn shifts off by their distance, 0",
            )

    def values(self) -> tuple[float, float, float, float, float]:
        """The costs in the order of the attributes, as floats."""
        return (
            float(self.match),
            float(self.shift),
            float(self.insertion),
            float(self.deletion),
            float(self.substitution),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TerOptions(TextOptions):
    """All settings that a TER depends on. The defaults are those of the plan: ``-s -N``.

    Attributes:
        beam: how far, in edits, a path may lie above the best one of the column before; tercom's
            default is 20. The beam can raise a number (an omission of more than 20 words).
            None: no beam, the exact edit distance.
        max_shift_distance: how many words a block may move; 0 turns shifts off.
        costs: of each kind of edit.
    """

    beam: int | None = 20
    max_shift_distance: int = 50
    costs: Costs = field(default_factory=Costs)

    def __post_init__(self) -> None:
        if self.beam is not None and self.beam < 0:
            raise UsageError(
                "scoring.beam",
                f"the beam is {self.beam}",
                remedy="It is 0 or more; tercom's own is 20",
            )


@dataclass(frozen=True, slots=True)
class Shift:
    """One block of words that moved: one edit.

    Attributes:
        start: first word of the block, counted from 0 in the output as it stood before this shift.
        end: last word of the block.
        moveto: the reference word behind which the block belongs; -1: the front.
        newloc: the word of the output, as it then stood, behind which the block went; -1: the
            front. Where it lies within the block, the block went ``newloc - start`` words right.
        words: the words of the block.
    """

    start: int
    end: int
    moveto: int
    newloc: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TerResult:
    """What it takes to turn one output into the best of its references.

    Attributes:
        insertions: words that only the output has.
        deletions: words that only the reference has.
        substitutions: words against others.
        shifts: the blocks that moved, in order.
        edits: the cost of all edits; with the usual costs, their number.
        words: mean number of words of the references (or of the ``lengths``): the denominator.
        alignment: one character a step over the shifted output and the reference: blank for a
            match, ``S``, ``I`` (a word of the output only), ``D`` (of the reference only).
        reference_index: which reference needs the fewest edits; the first of equals.
        output_words: the words of the output, before any shift.
        reference_words: the words of that reference.
    """

    insertions: int
    deletions: int
    substitutions: int
    shifts: tuple[Shift, ...]
    edits: float
    words: float
    alignment: str
    reference_index: int
    output_words: tuple[str, ...]
    reference_words: tuple[str, ...]

    @property
    def shift_count(self) -> int:
        """Number of shifts."""
        return len(self.shifts)

    @property
    def shifted_words(self) -> int:
        """Number of words that moved, all shifts together."""
        return sum(shift.end - shift.start + 1 for shift in self.shifts)

    @property
    def matches(self) -> int:
        """Number of words that agree."""
        return self.alignment.count(" ")

    @property
    def rate(self) -> float | None:
        """Edits / words; may exceed 1. 0.0 for nothing against nothing, None for edits of nothing.

        None is shown as "n/a"; the edits count in totals all the same.
        """
        return rate(self.edits, self.words)

    @property
    def shifted_output(self) -> tuple[str, ...]:
        """The words of the output after all shifts, as the alignment goes over them."""
        shifted = list(self.output_words)
        for shift in self.shifts:
            shifted = kernel.move(shifted, shift.start, shift.end, shift.newloc)
        return tuple(shifted)


@dataclass(frozen=True, slots=True)
class TerCorpus:
    """The results of many segments; the rate comes from the sums, never from averaged rates.

    Attributes:
        segments: one result for each output, in order. ``edits`` and ``words`` of each are the
            sufficient statistics for resampling.
    """

    segments: tuple[TerResult, ...]

    @property
    def insertions(self) -> int:
        """Insertions of all segments."""
        return sum(segment.insertions for segment in self.segments)

    @property
    def deletions(self) -> int:
        """Deletions of all segments."""
        return sum(segment.deletions for segment in self.segments)

    @property
    def substitutions(self) -> int:
        """Substitutions of all segments."""
        return sum(segment.substitutions for segment in self.segments)

    @property
    def shift_count(self) -> int:
        """Shifts of all segments."""
        return sum(segment.shift_count for segment in self.segments)

    @property
    def shifted_words(self) -> int:
        """Words that moved, all segments together."""
        return sum(segment.shifted_words for segment in self.segments)

    @property
    def edits(self) -> float:
        """Edits of all segments."""
        return math.fsum(segment.edits for segment in self.segments)

    @property
    def words(self) -> float:
        """Reference words of all segments."""
        return math.fsum(segment.words for segment in self.segments)

    @property
    def rate(self) -> float | None:
        """Edits / words of all segments together; None for edits of nothing."""
        return rate(self.edits, self.words)


def rate(edits: float, words: float) -> float | None:
    """Edits / words: 0.0 where both are 0, None where there are edits and no words."""
    if words > 0:
        return edits / words
    return None if edits > 0 else 0.0


def ter(
    output: str,
    references: Sequence[str],
    options: TerOptions = TerOptions(),
    lengths: Sequence[str] | None = None,
) -> TerResult:
    """The TER of one output against one or more references.

    Args:
        output: the text that is scored.
        references: what it is compared with; the one that needs the fewest edits counts, and the
            number of words is the mean over all of them.
        options: what is done to the texts and how the search is limited.
        lengths: texts that give the number of words instead of ``references`` (tercom ``-a``).

    Raises:
        InputError: a bare string for ``references`` or ``lengths``, no reference, NUL or a lone
            surrogate in a text, a text of more than :data:`MOST_WORDS` words.

    >>> ter("d e f g h a b c", ["a b c d e f g h"]).rate
    0.125
    """
    check_text(output, "the output")
    check_texts(references, "references")
    if lengths is not None:
        check_texts(lengths, "lengths")
    return ter_words(
        words(output, options),
        [words(reference, options) for reference in references],
        options,
        None if lengths is None else [len(words(text, options)) for text in lengths],
    )


def ter_words(
    output: Sequence[str],
    references: Sequence[Sequence[str]],
    options: TerOptions = TerOptions(),
    lengths: Sequence[int] | None = None,
) -> TerResult:
    """Like :func:`ter`, of words that were split already; the text options do nothing here.

    Args:
        output: the words that are scored.
        references: the words of each reference.
        options: how the search is limited.
        lengths: numbers of words whose mean is the denominator instead of the references'.

    Raises:
        InputError: a bare string, no reference, a text of more than :data:`MOST_WORDS` words.
    """
    if isinstance(output, str) or isinstance(references, str):
        raise InputError("scoring.bare-string", "words must come as a list, not as a single text")
    if not references or (lengths is not None and not lengths):
        raise InputError(
            "scoring.no-reference",
            "there is nothing to compare the output with",
            remedy="Give at least one reference",
        )
    best: tuple[float, str, list[tuple[int, int, int, int]]] | None = None
    best_index = 0
    for index, reference in enumerate(references):
        if isinstance(reference, str):
            raise InputError(
                "scoring.bare-string", "a reference must come as a list of words, not as a text"
            )
        longest = max(len(output), len(reference))
        if longest > MOST_WORDS:
            raise InputError(
                "scoring.too-long",
                f"a segment has {longest} words",
                remedy=f"Split it: at most {MOST_WORDS} words are scored as one",
            )
        found = _align(output, reference, options)
        if best is None or found[0] < best[0]:
            best, best_index = found, index
    assert best is not None
    edits, path, shifts = best
    counted = [len(reference) for reference in references] if lengths is None else lengths
    return TerResult(
        insertions=path.count("I"),
        deletions=path.count("D"),
        substitutions=path.count("S"),
        shifts=_with_words(output, shifts),
        edits=edits,
        words=sum(counted) / len(counted),
        alignment=path,
        reference_index=best_index,
        output_words=tuple(output),
        reference_words=tuple(references[best_index]),
    )


def _align(
    output: Sequence[str], reference: Sequence[str], options: TerOptions
) -> tuple[float, str, list[tuple[int, int, int, int]]]:
    if not output or not reference:
        # tercom counts these, whatever the costs.
        return float(len(output) or len(reference)), "I" * len(output) or "D" * len(reference), []
    ids: dict[str, int] = {}
    reference_ids = [ids.setdefault(word, len(ids)) for word in reference]
    output_ids = [ids.setdefault(word, len(ids)) for word in output]
    return kernel.align(
        output_ids,
        reference_ids,
        options.costs.values(),
        -1 if options.beam is None else options.beam,
        options.max_shift_distance,
    )


def _with_words(
    output: Sequence[str], shifts: Iterable[tuple[int, int, int, int]]
) -> tuple[Shift, ...]:
    def steps() -> Iterator[Shift]:
        current = list(output)
        for start, end, moveto, newloc in shifts:
            yield Shift(start, end, moveto, newloc, tuple(current[start : end + 1]))
            current = kernel.move(current, start, end, newloc)

    return tuple(steps())


def ter_corpus(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    options: TerOptions = TerOptions(),
    lengths: Sequence[Sequence[str]] | None = None,
    *,
    progress: Progress = SILENT,
) -> TerCorpus:
    """The TER of many outputs.

    Args:
        outputs: one text a segment.
        references: for each segment its references, a list even where there is only one.
        options: what is done to the texts and how the search is limited.
        lengths: for each segment the texts that give its number of words.
        progress: told after every segment.

    Raises:
        InputError: as :func:`ter`, and where the numbers of segments differ.
        Cancelled: ``progress`` said so.
    """
    check_texts(outputs, "outputs")
    for name, other in (("references", references), ("lengths", lengths)):
        if isinstance(other, str):
            raise InputError("scoring.bare-string", f"{name} must be a list of lists of texts")
        if other is not None and len(other) != len(outputs):
            raise InputError(
                "scoring.unequal",
                f"there are {len(outputs)} outputs and {len(other)} {name}",
                remedy="Give one list of texts for each output, in the same order",
            )
    results: list[TerResult] = []
    for index, output in enumerate(outputs):
        if progress.cancelled():
            raise Cancelled
        results.append(
            ter(output, references[index], options, None if lengths is None else lengths[index])
        )
        progress.advance(index + 1, len(outputs))
    return TerCorpus(tuple(results))
