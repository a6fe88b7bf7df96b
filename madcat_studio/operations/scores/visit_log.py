"""What editing took, and the log of visits given out as files for research."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import chain, groupby
from pathlib import Path

from madcat_studio.formats.files import write_atomically
from madcat_studio.formats.translog import translog
from madcat_studio.model.visits import Visit
from madcat_studio.operations.checked import Outcome, counted
from madcat_studio.operations.scores.effort import efforts_by_pass, efforts_of
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.effort import IDLE_SECONDS, effort_table, segment_effort_table
from madcat_studio.reports.files import prepared_folder
from madcat_studio.reports.table import Table
from madcat_studio.reports.visit_log import write_log_csv, write_log_lines
from madcat_studio.store import Campaign, open_campaign

__all__ = ["LogFormat", "export_visits", "read_effort", "write_log"]

_STEP = 500


class LogFormat(StrEnum):
    """How the log is given out."""

    CSV = "csv"
    JSON_LINES = "jsonl"
    TRANSLOG = "translog"


def read_effort(
    where: str | Path,
    *,
    idle_seconds: float = IDLE_SECONDS,
    by_segment: bool = False,
    progress: Progress = SILENT,
) -> Table:
    """The effort by editor and pass, or segment by segment; without rows where none is recorded.

    Args:
        where: the campaign.
        idle_seconds: rests longer than this are no active time.
        by_segment: one row for each segment that an editor had.
        progress: may cancel.

    Raises:
        StudioError: the campaign cannot be read.
        Cancelled: ``progress`` said so.
    """
    with open_campaign(where, read_only=True) as campaign:
        if by_segment:
            efforts = efforts_of(campaign, idle_seconds, progress=progress)
            return segment_effort_table(efforts, idle_seconds)
        passes = efforts_by_pass(campaign, idle_seconds, progress=progress)
        return effort_table(passes, idle_seconds)


def export_visits(
    where: str | Path,
    target: Path,
    format_: LogFormat,
    *,
    practice: bool = False,
    progress: Progress = SILENT,
) -> Outcome:
    """Write the log of visits.

    Args:
        where: the campaign.
        target: the file; for Translog a folder, with a file for each segment that an editor had.
        format_: one event a line as CSV or JSON, or XML in the manner of Translog-II.
        practice: with practice kits.
        progress: may cancel.

    Raises:
        StudioError: the campaign cannot be read, or the file not be written.
        Cancelled: ``progress`` said so; no file is left half written.
    """
    with open_campaign(where, read_only=True) as campaign:
        visits = _watched(campaign, practice, progress)
        if format_ is LogFormat.TRANSLOG:
            with prepared_folder(target) as folder:
                files = _write_translogs(campaign, visits, folder)
            return Outcome((f"{target}: {counted(files, 'file')}",))
        write = write_log_csv if format_ is LogFormat.CSV else write_log_lines
        return Outcome((f"{target}: {counted(write(visits, target), 'event')}",))


def write_log(where: str | Path, path: Path, *, progress: Progress = SILENT) -> int:
    """Write the log as JSON lines, unless it is empty. Returns how many lines it has.

    Raises:
        StudioError: as :func:`export_visits`.
        Cancelled: as :func:`export_visits`.
    """
    with open_campaign(where, read_only=True) as campaign:
        visits = _watched(campaign, False, progress)
        first = next(visits, None)
        return 0 if first is None else write_log_lines(chain([first], visits), path)


def _watched(campaign: Campaign, practice: bool, progress: Progress) -> Iterator[Visit]:
    for done, (visit, _) in enumerate(campaign.visits.all(practice=practice)):
        if done % _STEP == 0:
            progress.advance(done, None, "Writing the log")
            if progress.cancelled():
                raise Cancelled
        yield visit


def _write_translogs(campaign: Campaign, visits: Iterable[Visit], folder: Path) -> int:
    references: dict[str, dict[str, str]] = {}
    files = 0
    for _, group in groupby(visits, key=_whose):
        found = list(group)
        one, name = found[0], found[0].segment
        if name.base not in references:
            segments = campaign.contents.segments(name.base)
            references = {name.base: {each.name: each.reference for each in segments}}
        files += 1
        # The number keeps apart what plain names make the same.
        plain = re.sub(r"[^\w.-]+", "_", f"{one.kit}.{one.team}.{one.pass_}.{one.editor}.{name}")
        data = translog(found, references[name.base].get(name.segment, ""))
        write_atomically(folder / f"{files:05}.{plain[:150]}.xml", data)
    return files


def _whose(visit: Visit) -> tuple[object, ...]:
    return visit.team, visit.editor, visit.pass_, visit.kit, visit.segment
