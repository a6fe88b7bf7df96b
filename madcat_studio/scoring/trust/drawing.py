"""Resamples of source documents, the same ones for every metric and every coefficient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from madcat_studio.scoring.resampling import Interval, Resampling, percentiles

__all__ = ["Drawn", "interval_from", "told_apart"]

_LEAST_SHARE = 0.9
"""Of the resamples that must have a value: an interval over the others alone would be too sure."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """How often each document is in each resample.

    Attributes:
        times: (1 + resamples, documents); in row 0 each document is there once, so that whatever
            is computed of the rows has what was seen in its place 0.
        how: they were drawn.
    """

    times: NDArray[np.float64]
    how: Resampling

    @classmethod
    def of(cls, documents: int, how: Resampling = Resampling()) -> Drawn:
        """Draw as many documents as there are, each resample with replacement."""
        generator = np.random.default_rng(how.seed)
        times = np.ones((1 + how.resamples, documents))
        for row in times[1:]:
            drawn = generator.integers(0, documents, size=documents, dtype=np.int32)
            row[:] = np.bincount(drawn, minlength=documents)
        return cls(times, how)

    def part(self, documents: NDArray[np.intp]) -> tuple[NDArray[np.intp], Drawn]:
        """The documents numbered anew without those that no row is of, and their drawings."""
        there, numbers = np.unique(documents, return_inverse=True)
        if len(there) == self.times.shape[1]:
            return documents, self
        return numbers, Drawn(np.ascontiguousarray(self.times[:, there]), self.how)


def interval_from(values: NDArray[np.float64], documents: int, how: Resampling) -> Interval | None:
    """What was seen (``values[0]``) with its interval by the resamples that follow it.

    Args:
        values: nan where there is none.
        documents: how many there are to draw from.
        how: they were drawn.

    Returns:
        None where nothing was seen, with fewer than two documents, or where more than a tenth of
        the resamples have no value.
    """
    point, drawn = float(values[0]), values[1:]
    known = np.isfinite(drawn)
    if not np.isfinite(point) or documents < 2 or known.mean() < _LEAST_SHARE:
        return None
    return Interval(point, *percentiles(drawn[known], how.level, documents))


def told_apart(differences: NDArray[np.float64]) -> float | None:
    """The two-sided p of the paired bootstrap, of differences as :func:`interval_from` takes."""
    drawn = differences[1:][np.isfinite(differences[1:])]
    if not np.isfinite(differences[0]) or len(drawn) < _LEAST_SHARE * (len(differences) - 1):
        return None
    least = min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))
    return min(1.0, 2 * (1 + least) / (1 + len(drawn)))
