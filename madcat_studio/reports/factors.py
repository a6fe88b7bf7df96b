"""Intervals and tests within the groups of a factor: genre, scribe, exposure, and so on.

For every metric the same: the sums of each run of segments come out of :class:`PageSums` once, as
columns of numbers, and every group is drawn from its own source documents. What is held at a time
are the numbers of one series, track and set: some 40 bytes a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from madcat_studio.model.campaign import DataSet
from madcat_studio.model.naming import natural_key
from madcat_studio.reports.grouping import FACTORS, UNKNOWN, WAYS, Breakdown, PageSums
from madcat_studio.reports.significance import (
    Paired,
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
_AT_ONCE = 10_000  # rows that are turned into numbers together

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
    pairings: tuple[Paired, ...] = ()
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


class _Codes:
    """A column of names as numbers, in the order in which they come and in as few bytes as serve.

    Args:
        size: how many rows there will be.
    """

    def __init__(self, size: int) -> None:
        self.numbers: dict[str, int] = {}
        self.column: NDArray[Any] = np.zeros(size, dtype=np.uint8)

    def put(self, at: int, names: Sequence[str]) -> None:
        """The names of some rows, from one on."""
        known = self.numbers
        own = [known.setdefault(one, len(known)) for one in names]
        needed = np.min_scalar_type(max(0, len(known) - 1))
        if needed.itemsize > self.column.itemsize:
            self.column = self.column.astype(needed)
        self.column[at : at + len(own)] = own

    def in_order(self, key: Callable[[str], Any]) -> tuple[list[str], NDArray[np.int32]]:
        """The names in order; and the column with the places that they have there."""
        names = sorted(self.numbers, key=key)
        places = np.empty(len(names), dtype=np.int32)
        places[[self.numbers[name] for name in names]] = np.arange(len(names))
        return names, places[self.column]


class _Runs:
    """All runs of segments of one series, track and set, by columns: groups are cut out of them.

    Names are numbers, so that a group costs a few passes over arrays and no objects. Systems and
    source documents are numbered in their order. The columns are made once, in their full length.

    Args:
        rows: system, source document, base, what each factor is, and four numbers.
        size: how many.
        rank: the order of systems.
    """

    def __init__(
        self, rows: Iterator[tuple[Any, ...]], size: int, rank: Callable[[str], Any]
    ) -> None:
        codes = [_Codes(size) for _ in range(3 + len(FACTORS))]
        # Sums of a page are small whole numbers: half the bytes hold them exactly, unless one says
        # otherwise.
        self.numbers: NDArray[np.floating[Any]] = np.zeros((4, size), dtype=np.float32)
        done = 0
        while block := list(islice(rows, _AT_ONCE)):
            columns = list(zip(*block, strict=True))
            for code, names in zip(codes, columns, strict=False):
                code.put(done, names)
            own = np.array(columns[len(codes) :], dtype=np.float64)
            if self.numbers.dtype == np.float32 and np.any(own.astype(np.float32) != own):
                self.numbers = self.numbers.astype(np.float64)
            self.numbers[:, done : done + len(block)] = own
            done += len(block)
        self.systems, self.system = codes[0].in_order(rank)
        sources, self.source = codes[1].in_order(natural_key)
        self.base = codes[2].column
        self.sizes = len(self.systems), len(sources), len(codes[2].numbers)
        self._factors = {
            breakdown: (code.numbers, code.column)
            for breakdown, code in zip(FACTORS, codes[3:], strict=True)
        }
        errors, column = self._factors[Breakdown.SCRIBE_ERRORS]
        self.clean: NDArray[np.bool_] = np.zeros(size, dtype=np.bool_)
        if "without" in errors:
            self.clean = np.equal(column, errors["without"])

    def of(self, breakdown: Breakdown, settings: Resampling) -> Iterator[tuple[str, Group]]:
        """The groups of a factor in the order of their names; the whole without a name."""
        if breakdown is Breakdown.SYSTEM:
            if len(self.base):
                yield "", self._group(slice(None), settings)
            return
        names, column = self._factors[breakdown]
        for name in sorted(names, key=natural_key):
            yield name, self._group(np.flatnonzero(column == names[name]), settings)

    def _group(self, rows: NDArray[np.int64] | slice, settings: Resampling) -> Group:
        own = _Cut.out_of(self, rows)
        everything, clean = own.summed(), own.summed(self.clean[rows])
        there = np.flatnonzero(everything.present.any(axis=1)).tolist()
        pairs = list(combinations(there, 2))
        whole = own.whole()
        # An output that is nowhere whole says nothing of which is better, nor does it disturb.
        alike = bool(whole[there].all())
        both_parts = _Sums(*(np.concatenate(two) for two in zip(everything, clean, strict=True)))
        drawn, compared = _drawn(both_parts, pairs if alike else [], settings)
        pairings: list[Paired] = []
        comparisons: list[Comparison | None] = []
        for number, (first, second) in enumerate(pairs):
            both = whole[first] & whole[second]
            sums = everything if alike else own.summed(both[own.base])
            kept = sums.present[first]
            four = np.stack(
                [table[row, kept] for row in (first, second) for table in (sums.edits, sums.words)]
            )
            names = self.systems[first], self.systems[second]
            pairing = Pairing(*names, int(both.sum()), four)
            pairings.append(pairing.told())
            comparisons.append(compared[number] if alike else pairing.compare(settings))
        size = len(self.systems)
        worth = {
            self.systems[number]: System(
                drawn[number], drawn[size + number], int(everything.present[number].sum())
            )
            for number in there
        }
        return Group(worth, tuple(pairings), tuple(comparisons))


@dataclass(frozen=True, slots=True)
class _Cut:
    """The runs of one group; its source documents and documents are numbered anew.

    Attributes:
        numbers: edits, words, segments, and segments still open, of each run.
        shape: how many systems, source documents and documents there are.
    """

    system: NDArray[np.int32]
    source: NDArray[np.int32]
    base: NDArray[np.int32]
    numbers: NDArray[np.floating[Any]]
    shape: tuple[int, int, int]

    @classmethod
    def out_of(cls, runs: _Runs, rows: NDArray[np.int64] | slice) -> _Cut:
        systems, sources, bases = runs.sizes
        source, sources = _anew(runs.source[rows], sources)
        base, bases = _anew(runs.base[rows], bases)
        return cls(
            runs.system[rows], source, base, runs.numbers[:, rows], (systems, sources, bases)
        )

    def summed(self, kept: NDArray[np.bool_] | slice = slice(None)) -> _Sums:
        """The sums of each system over the runs that are kept, by source document."""
        systems, sources, _ = self.shape
        at = _at(self.system[kept], sources, self.source[kept])
        edits, words, segments = (
            _added(at, column[kept], (systems, sources)) for column in self.numbers[:3]
        )
        return _Sums(edits, words, segments > 0)

    def whole(self) -> NDArray[np.bool_]:
        """Which documents of each system were wholly scored."""
        systems, _, bases = self.shape
        at = _at(self.system, bases, self.base)
        segments, still = (_added(at, column, (systems, bases)) for column in self.numbers[2:])
        whole: NDArray[np.bool_] = (segments > 0) & (still == 0)
        return whole


def _anew(codes: NDArray[Any], size: int) -> tuple[NDArray[np.int32], int]:
    """Numbers up to a size as numbers of those that occur, in the same order, and how many do."""
    there = np.zeros(size, dtype=np.bool_)
    there[codes] = True
    numbers = np.cumsum(there, dtype=np.int32) - 1
    return numbers[codes], int(np.count_nonzero(there))


def _at(first: NDArray[Any], size: int, second: NDArray[Any]) -> NDArray[np.int64]:
    """The place of each pair in a table with rows of a size."""
    at: NDArray[np.int64] = np.multiply(first, size, dtype=np.int64)
    at += second
    return at


def _added(at: NDArray[Any], numbers: NDArray[np.floating[Any]], shape: tuple[int, int]) -> _Floats:
    """The numbers, each added to its place in a table."""
    table: _Floats = np.bincount(at, numbers, shape[0] * shape[1]).astype(np.float64, copy=False)
    return table.reshape(shape)


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
        ranks = self.sums.ranks
        own = " FROM pages WHERE series = ? AND track = ? AND data_set = ?"
        ((size,),) = self.sums.rows("SELECT count(*)" + own, apart)
        rows = self.sums.rows(
            "SELECT system, source_document, base, "
            + ", ".join((*(WAYS[one].keys[0] for one in FACTORS), *self.numbers))
            + own,
            apart,
        )
        runs = _Runs(rows, size, lambda name: (ranks.get(name, len(ranks)), natural_key(name)))
        return {
            breakdown: dict(runs.of(breakdown, self.settings))
            for breakdown in (Breakdown.SYSTEM, *FACTORS)
        }


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
