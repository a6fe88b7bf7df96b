"""A server's dialect: its statements too are put into SQL once in a process (see ``dialects``)."""

from __future__ import annotations

from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

__all__ = ["ServerDialect"]


class ServerDialect(PGDialect_psycopg):
    """Equal to another one that was told the same by its server."""

    supports_statement_cache = True

    def _asked(self) -> tuple[object, ...]:
        """What a server said of itself, and its SQL hangs on."""
        return getattr(self, "server_version_info", None), self._backslash_escapes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ServerDialect) and self._asked() == other._asked()

    def __hash__(self) -> int:
        return hash(ServerDialect)  # the same before and after the server was asked
