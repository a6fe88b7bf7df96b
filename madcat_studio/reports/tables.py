"""Results as plain tables with typed columns: the one source of every form of a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from madcat_studio.model.campaign import DataSet
from madcat_studio.model.control import set_of
from madcat_studio.reports.blocks import KeptRows
from madcat_studio.reports.factors import (
    INTERVAL_COLUMNS,
    Factors,
    beside_rates,
    interval_cells,
    within_groups,
)
from madcat_studio.reports.grouping import APART, FACTORS, WAYS, Breakdown
from madcat_studio.reports.results import (
    CampaignResults,
    Group,
    ScoredSegment,
)
from madcat_studio.reports.table import (
    NOT_A_RATE,
    Cell,
    CellKind,
    Column,
    Table,
    number_of,
    plain,
)
from madcat_studio.reports.verdict import Verdict
from madcat_studio.scoring.resampling import Interval, Resampling
from madcat_ter.hter import (
    Counts,
    Denominator,
    Outcome,
    Stage,
    Tally,
    TeamTotals,
    Totals,
)

__all__ = [
    "NOT_A_RATE",
    "Cell",
    "CellKind",
    "Chart",
    "Column",
    "Report",
    "Table",
    "campaign_report",
    "number_of",
    "plain",
    "preliminary_of",
    "rate_cell",
    "segment_columns",
    "segment_row",
]


@dataclass(frozen=True, slots=True)
class Chart:
    """One drawing: ``svg`` is an SVG element that takes its ink from the page it stands in."""

    name: str
    title: str
    note: str
    svg: str


@dataclass(frozen=True, slots=True)
class Report:
    """All tables of a report, and what its numbers depend on.

    Attributes:
        title: of the whole, usually the campaign's name.
        kind: what was measured, such as ``HTER``.
        made: when, in UTC, as ``2026-03-01 12:00 UTC``.
        track: of what it is; nothing is summed over two. "" where tracks have no names.
        denominator: the one that the report's rates use where a column says nothing else.
        signatures: denominator -> the signature of its rates.
        hashes: what the input was, SHA-256.
        preliminary: sentences that tell what is missing; empty for a final report.
        notes: rules that the numbers follow, one sentence each.
        warnings: what the reader must know of the input.
        tables: in the order of reading.
        intervals: (set, system) -> interval of its HTER, where there is one.
        charts: drawings, in the order of looking; drawn when they are looked at.
        pictures: (document, segment) -> the handwriting, as a ``data:`` address.
        verdict: what is to be read first; the first of the tables has its sentences.
    """

    title: str
    kind: str
    made: str
    track: str
    denominator: Denominator
    signatures: Mapping[str, str]
    hashes: Mapping[str, str]
    preliminary: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    tables: tuple[Table, ...]
    results: CampaignResults = field(repr=False)
    intervals: Mapping[tuple[str, str], Interval] = field(default_factory=dict)
    charts: Sequence[Chart] = field(default=(), repr=False, compare=False)
    pictures: Mapping[tuple[str, str], str] = field(default_factory=dict, repr=False)
    verdict: Verdict | None = None

    def signature_lines(self) -> list[tuple[str, str]]:
        """Each signature with what it is the signature of."""
        return [(f"{name} words", text) for name, text in self.signatures.items()]

    def about(self) -> Table:
        """What the report is and what its numbers depend on, as a table of its own."""
        entries = [
            ("title", self.title),
            ("kind", self.kind),
            ("made", self.made),
            ("state", "preliminary" if self.preliminary else "final"),
            ("denominator", str(self.denominator)),
            *(("preliminary", text) for text in self.preliminary),
            *((f"signature, {name}", text) for name, text in self.signature_lines()),
            *((f"SHA-256, {name}", text) for name, text in self.hashes.items()),
            *(("note well", text) for text in self.warnings),
            *(("rule", text) for text in self.notes),
        ]
        columns = (Column("what", "What"), Column("text", "Text"))
        return Table("about", "About", columns, entries)

    def table(self, name: str) -> Table:
        """The table of that name."""
        return next(table for table in self.tables if table.name == name)


_SUMS = (Totals, TeamTotals)


def rate_cell(totals: Totals | TeamTotals | Counts | None, segments: int = 1) -> Cell:
    """The cell of a rate: a fraction, n/a for edits over no words, None where nothing is."""
    if totals is None:
        return None
    if isinstance(totals, _SUMS) and not totals.segments:
        return None
    rate = totals.rate
    return NOT_A_RATE if rate is None else rate


_OTHER = {
    Denominator.CHOSEN: Denominator.REFERENCE,
    Denominator.REFERENCE: Denominator.CHOSEN,
}

_DENOMINATOR_TEXT = {
    Denominator.CHOSEN: "words of the chosen final text",
    Denominator.REFERENCE: "words of the reference",
}


def _score_columns(denominator: Denominator) -> tuple[Column, ...]:
    other = _OTHER[denominator]
    return (
        Column("segments", "Segments", CellKind.COUNT, "scored; open ones are not counted"),
        Column("edits", "Edits", CellKind.COUNT),
        Column("words", "Words", CellKind.COUNT, f"denominator: {_DENOMINATOR_TEXT[denominator]}"),
        Column("hter", "HTER", CellKind.RATE, "edits / words, by the two-team rule"),
        Column("hter_first", "First pass", CellKind.RATE, "the same rule over the first passes"),
        Column(
            f"hter_{other}",
            f"HTER, {other} words",
            CellKind.RATE,
            f"the choice made anew with the {_DENOMINATOR_TEXT[other]}",
        ),
        Column("insertions", "Ins", CellKind.COUNT, "words that only the output has"),
        Column("deletions", "Del", CellKind.COUNT, "words that only the final text has"),
        Column("substitutions", "Sub", CellKind.COUNT, "a word against another"),
        Column("shifts", "Shift", CellKind.COUNT, "blocks of words moved"),
        Column("ties", "Ties", CellKind.COUNT, "both teams at the same rate, credited to neither"),
        Column("no_output", "No output", CellKind.COUNT, "the reference counts as the final text"),
        Column(
            "clean_segments", "Segments*", CellKind.COUNT, "without segments with scribe errors"
        ),
        Column("clean_edits", "Edits*", CellKind.COUNT, "without segments with scribe errors"),
        Column("clean_words", "Words*", CellKind.COUNT, "without segments with scribe errors"),
        Column("clean_hter", "HTER*", CellKind.RATE, "without segments with scribe errors"),
        Column("preliminary", "Preliminary", CellKind.COUNT, "segments with one team's final text"),
        Column("open", "Open", CellKind.COUNT, "segments without any final text; not in the sums"),
    )


def _scores(tally: Tally, clean: Tally, denominator: Denominator) -> tuple[Cell, ...]:
    final = tally.of(denominator)
    clean_final = clean.of(denominator)
    return (
        final.segments,
        plain(final.edits),
        plain(final.words),
        rate_cell(final),
        rate_cell(tally.of(denominator, Stage.FIRST)),
        rate_cell(tally.of(_OTHER[denominator])),
        final.insertions,
        final.deletions,
        final.substitutions,
        final.shifts,
        final.ties,
        final.no_output,
        clean_final.segments,
        plain(clean_final.edits),
        plain(clean_final.words),
        rate_cell(clean_final),
        final.preliminary,
        final.open,
    )


_DRAWN = (Breakdown.SYSTEM, *FACTORS)
"""Breakdowns whose groups have intervals."""


def _group_rows(
    results: CampaignResults,
    breakdown: Breakdown,
    data_sets: tuple[DataSet, ...],
    denominator: Denominator,
    factors: Factors,
) -> KeptRows:
    """The rows of a breakdown: there can be very many."""

    def worth(group: Group) -> tuple[Cell, ...]:
        if breakdown not in _DRAWN:
            return ()
        apart = ("", group.track, group.data_set)
        return interval_cells(
            factors.system(apart, breakdown, "".join(group.names[-1:]), group.system)
        )

    def rows() -> Iterator[tuple[Cell, ...]]:
        for group in results.of(breakdown, *data_sets):
            yield (
                str(group.data_set),
                group.system,
                results.codes[group.system],
                *group.names,
                *beside_rates(_scores(group.all, group.clean, denominator), worth(group)),
            )

    return results.keep(KeptRows(rows, lambda: results.count(breakdown, *data_sets)))


def _group_table(
    results: CampaignResults,
    denominator: Denominator,
    breakdown: Breakdown,
    data_sets: tuple[DataSet, ...],
    factors: Factors,
    name: str,
    title: str,
    note: str = "",
) -> Table:
    columns = (
        Column("set", "Set"),
        Column("system", "System"),
        Column("code", "Code", note="the system's name in the kits"),
        *WAYS[breakdown].columns,
        *beside_rates(_score_columns(denominator), INTERVAL_COLUMNS if breakdown in _DRAWN else ()),
    )
    rows = _group_rows(results, breakdown, data_sets, denominator, factors)
    return Table(name, title, columns, rows, note, WAYS[breakdown].long)


def _teams_table(results: CampaignResults, denominator: Denominator) -> Table:
    """What each team did: its own sums, and the segments that were decided for it."""
    columns = (
        Column("set", "Set"),
        Column("team", "Team"),
        Column("segments", "Segments", CellKind.COUNT, "with a final text of this team"),
        Column("edits", "Edits", CellKind.COUNT, "against its own final texts"),
        Column("words", "Words", CellKind.COUNT, "of its own final texts"),
        Column("hter", "Own HTER", CellKind.RATE, "whoever was chosen"),
        Column("hter_first", "Own first pass", CellKind.RATE, "against its own first passes"),
        Column(
            "chosen", "Chosen", CellKind.COUNT, "segments credited to it; ties are credited to none"
        ),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            str(sums.data_set),
            sums.team,
            sums.final.segments,
            plain(sums.final.edits),
            plain(sums.final.words),
            rate_cell(sums.final),
            rate_cell(sums.first),
            sums.credited[denominator],
        )
        for sums in results.team_sums()
    ]
    note = (
        "Each team against its own texts, over all systems. Segments without output are left "
        "out: there was nothing to edit."
    )
    return Table("by-team", "By team", columns, rows, note)


def _segment_rows(results: CampaignResults, denominator: Denominator, teams: int) -> KeptRows:
    """The rows of the segments' table, which every form of a report goes through."""
    segments = results.segments
    return results.keep(
        KeptRows(
            lambda: (segment_row(scored, denominator, teams) for scored in segments),
            segments.__len__,
            segments.read,
        )
    )


def segment_columns(denominator: Denominator, teams: int) -> tuple[Column, ...]:
    """The columns of the segments' table, for kits with at most ``teams`` teams."""
    other = _OTHER[denominator]
    per_team = [
        column
        for n in range(1, teams + 1)
        for column in (
            Column(f"team_{n}", f"Team {n}"),
            Column(f"team_{n}_edits", f"Edits {n}", CellKind.COUNT),
            Column(f"team_{n}_words", f"Words {n}", CellKind.COUNT),
            Column(f"team_{n}_hter", f"HTER {n}", CellKind.RATE, "over its own words"),
            Column(f"team_{n}_first_edits", f"First-pass edits {n}", CellKind.COUNT),
            Column(f"team_{n}_first_words", f"First-pass words {n}", CellKind.COUNT),
            Column(f"team_{n}_first_hter", f"First-pass HTER {n}", CellKind.RATE),
            Column(f"team_{n}_first_editor", f"First editor {n}"),
            Column(f"team_{n}_reviewer", f"Reviewer {n}"),
        )
    ]
    texts = [
        column
        for n in range(1, teams + 1)
        for column in (
            Column(f"team_{n}_final", f"Final text {n}"),
            Column(f"team_{n}_first", f"First-pass text {n}"),
        )
    ]
    return (
        Column("set", "Set"),
        Column("system", "System"),
        Column("code", "Code"),
        Column("genre", "Genre"),
        Column("kit", "Kit"),
        Column("source_document", "Source document"),
        Column("passage", "Passage"),
        Column("manuscript", "Manuscript"),
        Column("page", "Page"),
        Column("scribe", "Scribe"),
        Column("exposure", "Exposure"),
        Column("document", "Document"),
        Column("segment", "Segment"),
        Column("scribe_error", "Scribe error", CellKind.FLAG),
        Column("missing", "Missing", CellKind.FLAG, "the system's file has no such segment"),
        Column("outcome", "Outcome", note="lower, tie, no output, preliminary or open"),
        Column("chosen", "Chosen"),
        Column("edits", "Edits", CellKind.COUNT),
        Column("words", "Words", CellKind.COUNT, f"denominator: {_DENOMINATOR_TEXT[denominator]}"),
        Column("hter", "HTER", CellKind.RATE),
        Column("reason", "Reason"),
        Column(f"chosen_{other}", f"Chosen, {other} words"),
        Column(f"edits_{other}", f"Edits, {other} words", CellKind.COUNT),
        Column(f"words_{other}", f"Words, {other}", CellKind.COUNT),
        Column(f"hter_{other}", f"HTER, {other} words", CellKind.RATE),
        Column("insertions", "Ins", CellKind.COUNT),
        Column("deletions", "Del", CellKind.COUNT),
        Column("substitutions", "Sub", CellKind.COUNT),
        Column("shifts", "Shift", CellKind.COUNT),
        *per_team,
        Column("output", "Output"),
        Column("reference", "Reference"),
        *texts,
    )


def segment_row(scored: ScoredSegment, denominator: Denominator, teams: int) -> tuple[Cell, ...]:
    """One row of the segments' table."""
    record, score = scored.record, scored.score
    choice = score.choice(denominator)
    other = score.choice(_OTHER[denominator])

    def rate(value: float | None, outcome: Outcome) -> Cell:
        if outcome is Outcome.OPEN:
            return None
        return NOT_A_RATE if value is None else value

    per_team: list[Cell] = []
    texts: list[Cell] = []
    for index in range(teams):
        if index < len(score.teams):
            team, text = score.teams[index], record.teams[index]
            per_team.append(team.team)
            for counts in (team.final, team.first):
                if counts is None:
                    per_team += [None, None, None]
                else:
                    per_team += [plain(counts.edits), plain(counts.words), rate_cell(counts)]
            per_team += [text.first_editor, text.reviewer]
            texts += [text.final, text.first]
        else:
            per_team += [None] * 9
            texts += [None, None]
    is_open = choice.outcome is Outcome.OPEN
    return (
        str(set_of(record)),
        record.system,
        record.code,
        record.genre,
        record.kit,
        record.source_document,
        record.passage,
        record.manuscript,
        record.page,
        record.scribe,
        record.exposure,
        record.base,
        record.segment,
        record.scribe_error,
        record.missing,
        str(choice.outcome),
        None if choice.team is None else score.teams[choice.team].team,
        None if is_open else plain(choice.edits),
        None if is_open else plain(choice.words),
        rate(choice.rate, choice.outcome),
        choice.reason,
        None if other.team is None else score.teams[other.team].team,
        None if is_open else plain(other.edits),
        None if is_open else plain(other.words),
        rate(other.rate, other.outcome),
        None if is_open else choice.counts.insertions,
        None if is_open else choice.counts.deletions,
        None if is_open else choice.counts.substitutions,
        None if is_open else choice.counts.shifts,
        *per_team,
        record.output,
        record.reference,
        *texts,
    )


def preliminary_of(results: CampaignResults) -> tuple[str, ...]:
    """What is still missing, a sentence each; nothing where all is final."""
    told: list[str] = []
    groups = list(results.of(Breakdown.SYSTEM))
    if not groups:
        told.append("no kit has a system's output, so there is nothing to score")
    for group in groups:
        totals = group.all.of()
        whole = number_of(group.all.segments, "segment")
        who = f"{group.system} ({group.data_set})"
        one_team = f"{totals.preliminary:,} of {whole} with the final text of one team only"
        without = f"{totals.open:,} of {whole} without a final text, not in the sums"
        # Written out, so that the window knows the sentences again.
        if totals.preliminary and totals.open:
            told.append(f"{who}: {one_team}; {without}")
        elif totals.preliminary:
            told.append(f"{who}: {one_team}")
        elif totals.open:
            told.append(f"{who}: {without}")
    return tuple(told)


_RULES = (
    "For each segment the team whose final text gives the lower HTER counts; rates are compared "
    "unrounded.",
    "Equal rates are a tie: fewer edits, then the team listed first in the kit; a tie is credited "
    "to neither team.",
    "A rate of many segments is the sum of their edits over the sum of their words, never a mean "
    "of rates. Rates above 100 % are real and are not cut.",
    "An empty final text is never chosen over a text.",
    "Where the system gave no output the reference counts as the final text of every team: every "
    "word of it is a deletion.",
    "A segment with edits and no words counts in the sums; its own rate is shown as n/a.",
    "Control and progress sets are never part of a system's score.",
)


def campaign_report(
    results: CampaignResults,
    *,
    title: str,
    made: str,
    denominator: Denominator = Denominator.CHOSEN,
    signature: Callable[[Denominator], str],
    settings: Resampling,
    compared: bool = True,
    warnings: Sequence[str] = (),
    left_out: Sequence[str] = (),
    more_tables: Sequence[Table] = (),
    more_notes: Sequence[str] = (),
    intervals: Mapping[tuple[str, str], Interval] | None = None,
    verdict: Verdict | None = None,
) -> Report:
    """The HTER report of a campaign: tables over ``results``, which must stay open meanwhile.

    Args:
        results: from :func:`madcat_studio.reports.results.collect`; open while the report is used.
        title: the campaign's name.
        made: when, for people.
        denominator: whose words the main rates divide by; the other stands beside it.
        signature: the signature of the rates under a denominator.
        settings: how intervals within groups are made.
        compared: with tests within groups.
        warnings: what is to be told of the input.
        left_out: what of the campaign no figure counts: it makes the report preliminary.
        more_tables: of statistics, shown after the systems.
        more_notes: how those were made.
        intervals: (set, system) -> interval.
        verdict: what stands on top.
    """

    def table(
        name: str, heading: str, note: str, breakdown: Breakdown, *data_sets: DataSet
    ) -> Table:
        return _group_table(
            results, denominator, breakdown, data_sets, factors, name, heading, note
        )

    factors = results.factors(denominator, settings)
    systems = list(results.of(Breakdown.SYSTEM))
    tables = [] if verdict is None else [verdict.table()]
    tables += [
        table(
            "systems",
            "Systems",
            "Control and progress sets are left out; they are shown below.",
            Breakdown.SYSTEM,
            *(data_set for data_set in DataSet if data_set not in APART),
        )
    ]
    there = {group.data_set for group in systems}
    if DataSet.PROGRESS in there:
        tables.append(
            table(
                "progress-set",
                "Progress set",
                "Sequestered passages of the earlier phase with new output, apart from the scores.",
                Breakdown.SYSTEM,
                DataSet.PROGRESS,
            )
        )
    if DataSet.CONTROL in there:
        tables.append(
            table(
                "control-set",
                "Control set",
                "Old output edited again, to follow agreement and drift; no system's score.",
                Breakdown.SYSTEM,
                DataSet.CONTROL,
            )
        )
    tables.extend(more_tables)
    if compared:
        parts = [((), one) for one in results.sums.apart() if one[2] is DataSet.EVALUATION]
        within = within_groups(factors, parts, (), "HTER", "hter")
        tables += [] if within is None else [within]
    tables.extend(
        table(way.name, way.title, "", breakdown)
        for breakdown, way in WAYS.items()
        if way.keys and results.varies(breakdown)
    )
    tables.append(_teams_table(results, denominator))
    teams = results.most_teams
    tables.append(
        Table(
            "segments",
            "Segments",
            segment_columns(denominator, teams),
            _segment_rows(results, denominator, teams),
            long=True,
        )
    )
    missing = sum(group.missing for group in systems)
    told = list(warnings)
    if missing:
        told.append(
            f"{number_of(missing, 'segment')} missing from a system's output: counted as empty "
            "output; the column Missing of the segments' table tells which."
        )
    return Report(
        title=title,
        kind="HTER",
        made=made,
        track=next((track for _, track, _ in results.sums.apart()), ""),
        denominator=denominator,
        signatures={str(d): signature(d) for d in Denominator},
        hashes=results.hashes,
        preliminary=(*left_out, *preliminary_of(results)),
        notes=(*_RULES, *more_notes),
        warnings=tuple(told),
        tables=tuple(tables),
        results=results,
        intervals=intervals or {},
        verdict=verdict,
    )
