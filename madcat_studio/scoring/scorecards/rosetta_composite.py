"""The run card's composite: weights, tiers, and the score adjusted for cost."""

from __future__ import annotations

import math
from collections.abc import Mapping

from madcat_studio.scoring.scorecards.rosetta_run import number

__all__ = [
    "COMPOSITE_METRICS",
    "PROFILE_A",
    "PROFILE_B",
    "TIERS",
    "available_metrics",
    "composite",
    "cost_adjusted",
    "tier",
]

PROFILE_A: Mapping[str, float] = {
    "fst_acceptance_rate": 0.25,
    "morphological_accuracy": 0.15,
    "chrf_plus_plus": 0.15,
    "semantic_score": 0.15,
    "equivalent_match_rate": 0.10,
    "code_switching_rate": 0.05,
    "terminology_adherence": 0.05,
    "hallucination_rate": 0.05,
    "exact_match_rate": 0.05,
}
"""Weights for languages with a morphological analyser."""

PROFILE_B: Mapping[str, float] = {
    "semantic_score": 0.25,
    "chrf_plus_plus": 0.25,
    "equivalent_match_rate": 0.15,
    "exact_match_rate": 0.10,
    "code_switching_rate": 0.10,
    "terminology_adherence": 0.05,
    "hallucination_rate": 0.05,
    "orthographic_accuracy": 0.05,
}
"""Weights for languages without one."""

COMPOSITE_METRICS = tuple(dict.fromkeys((*PROFILE_A, *PROFILE_B)))
"""Every metric that may enter a composite."""

_INVERTED = frozenset({"code_switching_rate", "hallucination_rate"})

TIERS = (
    (0.85, "fluent"),
    (0.70, "deployable"),
    (0.50, "functional"),
    (0.30, "emerging"),
    (0.00, "baseline"),
)
"""Lowest composite and label, from the top."""


def composite(scores: Mapping[str, float | None], profile: str) -> float | None:
    """The weighted mean of the available metrics of profile ``A`` or ``B``; None without any."""
    weights = PROFILE_A if profile == "A" else PROFILE_B
    total = weight_sum = 0.0
    for name, weight in weights.items():
        value = number(scores.get(name))
        if value is None:
            continue
        if name == "chrf_plus_plus":
            value = value / 100
        elif name in _INVERTED:
            value = 1 - value
        total += weight * value
        weight_sum += weight
    return total / weight_sum if weight_sum else None


def available_metrics(scores: Mapping[str, float | None], profile: str) -> frozenset[str]:
    """The metrics that enter the composite."""
    weights = PROFILE_A if profile == "A" else PROFILE_B
    return frozenset(name for name in weights if number(scores.get(name)) is not None)


def tier(value: float | None) -> str:
    """The label of a composite; ``unscored`` for None."""
    if value is None:
        return "unscored"
    return next((label for least, label in TIERS if value >= least), "baseline")


def cost_adjusted(value: float | None, cost_per_entry: float | None) -> float | None:
    """composite / log2(1 + 1000 cost per entry); None where either is missing or the cost is 0."""
    if value is None or cost_per_entry is None or cost_per_entry <= 0:
        return None
    return value / math.log2(1 + 1000 * cost_per_entry)
