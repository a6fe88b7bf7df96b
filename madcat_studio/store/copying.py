"""Moving a campaign from one database to another: every row, every identifier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.store import schema
from madcat_studio.store.database import Database
from madcat_studio.store.upgrade import make_tables

__all__ = ["copy_rows"]

_ROWS_AT_ONCE = 1000


def copy_rows(source: Database, target: Database, *, progress: Progress = SILENT) -> int:
    """Make the tables in an empty database and copy all rows of another into them.

    Both sides are one transaction: what is copied is one moment of the source, and the target
    has all of it or nothing.

    Returns:
        How many rows were copied.

    Raises:
        ConflictError: the target is not empty.
        WorldError: one of the two cannot be reached or written.
        Cancelled: ``progress`` said so; nothing was written.
    """
    with source.reading() as reader, target.writing() as writer:
        make_tables(target)
        counts = {table: _count(reader, table) for table in schema.metadata.sorted_tables}
        total, copied = sum(counts.values()), 0
        for table in counts:
            for rows in _rows(reader, table):
                if progress.cancelled():
                    raise Cancelled
                progress.advance(copied, total, table.name)
                writer.execute(table.insert(), rows)
                copied += len(rows)
    return copied


def _count(connection: Connection, table: sa.Table) -> int:
    return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


def _rows(connection: Connection, table: sa.Table) -> Iterator[list[dict[str, Any]]]:
    # Scans are large: one at a time.
    size = 1 if table is schema.blobs else _ROWS_AT_ONCE
    result = connection.execution_options(yield_per=size).execute(sa.select(table))
    for part in result.mappings().partitions(size):
        yield [dict(row) for row in part]
