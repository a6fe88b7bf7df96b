"""The page scorecard's results as a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from madcat_studio.reports.cards import CardReport, Figure, PlotRow
from madcat_studio.reports.cards_ltb_grades import grades_table
from madcat_studio.reports.cards_ltb_json import ltb_json
from madcat_studio.reports.tables import Cell, CellKind, Column, Table, number_of
from madcat_studio.scoring.scorecards import langid
from madcat_studio.scoring.scorecards.ltb import (
    CORE_PAIRS,
    EXTENSION_PAIRS,
    WEIGHTS,
    Means,
    Options,
    Prediction,
    Submission,
    TruthDocument,
)
from madcat_studio.scoring.scorecards.ltb_board import (
    SYSTEM_TYPES,
    Ablation,
    DroppedReference,
    SystemResult,
    ablate,
    leaderboards,
    show,
)
from madcat_ter.signature import signature

__all__ = ["ltb_report", "ltb_signature"]

ALL_BUT_ONE = 0.999999
"""Overlap from which two boxes are the same but for rounding."""


def ltb_signature(options: Options, overlap: str, references: str, split: str) -> str:
    """The line that tells all settings of a page score.

    Args:
        options: of the scores.
        overlap: ``box`` or ``polygon``.
        references: ``checked`` or ``as-given``.
        split: which documents count, with what drew them.
    """
    profile = options.profile
    gate = "not-run"
    if langid.available():
        gate = f"langdetect-1.0.9,seed{langid.SEED},min{options.min_letters_latin}"
    return signature(
        "LTB-100",
        [
            ("like", "v0.1.1"),
            ("profile", profile.name),
            ("weights", "/".join(f"{100 * weight:g}" for weight in WEIGHTS)),
            ("chrf", "mean-of-F2,1-6,blanks" if profile.formula else "sacrebleu-default"),
            ("gate", gate),
            ("iou", overlap),
            ("match", "id,iou>=0.10"),
            ("parser-failures", "excluded" if options.exclude_parser_failures else "kept"),
            ("missing", "zero"),
            ("references", references),
            ("split", split),
            ("boot", f"{options.replicates},seed{options.seed},percentile"),
        ],
    )


def ltb_report(
    *,
    title: str,
    made: str,
    truth: Sequence[TruthDocument],
    systems: Sequence[tuple[SystemResult, Submission]],
    dropped: Sequence[DroppedReference],
    options: Options,
    overlap: str,
    split: str,
    hashes: Mapping[str, str],
    warnings: Iterable[str] = (),
    pictures: Mapping[str, tuple[str, int]] | None = None,
    show_texts: bool = True,
) -> CardReport:
    """The report of all systems that were scored against one ground truth.

    Args:
        title: of the report.
        made: when.
        truth: the ground truth as it was scored against.
        systems: each with what it submitted.
        dropped: references that the import check took out.
        options: of the scores.
        overlap: ``box`` or ``polygon``.
        split: which documents count, with what drew them.
        hashes: of the input.
        warnings: what reading noticed.
        pictures: the picture of each document's page and which frame of it, where it is named.
        show_texts: False leaves out everything about single documents: for a held-out split.
    """
    results = [result for result, _ in systems]
    # The headline is over the CORE pairs; without any, over whatever there is.
    use_core = any(result.score.core.ltb is not None for result in results)
    rows = [
        result.row(result.score.core if use_core else result.score.overall) for result in results
    ]
    boards = leaderboards(rows)
    ablation = ablate(rows)
    tables = [
        _board_table(system_type, boards[system_type], results, use_core)
        for system_type in SYSTEM_TYPES
        if boards[system_type]
    ]
    tables.append(_pairs_table(results))
    if (grades := grades_table(results, truth)) is not None:
        tables.append(grades)
    tables.append(_ablation_table(ablation))
    if show_texts:
        tables.append(_documents_table(results))
        tables.append(
            Table(
                "regions",
                "Regions",
                _REGION_COLUMNS,
                _RegionRows(truth, systems),
                "Every region of the ground truth. A verdict that begins with “rejected” set the "
                "region's chrF to 0; the detector is known to reject correct short text.",
                long=True,
            )
        )
        tables.append(_left_out_table(results))
        if dropped:
            tables.append(_dropped_table(dropped))
    order = [placed.row for board in boards.values() for placed in board]
    return CardReport(
        title=title,
        kind="LTB-100",
        schema="ltb",
        made=made,
        signatures={
            "LTB-100": ltb_signature(
                options,
                overlap,
                "script-checked" if dropped is not None else "as-given",
                split,
            )
        },
        hashes=hashes,
        warnings=(*warnings, *_warnings(results, ablation, options)),
        notes=_rules(options),
        figures=tuple(
            Figure(
                row.name,
                "—" if row.means.ltb is None else f"{row.means.ltb:.2f}",
                (
                    show(row.means.interval, row.means.ltb),
                    f"{row.system_type}, {'verified' if row.verified else 'unverified'}",
                    "over the CORE pairs" if use_core else "over all attempted pairs",
                ),
            )
            for row in order[:6]
        ),
        plot=tuple(
            PlotRow(
                f"{row.name} ({row.system_type})",
                row.means.ltb,
                row.means.interval.low,
                row.means.interval.high,
            )
            for row in order
            if row.means.ltb is not None
        ),
        plot_title="LTB-100 with its 95 % interval",
        tables=tuple(tables),
        result=ltb_json(
            truth, pictures or {}, systems, boards, ablation, dropped, options, show_texts
        ),
    )


def _warnings(
    results: Sequence[SystemResult], ablation: Ablation, options: Options
) -> Iterator[str]:
    for result in results:
        score, name = result.score, result.name
        if result.manifest.missing:
            yield (
                f"{name} is unverified: its manifest lacks {', '.join(result.manifest.missing)}."
            )
        overlaps = [
            region.iou
            for document in score.documents
            for region in document.regions
            if region.prediction is not None
        ]
        if (
            overlaps
            and min(overlaps) > ALL_BUT_ONE
            and result.manifest.system_type == SYSTEM_TYPES[0]
        ):
            yield (
                f"Every box of {name} is that of the ground truth: it looks like a system that "
                "was given them. Its manifest should then say oracle-layout."
            )
        if score.missing:
            yield (
                f"{name} gave nothing for {number_of(len(score.missing), 'document')} of pairs "
                "that it attempted: zeros in the means."
            )
        if score.unknown:
            yield (
                f"{name} has {number_of(len(score.unknown), 'document')} that the ground truth "
                "does not have: skipped."
            )
        if score.ungated:
            yield (
                f"The language gate did not run for {', '.join(score.ungated)} of {name}: nothing "
                "here tells that language from others, and text in any language scored."
            )
        if score.gate_not_run:
            yield f"The language gate did not run for {name}: langdetect is not installed."
        if score.parser_failures:
            what = "left out" if options.exclude_parser_failures else "kept"
            yield (
                f"{name} has {number_of(len(score.parser_failures), 'document')} with one blank "
                f"region only (what it could not read): {what}."
            )
        sizes = {pair.documents for pair in score.pairs}
        if len(sizes) > 1:
            yield (
                f"The pairs of {name} have different numbers of documents: its overall interval "
                "pools documents and is centred on their mean, not on the mean of the pairs."
            )
    if not ablation.stable:
        yield (
            "Other weights give another ranking (normalised tau below 0.95): the weights do real "
            "work here and should be checked against human judgement."
        )


def _rules(options: Options) -> tuple[str, ...]:
    return (
        "LTB-100 = 100 · (0.50 chrF/100 + 0.30 IoU + 0.20 tau) for each document; the mean over "
        "documents for each pair; the mean over pairs overall.",
        "chrF and IoU are weighted by the area of the ground truth's boxes; a region without a "
        "reference for the pair is left out of chrF and stays in IoU and order.",
        "Regions are matched by id, then by overlap from 0.10 on, greedily.",
        "Text that is plainly not in the target language has chrF 0 (the language gate).",
        "tau is Kendall's tau-b of the reading orders, brought to 0..1 and scaled by the share of "
        "matched regions.",
        "A document with references that was not submitted counts as zeros in an attempted pair; "
        "a pair that was never attempted is not counted.",
        "End-to-end systems and systems that were given the boxes are never in one ranking.",
        f"Intervals: 95 %, percentile, {options.replicates} resamples, seed {options.seed}.",
    )


def _score_columns() -> tuple[Column, ...]:
    return (
        Column("chrf", "chrF", CellKind.NUMBER, "0..100"),
        Column("iou", "IoU", CellKind.NUMBER, "0..1"),
        Column("tau", "tau", CellKind.NUMBER, "0..1, scaled by coverage"),
        Column("ltb_100", "LTB-100", CellKind.NUMBER, "0..100"),
        Column("ci_low", "from", CellKind.NUMBER, "95 % interval"),
        Column("ci_high", "to", CellKind.NUMBER, "95 % interval"),
    )


def _score_cells(means: Means) -> tuple[Cell, ...]:
    low, high = means.interval.low, means.interval.high
    if low == high == 0.0:
        low = high = None  # what old files have: no interval
    return (means.chrf, means.iou, means.tau, means.ltb, low, high)


def _board_table(
    system_type: str, board: Sequence[Any], results: Sequence[SystemResult], use_core: bool
) -> Table:
    by_name = {result.name: result for result in results}
    rows = []
    for placed in board:
        score = by_name[placed.row.name].score
        core = sum(pair.group == "CORE" for pair in score.pairs)
        extension = sum(pair.group == "EXTENSION" for pair in score.pairs)
        rows.append(
            (
                placed.rank,
                placed.row.name,
                *_score_cells(placed.row.means),
                sum(pair.documents for pair in score.pairs),
                f"{core}/{len(CORE_PAIRS)}",
                f"{extension}/{len(EXTENSION_PAIRS)}",
                score.extension.ltb,
                score.gate_rejected,
                "verified" if placed.row.verified else "unverified",
            )
        )
    columns = (
        Column("rank", "Rank", CellKind.COUNT, "equal scores share a rank"),
        Column("system", "System"),
        *_score_columns(),
        Column("documents", "Documents", CellKind.COUNT),
        Column("core", "CORE", note="pairs attempted"),
        Column("extension", "EXTENSION", note="pairs attempted"),
        Column("extension_ltb_100", "LTB-100, EXTENSION", CellKind.NUMBER, "never in the headline"),
        Column(
            "gate_rejected", "Rejected", CellKind.COUNT, "regions that the language gate set to 0"
        ),
        Column("manifest", "Manifest"),
    )
    note = (
        "These systems find the regions themselves."
        if system_type == "end-to-end"
        else "These systems were given the boxes of the ground truth: an upper bound for their "
        "text, not a measurement of the product."
    )
    over = "the CORE pairs" if use_core else "all attempted pairs; none is a CORE pair"
    title = (
        "Leaderboard, end-to-end" if system_type == "end-to-end" else "Leaderboard, oracle layout"
    )
    return Table(f"board-{system_type}", title, columns, rows, f"{note} Over {over}.")


def _pairs_table(results: Sequence[SystemResult]) -> Table:
    columns = (
        Column("system", "System"),
        Column("pair", "Pair"),
        Column("group", "Group"),
        Column("documents", "Documents", CellKind.COUNT),
        *_score_columns(),
    )
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        rows += [
            (result.name, pair.pair, pair.group, pair.documents, *_score_cells(pair.means))
            for pair in result.score.pairs
        ]
        for name, means in (
            ("all pairs", result.score.overall),
            ("CORE pairs", result.score.core),
            ("EXTENSION pairs", result.score.extension),
        ):
            if means.ltb is not None:
                rows.append((result.name, name, "mean", None, *_score_cells(means)))
    return Table("pairs", "By pair", columns, rows)


def _ablation_table(ablation: Ablation) -> Table:
    columns = (
        Column("weights", "Weights", note="chrF / IoU / tau"),
        Column("ranking", "Ranking"),
    )
    rows = [
        ("/".join(f"{100 * weight:.0f}" for weight in weights), " > ".join(names))
        for weights, names in ablation.rankings.items()
    ]
    lowest = "—" if ablation.lowest is None else f"{ablation.lowest:.3f}"
    return Table(
        "weights",
        "Weight ablation",
        columns,
        rows,
        f"Lowest normalised tau between two rankings: {lowest}; below 0.95 the weights matter.",
    )


def _documents_table(results: Sequence[SystemResult]) -> Table:
    columns = (
        Column("system", "System"),
        Column("pair", "Pair"),
        Column("document", "Document"),
        Column("chrf", "chrF", CellKind.NUMBER),
        Column("iou", "IoU", CellKind.NUMBER),
        Column("tau_b", "tau-b", CellKind.NUMBER, "undefined below two regions and where constant"),
        Column("coverage", "Coverage", CellKind.NUMBER, "matched regions / regions"),
        Column("tau", "tau", CellKind.NUMBER),
        Column("ltb_100", "LTB-100", CellKind.NUMBER),
        Column("state", "State"),
    )
    rows = [
        (
            result.name,
            one.pair,
            one.id,
            one.chrf,
            one.iou,
            one.tau_b,
            one.coverage,
            one.tau,
            one.ltb,
            "missing" if one.missing else "parser failure" if one.parser_failure else "",
        )
        for result in results
        for one in result.score.documents
    ]
    return Table("documents", "Documents", columns, rows, long=True)


_REGION_COLUMNS = (
    Column("system", "System"),
    Column("pair", "Pair"),
    Column("document", "Document"),
    Column("region", "Region"),
    Column("matched", "Matched", note="by id or by overlap"),
    Column("chrf", "chrF", CellKind.NUMBER, "empty: no reference for the pair"),
    Column("iou", "IoU", CellKind.NUMBER),
    Column("gate", "Language gate"),
    Column("area", "Area", CellKind.NUMBER, "the region's weight, square pixels"),
    Column("output", "Output"),
    Column("reference", "Reference"),
)


class _RegionRows:
    """One row a region, made when it is wanted."""

    def __init__(
        self,
        truth: Sequence[TruthDocument],
        systems: Sequence[tuple[SystemResult, Submission]],
    ) -> None:
        self._truth = {document.id: document for document in truth}
        self._systems = systems

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        for result, submission in self._systems:
            for document in result.score.documents:
                prediction = submission.pairs[document.pair].get(document.id)
                own = self._truth[document.id].regions
                for region, given in zip(document.regions, own, strict=True):
                    verdict = ""
                    if region.gate is not None:
                        word = "accepted" if region.gate.accepted else "rejected"
                        verdict = f"{word}, {region.gate.reason}"
                    yield (
                        result.name,
                        document.pair,
                        document.id,
                        region.id,
                        region.by or "no match",
                        region.chrf,
                        region.iou,
                        verdict,
                        region.area,
                        _text(prediction, region.prediction),
                        given.references.get(document.pair),
                    )


def _text(prediction: Prediction | None, position: int | None) -> str | None:
    if prediction is None or position is None:
        return None
    return prediction.regions[position].text


def _left_out_table(results: Sequence[SystemResult]) -> Table:
    columns = (
        Column("system", "System"),
        Column("pair", "Pair"),
        Column("document", "Document"),
        Column("why", "Why"),
    )
    rows = [
        (result.name, pair, name, why)
        for result in results
        for why, listed in (
            ("not submitted: counts as zeros", result.score.missing),
            ("no reference for the pair: not counted", result.score.excluded),
            ("not in the ground truth: skipped", result.score.unknown),
            ("parser failure: one blank region", result.score.parser_failures),
        )
        for pair, name in listed
    ]
    return Table("left-out", "Documents to look at", columns, rows, long=True)


def _dropped_table(dropped: Sequence[DroppedReference]) -> Table:
    columns = (
        Column("document", "Document"),
        Column("region", "Region"),
        Column("pair", "Pair"),
        Column("share", "In script", CellKind.RATE, "letters in the target's script"),
        Column("text", "Reference"),
    )
    rows = [(one.document, one.region, one.pair, one.share, one.text) for one in dropped]
    return Table(
        "dropped-references",
        "References in the wrong script",
        columns,
        rows,
        "Dropped at import; their regions stay for layout and order.",
        long=True,
    )
