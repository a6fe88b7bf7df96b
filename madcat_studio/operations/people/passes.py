"""What a coordinator does while editing goes on: release, replace, dates, absences, look, move."""

from __future__ import annotations

import getpass
from collections.abc import Collection
from datetime import UTC, date, datetime, time

from madcat_studio.model.campaign import Flagged, Pass, PassState
from madcat_studio.operations.checked import Outcome, counted
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import AuditEntry, copy_campaign, open_campaign

__all__ = [
    "audit_trail",
    "copy",
    "end_of",
    "flags",
    "migrate",
    "release",
    "replace_editor",
    "set_absent",
    "set_due",
    "who",
]


def who() -> str:
    """What the audit trail calls whoever runs this program."""
    try:
        return getpass.getuser()
    except OSError:
        return "coordinator"


def release(where: str, kit: str, team: str, pass_: Pass, *, reason: str = "") -> Outcome:
    """End an editor's claim on a pass; what was written stays.

    Raises:
        StudioError: nobody holds it, or there is no such kit, team or pass.
    """
    with open_campaign(where) as campaign:
        # An editor's login to a server gives back its own claims only, and in its own name.
        by = campaign.editor or who()
        campaign.claims.release(kit, team, pass_, by=by, reason=reason)
    return Outcome((f"The {pass_} pass of kit {kit} for team {team} may be claimed again",))


def replace_editor(
    where: str, kit: str, team: str, pass_: Pass, editor: str, *, reason: str = ""
) -> Outcome:
    """Give a pass to another editor of the team.

    Raises:
        StudioError: the pass is finished, or the editor has another part in the kit.
    """
    with open_campaign(where) as campaign:
        campaign.claims.replace_editor(kit, team, pass_, editor, by=who(), reason=reason)
    return Outcome((f"{editor} has the {pass_} pass of kit {kit} for team {team}",))


def end_of(day: date) -> datetime:
    """The last moment of a day in local time: what is due on a day may be done all day long."""
    return datetime.combine(day, time(23, 59, 59)).astimezone(UTC)


def set_due(
    where: str,
    kits: Collection[str],
    due: datetime | None,
    *,
    passes: Collection[Pass] = tuple(Pass),
) -> Outcome:
    """Say when passes are due, for both teams of a kit; the board shows what is late.

    Args:
        where: the campaign.
        kits: their names; none: all kits.
        due: when; None: not any more.
        passes: one of them or both.

    Raises:
        StudioError: there is no such kit, or the campaign cannot be written.
    """
    with open_campaign(where) as campaign, campaign.transaction():
        names = list(kits) or [kit.name for kit in campaign.plans.kits()]
        changed = sum(campaign.schedule.set_due(names, one, due, by=who()) for one in passes)
    when = "without a date" if due is None else f"due by {due:%Y-%m-%d %H:%M} UTC"
    return Outcome((f"{counted(changed, 'pass', 'passes')} of kits now {when}",))


def set_absent(where: str, team: str, *, absent: bool = True, reason: str = "") -> Outcome:
    """Say that a team is away, so that nothing new is planned for it, or that it is back.

    What the team has already stays with it: the message says how much that is.

    Raises:
        StudioError: there is no such team, or the campaign cannot be written.
    """
    with open_campaign(where) as campaign:
        changed = campaign.schedule.set_absent(team, absent, by=who(), reason=reason)
        left = {
            one.kit
            for one in campaign.progress()
            if one.team == team and one.state is not PassState.HANDED_OVER
        }
    state = "away" if absent else "back"
    done = [f"Team {team} is {state}" + ("" if changed else ", as it was already")]
    if absent and left:
        done.append(
            f"It still has {counted(len(left), 'kit')}: plan those that nobody has claimed anew, "
            "or wait for its editors"
        )
    return Outcome(tuple(done))


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
        return Outcome((f"{campaign.where} holds all of it: {copied.rows} rows, compared",))


def flags(where: str) -> tuple[Flagged, ...]:
    """What editors said of segments, as it stands: kits in order.

    Raises:
        StudioError: the campaign cannot be opened.
    """
    with open_campaign(where, read_only=True) as campaign:
        return campaign.revisions.flagged()


def audit_trail(where: str, limit: int, *, by: str = "", about: str = "") -> tuple[AuditEntry, ...]:
    """Who did what, newest first.

    Args:
        where: the campaign.
        limit: how many entries at most.
        by: a person's; "": everybody's.
        about: words that action, subject or detail hold, whatever their case; "": everything.

    Raises:
        StudioError: the campaign cannot be opened.
    """
    with open_campaign(where, read_only=True) as campaign:
        return campaign.audit_trail(limit, who=by, about=about)
