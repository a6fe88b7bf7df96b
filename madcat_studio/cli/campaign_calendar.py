"""``madcat-studio campaign calendar``: what is released when, what is due, what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.forms import Form, FormOption, put
from madcat_studio.errors import UsageError

if TYPE_CHECKING:
    from datetime import datetime

    from madcat_studio.model.calendar import Date

__all__ = ["calendar"]


def calendar(
    where: Annotated[
        str,
        typer.Argument(
            metavar="CAMPAIGN", help="The campaign's folder, or postgresql://user@host/database."
        ),
    ],
    dates: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DATE=WHEN…", help="A day (its end), a moment, or none: images_due=2048-11-18."
        ),
    ] = None,
    track: Annotated[
        str,
        typer.Option(help="The dates of this track; where it has none, the campaign's apply."),
    ] = "",
    form: FormOption = Form.TEXT,
) -> None:
    """Show or set the calendar of a campaign or a track; nothing is shown before its date."""
    from datetime import UTC, datetime

    from madcat_studio.model.calendar import Date
    from madcat_studio.operations.campaign.calendar import (
        countdown,
        countdowns,
        read_calendar,
        read_calendars,
        set_dates,
    )

    wanted = dict(map(_date, dates or ()))
    found = set_dates(where, wanted, track) if wanted else read_calendar(where, track)
    every = read_calendars(where)
    now = datetime.now(UTC)
    own = every.own[track].dates if track in every.own else {}
    if form is Form.JSON:
        put(
            {
                "now": now.isoformat(),
                "track": track,
                "dates": {
                    date.value: moment.isoformat() if (moment := found.dates.get(date)) else None
                    for date in Date
                },
                "own": [*own],
                "next": countdown(found, now),
            }
        )
        return
    for date in Date:
        moment = found.dates.get(date)
        shown = "–" if moment is None else f"{moment:%Y-%m-%d %H:%M} UTC"
        state = "" if moment is None else ("passed" if moment <= now else "to come")
        told = f"{date.told} (the track's own)" if date in own else date.told
        print(f"{date.value:16}  {shown:21}  {state:8}  {told}".rstrip())
    for said in [countdown(found, now)] if track else countdowns(every, now):
        print(f"Next: {said}")


def _date(spelt: str) -> tuple[Date, datetime | None]:
    from madcat_studio.cli.words import read_due
    from madcat_studio.model.calendar import Date

    name, sign, when = spelt.partition("=")
    try:
        date = Date(name.strip().replace("-", "_"))
    except ValueError:
        date = None
    if date is None or not sign:
        raise UsageError(
            "calendar.date",
            f"{spelt!r} is not one of the calendar's dates",
            remedy=f"Write one of {', '.join(Date)}, then = and a day, a moment or none",
        )
    return date, read_due(when)
