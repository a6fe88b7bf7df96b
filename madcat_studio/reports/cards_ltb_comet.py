"""Scores of models beside chrF in the page scorecard: each under its own name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from madcat_studio.reports.tables import Cell, CellKind, Column, Table
from madcat_studio.scoring.scorecards.ltb import DocumentScore, composite
from madcat_studio.scoring.scorecards.ltb_board import SystemResult

__all__ = ["OutputKey", "comet_table"]

OutputKey = tuple[str, str, str]
"""System, document and pair."""


def comet_table(
    results: Sequence[SystemResult], found: Mapping[str, Mapping[OutputKey, float]]
) -> Table:
    """Each system's pairs with chrF and what each model gives.

    Args:
        results: the systems.
        found: model -> output -> score, 0..100.
    """
    columns = (
        Column("system", "System"),
        Column("pair", "Pair"),
        Column("documents", "Documents", CellKind.COUNT),
        Column("chrf", "chrF", CellKind.NUMBER, "0..100"),
        *(Column(_key(name), name, CellKind.NUMBER, "0..100") for name in found),
        Column("ltb_100", "LTB-100", CellKind.NUMBER, "v0.1, with chrF"),
        *(
            Column(f"ltb_{_key(name)}", f"v0.1 with {name}", CellKind.NUMBER, "another number")
            for name in found
        ),
    )
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        by_pair: dict[str, list[DocumentScore]] = {}
        for one in result.score.documents:
            if not (result.score.options.exclude_parser_failures and one.parser_failure):
                by_pair.setdefault(one.pair, []).append(one)
        rows += (_row(result.name, pair, own, found) for pair, own in by_pair.items())
    return Table(
        "models",
        "Models beside chrF",
        columns,
        rows,
        "A model's score is the mean over regions by area, like chrF; a region without "
        "output has 0, and the language gate does not apply to it. “v0.1 with …” uses it "
        "in place of chrF: what the public scorer calls its COMET results. The ranking is "
        "by LTB-100 alone.",
    )


def _key(name: str) -> str:
    return name.lower().replace("-", "_")


def _row(
    system: str,
    pair: str,
    own: Sequence[DocumentScore],
    found: Mapping[str, Mapping[OutputKey, float]],
) -> tuple[Cell, ...]:
    count = len(own)
    by_model = [[scores[system, one.id, pair] for one in own] for scores in found.values()]
    with_models = (
        sum(composite(score, one.iou, one.tau) for one, score in zip(own, scores, strict=True))
        / count
        for scores in by_model
    )
    return (
        *(system, pair, count, sum(one.chrf for one in own) / count),
        *(sum(scores) / count for scores in by_model),
        sum(one.ltb for one in own) / count,
        *with_models,
    )
