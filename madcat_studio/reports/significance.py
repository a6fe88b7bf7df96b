"""Rates with their intervals, and systems against each other, as columns of any table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from madcat_studio.reports.table import Cell, CellKind, Column
from madcat_studio.scoring.resampling import (
    Comparison,
    Interval,
    Resampling,
    compare,
    compare_each,
    coverage,
    holm,
)
from madcat_ter.ter import rate

__all__ = [
    "Paired",
    "Pairing",
    "compared",
    "compared_columns",
    "few_documents",
    "interval_of",
    "method",
    "rows_of",
    "told_of_interval",
]


_LEVEL = 0.05
"""The level that p-values are mostly held against."""


def method(settings: Resampling) -> str:
    """How intervals are made, in a sentence or two for a report's notes."""
    return (
        f"Intervals hold {settings.level:.0%} of {settings.resamples:,} bootstrap resamples "
        f"(percentiles expanded for small samples, seed {settings.seed}). What is drawn is the "
        "source document, with all its scribes and pages. Without two source documents there is "
        "no interval."
    )


def told_of_interval(one: Interval | None, clusters: int) -> str:
    """What stands beside a rate: why it has no interval, or how far to believe the one it has."""
    if one is not None:
        return few_documents(clusters)
    if clusters == 0:
        return "nothing scored yet"
    return "one source document only: no interval" if clusters == 1 else "no words: no interval"


def few_documents(clusters: int) -> str:
    """How often an interval over so few source documents holds the truth; else nothing."""
    often = coverage(clusters)
    if often is None:
        return ""
    return (
        f"over {clusters} source documents an interval at 95 % holds the true value in about "
        f"{often * 100:.0f} of 100 cases"
    )


def _few_sources(clusters: int) -> str:
    """What must be known of a comparison by so few source documents; else nothing.

    Of n source documents there are 2^n ways to swap the systems' results, and two of them (none
    swapped, all swapped) are always as extreme as what was seen.
    """
    least = 2.0 ** (1 - clusters)
    told = few_documents(clusters)
    if least > _LEVEL:
        told = (
            f"With only {clusters} source documents, p by randomisation cannot be below "
            f"{least:g}, and the bootstrap is too certain; {told}"
        )
    return told


_Sums = tuple[NDArray[np.float64], NDArray[np.float64]]


class Paired(NamedTuple):
    """What is told of two systems beside their tests.

    Attributes:
        first, second: the systems' names.
        documents: in common.
        clusters: source documents in common.
        points: the rate of each system on all these documents.
    """

    first: str
    second: str
    documents: int
    clusters: int
    points: tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two systems on the documents that both were scored on.

    Attributes:
        first, second: the systems' names.
        documents: in common.
        sums: edits and words of the first and of the second system for each source document,
            shape (4, source documents).
    """

    first: str
    second: str
    documents: int
    sums: NDArray[np.float64]

    def compare(self, settings: Resampling) -> Comparison | None:
        """Both tests; None with fewer than two source documents."""
        return compare(*self.systems(), settings)

    def systems(self) -> tuple[_Sums, _Sums]:
        """Edits and words of the first system, and of the second."""
        return (self.sums[0], self.sums[1]), (self.sums[2], self.sums[3])

    def told(self) -> Paired:
        """What is told of them: the sums are not needed any more then."""
        first, second = self.sums.sum(axis=1).reshape(2, 2).tolist()
        points = (rate(*first), rate(*second)) if self.sums.size else (None, None)
        return Paired(self.first, self.second, self.documents, self.sums.shape[1], points)


def compared_columns(metric: str, prefix: str) -> tuple[Column, ...]:
    """The columns of a comparison by a metric; ``prefix`` is of the keys of its rates."""
    return (
        Column("first", "System"),
        Column("second", "Against"),
        Column("documents", "Documents", CellKind.COUNT, "completely scored for both"),
        Column("clusters", "Source documents", CellKind.COUNT, "what is drawn"),
        Column(f"{prefix}_first", metric, CellKind.RATE, "of the system, on these documents"),
        Column(f"{prefix}_second", f"{metric}, against", CellKind.RATE, "of the other, on them"),
        Column(
            "difference", "Difference", CellKind.RATE, f"in points of {metric}; below 0 is better"
        ),
        Column("low", "From", CellKind.RATE),
        Column("high", "To", CellKind.RATE),
        Column("p_bootstrap", "p, bootstrap", CellKind.NUMBER, "paired bootstrap"),
        Column(
            "p_bootstrap_holm", "p, bootstrap, corrected", CellKind.NUMBER, "Holm, over all pairs"
        ),
        Column("p_randomisation", "p, randomisation", CellKind.NUMBER, "approximate randomisation"),
        Column(
            "p_randomisation_holm",
            "p, randomisation, corrected",
            CellKind.NUMBER,
            "Holm, over all pairs",
        ),
        Column("note", "Note"),
    )


def compared(
    pairings: Iterable[Pairing], settings: Resampling
) -> tuple[dict[tuple[str, str], Comparison], list[tuple[Cell, ...]]]:
    """Compare all pairs of one family: each comparison, and rows for :func:`compared_columns`."""
    pairings = list(pairings)
    made = compare_each([pairing.systems() for pairing in pairings], settings)
    found = {
        (pairing.first, pairing.second): one
        for pairing, one in zip(pairings, made, strict=True)
        if one is not None
    }
    return found, rows_of([one.told() for one in pairings], made)


def rows_of(
    pairings: Sequence[Paired], made: Sequence[Comparison | None]
) -> list[tuple[Cell, ...]]:
    """Rows for :func:`compared_columns` of one family, which is corrected for its number."""
    found = [one for one in made if one is not None]
    bootstrap = iter(holm([one.p_bootstrap for one in found]))
    swapped = iter(holm([one.p_randomisation for one in found]))
    rows: list[tuple[Cell, ...]] = []
    for pairing, one in zip(pairings, made, strict=True):
        start = (*pairing[:4], *pairing.points)
        if one is None:
            rows.append((*start, *[None] * 7, "fewer than two source documents in common"))
            continue
        d = one.difference
        p_values = (one.p_bootstrap, next(bootstrap), one.p_randomisation, next(swapped))
        rows.append((*start, d.point, d.low, d.high, *p_values, _few_sources(one.clusters)))
    return rows


def interval_of(interval: Interval | None) -> tuple[Cell, Cell]:
    """The cells of an interval's two ends."""
    return (None, None) if interval is None else (interval.low, interval.high)
