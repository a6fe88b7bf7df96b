"""Scoring a campaign and writing its report: store, scoring and reports joined."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from madcat_studio.errors import InputError, StudioError, UsageError
from madcat_studio.garbage import uncollected
from madcat_studio.model.campaign import CampaignDocument, ScribeError, SegmentRecord
from madcat_studio.operations.scores.drift import own_earlier, own_finals, read_earlier
from madcat_studio.operations.scores.editing import editing_tables
from madcat_studio.operations.scores.hter_workers import HterWorkers
from madcat_studio.operations.scores.line_pictures import line_pictures
from madcat_studio.operations.scores.options import denominator_of, scoring_options
from madcat_studio.operations.scores.unseen import Blanks, Unseen, long_told
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.charts import CampaignCharts, file_of
from madcat_studio.reports.closer import CloserLook, go_through
from madcat_studio.reports.csv_tables import write_csv
from madcat_studio.reports.effort import IDLE_SECONDS
from madcat_studio.reports.files import prepare_folder, prepared_folder, replacing
from madcat_studio.reports.html import write_html
from madcat_studio.reports.json_report import write_json
from madcat_studio.reports.pdf import write_pdf
from madcat_studio.reports.ranking import ranking_of
from madcat_studio.reports.results import CampaignResults, collect
from madcat_studio.reports.sidebyside import side_by_side
from madcat_studio.reports.spreadsheet import MOST_ROWS, Picture, write_spreadsheet
from madcat_studio.reports.statistics import (
    Earlier,
    OwnMeasure,
    Statistics,
    campaign_statistics,
)
from madcat_studio.reports.tables import Report, Table, campaign_report, preliminary_of
from madcat_studio.reports.verdict import Verdict, verdict_of
from madcat_studio.scoring.resampling import Interval, Resampling
from madcat_ter.hter import Denominator, SegmentScore, score_segment, score_segments
from madcat_ter.options import TerOptions
from madcat_ter.signature import ter_signature

if TYPE_CHECKING:
    from madcat_studio.store import Campaign

__all__ = [
    "Format",
    "hter_signature",
    "open_report",
    "read_documents",
    "read_tracks",
    "report_records",
    "track_folder",
    "write_campaign_report",
    "write_report",
]

TIE_RULE = "fewer-edits,first-listed"
_STEP = 1000  # segments between two looks at whether the user wants to stop


class Format(StrEnum):
    """The forms of a report."""

    HTML = "html"
    XLSX = "xlsx"
    CSV = "csv"
    JSON = "json"
    SVG = "svg"
    PDF = "pdf"


def hter_signature(options: TerOptions, denominator: Denominator, hashes: Mapping[str, str]) -> str:
    """One line that tells all settings an HTER depends on, and what its input was."""
    extra: dict[str, object] = {"denominator": denominator, "tie": TIE_RULE}
    extra.update({f"sha256-{name}": digest[:16] for name, digest in hashes.items()})
    return "H" + ter_signature(options, 1, extra)


def _score_one(record: SegmentRecord, options: TerOptions) -> SegmentScore:
    """As many at once, but an error names its segment."""
    try:
        return score_segment(record.output, record.reference, record.teams, options)
    except StudioError as error:
        raise InputError(
            error.code,
            error.reason,
            where=f"{record.system}, {record.base}/{record.segment}",
            remedy=error.remedy,
        ) from error


@contextmanager
def report_records(
    records: Iterable[SegmentRecord],
    *,
    title: str,
    options: TerOptions = TerOptions(),
    denominator: Denominator = Denominator.CHOSEN,
    made: datetime | None = None,
    full: bool = True,
    verdict: bool = True,
    earlier: Sequence[Earlier] = (),
    finals: Sequence[OwnMeasure] = (),
    left_out: Sequence[str] = (),
    resampling: Resampling = Resampling(),
    more_tables: Sequence[Table] = (),
    total: int | None = None,
    many: HterWorkers | None = None,
    tell: Callable[[str], None] = lambda note: None,
    progress: Progress = SILENT,
) -> Iterator[Report]:
    """Score records and give their report, which lives as long as the ``with`` block.

    Args:
        records: one for each segment of each system's output, those of a document together.
        title: the campaign's name.
        options: of TER.
        denominator: whose words the main rates divide by.
        made: when the report is made; now by default.
        full: with statistics, which take longer than the scores.
        verdict: with the verdict; it goes through the segments once more.
        earlier: what an earlier phase measured, for progress, and for drift without ``finals``.
        finals: what each of an earlier phase's teams made of the control set, for drift.
        left_out: what of the campaign no record counts, in sentences.
        resampling: how intervals are made.
        more_tables: of other things, such as effort, shown after the statistics.
        total: how many records there are, for ``progress``.
        many: workers that score and resample; this process without.
        tell: is told of segments that may take long, before they are scored.
        progress: may cancel.

    Raises:
        PartsFailed: workers could not score all of them.
        InputError: a text that cannot be scored; the message names its segment.
        Cancelled: ``progress`` said so.
    """
    blanks, unseen = Blanks(), Unseen(options)

    def look(block: Sequence[SegmentRecord]) -> None:
        for record in block:
            blanks.look(record)
            unseen.look(record)

    def score(block: Sequence[SegmentRecord]) -> list[SegmentScore]:
        look(block)
        try:
            return score_segments([(r.output, r.reference, r.teams) for r in block], options)
        except StudioError:
            return [_score_one(record, options) for record in block]

    through = None
    if many is not None:
        through, resampling = many.scored(options, look), many.resampling(resampling)
    records = long_told(records, options, tell)
    with collect(records, score, through=through, total=total, progress=progress) as results:
        results.rank(denominator)
        made = datetime.now(UTC) if made is None else made.astimezone(UTC)
        answer = (
            _answered(results, denominator, options, (earlier, finals), resampling, full, progress)
            if verdict
            else _Answer()
        ).leaving_out(left_out)
        statistics = answer.statistics
        report = campaign_report(
            results,
            title=title,
            made=f"{made:%Y-%m-%d %H:%M} UTC",
            denominator=denominator,
            signature=lambda d: hter_signature(options, d, results.hashes),
            warnings=[*blanks.warnings(), *unseen.warnings()],
            left_out=left_out,
            settings=resampling,
            compared=full,
            more_tables=(*answer.tables, *more_tables),
            more_notes=statistics.notes if statistics else (),
            intervals=answer.intervals,
            verdict=answer.verdict,
        )
        if statistics:
            report = replace(report, charts=CampaignCharts(report, statistics))
        yield report


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is said of a campaign's numbers beside the numbers."""

    verdict: Verdict | None = None
    statistics: Statistics | None = None
    intervals: Mapping[tuple[str, str], Interval] = field(default_factory=dict)
    tables: tuple[Table, ...] = ()

    def leaving_out(self, left_out: Sequence[str]) -> _Answer:
        """The same, and the verdict says what it does not count."""
        if self.verdict is None:
            return self
        told = (*left_out, *self.verdict.preliminary)
        return replace(self, verdict=replace(self.verdict, preliminary=told))


def _answered(
    results: CampaignResults,
    denominator: Denominator,
    options: TerOptions,
    earlier: tuple[Sequence[Earlier], Sequence[OwnMeasure]],
    resampling: Resampling,
    full: bool,
    progress: Progress,
) -> _Answer:
    """The verdict; with ``full`` the statistics too."""
    ranking = ranking_of(results, denominator, resampling)
    outputs = len(results.segments)
    with CloserLook(options, outputs, len(results.codes)) as closer:
        if full:
            statistics = campaign_statistics(
                results,
                denominator,
                options,
                ranking,
                closer,
                earlier=earlier[0],
                finals=earlier[1],
                settings=resampling,
                progress=progress,
            )
        else:
            statistics = None
            go_through(results, denominator, (closer,), progress, "Looking at segments")
        verdict = verdict_of(
            results, denominator, options, ranking, closer, resampling, preliminary_of(results)
        )
        tables = [verdict.weak_points_table()] if verdict.weak_points else []
        tables += side_by_side(results, denominator, closer, ranking.pairs)
    more = statistics.tables if statistics else ()
    first = len(ranking.tables)
    return _Answer(verdict, statistics, ranking.intervals, (*more[:first], *tables, *more[first:]))


def write_report(
    report: Report,
    folder: Path,
    formats: Sequence[Format],
    options: TerOptions,
    *,
    bom: bool = True,
    semicolons: bool = False,
    most_rows: int = MOST_ROWS,
    progress: Progress = SILENT,
) -> list[Path]:
    """Write a report into a folder (made if need be) and return the files.

    Each file is written whole or not at all. CSV makes one file for each table, with
    ``semicolons`` and decimal commas where a spreadsheet wants them.

    Raises:
        WorldError: ``report.folder-not-writable``, ``report.cannot-write``.
        Cancelled: ``progress`` said so; the files written before stay.
    """
    prepare_folder(folder)
    name = report.kind.lower()
    files: list[Path] = []
    segments = report.results.segments
    try:
        for number, form in enumerate(formats):

            def watch(done: int, number: int = number, form: Format = form) -> None:
                progress.advance(
                    number * len(segments) + done,
                    len(formats) * len(segments),
                    f"Writing {form.upper()}",
                )
                if progress.cancelled():
                    raise Cancelled

            segments.watch = watch
            target = folder / f"{name}.{form}"
            match form:
                case Format.HTML:
                    with uncollected():
                        files += write_html(report, target, options)
                case Format.XLSX:
                    pictures = _in_workbook(report)
                    with uncollected():
                        write_spreadsheet(report, target, most_rows=most_rows, pictures=pictures)
                    files.append(target)
                case Format.JSON:
                    with uncollected():
                        write_json(report, target)
                    files.append(target)
                case Format.PDF:
                    write_pdf(report, target)
                    files.append(target)
                case Format.SVG:
                    for chart in report.charts:
                        target = folder / f"{chart.name}.svg"
                        with replacing(target) as beside:
                            beside.write_bytes(file_of(chart))
                        files.append(target)
                case Format.CSV:
                    with uncollected():
                        for table in (report.about(), *report.tables):
                            target = folder / f"{table.name}.csv"
                            write_csv(table, target, bom=bom, semicolons=semicolons)
                            files.append(target)
    finally:
        segments.watch = None
    progress.advance(len(formats) * len(segments), len(formats) * len(segments), "Written")
    return files


def _in_workbook(report: Report) -> dict[str, dict[int, Picture]]:
    """The handwriting beside the verdict's lines."""
    if report.verdict is None:
        return {}
    found: dict[int, Picture] = {}
    for row, line in report.verdict.line_rows().items():
        address = report.pictures.get((line.document, line.segment))
        if address is not None:
            png = base64.b64decode(address.partition(",")[2])
            found[row] = Picture(png, f"Handwriting of {line.document}/{line.segment}")
    return {"verdict": found}


def read_tracks(campaign: str | Path) -> tuple[str, ...]:
    """The tracks that kits of a campaign are of, in the order of kits; one without kits has "".

    Raises:
        StudioError: no campaign there, damaged, newer, server away.
    """
    from madcat_studio.store import open_campaign

    with open_campaign(campaign, read_only=True) as opened:
        return _tracks(opened.plans.tracks())


def _tracks(of_kits: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(of_kits.values())) or ("",)


def _chosen_track(tracks: Sequence[str], track: str | None) -> str:
    """The track to report on: nothing is summed over two, so of several one must be named."""
    named = ", ".join(one or "(without a name)" for one in tracks)
    if track is None and len(tracks) > 1:
        raise UsageError(
            "report.several-tracks",
            f"The campaign has the tracks {named}, and they are never summed together",
            remedy="Name one of them",
        )
    if track is not None and track not in tracks:
        raise UsageError(
            "report.no-track",
            f"No kit of the campaign is in the track {track!r}",
            remedy=f"There is: {named}",
        )
    return tracks[0] if track is None else track


@contextmanager
def open_report(
    campaign: str | Path | Campaign,
    *,
    track: str | None = None,
    denominator: Denominator | None = None,
    full: bool = True,
    verdict: bool = True,
    pictures: bool = True,
    earlier: Path | None = None,
    resampling: Resampling = Resampling(),
    idle_seconds: float = IDLE_SECONDS,
    many: HterWorkers | None = None,
    tell: Callable[[str], None] = lambda note: None,
    progress: Progress = SILENT,
) -> Iterator[tuple[Report, TerOptions]]:
    """Open a campaign, score it, and give its report and the options it was scored with.

    Args:
        campaign: its folder or URL, or one that is open already, and stays so; it is only read.
        track: which; need not be named where there is one only.
        denominator: by default the campaign's own (option ``scoring.denominator``), else the
            words of the chosen final text.
        full: with statistics; ``verdict``: with the verdict, which they need.
        pictures: with those of lines; tables alone are there much sooner.
        earlier: a table of what an earlier phase measured (docs/files.md), for progress and
            drift; by default what the campaign itself holds of one, with its teams' texts.
        resampling: how intervals are made.
        idle_seconds: of editors' time, rests longer than this are left out of what is active.
        many: workers that score and resample; this process without.
        tell: is told of segments that may take long, before they are scored.
        progress: may cancel.

    Raises:
        UsageError: ``report.several-tracks``, ``report.no-track``.
        StudioError: no campaign there, damaged, newer, server away; a text that cannot be scored.
    """
    from madcat_studio.store import open_campaign

    with ExitStack() as stack:
        opened = (
            stack.enter_context(open_campaign(campaign, read_only=True))
            if isinstance(campaign, str | Path)
            else campaign
        )
        with uncollected():
            of_kits = opened.plans.tracks()
            tracks = _tracks(of_kits)
            chosen = _chosen_track(tracks, track)
            kits = frozenset(kit for kit, own in of_kits.items() if own == chosen)
            settings = opened.options()
            options = scoring_options(settings)
            if full:
                more = editing_tables(opened, options, kits, idle_seconds, progress=progress)
            else:
                more = []
            report = stack.enter_context(
                report_records(
                    (record for record in opened.segment_records() if record.kit in kits),
                    title=f"{opened.name}, {chosen}" if len(tracks) > 1 else opened.name,
                    options=options,
                    denominator=denominator or denominator_of(settings),
                    full=full,
                    verdict=verdict,
                    earlier=read_earlier(earlier) if earlier else own_earlier(opened),
                    finals=own_finals(opened, options) if full and not earlier else (),
                    left_out=opened.left_out(),
                    resampling=resampling,
                    more_tables=more,
                    many=many,
                    tell=tell,
                    progress=progress,
                )
            )
            if full and pictures:
                report = replace(report, pictures=line_pictures(opened, _listed(report)))
        yield report, options


def track_folder(track: str) -> str:
    """What the folder of a track is called."""
    return re.sub(r"[^\w.-]+", "-", track).strip("-.") or "without-a-track"


def read_documents(
    campaign: str | Path,
) -> tuple[tuple[CampaignDocument, ...], tuple[ScribeError, ...]]:
    """What a campaign knows of its documents.

    Raises:
        StudioError: no campaign there, damaged, newer, server away.
    """
    from madcat_studio.store import open_campaign

    with open_campaign(campaign, read_only=True) as opened:
        return opened.contents.documents(), opened.contents.scribe_errors()


def _listed(report: Report) -> Iterator[tuple[str, str]]:
    """Document and segment of the worst and the best, and of the verdict's lines."""
    if report.verdict is not None:
        yield from ((line.document, line.segment) for line in report.verdict.lines)
    for table in report.tables:
        if table.name in ("worst-segments", "best-segments"):
            for row in table.records():
                yield str(row["document"]), str(row["segment"])


def write_campaign_report(
    campaign: str | Path,
    folder: Path,
    *,
    track: str | None = None,
    formats: Sequence[Format] = (Format.HTML, Format.XLSX, Format.CSV),
    denominator: Denominator | None = None,
    earlier: Path | None = None,
    resampling: Resampling = Resampling(),
    idle_seconds: float = IDLE_SECONDS,
    bom: bool = True,
    semicolons: bool = False,
    most_rows: int = MOST_ROWS,
    many: HterWorkers | None = None,
    tell: Callable[[str], None] = lambda note: None,
    progress: Progress = SILENT,
) -> tuple[list[Path], tuple[str, ...]]:
    """Score a campaign and write its report: the files, and what makes it preliminary.

    Of several tracks each gets a report of its own, in a folder of its own, unless one is named.

    Raises:
        StudioError: as :func:`open_report` and :func:`write_report`.
    """
    tracks = read_tracks(campaign) if track is None else (track,)
    if len(tracks) > 1:
        files: list[Path] = []
        preliminary: list[str] = []
        for one in tracks:
            made, told = write_campaign_report(
                campaign,
                folder / track_folder(one),
                track=one,
                formats=formats,
                denominator=denominator,
                earlier=earlier,
                resampling=resampling,
                idle_seconds=idle_seconds,
                bom=bom,
                semicolons=semicolons,
                most_rows=most_rows,
                many=many,
                tell=tell,
                progress=progress,
            )
            files += made
            preliminary += [f"{one or 'without a track'}: {sentence}" for sentence in told]
        return files, tuple(preliminary)
    with (
        prepared_folder(folder),
        open_report(
            campaign,
            track=track,
            denominator=denominator,
            earlier=earlier,
            resampling=resampling,
            idle_seconds=idle_seconds,
            many=many,
            tell=tell,
            progress=progress,
        ) as (report, options),
    ):
        files = write_report(
            *(report, folder, formats, options),
            bom=bom,
            semicolons=semicolons,
            most_rows=most_rows,
            progress=progress,
        )
        return files, report.preliminary
