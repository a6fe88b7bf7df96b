"""The systems of a campaign: each one's interval, and each against each other."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from madcat_studio.model.campaign import DataSet
from madcat_studio.reports.grouping import Breakdown
from madcat_studio.reports.results import CampaignResults
from madcat_studio.reports.significance import (
    Pairing,
    compared,
    compared_columns,
    interval_of,
    told_of_interval,
)
from madcat_studio.reports.table import NOT_A_RATE, Cell, CellKind, Column, Table
from madcat_studio.scoring.resampling import Comparison, Interval, Resampling, interval
from madcat_ter.hter import Denominator
from madcat_ter.ter import rate

__all__ = ["Ranking", "ranking_of"]


@dataclass(frozen=True, slots=True)
class Ranking:
    """What the systems' numbers are worth.

    Attributes:
        tables: of the intervals, and of the comparisons where there are any.
        intervals: of each (set, system).
        clusters: source documents of each (set, system).
        comparisons: (first, second system) -> comparison on the evaluation set, the better first.
        pairs: (first, second system) -> source documents that both were wholly scored on.
    """

    tables: tuple[Table, ...]
    intervals: Mapping[tuple[str, str], Interval]
    clusters: Mapping[tuple[str, str], int]
    comparisons: Mapping[tuple[str, str], Comparison]
    pairs: Mapping[tuple[str, str], int]


def ranking_of(results: CampaignResults, denominator: Denominator, settings: Resampling) -> Ranking:
    """Intervals and comparisons of all systems, in the order of ``results``."""
    intervals, clusters, interval_table = _intervals(results, denominator, settings)
    comparisons, pairs, comparison_table = _comparisons(results, denominator, settings)
    tables = (interval_table,) if comparison_table is None else (interval_table, comparison_table)
    return Ranking(tables, intervals, clusters, comparisons, pairs)


def _intervals(
    results: CampaignResults, denominator: Denominator, settings: Resampling
) -> tuple[dict[tuple[str, str], Interval], dict[tuple[str, str], int], Table]:
    by_system: dict[tuple[str, str], tuple[array[float], array[float]]] = {}
    for group in results.of(Breakdown.SOURCE_DOCUMENT):
        key = str(group.data_set), group.system
        own = by_system.setdefault(key, (array("d"), array("d")))
        totals = group.all.of(denominator)
        if totals.segments:
            own[0].append(totals.edits)
            own[1].append(totals.words)
    columns = (
        Column("set", "Set"),
        Column("system", "System"),
        Column("clusters", "Source documents", CellKind.COUNT, "what is drawn"),
        Column("hter", "HTER", CellKind.RATE),
        Column("low", "From", CellKind.RATE),
        Column("high", "To", CellKind.RATE),
        Column("note", "Note"),
    )
    found: dict[tuple[str, str], Interval] = {}
    rows: list[tuple[Cell, ...]] = []
    for (data_set, system), (edits, words) in by_system.items():
        one = interval(edits, words, settings)
        if one is not None:
            found[data_set, system] = one
        point = rate(sum(edits), sum(words)) if edits else None
        rows.append(
            (
                data_set,
                system,
                len(edits),
                NOT_A_RATE if edits and point is None else point,
                *interval_of(one),
                told_of_interval(one, len(edits)),
            )
        )
    title = f"{settings.level * 100:.0f} % intervals"
    table = Table("intervals", title, columns, rows, "Bootstrap over source documents.")
    return found, {key: len(edits) for key, (edits, _) in by_system.items()}, table


def _comparisons(
    results: CampaignResults, denominator: Denominator, settings: Resampling
) -> tuple[dict[tuple[str, str], Comparison], dict[tuple[str, str], int], Table | None]:
    systems = [group.system for group in results.of(Breakdown.SYSTEM, DataSet.EVALUATION)]
    pairings = [
        Pairing(*pair, *results.in_common(*pair, denominator)) for pair in combinations(systems, 2)
    ]
    if not pairings:
        return {}, {}, None
    found, rows = compared(pairings, settings)
    pairs = {(one.first, one.second): one.sums.shape[1] for one in pairings}
    note = "Evaluation set, paired by source document."
    columns = compared_columns("HTER", "hter")
    return found, pairs, Table("comparisons", "Systems compared", columns, rows, note)
