"""The tasks of the plan's Table 1, scored: sums by system and task, as tables of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from madcat_studio.reports.cards import CardReport, Figure
from madcat_studio.reports.html import shown
from madcat_studio.reports.tables import NOT_A_RATE, Cell, Column, Kind, Table, plain
from madcat_studio.scoring.hter import Counts
from madcat_studio.scoring.ter import rate

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
    def of(cls, task: Task, row: Mapping[str, Cell]) -> HterLine:
        """From a row of the campaign's table of systems."""
        keys = ("segments", "edits", "words", "hter", "insertions", "deletions", "substitutions")
        return cls(task, str(row["system"]), tuple(row[key] for key in (*keys, "shifts")))


@dataclass(slots=True)
class Evaluation:
    """All that was scored.

    Attributes:
        listed: (system, suffix, BASE, segment or "", why) of what was not scored.
    """

    sums: dict[tuple[Task, str], TaskSums] = field(default_factory=dict)
    documents: dict[tuple[Task, str, str], TaskSums] = field(default_factory=dict)
    segments: list[TaskSegment] = field(default_factory=list)
    listed: list[tuple[str, str, str, str, Status]] = field(default_factory=list)
    hter: list[HterLine] = field(default_factory=list)


def _rate(value: float | None) -> Cell:
    return NOT_A_RATE if value is None else value


_TASK_COLUMNS = (
    Column("task", "Task"),
    Column("condition", "Condition", note="which segmentation the system was given"),
    Column("metric", "Metric"),
    Column("system", "System"),
)
_SUM_COLUMNS = (
    Column("segments", "Segments", Kind.COUNT),
    Column("edits", "Edits", Kind.COUNT),
    Column("words", "Words", Kind.COUNT, "of the reference"),
    Column("rate", "Rate", Kind.RATE),
    Column("insertions", "Ins", Kind.COUNT),
    Column("deletions", "Del", Kind.COUNT),
    Column("substitutions", "Sub", Kind.COUNT),
    Column("shifts", "Shift", Kind.COUNT),
)


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


def _tasks_table(evaluation: Evaluation) -> Table:
    columns = (
        *_TASK_COLUMNS,
        *_SUM_COLUMNS,
        Column("missing", "Missing", Kind.COUNT, "segments without output, counted as empty"),
        Column("unscored", "No reference", Kind.COUNT, "segments that cannot be scored"),
    )
    rows: list[tuple[Cell, ...]] = [
        (*_task(line.task, line.system), *line.cells, None, None) for line in evaluation.hter
    ]
    order = {task: place for place, task in enumerate(TASKS)}
    for (task, system), sums in sorted(evaluation.sums.items(), key=lambda item: order[item[0][0]]):
        rows.append((*_task(task, system), *_sums(sums), sums.missing, sums.without_reference))
    note = "The tasks of the plan's Table 1 that the files belong to."
    if not evaluation.hter:
        note += " HTER, the primary metric, needs a campaign with post-edits."
    return Table("tasks", "Tasks", columns, rows, note)


def _documents_table(evaluation: Evaluation) -> Table:
    columns = (
        *_TASK_COLUMNS,
        Column("document", "Document"),
        *_SUM_COLUMNS,
        Column("missing", "Missing", Kind.COUNT),
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


def evaluation_report(
    evaluation: Evaluation,
    *,
    title: str,
    made: str,
    signatures: Mapping[str, str],
    hashes: Mapping[str, str],
    warnings: Sequence[str],
) -> CardReport:
    """The report of an evaluation, for every form that reports have."""
    tables = [_tasks_table(evaluation), _documents_table(evaluation), _segments_table(evaluation)]
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
            shown(row["rate"], Kind.RATE),
            (
                f"{row['metric']}: {shown(row['edits'], Kind.COUNT)} edits over "
                f"{shown(row['words'], Kind.COUNT)} words in "
                f"{shown(row['segments'], Kind.COUNT)} segments",
            ),
        )
        for row in headline.values()
    )
    return CardReport(
        title=title,
        kind="Evaluation",
        schema="evaluation",
        made=made,
        signatures=dict(signatures),
        hashes=dict(hashes),
        warnings=tuple(told),
        notes=_NOTES,
        tables=tuple(tables),
        result={},
        figures=figures,
    )
