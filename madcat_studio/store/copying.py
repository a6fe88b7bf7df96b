"""Moving a campaign from one database to another: every row, every identifier."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from itertools import chain
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.errors import WorldError
from madcat_studio.model.campaign import new_id
from madcat_studio.model.visitsums import sums_of_plain
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.store import schema
from madcat_studio.store.database import Database
from madcat_studio.store.enforcing import ODD_OPTION, history, odd_tables
from madcat_studio.store.odd import orphaned, sound_with_parents, spelt_rows
from madcat_studio.store.upgrade import make_tables
from madcat_studio.store.visits import DERIVED

__all__ = ["Copied", "TableSum", "copy_rows"]

_ROWS_AT_ONCE = 1000
_MODULUS = 2**256


class TableSum(NamedTuple):
    """How many rows a table has, and a hash of them all, whatever their order."""

    rows: int
    digest: str


class Copied(NamedTuple):
    """What was copied: rows in all, and the sum of each table, the same on both sides.

    ``aside`` counts the rows that break a rule, or point to one that does or that is not there: a
    sound campaign cannot hold them, and so they are kept as texts in the table ``set_aside``.
    """

    rows: int
    tables: dict[str, TableSum]
    aside: int


def copy_rows(source: Database, target: Database, *, progress: Progress = SILENT) -> Copied:
    """Make the tables in an empty database, copy all rows of another into them, and compare.

    Both sides are one transaction: what is copied is one moment of the source, and the target
    has all of it or nothing.

    Returns:
        What was copied.

    Raises:
        ConflictError: the target is not empty.
        WorldError: one of the two cannot be reached or written, shows this login a part only, or
            what was written is not what was read.
        Cancelled: ``progress`` said so; nothing was written.
    """
    if source.as_editor:
        raise source.not_allowed()
    with source.reading() as reader, target.writing() as writer:
        if source.postgresql:
            # A login that may not see every row is told so, instead of getting some of them.
            reader.exec_driver_sql("SET LOCAL row_security = off")
        # Every row is read anyway, and the target refuses what breaks any rule.
        odd = odd_tables(reader, thorough=True) | orphaned(reader)
        reader.execution_options(**{ODD_OPTION: odd})
        make_tables(target)
        tables = schema.metadata.sorted_tables
        aside = [row for table in tables for row in _set_aside(reader, table)]
        total = 2 * sum(_count(reader, table) for table in tables)
        was = (schema.claims, schema.handovers)
        sums, done = {}, 0
        for table in tables:
            tally = _Tally()
            more = aside if table is schema.set_aside else []
            with history(writer) if table in was else nullcontext():
                for rows in chain(_rows(reader, table), [more] if more else []):
                    _tell(progress, done, total, table.name)
                    tally.add(rows)
                    if table is schema.visits and not target.postgresql:
                        for row in rows:
                            row["sums"] = sums_of_plain(row["ms"], row["events"])
                    writer.execute(table.insert(), rows)
                    done += len(rows)
            sums[table.name] = tally.sum()
        for table in tables:
            tally = _Tally()
            for rows in _rows(writer, table):
                _tell(progress, done, total, f"{table.name}: compare")
                tally.add(rows)
                done += len(rows)
            if tally.sum() != sums[table.name]:
                raise WorldError(
                    "store.copy-differs",
                    f"The copy differs from the original (table {table.name})",
                    where=target.where,
                    remedy="Nothing was kept; check the machine's disk and memory, and try again",
                )
    return Copied(sum(one.rows for one in sums.values()), sums, len(aside))


def _set_aside(connection: Connection, table: sa.Table) -> list[dict[str, Any]]:
    now = datetime.now(UTC)
    return [
        {"id": new_id(), "table_name": table.name, "content": content, "at": now}
        for content in spelt_rows(connection, table)
    ]


def _sound(connection: Connection, table: sa.Table) -> sa.Select[Any]:
    good = sound_with_parents(connection, table)
    derived = DERIVED if table is schema.visits else ()
    query = sa.select(*(column for column in table.c if column.name not in derived))
    return query if good is None else query.where(good)


def _tell(progress: Progress, done: int, total: int, text: str) -> None:
    if progress.cancelled():
        raise Cancelled
    progress.advance(done, total, text)


def _count(connection: Connection, table: sa.Table) -> int:
    found = _sound(connection, table).subquery()
    return connection.scalar(sa.select(sa.func.count()).select_from(found)) or 0


def _rows(connection: Connection, table: sa.Table) -> Iterator[list[dict[str, Any]]]:
    # Scans are large: one at a time.
    size = 1 if table is schema.blobs else _ROWS_AT_ONCE
    result = connection.execution_options(yield_per=size).execute(_sound(connection, table))
    for part in result.mappings().partitions(size):
        yield [dict(row) for row in part]


class _Tally:
    """Sums up rows, in whatever order a database gives them: the hashes are added."""

    def __init__(self) -> None:
        self._rows = self._total = 0

    def add(self, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            values = row.values()
            spelt = repr([v if type(v) in _PLAIN else _spell(v) for v in values]).encode()
            self._total += int.from_bytes(hashlib.sha256(spelt).digest())
        self._rows += len(rows)

    def sum(self) -> TableSum:
        return TableSum(self._rows, f"{self._total % _MODULUS:064x}")


_PLAIN = frozenset([str, int, bool, float, type(None)])
_JSON = json.JSONEncoder(sort_keys=True)


def _spell(value: object) -> object:
    """A value in one way, from whichever database it came."""
    if isinstance(value, bytes | bytearray | memoryview):
        return hashlib.sha256(value).hexdigest()
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, dict | list):
        return _JSON.encode(value) if value else repr(value)
    return value
