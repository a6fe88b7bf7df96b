"""A campaign as files with which others get the same numbers."""

from __future__ import annotations

from pathlib import Path

from madcat_studio.operations.scores.report import open_report, read_tracks, track_folder
from madcat_studio.operations.scores.visit_log import write_log
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.files import prepared_folder
from madcat_studio.reports.tercom_output import Evidence, write_evidence

__all__ = ["write_campaign_evidence"]

_LOG = "visits.jsonl"


def write_campaign_evidence(
    campaign: str | Path,
    folder: Path,
    *,
    track: str | None = None,
    progress: Progress = SILENT,
) -> Evidence:
    """Write a campaign as files with which tercom itself gives the same numbers.

    Of several tracks each gets a folder of its own, unless one is named. With the log of visits,
    where there is one: from it come the report's figures of effort.

    Raises:
        StudioError: as :func:`open_report` and :func:`write_report`.
        Cancelled: ``progress`` said so; nothing was written.
    """
    tracks = read_tracks(campaign) if track is None else (track,)
    if len(tracks) > 1:
        whole = Evidence()
        for one in tracks:
            part = write_campaign_evidence(
                campaign, folder / track_folder(one), track=one, progress=progress
            )
            whole.files += part.files
            whole.preliminary = (*whole.preliminary, *part.preliminary)
            whole.events = max(whole.events, part.events)
        return whole
    with (
        prepared_folder(folder),
        open_report(campaign, track=track, full=False, verdict=False, progress=progress) as (
            report,
            options,
        ),
    ):
        segments = report.results.segments

        def watch(done: int) -> None:
            progress.advance(done, len(segments), "Writing files")
            if progress.cancelled():
                raise Cancelled

        segments.watch = watch
        evidence = write_evidence(report.results, folder, options, report.preliminary)
        evidence.events = write_log(campaign, folder / _LOG, progress=progress)
        if evidence.events:
            evidence.files.append(folder / _LOG)
        return evidence
