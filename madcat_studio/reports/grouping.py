"""What segments are grouped by, and their sums for any group: one place for every metric.

The sums of each page's segments go into a temporary database on disk, which adds them up for any
group; so memory stays the same whatever was scored. HTER and the tasks of the plan differ in the
numbers that they sum, and in nothing else.
"""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from madcat_studio.closing import Closing
from madcat_studio.model.campaign import DataSet
from madcat_studio.model.naming import natural_key
from madcat_studio.reports.table import Column

__all__ = [
    "APART",
    "FACTORS",
    "SETS",
    "UNKNOWN",
    "WAYS",
    "Breakdown",
    "GroupSums",
    "PageSums",
    "Place",
    "Way",
    "written",
]

UNKNOWN = "not known"

APART = (DataSet.CONTROL, DataSet.PROGRESS)
"""Sets that are never part of a system's score."""

_CONDITIONS = (
    {"I": "ink", "P": "pencil"},
    {"U": "unlined paper", "L": "lined paper"},
    {"N": "normal", "F": "fast", "C": "careful"},
)
"""What the letters of a writing-conditions code stand for: implement, surface, speed."""

SETS = (
    DataSet.EVALUATION,
    DataSet.DEVELOPMENT,
    DataSet.TRAINING,
    DataSet.PROGRESS,
    DataSet.CONTROL,
)
"""All sets, in the order of every table."""


class Breakdown(StrEnum):
    """What segments are grouped by; each within one set and one system."""

    SYSTEM = "system"
    GENRE = "genre"
    KIT = "kit"
    SOURCE_DOCUMENT = "source document"
    PASSAGE = "passage"
    MANUSCRIPT = "manuscript"
    PAGE = "page"
    SCRIBE = "scribe"
    EXPOSURE = "exposure"
    IMPLEMENT = "implement"
    SURFACE = "surface"
    SPEED = "speed"
    SCRIBE_ERRORS = "scribe errors"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class Way:
    """How a breakdown is kept and shown.

    Attributes:
        keys: the columns that place a group within the breakdown, after its set and system.
        columns: the same for people.
        name, title: of its table.
        long: whether there may be very many groups.
    """

    keys: tuple[str, ...]
    columns: tuple[Column, ...]
    name: str
    title: str
    long: bool = False


def _way(key: str, title: str, heading: str, *, long: bool = False) -> Way:
    return Way((key,), (Column(key, title),), f"by-{key.replace('_', '-')}", heading, long)


WAYS: dict[Breakdown, Way] = {
    Breakdown.SYSTEM: Way((), (), "systems", "Systems"),
    Breakdown.GENRE: _way("genre", "Genre", "By genre"),
    Breakdown.KIT: _way("kit", "Kit", "By kit"),
    Breakdown.SOURCE_DOCUMENT: _way("source_document", "Source document", "By source document"),
    Breakdown.PASSAGE: _way("passage", "Passage", "By passage"),
    Breakdown.MANUSCRIPT: _way("manuscript", "Manuscript", "By manuscript", long=True),
    Breakdown.PAGE: Way(
        ("base", "page"),
        (Column("document", "Document"), Column("page", "Page")),
        "by-page",
        "By page",
        True,
    ),
    Breakdown.SCRIBE: _way("scribe", "Scribe", "By scribe"),
    Breakdown.EXPOSURE: _way("exposure", "Exposure", "By exposure of the scribe"),
    Breakdown.IMPLEMENT: _way("implement", "Implement", "By writing implement"),
    Breakdown.SURFACE: _way("surface", "Surface", "By writing surface"),
    Breakdown.SPEED: _way("speed", "Speed", "By writing speed"),
    Breakdown.SCRIBE_ERRORS: Way(
        ("scribe_errors",),
        (Column("scribe_errors", "Scribe errors", note="in the segment, by the stand-off file"),),
        "by-scribe-errors",
        "With and without scribe errors",
    ),
    Breakdown.DOCUMENT: Way(
        ("genre", "kit", "base"),
        (Column("genre", "Genre"), Column("kit", "Kit"), Column("document", "Document")),
        "by-document",
        "By document",
        True,
    ),
}

FACTORS = (
    Breakdown.GENRE,
    Breakdown.SCRIBE,
    Breakdown.EXPOSURE,
    Breakdown.IMPLEMENT,
    Breakdown.SURFACE,
    Breakdown.SPEED,
    Breakdown.SCRIBE_ERRORS,
)
"""Breakdowns whose groups hold many source documents: they have intervals and tests."""


def written(conditions: str) -> tuple[str, str, str]:
    """Implement, surface and speed that a code such as ``IUN`` tells."""
    implement, surface, speed = (
        names.get(letter, letter or UNKNOWN)
        for names, letter in (
            (names, conditions[place : place + 1]) for place, names in enumerate(_CONDITIONS)
        )
    )
    return implement, surface, speed


class Place(NamedTuple):
    """Where a run of segments of one page belongs; ``series`` keeps what is never summed apart.

    ``scribe_errors`` is ``with`` or ``without``.
    """

    series: str
    track: str
    data_set: str
    system: str
    genre: str
    kit: str
    source_document: str
    passage: str
    manuscript: str
    scribe: str
    exposure: str
    implement: str
    surface: str
    speed: str
    base: str
    page: str
    scribe_errors: str


@dataclass(frozen=True, slots=True)
class GroupSums:
    """One group: all of it, and the part without scribe errors.

    Attributes:
        names: what places the group within its breakdown (empty for a whole system).
        all, clean: the sums, in the order of the numbers' names.
    """

    series: str
    track: str
    data_set: DataSet
    system: str
    names: tuple[str, ...]
    all: tuple[Any, ...]
    clean: tuple[Any, ...]


def _natural(one: str, other: str) -> int:
    first, second = natural_key(one), natural_key(other)
    return (first > second) - (first < second)


_SET_ORDER = "CASE data_set {} END".format(
    " ".join(f"WHEN '{data_set}' THEN {place}" for place, data_set in enumerate(SETS))
)
_APART = ("series", "track", "data_set", "system")


def _of_sets(data_sets: Sequence[DataSet]) -> str:
    return f"WHERE data_set IN ({', '.join('?' * len(data_sets))})" if data_sets else ""


class PageSums(Closing):
    """The temporary database of sums: one row a run of segments of one page.

    Args:
        numbers: the names of what is summed.

    Attributes:
        ranks: the place of each system in every table; others come after those.
    """

    def __init__(self, numbers: Sequence[str]) -> None:
        # The empty name is a database of its own on disk that vanishes when it is closed.
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._ended = weakref.finalize(self, self._database.close)
        run = self._database.execute
        run("PRAGMA journal_mode = OFF")
        run("PRAGMA synchronous = OFF")
        # The cache is small: every open query may sort in as much memory, and each table of a
        # report keeps one open.
        run("PRAGMA cache_size = -1000")  # KiB
        self.ranks: dict[str, int] = {}
        ranks = self.ranks
        self._database.create_function("rank_of", 1, lambda name: ranks.get(name, len(ranks)))
        self._database.create_collation("by_name", _natural)
        self.numbers = tuple(numbers)
        columns = ", ".join((*(f"{name} TEXT" for name in Place._fields), *self.numbers))
        run(f"CREATE TABLE pages (id INTEGER PRIMARY KEY, {columns})")
        run("BEGIN")
        marks = ", ".join("?" * (1 + len(Place._fields) + len(self.numbers)))
        self._insert = f"INSERT INTO pages VALUES ({marks})"
        self._count = 0

    def close(self) -> None:
        """Remove the database."""
        self._ended()

    def rows(self, query: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of any query."""
        yield from self._database.execute(query, values)

    def run(self, statement: str, values: Sequence[object] = ()) -> None:
        """Do something that gives no rows."""
        self._database.execute(statement, values)

    def add(self, place: Place, numbers: Sequence[object]) -> int:
        """Put down the sums of a run of segments; returns the number of its row."""
        self._count += 1
        self._database.execute(self._insert, (self._count, *place, *numbers))
        return self._count

    def extend(self, rows: Iterable[tuple[Place, Sequence[object]]]) -> None:
        """Put down many runs at once."""
        start = self._count + 1
        made = [
            (number, *place, *numbers) for number, (place, numbers) in enumerate(rows, start=start)
        ]
        self._database.executemany(self._insert, made)
        self._count += len(made)

    def set_ranks(self, ranks: dict[str, int]) -> None:
        """Say in what order systems come."""
        self.ranks.clear()
        self.ranks.update(ranks)

    def of(self, breakdown: Breakdown, *data_sets: DataSet) -> Iterator[GroupSums]:
        """The groups of a breakdown, of these sets or of all.

        Series come as they are called, tracks in natural order; evaluation comes first, control
        last; within a set systems by rank, and whatever else has a name in natural order.
        """
        names = WAYS[breakdown].keys
        keys = ", ".join((*_APART, *names))
        order = ", ".join(f"{key} COLLATE by_name" for key in ("system", *names))
        summed = ", ".join(f"sum({name})" for name in self.numbers)
        clean = ", ".join(
            f"sum(CASE scribe_errors WHEN 'without' THEN {name} ELSE 0 END)"
            for name in self.numbers
        )
        apart, size = len(_APART), len(self.numbers)
        for row in self.rows(
            f"SELECT {keys}, {summed}, {clean} FROM pages {_of_sets(data_sets)} GROUP BY {keys} "
            f"ORDER BY series, track COLLATE by_name, {_SET_ORDER}, rank_of(system), {order}",
            [str(data_set) for data_set in data_sets],
        ):
            sums = row[apart + len(names) :]
            yield GroupSums(
                row[0],
                row[1],
                DataSet(row[2]),
                row[3],
                row[apart : apart + len(names)],
                sums[:size],
                sums[size:],
            )

    def apart(self) -> list[tuple[str, str, DataSet]]:
        """Every series, track and set that there is, in the order of tables."""
        return [
            (series, track, DataSet(data_set))
            for series, track, data_set in self.rows(
                "SELECT DISTINCT series, track, data_set FROM pages "
                f"ORDER BY series, track COLLATE by_name, {_SET_ORDER}"
            )
        ]

    def count(self, breakdown: Breakdown, *data_sets: DataSet) -> int:
        """How many groups a breakdown has, of these sets or of all."""
        keys = ", ".join((*_APART, *WAYS[breakdown].keys))
        query = f"SELECT 1 FROM pages {_of_sets(data_sets)} GROUP BY {keys}"
        ((count,),) = self.rows(
            f"SELECT count(*) FROM ({query})", [str(data_set) for data_set in data_sets]
        )
        return int(count)

    def varies(self, breakdown: Breakdown) -> bool:
        """Whether a breakdown has any name that says something."""
        name = WAYS[breakdown].keys[-1]
        silent = ("", UNKNOWN) if breakdown is not Breakdown.SCRIBE_ERRORS else ("", "without")
        query = f"SELECT EXISTS (SELECT 1 FROM pages WHERE {name} NOT IN (?, ?))"
        ((found,),) = self.rows(query, silent)
        return bool(found)
