"""The dates of a calendar as a campaign keeps them: in UTC, and of tracks that it has.

The databases compare them, and a date of a track that is misspelt would keep nobody out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from madcat_studio.errors import UsageError
from madcat_studio.model.calendar import Calendar, date_of, option_of
from madcat_studio.store.likeness import plain

__all__ = ["known_track", "with_dates_kept"]

_Value = TypeVar("_Value")


def with_dates_kept(
    values: Mapping[str, _Value], tracks: Iterable[str], where: str
) -> dict[str, _Value | str]:
    """Options, with those of the calendar as they are kept.

    Args:
        values: option -> its value; None takes a date away, also of a track that is no more.
        tracks: that documents are of.
        where: for messages.

    Raises:
        InputError: ``calendar.moment``, ``calendar.no-track``.
    """
    kept: dict[str, _Value | str] = {}
    there = [*tracks]
    for name, value in values.items():
        found = date_of(name)
        if found is None or value is None:
            kept[name] = value
            continue
        date, track = found
        moment = Calendar.of({name: value}, track).dates[date]
        kept[option_of(date, known_track(track, there, where))] = moment.isoformat()
    return kept


def known_track(track: str, tracks: Iterable[str], where: str) -> str:
    """A track as the campaign spells it; "" is the whole campaign.

    Raises:
        UsageError: ``calendar.no-track``.
    """
    there = sorted(filter(None, tracks))
    own = plain(track)
    if own in there or not track:
        return own
    raise UsageError(
        "calendar.no-track",
        f"no page of the campaign is in the track {track!r}",
        where=where,
        remedy=f"There are: {', '.join(there)}" if there else "Its pages are not in any track",
    )
