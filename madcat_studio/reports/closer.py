"""A closer look at the evaluation set, segment by segment, while all segments stream past.

What it keeps of each segment lies in a temporary database on disk; words are counted in a sample.
"""

from __future__ import annotations

import heapq
import sqlite3
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from madcat_studio.closing import Closing
from madcat_studio.model.campaign import DataSet
from madcat_studio.model.control import set_of
from madcat_studio.progress import Cancelled, Progress
from madcat_studio.reports.results import CampaignResults, ScoredSegment
from madcat_ter.hter import Choice, Denominator, Outcome
from madcat_ter.options import TerOptions
from madcat_ter.ter import scored_words

__all__ = [
    "FEWEST_WORDS",
    "FREQUENCIES",
    "LENGTHS",
    "MOST_COUNTED",
    "MOST_LINES",
    "Bucket",
    "CloserLook",
    "LengthPart",
    "Looker",
    "PairPart",
    "go_through",
]

FEWEST_WORDS = 5
"""Words that a segment must have to be listed among the worst, the best, or the most different."""

MOST_LINES = 3
"""The worst lines of handwriting that are kept of each system."""

MOST_COUNTED = 5_000
"""Segments of one system whose words are counted; beyond that about so many, drawn by name."""

_STEP = 500


@dataclass(frozen=True, slots=True)
class Bucket:
    """A range of numbers: from ``low`` up to ``high``, or without an end."""

    low: int
    high: int | None = None

    @property
    def label(self) -> str:
        """As people write it: 10-19, 40 and more."""
        if self.high is None:
            return f"{self.low} and more"
        return str(self.low) if self.low == self.high else f"{self.low}\u2013{self.high}"

    def holds(self, number: float) -> bool:
        """Whether a number lies in it."""
        return number >= self.low and (self.high is None or number <= self.high)


LENGTHS = (Bucket(0, 9), Bucket(10, 19), Bucket(20, 29), Bucket(30, 39), Bucket(40))
"""Words of a reference."""

FREQUENCIES = (Bucket(1, 1), Bucket(2, 4), Bucket(5, 9), Bucket(10, 99), Bucket(100))
"""How often a word stands in the references that are counted."""

_FROM = [one.low for one in FREQUENCIES]

Looked = Sequence[tuple[ScoredSegment, Choice]]


class Looker(Protocol):
    """What is told of each segment as it comes."""

    def take(self, block: Looked) -> None:
        """Take in the segments that come next, each with what counts of it."""


def go_through(
    results: CampaignResults,
    denominator: Denominator,
    lookers: Iterable[Looker],
    progress: Progress,
    told: str,
) -> None:
    """Show all segments to all lookers, in the campaign's order.

    Raises:
        Cancelled: ``progress`` said so.
    """
    lookers = tuple(lookers)
    total, done = len(results.segments), 0
    stream = iter(results.segments)
    while segments := list(islice(stream, _STEP)):
        block = [(scored, scored.score.choice(denominator)) for scored in segments]
        for looker in lookers:
            looker.take(block)
        done += len(block)
        progress.advance(done, total, told)
        if progress.cancelled():
            raise Cancelled


@dataclass(frozen=True, slots=True)
class LengthPart:
    """Sums of a system over the segments of one length in one source document."""

    bucket: Bucket
    source_document: str
    edits: float
    words: float


@dataclass(frozen=True, slots=True)
class PairPart:
    """Sums of two systems over segments that both were scored on: of one length, or of all."""

    bucket: Bucket | None
    segments: int
    first: tuple[float, ...]
    second: tuple[float, ...]


_EDITS = ("insertions", "deletions", "substitutions", "shifts")
_SUMS = ("edits", "words", *_EDITS)


class CloserLook(Closing):
    """What is kept of the evaluation set's segments; close it after the last question."""

    def __init__(self, options: TerOptions, outputs: int, systems: int) -> None:
        """Begin.

        Args:
            options: by which texts are parted into words.
            outputs: how many segments will come, of all ``systems`` together.
            systems: how many.
        """
        self.worst: dict[str, list[tuple[tuple[float, float], int]]] = {}
        self._options = options
        each = outputs / max(systems, 1)
        # Drawn by name, so that of a segment all systems' outputs are counted, or none.
        self._share = min(1.0, MOST_COUNTED / each) if each else 1.0
        self._counted_references: set[tuple[str, str]] = set()
        self._in_references: Counter[str] = Counter()
        self._wanted: dict[str, Counter[str]] = {}
        self._given: dict[str, Counter[str]] = {}
        self._by_frequency: dict[str, dict[Bucket, tuple[int, int]]] = {}
        self._number = 0
        self._indexed = False
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        run = self._database.execute
        run("PRAGMA journal_mode = OFF")
        run("PRAGMA synchronous = OFF")
        run(
            "CREATE TABLE segments (number INTEGER, system TEXT, base TEXT, segment TEXT, "
            f"source_document TEXT, listed INTEGER, length INTEGER, {', '.join(_SUMS)})"
        )
        run("BEGIN")

    @property
    def sampled(self) -> bool:
        """Whether words were counted in a sample only."""
        return self._share < 1

    def close(self) -> None:
        """Remove what lies on disk."""
        self._database.close()

    def take(self, block: Looked) -> None:
        """Take in the segments that come next."""
        rows = []
        for number, (scored, choice) in enumerate(block, start=self._number):
            record = scored.record
            if set_of(record) is not DataSet.EVALUATION or choice.outcome is Outcome.OPEN:
                continue
            listed = (
                choice.words >= FEWEST_WORDS
                and choice.rate is not None
                and choice.outcome is not Outcome.NO_OUTPUT
            )
            counts = choice.counts
            rows.append(
                (
                    *(number, record.system, record.base, record.segment),
                    *(record.source_document, listed, scored.score.reference_words),
                    *(counts.edits, choice.words, counts.insertions, counts.deletions),
                    *(counts.substitutions, counts.shifts),
                )
            )
            if listed:
                self._remember(record.system, choice, number)
                if self._drawn(record.base, record.segment):
                    self._count(scored, choice)
        self._number += len(block)
        self._by_frequency.clear()
        marks = ", ".join("?" * (7 + len(_SUMS)))
        self._database.executemany(f"INSERT INTO segments VALUES ({marks})", rows)

    def _remember(self, system: str, choice: Choice, number: int) -> None:
        assert choice.rate is not None
        heap = self.worst.setdefault(system, [])
        entry = ((choice.rate, choice.words), -number)
        if len(heap) < MOST_LINES:
            heapq.heappush(heap, entry)
        elif entry > heap[0]:
            heapq.heapreplace(heap, entry)

    def worst_of(self, system: str) -> list[int]:
        """The numbers of a system's worst segments, the worst first."""
        return [-number for _, number in sorted(self.worst.get(system, ()), reverse=True)]

    def _drawn(self, base: str, segment: str) -> bool:
        if self._share >= 1:
            return True
        return zlib.crc32(f"{base}/{segment}".encode()) < self._share * 2**32

    def _count(self, scored: ScoredSegment, choice: Choice) -> None:
        """Count the words that were wanted, and those of them that the output has."""
        record = scored.record
        assert choice.team is not None
        final = record.teams[choice.team].final
        assert final is not None
        name = (record.base, record.segment)
        if name not in self._counted_references:
            self._counted_references.add(name)
            self._in_references.update(filter(None, scored_words(record.reference, self._options)))
        wanted = Counter(filter(None, scored_words(final, self._options)))
        self._wanted.setdefault(record.system, Counter()).update(wanted)
        given = wanted & Counter(scored_words(record.output, self._options))
        self._given.setdefault(record.system, Counter()).update(given)

    def by_frequency(self, system: str) -> dict[Bucket, tuple[int, int]]:
        """Of the words of the final texts, by how frequent they are in references: right, all."""
        found = self._by_frequency.get(system)
        if found is None:
            found = self._by_frequency[system] = self._counted(system)
        return found

    def _counted(self, system: str) -> dict[Bucket, tuple[int, int]]:
        given = self._given.get(system, Counter())
        sums = [(0, 0) for _ in FREQUENCIES]
        for word, count in self._wanted.get(system, Counter()).items():
            place = bisect_right(_FROM, max(1, self._in_references[word])) - 1
            right, all_ = sums[place]
            sums[place] = right + given[word], all_ + count
        return dict(zip(FREQUENCIES, sums, strict=True))

    def by_length(self, system: str) -> Iterator[LengthPart]:
        """A system's sums by the length of references and by source document."""
        for bucket, *row in self._rows(
            f"SELECT {_BUCKET}, source_document, sum(edits), sum(words) FROM segments "
            "WHERE system = ? GROUP BY 1, 2 ORDER BY 1, 2",
            system,
        ):
            yield LengthPart(LENGTHS[bucket], *row)

    def in_common(self, first: str, second: str) -> list[PairPart]:
        """Two systems on the segments that both were scored on: all, and then by length."""
        sums = ", ".join(f"sum({side}.{name})" for side in "ab" for name in _SUMS)
        return [
            PairPart(None if row[0] is None else LENGTHS[row[0]], row[1], row[2:8], row[8:])
            for grouped in (f"NULL, count(*), {sums}", f"{_BUCKET}, count(*), {sums}")
            for row in self._rows(
                f"SELECT {grouped} FROM segments AS a JOIN segments AS b USING (base, segment) "
                "WHERE a.system = ? AND b.system = ? GROUP BY 1 ORDER BY 1".replace(
                    "length", "a.length"
                ),
                first,
                second,
            )
        ]

    def most_different(self, first: str, second: str, most: int) -> list[tuple[int, int, float]]:
        """Segments on which two systems differ most, as numbers of theirs and the difference.

        At most ``most`` where the first has the higher rate, then as many where the second has.
        """
        difference = "a.edits / a.words - b.edits / b.words"
        query = (
            f"SELECT a.number, b.number, {difference} AS d FROM segments AS a "
            "JOIN segments AS b USING (base, segment) WHERE a.system = ? AND b.system = ? "
            "AND a.listed AND b.listed AND d {sign} 0 ORDER BY d {order}, a.number LIMIT ?"
        )
        found: list[tuple[int, int, float]] = []
        for sign, order in ((">", "DESC"), ("<", "ASC")):
            found += self._rows(query.format(sign=sign, order=order), first, second, most)
        return found

    def _rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        if not self._indexed:
            self._database.execute("CREATE INDEX by_name ON segments (system, base, segment)")
            self._indexed = True
        yield from self._database.execute(query, values)


_BUCKET = "CASE {} END".format(
    " ".join(
        f"WHEN length >= {bucket.low} THEN {place}"
        for place, bucket in reversed(list(enumerate(LENGTHS)))
    )
)
