"""chrF2 of one region's text, by the formula of the page scorecard and as sacrebleu has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from madcat_studio.scoring.scorecards.compiled import cards

if TYPE_CHECKING:
    from sacrebleu.metrics.chrf import CHRF

__all__ = ["ORDERS", "chrf2", "chrf2_all", "chrf2_sacrebleu"]

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
        matches = _matches(
            [output[start : start + order] for start in range(in_output)],
            [reference[start : start + order] for start in range(in_reference)],
        )
        if not matches:
            break  # no longer n-gram can match either
        total += 5 * matches / (4 * in_reference + in_output)
    return 100.0 * total / min(ORDERS, max(len(output), len(reference)))


def chrf2_all(outputs: Sequence[str], references: Sequence[str]) -> list[float]:
    """:func:`chrf2` of many texts, compiled where the kernel is: the same numbers."""
    module = cards("chrf2")
    if module is None:
        return [chrf2(*pair) for pair in zip(outputs, references, strict=True)]
    scores: list[float] = module.chrf2(list(outputs), list(references)).tolist()
    return scores


def _matches(output: list[str], reference: list[str]) -> int:
    """The size of the common part of two multisets."""
    left, right = set(output), set(reference)
    common = left & right
    if len(left) == len(output) or len(right) == len(reference):
        # Where one side has nothing twice, nothing can match twice.
        return len(common)
    counts, others = Counter(output), Counter(reference)
    return len(common) + sum(
        min(counts[gram], others[gram]) - 1
        for gram in common
        if counts[gram] > 1 and others[gram] > 1
    )


@cache
def _library() -> CHRF:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()


def chrf2_sacrebleu(output: str, reference: str) -> float:
    """sacrebleu's default chrF2: precision and recall are averaged first, blanks are dropped."""
    return float(_library().sentence_score(output, [reference]).score)
