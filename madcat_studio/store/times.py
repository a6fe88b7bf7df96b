"""Moments as databases keep them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

__all__ = ["UtcTime"]


class UtcTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite keeps no zone and would hand back a naive time."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse times without a zone; keep all others in UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give every time its zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        """SQLite's text straight to a time: a board has tens of thousands of them."""
        if dialect.name == "sqlite":
            return _time_of
        return super().result_processor(dialect, coltype)


def _time_of(text: str | None) -> datetime | None:
    # The zone is read with the time: replace() afterwards would cost six times as much.
    return None if text is None else datetime.fromisoformat(text + "+00:00")
