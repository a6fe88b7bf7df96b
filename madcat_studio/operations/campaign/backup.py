"""A campaign as one file to keep, and a campaign from such a file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from madcat_studio.operations.checked import Outcome, counted
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import open_campaign
from madcat_studio.store.backup import BACKUP_SUFFIX, BackupFacts
from madcat_studio.store.backup import back_up as write_backup
from madcat_studio.store.backup import restore as read_back

__all__ = ["back_up", "restore"]


def back_up(where: str, target: Path, *, progress: Progress = SILENT) -> Outcome:
    """Write a backup of a campaign and compare it with the campaign.

    Args:
        where: the campaign.
        target: the file, or a folder in which it is named by campaign and time.
        progress: told how far it is.

    Raises:
        StudioError: the campaign cannot be read as a whole, or the file not be written.
        Cancelled: nothing was written.
    """
    path = target
    if target.is_dir():
        with open_campaign(where, read_only=True) as campaign:
            name = "".join(one if one.isalnum() or one in "-_" else "_" for one in campaign.name)
        path = target / f"{name}.{datetime.now(UTC):%Y%m%dT%H%M%SZ}{BACKUP_SUFFIX}"
    facts = write_backup(where, path, progress=progress)
    size = path.stat().st_size / (1 << 20)
    return Outcome((f"{path}: {_told(facts)}, {size:.1f} MiB, verified",))


def restore(path: Path, target: str, *, progress: Progress = SILENT) -> Outcome:
    """Make a campaign of a backup, where there is none.

    Args:
        path: the backup.
        target: a folder without a campaign, or the address of an empty database.
        progress: told how far it is.

    Raises:
        StudioError: damaged, there is something already, or it cannot be written.
        Cancelled: nothing was written.
    """
    facts = read_back(path, target, progress=progress)
    with open_campaign(target, read_only=True, for_editor=True) as campaign:
        return Outcome(
            (
                f"{campaign.where}: {_told(facts)}, verified; the backup is from "
                f"{facts.at:%Y-%m-%d %H:%M} UTC",
            )
        )


def _told(facts: BackupFacts) -> str:
    texts = counted(facts.tables.get("revisions", 0), "text")
    return f"campaign {facts.name} with {facts.rows} rows, {texts}"
