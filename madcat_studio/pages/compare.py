"""Two segmentations of one page, matched by overlap and never by index or id.

Units (lines, or words) match one to one where their intersection over union reaches a threshold,
the best pairs first. A unit of the first page is *split* where two units or more of the second lie
mostly within it and cover most of it; units are *merged* the other way round. What is neither
matched, nor split, nor part of a merger is *missed*, on the other side *extra*.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from madcat_studio.model.document import Page, Polygon
from madcat_studio.model.geometry import overlapping_pairs, shapes_of

__all__ = ["MOSTLY", "THRESHOLD", "PageComparison", "UnitComparison", "compare_pages"]

THRESHOLD = 0.5
"""The least intersection over union of a match."""

MOSTLY = 0.5
"""The share of an area that counts as most of it."""


@dataclass(frozen=True, slots=True)
class UnitComparison:
    """How the units of two pages correspond; indices count in reading order.

    Attributes:
        first, second: how many units each page has.
        matches: (index in the first, index in the second, IoU).
        missed, extra: indices without a counterpart.
        split: indices in the first; merged: indices in the second.
        order: agreement of the reading order of matched units, 0 to 1: (tau-b + 1) / 2.
        pieces: for each of ``split`` the units of the second that it fell into.
        parts: for each of ``merged`` the units of the first that it was made of.
    """

    first: int
    second: int
    matches: tuple[tuple[int, int, float], ...]
    missed: tuple[int, ...]
    extra: tuple[int, ...]
    split: tuple[int, ...]
    merged: tuple[int, ...]
    order: float
    pieces: tuple[tuple[int, ...], ...] = ()
    parts: tuple[tuple[int, ...], ...] = ()

    @property
    def iou(self) -> float | None:
        """The mean IoU over all units of the first page, unmatched ones as 0; None without any."""
        return sum(iou for _, _, iou in self.matches) / self.first if self.first else None

    @property
    def matched_iou(self) -> float | None:
        """The mean IoU of matched units; None without any."""
        return sum(m[2] for m in self.matches) / len(self.matches) if self.matches else None

    @property
    def covered_order(self) -> float:
        """``order`` times the share of the first page's units that are matched."""
        share = min(1.0, len(self.matches) / self.first) if self.first else 1.0
        return self.order * share if self.first else 1.0


@dataclass(frozen=True, slots=True)
class PageComparison:
    """Lines and words of two pages."""

    lines: UnitComparison
    words: UnitComparison


def compare_pages(first: Page, second: Page, threshold: float = THRESHOLD) -> PageComparison:
    """Compare two segmentations of one page; the first one is taken as the truth."""
    return PageComparison(
        _compare(
            [line.polygon for line in first.lines],
            [line.polygon for line in second.lines],
            threshold,
        ),
        _compare(
            [word.polygon for word in first.words()],
            [word.polygon for word in second.words()],
            threshold,
        ),
    )


def _compare(
    first: Sequence[Polygon], second: Sequence[Polygon], threshold: float
) -> UnitComparison:
    ones, others = shapes_of(first), shapes_of(second)
    pairs = overlapping_pairs(ones, others)
    ranked = sorted(
        ((shared / (ones[i].area + others[j].area - shared), i, j) for i, j, shared in pairs),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    of_first: dict[int, int] = {}
    of_second: dict[int, int] = {}
    matches: list[tuple[int, int, float]] = []
    for iou, i, j in ranked:
        if iou >= threshold and i not in of_first and j not in of_second:
            of_first[i], of_second[j] = j, i
            matches.append((i, j, iou))
    matches.sort()
    pieces: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    parts: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    for i, j, shared in pairs:
        if shared >= MOSTLY * others[j].area:
            pieces[i].append((j, shared))
        if shared >= MOSTLY * ones[i].area:
            parts[j].append((i, shared))
    split = _several(pieces, [shape.area for shape in ones])
    merged = _several(parts, [shape.area for shape in others])
    in_pieces = {j for i in split for j, _ in pieces[i]}
    in_mergers = {i for j in merged for i, _ in parts[j]}
    return UnitComparison(
        len(first),
        len(second),
        tuple(matches),
        tuple(
            i
            for i in range(len(first))
            if i not in of_first and i not in split and i not in in_mergers
        ),
        tuple(
            j
            for j in range(len(second))
            if j not in of_second and j not in merged and j not in in_pieces
        ),
        tuple(sorted(split)),
        tuple(sorted(merged)),
        _order([j for _, j, _ in matches]),
        tuple(tuple(sorted(j for j, _ in pieces[i])) for i in sorted(split)),
        tuple(tuple(sorted(i for i, _ in parts[j])) for j in sorted(merged)),
    )


def _order(second: Sequence[int]) -> float:
    """(tau-b + 1) / 2 of the second page's places, given in the order of the first page's.

    No place occurs twice, so that tau-b is one less twice the share of pairs that are turned
    round. Nothing matched gives 0, one unit 1.
    """
    pairs = len(second) * (len(second) - 1) // 2
    if not pairs:
        return float(len(second))
    turned = 0
    before: list[int] = []
    for place in second:
        turned += len(before) - bisect(before, place)
        insort(before, place)
    return 1 - turned / pairs


def _several(found: dict[int, list[tuple[int, float]]], areas: list[float]) -> set[int]:
    """Units that two or more of the other side fill for the most part."""
    return {
        unit
        for unit, inside in found.items()
        if len(inside) > 1 and sum(shared for _, shared in inside) >= MOSTLY * areas[unit]
    }
