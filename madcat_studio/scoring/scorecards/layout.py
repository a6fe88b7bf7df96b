"""Boxes, matching of regions, and reading order of the page scorecard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt
from typing import NamedTuple

__all__ = [
    "MATCH_OVERLAP",
    "Box",
    "Match",
    "box_overlap",
    "kendall_tau_b",
    "match_regions",
    "normalised_tau",
]

MATCH_OVERLAP = 0.10
"""The least overlap of a match without a common id; 0.10 itself counts."""


class Box(NamedTuple):
    """An upright box in pixels: left, top, width, height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def area(self) -> float:
        """Width times height, 0 for a box of no size."""
        return max(self.width, 0.0) * max(self.height, 0.0)


class Match(NamedTuple):
    """A region of the ground truth and the predicted region that stands for it."""

    truth: int
    prediction: int
    by: str
    """``id`` or ``overlap``."""


def box_overlap(first: Box, second: Box) -> float:
    """Intersection over union; 0 when the boxes only touch or one has no size."""
    width = min(first.x + first.width, second.x + second.width) - max(first.x, second.x)
    height = min(first.y + first.height, second.y + second.height) - max(first.y, second.y)
    if width <= 0 or height <= 0:
        return 0.0
    common = width * height
    union = first.area + second.area - common
    return common / union if union > 0 else 0.0


def match_regions(
    truth_ids: Sequence[str],
    predicted_ids: Sequence[str],
    overlap: Callable[[int, int], float],
    *,
    first_id_wins: bool = True,
    id_needs_overlap: bool = False,
) -> list[Match]:
    """Which predicted region stands for which region of the ground truth.

    First by the same non-empty id, in the order of the ground truth; what is left is paired
    greedily by falling overlap, from 0.10 on, ties by position.

    Args:
        truth_ids: the regions' ids in file order.
        predicted_ids: the predictions' ids in file order; of a repeated id the first is meant
            (the last if not ``first_id_wins``), the others are left for the second step.
        overlap: the overlap of two regions by their positions.
        first_id_wins: which of repeated predicted ids is meant. If it is the last, an id that an
            overlap leads to also means its last region, as in the published code's mapping.
        id_needs_overlap: whether a common id counts only with an overlap of 0.10.
    """
    by_id: dict[str, int] = {}
    for position, name in enumerate(predicted_ids):
        if name and (not first_id_wins or name not in by_id):
            by_id[name] = position
    meant = {} if first_id_wins else dict(by_id)
    matches: list[Match] = []
    free_truth: list[int] = []
    for position, name in enumerate(truth_ids):
        found = by_id.get(name) if name else None
        if found is not None and (
            not id_needs_overlap or overlap(position, found) >= MATCH_OVERLAP
        ):
            matches.append(Match(position, found, "id"))
            del by_id[name]
        else:
            free_truth.append(position)
    if free_truth:
        taken = {match.prediction for match in matches}
        free = [position for position in range(len(predicted_ids)) if position not in taken]
        pairs = [
            (-common, truth, prediction)
            for truth in free_truth
            for prediction in free
            if (common := overlap(truth, prediction)) >= MATCH_OVERLAP
        ]
        pairs.sort()
        used_truth: set[int] = set()
        used: set[int] = set()
        for _, truth, prediction in pairs:
            if truth not in used_truth and prediction not in used:
                used_truth.add(truth)
                used.add(prediction)
                meant_one = meant.get(predicted_ids[prediction], prediction)
                matches.append(Match(truth, meant_one, "overlap"))
    matches.sort()
    return matches


def kendall_tau_b(first: Sequence[int], second: Sequence[int]) -> float | None:
    """Kendall's tau-b of two sequences of the same length; None where it is undefined.

    It is undefined below two items and when either sequence is constant.
    """
    count = len(first)
    pairs = count * (count - 1) // 2
    ties_first = _tied_pairs(first)
    ties_second = _tied_pairs(second)
    if ties_first == pairs or ties_second == pairs:
        return None
    balance = 0
    for later in range(1, count):
        for earlier in range(later):
            product = (first[later] - first[earlier]) * (second[later] - second[earlier])
            balance += (product > 0) - (product < 0)
    return balance / sqrt((pairs - ties_first) * (pairs - ties_second))


def _tied_pairs(values: Sequence[int]) -> int:
    return sum(many * (many - 1) // 2 for many in Counter(values).values())


def normalised_tau(
    truth: Sequence[int], predicted: Sequence[int], *, constant_is_one: bool = False
) -> tuple[float | None, float]:
    """Tau-b of the reading orders of matched regions, and its value in 0..1.

    Nothing matched gives 0, one region 1. A constant ground truth holds no order to violate: 1.
    A constant prediction alone gives no information: 0.5 (1 if ``constant_is_one``).
    """
    if not truth:
        return None, 0.0
    tau = kendall_tau_b(truth, predicted)
    if tau is not None:
        return tau, (tau + 1) / 2
    if constant_is_one or len(set(truth)) == 1:
        return None, 1.0
    return None, 0.5
