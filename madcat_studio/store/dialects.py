"""Statements are put into SQL once in a process, not once for each campaign that is opened.

SQLAlchemy keeps the SQL of a statement by its dialect, and each engine makes a dialect of its own.
Whoever opens many campaigns, or one again and again, spends a third of the time on putting the same
statements into the same SQL. Dialects of one kind of database are equal here, and share what is
kept.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

__all__ = ["FILE", "KEPT", "SERVER"]

FILE, SERVER = "sqlite+madcat", "postgresql+madcat"
"""Driver names for the address of an engine."""

KEPT: dict[str, Any] = {"compiled_cache": LRUCache(1_000)}
"""Options for the engine."""


class _FileDialect(SQLiteDialect_pysqlite):
    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _FileDialect)

    def __hash__(self) -> int:
        return hash(_FileDialect)


registry.register("sqlite.madcat", __name__, "_FileDialect")
# By its name: whoever opens a folder does not load what a server needs.
registry.register("postgresql.madcat", f"{__package__}.server_dialect", "ServerDialect")
