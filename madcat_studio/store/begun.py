"""Nothing of what is evaluated is claimed before editing begins, by the campaign's calendar.

A practice kit may be. The server's clock counts; in a folder, that of the machine that asks.
"""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.errors import ConflictError
from madcat_studio.model.calendar import Calendar, Date
from madcat_studio.store import schema
from madcat_studio.store.guards import BEGIN_OPTION

__all__ = ["NOT_BEGUN", "check_begun"]

NOT_BEGUN = "store.editing-not-begun"
"""The code of the refusal."""


def check_begun(connection: Connection, kit: str, now: datetime, where: str) -> None:
    """Refuse to claim a kit before its time.

    Args:
        connection: to the campaign.
        kit: its key.
        now: the database's time.
        where: for the message.

    Raises:
        ConflictError: ``store.editing-not-begun``.
        InputError: ``calendar.moment``.
    """
    options, kits = schema.options, schema.kits
    value = connection.scalar(sa.select(options.c.value).where(options.c.name == BEGIN_OPTION))
    calendar = Calendar.of({BEGIN_OPTION: value})
    if calendar.reached(Date.EDITING_BEGINS, now) is not False:
        return
    if connection.scalar(sa.select(kits.c.practice).where(kits.c.id == kit)):
        return
    begins = calendar.dates[Date.EDITING_BEGINS]
    raise ConflictError(
        "store.editing-not-begun",
        f"Editing begins on {begins:%Y-%m-%d} at {begins:%H:%M} UTC, and this kit is shown to "
        "nobody before",
        where=where,
        remedy="Ask again then; a practice kit can be edited before",
    )
