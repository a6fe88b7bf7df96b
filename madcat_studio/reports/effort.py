"""How much work the edits took: visits, time, keys, commands and pastes by editor and pass.

Times over a whole pass are sums. What is said of a single segment leaves outliers out by Tukey's
rule ("Exploratory Data Analysis", 1977): times above the third quartile by more than three times
the distance between the quartiles, of the same editor in the same pass. A cup of coffee at a
segment is not work on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from madcat_studio.reports.tables import Cell, CellKind, Column, Table

__all__ = [
    "IDLE_SECONDS",
    "EffortOfPass",
    "EffortOnSegment",
    "effort_table",
    "outlier_limit",
    "segment_effort_table",
]

IDLE_SECONDS = 60.0
"""A rest longer than this is no active time, where no other threshold is named."""

FENCE = 3.0
"""Distances between the quartiles that a time may lie above the third."""

FEWEST = 4
"""Segments without which there are no quartiles, and nothing is cut."""


class EffortOnSegment(NamedTuple):
    """All work of one editor on one segment in one pass. A plain tuple: there are very many.

    Attributes:
        words: of the segment's reference.
        visits: how often the editor looked at it.
        seconds: active time, without rests that were longer than the report's threshold.
        raw_seconds: with all rests; pauses that the editor made are in neither.
        characters, deletes, navigations, other_keys: keys by class.
        mouse, commands: how often.
        pastes, pasted_characters: how often, and how much.
    """

    team: str
    editor: str
    pass_: str
    kit: str
    document: str
    segment: str
    words: int
    visits: int
    seconds: float
    raw_seconds: float
    characters: int = 0
    deletes: int = 0
    navigations: int = 0
    other_keys: int = 0
    mouse: int = 0
    commands: int = 0
    pastes: int = 0
    pasted_characters: int = 0

    @property
    def keys(self) -> int:
        """Keys of all classes."""
        return self.characters + self.deletes + self.navigations + self.other_keys


class EffortOfPass(NamedTuple):
    """All work of one editor in one pass: columns with a row for each segment.

    Attributes:
        places: kit, document and segment.
        words, visits, seconds, raw_seconds: as of an :class:`EffortOnSegment`.
        counts: its keys, commands and pastes, a column each.
    """

    team: str
    editor: str
    pass_: str
    places: list[tuple[str, str, str]]
    words: NDArray[np.int64]
    visits: NDArray[np.int64]
    seconds: NDArray[np.float64]
    raw_seconds: NDArray[np.float64]
    counts: NDArray[np.int64]


def outlier_limit(seconds: Sequence[float] | NDArray[np.float64]) -> float:
    """The time above which a segment is an outlier; infinite with too few to tell."""
    if len(seconds) < FEWEST:
        return float("inf")
    low, high = np.quantile(seconds, [0.25, 0.75])
    return float(high + FENCE * (high - low))


_COLUMNS = (
    Column("team", "Team"),
    Column("editor", "Editor"),
    Column("pass", "Pass"),
    Column("segments", "Segments", CellKind.COUNT),
    Column("words", "Words", CellKind.COUNT, "of the references"),
    Column("visits", "Visits", CellKind.COUNT, "looks at a segment, including second looks"),
    Column("minutes", "Minutes", CellKind.NUMBER, "active"),
    Column("raw_minutes", "Raw minutes", CellKind.NUMBER, "with all rests"),
    Column("outliers", "Outliers", CellKind.COUNT, "segments left out on the right"),
    Column("median_seconds", "Median seconds", CellKind.NUMBER, "a segment"),
    Column("words_per_hour", "Words an hour", CellKind.NUMBER),
    Column("keys_per_word", "Keys a word", CellKind.NUMBER),
    Column("characters", "Characters", CellKind.COUNT, "keys that write"),
    Column("deletes", "Deletes", CellKind.COUNT, "keys that delete"),
    Column("navigations", "Navigation", CellKind.COUNT, "keys that move"),
    Column("other_keys", "Other keys", CellKind.COUNT),
    Column("mouse", "Mouse", CellKind.COUNT),
    Column("commands", "Commands", CellKind.COUNT),
    Column("pastes", "Pastes", CellKind.COUNT),
    Column("pasted_characters", "Pasted", CellKind.COUNT, "characters"),
)

_COUNTS = (
    *("characters", "deletes", "navigations", "other_keys"),
    *("mouse", "commands", "pastes", "pasted_characters"),
)


_KEYS = 4
"""So many of the counts are keys, by class."""


def effort_table(efforts: Iterable[EffortOfPass], idle_seconds: float) -> Table:
    """The effort by team, editor and pass; one pass is in memory at a time."""
    note = (
        f"{_told(idle_seconds)} Outliers lie above the third quartile of the editor's pass by more "
        f"than {FENCE:g} times the distance between the quartiles; median and words an hour leave "
        "them out."
    )
    return Table("effort", "Effort", _COLUMNS, [_row(own) for own in efforts], note)


def _told(seconds: float) -> str:
    return (
        f"Active time leaves out pauses, and every rest longer than {seconds:g} seconds as a whole."
    )


def _row(own: EffortOfPass) -> tuple[Cell, ...]:
    seconds, words = own.seconds, own.words
    counts = own.counts.sum(axis=0).tolist()
    kept = seconds <= outlier_limit(seconds)
    spent, all_words = float(seconds[kept].sum()), int(words.sum())
    return (
        *(own.team, own.editor, own.pass_),
        len(seconds),
        all_words,
        int(own.visits.sum()),
        float(seconds.sum()) / 60,
        sum(own.raw_seconds.tolist()) / 60,
        len(seconds) - int(kept.sum()),
        float(np.median(seconds[kept])),
        int(words[kept].sum()) * 3600 / spent if spent > 0 else None,
        sum(counts[:_KEYS]) / all_words if all_words else None,
        *counts,
    )


_BY_SEGMENT = (
    Column("team", "Team"),
    Column("editor", "Editor"),
    Column("pass", "Pass"),
    Column("kit", "Kit"),
    Column("document", "Document"),
    Column("segment", "Segment"),
    Column("words", "Words", CellKind.COUNT, "of the reference"),
    Column("visits", "Visits", CellKind.COUNT, "looks at it, including second looks"),
    Column("seconds", "Seconds", CellKind.NUMBER, "active"),
    Column("raw_seconds", "Raw seconds", CellKind.NUMBER, "with all rests"),
    *_COLUMNS[-len(_COUNTS) :],
)


def segment_effort_table(efforts: Iterable[EffortOnSegment], idle_seconds: float) -> Table:
    """The effort segment by segment."""
    rows = [
        (
            *(one.team, one.editor, one.pass_, one.kit, one.document, one.segment),
            *(one.words, one.visits, one.seconds, one.raw_seconds),
            *one[-len(_COUNTS) :],
        )
        for one in efforts
    ]
    note = _told(idle_seconds)
    return Table("effort-segments", "Effort by segment", _BY_SEGMENT, rows, note, long=True)
