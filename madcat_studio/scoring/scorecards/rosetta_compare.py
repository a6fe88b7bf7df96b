"""Paired bootstrap tests of two runs on the entries that both evaluated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from madcat_studio.progress import SILENT
from madcat_studio.scoring.scorecards.intervals import percentile_interval
from madcat_studio.scoring.scorecards.rosetta_counts import chrf, chrf_statistics, replicated
from madcat_studio.scoring.scorecards.rosetta_run import Run

__all__ = ["FEW_COMMON", "FEW_ENTRIES", "Comparison", "compare"]

FEW_COMMON = 10


FEW_ENTRIES = 30
"""Below so many entries in common, or entries at all, a comparison carries a warning."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A paired bootstrap test of two runs on their common entries.

    Attributes:
        metric: ``chrf_plus_plus`` or ``exact_match_rate``.
        common: entries that both evaluated.
        a, b: the scores on those; None without any.
        delta: a - b.
        p_value: the share of replicates whose difference has the other sign or is 0.
        low, high: the interval of the difference.
    """

    metric: str
    common: int
    a: float | None
    b: float | None
    delta: float
    p_value: float
    low: float
    high: float

    @property
    def significant(self) -> bool:
        """p below 0.05, and the interval of the difference excludes 0."""
        return self.p_value < 0.05 and not self.low <= 0 <= self.high

    @property
    def winner(self) -> str | None:
        """``A`` or ``B`` where the difference is significant."""
        if not self.significant:
            return None
        return "A" if self.delta > 0 else "B"


def compare(first: Run, second: Run) -> tuple[tuple[Comparison, ...], tuple[str, ...]]:
    """Test two runs against each other; also the warnings that go with it."""
    left = {entry.id: entry for entry in first.entries if entry.evaluated}
    right = {entry.id: entry for entry in second.entries if entry.evaluated}
    common = sorted(left.keys() & right.keys())
    warnings: list[str] = []
    if not common:
        warnings.append("The runs have no evaluated entry in common: nothing can be tested.")
    elif len(common) < FEW_COMMON:
        warnings.append(f"Only {len(common)} entries are in common: the test says little.")
    if min(len(left), len(right)) < FEW_ENTRIES:
        warnings.append(f"A run has fewer than {FEW_ENTRIES} evaluated entries.")
    if any(left[name].expected != right[name].expected for name in common):
        warnings.append("Some common entries have different references in the two runs.")
    if not common:
        none = [
            Comparison(metric, 0, None, None, 0.0, 1.0, 0.0, 0.0)
            for metric in ("chrf_plus_plus", "exact_match_rate")
        ]
        return tuple(none), tuple(warnings)

    sides: list[tuple[float, NDArray[np.float64], float, NDArray[np.float64]]] = []
    for own in (left, right):
        entries = [own[name] for name in common]
        statistics = chrf_statistics(entries, SILENT)
        exact = np.array([one.predicted == one.expected for one in entries], dtype=np.float64)
        sums, hits = replicated(statistics, exact)
        sides.append(
            (
                float(chrf(statistics.sum(axis=0)[None, :])[0]),
                chrf(sums),
                float(exact.mean()),
                hits / len(common),
            )
        )
    (a_chrf, a_chrfs, a_exact, a_exacts), (b_chrf, b_chrfs, b_exact, b_exacts) = sides
    return (
        _test("chrf_plus_plus", len(common), a_chrf, b_chrf, a_chrfs - b_chrfs),
        _test("exact_match_rate", len(common), a_exact, b_exact, a_exacts - b_exacts),
    ), tuple(warnings)


def _test(
    metric: str, common: int, a: float, b: float, differences: NDArray[np.float64]
) -> Comparison:
    delta = a - b
    if delta == 0:
        p_value = 1.0
    else:
        against = differences <= 0 if delta > 0 else differences >= 0
        p_value = float(against.mean())
    low, high = percentile_interval(differences)
    return Comparison(metric, common, a, b, delta, p_value, low, high)
