"""A campaign as a whole: brought up to date, or copied to another place."""

from __future__ import annotations

from madcat_studio.operations.checked import Outcome
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import copy_campaign, open_campaign

__all__ = ["copy", "migrate"]


def migrate(where: str) -> Outcome:
    """Bring the tables of an older campaign up to date.

    Raises:
        StudioError: damaged, newer, or it cannot be written.
    """
    with open_campaign(where, migrate=True, for_editor=True) as campaign:
        backup = campaign.backup
        where_now = campaign.where
    if backup is None:
        return Outcome((f"{where_now} is up to date",))
    return Outcome((f"{where_now} was brought up to date; the old state is in {backup}",))


def copy(where: str, target: str, *, progress: Progress = SILENT) -> Outcome:
    """Copy a campaign into an empty folder or database, every text and identifier kept.

    Raises:
        StudioError: one of the two cannot be used.
        Cancelled: the user stopped it; nothing was written.
    """
    copied = copy_campaign(where, target, progress=progress)
    with open_campaign(target, read_only=True) as campaign:
        return Outcome((f"{campaign.where} holds all of it: {copied.rows} rows, verified",))
