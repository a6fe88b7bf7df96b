"""Passages that were chosen for a set. Appended: the latest choice for a set counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from madcat_studio.model.campaign import DataSet
from madcat_studio.store import schema
from madcat_studio.store.audit import note
from madcat_studio.store.database import Database

__all__ = ["SelectionRecord", "Selections"]


@dataclass(frozen=True, slots=True)
class SelectionRecord:
    """A choice as it was kept.

    Attributes:
        details: how it was made and how well it matches, for people and reports.
    """

    data_set: DataSet
    passages: tuple[str, ...]
    details: Mapping[str, Any]
    at: datetime
    by: str


class Selections:
    """The choices of passages of a campaign."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def latest(self) -> tuple[SelectionRecord, ...]:
        """The choice that counts for each set that has one."""
        table = schema.selections
        with self._database.reading() as connection:
            rows = connection.execute(sa.select(table).order_by(table.c.number)).all()
        found = {
            row.data_set: SelectionRecord(
                DataSet(row.data_set), tuple(row.passages), row.details, row.at, row.by
            )
            for row in rows
        }
        return tuple(found.values())

    def chosen(self) -> Mapping[DataSet, frozenset[str]]:
        """Set -> its chosen passages; sets without a choice are left out: all of them count."""
        return {one.data_set: frozenset(one.passages) for one in self.latest()}

    def add(
        self,
        data_set: DataSet,
        passages: Sequence[str],
        details: Mapping[str, Any],
        *,
        by: str = "",
    ) -> bool:
        """Keep a choice. Returns False where the same passages are chosen already."""
        table = schema.selections
        with self._database.writing() as connection:
            self._database.lock(connection)
            if self.chosen().get(data_set) == frozenset(passages):
                return False
            number = connection.scalar(
                sa.select(sa.func.max(table.c.number)).where(table.c.data_set == data_set.value)
            )
            now = self._database.now(connection)
            connection.execute(
                table.insert(),
                {
                    "data_set": data_set.value,
                    "number": int(number or 0) + 1,
                    "passages": list(passages),
                    "details": dict(details),
                    "at": now,
                    "by": by,
                },
            )
            note(connection, now, "select passages", f"{data_set} set", who=by,
                 detail=f"{len(passages)} passages")  # fmt: skip
        return True

    def forget(self, data_set: DataSet, *, by: str = "") -> bool:
        """Let all passages of a set count again. Returns False where they do."""
        table = schema.selections
        with self._database.writing() as connection:
            self._database.lock(connection)
            if data_set not in self.chosen():
                return False
            connection.execute(table.delete().where(table.c.data_set == data_set.value))
            now = self._database.now(connection)
            note(connection, now, "forget selection", f"{data_set} set", who=by)
        return True
