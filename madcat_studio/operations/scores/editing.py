"""The tables of a report that tell how it was edited: effort, and avoidable edits."""

from __future__ import annotations

from collections.abc import Collection

from madcat_studio.operations.scores.avoidable import avoidable_of
from madcat_studio.operations.scores.effort import efforts_by_pass
from madcat_studio.operations.scores.options import COACH_OPTION
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.avoidable import avoidable_table
from madcat_studio.reports.effort import effort_table
from madcat_studio.reports.table import Table
from madcat_studio.store import Campaign
from madcat_ter.options import TerOptions

__all__ = ["editing_tables"]


def editing_tables(
    campaign: Campaign,
    options: TerOptions,
    kits: Collection[str],
    idle_seconds: float,
    *,
    progress: Progress = SILENT,
) -> list[Table]:
    """Effort, if any was recorded, and avoidable edits, where the campaign has the coach.

    Args:
        campaign: with its texts, and the log of visits.
        options: how the campaign counts edits.
        kits: of which; those of a track.
        idle_seconds: rests longer than this are no active time.
        progress: may cancel.

    Raises:
        Cancelled: ``progress`` said so.
    """
    efforts = efforts_by_pass(campaign, idle_seconds, kits, progress=progress)
    tables = [effort_table(efforts, idle_seconds)]
    if campaign.options().get(COACH_OPTION) is True:
        tables.append(avoidable_table(avoidable_of(campaign, options, kits, progress=progress)))
    return [table for table in tables if table.rows]
