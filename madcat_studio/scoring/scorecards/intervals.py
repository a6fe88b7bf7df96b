"""Percentile intervals as all three scorecards define them.

The replicate values are sorted; the interval runs from item ``int(B * 0.025)`` to item
``int(B * 0.975) - 1`` (of 1,000: the 26th and the 975th), with no interpolation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from madcat_studio.scoring.scorecards.draws import resamples

__all__ = ["REPLICATES", "Interval", "mean_interval", "percentile_interval"]

REPLICATES = 1000
"""Resamples of every interval and test of the scorecards."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A point with its 95 % interval; all None when there was nothing to resample."""

    point: float | None
    low: float | None
    high: float | None


def percentile_interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """The 2.5 % and 97.5 % items of the sorted replicate ``values`` (not empty)."""
    ordered = np.sort(values)
    count = len(ordered)
    low = int(count * 0.025)
    high = max(int(count * 0.975) - 1, low)
    return float(ordered[low]), float(ordered[high])


def mean_interval(values: Sequence[float], seed: int, replicates: int = REPLICATES) -> Interval:
    """The mean of ``values`` and its bootstrap interval.

    No value gives no interval; a single value is its own interval.
    """
    if not values:
        return Interval(None, None, None)
    if len(values) == 1:
        return Interval(values[0], values[0], values[0])
    array = np.asarray(values, dtype=np.float64)
    means = array[resamples(seed, len(array), replicates)].mean(axis=1)
    return Interval(float(array.mean()), *percentile_interval(means))
