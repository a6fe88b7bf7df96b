"""Translation edit rate, exactly as tercom 0.7.25 computes it.

TER (Snover, Dorr, Schwartz, Micciulla and Makhoul, "A Study of Translation Edit Rate with
Targeted Human Annotation", AMTA 2006) counts the insertions, deletions, substitutions and shifts
of blocks that turn the output into the reference, divided by the words of the reference. The
search for shifts is greedy, and its limits and tie rules decide the number: those of tercom are
followed to the letter (docs/engine.md).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from operator import eq
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from madcat_ter import kernel
from madcat_ter.errors import InputError, UsageError
from madcat_ter.kernel.python_text import Ids
from madcat_ter.options import Costs, TerOptions
from madcat_ter.progress import SILENT, Cancelled, Progress, stopper
from madcat_ter.text import check_text, check_texts, fold

__all__ = [
    "MOST_WORDS",
    "Shift",
    "TerCorpus",
    "TerCounts",
    "TerResult",
    "TerSegments",
    "rate",
    "scored_words",
    "ter",
    "ter_corpus",
    "ter_counts",
    "ter_id_counts",
    "ter_word_counts",
    "ter_words",
]

MOST_WORDS = 10_000
"""Most words of one text that are scored: the memory grows with the square of the length."""


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


@dataclass(frozen=True, slots=True, eq=False)
class TerCounts:
    """The numbers of many segments and nothing else: sufficient statistics, one row a segment.

    Attributes:
        counts: insertions, deletions, substitutions, shifts, shifted words; int32, shape (n, 5).
        edits: float64, shape (n,).
        words: the denominators; float64, shape (n,).
        reference_index: which reference needs the fewest edits; int64, shape (n,).
    """

    counts: npt.NDArray[np.int32]
    edits: npt.NDArray[np.float64]
    words: npt.NDArray[np.float64]
    reference_index: npt.NDArray[np.int64]

    @property
    def rate(self) -> float | None:
        """Edits / words of all segments together; None for edits of nothing."""
        return rate(math.fsum(self.edits), math.fsum(self.words))


class TerSegments(Sequence[TerResult]):
    """The results of many segments in order, each made when it is asked for.

    Alignments and shifts are there from the start, in a compact form; an object for each segment
    would take several times as long as all the rest.
    """

    def __init__(self, parts: Sequence[_Part], options: TerOptions) -> None:
        self._parts, self._options = parts, options
        self._ends = list(accumulate(len(part.outputs) for part in parts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, at: int) -> TerResult: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[TerResult, ...]: ...
    def __getitem__(self, at: int | slice) -> TerResult | tuple[TerResult, ...]:
        if isinstance(at, slice):
            return tuple(self[number] for number in range(*at.indices(len(self))))
        place = range(len(self))[at]
        number = bisect_right(self._ends, place)
        return _result(
            self._parts[number], place - (self._ends[number - 1] if number else 0), self._options
        )

    def __iter__(self) -> Iterator[TerResult]:
        for part in self._parts:
            for index in range(len(part.outputs)):
                yield _result(part, index, self._options)

    def steps(self) -> Iterator[tuple[str, list[list[int]]]]:
        """Of each the alignment, and start, end, moveto and newloc of its shifts, without words."""
        for part in self._parts:
            for pair in part.chosen.tolist():
                yield _steps(part, pair)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class TerCorpus:
    """The results of many segments; the rate comes from the sums, never from averaged rates.

    Attributes:
        counts: the numbers of all segments. ``edits`` and ``words`` of each are the sufficient
            statistics for resampling.
        segments: one result for each output, in order.
    """

    counts: TerCounts = field(compare=False)
    segments: TerSegments

    @property
    def insertions(self) -> int:
        """Insertions of all segments."""
        return self._sum(0)

    @property
    def deletions(self) -> int:
        """Deletions of all segments."""
        return self._sum(1)

    @property
    def substitutions(self) -> int:
        """Substitutions of all segments."""
        return self._sum(2)

    @property
    def shift_count(self) -> int:
        """Shifts of all segments."""
        return self._sum(3)

    @property
    def shifted_words(self) -> int:
        """Words that moved, all segments together."""
        return self._sum(4)

    def _sum(self, column: int) -> int:
        return int(self.counts.counts[:, column].sum(dtype=np.int64))

    @property
    def edits(self) -> float:
        """Edits of all segments."""
        return math.fsum(self.counts.edits)

    @property
    def words(self) -> float:
        """Reference words of all segments."""
        return math.fsum(self.counts.words)

    @property
    def rate(self) -> float | None:
        """Edits / words of all segments together; None for edits of nothing."""
        return self.counts.rate


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
        scored_words(output, options),
        [scored_words(reference, options) for reference in references],
        options,
        None if lengths is None else [len(scored_words(text, options)) for text in lengths],
    )


def ter_words(
    output: Sequence[str],
    references: Sequence[Sequence[str]],
    options: TerOptions = TerOptions(),
    lengths: Sequence[int] | None = None,
    spans: tuple[kernel.Spans, kernel.Spans] | None = None,
    *,
    spans_move: bool = False,
    progress: Progress = SILENT,
) -> TerResult:
    """Like :func:`ter`, of words that were split already; the text options do nothing here.

    Args:
        output: the words that are scored.
        references: the words of each reference.
        options: how the search is limited.
        lengths: numbers of words whose mean is the denominator instead of the references'.
        spans: for each word of the output and of the only reference, its first and last position
            in the source (tercom ``-S``): words can only meet where these have a position in
            common.
        spans_move: a word's span goes with it for good. tercom moves it for the shift that it
            tries, and puts all back for the next one, whichever words stand there by then.
        progress: asked now and then whether to go on.

    Raises:
        Cancelled: ``progress`` said so.
        InputError: a bare string, no reference, a text of more than :data:`MOST_WORDS` words.
        UsageError: shifts cost so little that the search would never end.
    """
    if isinstance(output, str) or isinstance(references, str):
        raise InputError("scoring.bare-string", "words must be a list, not a single text")
    if not references or (lengths is not None and not lengths):
        raise _no_reference()
    best: tuple[float, str, list[tuple[int, int, int, int]]] | None = None
    best_index = 0
    for index, reference in enumerate(references):
        if isinstance(reference, str):
            raise InputError(
                "scoring.bare-string", "a reference must be a list of words, not a text"
            )
        _check_size(max(len(output), len(reference)))
        found = _align(output, reference, options, spans, spans_move, progress)
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
    output: Sequence[str],
    reference: Sequence[str],
    options: TerOptions,
    spans: tuple[kernel.Spans, kernel.Spans] | None,
    spans_move: bool,
    progress: Progress,
) -> tuple[float, str, list[tuple[int, int, int, int]]]:
    if not output or not reference:
        # tercom counts these, whatever the costs.
        return float(len(output) or len(reference)), "I" * len(output) or "D" * len(reference), []
    ids: dict[str, int] = {}
    reference_ids = [ids.setdefault(word, len(ids)) for word in reference]
    output_ids = [ids.setdefault(word, len(ids)) for word in output]
    with _ending(options):
        return kernel.align(
            output_ids,
            reference_ids,
            options.costs.values(),
            -1 if options.beam is None else options.beam,
            options.max_shift_distance,
            *(spans or (None, None)),
            stopper(progress),
            spans_move,
        )


@contextmanager
def _ending(options: TerOptions) -> Iterator[None]:
    """Tell that a search went round: tercom itself would do so for ever."""
    try:
        yield
    except ValueError as error:
        if options.costs == Costs():
            raise
        raise UsageError(
            "scoring.endless",
            f"a shift costs {options.costs.shift}, and with a segment here {error}",
            remedy="Make a shift cost more, or turn shifts off with a distance of 0",
        ) from error


def _with_words(output: Sequence[str], shifts: Iterable[Sequence[int]]) -> tuple[Shift, ...]:
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
    jobs: int = 1,
    progress: Progress = SILENT,
) -> TerCorpus:
    """The TER of many outputs, with every alignment. :func:`ter_counts` is faster without.

    Args:
        outputs: one text a segment.
        references: for each segment its references, a list even where there is only one.
        options: what is done to the texts and how the search is limited.
        lengths: for each segment the texts that give its number of words.
        jobs: how many threads compute.
        progress: told after every few hundred segments.

    Raises:
        InputError: as :func:`ter`, and where the numbers of segments differ.
        Cancelled: ``progress`` said so.
    """
    parts = list(_parts(outputs, references, options, lengths, jobs, progress, details=True))
    return TerCorpus(_counts(parts), TerSegments(parts, options))


def ter_counts(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    options: TerOptions = TerOptions(),
    lengths: Sequence[Sequence[str]] | None = None,
    *,
    jobs: int = 1,
    progress: Progress = SILENT,
) -> TerCounts:
    """The TER of many outputs, as counts only; arguments and errors as :func:`ter_corpus`."""
    return _counts(
        list(_parts(outputs, references, options, lengths, jobs, progress, details=False))
    )


def _counts(parts: Sequence[_Part]) -> TerCounts:
    if not parts:
        return TerCounts(
            np.zeros((0, 5), np.int32), np.zeros(0), np.zeros(0), np.zeros(0, np.int64)
        )
    return TerCounts(
        np.concatenate([part.counts[part.chosen] for part in parts]),
        np.concatenate([part.costs[part.chosen] for part in parts]),
        np.concatenate([part.words for part in parts]),
        np.concatenate([part.chosen - part.firsts for part in parts]),
    )


def ter_word_counts(
    outputs: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    options: TerOptions = TerOptions(),
    *,
    jobs: int = 1,
) -> TerCounts:
    """The TER of many outputs whose words are split already, one reference each, as counts only.

    Args:
        outputs: the words of each output.
        references: the words of each reference.
        options: how the search is limited; the text options do nothing here.
        jobs: how many threads compute.

    Raises:
        InputError: a bare string, different numbers, or a text of too many words.
    """
    if isinstance(outputs, str) or isinstance(references, str):
        raise InputError("scoring.bare-string", "words must be lists of lists, not a text")
    try:
        ids = kernel.text.intern(list(outputs), list(references))
    except TypeError as error:
        raise InputError("scoring.bare-string", str(error)) from error
    except ValueError as error:
        raise InputError("scoring.unequal", str(error)) from error
    return ter_id_counts(ids, options, jobs=jobs)


def ter_id_counts(
    ids: Ids,
    options: TerOptions = TerOptions(),
    *,
    jobs: int = 1,
    progress: Progress = SILENT,
) -> TerCounts:
    """Like :func:`ter_word_counts`, of words that the kernel's text module has numbered.

    Raises:
        InputError: a text of too many words.
        Cancelled: ``progress`` said so.
    """
    sizes = np.diff(ids[3], prepend=0)
    if len(sizes):
        _check_size(int(max(sizes.max(), np.diff(ids[1], prepend=0).max())))
    counts, costs = _align_batch(ids, options, jobs, details=False, progress=progress)
    return TerCounts(counts, costs, sizes.astype(np.float64), np.zeros(len(sizes), np.int64))


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of segments: one row a pair of output and reference, and which pairs count."""

    outputs: Sequence[str]
    references: Sequence[Sequence[str]]
    counts: npt.NDArray[np.int32]
    costs: npt.NDArray[np.float64]
    details: tuple[Any, ...]
    firsts: npt.NDArray[np.int64]  # the first pair of each segment
    chosen: npt.NDArray[np.int64]  # the pair that counts
    words: npt.NDArray[np.float64]


def _parts(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    options: TerOptions,
    lengths: Sequence[Sequence[str]] | None,
    jobs: int,
    progress: Progress,
    *,
    details: bool,
) -> Iterator[_Part]:
    check_texts(outputs, "outputs")
    for name, other in (("references", references), ("lengths", lengths)):
        if isinstance(other, str):
            raise InputError(
                "scoring.bare-string", f"{name} must be a list of lists of texts, not a text"
            )
        if other is not None and len(other) != len(outputs):
            raise InputError(
                "scoring.unequal",
                f"there are {len(outputs)} outputs and {len(other)} {name}",
                remedy="Give one list of texts for each output, in the same order",
            )
    if jobs < 1:
        raise UsageError(
            "scoring.jobs", f"{jobs} is not a possible number of jobs", remedy="Give 1 or more"
        )
    for first in range(0, len(outputs), _PORTION):
        if progress.cancelled():
            raise Cancelled
        last = min(first + _PORTION, len(outputs))
        yield _part(
            outputs[first:last],
            references[first:last],
            options,
            None if lengths is None else lengths[first:last],
            jobs,
            details,
            progress,
        )
        progress.advance(last, len(outputs))


_PORTION = 2048
"""Segments between two looks at the progress."""


def _part(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    options: TerOptions,
    lengths: Sequence[Sequence[str]] | None,
    jobs: int,
    details: bool,
    progress: Progress,
) -> _Part:
    for texts in references:
        if isinstance(texts, str):
            check_texts(texts, "references")
        if not texts:
            raise _no_reference()
    numbers = np.array([len(texts) for texts in references], np.int64)
    firsts = np.cumsum(numbers) - numbers
    single = len(firsts) == int(numbers.sum())
    fold_all = not options.case_sensitive or options.folds
    flat = [text for texts in references for text in texts]
    check_texts(flat, "references")
    if single:
        each = list(outputs)
    else:
        each = [output for output, texts in zip(outputs, references, strict=True) for _ in texts]
    if fold_all:
        each = [fold(text, options) for text in each]
        flat = [fold(text, options) for text in flat]
    ids = kernel.text.prepare(
        each, flat, options.normalise, options.no_punctuation, stopper(progress)
    )
    output_sizes = np.diff(ids[1], prepend=0)
    reference_sizes = np.diff(ids[3], prepend=0)
    _check_size(int(max(output_sizes.max(), reference_sizes.max())))
    counts, costs, *rest = _align_batch(ids, options, jobs, details=details, progress=progress)
    if single:
        chosen, words = firsts, reference_sizes.astype(np.float64)
    else:
        chosen = np.array(
            [
                first + int(np.argmin(costs[first : first + number]))
                for first, number in zip(firsts.tolist(), numbers.tolist(), strict=True)
            ],
            np.int64,
        )
        words = np.add.reduceat(reference_sizes.astype(np.float64), firsts) / numbers
    if lengths is not None:
        words = np.array([_mean_length(texts, options) for texts in lengths], np.float64)
    return _Part(outputs, references, counts, costs, tuple(rest), firsts, chosen, words)


def _align_batch(
    ids: Ids, options: TerOptions, jobs: int, *, details: bool, progress: Progress = SILENT
) -> tuple[Any, ...]:
    with _ending(options):
        counts, costs, *rest = kernel.align_batch(
            *ids,
            options.costs.values(),
            -1 if options.beam is None else options.beam,
            options.max_shift_distance,
            jobs,
            details,
            stopper(progress),
        )
    if options.costs != Costs():
        # tercom counts the words of a side that has nothing against it, whatever they cost.
        sizes, others = np.diff(ids[1], prepend=0), np.diff(ids[3], prepend=0)
        costs = np.where((sizes == 0) | (others == 0), (sizes + others).astype(np.float64), costs)
    return counts, costs, *rest


def _steps(part: _Part, pair: int) -> tuple[str, list[list[int]]]:
    paths, path_ends, shifts, shift_ends = part.details
    path: str = paths[path_ends[pair - 1] if pair else 0 : path_ends[pair]]
    first, last = shift_ends[pair - 1] if pair else 0, shift_ends[pair]
    return path, shifts[first:last].tolist() if first < last else []


def _result(part: _Part, index: int, options: TerOptions) -> TerResult:
    pair = int(part.chosen[index])
    insertions, deletions, substitutions, _, _ = part.counts[pair].tolist()
    path, moved = _steps(part, pair)
    reference_index = pair - int(part.firsts[index])
    output = scored_words(part.outputs[index], options)
    return TerResult(
        insertions=insertions,
        deletions=deletions,
        substitutions=substitutions,
        shifts=_with_words(output, moved),
        edits=float(part.costs[pair]),
        words=float(part.words[index]),
        alignment=path,
        reference_index=reference_index,
        output_words=tuple(output),
        reference_words=tuple(scored_words(part.references[index][reference_index], options)),
    )


def scored_words(text: str, options: TerOptions) -> list[str]:
    """The words of a text that are compared: :func:`~madcat_ter.text.words`, quicker."""
    split: list[str] = kernel.text.split(
        fold(text, options), options.normalise, options.no_punctuation
    )
    return split


def _mean_length(texts: Sequence[str], options: TerOptions) -> float:
    check_texts(texts, "lengths")
    if not texts:
        raise _no_reference()
    return sum(len(scored_words(text, options)) for text in texts) / len(texts)


def _check_size(longest: int) -> None:
    if longest > MOST_WORDS:
        raise InputError(
            "scoring.too-long",
            f"a segment has {longest} words",
            remedy=f"Split it: at most {MOST_WORDS} words can be scored as one segment",
        )


def _no_reference() -> InputError:
    return InputError(
        "scoring.no-reference",
        "there is no reference to compare the output with",
        remedy="Give at least one reference for each segment",
    )
