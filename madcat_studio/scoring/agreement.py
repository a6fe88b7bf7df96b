"""How far two people or teams agree who measured the same things.

* limits of agreement: Bland and Altman, "Statistical Methods for Assessing Agreement between Two
  Methods of Clinical Measurement", The Lancet 327 (1986): mean difference +/- 1.96 standard
  deviations;
* rank correlation: Spearman's rho, the correlation of ranks. Written out here because importing
  SciPy's takes 1.5 s and 48 MiB, a third of what a whole report needs;
* Krippendorff's alpha for interval data ("Computing Krippendorff's Alpha-Reliability", 2011): two
  or more values a unit, units with fewer are left out. 1 is perfect, 0 is chance. Written out
  here because the public implementation counts pairs of distinct values, which for rates grows
  with the square of the data; for intervals a closed form needs one pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Limits", "interval_alpha", "limits_of_agreement", "rank_correlation"]

_WIDTH = 1.96  # standard deviations: 95 % of a normal distribution


@dataclass(frozen=True, slots=True)
class Limits:
    """Mean of the differences, their standard deviation, and the limits of agreement.

    Attributes:
        count: how many pairs.
        mean: of first minus second.
        deviation: sample standard deviation.
        low, high: mean -/+ 1.96 deviations.
    """

    count: int
    mean: float
    deviation: float
    low: float
    high: float


def limits_of_agreement(first: ArrayLike, second: ArrayLike) -> Limits | None:
    """Limits of agreement of two measurements of the same things; None with fewer than two.

    Args:
        first: shape (n,).
        second: shape (n,), in the same order.
    """
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    if len(differences) < 2:
        return None
    mean = float(differences.mean())
    deviation = float(differences.std(ddof=1))
    return Limits(
        len(differences), mean, deviation, mean - _WIDTH * deviation, mean + _WIDTH * deviation
    )


def rank_correlation(first: ArrayLike, second: ArrayLike) -> float | None:
    """Spearman's rho; None with fewer than three pairs or where one side never varies."""
    one = np.asarray(first, dtype=np.float64)
    other = np.asarray(second, dtype=np.float64)
    if len(one) < 3 or (one == one[0]).all() or (other == other[0]).all():
        return None
    return float(np.corrcoef(_ranks(one), _ranks(other))[1, 0])


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The ranks from 1; equal values share the mean of theirs."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    means: NDArray[np.float64] = (last - (count - 1) / 2)[place]
    return means


def interval_alpha(units: Iterable[Sequence[float]]) -> float | None:
    """Krippendorff's alpha for interval data; None without variation or without pairs.

    Args:
        units: the values of each unit, from however many people measured it.

    >>> interval_alpha([[1, 1], [2, 2], [3, 3]])
    1.0
    """
    count = 0
    observed: list[float] = []
    values: list[float] = []
    for unit in units:
        size = len(unit)
        if size < 2:
            continue
        count += size
        values.extend(unit)
        mean = math.fsum(unit) / size
        # The squared differences of all ordered pairs of a unit sum to 2 m times its squares
        # about the mean; each pair has the weight 1 / (m - 1).
        squares = math.fsum((value - mean) ** 2 for value in unit)
        observed.append(2 * size * squares / (size - 1))
    if count < 2:
        return None
    mean = math.fsum(values) / count
    expected = 2 * math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    if expected <= 0:
        return None
    return 1 - math.fsum(observed) / count / expected
