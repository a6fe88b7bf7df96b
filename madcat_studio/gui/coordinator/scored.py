"""A scored campaign as plain values that the window keeps: made in a worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice

from madcat_studio.operations.scores.line_pictures import handwriting_of
from madcat_studio.operations.scores.report import open_report, read_tracks
from madcat_studio.progress import Progress
from madcat_studio.reports.tables import Cell, Chart, Column
from madcat_studio.reports.verdict import Verdict
from madcat_ter.hter import Denominator

__all__ = ["MOST_ROWS", "DrawnReport", "ScoredCampaign", "ScoredTable", "score_campaign"]

MOST_ROWS = 200_000
"""More rows of one table are not held in the window; the exported CSV has them all."""


@dataclass(frozen=True, slots=True)
class ScoredTable:
    """One table; ``left_out`` says that it has more rows than :data:`MOST_ROWS`."""

    name: str
    title: str
    note: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    long: bool
    left_out: bool


@dataclass(frozen=True, slots=True)
class ScoredCampaign:
    """A report's tables and what its numbers depend on.

    Attributes:
        tracks: of the campaign; ``track``: the one that this is the report of.
    """

    title: str
    made: str
    denominator: Denominator
    signatures: Mapping[str, str]
    tracks: tuple[str, ...]
    track: str
    preliminary: tuple[str, ...]
    warnings: tuple[str, ...]
    tables: tuple[ScoredTable, ...]
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class DrawnReport:
    """What comes after the tables.

    Attributes:
        charts: the pictures.
        handwriting: (document, segment) -> a ``data:`` address, of the verdict's lines.
    """

    charts: tuple[Chart, ...]
    handwriting: Mapping[tuple[str, str], str]


def score_campaign(
    location: str,
    denominator: Denominator | None,
    track: str | None,
    progress: Progress,
    show: Callable[[ScoredCampaign], None],
) -> DrawnReport:
    """Score a track of a campaign, the first unless one is named.

    Its tables go to ``show`` before what is drawn is made and returned.

    Raises:
        StudioError: as :func:`~madcat_studio.operations.scores.report.open_report`.
        Cancelled: ``progress`` said so.
    """
    tracks = read_tracks(location)
    chosen = track if track in tracks else tracks[0]
    with open_report(
        location, track=chosen, denominator=denominator, pictures=False, progress=progress
    ) as (report, _):
        tables = []
        for table in report.tables:
            rows = tuple(islice(table.rows, MOST_ROWS + 1))
            tables.append(
                ScoredTable(
                    name=table.name,
                    title=table.title,
                    note=table.note,
                    columns=table.columns,
                    rows=rows[:MOST_ROWS],
                    long=table.long,
                    left_out=len(rows) > MOST_ROWS,
                )
            )
        show(
            ScoredCampaign(
                title=report.title,
                made=report.made,
                denominator=report.denominator,
                signatures=dict(report.signatures),
                tracks=tracks,
                track=chosen,
                preliminary=report.preliminary,
                warnings=report.warnings,
                tables=tuple(tables),
                verdict=report.verdict,
            )
        )
        lines = report.verdict.lines if report.verdict else ()
        handwriting = handwriting_of(location, [(one.document, one.segment) for one in lines])
        return DrawnReport(tuple(report.charts), handwriting)
