"""A campaign's database as somebody with SQL has it: what is sent to it, and its bare rows."""

from __future__ import annotations

import shutil
import sqlite3
import uuid
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import psycopg

from madcat_studio.store import Campaign, open_campaign
from madcat_studio.store.covers import SHOWN_ID
from madcat_studio.store.database import DATABASE_NAME

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

__all__ = ["FilePlace", "Place", "Refused", "ServerPlace"]

_BOTH = ("UPDATE revisions SET text = 'x'", "DELETE FROM claims", "DELETE FROM visits")


class Refused(Exception):
    """The database took nothing of a statement; the text says for what kind of reason."""


class Place(Protocol):
    """One campaign of its own.

    Attributes:
        logins: whether it tells who writes.
        mark: what stands for a value in its SQL.
        set_by_itself: columns that nobody else may set.
        shown_id: the key by which an editor knows a segment ``s`` of a kit's item ``i``.
        statements: that should do no harm.
        url: for the coordinator.
    """

    logins: bool
    mark: str
    set_by_itself: tuple[str, ...]
    shown_id: str
    statements: tuple[str, ...]

    @property
    def url(self) -> str: ...
    def ask(self, query: str) -> list[tuple[Any, ...]]: ...
    def open(self, editor: str) -> Campaign: ...
    def send(self, editor: str, query: str, values: list[Any] | None) -> None: ...
    def spelt(self, value: Any) -> Any: ...
    def check_times(self) -> None: ...
    def drop(self) -> None: ...


class ServerPlace:
    """On a server, with a login for each editor."""

    logins = True
    mark = "%s"
    set_by_itself = ("stored_at",)
    shown_id = SHOWN_ID.format(i="i", s="s")
    statements = (
        *_BOTH,
        "TRUNCATE revisions",
        "LISTEN revisions",
        "NOTIFY revisions, 'x'",
        "SELECT pg_notify('a', 'b')",
        "SET statement_timeout = 0",
        "SET session_replication_role = replica",
        "ALTER TABLE revisions DISABLE TRIGGER ALL",
        "ALTER TABLE revisions DROP CONSTRAINT rule_revisions_known_state",
    )

    def __init__(self, guarded: Guarded) -> None:
        self.guarded = guarded.copy()
        self.connections = {name: self.guarded.connect(name) for name in ("red1", "red2")}
        self.owner = psycopg.connect(self.url, autocommit=True)

    @property
    def url(self) -> str:
        return self.guarded.url

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        return self.owner.execute(query).fetchall()  # type: ignore[call-overload]

    def open(self, editor: str) -> Campaign:
        return self.guarded.open(editor)

    def send(self, editor: str, query: str, values: list[Any] | None) -> None:
        try:
            self.connections[editor].execute(query, values)  # type: ignore[call-overload]
        except psycopg.Error as error:
            with suppress(psycopg.Error):
                self.connections[editor].rollback()
            kinds = {"23514": "a rule", "42501": "no right"}
            raise Refused(kinds.get(error.sqlstate or "", error.sqlstate)) from error

    def spelt(self, value: Any) -> Any:
        return value

    def check_times(self) -> None:
        """By the server's clock, and none of them to come."""
        [[odd]] = self.ask(
            "SELECT count(*) FROM revisions WHERE NOT (isfinite(at) AND isfinite(stored_at)"
            " AND at <= stored_at AND stored_at <= clock_timestamp())"
        )
        assert odd == 0

    def drop(self) -> None:
        for connection in (self.owner, *self.connections.values()):
            connection.close()
        self.guarded.drop()


class FilePlace:
    """In a folder: whoever may write there has the file, and nothing tells who it is."""

    logins = False
    mark = "?"
    set_by_itself = ()
    shown_id = "s.id"
    statements = (
        *_BOTH,
        "UPDATE revisions SET state = 'hacked'",
        "UPDATE visits SET ms = 0",
        "UPDATE claims SET at = 'infinity'",
        "INSERT OR REPLACE INTO handovers SELECT * FROM handovers",
        "UPDATE OR REPLACE revisions SET number = 0",
    )

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.connection = sqlite3.connect(folder / DATABASE_NAME, isolation_level=None)
        self.connection.execute("PRAGMA foreign_keys = ON")

    @property
    def url(self) -> str:
        return str(self.folder)

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(query).fetchall()

    def open(self, editor: str) -> Campaign:
        del editor  # anybody's program opens it
        return open_campaign(self.url)

    def send(self, editor: str, query: str, values: list[Any] | None) -> None:
        del editor
        try:
            self.connection.execute(query, values or ())
        except sqlite3.Error as error:
            ours = str(error).startswith("rule ")
            raise Refused("a rule" if ours else error.sqlite_errorname) from error

    def spelt(self, value: Any) -> Any:
        if isinstance(value, datetime):
            return f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"
        return str(value) if isinstance(value, uuid.UUID) else value

    def check_times(self) -> None:
        """None that no calendar has."""
        for times in self.ask("SELECT at, stored_at FROM revisions"):
            for one in times:
                assert 1970 <= datetime.fromisoformat(one).year < 2200

    def drop(self) -> None:
        self.connection.close()
        shutil.rmtree(self.folder)
