"""What the numbers of a report are worth: intervals, comparisons, agreement, drift, progress."""

from __future__ import annotations

import heapq
import random
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from madcat_studio.errors import UsageError
from madcat_studio.model.campaign import DataSet
from madcat_studio.model.control import FEWEST_DOCUMENTS, set_of
from madcat_studio.model.naming import natural_key
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.closer import FEWEST_WORDS, CloserLook, go_through
from madcat_studio.reports.drift import (
    BETTER_OF_TWO,
    MixedModel,
    OwnMeasure,
    drift_table,
    drifts,
    mixed_model,
)
from madcat_studio.reports.grouping import APART, Breakdown
from madcat_studio.reports.ranking import Ranking
from madcat_studio.reports.results import (
    CampaignResults,
    Group,
    ScoredSegment,
)
from madcat_studio.reports.significance import method
from madcat_studio.reports.tables import NOT_A_RATE, Cell, CellKind, Column, Table, plain
from madcat_studio.scoring.agreement import (
    Limits,
    interval_alpha,
    limits_of_agreement,
    rank_correlation,
)
from madcat_studio.scoring.resampling import Interval, Resampling, difference_interval
from madcat_ter.hter import Choice, Denominator, Outcome, Stage, TeamScore
from madcat_ter.options import TerOptions
from madcat_ter.ter import rate, ter_counts

__all__ = ["Agreement", "Earlier", "OwnMeasure", "Statistics", "campaign_statistics"]

MOST_PAIRS = 10_000
"""Segments of one pair of teams from which ranks, limits and alpha are computed; beyond that a
random sample of so many."""

MOST_LISTED = 25


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an earlier phase measured on one document.

    Attributes:
        system, base, passage: of which system on which document.
        edits, words: of the final choice, the denominator being ``words``.
    """

    system: str
    base: str
    passage: str
    edits: float
    words: float


@dataclass(slots=True)
class Agreement:
    """What two teams made of the same segments, in one stage.

    Attributes:
        segments: how many segments both edited.
        rated: how many of them have a rate for both.
        first, second: a sample of both teams' rates, at most :data:`MOST_PAIRS`.
        same: segments with the very same text.
        edits, words: of each text against the other, both ways together.
    """

    segments: int = 0
    same: int = 0
    edits: float = 0.0
    words: float = 0.0
    rated: int = 0
    first: array[float] = field(default_factory=lambda: array("d"))
    second: array[float] = field(default_factory=lambda: array("d"))

    @property
    def sample(self) -> list[tuple[float, float]]:
        """The sample as pairs."""
        return list(zip(self.first, self.second, strict=True))

    @property
    def limits(self) -> Limits | None:
        """Limits of agreement of the two teams' HTER."""
        return limits_of_agreement(self.first, self.second)

    def add(self, rates: tuple[float, float] | None, generator: random.Random) -> None:
        """Take in the pair's rates; a reservoir keeps every segment's chance the same."""
        if rates is None:
            return
        self.rated += 1
        if len(self.first) < MOST_PAIRS:
            self.first.append(rates[0])
            self.second.append(rates[1])
        elif (place := generator.randrange(self.rated)) < MOST_PAIRS:
            self.first[place], self.second[place] = rates


@dataclass(frozen=True, slots=True)
class Statistics:
    """Tables for the report, and what the drawings need.

    Attributes:
        intervals: of each (set, system), under the report's denominator.
        agreements: (stage, first team, second team) -> agreement; ("", "") is all pairs.
        drift: team, or all -> difference of HTER to the earlier phase on the control set.
        change: system -> difference to the earlier phase on the progress set.
        rates: system -> a sample of its segments' HTER, evaluation set.
    """

    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    intervals: Mapping[tuple[str, str], Interval]
    agreements: Mapping[tuple[Stage, str, str], Agreement]
    drift: Mapping[str, Interval]
    change: Mapping[str, Interval]
    rates: Mapping[str, Sequence[float]]


def campaign_statistics(
    results: CampaignResults,
    denominator: Denominator,
    options: TerOptions,
    ranking: Ranking,
    closer: CloserLook,
    *,
    earlier: Sequence[Earlier] = (),
    finals: Sequence[OwnMeasure] = (),
    settings: Resampling = Resampling(),
    progress: Progress = SILENT,
) -> Statistics:
    """Everything that is said about a campaign's numbers.

    Args:
        results: of the campaign.
        denominator: of the report.
        options: with which texts are compared with each other.
        ranking: of the systems.
        closer: goes through the segments together with what is counted here.
        earlier: what the earlier phase measured, for progress, and for drift where there are no
            texts of then.
        finals: what each of the earlier phase's teams made of the control set, for drift.
        settings: of the resampling.
        progress: may cancel.

    Raises:
        Cancelled: ``progress`` said so.
    """
    passing = _Passing(options, settings.seed)
    go_through(results, denominator, (passing, closer), progress, "Comparing teams")
    tables = [*ranking.tables, _agreement_table(passing.agreements)]
    drift, of_drift = _drift(results, denominator, earlier, finals, settings)
    change, change_table = _change(results, denominator, earlier, settings)
    tables += [table for table in (of_drift, change_table) if table is not None]
    tables += passing.listed.tables()
    notes = [
        method(settings),
        "Systems are compared on the documents that both were wholly scored on, by the paired "
        "bootstrap and by approximate randomisation; p-values are two-sided, those with Holm's "
        "correction can be held against one level. No p-value is 0: what was seen counts as one "
        "of the resamples.",
        "Limits of agreement are the mean difference of two teams' HTER per segment and 1.96 "
        "standard deviations about it. Alpha is Krippendorff's for interval data. The TER between "
        "texts counts both directions.",
    ]
    if any(a.rated > MOST_PAIRS for a in passing.agreements.values()):
        notes.append(
            f"Limits, ranks and alpha come from a random sample of {MOST_PAIRS:,} segments where "
            "a pair of teams has more."
        )
    return Statistics(
        tables=tuple(tables),
        notes=tuple(notes),
        intervals=ranking.intervals,
        agreements=passing.agreements,
        drift=drift,
        change=change,
        rates={system: list(sample.values) for system, sample in passing.rates.items()},
    )


# -- one passage over the segments -----------------------------------------------------------------


class _Sample:
    """A random sample of a stream, of at most ``most`` values."""

    def __init__(self, most: int, generator: random.Random) -> None:
        self.values = array("d")
        self._most, self._generator, self._seen = most, generator, 0

    def add(self, value: float) -> None:
        self._seen += 1
        if len(self.values) < self._most:
            self.values.append(value)
        elif (place := self._generator.randrange(self._seen)) < self._most:
            self.values[place] = value


class _Listed:
    """The worst and the best segments, kept while the others stream past."""

    def __init__(self) -> None:
        self._worst: list[tuple[tuple[float, float], int, tuple[Cell, ...]]] = []
        self._best: list[tuple[tuple[float, float], int, tuple[Cell, ...]]] = []
        self._number = 0

    def look(self, scored: ScoredSegment, choice: Choice) -> None:
        value = choice.rate
        if value is None or choice.words < FEWEST_WORDS or choice.outcome is Outcome.NO_OUTPUT:
            return
        if set_of(scored.record) in APART:
            return
        self._number += 1
        bad, good = (value, choice.words), (-value, choice.words)
        wanted = len(self._worst) < MOST_LISTED or bad > self._worst[0][0]
        if not wanted and len(self._best) == MOST_LISTED and good <= self._best[0][0]:
            return
        record = scored.record
        team = None if choice.team is None else record.teams[choice.team]
        row: tuple[Cell, ...] = (
            str(set_of(record)),
            record.system,
            record.genre,
            record.kit,
            record.base,
            record.segment,
            plain(choice.edits),
            plain(choice.words),
            value,
            None if team is None else team.team,
            record.output,
            None if team is None else team.final,
            record.reference,
        )
        for heap, weight in ((self._worst, bad), (self._best, good)):
            entry = (weight, -self._number, row)
            if len(heap) < MOST_LISTED:
                heapq.heappush(heap, entry)
            else:
                heapq.heappushpop(heap, entry)

    def tables(self) -> list[Table]:
        columns = (
            Column("set", "Set"),
            Column("system", "System"),
            Column("genre", "Genre"),
            Column("kit", "Kit"),
            Column("document", "Document"),
            Column("segment", "Segment"),
            Column("edits", "Edits", CellKind.COUNT),
            Column("words", "Words", CellKind.COUNT),
            Column("hter", "HTER", CellKind.RATE),
            Column("chosen", "Team"),
            Column("output", "Output"),
            Column("final", "Final text"),
            Column("reference", "Reference"),
        )
        rule = (
            f"At most {MOST_LISTED}, of segments with output and at least {FEWEST_WORDS} words, "
            "by HTER, then by length; without the control and progress sets."
        )
        worst, best = (
            [row for _, _, row in sorted(heap, reverse=True)] for heap in (self._worst, self._best)
        )
        tables = (
            Table("worst-segments", "Worst segments", columns, worst, rule),
            Table("best-segments", "Best segments", columns, best, rule),
        )
        return [table for table in tables if table.rows]


class _Passing:
    """What is gathered while all segments stream past once."""

    def __init__(self, options: TerOptions, seed: int) -> None:
        self.agreements: dict[tuple[Stage, str, str], Agreement] = {}
        self.listed = _Listed()
        self.rates: dict[str, _Sample] = {}
        self._options = options
        self._generator = random.Random(seed)
        self._pairs: dict[tuple[str, ...], list[tuple[int, int]]] = {}

    def take(self, block: Sequence[tuple[ScoredSegment, Choice]]) -> None:
        """Take in the segments that come next, each with what counts of it."""
        pairs: list[_Pair] = []
        for scored, choice in block:
            self._look(scored, choice, pairs)
        self._compare(pairs)

    def _look(self, scored: ScoredSegment, choice: Choice, pairs: list[_Pair]) -> None:
        record, score = scored.record, scored.score
        self.listed.look(scored, choice)
        if set_of(record) is DataSet.EVALUATION:
            value = choice.rate
            if value is not None:
                sample = self.rates.setdefault(record.system, _Sample(MOST_PAIRS, self._generator))
                sample.add(value)
        if score.no_output is not None:
            return
        names = tuple([team.team for team in score.teams])
        for first, second in self._pairs_of(names):
            teams = score.teams[first], score.teams[second]
            ours, theirs = record.teams[first], record.teams[second]
            if ours.first is not None and theirs.first is not None:
                pairs.append(_Pair(_FIRST, teams, ours.first, theirs.first))
            if ours.final is not None and theirs.final is not None:
                pairs.append(_Pair(_FINAL, teams, ours.final, theirs.final))

    def _pairs_of(self, names: tuple[str, ...]) -> list[tuple[int, int]]:
        """All pairs of these teams, as their places, in the order of their names."""
        found = self._pairs.get(names)
        if found is None:
            order = sorted(range(len(names)), key=lambda place: natural_key(names[place]))
            found = self._pairs[names] = list(combinations(order, 2))
        return found

    def _compare(self, pairs: Sequence[_Pair]) -> None:
        """The TER between the texts of each pair, both ways, all at once."""
        # Many texts are not changed any more by the review: their pairs come twice.
        places: dict[tuple[str, str], int] = {}
        for pair in pairs:
            for way in ((pair.one, pair.other), (pair.other, pair.one)):
                places.setdefault(way, len(places))
        counts = ter_counts(
            [output for output, _ in places], [[text] for _, text in places], self._options
        )
        edits, words = counts.edits.tolist(), counts.words.tolist()
        for pair in pairs:
            there, back = places[pair.one, pair.other], places[pair.other, pair.one]
            rates = [_own_rate(team, pair.stage) for team in pair.teams]
            both = None if rates[0] is None or rates[1] is None else (rates[0], rates[1])
            names = pair.teams[0].team, pair.teams[1].team
            for key in ((pair.stage, "", ""), (pair.stage, *names)):
                own = self.agreements.setdefault(key, Agreement())
                own.segments += 1
                own.same += pair.one == pair.other
                own.edits += edits[there] + edits[back]
                own.words += words[there] + words[back]
                own.add(both, self._generator)


_FIRST, _FINAL = Stage


class _Pair(NamedTuple):
    """Two teams' texts of one segment, the teams in the order of their names."""

    stage: Stage
    teams: tuple[TeamScore, TeamScore]
    one: str
    other: str


def _own_rate(team: TeamScore, stage: Stage) -> float | None:
    counts = team.counts(stage)
    return None if counts is None else counts.rate


def _agreement_table(agreements: Mapping[tuple[Stage, str, str], Agreement]) -> Table:
    columns = (
        Column("stage", "Texts", note="of the first pass or final"),
        Column("first", "Team"),
        Column("second", "Against"),
        Column("segments", "Segments", CellKind.COUNT, "with a text of both"),
        Column("same", "Same text", CellKind.COUNT, "character for character"),
        Column("mean", "Mean difference", CellKind.RATE, "of HTER per segment, first minus second"),
        Column("deviation", "Deviation", CellKind.RATE, "standard deviation of the differences"),
        Column("low", "Limits from", CellKind.RATE, "mean - 1.96 deviations"),
        Column("high", "to", CellKind.RATE, "mean + 1.96 deviations"),
        Column("ter", "TER between texts", CellKind.RATE, "both directions"),
        Column("rho", "Rank correlation", CellKind.NUMBER, "Spearman's rho of HTER"),
        Column("alpha", "Alpha", CellKind.NUMBER, "Krippendorff's, of HTER as interval data"),
    )
    rows: list[tuple[Cell, ...]] = []
    for (stage, first, second), own in sorted(
        agreements.items(),
        key=lambda item: (item[0][0] is Stage.FIRST, [natural_key(team) for team in item[0][1:]]),
    ):
        limits = own.limits
        between = rate(own.edits, own.words)
        rows.append(
            (
                "first pass" if stage is Stage.FIRST else "final",
                first or "all pairs",
                second,
                own.segments,
                own.same,
                *((None,) * 4 if limits is None else _limits_cells(limits)),
                NOT_A_RATE if between is None else between,
                rank_correlation(own.first, own.second),
                interval_alpha(own.sample),
            )
        )
    note = (
        "Over all sets and systems; each team against its own words. Segments without output are "
        "left out."
    )
    return Table("agreement", "Agreement of teams", columns, rows, note)


def _limits_cells(limits: Limits) -> tuple[float, float, float, float]:
    return limits.mean, limits.deviation, limits.low, limits.high


# -- against the earlier phase ---------------------------------------------------------------------


_THEN_AND_NOW = (
    Column("edits", "Edits", CellKind.COUNT),
    Column("words", "Words", CellKind.COUNT),
    Column("hter", "HTER", CellKind.RATE),
    Column("edits_earlier", "Edits then", CellKind.COUNT),
    Column("words_earlier", "Words then", CellKind.COUNT),
    Column("hter_earlier", "HTER then", CellKind.RATE),
    Column("difference", "Difference", CellKind.RATE, "now minus then"),
    Column("low", "From", CellKind.RATE),
    Column("high", "To", CellKind.RATE),
)

_Sides = dict[str, tuple[float, float, float, float]]  # cluster -> edits, words now; then


def _then_and_now(sides: _Sides, settings: Resampling) -> tuple[Interval | None, list[Cell]]:
    now = [side[0] for side in sides.values()], [side[1] for side in sides.values()]
    then = [side[2] for side in sides.values()], [side[3] for side in sides.values()]
    enough = len(sides) >= FEWEST_DOCUMENTS
    difference = difference_interval(now, then, settings) if enough else None
    cells: list[Cell] = []
    points: list[float | None] = []
    for edits, words in (now, then):
        point = rate(sum(edits), sum(words))
        points.append(point)
        cells += [plain(sum(edits)), plain(sum(words)), NOT_A_RATE if point is None else point]
    if difference is not None:
        return difference, [*cells, difference.point, difference.low, difference.high]
    at_present, before = points
    change = None if at_present is None or before is None else at_present - before
    return None, [*cells, change, None, None]


def _add(sides: _Sides, cluster: str, now: tuple[float, float], then: tuple[float, float]) -> None:
    old = sides.get(cluster, (0.0, 0.0, 0.0, 0.0))
    sides[cluster] = (old[0] + now[0], old[1] + now[1], old[2] + then[0], old[3] + then[1])


def _drift(
    results: CampaignResults,
    denominator: Denominator,
    earlier: Sequence[Earlier],
    finals: Sequence[OwnMeasure],
    settings: Resampling,
) -> tuple[dict[str, Interval], Table | None]:
    """What is edited on the control set against the earlier phase: like with like."""
    now, then = list[OwnMeasure](), list(finals)
    if finals:
        for system, base, source_document, team, segments, own in results.control_documents():
            if own.segments and own.segments == segments:
                now.append(OwnMeasure(system, base, source_document, team, own.edits, own.words))
    else:
        then = [
            OwnMeasure(one.system, one.base, "", BETTER_OF_TWO, one.edits, one.words)
            for one in earlier
        ]
        now = [
            OwnMeasure(system, base, source_document, BETTER_OF_TWO, edits, words)
            for system, base, source_document, edits, words in results.control_choices(denominator)
        ]
    found = drifts(now, then, settings)
    if not found:
        return {}, None
    order = {team: place for place, team in enumerate(results.teams)}
    found.sort(key=lambda one: order.get(one.team, len(order)))
    model = None
    if finals:
        try:
            model = mixed_model(now, then, settings.seed)
        except UsageError as missing:
            model = MixedModel(said=f"No mixed model: {missing.reason}. {missing.remedy}.")
    intervals = {one.team: one.interval for one in found if one.interval is not None}
    return intervals, drift_table(found, model)


def _change(
    results: CampaignResults,
    denominator: Denominator,
    earlier: Sequence[Earlier],
    settings: Resampling,
) -> tuple[dict[str, Interval], Table | None]:
    """The progress set's HTER against what the earlier phase measured on the same passages."""
    then: dict[str, dict[str, tuple[float, float]]] = {}
    for one in earlier:
        old = then.setdefault(one.system, {}).get(one.passage, (0.0, 0.0))
        then[one.system][one.passage] = (old[0] + one.edits, old[1] + one.words)
    found: dict[str, Interval] = {}
    rows: list[tuple[Cell, ...]] = []
    groups: dict[str, list[Group]] = {}
    for group in results.of(Breakdown.PASSAGE, DataSet.PROGRESS):
        groups.setdefault(group.system, []).append(group)
    for system, own in groups.items():
        for old_system, passages in then.items():
            sides: _Sides = {}
            for group in own:
                totals = group.all.of(denominator)
                if totals.segments and group.names[0] in passages:
                    now = (totals.edits, totals.words)
                    _add(sides, group.names[0], now, passages[group.names[0]])
            if not sides:
                continue
            difference, cells = _then_and_now(sides, settings)
            if difference is not None:
                found[system] = difference
            rows.append((system, old_system, len(sides), *cells))
    if not rows:
        return {}, None
    columns = (
        Column("system", "System"),
        Column("earlier", "Earlier system"),
        Column("passages", "Passages", CellKind.COUNT, "what is drawn"),
        *_THEN_AND_NOW,
    )
    note = (
        "New output for sequestered passages against the earlier phase. Below 0 is progress. "
        f"An interval needs {FEWEST_DOCUMENTS} passages."
    )
    return found, Table("progress-change", "Progress since earlier phase", columns, rows, note)
