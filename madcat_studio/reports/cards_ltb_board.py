"""Leaderboards and duels of saved LTB results as a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from madcat_studio.reports.cards import CardReport, Figure, PlotRow
from madcat_studio.reports.tables import Cell, CellKind, Column, Table
from madcat_studio.scoring.scorecards.intervals import REPLICATES
from madcat_studio.scoring.scorecards.ltb_board import (
    SYSTEM_TYPES,
    BoardRow,
    Placed,
    leaderboards,
    show,
)
from madcat_studio.scoring.scorecards.ltb_saved import Duel, SavedResult, duels
from madcat_studio.scoring.scorecards.ltb_values import Means

__all__ = ["board_report"]

FEW_DOCUMENTS = 10
"""Below so many documents a duel says little."""


def board_report(
    sets: Sequence[Sequence[SavedResult]],
    *,
    title: str,
    made: str,
    hashes: Mapping[str, str],
    warnings: Sequence[str] = (),
) -> CardReport:
    """The report of saved results: a board for each data set and type of system, and the duels.

    Args:
        sets: results that may stand on one board; names within one are unique.
        title: of the report.
        made: when.
        hashes: of the files.
        warnings: what reading noticed.
    """
    boards = [(number, results, _boards(results)) for number, results in enumerate(sets, 1)]
    by_set = [duels(results) for results in sets]
    held = [(number, one) for number, own in enumerate(by_set, 1) for one in own]
    told = list(warnings)
    if len(sets) > 1:
        told.append(
            f"The results belong to {len(sets)} data sets (other rules or other documents): each "
            "has a board of its own, and nothing is ranked across them."
        )
    if few := [one for _, one in held if one.documents < FEW_DOCUMENTS]:
        told.append(
            f"{len(few)} of {len(held)} duels are over fewer than {FEW_DOCUMENTS} documents: "
            "they say little."
        )
    placed = [row for _, _, own in boards for board in own.values() for row in board]
    return CardReport(
        title=title,
        kind="LTB-100 board",
        schema="ltb-board",
        made=made,
        signatures={
            f"data set {number}": f"LTB-100|{results[0].rules.replace(' ', '|')}"
            f"|duels:paired-bootstrap,{REPLICATES},seed42"
            for number, results, _ in boards
        },
        hashes=hashes,
        warnings=tuple(told),
        notes=(
            "One board for each data set: the same rules, and the same documents of each pair.",
            "End-to-end systems and systems that were given the boxes are never in one ranking.",
            "Equal scores share a rank. A score is the mean over the pairs that were attempted.",
            "A duel resamples the documents of a pair, the same for both systems.",
        ),
        figures=tuple(
            Figure(
                one.row.name,
                f"{one.row.means.ltb:.2f}",
                (show(one.row.means.interval, one.row.means.ltb), one.row.system_type),
            )
            for one in placed[:6]
        ),
        plot=tuple(
            PlotRow(
                f"{one.row.name} ({one.row.system_type})",
                one.row.means.ltb,
                one.row.means.interval.low,
                one.row.means.interval.high,
            )
            for one in placed
            if one.row.means.ltb is not None
        ),
        plot_title="LTB-100 with its 95 % interval",
        tables=(
            *_board_tables(boards),
            *_version_tables(boards),
            _pairs_table(boards),
            _duels_table(held),
        ),
        result={
            "data_sets": [
                _data_set(results[0].rules, own, fought)
                for (_, results, own), fought in zip(boards, by_set, strict=True)
            ]
        },
    )


_Boards = dict[str, list[Placed]]
_Numbered = Sequence[tuple[int, Sequence[SavedResult], _Boards]]


def _boards(results: Sequence[SavedResult]) -> _Boards:
    return leaderboards(
        [
            BoardRow(result.name, result.system_type, result.means, not result.missing)
            for result in results
        ]
    )


_SCORES = (
    Column("chrf", "chrF", CellKind.NUMBER, "0..100"),
    Column("iou", "IoU", CellKind.NUMBER, "0..1"),
    Column("tau", "tau", CellKind.NUMBER, "0..1"),
    Column("ltb_100", "LTB-100", CellKind.NUMBER, "0..100"),
    Column("ci_low", "from", CellKind.NUMBER, "95 % interval; older files have none"),
    Column("ci_high", "to", CellKind.NUMBER, "95 % interval"),
)


def _cells(means: Means) -> tuple[Cell, ...]:
    return (means.chrf, means.iou, means.tau, means.ltb, means.interval.low, means.interval.high)


def _board_tables(boards: _Numbered) -> list[Table]:
    columns = (
        Column("rank", "Rank", CellKind.COUNT, "equal scores share a rank"),
        Column("system", "System"),
        *_SCORES,
        Column("pairs", "Pairs", CellKind.COUNT, "attempted"),
        Column("documents", "Documents", CellKind.COUNT),
        Column("manifest", "Manifest"),
    )
    tables = []
    for number, results, own in boards:
        by_name = {result.name: result for result in results}
        for system_type in SYSTEM_TYPES:
            if not own[system_type]:
                continue
            rows = [
                (
                    placed.rank,
                    placed.row.name,
                    *_cells(placed.row.means),
                    len(by_name[placed.row.name].pairs),
                    sum(len(pair.documents) for pair in by_name[placed.row.name].pairs),
                    "verified" if placed.row.verified else "unverified",
                )
                for placed in own[system_type]
            ]
            tables.append(
                Table(
                    f"board-{number}-{system_type}",
                    f"Data set {number}, {system_type.replace('-', ' ')}",
                    columns,
                    rows,
                    f"Rules: {results[0].rules}",
                )
            )
    return tables


def _version_tables(boards: _Numbered) -> list[Table]:
    """Every system by every version that there is of it, where there are several versions."""
    columns = (
        Column("system", "System"),
        Column("version", "Version"),
        Column("data_version", "Data set's version"),
        Column("set", "Data set", CellKind.COUNT),
        Column("ltb_100", "LTB-100", CellKind.NUMBER, "by that version"),
        Column("ci_low", "from", CellKind.NUMBER, "95 % interval; older files have none"),
        Column("ci_high", "to", CellKind.NUMBER, "95 % interval"),
        Column("pairs", "Pairs", CellKind.COUNT),
        Column("documents", "Documents", CellKind.COUNT),
        Column("file", "File"),
    )
    rows: list[tuple[Cell, ...]] = []
    for number, results, _ in boards:
        for one in results:
            file = PurePath(one.where).name
            interval = one.means.interval
            count = sum(len(pair.documents) for pair in one.pairs)
            rows.append(
                (
                    *(one.name, one.version, one.data_version, number, one.means.ltb),
                    *(interval.low, interval.high, len(one.pairs), count, file),
                )
            )
            rows += (
                (
                    *(one.name, other.label, one.data_version, number, other.ltb, None, None),
                    *(other.pairs, other.documents, file),
                )
                for other in one.others
            )
    if len({row[1:3] for row in rows}) < 2:
        return []
    rows.sort(key=lambda row: (str(row[0]).partition(" (")[0], str(row[1]), str(row[2])))
    return [
        Table(
            "versions",
            "Old and new versions",
            columns,
            rows,
            "Results of older versions stay valid. Figures of two versions, or of two data "
            "sets, cannot be compared and are never in one ranking; v0.2 covers only the "
            "rendered pages.",
        )
    ]


def _pairs_table(boards: _Numbered) -> Table:
    columns = (
        Column("set", "Data set", CellKind.COUNT),
        Column("system", "System"),
        Column("pair", "Pair"),
        Column("documents", "Documents", CellKind.COUNT),
        *_SCORES,
    )
    rows = [
        (number, result.name, pair.pair, len(pair.documents), *_cells(pair.means))
        for number, results, _ in boards
        for result in results
        for pair in result.pairs
    ]
    return Table("pairs", "By pair", columns, rows)


def _duels_table(held: Sequence[tuple[int, Duel]]) -> Table:
    columns = (
        Column("set", "Data set", CellKind.COUNT),
        Column("pair", "Pair"),
        Column("first", "System"),
        Column("second", "Against"),
        Column("documents", "Documents", CellKind.COUNT),
        Column("first_ltb", "LTB-100", CellKind.NUMBER),
        Column("second_ltb", "Against", CellKind.NUMBER),
        Column("difference", "Difference", CellKind.NUMBER),
        Column("low", "from", CellKind.NUMBER, "95 % interval of the difference"),
        Column("high", "to", CellKind.NUMBER, "95 % interval of the difference"),
        Column("p", "p", CellKind.NUMBER, "resamples with the other sign, or none"),
    )
    rows = [
        (
            number,
            one.pair,
            one.first,
            one.second,
            one.documents,
            one.first_ltb,
            one.second_ltb,
            one.difference.point,
            one.difference.low,
            one.difference.high,
            one.p_value,
        )
        for number, one in held
    ]
    return Table(
        "duels",
        "Head to head",
        columns,
        rows,
        "Every two systems of a board, over the documents of a pair; not corrected for how many "
        "there are.",
    )


def _data_set(rules: str, boards: _Boards, fought: Sequence[Duel]) -> dict[str, Any]:
    return {
        "rules": rules,
        "leaderboards": {
            system_type: [
                {"rank": one.rank, "system": one.row.name, "ltb_100": one.row.means.ltb}
                for one in board
            ]
            for system_type, board in boards.items()
        },
        "head_to_head": [
            {
                "pair": one.pair,
                "first": one.first,
                "second": one.second,
                "documents": one.documents,
                "difference": one.difference.point,
                "low": one.difference.low,
                "high": one.difference.high,
                "p": one.p_value,
            }
            for one in fought
        ],
    }
