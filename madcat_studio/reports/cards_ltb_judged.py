"""What people said of translated pages beside what each part of LTB-100 says, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from madcat_studio.reports.tables import Cell, CellKind, Column, Table
from madcat_studio.scoring.trust.correlation import Coefficient
from madcat_studio.scoring.trust.study import Estimate, Grouping, Level, Study

__all__ = ["ANNOUNCED", "Judged", "judged_table", "judged_warnings"]

ANNOUNCED = 50
"""Judgements that the announcement of version 0.2 speaks of."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What people said by one column, and the parts that were held against it.

    Attributes:
        column: the table's.
        documents: judged outputs; ``systems``: of how many systems.
        parts: the names of the parts, as the study numbers them.
        study: the figures; None with fewer than three outputs.
        left_out: parts that not every judged output has.
    """

    column: str
    documents: int
    systems: int
    parts: tuple[str, ...]
    study: Study | None
    left_out: tuple[str, ...]


_COLUMNS = (
    Column("judged", "Judged"),
    Column("part", "Part"),
    Column("documents", "Outputs", CellKind.COUNT, "judged, of a document in a pair"),
    Column("systems", "Systems", CellKind.COUNT),
    Column("tau_b", "tau-b", CellKind.NUMBER, "Kendall's, over all judged outputs"),
    Column("low", "from", CellKind.NUMBER, "95 % interval, documents drawn"),
    Column("high", "to", CellKind.NUMBER, "95 % interval, documents drawn"),
    Column("rho", "rho", CellKind.NUMBER, "Spearman's"),
    Column("r", "r", CellKind.NUMBER, "Pearson's"),
    Column("tau_b_systems", "tau-b, within systems", CellKind.NUMBER, "mean of the systems' own"),
    Column("right", "Right about two", CellKind.RATE, "of two outputs of one document and pair"),
)


def judged_table(judged: Sequence[Judged]) -> Table:
    """Each column of judgements with each part, the part that says most of the same first."""
    rows: list[tuple[Cell, ...]] = []
    for one in judged:
        if one.study is None:
            continue
        main = one.study.coefficients[Level.SEGMENT, Grouping.ALL, Coefficient.KENDALL]
        order = sorted(
            range(len(one.parts)),
            key=lambda at: (main[at].value is None, -(main[at].value or 0.0), at),
        )
        rows += (_row(one, one.study, main[at], at) for at in order)
    return Table(
        "judgements",
        "What people say about it",
        _COLUMNS,
        rows,
        "How far each part agrees with what people said about the same outputs: 1 is the "
        "same order, 0 none, -1 the reverse. A part that is the same for all has no "
        "correlation.",
    )


def _row(one: Judged, found: Study, main: Estimate, at: int) -> tuple[Cell, ...]:
    def of(grouping: Grouping, coefficient: Coefficient) -> float | None:
        own = found.coefficients.get((Level.SEGMENT, grouping, coefficient))
        return None if own is None else own[at].value

    interval = main.interval
    return (
        *(one.column, one.parts[at], one.documents, one.systems, main.value),
        None if interval is None else interval.low,
        None if interval is None else interval.high,
        of(Grouping.ALL, Coefficient.SPEARMAN),
        of(Grouping.ALL, Coefficient.PEARSON),
        of(Grouping.SYSTEM, Coefficient.KENDALL),
        found.accuracies[at].value,
    )


def judged_warnings(judged: Sequence[Judged]) -> Iterator[str]:
    """What the reader of the table must know."""
    for one in judged:
        if one.study is None:
            yield f"{one.column} judges {one.documents} outputs: too few for a correlation."
        elif one.documents < ANNOUNCED:
            yield (
                f"{one.column} judges {one.documents} outputs; the announcement of v0.2 speaks of "
                f"about {ANNOUNCED}. The intervals say how little that tells."
            )
        if one.left_out:
            yield (
                f"Not held against {one.column}, since not every judged output has it: "
                f"{', '.join(one.left_out)}."
            )
