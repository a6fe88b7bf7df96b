"""chrF2 of one region's text, by the formula of the page scorecard and as sacrebleu has it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sacrebleu.metrics.chrf import CHRF

__all__ = ["ORDERS", "chrf2", "chrf2_sacrebleu"]

ORDERS = 6
"""Character n-grams of 1 to 6 characters."""


def chrf2(output: str, reference: str) -> float:
    """The mean over the orders of F2 of character n-grams, in 0..100.

    For each order P and R are clipped matches over the n-grams of either side and
    F = 5PR / (4P + R), 0 without a match. Blanks are characters, nothing is folded. An order for
    which neither side has an n-gram is left out of the mean; one that only one side has counts 0.
    The same text gives 100, whatever it is.
    """
    if output == reference:
        return 100.0
    if not output or not reference:
        return 0.0
    total = 0.0
    # 5PR / (4P + R) with P = m/h and R = m/r is 5m / (4r + h).
    for order in range(1, min(ORDERS, len(output), len(reference)) + 1):
        in_output = len(output) - order + 1
        in_reference = len(reference) - order + 1
        left: dict[str, int] = {}
        for start in range(in_reference):
            gram = reference[start : start + order]
            left[gram] = left.get(gram, 0) + 1
        matches = 0
        for start in range(in_output):
            gram = output[start : start + order]
            count = left.get(gram)
            if count:
                matches += 1
                left[gram] = count - 1
        if not matches:
            break  # no longer n-gram can match either
        total += 5 * matches / (4 * in_reference + in_output)
    return 100.0 * total / min(ORDERS, max(len(output), len(reference)))


@cache
def _library() -> CHRF:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()


def chrf2_sacrebleu(output: str, reference: str) -> float:
    """sacrebleu's default chrF2: precision and recall are averaged first, blanks are dropped."""
    return float(_library().sentence_score(output, [reference]).score)
