"""Following a campaign: which teams meet, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from pathlib import Path

from madcat_studio.model.campaign import Pass, PassState
from madcat_studio.model.control import set_of
from madcat_studio.operations.scores.report import open_report, read_tracks
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.csv_tables import write_csv
from madcat_studio.reports.files import prepare_folder
from madcat_studio.reports.results import ScoredSegment
from madcat_studio.reports.tables import NOT_A_RATE, Cell, CellKind, Column, Table, plain
from madcat_studio.store import open_campaign
from madcat_ter.hter import Counts, Stage

__all__ = [
    "AgreementSoFar",
    "Overlap",
    "read_agreement",
    "read_overlap",
    "write_agreement",
]


# -- which teams meet -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Overlap:
    """What pairs of teams share: matrices of teams by teams, the diagonal a team's own sum.

    Attributes:
        teams: in order.
        kits: kits that both edit; ``words``: their reference words.
        finished: of these kits, those of which both reviews are handed over.
        connected: whether every team is compared with every other, at least over others.
    """

    teams: tuple[str, ...]
    kits: tuple[tuple[int, ...], ...]
    words: tuple[tuple[int, ...], ...]
    finished: tuple[tuple[int, ...], ...]
    connected: bool

    @property
    def most(self) -> int:
        """The most kits that any two teams share."""
        return max(
            (row[place] for number, row in enumerate(self.kits) for place in range(number)),
            default=0,
        )


def read_overlap(where: str) -> Overlap:
    """Which teams share how many kits, by plan and so far; practice kits are left out.

    Raises:
        StudioError: the campaign cannot be read.
    """
    from madcat_studio.planning.pairs import components

    with open_campaign(where, read_only=True) as campaign:
        teams = [team.name for team in campaign.plans.teams()]
        passes = campaign.progress()
    number = {team: place for place, team in enumerate(teams)}
    kits, words, finished = ([[0] * len(teams) for _ in teams] for _ in range(3))
    pairs = set()
    for _, of_kit in groupby(passes, lambda one: one.kit):
        reviews = [one for one in of_kit if one.pass_ is Pass.REVIEW and not one.practice]
        cells = [(one, one) for one in reviews]
        for one, other in combinations(reviews, 2):
            cells += [(one, other), (other, one)]
            pairs.add((number[one.team], number[other.team]))
        for one, other in cells:
            row, column = number[one.team], number[other.team]
            kits[row][column] += 1
            words[row][column] += one.words
            finished[row][column] += (
                one.state is PassState.HANDED_OVER and other.state is PassState.HANDED_OVER
            )
    return Overlap(
        tuple(teams),
        tuple(map(tuple, kits)),
        tuple(map(tuple, words)),
        tuple(map(tuple, finished)),
        bool(teams) and components(len(teams), list(pairs)) == 1,
    )


# -- how far they agree -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AgreementSoFar:
    """What teams made of the same segments, as far as they are.

    Attributes:
        summary: the report's table of agreement: each pair of teams, and all pairs.
        raw: each segment that two teams edited, with both teams' edits, words and HTER.
        segments: how many segments are in a kit; ``compared``: of how many both finals are there.
    """

    summary: Table
    raw: Table
    segments: int
    compared: int


_RAW = (
    Column("stage", "Stage"),
    Column("set", "Set"),
    Column("kit", "Kit"),
    Column("system", "System"),
    Column("document", "Document"),
    Column("segment", "Segment"),
    Column("first", "Team"),
    Column("first_editor", "Editor"),
    Column("first_edits", "Edits", CellKind.COUNT),
    Column("first_words", "Words", CellKind.COUNT),
    Column("first_hter", "HTER", CellKind.RATE),
    Column("second", "Against"),
    Column("second_editor", "Editor, against"),
    Column("second_edits", "Edits, against", CellKind.COUNT),
    Column("second_words", "Words, against", CellKind.COUNT),
    Column("second_hter", "HTER, against", CellKind.RATE),
    Column("difference", "Difference", CellKind.RATE, "of HTER, first minus second"),
    Column("same", "Same text", CellKind.FLAG),
)


def read_agreement(where: str | Path, *, progress: Progress = SILENT) -> AgreementSoFar:
    """How far teams agree on what both have finished.

    Raises:
        StudioError: the campaign cannot be read, or a text cannot be scored.
        Cancelled: ``progress`` said so.
    """
    tracks = read_tracks(where)
    summaries: list[Table] = []
    rows: list[tuple[Cell, ...]] = []
    count = 0
    for track in tracks:
        with open_report(where, track=track, pictures=False, progress=progress) as (report, _):
            segments = report.results.segments
            count += len(segments)
            found = report.table("agreement")
            rows += [
                _with_track(row, track, tracks) for scored in segments for row in _raw_rows(scored)
            ]
            summaries.append(replace(found, rows=[*map(tuple, found.rows)]))
    note = (
        "Each team against its own words. Segments without output are left out, and what is "
        "not handed over yet."
    )
    columns = _RAW if len(tracks) == 1 else (_TRACK, *_RAW)
    final = 0 if len(tracks) == 1 else 1
    return AgreementSoFar(
        summary=_of_tracks(summaries, tracks),
        raw=Table("agreement-raw", "Agreement, segment by segment", columns, rows, note, long=True),
        segments=count,
        compared=sum(row[final] == "final" for row in rows),
    )


_TRACK = Column("track", "Track", note="nothing is summed over two tracks")


def _with_track(row: tuple[Cell, ...], track: str, tracks: Sequence[str]) -> tuple[Cell, ...]:
    return row if len(tracks) == 1 else (track, *row)


def _of_tracks(tables: Sequence[Table], tracks: Sequence[str]) -> Table:
    """The tables of all tracks as one; of a single track as it is."""
    if len(tables) == 1:
        return tables[0]
    rows = [
        (track, *row) for track, table in zip(tracks, tables, strict=True) for row in table.rows
    ]
    return replace(tables[0], columns=(_TRACK, *tables[0].columns), rows=rows)


def _raw_rows(scored: ScoredSegment) -> Iterator[tuple[Cell, ...]]:
    record, score = scored.record, scored.score
    if score.no_output is not None:
        return
    order = sorted(range(len(score.teams)), key=lambda index: score.teams[index].team)
    for stage in Stage:
        for pair in combinations(order, 2):
            counts = [score.teams[index].counts(stage) for index in pair]
            if counts[0] is None or counts[1] is None:
                continue
            final = stage is Stage.FINAL
            texts = [record.teams[index] for index in pair]
            made = [one.final if final else one.first for one in texts]
            people = [one.reviewer if final else one.first_editor for one in texts]
            sides: list[Cell] = []
            for text, person, own in zip(texts, people, counts, strict=True):
                assert own is not None
                sides += [text.team, person, *_numbers(own)]
            one, other = counts[0].rate, counts[1].rate
            yield (
                "final" if final else "first pass",
                str(set_of(record)),
                record.kit,
                record.system,
                record.base,
                record.segment,
                *sides,
                None if one is None or other is None else one - other,
                made[0] == made[1],
            )


def _numbers(counts: Counts) -> tuple[Cell, Cell, Cell]:
    rate = counts.rate
    return plain(counts.edits), plain(counts.words), NOT_A_RATE if rate is None else rate


def write_agreement(found: AgreementSoFar, folder: Path) -> tuple[Path, ...]:
    """Write both tables as CSV into a folder (made if need be).

    Raises:
        WorldError: it cannot be written.
    """
    prepare_folder(folder)
    files = []
    for table in (found.summary, found.raw):
        path = folder / f"{table.name}.csv"
        write_csv(table, path)
        files.append(path)
    return tuple(files)
