"""What the board counts down to: the next date of the campaign's calendar."""

from __future__ import annotations

from datetime import datetime

from madcat_studio.gui.translation import mark, tr, tr_count
from madcat_studio.model.calendar import Calendar, Date
from madcat_studio.operations.campaign.calendar import Calendars

__all__ = ["countdown_text", "countdown_texts", "left_text", "told_of"]

_TOLD = {
    Date.TRAINING_OUT: mark("training data is released"),
    Date.DEVELOPMENT_OUT: mark("development data is released"),
    Date.IMAGES_OUT: mark("inputs of the image tasks are released"),
    Date.IMAGES_DUE: mark("results of the image tasks are due"),
    Date.TEXT_OUT: mark("inputs of text translation are released"),
    Date.TEXT_DUE: mark("results of text translation are due"),
    Date.EDITING_BEGINS: mark("editing begins"),
    Date.EDITING_ENDS: mark("editing ends"),
    Date.RESULTS: mark("final results are due"),
}


def told_of(date: Date) -> str:
    """What happens at a date."""
    return tr(_TOLD[date])


def countdown_texts(calendars: Calendars, now: datetime) -> list[str]:
    """What happens next of each track, in one sentence where it is the same of all."""
    told = [(track, countdown_text(one, now)) for track, one in calendars.next_of_each(now)]
    return [
        tr("{track}: {said}", track=track, said=said) if track else said
        for track, said in told
        if said
    ]


def countdown_text(calendar: Calendar, now: datetime) -> str:
    """In how long what happens next; "" where nothing is to come."""
    coming = calendar.coming(now)
    if not coming:
        return ""
    date, moment = coming[0]
    what = told_of(date)
    unit, count = _left(moment, now)
    if unit == "day":
        return tr_count("{count} day until {what}", "{count} days until {what}", count, what=what)
    if unit == "hour":
        return tr_count("{count} hour until {what}", "{count} hours until {what}", count, what=what)
    return tr_count("{count} minute until {what}", "{count} minutes until {what}", count, what=what)


def left_text(moment: datetime, now: datetime) -> str:
    """How far a moment is off, or that it is passed."""
    if moment <= now:
        return tr("passed")
    unit, count = _left(moment, now)
    if unit == "day":
        return tr_count("in {count} day", "in {count} days", count)
    if unit == "hour":
        return tr_count("in {count} hour", "in {count} hours", count)
    return tr_count("in {count} minute", "in {count} minutes", count)


def _left(moment: datetime, now: datetime) -> tuple[str, int]:
    """In which unit what is left is told, and how many of it: never fewer than there are."""
    minutes = -(-int((moment - now).total_seconds()) // 60)
    if minutes >= 2880:
        return "day", -(-minutes // 1440)
    return ("hour", -(-minutes // 60)) if minutes >= 120 else ("minute", minutes)
