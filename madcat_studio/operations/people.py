"""What a coordinator does while editing goes on: release, replace, look, bring up to date, move."""

from __future__ import annotations

import getpass

from madcat_studio.errors import UsageError
from madcat_studio.model.campaign import Flagged, Pass
from madcat_studio.operations.checked import Outcome
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import AuditEntry, copy_campaign, open_campaign

__all__ = ["audit_trail", "copy", "flags", "migrate", "release", "replace_editor"]


def _pass(name: str) -> Pass:
    try:
        return Pass(name)
    except ValueError:
        raise UsageError(
            "campaign.pass", f"There is no pass {name!r}", remedy="Write first or review"
        ) from None


def _who() -> str:
    try:
        return getpass.getuser()
    except OSError:
        return "coordinator"


def release(where: str, kit: str, team: str, pass_: str, *, reason: str = "") -> Outcome:
    """End an editor's claim on a pass; what was written stays.

    Raises:
        StudioError: nobody holds it, or there is no such kit, team or pass.
    """
    with open_campaign(where) as campaign:
        campaign.claims.release(kit, team, _pass(pass_), by=_who(), reason=reason)
    return Outcome((f"The {pass_} pass of kit {kit} for team {team} may be claimed again",))


def replace_editor(
    where: str, kit: str, team: str, pass_: str, editor: str, *, reason: str = ""
) -> Outcome:
    """Give a pass to another editor of the team.

    Raises:
        StudioError: the pass is finished, or the editor has another part in the kit.
    """
    with open_campaign(where) as campaign:
        campaign.claims.replace_editor(kit, team, _pass(pass_), editor, by=_who(), reason=reason)
    return Outcome((f"{editor} has the {pass_} pass of kit {kit} for team {team}",))


def migrate(where: str) -> Outcome:
    """Bring the tables of an older campaign up to date.

    Raises:
        StudioError: damaged, newer, or it cannot be written.
    """
    with open_campaign(where, migrate=True) as campaign:
        backup = campaign.backup
        where_now = campaign.where
    if backup is None:
        return Outcome((f"{where_now} is up to date",))
    return Outcome((f"{where_now} was brought up to date; what it was is in {backup}",))


def copy(where: str, target: str, *, progress: Progress = SILENT) -> Outcome:
    """Copy a campaign into an empty folder or database, every text and identifier kept.

    Raises:
        StudioError: one of the two cannot be used.
        Cancelled: the user stopped it; nothing was written.
    """
    copied = copy_campaign(where, target, progress=progress)
    with open_campaign(target, read_only=True) as campaign:
        return Outcome((f"{campaign.where} holds all of it: {copied} rows",))


def flags(where: str) -> tuple[Flagged, ...]:
    """What editors said of segments, as it stands: kits in order.

    Raises:
        StudioError: the campaign cannot be opened.
    """
    with open_campaign(where, read_only=True) as campaign:
        return campaign.revisions.flagged()


def audit_trail(where: str, limit: int) -> tuple[AuditEntry, ...]:
    """Who did what, newest first.

    Raises:
        StudioError: the campaign cannot be opened.
    """
    with open_campaign(where, read_only=True) as campaign:
        return campaign.audit_trail(limit)
