"""Whether two metrics' correlations with people differ: the permutation of both.

Deutsch, Dror and Roth, "A Statistical Analysis of Summarization Evaluation Metrics Using Resampling
Methods", TACL 2021 (PERM-BOTH): both metrics are put on one scale, and their scores are swapped for
random systems and then for random inputs. Here an input is a source document with all its segments,
pages and scribes, since they are not independent. The coefficient is Pearson's over all segments.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from madcat_studio.scoring.resampling import Resampling

__all__ = ["permutation_of_both"]

_Numbers = NDArray[np.float64]

_AT_ONCE = 1_000_000  # cells of swapped scores in memory together


def permutation_of_both(
    metrics: ArrayLike,
    people: ArrayLike,
    systems: NDArray[np.intp],
    documents: NDArray[np.intp],
    pairs: Sequence[tuple[int, int]],
    how: Resampling = Resampling(),
) -> list[float | None]:
    """The two-sided p of each pair of metrics.

    Args:
        metrics: (metrics, segments).
        people: (segments,).
        systems: the number of the system of each segment.
        documents: the number of the source document of each segment.
        pairs: which metrics are compared.
        how: how many permutations, with which seed.

    Returns:
        For each pair (1 + times at least as extreme) / (1 + permutations); None where one of the
        metrics, or what people said, is constant.
    """
    values, said = np.asarray(metrics, np.float64), np.asarray(people, np.float64)
    varied = np.ptp(values, axis=1) > 0
    wanted = [pair for pair in pairs if varied[pair[0]] and varied[pair[1]]]
    if not wanted or np.ptp(said) == 0:
        return [None] * len(pairs)
    count = int(documents.max()) + 1
    cells, own = np.unique(systems * count + documents, return_inverse=True)
    z = _standard(said)
    sums = np.zeros((len(values), 3, len(cells)))
    for place in {place for pair in wanted for place in pair}:
        x = _standard(values[place])
        for part, summed in enumerate((x, x * x, x * z)):
            sums[place, part] = np.bincount(own, summed)
    firsts, seconds = (list(places) for places in zip(*wanted, strict=True))
    changes = (sums[seconds] - sums[firsts]).reshape(-1, len(cells)).T
    totals = sums.sum(axis=2)
    seen = np.abs(_r(totals[firsts], len(z)) - _r(totals[seconds], len(z)))
    extreme = np.zeros(len(wanted), np.intp)
    generator = np.random.default_rng(how.seed + 2)
    of_system, of_document = cells // count, cells % count
    step = max(1, _AT_ONCE // len(cells))
    for start in range(0, how.resamples, step):
        rows = min(step, how.resamples - start)
        by_system = generator.integers(0, 2, (rows, int(systems.max()) + 1), dtype=np.int8)
        by_document = generator.integers(0, 2, (rows, count), dtype=np.int8)
        # What is swapped twice stands where it stood.
        swapped = (by_system[:, of_system] ^ by_document[:, of_document]).astype(np.float64)
        moved = (swapped @ changes).reshape(rows, len(wanted), 3)
        one = _r(totals[firsts] + moved, len(z))
        other = _r(totals[seconds] - moved, len(z))
        # Sums in another order differ in the last digits; what is as extreme must count as such.
        extreme += (np.abs(one - other) >= seen - 1e-12).sum(axis=0)
    made = dict(zip(wanted, ((1 + extreme) / (1 + how.resamples)).tolist(), strict=True))
    return [made.get(pair) for pair in pairs]


def _standard(values: _Numbers) -> _Numbers:
    return np.asarray((values - values.mean()) / values.std())


def _r(sums: _Numbers, size: int) -> _Numbers:
    """Pearson's r with people, who have mean 0 and deviation 1, from sums of x, x² and xz."""
    total, squares, both = (sums[..., part] / size for part in range(3))
    return np.asarray(both / np.sqrt(np.maximum(squares - total**2, 1e-300)))
