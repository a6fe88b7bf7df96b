"""Williams' test of two correlations that share a variable.

Williams, "Regression Analysis", 1959; Graham and Baldwin, "Testing for Significance of Increased
Correlation with Human Judgment", EMNLP 2014. It takes the units for independent, which segments of
one text are not.
"""

from __future__ import annotations

import math

__all__ = ["williams"]


def williams(first: float, second: float, between: float, count: int) -> float | None:
    """The two-sided p of the hypothesis that two metrics correlate equally with people.

    Args:
        first, second: each metric's correlation with people.
        between: that of the metrics with each other.
        count: how many units they were computed over.

    Returns:
        None with fewer than four units, or where the two metrics are the same.
    """
    from scipy.special import stdtr

    one, other, both = abs(first), abs(second), abs(between)
    if count < 4:
        return None
    determinant = 1 - one**2 - other**2 - both**2 + 2 * one * other * both
    mean = (one + other) / 2
    divisor = 2 * (count - 1) / (count - 3) * determinant + mean**2 * (1 - both) ** 3
    if divisor <= 1e-15:
        return None
    t = (one - other) * math.sqrt((count - 1) * (1 + both) / divisor)
    return float(2 * stdtr(count - 3, -abs(t)))
