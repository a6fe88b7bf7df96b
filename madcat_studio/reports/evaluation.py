"""The tasks of the plan's Table 1, scored: sums by system and task, as tables of a report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from madcat_studio.model.basename import BaseName
from madcat_studio.reports.cards import CardReport, Figure, PlotRow
from madcat_studio.reports.significance import (
    Pairing,
    compared,
    compared_columns,
    interval_of,
    method,
)
from madcat_studio.reports.tables import NOT_A_RATE, Cell, CellKind, Column, Table, plain
from madcat_studio.scoring.resampling import Interval, Resampling, interval
from madcat_ter.hter import Counts
from madcat_ter.ter import rate

__all__ = [
    "HTER_TASK",
    "TASKS",
    "Evaluation",
    "HterLine",
    "Status",
    "Task",
    "TaskSegment",
    "TaskSums",
    "evaluation_report",
    "source_document",
]


@dataclass(frozen=True, slots=True)
class Task:
    """A task of the plan under one condition.

    Attributes:
        name: the plan's name of it.
        condition: ``line``, ``word``, or ``-`` where no segmentation is given.
        metric: TER, WER or HTER.
        suffix: of the files that belong to it.
    """

    name: str
    condition: str
    metric: str
    suffix: str


TASKS = (
    Task("document image translation", "line", "TER", ".linesys.madcat.xml"),
    Task("document image translation", "word", "TER", ".wordsys.madcat.xml"),
    Task("document image recognition", "line", "WER", ".linesys.madcat.xml"),
    Task("document image recognition", "word", "WER", ".wordsys.madcat.xml"),
    Task("document text translation", "-", "TER", ".transys.madcat.xml"),
)
HTER_TASK = Task("document image translation", "line", "HTER", ".linesys.madcat.xml")
"""The primary task; its metric needs post-edits, which are in a campaign."""


class Status(StrEnum):
    """What became of a segment."""

    SCORED = "scored"
    MISSING = "missing"
    EXTRA = "extra"
    DOUBLED = "doubled"
    NO_REFERENCE = "no reference"


@dataclass(slots=True)
class TaskSums:
    """Sums over segments; ``without_reference`` were not scored."""

    segments: int = 0
    missing: int = 0
    without_reference: int = 0
    insertions: int = 0
    deletions: int = 0
    substitutions: int = 0
    shifts: int = 0
    edits: float = 0.0
    words: float = 0.0

    def add(self, counts: Counts, status: Status) -> None:
        """Take in one segment."""
        self.segments += 1
        self.missing += status is Status.MISSING
        self.insertions += counts.insertions
        self.deletions += counts.deletions
        self.substitutions += counts.substitutions
        self.shifts += counts.shifts
        self.edits += counts.edits
        self.words += counts.words

    @property
    def rate(self) -> float | None:
        """Sum of edits over sum of words."""
        return rate(self.edits, self.words)


@dataclass(frozen=True, slots=True)
class TaskSegment:
    """One segment of one system in one task."""

    task: Task
    system: str
    base: str
    segment: str
    status: Status
    counts: Counts
    output: str
    reference: str


@dataclass(frozen=True, slots=True)
class HterLine:
    """A system's HTER as its campaign's report has it."""

    task: Task
    system: str
    cells: tuple[Cell, ...]

    @classmethod
    def of(cls, task: Task, row: Mapping[str, Cell], interval: Interval | None) -> HterLine:
        """From a row of the campaign's table of systems."""
        before = tuple(row[key] for key in ("segments", "edits", "words", "hter"))
        after = tuple(row[key] for key in ("insertions", "deletions", "substitutions", "shifts"))
        return cls(task, str(row["system"]), (*before, *interval_of(interval), *after))


@dataclass(slots=True)
class Evaluation:
    """All that was scored.

    Attributes:
        listed: (system, suffix, BASE, segment or "", why) of what was not scored.
        hter_compared: rows of :func:`compared_columns`, from the campaign's report.
    """

    sums: dict[tuple[Task, str], TaskSums] = field(default_factory=dict)
    documents: dict[tuple[Task, str, str], TaskSums] = field(default_factory=dict)
    segments: list[TaskSegment] = field(default_factory=list)
    listed: list[tuple[str, str, str, str, Status]] = field(default_factory=list)
    hter: list[HterLine] = field(default_factory=list)
    hter_compared: list[tuple[Cell, ...]] = field(default_factory=list)


def _rate(value: float | None) -> Cell:
    return NOT_A_RATE if value is None else value


_TASK_COLUMNS = (
    Column("task", "Task"),
    Column("condition", "Condition", note="which segmentation the system was given"),
    Column("metric", "Metric"),
    Column("system", "System"),
)
_RATE_COLUMNS = (
    Column("segments", "Segments", CellKind.COUNT),
    Column("edits", "Edits", CellKind.COUNT),
    Column("words", "Words", CellKind.COUNT, "of the reference"),
    Column("rate", "Rate", CellKind.RATE),
)
_INTERVAL_COLUMNS = (
    Column("low", "From", CellKind.RATE, "95 % interval, by resampling source documents"),
    Column("high", "To", CellKind.RATE, "95 % interval, by resampling source documents"),
)
_EDIT_COLUMNS = (
    Column("insertions", "Ins", CellKind.COUNT),
    Column("deletions", "Del", CellKind.COUNT),
    Column("substitutions", "Sub", CellKind.COUNT),
    Column("shifts", "Shift", CellKind.COUNT),
)
_SUM_COLUMNS = (*_RATE_COLUMNS, *_EDIT_COLUMNS)


def _task(task: Task, system: str) -> tuple[Cell, ...]:
    return task.name, task.condition, task.metric, system


def _sums(sums: TaskSums) -> tuple[Cell, ...]:
    return (
        sums.segments,
        plain(sums.edits),
        plain(sums.words),
        _rate(sums.rate),
        sums.insertions,
        sums.deletions,
        sums.substitutions,
        sums.shifts,
    )


def source_document(base: str) -> str:
    """What a document was copied from, by its name ``SOURCE_PAGE_SCRIBE``.

    A name of another form is a source document of its own.
    """
    name = BaseName.of(base)
    return base if name is None else name.source_document


_Clusters = dict[tuple[Task, str], dict[str, tuple[float, float]]]


def _clusters(evaluation: Evaluation) -> _Clusters:
    """Edits and words of each source document, for each task and system."""
    found: _Clusters = {}
    for (task, system, base), sums in evaluation.documents.items():
        own = found.setdefault((task, system), {})
        source = source_document(base)
        edits, words = own.get(source, (0.0, 0.0))
        own[source] = edits + sums.edits, words + sums.words
    return found


def _comparisons_table(
    evaluation: Evaluation, clusters: _Clusters, settings: Resampling
) -> Table | None:
    """Every two systems of a task; corrected within the task."""
    own = HTER_TASK.name, HTER_TASK.condition, HTER_TASK.metric
    rows: list[tuple[Cell, ...]] = [(*own, *row) for row in evaluation.hter_compared]
    for task in TASKS:
        systems = [system for of_task, system in clusters if of_task == task]
        documents = {base for of_task, _, base in evaluation.documents if of_task == task}
        pairings = [
            Pairing(first, second, len(documents), _paired(clusters, task, first, second))
            for first, second in combinations(systems, 2)
        ]
        found = compared(pairings, settings)[1]
        rows += [(task.name, task.condition, task.metric, *row) for row in found]
    if not rows:
        return None
    columns = (*_TASK_COLUMNS[:3], *compared_columns("Rate", "rate"))
    note = "Paired by source document, corrected over the pairs of a task."
    return Table("comparisons", "Systems compared", columns, rows, note)


def _paired(clusters: _Clusters, task: Task, first: str, second: str) -> NDArray[np.float64]:
    """Sums of the same source documents: every system is scored on all references."""
    one, other = clusters[task, first], clusters[task, second]
    return np.array([(*sums, *other[name]) for name, sums in one.items()], dtype=np.float64).T


def _tasks_table(evaluation: Evaluation, clusters: _Clusters, settings: Resampling) -> Table:
    columns = (
        *_TASK_COLUMNS,
        *_RATE_COLUMNS,
        *_INTERVAL_COLUMNS,
        *_EDIT_COLUMNS,
        Column("missing", "Missing", CellKind.COUNT, "segments without output, counted as empty"),
        Column("unscored", "No reference", CellKind.COUNT, "segments that cannot be scored"),
    )
    rows: list[tuple[Cell, ...]] = [
        (*_task(line.task, line.system), *line.cells, None, None) for line in evaluation.hter
    ]
    order = {task: place for place, task in enumerate(TASKS)}
    for (task, system), sums in sorted(evaluation.sums.items(), key=lambda item: order[item[0][0]]):
        cells = _sums(sums)
        drawn = np.array([*clusters.get((task, system), {}).values()]).reshape(-1, 2)
        ends = interval_of(interval(drawn[:, 0], drawn[:, 1], settings))
        before, after = cells[: len(_RATE_COLUMNS)], cells[len(_RATE_COLUMNS) :]
        counts = sums.missing, sums.without_reference
        rows.append((*_task(task, system), *before, *ends, *after, *counts))
    note = "The tasks of the plan's Table 1 that the files belong to."
    if not evaluation.hter:
        note += " HTER, the primary metric, needs a campaign with post-edits."
    return Table("tasks", "Tasks", columns, rows, note)


def _documents_table(evaluation: Evaluation) -> Table:
    columns = (
        *_TASK_COLUMNS,
        Column("document", "Document"),
        *_SUM_COLUMNS,
        Column("missing", "Missing", CellKind.COUNT),
    )
    rows = [
        (*_task(task, system), base, *_sums(sums), sums.missing)
        for (task, system, base), sums in evaluation.documents.items()
    ]
    return Table("documents", "Documents", columns, rows, long=True)


def _segments_table(evaluation: Evaluation) -> Table:
    columns = (
        *_TASK_COLUMNS,
        Column("document", "Document"),
        Column("segment", "Segment"),
        Column("status", "Status"),
        *_SUM_COLUMNS[1:],
        Column("output", "Output"),
        Column("reference", "Reference"),
    )
    rows = [
        (
            *_task(one.task, one.system),
            one.base,
            one.segment,
            str(one.status),
            plain(one.counts.edits),
            plain(one.counts.words),
            _rate(one.counts.rate),
            one.counts.insertions,
            one.counts.deletions,
            one.counts.substitutions,
            one.counts.shifts,
            one.output,
            one.reference,
        )
        for one in evaluation.segments
    ]
    return Table("segments", "Segments", columns, rows, long=True)


def _listed_table(evaluation: Evaluation) -> Table:
    columns = (
        Column("system", "System"),
        Column("files", "Files"),
        Column("document", "Document"),
        Column("segment", "Segment"),
        Column("status", "Why"),
    )
    rows: list[tuple[Cell, ...]] = [
        (system, suffix.split(".")[1], base, segment, str(status))
        for system, suffix, base, segment, status in evaluation.listed
    ]
    seen: set[tuple[Cell, ...]] = set()
    for one in evaluation.segments:
        if one.status is Status.MISSING:
            row = (one.system, one.task.suffix.split(".")[1], one.base, one.segment, "missing")
            if row not in seen:
                seen.add(row)
                rows.append(row)
    note = (
        "Missing segments count as empty output. Extra and doubled segments, and documents without "
        "a reference, are not scored."
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
        place = order.setdefault((row["task"], row["condition"], row["metric"]), len(order))
        condition = "" if row["condition"] == "-" else f", {row['condition']}"
        label = f"{row['metric']}{condition}: {row['system']}"
        found.append((place, PlotRow(label, rate, _percent(row["low"]), _percent(row["high"]))))
    return tuple(row for _, row in sorted(found, key=lambda one: (one[0], one[1].point)))


def _percent(cell: Cell) -> float | None:
    return 100 * cell if isinstance(cell, int | float) else None


def evaluation_report(
    evaluation: Evaluation,
    *,
    title: str,
    made: str,
    signatures: Mapping[str, str],
    hashes: Mapping[str, str],
    warnings: Sequence[str],
    settings: Resampling = Resampling(),
) -> CardReport:
    """The report of an evaluation, for every form that reports have."""
    clusters = _clusters(evaluation)
    tables = [_tasks_table(evaluation, clusters, settings)]
    comparisons = _comparisons_table(evaluation, clusters, settings)
    if comparisons is not None:
        tables.append(comparisons)
    tables += [_documents_table(evaluation), _segments_table(evaluation)]
    listed = _listed_table(evaluation)
    told = list(warnings)
    if rows := list(listed.rows):
        tables.insert(1, listed)
        told.append(f"Missing, extra, doubled or without reference: {len(rows)}, listed below.")
    headline: dict[Cell, dict[str, Cell]] = {}
    for row in tables[0].records():
        headline.setdefault(row["system"], row)  # the first is the system's most telling task
    figures = tuple(
        Figure(
            f"{row['system']}, {row['task']}"
            + ("" if row["condition"] == "-" else f", {row['condition']}"),
            CellKind.RATE.shown(row["rate"]),
            (
                f"{row['metric']}: {CellKind.COUNT.shown(row['edits'])} edits over "
                f"{CellKind.COUNT.shown(row['words'])} words in "
                f"{CellKind.COUNT.shown(row['segments'])} segments",
            ),
        )
        for row in headline.values()
    )
    plot = _plot(tables[0])
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
            "A document's name is SOURCE_PAGE_SCRIBE; one of another form is a source document of "
            "its own.",
        ),
        tables=tuple(tables),
        result={},
        figures=figures,
        plot=plot,
        plot_range=(0.0, _end_of(plot)),
        plot_title="Rates in percent, with their 95 % intervals",
    )
