"""What a coordinator does about passes while editing goes on: release, replace, dates, absences."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime, time

from madcat_studio.errors import UsageError
from madcat_studio.model.campaign import Pass, PassState
from madcat_studio.operations.checked import Outcome, counted
from madcat_studio.operations.user import who
from madcat_studio.store import open_campaign

__all__ = [
    "end_of",
    "local_moment",
    "release",
    "replace_editor",
    "set_absent",
    "set_due",
]


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


_FIRST_YEAR, _LAST_YEAR = 1971, 2199
"""Within what a campaign keeps, in every zone."""


def end_of(day: date) -> datetime:
    """The last moment of a day in local time: what is due on a day may be done all day long.

    Raises:
        UsageError: ``campaign.due-year``, ``campaign.due-clock``.
    """
    return local_moment(datetime.combine(day, time(23, 59, 59)))


def local_moment(moment: datetime) -> datetime:
    """A moment in UTC; without a zone it is one of the local clock.

    Raises:
        UsageError: ``campaign.due-year``: in a year that cannot be meant; ``campaign.due-clock``:
            the local clock leaves this moment out, or shows it twice.
    """
    if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        raise UsageError(
            "campaign.due-year",
            f"A date in the year {moment.year} is probably a mistake",
            remedy=f"Write a year from {_FIRST_YEAR} to {_LAST_YEAR}, or none for no date",
        )
    if moment.tzinfo is not None:
        return moment.astimezone(UTC)
    first, second = (moment.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    if first != second:
        # At the change to summer time an hour is left out, and at its end one comes twice.
        twice = first.astimezone().replace(tzinfo=None) == moment
        shown = "shows this time twice" if twice else "skips this time"
        raise UsageError(
            "campaign.due-clock",
            f"On {moment:%Y-%m-%d} the local clock {shown}: {moment:%H:%M}",
            remedy="Write it with its distance from UTC, as in 2048-03-01T17:00+01:00",
        )
    return first


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
        changed = campaign.schedule.set_due(names, passes, due, by=who())
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
    done = [f"Team {team} is {state}" + ("" if changed else ", as before")]
    if absent and left:
        done.append(
            f"It still has {counted(len(left), 'kit')}: plan the unclaimed ones again, or "
            "wait for its editors"
        )
    return Outcome(tuple(done))
