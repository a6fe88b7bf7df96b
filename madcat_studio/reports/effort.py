"""How much work the edits took: time, keys and pastes by editor and pass.

Times over a whole pass are sums. What is said of a single segment leaves outliers out by Tukey's
rule ("Exploratory Data Analysis", 1977): times above the third quartile by more than three times
the distance between the quartiles, of the same editor in the same pass. A cup of coffee at a
segment is not work on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from madcat_studio.reports.tables import Cell, Column, Kind, Table

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


@dataclass(slots=True)
class _Work:
    seconds: list[float] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    keys: int = 0
    pastes: int = 0


def outlier_limit(seconds: list[float]) -> float:
    """The time above which a segment is an outlier; infinite with too few to tell."""
    if len(seconds) < FEWEST:
        return float("inf")
    low, high = np.quantile(seconds, [0.25, 0.75])
    return float(high + FENCE * (high - low))


def effort_table(efforts: Iterable[EffortOnSegment]) -> Table | None:
    """The effort by team, editor and pass; None where no effort was recorded."""
    work: dict[tuple[str, str, str], _Work] = {}
    for one in efforts:
        own = work.setdefault((one.team, one.editor, one.pass_), _Work())
        own.seconds.append(one.seconds)
        own.words.append(one.words)
        own.keys += one.keys
        own.pastes += one.pastes
    if not work:
        return None
    columns = (
        Column("team", "Team"),
        Column("editor", "Editor"),
        Column("pass", "Pass"),
        Column("segments", "Segments", Kind.COUNT),
        Column("words", "Words", Kind.COUNT, "of the references"),
        Column("minutes", "Minutes", Kind.NUMBER, "all of them"),
        Column("outliers", "Outliers", Kind.COUNT, "segments left out on the right"),
        Column("median_seconds", "Median seconds", Kind.NUMBER, "a segment"),
        Column("words_per_hour", "Words an hour", Kind.NUMBER),
        Column("keys_per_word", "Keys a word", Kind.NUMBER),
        Column("pastes", "Pastes", Kind.COUNT),
    )
    rows: list[tuple[Cell, ...]] = []
    for key, own in work.items():
        limit = outlier_limit(own.seconds)
        kept = [(s, w) for s, w in zip(own.seconds, own.words, strict=True) if s <= limit]
        spent = sum(s for s, _ in kept)
        words = sum(own.words)
        rows.append(
            (
                *key,
                len(own.seconds),
                words,
                sum(own.seconds) / 60,
                len(own.seconds) - len(kept),
                float(np.median([s for s, _ in kept])),
                sum(w for _, w in kept) * 3600 / spent if spent > 0 else None,
                own.keys / words if words else None,
                own.pastes,
            )
        )
    note = (
        "Time without pauses and without rests of more than a minute. Outliers lie above the third "
        f"quartile of the editor's pass by more than {FENCE:g} times the distance between the "
        "quartiles; median and words an hour leave them out."
    )
    return Table("effort", "Effort", columns, rows, note)
