"""HTER of a campaign: every segment scored once, summed for every group a report shows.

Records stream through. The sums of each page's segments go into :class:`PageSums`, the scored
segments to a spool beside it. So memory stays the same whatever the size of the campaign.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from madcat_studio.closing import Closing
from madcat_studio.model.campaign import DataSet, SegmentRecord, TeamText
from madcat_studio.model.control import set_of
from madcat_studio.model.naming import natural_key
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.blocks import Blocks, KeptRows
from madcat_studio.reports.factors import Factors
from madcat_studio.reports.grouping import SETS, WAYS, Breakdown, PageSums, Place, written
from madcat_studio.scoring.resampling import Resampling
from madcat_ter.hter import (
    Counts,
    Denominator,
    SegmentScore,
    Stage,
    Tally,
    TeamScore,
    TeamTotals,
    Totals,
)

__all__ = [
    "CampaignResults",
    "Group",
    "ScoredBlock",
    "ScoredSegment",
    "Scorer",
    "Spool",
    "TeamSums",
    "Through",
    "collect",
]

_STEP = 500  # segments that are scored at once


@dataclass(slots=True)
class Group:
    """The sums of one group: all of it, and the part without scribe errors.

    Attributes:
        track: the track; nothing is summed over two.
        data_set: the set; control and progress never mix with the others.
        system: the system's name.
        names: what places the group within its breakdown (empty for a whole system).
        missing: segments for which the system gave no output element at all.
    """

    track: str
    data_set: DataSet
    system: str
    names: tuple[str, ...]
    all: Tally = field(default_factory=Tally)
    clean: Tally = field(default_factory=Tally)
    missing: int = 0

    def merge(self, other: Group) -> None:
        """Add a smaller group's sums."""
        self.all.merge(other.all)
        self.clean.merge(other.clean)
        self.missing += other.missing


class ScoredSegment(NamedTuple):
    """A segment of one system's output with its scores."""

    record: SegmentRecord
    score: SegmentScore


@dataclass(frozen=True, slots=True)
class TeamSums:
    """One team's own sums over one set, and the segments that are credited to it.

    Attributes:
        first, final: against its own texts, whoever was chosen.
        credited: under each denominator.
    """

    data_set: DataSet
    team: str
    first: TeamTotals
    final: TeamTotals
    credited: dict[Denominator, int]


class Spool:
    """Scored segments on disk, readable again and again, gone when closed.

    Attributes:
        watch: called with the number of segments read so far, every few hundred; whoever reads
            long can tell by it how far the work is, and stop it by an exception.
    """

    def __init__(self) -> None:
        self.watch: Callable[[int], None] | None = None
        self._blocks = Blocks()
        self._starts, self._places = array("q"), array("q")  # of each block

    def __len__(self) -> int:
        return len(self._blocks)

    def append(self, segments: list[ScoredSegment]) -> None:
        """Add some segments; they come back in the order in which they were added."""
        self._starts.append(len(self))
        self._places.append(self._blocks.end)
        self._blocks.append([_flat(scored) for scored in segments])

    def __iter__(self) -> Iterator[ScoredSegment]:
        done = 0
        for block in self._blocks:
            self.read(done)
            done += len(block)
            for flat in block:
                yield _scored(flat)

    def some(self, numbers: Iterable[int]) -> dict[int, ScoredSegment]:
        """Segments by their numbers, counted from 0; only the blocks that they lie in are read."""
        by_block: dict[int, list[int]] = {}
        for number in numbers:
            by_block.setdefault(bisect_right(self._starts, number) - 1, []).append(number)
        found: dict[int, ScoredSegment] = {}
        for place in sorted(by_block):
            block, _ = self._blocks.at(self._places[place])
            found |= {n: _scored(block[n - self._starts[place]]) for n in by_block[place]}
        return found

    def read(self, done: int) -> None:
        """Tell who watches how many segments were read, here or from what was made of them."""
        if self.watch is not None:
            self.watch(done)

    def close(self) -> None:
        """Remove the file."""
        self._blocks.close()


_Flat = tuple[Any, ...]


def _flat_counts(counts: Counts | None) -> _Flat | None:
    return None if counts is None else tuple(counts)


def _counts(flat: _Flat | None) -> Counts | None:
    return None if flat is None else Counts._make(flat)


_SET, _TEAMS = SegmentRecord._fields.index("data_set"), SegmentRecord._fields.index("teams")
_DATA_SETS = {str(data_set): data_set for data_set in DataSet}


def _flat(scored: ScoredSegment) -> _Flat:
    record, score = scored
    values: list[Any] = [*record]
    values[_SET] = str(record.data_set)
    values[_TEAMS] = [tuple(team) for team in record.teams]
    return (
        values,
        score.reference_words,
        _flat_counts(score.no_output),
        [
            (t.team, _flat_counts(t.first), _flat_counts(t.final), t.first_empty, t.final_empty)
            for t in score.teams
        ],
    )


def _scored(flat: _Flat) -> ScoredSegment:
    values, reference_words, no_output, teams = flat
    values[_SET] = _DATA_SETS[values[_SET]]
    values[_TEAMS] = tuple([TeamText._make(team) for team in values[_TEAMS]])
    scores = tuple(
        [
            TeamScore(name, _counts(first), _counts(final), first_empty, final_empty)
            for name, first, final, first_empty, final_empty in teams
        ]
    )
    score = SegmentScore(scores, reference_words, _counts(no_output))
    return ScoredSegment(SegmentRecord._make(values), score)


class _InputHash:
    """SHA-256 over texts in their order, each with its length so that no two inputs collide."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, *texts: str | None) -> None:
        parts: list[bytes] = []
        for text in texts:
            if text is None:
                parts.append(b"-;")
            else:
                data = text.encode("utf-8", "surrogatepass")
                parts.append(b"%d:" % len(data))
                parts.append(data)
        self._hash.update(b"".join(parts))

    def hex(self) -> str:
        return self._hash.hexdigest()


_NUMBERS = tuple(f.name for f in fields(Totals) if f.name != "credited")
_numbers_of = attrgetter(*_NUMBERS)
_STAGES = tuple((stage, denominator) for stage in Stage for denominator in Denominator)
_SUMS = (
    "missing",
    *(f"{stage}_{denominator}_{number}" for stage, denominator in _STAGES for number in _NUMBERS),
)


class _Sums(PageSums):
    """Sums of pages, and beside them those of each team."""

    def __init__(self) -> None:
        super().__init__(_SUMS)
        self.run(
            "CREATE TABLE teams (page INTEGER, team TEXT, first_segments, first_edits, "
            "first_words, final_segments, final_edits, final_words, chosen, reference)"
        )

    def take(self, record: SegmentRecord, tally: Tally, missing: int, scribe_errors: bool) -> None:
        """Put down the sums of a run of segments that share everything but their names."""
        place = Place(
            "",
            record.track,
            str(set_of(record)),
            record.system,
            record.genre,
            record.kit,
            record.source_document,
            record.passage,
            record.manuscript,
            record.scribe,
            record.exposure,
            *written(record.conditions),
            record.base,
            record.page,
            "with" if scribe_errors else "without",
        )
        sums = [number for key in _STAGES for number in _numbers_of(tally.totals[key])]
        page = self.add(place, (missing, *sums))
        chosen = tally.totals[Stage.FINAL, Denominator.CHOSEN].credited
        reference = tally.totals[Stage.FINAL, Denominator.REFERENCE].credited
        for team in dict.fromkeys([name for name, _ in tally.teams]):
            first = tally.teams.get((team, Stage.FIRST), _NO_TEAM)
            final = tally.teams.get((team, Stage.FINAL), _NO_TEAM)
            self.run(
                "INSERT INTO teams VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(page, team, first.segments, first.edits, first.words),
                    *(final.segments, final.edits, final.words),
                    *(chosen.get(team, 0), reference.get(team, 0)),
                ),
            )


_NO_TEAM = TeamTotals()


def _tally(numbers: Sequence[Any]) -> Tally:
    size = len(_NUMBERS)
    tally = Tally()
    for place, key in enumerate(_STAGES):
        tally.totals[key] = Totals(*numbers[place * size : (place + 1) * size])
    return tally


class CampaignResults(Closing):
    """All that a report of a campaign is made from; close it after the last report.

    Attributes:
        codes: the neutral code of each system.
        teams: team names in natural order.
        most_teams: the largest number of teams that a segment has.
        hashes: SHA-256 of ``outputs``, ``references`` and ``edits``, over the segments' names
            and texts in the campaign's order.
        segments: every scored segment, in the campaign's order.
    """

    def __init__(self) -> None:
        self.segments = Spool()
        self.codes: dict[str, str] = {}
        self.teams: list[str] = []
        self.most_teams = 0
        self.hashes: dict[str, str] = {}
        self.sums = _Sums()
        self._kept: list[KeptRows] = []

    def close(self) -> None:
        """Remove what lies on disk."""
        for rows in self._kept:
            rows.close()
        self.segments.close()
        self.sums.close()

    def keep(self, rows: KeptRows) -> KeptRows:
        """Have rows that were made from these results removed with them."""
        self._kept.append(rows)
        return rows

    def of(self, breakdown: Breakdown, *data_sets: DataSet) -> Iterator[Group]:
        """The groups of a breakdown, of these sets or of all.

        Evaluation comes first, control last; within a set systems as :meth:`rank` says, and
        whatever else has a name in natural order.
        """
        for group in self.sums.of(breakdown, *data_sets):
            yield Group(
                group.track,
                group.data_set,
                group.system,
                group.names,
                _tally(group.all[1:]),
                _tally(group.clean[1:]),
                group.all[0],
            )

    def rank(self, denominator: Denominator) -> None:
        """Put the systems in order: the lowest rate on the evaluation set comes first.

        One that nothing was scored of comes after those, and an earlier phase's last.
        """
        found: dict[str, float] = {}
        for group in self.of(Breakdown.SYSTEM, DataSet.EVALUATION):
            rate = group.all.of(denominator).rate
            found[group.system] = float("inf") if rate is None else rate
        best_first = sorted(found, key=lambda system: (found[system], natural_key(system)))
        self.sums.set_ranks({system: place for place, system in enumerate(best_first)})

    def by_source(
        self, breakdown: Breakdown, system: str, denominator: Denominator
    ) -> Iterator[tuple[str, str, float, float]]:
        """Group, source document, edits and words of a system on the evaluation set."""
        name, column = WAYS[breakdown].keys[-1], f"final_{denominator}"
        yield from self.sums.rows(
            f"SELECT {name}, source_document, sum({column}_edits), sum({column}_words) FROM pages "
            f"WHERE data_set = 'evaluation' AND system = ? GROUP BY {name}, source_document "
            f"HAVING sum({column}_segments) > 0 ORDER BY {name} COLLATE by_name, source_document",
            (system,),
        )

    def factors(self, denominator: Denominator, settings: Resampling) -> Factors:
        """Intervals and tests within groups."""
        names = ("edits", "words", "segments", "open")
        return Factors(self.sums, [f"final_{denominator}_{name}" for name in names], settings)

    def count(self, breakdown: Breakdown, *data_sets: DataSet) -> int:
        """How many groups a breakdown has, of these sets or of all."""
        return self.sums.count(breakdown, *data_sets)

    def varies(self, breakdown: Breakdown) -> bool:
        """Whether a breakdown has any name that says something."""
        return self.sums.varies(breakdown)

    @property
    def preliminary(self) -> bool:
        """Whether any final text is still to come."""
        return any(group.all.preliminary for group in self.of(Breakdown.SYSTEM))

    def team_sums(self) -> Iterator[TeamSums]:
        """Each team's own sums, set by set, in the order of the teams."""
        found: dict[tuple[str, str], tuple[Any, ...]] = {
            (row[0], row[1]): row[2:]
            for row in self.sums.rows(
                "SELECT data_set, team, sum(first_segments), sum(first_edits), sum(first_words), "
                "sum(final_segments), sum(final_edits), sum(final_words), sum(chosen), "
                "sum(reference) FROM teams JOIN pages ON pages.id = teams.page "
                "GROUP BY data_set, team"
            )
        }
        for data_set in SETS:
            for team in self.teams:
                row = found.get((str(data_set), team))
                if row is not None:
                    yield TeamSums(
                        data_set,
                        team,
                        TeamTotals(*row[:3]),
                        TeamTotals(*row[3:6]),
                        {Denominator.CHOSEN: row[6], Denominator.REFERENCE: row[7]},
                    )

    def control_documents(self) -> Iterator[tuple[str, str, str, str, int, TeamTotals]]:
        """System, document, source document, team, segments, the team's own final sums."""
        for row in self.sums.rows(
            "SELECT system, base, source_document, team, "
            "sum(final_chosen_segments + final_chosen_open), "
            "sum(final_segments), sum(final_edits), sum(final_words) "
            "FROM teams JOIN pages ON pages.id = teams.page WHERE data_set = 'control' "
            "GROUP BY system, base, team ORDER BY min(pages.id)"
        ):
            yield (*row[:5], TeamTotals(*row[5:]))

    def control_choices(
        self, denominator: Denominator
    ) -> Iterator[tuple[str, str, str, float, float]]:
        """System, document, source document, edits and words of the chosen final texts.

        Of the documents of the control set of which every final text is there.
        """
        column = f"final_{denominator}"
        yield from self.sums.rows(
            f"SELECT system, base, source_document, sum({column}_edits), sum({column}_words)"
            " FROM pages WHERE data_set = 'control' GROUP BY system, base"
            f" HAVING sum({column}_open) = 0 ORDER BY min(id)"
        )

    def in_common(
        self, first: str, second: str, denominator: Denominator
    ) -> tuple[int, NDArray[np.float64]]:
        """What two systems were both wholly scored on, of the evaluation set.

        Returns:
            The number of documents; for each source document the edits and words of the first
            and of the second system, shape (4, source documents).
        """
        column = f"final_{denominator}"
        documents = (
            f"SELECT base, source_document, sum({column}_edits) AS edits, "
            f"sum({column}_words) AS words FROM pages "
            "WHERE data_set = 'evaluation' AND system = ? GROUP BY base "
            f"HAVING sum({column}_open) = 0"
        )
        documents_in_common, sums = 0, array("d")
        for row in self.sums.rows(
            "SELECT count(*), sum(a.edits), sum(a.words), sum(b.edits), sum(b.words) "
            f"FROM ({documents}) AS a JOIN ({documents}) AS b USING (base) "
            "GROUP BY a.source_document ORDER BY a.source_document",
            (first, second),
        ):
            documents_in_common += row[0]
            sums.extend(row[1:])
        return documents_in_common, np.array(sums, dtype=np.float64).reshape(-1, 4).T


Scorer = Callable[[Sequence[SegmentRecord]], list[SegmentScore]]
"""Scores some records at once."""

ScoredBlock = tuple[list[SegmentRecord], list[SegmentScore]]
Through = Callable[[Iterator[list[SegmentRecord]]], Iterator[ScoredBlock]]
"""Scores blocks of records, and gives them back in their order."""


def collect(
    records: Iterable[SegmentRecord],
    score: Scorer,
    *,
    through: Through | None = None,
    total: int | None = None,
    progress: Progress = SILENT,
) -> CampaignResults:
    """Score every record once and sum. The caller closes the results after the last report.

    Args:
        records: segments of one document should come together (it saves time; sums are the same).
        score: scores some records at once.
        through: scores blocks of records in their order, in place of ``score``.
        total: the number of records, for progress, if it is known.
        progress: told every few hundred segments; may cancel.

    Raises:
        Cancelled: the user wanted to stop.
    """
    results = CampaignResults()
    try:
        _collect(results, records, through or _here(score), total, progress)
    except BaseException:
        results.close()
        raise
    return results


def _here(score: Scorer) -> Through:
    def scored(blocks: Iterator[list[SegmentRecord]]) -> Iterator[ScoredBlock]:
        for block in blocks:
            yield block, score(block)

    return scored


def _collect(
    results: CampaignResults,
    records: Iterable[SegmentRecord],
    through: Through,
    total: int | None,
    progress: Progress,
) -> None:
    teams: dict[str, None] = {}
    hashes = {name: _InputHash() for name in ("outputs", "references", "edits")}
    run = _Run(results)
    done = 0
    stream = iter(records)
    blocks = iter(lambda: list(islice(stream, _STEP)), [])
    for block, scores in through(blocks):
        for record, result in zip(block, scores, strict=True):
            run.take(record, result)
            name = (record.system, record.base, record.segment)
            hashes["outputs"].add(*name, record.output)
            hashes["references"].add(record.base, record.segment, record.reference)
            for team in record.teams:
                teams.setdefault(team.team)
                hashes["edits"].add(*name, team.team, team.first, team.final)
            results.codes.setdefault(record.system, record.code)
            results.most_teams = max(results.most_teams, len(record.teams))
        results.segments.append([ScoredSegment(*pair) for pair in zip(block, scores, strict=True)])
        done += len(block)
        progress.advance(done, total, "Scoring segments")
        if progress.cancelled():
            raise Cancelled
    run.finish()
    results.teams = sorted(teams, key=natural_key)
    results.hashes = {name: own.hex() for name, own in hashes.items()}


class _Run:
    """Sums of segments that follow each other on one page, put down when another begins."""

    def __init__(self, results: CampaignResults) -> None:
        self._sums = results.sums
        self._key: tuple[object, ...] | None = None
        self._record: SegmentRecord | None = None
        self._tallies: dict[bool, Tally] = {}
        self._missing: dict[bool, int] = {}

    def _start(self) -> None:
        self._tallies, self._missing = {}, {}  # by whether the segments have scribe errors

    def take(self, record: SegmentRecord, score: SegmentScore) -> None:
        key = (record.kit, record.system, record.base, record.page, set_of(record))
        if key != self._key:
            self.finish()
            self._key, self._record = key, record
        errors = record.scribe_error
        self._tallies.setdefault(errors, Tally()).add(score)
        self._missing[errors] = self._missing.get(errors, 0) + record.missing

    def finish(self) -> None:
        if self._record is not None:
            for errors, tally in self._tallies.items():
                self._sums.take(self._record, tally, self._missing[errors], errors)
        self._record = None
        self._start()
