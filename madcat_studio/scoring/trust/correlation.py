"""Pearson's, Spearman's and Kendall's coefficients of metrics with people, in every resample."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.scoring.trust.drawing import Drawn
from madcat_studio.scoring.trust.kendall import kendall

__all__ = ["Coefficient", "averaged", "correlate"]

_Numbers = NDArray[np.float64]

_NOTHING = 1e-13
"""Of a variance, as a share of what the values vary over all: what rounding leaves of none."""


class Coefficient(StrEnum):
    """How much two columns say the same."""

    KENDALL = "Kendall's tau-b"
    SPEARMAN = "Spearman's rho"
    PEARSON = "Pearson's r"


def correlate(
    metrics: ArrayLike,
    people: ArrayLike,
    documents: NDArray[np.intp],
    drawn: Drawn,
    coefficients: tuple[Coefficient, ...] = tuple(Coefficient),
    progress: Progress = SILENT,
) -> dict[Coefficient, _Numbers]:
    """The coefficients of each metric with what people said, as it was seen and in each resample.

    Args:
        metrics: (metrics, segments).
        people: (segments,).
        documents: the number of the source document of each segment.
        drawn: the resamples.
        coefficients: which.
        progress: may cancel.

    Returns:
        Coefficient -> (1 + resamples, metrics); nan where a column is constant.

    Raises:
        Cancelled: ``progress`` said so.
    """
    values, said = np.asarray(metrics, np.float64), np.asarray(people, np.float64)
    documents, drawn = drawn.part(documents)
    found: dict[Coefficient, _Numbers] = {}
    for one in coefficients:
        made = np.full((len(drawn.times), len(values)), np.nan)
        use = [place for place, row in enumerate(values) if np.ptp(row) > 0]
        if use and np.ptp(said) > 0:
            match one:
                case Coefficient.PEARSON:
                    made[:, use] = _pearson(values[use], said, documents, drawn.times)
                case Coefficient.SPEARMAN:
                    made[:, use] = _spearman(values[use], said, documents, drawn.times, progress)
                case Coefficient.KENDALL:
                    _look(progress)
                    made[:, use] = kendall(values[use], said, documents, drawn.times)
        found[one] = made
    return found


def averaged(parts: Iterator[_Numbers]) -> tuple[_Numbers | None, int]:
    """The mean over groups, such as systems, of those that have a coefficient at all.

    Returns:
        The mean in each resample, and how many groups there were.
    """
    groups = list(parts)
    if not groups:
        return None, 0
    stacked = np.stack(groups)
    known = np.isfinite(stacked)
    counts = known.sum(axis=0)
    sums = np.where(known, stacked, 0.0).sum(axis=0)
    means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return means, len(groups)


def _look(progress: Progress) -> None:
    if progress.cancelled():
        raise Cancelled


def _pearson(
    metrics: _Numbers, people: _Numbers, documents: NDArray[np.intp], times: _Numbers
) -> _Numbers:
    """From each document's sums; about the means, so that no digits are lost."""
    count = times.shape[1]
    y = people - people.mean()
    x = metrics - metrics.mean(axis=1, keepdims=True)

    def drawn(values: _Numbers) -> _Numbers:
        return np.asarray(times @ np.bincount(documents, values, minlength=count))

    sizes = drawn(np.ones(len(y)))
    sum_y, of_y = drawn(y), drawn(y * y)
    vary_y = of_y - sum_y**2 / sizes
    made = np.empty((len(times), len(x)))
    for place, row in enumerate(x):
        sum_x, of_x, both = drawn(row), drawn(row * row), drawn(row * y)
        vary_x = of_x - sum_x**2 / sizes
        with np.errstate(divide="ignore", invalid="ignore"):
            made[:, place] = (both - sum_x * sum_y / sizes) / np.sqrt(vary_x) / np.sqrt(vary_y)
        none = (vary_x <= _NOTHING * of_x[0]) | (vary_y <= _NOTHING * of_y[0])
        made[none, place] = np.nan
    return np.clip(made, -1.0, 1.0)


def _spearman(
    metrics: _Numbers,
    people: _Numbers,
    documents: NDArray[np.intp],
    times: _Numbers,
    progress: Progress,
) -> _Numbers:
    """Pearson's of the ranks that segments have within the resample, equal values in the middle.

    The sums run over ranks as they are counted from below, not about their mean: people's are about
    theirs, and what is added to all of the other column's then adds nothing.
    """
    said, columns = _Ordered(people), [_Ordered(row) for row in metrics]
    own = [documents.take(one.order) for one in (said, *columns)]
    sizes = times @ np.bincount(documents, minlength=times.shape[1]).astype(np.float64)
    made = np.empty((len(times), len(columns)))
    weighted = np.empty(len(people))
    for number, (drawn, size) in enumerate(zip(times, sizes.tolist(), strict=True)):
        if number % 16 == 0:
            _look(progress)
        times_there = drawn.take(own[0])
        there, upto, vary_y = said.counted(times_there, size)
        weighted[said.order] = times_there * said.spread(upto - (there + size) / 2)
        for place, column in enumerate(columns):
            there, upto, vary_x = column.counted(drawn.take(own[place + 1]), size)
            if vary_x > 0 and vary_y > 0:
                of_people = column.added(weighted.take(column.order))
                both = _dot(of_people, upto) - _dot(of_people, there) / 2
                made[number, place] = both / np.sqrt(vary_x) / np.sqrt(vary_y)
            else:
                made[number, place] = np.nan
    return np.clip(made, -1.0, 1.0)


class _Ordered:
    """A column's segments in the order of their values, equal ones together."""

    def __init__(self, values: _Numbers) -> None:
        self.order: NDArray[np.intp] = np.argsort(values, kind="stable")
        new = np.append(True, np.diff(values[self.order]) > 0)
        self._starts = np.nonzero(new)[0]
        self._apart = bool(new.all())
        self._lengths = np.diff(np.append(self._starts, len(values)))

    def added(self, ordered: _Numbers) -> _Numbers:
        """The sum over equal ones."""
        return ordered if self._apart else np.add.reduceat(ordered, self._starts)

    def spread(self, of_each: _Numbers) -> _Numbers:
        """What equal ones share, for each segment in order."""
        return of_each if self._apart else np.repeat(of_each, self._lengths)

    def counted(self, often: _Numbers, size: float) -> tuple[_Numbers, _Numbers, float]:
        """How many there are of each different value, how many up to it, and how ranks vary.

        A middle rank is what is there up to its value, less half of what is there of it. The ranks'
        sum of squares about their mean is (n^3 - sum t^3) / 12, t being how many are equal.

        Args:
            often: how often each segment is there, in order.
            size: how many there are of all.
        """
        there = self.added(often)
        cubes = float(np.einsum("i,i,i->", there, there, there))
        return there, np.cumsum(there), (size**3 - cubes) / 12


def _dot(one: _Numbers, other: _Numbers) -> float:
    """Not by the threads of ``@``: for sums this short they cost more than they save."""
    return float(np.einsum("i,i->", one, other))
