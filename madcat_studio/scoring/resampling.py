"""How far a rate could have come out otherwise: intervals and comparisons by resampling.

What is drawn is the *source document*: its scribes and pages go together, because they share a
text and are not independent. Only sums are drawn (edits and words of each source document), so
that a thousand resamples of ten thousand documents take a fraction of a second.

* intervals: percentile bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993,
  chapter 13), its percentiles expanded for small samples (Hesterberg, "What Teachers Should Know
  About the Bootstrap", The American Statistician 69, 2015): plain percentiles of n documents are
  too narrow by the root of (n - 1) / n, and take the normal's quantile for Student's;
* two systems: paired bootstrap (Koehn, "Statistical Significance Tests for Machine Translation
  Evaluation", EMNLP 2004), with the same documents drawn for both, and approximate randomisation
  (Noreen, "Computer-Intensive Methods for Testing Hypotheses", 1989; Riezler and Maxwell, "On Some
  Pitfalls in Automatic Evaluation and Significance Testing for MT", 2005), which swaps the two
  systems' results on random documents;
* many comparisons: Holm's correction ("A Simple Sequentially Rejective Multiple Test Procedure",
  Scandinavian Journal of Statistics 6, 1979).

A p-value is (1 + times at least as extreme) / (1 + resamples), so it is never 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from madcat_studio.scoring.student import quantile

__all__ = [
    "ENOUGH",
    "LEVEL",
    "RESAMPLES",
    "SEED",
    "Comparison",
    "Interval",
    "Resampling",
    "analyse",
    "compare",
    "compare_each",
    "coverage",
    "difference_interval",
    "holm",
    "interval",
    "more_needed",
    "percentiles",
    "randomisation_p",
]

RESAMPLES = 1000
LEVEL = 0.95
SEED = 20090813
"""The seed of every report, unless another is asked for."""

ENOUGH = 30
"""Documents from which an interval holds the true value about as often as its level says."""

_COVERAGE = {2: 0.49, 3: 0.74, 5: 0.90, 10: 0.93, 20: 0.93}
"""How often intervals at 95 % hold the true value for fewer; benchmarks/bench_coverage.py."""

POWER = 0.8

_AT_ONCE = 1_000_000  # drawn documents in memory together

_Numbers = NDArray[np.float64]


_Call = TypeVar("_Call")


def _in_turn(work: Callable[..., _Call], calls: Sequence[tuple[Any, ...]]) -> list[_Call]:
    return [work(*call) for call in calls]


@dataclass(frozen=True, slots=True)
class Resampling:
    """How resamples are drawn.

    Attributes:
        resamples: how many.
        level: of an interval, such as 0.95.
        seed: the same seed gives the same numbers.
        each: calls a function of this module with each of several arguments: one after another, or
            wherever there is somebody to do it; the numbers are the same.
    """

    resamples: int = RESAMPLES
    level: float = LEVEL
    seed: int = SEED
    each: Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], list[Any]] = field(
        default=_in_turn, compare=False, repr=False
    )


@dataclass(frozen=True, slots=True)
class Interval:
    """A rate (or a difference of rates) with its percentile interval."""

    point: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """One system against another on the same source documents.

    Attributes:
        difference: rate of the first minus rate of the second, with its interval.
        p_bootstrap: two-sided, paired bootstrap.
        p_randomisation: two-sided, approximate randomisation.
        clusters: source documents that both were scored on.
        deviation: the standard deviation of the difference over the resamples.
    """

    difference: Interval
    p_bootstrap: float
    p_randomisation: float
    clusters: int
    deviation: float


def _sums(numbers: ArrayLike) -> _Numbers:
    array = np.asarray(numbers, dtype=np.float64)
    if array.ndim == 1:
        array = array[np.newaxis]
    return array


def _rates(edits: _Numbers, words: _Numbers) -> _Numbers:
    """Rates of sums; 0 for nothing over nothing, nan for edits over no words."""
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = edits / words
    rates[(words <= 0) & (edits <= 0)] = 0.0
    rates[(words <= 0) & (edits > 0)] = np.nan
    return np.asarray(rates)


def _resampled(edits: _Numbers, words: _Numbers, how: Resampling) -> _Numbers:
    """Rates of all drawings: (resamples, systems). All systems see the same drawing."""
    generator = np.random.default_rng(how.seed)
    resamples = how.resamples
    systems, clusters = edits.shape
    columns = np.concatenate([edits, words]).T
    rates = np.empty((resamples, systems))
    step = max(1, _AT_ONCE // clusters)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        # How often each cluster was drawn, then one product: quicker than gathering the sums.
        drawn = generator.integers(0, clusters, size=(size, clusters), dtype=np.int32)
        drawn += np.arange(0, size * clusters, clusters, dtype=np.int32)[:, np.newaxis]
        times = np.bincount(drawn.ravel(), minlength=size * clusters).reshape(size, clusters)
        sums = times.astype(np.float64) @ columns
        rates[start : start + size] = _rates(sums[:, :systems], sums[:, systems:])
    return rates


def percentiles(values: _Numbers, level: float, clusters: int) -> tuple[float, float]:
    """The ends of an interval by the values of all resamples, expanded for small samples.

    Args:
        values: one of each resample; nan where there is none.
        level: such as 0.95.
        clusters: how many there were to draw from, two at least.
    """
    low, high = _ends(values[:, np.newaxis], level, clusters)
    return float(low[0]), float(high[0])


def _ends(drawn: _Numbers, level: float, clusters: int) -> _Numbers:
    """The ends of the interval of each column of resamples."""
    spread = math.sqrt(clusters / (clusters - 1)) * quantile((1 - level) / 2, clusters - 1)
    tail = NormalDist().cdf(spread)
    # A drawing of nothing but documents with edits and no words has no rate.
    of_drawn = np.nanquantile if np.isnan(drawn).any() else np.quantile
    return np.asarray(of_drawn(drawn, [tail, 1 - tail], axis=0))


def _intervals(
    points: Sequence[float], drawn: _Numbers, level: float, clusters: int
) -> list[Interval]:
    """The interval of each column of drawings."""
    return [
        Interval(float(point), float(low), float(high))
        for point, low, high in zip(points, *_ends(drawn, level, clusters), strict=True)
    ]


def coverage(clusters: int) -> float | None:
    """How often an interval at 95 % over so few documents holds the true value; None if enough."""
    if clusters >= ENOUGH:
        return None
    return _COVERAGE[max(known for known in _COVERAGE if known <= max(clusters, 2))]


def interval(
    edits: ArrayLike,
    words: ArrayLike,
    how: Resampling = Resampling(),
) -> Interval | None:
    """The rate of all clusters together with its bootstrap interval.

    Args:
        edits: sum of edits of each cluster, shape (clusters,).
        words: sum of words of each cluster, the same shape.
        how: how often clusters are drawn, with which seed, for which level.

    Returns:
        None with fewer than two clusters, or where there are edits over no words at all.
    """
    e, w = _sums(edits), _sums(words)
    if e.shape[1] < 2:
        return None
    point = float(_rates(e.sum(axis=1), w.sum(axis=1))[0])
    if np.isnan(point):
        return None
    return _interval_of((point, _resampled(e, w, how)[:, 0]), how.level, e.shape[1])


def difference_interval(
    first: tuple[ArrayLike, ArrayLike],
    second: tuple[ArrayLike, ArrayLike],
    how: Resampling = Resampling(),
) -> Interval | None:
    """The difference of two rates over the same clusters, first minus second, with its interval.

    Args:
        first: edits and words of each cluster, shape (clusters,) each.
        second: likewise, the same clusters in the same order.
        how: as for :func:`interval`.

    Returns:
        None with fewer than two clusters, or where a rate does not exist.
    """
    e, w = _stacked(first, second)
    drawn = _differences(e, w, how)
    return None if drawn is None else _interval_of(drawn, how.level, e.shape[1])


def _stacked(
    first: tuple[ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike]
) -> tuple[_Numbers, _Numbers]:
    return (
        np.vstack([_sums(first[0]), _sums(second[0])]),
        np.vstack([_sums(first[1]), _sums(second[1])]),
    )


def _differences(
    edits: _Numbers, words: _Numbers, how: Resampling
) -> tuple[float, _Numbers] | None:
    """The difference of the rates as they are, and in each resample."""
    if edits.shape[1] < 2:
        return None
    points = _rates(edits.sum(axis=1), words.sum(axis=1))
    if np.isnan(points).any():
        return None
    rates = _resampled(edits, words, how)
    return float(points[0] - points[1]), rates[:, 0] - rates[:, 1]


def _interval_of(differences: tuple[float, _Numbers], level: float, clusters: int) -> Interval:
    return Interval(differences[0], *percentiles(differences[1], level, clusters))


def compare(
    first: tuple[ArrayLike, ArrayLike],
    second: tuple[ArrayLike, ArrayLike],
    how: Resampling = Resampling(),
) -> Comparison | None:
    """Compare two systems on the same clusters by both tests.

    Args:
        first, second, how: as for :func:`difference_interval`.

    Returns:
        None where :func:`difference_interval` gives None.
    """
    return analyse(*_stacked(first, second), [(0, 1)], how)[1][0]


def compare_each(
    pairs: Sequence[tuple[tuple[ArrayLike, ArrayLike], tuple[ArrayLike, ArrayLike]]],
    how: Resampling = Resampling(),
) -> list[Comparison | None]:
    """:func:`compare` of each pair, by whom ``how.each`` says."""
    alone = replace(how, each=_in_turn)  # what is sent away sends nothing on
    return how.each(compare, [(*pair, alone) for pair in pairs])


def analyse(
    edits: ArrayLike,
    words: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    how: Resampling = Resampling(),
) -> tuple[list[Interval | None], list[Comparison | None]]:
    """Many systems on the same clusters at once: what :func:`interval` and :func:`compare` give.

    All see the same drawings, which are made once.

    Args:
        edits, words: sums of each system (row) and cluster (column).
        pairs: which rows are compared.
        how: as for :func:`interval`.

    Returns:
        An interval for each system, a comparison for each pair; None where there is none.
    """
    e, w = _sums(edits), _sums(words)
    clusters = e.shape[1]
    if clusters < 2:
        return [None] * len(e), [None] * len(pairs)
    points = _rates(e.sum(axis=1), w.sum(axis=1))
    drawn = _resampled(e, w, how)
    rated = np.flatnonzero(~np.isnan(points)).tolist()
    intervals: list[Interval | None] = [None] * len(e)
    for place, one in zip(
        rated, _intervals(points[rated].tolist(), drawn[:, rated], how.level, clusters), strict=True
    ):
        intervals[place] = one
    there = [pair for pair in pairs if pair[0] in rated and pair[1] in rated]
    if not there:
        return intervals, [None] * len(pairs)
    first, second = np.array(there).T
    differences = drawn[:, first] - drawn[:, second]
    below = 1 + (differences <= 0).sum(axis=0)
    above = 1 + (differences >= 0).sum(axis=0)
    made = [
        Comparison(one, min(1.0, 2 * min(*tails) / (1 + how.resamples)), p, clusters, deviation)
        for one, tails, p, deviation in zip(
            _intervals((points[first] - points[second]).tolist(), differences, how.level, clusters),
            zip(below.tolist(), above.tolist(), strict=True),
            _randomisation(e, w, there, how),
            np.nanstd(differences, axis=0).tolist(),
            strict=True,
        )
    ]
    compared = dict(zip(there, made, strict=True))
    return intervals, [compared.get(pair) for pair in pairs]


def more_needed(comparison: Comparison, level: float = 1 - LEVEL) -> int | None:
    """How many more documents would tell two systems apart, if their difference is as it was seen.

    So many that a two-sided test at ``level`` finds it in 80 of 100 cases: the usual estimate for
    paired samples, with the normal's quantiles.

    Returns:
        At least 1; None where no difference was seen.
    """
    difference, normal = abs(comparison.difference.point), NormalDist()
    if difference < 1e-9:
        return None
    clusters = comparison.clusters
    # Resamples of n documents vary by (n - 1) / n of what new documents would.
    of_one = comparison.deviation**2 * clusters * clusters / max(clusters - 1, 1)
    wanted = (normal.inv_cdf(1 - level / 2) + normal.inv_cdf(POWER)) ** 2 * of_one / difference**2
    # With fewer, approximate randomisation cannot come below the level, however they differ.
    fewest = 1 - np.log2(level)
    return max(1, int(np.ceil(max(wanted, fewest))) - clusters)


def randomisation_p(
    first: tuple[ArrayLike, ArrayLike],
    second: tuple[ArrayLike, ArrayLike],
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> float:
    """The two-sided p of approximate randomisation alone.

    Args:
        first: edits and words of each cluster, shape (clusters,) each.
        second: likewise, the same clusters in the same order.
        resamples: how often the results are swapped.
        seed: the same seed gives the same p.
    """
    how = Resampling(resamples, seed=seed)
    return _randomisation(*_stacked(first, second), [(0, 1)], how)[0]


def _randomisation(
    edits: _Numbers, words: _Numbers, pairs: Sequence[tuple[int, int]], how: Resampling
) -> list[float]:
    """The two-sided p of the hypothesis that it does not matter whose result is whose."""
    if not pairs:
        return []
    generator = np.random.default_rng(how.seed + 1)
    resamples = how.resamples
    clusters = edits.shape[1]
    first, second = np.array(pairs).T
    points = _rates(edits.sum(axis=1), words.sum(axis=1))
    seen = np.abs(points[first] - points[second])
    changes = np.concatenate([edits[second] - edits[first], words[second] - words[first]]).T
    sums = [numbers[rows].sum(axis=1) for numbers in (edits, words) for rows in (first, second)]
    extreme = np.zeros(len(pairs), dtype=np.int64)
    step = max(1, _AT_ONCE // clusters)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        swapped = generator.integers(0, 2, size=(size, clusters), dtype=np.int8).astype(np.float64)
        more_edits, more_words = np.split(swapped @ changes, 2, axis=1)
        one = _rates(sums[0] + more_edits, sums[2] + more_words)
        other = _rates(sums[1] - more_edits, sums[3] - more_words)
        # Sums in another order differ in the last digits; what is as extreme must count as such.
        extreme += (np.abs(one - other) >= seen - 1e-12).sum(axis=0)
    return [float(p) for p in (1 + extreme) / (1 + resamples)]


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: p-values that can be held against one level whatever their number.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[index] * (len(p_values) - rank)))
        corrected[index] = highest
    return corrected
