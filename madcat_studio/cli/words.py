"""What single words of a command line stand for: a pass, a date."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from madcat_studio.errors import UsageError

if TYPE_CHECKING:
    from madcat_studio.model.campaign import Pass

__all__ = ["read_due", "read_pass"]


def read_pass(word: str) -> Pass:
    """The pass of that name.

    Raises:
        UsageError: ``campaign.pass``: there is none.
    """
    from madcat_studio.model.campaign import Pass

    try:
        return Pass(word)
    except ValueError:
        raise UsageError(
            "campaign.pass", f"There is no pass {word!r}", remedy="Write first or review"
        ) from None


def read_due(text: str) -> datetime | None:
    """A day (its end, in local time), a moment as ISO 8601 writes it, or ``none``.

    Raises:
        UsageError: ``campaign.due``: it is none of these; or none that there is.
    """
    from madcat_studio.operations.people.passes import end_of, local_moment

    text = text.strip()
    if text.lower() == "none":
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            "campaign.due",
            f"{text!r} is not a date",
            remedy="Write a day such as 2048-03-01, a moment such as 2048-03-01T17:00, or none",
        ) from None
    return end_of(moment.date()) if len(text) <= 10 else local_moment(moment)
