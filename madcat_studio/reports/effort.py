"""How much work the edits took: time, keys and pastes by editor and pass.

Times over a whole pass are sums. What is said of a single segment leaves outliers out by Tukey's
rule ("Exploratory Data Analysis", 1977): times above the third quartile by more than three times
the distance between the quartiles, of the same editor in the same pass. A cup of coffee at a
segment is not work on it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from madcat_studio.reports.tables import Cell, CellKind, Column, Table

__all__ = ["EffortOnSegment", "effort_table", "outlier_limit"]

FENCE = 3.0
"""Distances between the quartiles that a time may lie above the third."""

FEWEST = 4
"""Segments without which there are no quartiles, and nothing is cut."""


@dataclass(frozen=True, slots=True)
class EffortOnSegment:
    """All work of one editor on one segment in one pass.

    Attributes:
        seconds: without rests of more than a minute and pauses that the editor made.
        keys, pastes: how many; no content is ever kept.
        words: of the segment's reference.
    """

    team: str
    editor: str
    pass_: str
    seconds: float
    keys: int
    pastes: int
    words: int


def outlier_limit(seconds: Sequence[float] | NDArray[np.float64]) -> float:
    """The time above which a segment is an outlier; infinite with too few to tell."""
    if len(seconds) < FEWEST:
        return float("inf")
    low, high = np.quantile(seconds, [0.25, 0.75])
    return float(high + FENCE * (high - low))


def effort_table(efforts: Iterable[EffortOnSegment]) -> Table | None:
    """The effort by team, editor and pass; None where no effort was recorded.

    Those of one editor in one pass must follow each other: only they are in memory together.
    """
    rows = [_row(key, own) for key, own in groupby(efforts, lambda e: (e.team, e.editor, e.pass_))]
    if not rows:
        return None
    columns = (
        Column("team", "Team"),
        Column("editor", "Editor"),
        Column("pass", "Pass"),
        Column("segments", "Segments", CellKind.COUNT),
        Column("words", "Words", CellKind.COUNT, "of the references"),
        Column("minutes", "Minutes", CellKind.NUMBER, "all of them"),
        Column("outliers", "Outliers", CellKind.COUNT, "segments left out on the right"),
        Column("median_seconds", "Median seconds", CellKind.NUMBER, "a segment"),
        Column("words_per_hour", "Words an hour", CellKind.NUMBER),
        Column("keys_per_word", "Keys a word", CellKind.NUMBER),
        Column("pastes", "Pastes", CellKind.COUNT),
    )
    note = (
        "Time without pauses and without rests of more than a minute. Outliers lie above the third "
        f"quartile of the editor's pass by more than {FENCE:g} times the distance between the "
        "quartiles; median and words an hour leave them out."
    )
    return Table("effort", "Effort", columns, rows, note)


def _row(key: tuple[str, str, str], efforts: Iterable[EffortOnSegment]) -> tuple[Cell, ...]:
    times, lengths = array("d"), array("q")
    keys = pastes = 0
    for one in efforts:
        times.append(one.seconds)
        lengths.append(one.words)
        keys += one.keys
        pastes += one.pastes
    seconds, words = np.asarray(times), np.asarray(lengths)
    kept = seconds <= outlier_limit(seconds)
    spent, all_words = float(seconds[kept].sum()), int(words.sum())
    return (
        *key,
        len(seconds),
        all_words,
        float(seconds.sum()) / 60,
        len(seconds) - int(kept.sum()),
        float(np.median(seconds[kept])),
        int(words[kept].sum()) * 3600 / spent if spent > 0 else None,
        keys / all_words if all_words else None,
        pastes,
    )
