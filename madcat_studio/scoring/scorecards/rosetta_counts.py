"""The counts that chrF++ comes from, for entries, runs and resamples alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from madcat_studio.progress import Cancelled, Progress
from madcat_studio.scoring.scorecards.compiled import cards
from madcat_studio.scoring.scorecards.draws import draws
from madcat_studio.scoring.scorecards.intervals import REPLICATES
from madcat_studio.scoring.scorecards.rosetta_run import Entry

if TYPE_CHECKING:
    from sacrebleu.metrics.chrf import CHRF

__all__ = [
    "AT_ONCE",
    "SEED",
    "chrf",
    "chrf_counts",
    "chrf_statistics",
    "counts_by_sacrebleu",
    "replicated",
]

SEED = 12345
"""Of intervals and tests: the document gives none; sacrebleu's default."""

AT_ONCE = 500
"""Entries between two looks at whether the user stopped it."""
_NUMBERS = 2_000_000
"""Draws that are held at once."""


def _library() -> CHRF:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF(char_order=6, word_order=2, beta=2)


def chrf_statistics(entries: Sequence[Entry], progress: Progress) -> NDArray[np.float64]:
    """:func:`chrf_counts` of each entry."""
    parts = [np.empty((0, 24))]
    for start in range(0, len(entries), AT_ONCE):
        if progress.cancelled():
            raise Cancelled
        progress.advance(start, len(entries), "counting n-grams")
        own = entries[start : start + AT_ONCE]
        parts.append(chrf_counts([(entry.predicted, entry.expected) for entry in own]))
    return np.concatenate(parts)


def chrf_counts(pairs: Iterable[tuple[str, str]]) -> NDArray[np.float64]:
    """Of each output and its reference sacrebleu's (output, reference, match) of 6 + 2 orders.

    Compiled where the kernel is: the same numbers.
    """
    pairs = list(pairs)
    module = cards("chrf_counts")
    if module is not None:
        found: NDArray[np.float64] = module.chrf_counts(
            [output for output, _ in pairs], [reference for _, reference in pairs]
        )
        return found
    return counts_by_sacrebleu(pairs)


def counts_by_sacrebleu(pairs: Iterable[tuple[str, str]]) -> NDArray[np.float64]:
    """The same by sacrebleu's own functions."""
    metric = _library()
    rows: list[list[int]] = []
    for output, reference in pairs:
        rows += metric._extract_corpus_statistics([output], [[reference]])
    return np.array(rows, dtype=np.float64).reshape(len(rows), 24)


def chrf(statistics: NDArray[np.float64]) -> NDArray[np.float64]:
    """sacrebleu's chrF++ of each row of statistics: P and R averaged over the orders that both
    sides have, then F with beta 2."""
    output, reference, match = (statistics[:, part::3] for part in range(3))
    both = (output > 0) & (reference > 0)
    orders = both.sum(axis=1)
    safe = np.maximum(orders, 1)
    precision = np.divide(match, output, out=np.zeros_like(match), where=both).sum(axis=1) / safe
    recall = np.divide(match, reference, out=np.zeros_like(match), where=both).sum(axis=1) / safe
    divisor = 4 * precision + recall
    score: NDArray[np.float64] = np.divide(
        100 * 5 * precision * recall, divisor, out=np.zeros_like(divisor), where=divisor > 0
    )
    return score


def replicated(*columns: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """The sums of each column over each replicate: the same entries for all of them.

    Args:
        columns: (entries,) or (entries, numbers) each.

    Returns:
        For each (replicates,) or (replicates, numbers).
    """
    count = len(columns[0])
    drawn = draws(SEED, count)
    # How often each entry is drawn, for so many replicates at a time as need little memory.
    at_once = max(1, min(REPLICATES, _NUMBERS // count))
    sums: list[list[NDArray[np.float64]]] = [[] for _ in columns]
    for start in range(0, REPLICATES, at_once):
        rows = min(at_once, REPLICATES - start)
        flat = drawn(rows * count).reshape(rows, count)
        flat += np.arange(rows)[:, None] * count
        times = np.bincount(flat.ravel(), minlength=rows * count).reshape(rows, count)
        weights = times.astype(np.float64)
        for own, column in zip(sums, columns, strict=True):
            own.append(weights @ column)
    return [np.concatenate(own) for own in sums]
