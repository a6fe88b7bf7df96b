"""Intervals and tests within the groups of a factor: genre, scribe, exposure, and so on.

For every metric the same: the sums of each document come out of :class:`PageSums` in order, and
every group is drawn from its own source documents. What is held at a time are the sums of one
group, by source document.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from madcat_studio.model.campaign import DataSet
from madcat_studio.model.naming import natural_key
from madcat_studio.reports.grouping import FACTORS, UNKNOWN, WAYS, Breakdown, PageSums
from madcat_studio.reports.significance import (
    Pairing,
    compared_columns,
    interval_of,
    rows_of,
    told_of_interval,
)
from madcat_studio.reports.table import Cell, CellKind, Column, Table
from madcat_studio.scoring.resampling import Comparison, Interval, Resampling, analyse

__all__ = [
    "INTERVAL_COLUMNS",
    "Apart",
    "Factors",
    "Group",
    "System",
    "beside_rates",
    "interval_cells",
    "within_groups",
]

Apart = tuple[str, str, DataSet]
"""What is never summed: series, track, set."""

_Floats = NDArray[np.float64]
_Part = TypeVar("_Part")

INTERVAL_COLUMNS = (
    Column("low", "From", CellKind.RATE, "95 % interval, by resampling source documents"),
    Column("high", "To", CellKind.RATE, "95 % interval, by resampling source documents"),
    Column("clusters", "Source documents", CellKind.COUNT, "what is drawn for the interval"),
    Column("clean_low", "From*", CellKind.RATE, "95 % interval, without scribe errors"),
    Column("clean_high", "To*", CellKind.RATE, "95 % interval, without scribe errors"),
    Column("interval_note", "Of the interval"),
)


@dataclass(frozen=True, slots=True)
class System:
    """What one system's rate within a group is worth; ``clean``: without scribe errors."""

    interval: Interval | None = None
    clean: Interval | None = None
    clusters: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """A group of a factor."""

    systems: Mapping[str, System]
    pairings: tuple[Pairing, ...] = ()
    comparisons: tuple[Comparison | None, ...] = ()


def beside_rates(sums: Sequence[_Part], worth: Sequence[_Part]) -> tuple[_Part, ...]:
    """Columns, or cells, of sums with those of intervals behind segments, edits, words and rate."""
    return (*sums[:4], *worth, *sums[4:])


def interval_cells(one: System) -> tuple[Cell, ...]:
    """The cells of :data:`INTERVAL_COLUMNS`."""
    return (
        *interval_of(one.interval),
        one.clusters,
        *interval_of(one.clean),
        told_of_interval(one.interval, one.clusters),
    )


class _Sums(NamedTuple):
    """Edits and words of each system in each source document, and where it was scored at all."""

    edits: _Floats
    words: _Floats
    present: NDArray[np.bool_]


class _Collected:
    """One group's sums by source document, as its documents come by in order.

    Documents are put together by which systems were wholly scored on them: what two systems have in
    common is in the sums of all that hold both. Mostly all were scored, and there is one such sum.
    """

    def __init__(self, systems: Sequence[str]) -> None:
        self._size = len(systems)
        self._places = {name: place for place, name in enumerate(systems)}
        self._sources: list[str] = []
        self._all, self._clean = array("d"), array("d")
        self._whole: dict[int, tuple[array[int], array[float]]] = {}
        self._documents: Counter[int] = Counter()

    def take(self, source: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Take in a source document: base, system, and six numbers, sorted by base."""
        size = self._size
        number = len(self._sources)
        self._sources.append(source)
        everything, clean = [0.0] * (3 * size), [0.0] * (3 * size)
        for _, of_base in groupby(rows, itemgetter(0)):
            mask, own = 0, [0.0] * (2 * size)
            for row in of_base:
                at = self._places[row[1]]
                own[at], own[size + at] = row[2], row[3]
                for place, value in enumerate(row[2:5]):
                    everything[place * size + at] += value
                for place, value in enumerate(row[6:9]):
                    clean[place * size + at] += value
                if row[4] and not row[5]:
                    mask |= 1 << at
            self._documents[mask] += 1
            sources, values = self._whole.setdefault(mask, (array("q"), array("d")))
            if sources and sources[-1] == number:
                start = len(values) - 2 * size
                for place, value in enumerate(own):
                    values[start + place] += value
            else:
                sources.append(number)
                values.extend(own)
        self._all.extend(everything)
        self._clean.extend(clean)

    def group(self, systems: Sequence[str], settings: Resampling) -> Group:
        """What the group's rates are worth, now that all of it is there."""
        order = np.array(
            sorted(range(len(self._sources)), key=lambda at: natural_key(self._sources[at])),
            dtype=np.int64,
        )
        everything, clean = self._laid_out(self._all, order), self._laid_out(self._clean, order)
        there = [number for number in range(self._size) if everything.present[number].any()]
        pairs = list(combinations(there, 2))
        full = sum(1 << number for number in there)
        # An output that is nowhere whole says nothing of which is better, nor does it disturb.
        alike = all(mask & full == full for mask in self._whole)
        both_parts = _Sums(*(np.concatenate(two) for two in zip(everything, clean, strict=True)))
        drawn, compared = _drawn(both_parts, pairs if alike else [], settings)
        pairings: list[Pairing] = []
        comparisons: list[Comparison | None] = []
        for number, (first, second) in enumerate(pairs):
            both = (1 << first) | (1 << second)
            documents = sum(n for mask, n in self._documents.items() if mask & both == both)
            sums = everything if alike else self._in_common(both, order)
            kept = sums.present[first]
            four = np.stack(
                [table[row, kept] for row in (first, second) for table in (sums.edits, sums.words)]
            )
            pairing = Pairing(systems[first], systems[second], documents, four)
            pairings.append(pairing)
            comparisons.append(compared[number] if alike else pairing.compare(settings))
        worth = {
            systems[number]: System(
                drawn[number], drawn[self._size + number], int(everything.present[number].sum())
            )
            for number in there
        }
        return Group(worth, tuple(pairings), tuple(comparisons))

    def _laid_out(self, numbers: array[float], order: NDArray[np.int64]) -> _Sums:
        table = np.frombuffer(numbers, dtype=np.float64).reshape(-1, 3, self._size)[order]
        edits, words, segments = table.transpose(1, 2, 0)
        return _Sums(edits, words, segments > 0)

    def _in_common(self, both: int, order: NDArray[np.int64]) -> _Sums:
        """Sums over the documents on which both systems were wholly scored."""
        table = np.zeros((len(self._sources), 2, self._size))
        present = np.zeros(len(self._sources), dtype=bool)
        for mask, (sources, values) in self._whole.items():
            if mask & both == both:
                rows = np.frombuffer(sources, dtype=np.int64)
                table[rows] += np.frombuffer(values, dtype=np.float64).reshape(-1, 2, self._size)
                present[rows] = True
        edits, words = table[order].transpose(1, 2, 0)
        return _Sums(edits, words, np.broadcast_to(present[order], edits.shape))


def _drawn(
    sums: _Sums, pairs: Sequence[tuple[int, int]], settings: Resampling
) -> tuple[list[Interval | None], list[Comparison | None]]:
    """Intervals of all systems, and comparisons; those with the same documents share drawings."""
    intervals: list[Interval | None] = [None] * len(sums.edits)
    compared: dict[tuple[int, int], Comparison | None] = {}
    alike: dict[bytes, list[int]] = {}
    for number, present in enumerate(sums.present):
        alike.setdefault(present.tobytes(), []).append(number)
    for numbers in alike.values():
        kept = sums.present[numbers[0]]
        place = {number: at for at, number in enumerate(numbers)}
        own = [pair for pair in pairs if pair[0] in place and pair[1] in place]
        found, tests = analyse(
            sums.edits[numbers][:, kept],
            sums.words[numbers][:, kept],
            [(place[first], place[second]) for first, second in own],
            settings,
        )
        for number, one in zip(numbers, found, strict=True):
            intervals[number] = one
        compared.update(zip(own, tests, strict=True))
    return intervals, [compared[pair] for pair in pairs]


@dataclass(slots=True)
class Factors:
    """Intervals and tests of all groups, made for a series, track and set when first asked for.

    Attributes:
        sums: where the numbers are.
        numbers: the names there of edits, words, segments, and segments still open.
    """

    sums: PageSums
    numbers: Sequence[str]
    settings: Resampling
    _made: dict[Apart, dict[Breakdown, dict[str, Group]]] = field(default_factory=dict)

    def of(self, apart: Apart, breakdown: Breakdown) -> Mapping[str, Group]:
        """The groups of a factor, by name; of a whole system one without a name."""
        if apart not in self._made:
            self._made[apart] = self._all(apart)
        return self._made[apart][breakdown]

    def system(self, apart: Apart, breakdown: Breakdown, name: str, system: str) -> System:
        """What a system's rate within a group is worth."""
        group = self.of(apart, breakdown).get(name)
        return System() if group is None else group.systems.get(system, System())

    def _all(self, apart: Apart) -> dict[Breakdown, dict[str, Group]]:
        return {
            breakdown: dict(self._groups(apart, breakdown))
            for breakdown in (Breakdown.SYSTEM, *FACTORS)
        }

    def _groups(self, apart: Apart, breakdown: Breakdown) -> Iterator[tuple[str, Group]]:
        where = "WHERE series = ? AND track = ? AND data_set = ?"
        found = [
            row[0] for row in self.sums.rows(f"SELECT DISTINCT system FROM pages {where}", apart)
        ]
        ranks = self.sums.ranks
        systems = sorted(found, key=lambda name: (ranks.get(name, len(ranks)), natural_key(name)))
        group = "".join(WAYS[breakdown].keys) or "''"
        numbers = ", ".join(
            (
                *(f"sum({number})" for number in self.numbers),
                *(
                    f"sum(CASE scribe_errors WHEN 'without' THEN {number} ELSE 0 END)"
                    for number in self.numbers[:3]
                ),
            )
        )
        keys = f"{group}, source_document, base, system"
        rows = self.sums.rows(
            f"SELECT {keys}, {numbers} FROM pages {where} GROUP BY {keys} ORDER BY {keys}", apart
        )
        made: dict[str, Group] = {}
        for name, of_group in groupby(rows, itemgetter(0)):
            collected = _Collected(systems)
            for source, of_source in groupby(of_group, itemgetter(1)):
                collected.take(source, (row[2:] for row in of_source))
            made[name] = collected.group(systems, self.settings)
        yield from sorted(made.items(), key=lambda item: natural_key(item[0]))


def within_groups(
    factors: Factors,
    parts: Iterable[tuple[tuple[Cell, ...], Apart]],
    columns: Sequence[Column],
    metric: str,
    prefix: str,
    before: Sequence[tuple[Cell, ...]] = (),
) -> Table | None:
    """Every two systems within every group; corrected over the groups and pairs of a factor.

    Args:
        factors: where they are.
        parts: the first cells of a row, and what it is about.
        columns: of the first cells.
        metric, prefix: as for :func:`compared_columns`.
        before: rows that come first.
    """
    rows = [
        *before,
        *(
            (*cells, *row)
            for cells, apart in parts
            for breakdown in FACTORS
            for row in _compared(breakdown, factors.of(apart, breakdown))
        ),
    ]
    if not rows:
        return None
    note = (
        "Paired by source document within each group, corrected over the groups and pairs of a "
        "factor. One factor alone, where others vary with it, does not say what the cause is."
    )
    return Table(
        "comparisons-within-groups",
        "Systems compared within groups",
        (*columns, Column("by", "By"), Column("group", "Group"), *compared_columns(metric, prefix)),
        rows,
        note,
    )


def _compared(breakdown: Breakdown, groups: Mapping[str, Group]) -> Iterator[tuple[Cell, ...]]:
    told = {name: group for name, group in groups.items() if name not in ("", UNKNOWN)}
    if len(told) < 2:
        return
    places = [
        (name, pairing, made)
        for name, group in told.items()
        for pairing, made in zip(group.pairings, group.comparisons, strict=True)
    ]
    rows = rows_of([pairing for _, pairing, _ in places], [made for _, _, made in places])
    for (name, _, _), row in zip(places, rows, strict=True):
        yield (str(breakdown), name, *row)
