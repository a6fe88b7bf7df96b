"""The calendar of a campaign and its tracks: shown, set, and what may be given out by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from madcat_studio.errors import UsageError
from madcat_studio.model.calendar import NO_CALENDAR, Calendar, Date, option_of
from madcat_studio.model.campaign import DataSet
from madcat_studio.store import Campaign, open_campaign
from madcat_studio.store.dates import known_track

if TYPE_CHECKING:
    from madcat_studio.operations.pages.derive import Release

__all__ = [
    "Calendars",
    "calendars_of",
    "countdown",
    "countdowns",
    "due_calendar",
    "in_words",
    "read_calendar",
    "read_calendars",
    "release_of",
    "set_calendars",
    "set_dates",
]

Dates = Mapping[Date, datetime | None]


@dataclass(frozen=True, slots=True)
class Calendars:
    """The calendar of a campaign, and those by which its tracks go.

    Attributes:
        campaign: its own dates.
        own: the dates that each track has for itself, of all that pages are of.
    """

    campaign: Calendar = NO_CALENDAR
    own: Mapping[str, Calendar] = field(default_factory=dict)

    def of(self, track: str) -> Calendar:
        """What a track goes by: its own dates, else the campaign's; "": the campaign itself."""
        return self.own.get(track, NO_CALENDAR).over(self.campaign)

    def next_of_each(self, now: datetime) -> list[tuple[str, Calendar]]:
        """Whose next dates are to be told: the campaign's (""), and of tracks that go apart."""
        own = self.campaign.coming(now)[:1]
        every = [(track, self.of(track)) for track in self.own]
        apart = [(track, one) for track, one in every if one.coming(now)[:1] != own]
        by_it = [("", self.campaign)] if len(apart) < len(every) or not every else []
        return by_it + apart


def calendars_of(campaign: Campaign) -> Calendars:
    """The calendars of an open campaign; an editor's login is shown no tracks."""
    options = campaign.options()
    tracks = () if campaign.editor is not None else campaign.contents.tracks()
    own = {track: Calendar.of(options, track) if track else NO_CALENDAR for track in tracks}
    return Calendars(Calendar.of(options), own)


def read_calendars(where: str) -> Calendars:
    """The calendars of a campaign and of its tracks.

    Raises:
        StudioError: the campaign cannot be opened; ``calendar.moment``.
    """
    with open_campaign(where, read_only=True) as campaign:
        return calendars_of(campaign)


def read_calendar(where: str, track: str = "") -> Calendar:
    """The dates that a campaign goes by, or one of its tracks.

    Raises:
        UsageError: ``calendar.no-track``.
        StudioError: the campaign cannot be opened; ``calendar.moment``.
    """
    with open_campaign(where, read_only=True) as campaign:
        calendars = calendars_of(campaign)
        return calendars.of(known_track(track, calendars.own, campaign.where))


def due_calendar(where: str, track: str = "") -> Calendar:
    """The calendar by which results are late: a track's, or of them all where it is the same.

    Raises:
        UsageError: ``calendar.which-track``, ``calendar.no-track``.
        StudioError: the campaign cannot be opened; ``calendar.moment``.
    """
    if track:
        return read_calendar(where, track)
    calendars = read_calendars(where)
    due = [Date.IMAGES_DUE, Date.TEXT_DUE]
    every = [calendars.of(one) for one in calendars.own] or [calendars.campaign]
    if len({tuple(map(one.dates.get, due)) for one in every}) > 1:
        raise UsageError(
            "calendar.which-track",
            "the results of the campaign's tracks are due at different times",
            where=where,
            remedy=f"Name one by --track: {', '.join(filter(None, calendars.own))}",
        )
    return every[0]


def set_dates(where: str, dates: Dates, track: str = "") -> Calendar:
    """Set dates of a campaign or of a track, or take them away (None); all of them or none.

    A track without a date of its own goes by the campaign's.

    Raises:
        UsageError: as for :func:`set_calendars`.
        StudioError: the campaign cannot be opened or written.
    """
    return set_calendars(where, {track: dates}).of(track)


def set_calendars(where: str, dates: Mapping[str, Dates]) -> Calendars:
    """Set dates of several tracks together, those of the campaign itself under "".

    Raises:
        UsageError: ``calendar.order``: a date would come before what it has to follow;
            ``calendar.no-track``.
        StudioError: the campaign cannot be opened or written.
    """
    with open_campaign(where) as campaign, campaign.transaction():
        there = campaign.contents.tracks()
        campaign.set_options(
            {
                option_of(date, known_track(track, there, campaign.where)): (
                    None if moment is None else moment.isoformat()
                )
                for track, own in dates.items()
                for date, moment in own.items()
            }
        )
        calendars = calendars_of(campaign)
        for track in dict.fromkeys(("", *calendars.own)):
            _check_order(calendars.of(track), track, campaign.name)
        return calendars


def _check_order(calendar: Calendar, track: str, campaign: str) -> None:
    if (wrong := calendar.disorder()) is None:
        return
    first, second = wrong
    dates = calendar.dates
    raise UsageError(
        "calendar.order",
        f"“{first.told}” would come after “{second.told}”",
        where=f"{campaign}, track {track}" if track else campaign,
        remedy=f"{first} is {_shown(dates[first])}, {second} is {_shown(dates[second])}",
    )


def release_of(
    where: str, purpose: DataSet, *, image_tasks_closed: bool = False, now: datetime | None = None
) -> Release:
    """What a campaign's calendars and its sequestered passages let out.

    Args:
        where: the campaign.
        purpose: the set that the files are for.
        image_tasks_closed: what holds where the calendar has no date for it.
        now: by default the present.

    Raises:
        StudioError: the campaign cannot be opened.
    """
    from madcat_studio.operations.pages.derive import Release

    with open_campaign(where, read_only=True) as campaign:
        documents = campaign.contents.documents()
        calendars = calendars_of(campaign)
        return Release(
            image_tasks_closed,
            purpose,
            {one.base: one.passage for one in documents},
            frozenset(one.passage for one in documents if one.sequestered),
            calendars.campaign,
            {one.base: calendars.of(one.track) for one in documents},
            now or datetime.now(UTC),
        )


def countdowns(calendars: Calendars, now: datetime) -> list[str]:
    """What comes next of each track, in one sentence where it is the same of all."""
    told = [(track, countdown(one, now)) for track, one in calendars.next_of_each(now)]
    return [f"{track}: {said}" if track else said for track, said in told if said]


def countdown(calendar: Calendar, now: datetime) -> str:
    """What comes next, and in how long; "" where nothing is to come."""
    coming = calendar.coming(now)
    if not coming:
        return ""
    date, moment = coming[0]
    return f"{in_words(moment - now)} until {date.told} ({_shown(moment)})"


def in_words(left: timedelta) -> str:
    """How long it is, in days or hours or minutes: never less than is left."""
    minutes = -(-int(left.total_seconds()) // 60)
    for size, name in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= 2 * size or size == 1:
            count = -(-minutes // size)
            return f"{count} {name}{'s' * (count != 1)}"
    raise AssertionError


def _shown(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
