"""The scores of translated images as a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from madcat_studio.reports.cards import CardReport, Exhibit, Figure, PlotRow
from madcat_studio.reports.tables import Cell, CellKind, Column, Table
from madcat_studio.scoring.scorecards.imtbench import PARTS, Result, Summary
from madcat_ter.signature import signature

__all__ = ["ImageSystem", "imtbench_report", "imtbench_signature"]

PART_NAMES = {
    "s_text": "text (COMET)",
    "s_bg": "background (Mask-LPIPS)",
    "s_align": "alignment (judge)",
    "s_vis": "visual quality (judge)",
}
"""What each part is, for people."""


@dataclass(frozen=True, slots=True)
class ImageSystem:
    """One system's samples, scored.

    Attributes:
        name: of the system.
        result: of all its samples.
        passed: of those that the filter lets pass; None: it was not asked.
    """

    name: str
    result: Result
    passed: Result | None = None


def imtbench_signature(settings: Mapping[str, object]) -> str:
    """The line that tells all settings.

    Args:
        settings: models and files that parts were computed with; ``as-supplied`` otherwise.
    """
    return signature(
        "IMTBench",
        [
            ("mean", "scenarios,unweighted"),
            ("absent", "null"),
            *settings.items(),
        ],
    )


_RULES = (
    "S_text = COMET, cut to 0..1. S_bg = 1 - the mean LPIPS distance over the background, cut to "
    "0..1. S_align and S_vis are the judge's alignment and naturalness over 10.",
    "S of a sample is the mean of the four; absent if any is absent. What is absent is never 0.",
    "A scenario's parts are means over the samples that have them; its S is the mean of its four "
    "parts. “All” is the unweighted mean of the scenarios' S.",
    "The background is what lies outside the union of the text boxes of reference and output; the "
    "distance compares the reference image with the output.",
    "A judge's reply that does not hold is an error of a named kind, never a score.",
)


def imtbench_report(
    *,
    title: str,
    made: str,
    systems: Sequence[ImageSystem],
    settings: Mapping[str, object],
    hashes: Mapping[str, str],
    warnings: Iterable[str] = (),
    exhibits: tuple[Exhibit, ...] = (),
) -> CardReport:
    """The report of some systems' samples.

    Args:
        title: of the report.
        made: when.
        systems: each with its result.
        settings: what parts were computed with, for the signature.
        hashes: of the input.
        warnings: what reading and computing noticed.
        exhibits: samples with their images, for the page.
    """
    ranked = sorted(
        systems,
        key=lambda one: (one.result.overall is None, -(one.result.overall or 0.0), one.name),
    )
    return CardReport(
        title=title,
        kind="IMTBench",
        schema="imtbench",
        made=made,
        signatures={"IMTBench": imtbench_signature(settings)},
        hashes=hashes,
        warnings=(*warnings, *_warnings(systems)),
        notes=_RULES,
        figures=tuple(
            Figure(
                one.name,
                _percent(one.result.overall),
                (
                    "mean of the scenarios, in %",
                    f"{one.result.all.complete} of {one.result.all.samples} samples have all "
                    "four parts",
                ),
            )
            for one in ranked[:6]
        ),
        plot=tuple(
            PlotRow(
                one.name,
                100 * point,
                None if interval.low is None else 100 * interval.low,
                None if interval.high is None else 100 * interval.high,
            )
            for one in ranked
            if (point := (interval := one.result.complete).point) is not None
        ),
        plot_title="Mean S of complete samples with its 95 % interval, in %",
        tables=(
            _overall_table(ranked),
            *_filtered_tables(ranked),
            _group_table(
                "scenario", "Scenario", "By scenario", systems, lambda one: one.by_scenario
            ),
            _group_table(
                "target",
                "Target language",
                "By target language",
                systems,
                lambda one: one.by_target,
            ),
            _group_table(
                "source",
                "Source language",
                "By source language",
                systems,
                lambda one: one.by_source,
            ),
            _errors_table(systems),
            Table("samples", "Samples", _SAMPLE_COLUMNS, _SampleRows(systems), long=True),
        ),
        result={"systems": [_system(one) for one in systems]},
        exhibits=exhibits,
    )


def _percent(value: float | None) -> str:
    return "—" if value is None else f"{100 * value:.1f}"


def _warnings(systems: Sequence[ImageSystem]) -> Iterator[str]:
    for one in systems:
        result = one.result
        if not result.samples:
            yield f"{one.name} has no samples."
            continue
        if result.absent:
            names = ", ".join(PART_NAMES[part] for part in result.absent)
            yield f"{one.name}: no sample has {names}; S is not computed."
        elif result.unscored_scenarios:
            yield (
                f"{one.name}: “All” leaves out {', '.join(result.unscored_scenarios)}, where a "
                "part is missing altogether."
            )
        if result.all.complete < result.all.samples and not result.absent:
            yield (
                f"{one.name}: {result.all.samples - result.all.complete} of "
                f"{result.all.samples} samples lack a part."
            )
        failures = sum(result.judge_errors.values())
        if failures:
            yield f"{one.name}: the judge failed on {failures} samples; they have no such scores."


def _group_columns() -> tuple[Column, ...]:
    return (
        *(
            Column(part, part.replace("s_", "S ").strip(), CellKind.NUMBER, PART_NAMES[part])
            for part in PARTS
        ),
        Column("s", "S", CellKind.NUMBER, "mean of the four; empty if any is missing"),
        Column("n", "Samples", CellKind.COUNT),
        Column("n_complete", "Complete", CellKind.COUNT, "with all four parts"),
        *(
            Column(f"n_{part}", f"with {part.replace('s_', 'S ')}", CellKind.COUNT)
            for part in PARTS
        ),
    )


def _group_cells(summary: Summary) -> tuple[Cell, ...]:
    return (
        *(summary.means[part] for part in PARTS),
        summary.s,
        summary.samples,
        summary.complete,
        *(summary.counts[part] for part in PARTS),
    )


def _overall_table(ranked: Sequence[ImageSystem]) -> Table:
    overalls = [one.result.overall for one in ranked]
    columns = (
        Column("rank", "Rank", CellKind.COUNT),
        Column("system", "System"),
        Column("overall", "All", CellKind.NUMBER, "unweighted mean of the scenarios' S"),
        Column("overall_by_sample", "by sample", CellKind.NUMBER, "every sample counts the same"),
        Column("complete_mean", "complete samples", CellKind.NUMBER),
        Column("ci_low", "from", CellKind.NUMBER, "95 % interval of the complete samples' mean"),
        Column("ci_high", "to", CellKind.NUMBER, "95 % interval of the complete samples' mean"),
        Column("n", "Samples", CellKind.COUNT),
        Column("n_complete", "Complete", CellKind.COUNT),
        Column("judge_errors", "Judge errors", CellKind.COUNT),
    )
    rows = [
        (
            None if one.result.overall is None else overalls.index(one.result.overall) + 1,
            one.name,
            one.result.overall,
            one.result.all.s,
            one.result.complete.point,
            one.result.complete.low,
            one.result.complete.high,
            one.result.all.samples,
            one.result.all.complete,
            sum(one.result.judge_errors.values()),
        )
        for one in ranked
    ]
    return Table("systems", "Systems", columns, rows)


def _filtered_tables(ranked: Sequence[ImageSystem]) -> list[Table]:
    """All samples and those that the filter lets pass, side by side."""
    filtered = [(one, one.passed) for one in ranked if one.passed is not None]
    if not filtered:
        return []
    columns = (
        Column("system", "System"),
        Column("samples", "Samples"),
        Column("n", "Count", CellKind.COUNT),
        Column("overall", "All", CellKind.NUMBER, "unweighted mean of the scenarios' S"),
        *_group_columns()[: len(PARTS)],
        Column("n_complete", "Complete", CellKind.COUNT, "with all four parts"),
    )
    rows = [
        (
            *(one.name, which, result.all.samples, result.overall),
            *(result.all.means[part] for part in PARTS),
            result.all.complete,
        )
        for one, passed in filtered
        for which, result in (("all", one.result), ("passed by the filter", passed))
    ]
    return [
        Table(
            "filtered",
            "With and without the filter",
            columns,
            rows,
            "The filter (prompt A) says which samples may serve as evaluation data. The "
            "ranking is of all samples.",
        )
    ]


def _group_table(
    name: str, heading: str, title: str, systems: Sequence[ImageSystem], of: Any
) -> Table:
    columns = (Column("system", "System"), Column(name, heading), *_group_columns())
    rows = [
        (one.name, group, *_group_cells(summary))
        for one in systems
        for group, summary in of(one.result).items()
    ]
    return Table(f"by-{name}", title, columns, rows)


def _errors_table(systems: Sequence[ImageSystem]) -> Table:
    columns = (
        Column("system", "System"),
        Column("kind", "Kind"),
        Column("count", "Samples", CellKind.COUNT),
    )
    rows = [
        (one.name, kind, count)
        for one in systems
        for kind, count in sorted(one.result.judge_errors.items())
    ]
    return Table("judge-errors", "Judge errors", columns, rows)


_SAMPLE_COLUMNS = (
    Column("system", "System"),
    Column("sample", "Sample"),
    Column("scenario", "Scenario"),
    Column("source", "Source"),
    Column("target", "Target"),
    *(Column(part, part.replace("s_", "S "), CellKind.NUMBER, PART_NAMES[part]) for part in PARTS),
    Column("s", "S", CellKind.NUMBER),
    Column("judge_error", "Judge error"),
    Column("warnings", "Warnings"),
    Column("reasoning", "Judge's reasoning"),
)


class _SampleRows:
    def __init__(self, systems: Sequence[ImageSystem]) -> None:
        self._systems = systems

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        for system in self._systems:
            for one in system.result.samples:
                yield (
                    system.name,
                    one.sample.id,
                    one.sample.scenario,
                    one.sample.source_language,
                    one.sample.target_language,
                    *one.parts,
                    one.s,
                    one.judge_error,
                    ", ".join(one.warnings),
                    one.reasoning,
                )


def _summary(summary: Summary) -> dict[str, Any]:
    return {
        **summary.means,
        **{f"n_{part}": count for part, count in summary.counts.items()},
        "s": summary.s,
        "n": summary.samples,
        "n_complete": summary.complete,
    }


def _system(system: ImageSystem) -> dict[str, Any]:
    result = system.result
    return {
        "system": system.name,
        "overall": result.overall,
        "overall_by_sample": result.all.s,
        "unscored_scenarios": list(result.unscored_scenarios),
        "complete": {
            "mean": result.complete.point,
            "low": result.complete.low,
            "high": result.complete.high,
        },
        "absent": list(result.absent),
        "all": _summary(result.all),
        "by_scenario": {name: _summary(one) for name, one in result.by_scenario.items()},
        "by_target": {name: _summary(one) for name, one in result.by_target.items()},
        "by_source": {name: _summary(one) for name, one in result.by_source.items()},
        "judge_errors": dict(result.judge_errors),
        "passed_by_filter": (
            None
            if system.passed is None
            else {"overall": system.passed.overall, "all": _summary(system.passed.all)}
        ),
        "samples": [
            {
                "sample_id": one.sample.id,
                "scenario": one.sample.scenario,
                "src_lang": one.sample.source_language,
                "tgt_lang": one.sample.target_language,
                **dict(zip(PARTS, one.parts, strict=True)),
                "s": one.s,
                "judge_error": one.judge_error,
                "warnings": list(one.warnings),
                "reasoning": one.reasoning,
            }
            for one in result.samples
        ],
    }
