"""The tasks of the plan's Table 1, scored: sums for any group, and every segment, on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from madcat_studio.reports.blocks import Blocks
from madcat_studio.reports.grouping import PageSums, Place
from madcat_studio.reports.table import plain
from madcat_ter.ter import rate

__all__ = [
    "HTER_TASK",
    "SEGMENT_PLACES",
    "TASKS",
    "ScoredBatch",
    "SegmentRows",
    "Status",
    "Task",
    "TaskItem",
    "TaskResults",
    "TaskSums",
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


class TaskSums(NamedTuple):
    """Sums over segments; a series of :class:`PageSums` is a task's place in ``TASKS``.

    Attributes:
        missing: segments without output, counted as empty.
        unscored: segments without a reference; nothing else counts them.
        output_marks, reference_marks: diacritics that were removed before scoring.
        marked_edits, marked_words: what had been counted if they had stayed.
    """

    segments: int = 0
    missing: int = 0
    unscored: int = 0
    insertions: int = 0
    deletions: int = 0
    substitutions: int = 0
    shifts: int = 0
    edits: float = 0.0
    words: float = 0.0
    output_marks: int = 0
    reference_marks: int = 0
    marked_edits: float = 0.0
    marked_words: float = 0.0

    @property
    def rate(self) -> float | None:
        """Sum of edits over sum of words."""
        return rate(self.edits, self.words)

    @property
    def marked_rate(self) -> float | None:
        """The same without removing diacritics."""
        return rate(self.marked_edits, self.marked_words)


class TaskItem(NamedTuple):
    """One segment of one system in one task, to be scored; ``run`` is its place in the batch."""

    task: int
    run: int
    segment: str
    missing: bool
    output: str
    reference: str


@dataclass(frozen=True, slots=True)
class ScoredBatch:
    """Segments with their numbers.

    Attributes:
        places: where each run of segments belongs.
        items: the segments.
        numbers: a row for each item, a column for each field of :class:`TaskSums`.
        unscored: run -> segments without a reference.
    """

    places: Sequence[Place]
    items: Sequence[TaskItem]
    numbers: NDArray[np.float64]
    unscored: dict[int, int]


SEGMENT_PLACES = tuple(name for name in Place._fields if name not in ("series", "kit", "base"))
"""What the table of segments says of where a segment belongs."""


class TaskResults:
    """All that was scored; what lies on disk goes with it.

    Attributes:
        sums: by task (the series), track, set, system and every group.
        taken: (task, system) that a system took part in.
        listed: (system, suffix, BASE, segment or "", why) of what was not scored.
    """

    def __init__(self) -> None:
        self.sums = PageSums(TaskSums._fields)
        self.taken: set[tuple[int, str]] = set()
        self.listed: list[tuple[str, str, str, str, Status]] = []
        self._segments = Blocks()
        self._left_out = 0

    def add(self, batch: ScoredBatch) -> None:
        """Take in what was scored."""
        summed = np.zeros((len(batch.places), len(TaskSums._fields)))
        np.add.at(summed, [item.run for item in batch.items], batch.numbers)
        for run, count in batch.unscored.items():
            summed[run, TaskSums._fields.index("unscored")] = count
        self.sums.extend(zip(batch.places, summed.tolist(), strict=True))
        self._segments.append(
            [
                _row(batch.places[item.run], item, TaskSums(*numbers))
                for item, numbers in zip(batch.items, batch.numbers.tolist(), strict=True)
            ]
        )

    def settle(self) -> None:
        """Forget tasks that a system took no part in: none of its files has a text for them."""
        for series, system in list(self.sums.rows("SELECT DISTINCT series, system FROM pages")):
            if (int(series), system) not in self.taken:
                ((count,),) = self.sums.rows(
                    "SELECT sum(segments) FROM pages WHERE series = ? AND system = ?",
                    (series, system),
                )
                self._left_out += int(count)
                self.sums.run("DELETE FROM pages WHERE series = ? AND system = ?", (series, system))

    def segments(self) -> SegmentRows:
        """A row for each segment, in the order of reading."""
        return SegmentRows(self, self._segments, len(self._segments) - self._left_out)


class SegmentRows:
    """Rows of the table of segments: task, system, places, document, segment, numbers, texts."""

    def __init__(self, results: TaskResults, blocks: Blocks, count: int) -> None:
        self._results, self._blocks, self._count = results, blocks, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        taken = self._results.taken
        for block in self._blocks:
            for row in block:
                if (row[0], row[_SYSTEM]) in taken:
                    task = TASKS[row[0]]
                    yield (task.name, task.condition, task.metric, *row[1:])


_SYSTEM = 1 + SEGMENT_PLACES.index("system")
_PLACED = [Place._fields.index(name) for name in SEGMENT_PLACES]


def _row(place: Place, item: TaskItem, sums: TaskSums) -> tuple[Any, ...]:
    own = sums.rate
    return (
        item.task,
        *(place[number] for number in _PLACED),
        place.base,
        item.segment,
        str(Status.MISSING if item.missing else Status.SCORED),
        plain(sums.edits),
        plain(sums.words),
        "n/a" if own is None else own,
        int(sums.insertions),
        int(sums.deletions),
        int(sums.substitutions),
        int(sums.shifts),
        item.output,
        item.reference,
    )
