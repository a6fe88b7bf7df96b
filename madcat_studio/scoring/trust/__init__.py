"""Whether an automatic metric says what people say: coefficients, their intervals, their tests.

Everything stands on numbers alone: what each metric and the people gave for a segment, whose
output it is, and which source document it is of.
"""

__all__ = [
    "accuracy",
    "correlation",
    "drawing",
    "kendall",
    "metrics",
    "permutation",
    "study",
    "williams",
]
