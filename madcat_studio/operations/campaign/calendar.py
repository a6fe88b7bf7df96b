"""The calendar of a campaign: shown, set, and what may be given out by it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from madcat_studio.errors import UsageError
from madcat_studio.model.calendar import Calendar, Date, option_of
from madcat_studio.model.campaign import DataSet
from madcat_studio.store import open_campaign

if TYPE_CHECKING:
    from madcat_studio.operations.pages.derive import Release

__all__ = ["countdown", "in_words", "read_calendar", "release_of", "set_dates"]


def read_calendar(where: str) -> Calendar:
    """The dates of a campaign.

    Raises:
        StudioError: the campaign cannot be opened; ``calendar.moment``.
    """
    with open_campaign(where, read_only=True) as campaign:
        return Calendar.of(campaign.options())


def set_dates(where: str, dates: Mapping[Date, datetime | None]) -> Calendar:
    """Set dates, or take them away (None); all of them or none.

    Raises:
        UsageError: ``calendar.order``: one would come before what it has to follow.
        StudioError: the campaign cannot be opened or written.
    """
    with open_campaign(where) as campaign:
        before = Calendar.of(campaign.options()).dates
        after = {date: moment for date, moment in {**before, **dates}.items() if moment is not None}
        calendar = Calendar(after)
        if (wrong := calendar.disorder()) is not None:
            first, second = wrong
            raise UsageError(
                "calendar.order",
                f"“{first.told}” would come after “{second.told}”",
                where=campaign.name,
                remedy=f"{first} is {_shown(after[first])}, {second} is {_shown(after[second])}",
            )
        campaign.set_options(
            {
                option_of(date): None if moment is None else moment.astimezone(UTC).isoformat()
                for date, moment in dates.items()
            }
        )
        return calendar


def release_of(
    where: str, purpose: DataSet, *, image_tasks_closed: bool = False, now: datetime | None = None
) -> Release:
    """What a campaign's calendar and its sequestered passages let out.

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
        return Release(
            image_tasks_closed,
            purpose,
            {one.base: one.passage for one in documents},
            frozenset(one.passage for one in documents if one.sequestered),
            Calendar.of(campaign.options()),
            now or datetime.now(UTC),
        )


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
