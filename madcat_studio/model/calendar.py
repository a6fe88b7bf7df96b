"""The calendar of an evaluation: what is released when, what is due, when editing begins and ends.

It is kept as options of the campaign, one for each date, so that every program that opens it has
it. A track may have dates of its own (``calendar.images_due@challenge``); where it has none, the
campaign's holds.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from madcat_studio.errors import InputError

__all__ = [
    "NO_CALENDAR",
    "OF_TRACK",
    "OPTIONS",
    "Calendar",
    "Date",
    "date_of",
    "option_of",
]

OF_TRACK = "@"
"""What stands between the name of a date and the track that it is of."""

_ROOM = "calendar."


class Date(StrEnum):
    """The dates of the evaluation plan's schedule, in the order that they have to be in."""

    TRAINING_OUT = "training_out"
    DEVELOPMENT_OUT = "development_out"
    IMAGES_OUT = "images_out"
    IMAGES_DUE = "images_due"
    TEXT_OUT = "text_out"
    TEXT_DUE = "text_due"
    EDITING_BEGINS = "editing_begins"
    EDITING_ENDS = "editing_ends"
    RESULTS = "results"

    @property
    def told(self) -> str:
        """What happens then."""
        return _TOLD[self]


_TOLD = {
    Date.TRAINING_OUT: "training data is released",
    Date.DEVELOPMENT_OUT: "development data is released",
    Date.IMAGES_OUT: "inputs of the image tasks are released",
    Date.IMAGES_DUE: "results of the image tasks are due",
    Date.TEXT_OUT: "inputs of text translation are released",
    Date.TEXT_DUE: "results of text translation are due",
    Date.EDITING_BEGINS: "editing begins",
    Date.EDITING_ENDS: "editing ends",
    Date.RESULTS: "final results are due",
}

_AFTER = (
    (Date.IMAGES_OUT, Date.IMAGES_DUE),
    (Date.IMAGES_DUE, Date.TEXT_OUT),
    (Date.TEXT_OUT, Date.TEXT_DUE),
    (Date.IMAGES_DUE, Date.EDITING_BEGINS),
    (Date.EDITING_BEGINS, Date.EDITING_ENDS),
    (Date.EDITING_ENDS, Date.RESULTS),
)
"""What must not come before what: the transcriptions stay closed until the image tasks are in."""


def option_of(date: Date, track: str = "") -> str:
    """The option that has a date of the campaign's, or of a track's own."""
    return _ROOM + date.value + (f"{OF_TRACK}{track}" if track else "")


OPTIONS: Mapping[str, Date] = {option_of(date): date for date in Date}
"""Option of the campaign's own -> its date."""


def date_of(option: str) -> tuple[Date, str] | None:
    """The date that an option has, and the track that it is of ("": the campaign); else None."""
    name, sign, track = option.partition(OF_TRACK)
    date = OPTIONS.get(name)
    return None if date is None or (sign and not track) else (date, track)


@dataclass(frozen=True, slots=True)
class Calendar:
    """The dates that are set, in UTC."""

    dates: Mapping[Date, datetime] = field(default_factory=dict)

    @classmethod
    def of(cls, options: Mapping[str, object], track: str = "") -> Calendar:
        """By a campaign's options: its own dates, or those that a track has for itself.

        Raises:
            InputError: ``calendar.moment``: an option of the calendar is no moment with a zone.
        """
        names = {option_of(date, track): date for date in Date}
        return cls(
            {
                date: _moment(name, value)
                for name, date in names.items()
                if (value := options.get(name)) is not None
            }
        )

    def over(self, other: Calendar) -> Calendar:
        """These dates, and where there is none that of another calendar."""
        return Calendar({**other.dates, **self.dates})

    def reached(self, date: Date, now: datetime) -> bool | None:
        """Whether a date has come; None where it is not set."""
        moment = self.dates.get(date)
        return None if moment is None else now >= moment

    def coming(self, now: datetime) -> list[tuple[Date, datetime]]:
        """The dates that are still to come, the next one first."""
        order = list(Date)
        left = [(date, moment) for date, moment in self.dates.items() if moment > now]
        return sorted(left, key=lambda one: (one[1], order.index(one[0])))

    def disorder(self) -> tuple[Date, Date] | None:
        """Two dates of which the first must not come after the second, and does; else None."""
        for one, other in _AFTER:
            first, second = self.dates.get(one), self.dates.get(other)
            if first is not None and second is not None and first > second:
                return one, other
        return None


NO_CALENDAR = Calendar()
"""Of a campaign without dates: nothing waits for any."""


def _moment(name: str, value: object) -> datetime:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise InputError(
            "calendar.moment",
            f"the date {name} is {value!r}, which is not a moment with a time zone",
            remedy=f"Set it again: {_command(name)}",
        )
    return moment.astimezone(UTC)


def _command(option: str) -> str:
    name, _, track = option.removeprefix(_ROOM).partition(OF_TRACK)
    of = f"--track {shlex.quote(track)} " if track else ""
    return f"campaign calendar CAMPAIGN {of}{name}=…"
