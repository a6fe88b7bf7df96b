"""The counts that chrF++ comes from, for entries, runs and resamples alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from madcat_studio.progress import Cancelled, Progress
from madcat_studio.scoring.scorecards.draws import resamples
from madcat_studio.scoring.scorecards.intervals import REPLICATES
from madcat_studio.scoring.scorecards.rosetta_run import Entry

if TYPE_CHECKING:
    from sacrebleu.metrics.chrf import CHRF

__all__ = ["SEED", "chrf", "chrf_counts", "chrf_statistics", "times_drawn"]

SEED = 12345
"""Of intervals and tests: the document gives none; sacrebleu's default."""


def _library() -> CHRF:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF(char_order=6, word_order=2, beta=2)


def chrf_statistics(entries: Sequence[Entry], progress: Progress) -> NDArray[np.float64]:
    """:func:`chrf_counts` of each entry."""

    def texts() -> Iterator[tuple[str, str]]:
        for done, entry in enumerate(entries):
            if progress.cancelled():
                raise Cancelled
            if done % 100 == 0:
                progress.advance(done, len(entries), "counting n-grams")
            yield entry.predicted, entry.expected

    return chrf_counts(texts())


def chrf_counts(pairs: Iterable[tuple[str, str]]) -> NDArray[np.float64]:
    """Of each output and its reference sacrebleu's (output, reference, match) of 6 + 2 orders."""
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


def times_drawn(count: int) -> NDArray[np.float64]:
    """How often each entry is in each replicate: (replicates, entries)."""
    drawn = resamples(SEED, count, REPLICATES)
    flat = drawn + np.arange(REPLICATES)[:, None] * count
    return (
        np.bincount(flat.ravel(), minlength=REPLICATES * count)
        .reshape(REPLICATES, count)
        .astype(np.float64)
    )
