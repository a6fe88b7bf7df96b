"""When a claim has been left alone for so long that the next editor may have the pass.

The server's clock counts; in a folder, that of the machine whose program asks. An expired claim
is still its editor's, with all rights, until somebody else claims the pass.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.store import schema
from madcat_studio.store.database import Database
from madcat_studio.store.guards import BUNDLE_MACHINE, CLAIM_HOURS, CLAIM_OPTION
from madcat_studio.store.holds import Hold, PassKey
from madcat_studio.store.odd import setting_of, sound
from madcat_studio.store.sittings import sittings_of
from madcat_studio.store.times import UtcTime

__all__ = ["claim_limit", "has_expired"]


_LIMIT = sa.select(schema.options.c.value).where(schema.options.c.name == CLAIM_OPTION)


def claim_limit(connection: Connection) -> timedelta | None:
    """How long a claim may be without a text; None: for ever."""
    row = connection.execute(_LIMIT).first()
    hours = CLAIM_HOURS if row is None else row.value
    return timedelta(hours=hours) if hours else None


def has_expired(
    database: Database, connection: Connection, key: PassKey, hold: Hold, now: datetime
) -> bool:
    """Whether the claim that ``hold`` tells of has expired at ``now``, the database's time.

    The time since the claim counts, or since it was taken back, or since the last text under it
    was stored, whatever was latest. While a kit is out as a file its claim does not expire.
    """
    if not hold.claimed or hold.at is None or hold.machine == BUNDLE_MACHINE:
        return False
    limit = claim_limit(connection)
    if limit is None or now - hold.at < limit:
        return False
    sitting = sittings_of(connection, [key[0]]).get((*key, hold.turn))
    if sitting is not None and sitting.as_file:
        return False
    if database.postgresql:
        # An editor sees no texts of another's claim, and so the server has to tell.
        columns = schema.claims.c
        asked = (
            sa.literal(value, columns[name].type)
            for name, value in zip(("kit_id", "team_id", "pass_"), key, strict=True)
        )
        query = sa.func.studio_expired(*asked, hold.turn, type_=sa.Boolean())
        return bool(connection.scalar(sa.select(query)))
    setting = setting_of(connection)
    takebacks, texts = (sound(setting, one) for one in (schema.takebacks, schema.revisions))
    latest = (
        _last(connection, takebacks, takebacks.c.at, key, hold),
        _last(connection, texts, texts.c.stored_at, key, hold),
    )
    return all(one is None or now - one >= limit for one in latest)


def _last(
    connection: Connection,
    table: sa.FromClause,
    time: sa.ColumnElement[datetime],
    key: PassKey,
    hold: Hold,
) -> datetime | None:
    columns = (table.c.kit_id, table.c.team_id, table.c.pass_, table.c.turn)
    same = (column == value for column, value in zip(columns, (*key, hold.turn), strict=True))
    found: datetime | None = connection.scalar(
        sa.select(sa.func.max(time, type_=UtcTime())).where(*same)
    )
    return found
