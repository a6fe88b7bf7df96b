"""The tasks of the plan's Table 1, scored: by system and by every group, as tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from madcat_studio.model.campaign import DataSet
from madcat_studio.reports.blocks import KeptRows
from madcat_studio.reports.cards import CardReport, Figure, PlotRow
from madcat_studio.reports.factors import (
    INTERVAL_COLUMNS,
    Factors,
    beside_rates,
    interval_cells,
    within_groups,
)
from madcat_studio.reports.grouping import FACTORS, WAYS, Breakdown, GroupSums
from madcat_studio.reports.significance import compared_columns, method, rows_of
from madcat_studio.reports.table import NOT_A_RATE, Cell, CellKind, Column, Table, plain
from madcat_studio.reports.tables import Report
from madcat_studio.reports.task_results import (
    HTER_TASK,
    SEGMENT_PLACES,
    TASKS,
    TaskResults,
    TaskSums,
)
from madcat_studio.scoring.resampling import Resampling

__all__ = ["HterTables", "evaluation_report"]

_TASK_COLUMNS = (
    Column("task", "Task"),
    Column("condition", "Condition", note="which segmentation the system was given"),
    Column("metric", "Metric"),
)
_APART_COLUMNS = (
    *_TASK_COLUMNS,
    Column("track", "Track", note="nothing is summed over two tracks"),
    Column("set", "Set"),
)
_SYSTEM_COLUMNS = (*_APART_COLUMNS, Column("system", "System"))
_EDIT_COLUMNS = (
    Column("insertions", "Ins", CellKind.COUNT),
    Column("deletions", "Del", CellKind.COUNT),
    Column("substitutions", "Sub", CellKind.COUNT),
    Column("shifts", "Shift", CellKind.COUNT),
)
_CLEAN = "without segments with scribe errors"
_SUM_COLUMNS = (
    Column("segments", "Segments", CellKind.COUNT),
    Column("edits", "Edits", CellKind.COUNT),
    Column("words", "Words", CellKind.COUNT, "of the reference; of HTER see its own report"),
    Column("rate", "Rate", CellKind.RATE, "edits / words"),
    *_EDIT_COLUMNS,
    Column("missing", "Missing", CellKind.COUNT, "segments without output, counted as empty"),
    Column("unscored", "No reference", CellKind.COUNT, "segments that cannot be scored"),
    Column("clean_segments", "Segments*", CellKind.COUNT, _CLEAN),
    Column("clean_edits", "Edits*", CellKind.COUNT, _CLEAN),
    Column("clean_words", "Words*", CellKind.COUNT, _CLEAN),
    Column("clean_rate", "Rate*", CellKind.RATE, _CLEAN),
)
_NUMBERS = ("edits", "words", "segments", "0")
"""What intervals and tests are made from; no segment of a file is open."""


def _rate(value: float | None) -> Cell:
    return NOT_A_RATE if value is None else value


@dataclass(frozen=True, slots=True)
class HterTables:
    """What a campaign's own report says of HTER, as rows of an evaluation's tables."""

    systems: tuple[tuple[Cell, ...], ...] = ()
    compared: tuple[tuple[Cell, ...], ...] = ()
    groups: Mapping[Breakdown, tuple[tuple[Cell, ...], ...]] = field(default_factory=dict)
    within: tuple[tuple[Cell, ...], ...] = ()

    def and_of(self, report: Report) -> HterTables:
        """These, and those of the report of another track of the campaign."""
        tables = {table.name: table for table in report.tables}
        own = (HTER_TASK.name, HTER_TASK.condition, HTER_TASK.metric)

        def rows(breakdown: Breakdown, *names: str) -> tuple[tuple[Cell, ...], ...]:
            return tuple(
                (*own, report.track, row["set"], row["system"], *_hter_cells(row, breakdown))
                for name in names
                if name in tables
                for row in tables[name].records()
            )

        def after(name: str) -> tuple[tuple[Cell, ...], ...]:
            place = (*own, report.track, str(DataSet.EVALUATION))
            return tuple((*place, *row) for row in tables[name].rows) if name in tables else ()

        apart = [f"{data_set}-set" for data_set in DataSet]
        return HterTables(
            (*self.systems, *rows(Breakdown.SYSTEM, "systems", *apart)),
            (*self.compared, *after("comparisons")),
            {one: (*self.groups.get(one, ()), *rows(one, WAYS[one].name)) for one in FACTORS},
            (*self.within, *after("comparisons-within-groups")),
        )


_HTER_SUMS = (
    *("segments", "edits", "words", "hter", "insertions", "deletions", "substitutions", "shifts"),
    *("", "", "clean_segments", "clean_edits", "clean_words", "clean_hter"),
)
"""The columns of a campaign's tables for those of ours; nothing is missing or without reference."""


def _hter_cells(row: Mapping[str, Cell], breakdown: Breakdown) -> Iterator[Cell]:
    yield from (row[column.key] for column in WAYS[breakdown].columns)
    sums = [row[key] if key else None for key in _HTER_SUMS]
    yield from beside_rates(sums, [row[column.key] for column in INTERVAL_COLUMNS])


def _sums(sums: TaskSums, clean: TaskSums) -> tuple[Cell, ...]:
    return (
        int(sums.segments),
        plain(sums.edits),
        plain(sums.words),
        _rate(sums.rate),
        int(sums.insertions),
        int(sums.deletions),
        int(sums.substitutions),
        int(sums.shifts),
        int(sums.missing),
        int(sums.unscored),
        int(clean.segments),
        plain(clean.edits),
        plain(clean.words),
        _rate(clean.rate) if clean.segments else None,
    )


def _apart(series: str, track: str, data_set: DataSet) -> tuple[Cell, ...]:
    task = TASKS[int(series)]
    return task.name, task.condition, task.metric, track, str(data_set)


class _Tables:
    """The tables of an evaluation, made from its sums."""

    def __init__(self, results: TaskResults, hter: HterTables, settings: Resampling) -> None:
        self._results, self._hter = results, hter
        self._factors = Factors(results.sums, _NUMBERS, settings)

    def _row(self, group: GroupSums, breakdown: Breakdown, *, drawn: bool) -> tuple[Cell, ...]:
        worth: tuple[Cell, ...] = ()
        if drawn:
            apart = group.series, group.track, group.data_set
            name = group.names[-1] if group.names else ""
            worth = interval_cells(self._factors.system(apart, breakdown, name, group.system))
        return (
            *_apart(group.series, group.track, group.data_set),
            group.system,
            *group.names,
            *beside_rates(_sums(TaskSums(*group.all), TaskSums(*group.clean)), worth),
        )

    def tasks(self) -> Table:
        """Every system in every task."""
        rows = [
            *self._hter.systems,
            *(
                self._row(group, Breakdown.SYSTEM, drawn=True)
                for group in self._results.sums.of(Breakdown.SYSTEM)
            ),
        ]
        note = "The tasks of the plan's Table 1 that the files belong to."
        if not self._hter.systems:
            note += " HTER, the primary metric, needs a campaign with post-edits."
        columns = (*_SYSTEM_COLUMNS, *beside_rates(_SUM_COLUMNS, INTERVAL_COLUMNS))
        return Table("tasks", "Tasks", columns, rows, note)

    def comparisons(self) -> Iterator[Table]:
        """Every two systems of a task; then the same within the groups of each factor."""
        rows: list[tuple[Cell, ...]] = list(self._hter.compared)
        parts = [(_apart(*apart), apart) for apart in self._results.sums.apart()]
        for cells, apart in parts:
            group = self._factors.of(apart, Breakdown.SYSTEM)[""]
            rows += [(*cells, *row) for row in rows_of(group.pairings, group.comparisons)]
        if rows:
            columns = (*_APART_COLUMNS, *compared_columns("Rate", "rate"))
            note = "Paired by source document, corrected over the pairs of a task."
            yield Table("comparisons", "Systems compared", columns, rows, note)
        within = within_groups(
            self._factors, parts, _APART_COLUMNS, "Rate", "rate", self._hter.within
        )
        if within is not None:
            yield within

    def groups(self) -> Iterator[Table]:
        """A table for each breakdown that says something."""
        sums = self._results.sums
        for breakdown, way in WAYS.items():
            of_hter = self._hter.groups.get(breakdown, ())
            if not way.keys or not (of_hter or sums.varies(breakdown)):
                continue
            drawn = breakdown in FACTORS
            rows: list[tuple[Cell, ...]] | KeptRows
            if drawn:
                rows = [*of_hter, *self._rows(breakdown, drawn=True)]
            else:
                rows = self._long(breakdown)
            columns = (
                *_SYSTEM_COLUMNS,
                *way.columns,
                *beside_rates(_SUM_COLUMNS, INTERVAL_COLUMNS if drawn else ()),
            )
            yield Table(way.name, way.title, columns, rows, "", way.long)

    def _rows(self, breakdown: Breakdown, *, drawn: bool) -> Iterator[tuple[Cell, ...]]:
        for group in self._results.sums.of(breakdown):
            yield self._row(group, breakdown, drawn=drawn)

    def _long(self, breakdown: Breakdown) -> KeptRows:
        """Rows that are made when somebody looks: there can be very many."""
        return KeptRows(
            lambda: self._rows(breakdown, drawn=False),
            lambda: self._results.sums.count(breakdown),
        )

    def diacritics(self) -> Table | None:
        """What removing diacritics changed in each task of transcription."""
        rows: list[tuple[Cell, ...]] = []
        for group in self._results.sums.of(Breakdown.SYSTEM):
            if TASKS[int(group.series)].metric != "WER":
                continue
            sums = TaskSums(*group.all)
            both = sums.rate, sums.marked_rate
            rows.append(
                (
                    *_apart(group.series, group.track, group.data_set),
                    group.system,
                    int(sums.reference_marks),
                    int(sums.output_marks),
                    plain(sums.marked_edits),
                    plain(sums.marked_words),
                    _rate(both[1]),
                    plain(sums.edits),
                    plain(sums.words),
                    _rate(both[0]),
                    None if both[0] is None or both[1] is None else both[0] - both[1],
                )
            )
        if not rows:
            return None
        columns = (
            *_SYSTEM_COLUMNS,
            Column("reference_marks", "Removed from references", CellKind.COUNT, "diacritics"),
            Column("output_marks", "Removed from output", CellKind.COUNT, "diacritics"),
            Column("marked_edits", "Edits as written", CellKind.COUNT),
            Column("marked_words", "Words as written", CellKind.COUNT),
            Column("marked_rate", "WER as written", CellKind.RATE),
            Column("edits", "Edits", CellKind.COUNT),
            Column("words", "Words", CellKind.COUNT),
            Column("rate", "WER", CellKind.RATE, "diacritics of both sides removed: what counts"),
            Column("change", "Change", CellKind.RATE, "in points of WER"),
        )
        note = "The plan removes diacritics of both sides before transcriptions are scored."
        return Table("diacritics", "Effect of removing diacritics", columns, rows, note)

    def segments(self) -> Table:
        """Every segment with its texts."""
        titles = {column.key: column for way in WAYS.values() for column in way.columns}
        titles |= {column.key: column for column in _SYSTEM_COLUMNS}
        titles["data_set"] = titles["set"]
        columns = (
            *_TASK_COLUMNS,
            *(titles[name] for name in SEGMENT_PLACES),
            Column("document", "Document"),
            Column("segment", "Segment"),
            Column("status", "Status"),
            Column("edits", "Edits", CellKind.COUNT),
            Column("words", "Words", CellKind.COUNT),
            Column("rate", "Rate", CellKind.RATE),
            *_EDIT_COLUMNS,
            Column("output", "Output"),
            Column("reference", "Reference"),
        )
        return Table("segments", "Segments", columns, self._results.segments(), long=True)

    def listed(self) -> Table:
        """What is missing, extra or doubled."""
        columns = (
            Column("system", "System"),
            Column("files", "Files"),
            Column("document", "Document"),
            Column("segment", "Segment"),
            Column("status", "Why"),
        )
        rows: list[tuple[Cell, ...]] = [
            (system, suffix.split(".")[1], base, segment, str(status))
            for system, suffix, base, segment, status in self._results.listed
        ]
        note = (
            "Missing segments count as empty output. Extra and doubled segments, and documents "
            "without a reference, are not scored."
        )
        return Table("listed", "Missing, extra, doubled", columns, rows, note)


_NOTES = (
    "Case is kept in all tasks.",
    "TER: punctuation of both sides is split off (tercom's -N). WER: diacritics of both sides are "
    "removed, and there are no shifts.",
    "A rate of many segments is the sum of their edits over the sum of their words. Rates above "
    "100 % are real and are not cut.",
    "Missing output counts as empty: every word of the reference is a deletion.",
    "A segment with edits and no words counts in the sums; its own rate is shown as n/a.",
)


def _end_of(plot: Sequence[PlotRow]) -> float:
    """100, or the next hundred where a rate is above it."""
    highest = max((row.high or row.point for row in plot), default=0.0)
    return 100.0 * max(1, math.ceil(highest / 100))


def _plot(tasks: Table) -> tuple[PlotRow, ...]:
    """Each rate with its interval, in percent, task by task from the best system to the worst."""
    order: dict[tuple[Cell, ...], int] = {}
    found: list[tuple[int, PlotRow]] = []
    for row in tasks.records():
        rate = _percent(row["rate"])
        if rate is None:
            continue
        place = order.setdefault((row["task"], row["metric"], _condition(row)), len(order))
        label = f"{row['metric']}{_condition(row)}: {row['system']}"
        found.append((place, PlotRow(label, rate, _percent(row["low"]), _percent(row["high"]))))
    return tuple(row for _, row in sorted(found, key=lambda one: (one[0], one[1].point)))


def _percent(cell: Cell) -> float | None:
    return 100 * cell if isinstance(cell, int | float) else None


def evaluation_report(
    results: TaskResults,
    hter: HterTables,
    *,
    title: str,
    made: str,
    signatures: Mapping[str, str],
    hashes: Mapping[str, str],
    warnings: Sequence[str],
    settings: Resampling = Resampling(),
) -> CardReport:
    """The report of an evaluation, for every form that reports have."""
    make = _Tables(results, hter, settings)
    tasks, listed, diacritics = make.tasks(), make.listed(), make.diacritics()
    told = list(warnings)
    tables = [tasks]
    if rows := list(listed.rows):
        tables.append(listed)
        told.append(f"Missing, extra, doubled or without reference: {len(rows)}, listed below.")
    tables += make.comparisons()
    if diacritics is not None:
        tables.append(diacritics)
    tables += make.groups()
    tables.append(make.segments())
    plot = _plot(tasks)
    return CardReport(
        title=title,
        kind="Evaluation",
        schema="evaluation",
        made=made,
        signatures=dict(signatures),
        hashes=dict(hashes),
        warnings=tuple(told),
        notes=(
            *_NOTES,
            method(settings),
            "Without a corpus table or a campaign a document's name tells what it is: "
            "SOURCE_PAGE_SCRIBE; one of another form is a source document of its own.",
        ),
        tables=tuple(tables),
        result={},
        figures=_figures(tasks),
        plot=plot,
        plot_range=(0.0, _end_of(plot)),
        plot_title="Rates in percent, with their 95 % intervals",
    )


def _figures(tasks: Table) -> tuple[Figure, ...]:
    """The most telling task of each system: the first that it took part in."""
    headline: dict[Cell, dict[str, Cell]] = {}
    for row in tasks.records():
        headline.setdefault(row["system"], row)
    return tuple(
        Figure(
            f"{row['system']}, {row['task']}{_condition(row)}",
            CellKind.RATE.shown(row["rate"]),
            (
                f"{row['metric']}: {CellKind.COUNT.shown(row['edits'])} edits over "
                f"{CellKind.COUNT.shown(row['words'])} words in "
                f"{CellKind.COUNT.shown(row['segments'])} segments",
            ),
        )
        for row in headline.values()
    )


def _condition(row: Mapping[str, Cell]) -> str:
    """What tells one row of a task from another: condition, track, and a set apart."""
    parts = [row["condition"], row["track"], row["set"]]
    told = [part for part in parts if part not in ("-", "", str(DataSet.EVALUATION))]
    return "".join(f", {part}" for part in told)
