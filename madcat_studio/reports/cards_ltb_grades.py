"""The page scorecard by where references come from: a score is worth what they are."""

from __future__ import annotations

from collections.abc import Sequence

from madcat_studio.reports.tables import Cell, CellKind, Column, Table
from madcat_studio.scoring.scorecards.intervals import mean_interval
from madcat_studio.scoring.scorecards.ltb import DocumentScore, TruthDocument
from madcat_studio.scoring.scorecards.ltb_board import SystemResult

__all__ = ["grades_table"]

_COLUMNS = (
    Column("system", "System"),
    Column("grade", "References"),
    Column("documents", "Documents", CellKind.COUNT, "of all pairs"),
    Column("chrf", "chrF", CellKind.NUMBER, "0..100"),
    Column("iou", "IoU", CellKind.NUMBER, "0..1"),
    Column("tau", "tau", CellKind.NUMBER, "0..1"),
    Column("ltb_100", "LTB-100", CellKind.NUMBER, "mean over the documents"),
    Column("ci_low", "from", CellKind.NUMBER, "95 % interval"),
    Column("ci_high", "to", CellKind.NUMBER, "95 % interval"),
)


def grades_table(results: Sequence[SystemResult], truth: Sequence[TruthDocument]) -> Table | None:
    """Each system's documents by the grade of their references; None where no page has one."""
    grades = {page.id: page.grade for page in truth}
    if not any(grades.values()):
        return None
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        by_grade: dict[str, list[DocumentScore]] = {}
        for one in result.score.documents:
            if not (result.score.options.exclude_parser_failures and one.parser_failure):
                by_grade.setdefault(grades[one.id], []).append(one)
        rows += (
            _row(result, grade or "not told", by_grade[grade])
            for grade in sorted(by_grade, key=lambda grade: (not grade, grade))
        )
    return Table(
        "grades",
        "By grade of the references",
        _COLUMNS,
        rows,
        "Where a page's references come from, according to the data set. The pages of two "
        "grades may have different pairs.",
    )


def _row(result: SystemResult, grade: str, own: Sequence[DocumentScore]) -> tuple[Cell, ...]:
    interval = mean_interval(
        [one.ltb for one in own], result.score.options.seed, result.score.options.replicates
    )
    count = len(own)
    return (
        *(result.name, grade, count),
        sum(one.chrf for one in own) / count,
        sum(one.iou for one in own) / count,
        sum(one.tau for one in own) / count,
        *(interval.point, interval.low, interval.high),
    )
