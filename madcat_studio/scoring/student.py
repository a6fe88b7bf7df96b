"""Student's distribution by its sums for whole degrees of freedom (Abramowitz and Stegun, 26.7.3).

SciPy has it too, and takes longer to load than a look at a campaign takes in all.
"""

from __future__ import annotations

import math

__all__ = ["quantile"]


def quantile(tail: float, freedom: int) -> float:
    """The value below which a share ``tail`` lies, 0 < ``tail`` < 1.

    >>> round(quantile(0.025, 9), 6)
    -2.262157
    """
    if tail > 0.5:
        return -quantile(1 - tail, freedom)
    low, high = 0.0, math.pi / 2  # the angle whose tangent is t over the root of the freedom
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if _above(middle, freedom) > tail else (low, middle)
    return -math.tan(low) * math.sqrt(freedom)


def _above(angle: float, freedom: int) -> float:
    """The share above the value of an angle."""
    odd = freedom % 2
    sine, cosine = math.sin(angle), math.cos(angle)
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for number in range(odd, freedom - 1, 2):
        total += term
        term *= (number + 1) / (number + 2) * cosine * cosine
    within = (angle + sine * total) * 2 / math.pi if odd else sine * total
    return (1 - within) / 2
