"""The calendar of an evaluation: what is released when, what is due, when editing begins and ends.

It is kept as options of the campaign, one for each date, so that every program that opens it has
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from madcat_studio.errors import InputError

__all__ = ["NO_CALENDAR", "OPTIONS", "Calendar", "Date", "option_of"]

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


def option_of(date: Date) -> str:
    """The campaign's option that has a date."""
    return _ROOM + date.value


OPTIONS: Mapping[str, Date] = {option_of(date): date for date in Date}
"""Option -> its date."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """The dates that are set, in UTC."""

    dates: Mapping[Date, datetime] = field(default_factory=dict)

    @classmethod
    def of(cls, options: Mapping[str, object]) -> Calendar:
        """By a campaign's options.

        Raises:
            InputError: ``calendar.moment``: an option of the calendar is no moment with a zone.
        """
        return cls(
            {
                date: _moment(name, value)
                for name, date in OPTIONS.items()
                if (value := options.get(name)) is not None
            }
        )

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
            f"the date {name} is {value!r}, which is no moment with a time zone",
            remedy=f"Set it again: campaign calendar CAMPAIGN {name.removeprefix(_ROOM)}=…",
        )
    return moment.astimezone(UTC)
