"""One way to talk to SQLite and PostgreSQL: connections, transactions, errors as messages.

Measured on SQLite: deferred transactions end in "database is locked" where two programs write;
``BEGIN IMMEDIATE`` loses nothing. Write-ahead logging needs shared memory, which network shares
lack, and so it is used on local disks only.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from sqlalchemy import event, exc
from sqlalchemy.engine import Connection
from sqlalchemy.pool import PoolProxiedConnection

from madcat_studio.errors import FormatError, UsageError, WorldError
from madcat_studio.store.enforcing import ODD_OPTION, rule_broken_by
from madcat_studio.store.engines import (
    DATABASE_NAME,
    DatabaseFile,
    check_file,
    damaged,
    file_engine,
    own_login,
    server_engine,
    writable,
)
from madcat_studio.store.rights import read_by_function
from madcat_studio.store.writequeue import BUSY_SECONDS, begin_writing

__all__ = ["DATABASE_NAME", "Database", "is_url", "on_network_share"]

_NETWORK_TYPES = frozenset(
    [
        "nfs",
        "nfs4",
        "cifs",
        "smb",
        "smb2",
        "smb3",
        "smbfs",
        "ncpfs",
        "afs",
        "9p",
        "ceph",
        "glusterfs",
        "lustre",
        "gpfs",
        "ocfs2",
        "fuse.sshfs",
        "fuse.rclone",
        "fuse.gvfsd-fuse",
        "fuse.s3fs",
        "vboxsf",
        "vmhgfs",
        "prl_fs",
        "davfs",
    ]
)

_WRITING = "madcat_studio_writing"


def is_url(where: str | Path) -> bool:
    """Whether ``where`` names a database server rather than a folder.

    Raises:
        UsageError: ``store.bad-url``: a server of another kind. (A folder of such a name can be
            given with ``./`` before it.)
    """
    if not isinstance(where, str):
        return False
    if where.startswith(("postgresql:", "postgresql+", "postgres:")):
        return True
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", where):
        raise UsageError(
            "store.bad-url",
            "A campaign is in a folder or on a PostgreSQL server, not at such an address",
            where=where.split("@")[-1],
            remedy="Write it as postgresql://user@host:port/database",
        )
    return False


def on_network_share(path: Path, mounts: str | None = None) -> bool:
    """Whether ``path`` lies on a network share, where this can be known (Linux, UNC paths).

    ``mounts`` is the text of ``/proc/self/mountinfo``, read when None.
    """
    if str(path).startswith("\\\\"):
        return True
    if mounts is None:
        try:
            mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False
    place = path.resolve()
    # As texts: a path for each mount took a third of what opening a campaign takes.
    around = set(map(str, (place, *place.parents)))
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split()
        if "-" not in fields or len(fields) < 5:
            continue
        # Blanks in a mount point are written \040; \134 stands for the back-slash itself.
        point = fields[4].replace("\\040", " ").replace("\\134", "\\")
        if point in around and len(point) >= len(best):
            best, kind = point, fields[fields.index("-") + 1]
    return kind in _NETWORK_TYPES


class Database:
    """A campaign's database, opened. Thread-safe; transactions belong to their thread.

    Attributes:
        where: what the user would call it (folder, or URL without its password).
        read_only: nothing may be written.
        login: as whom a server is asked; "" for a file.
        postgresql: whether it is a server.
        as_editor: it is asked by an editor's login.
        one_side: it was opened for an editor, and gives nothing of another's side.
    """

    def __init__(self, where: str | Path, *, read_only: bool = False, create: bool = False) -> None:
        self._open = threading.local()
        self._counting: PoolProxiedConnection | None = None
        self._place: DatabaseFile | None = None
        self.postgresql = is_url(where)
        if self.postgresql:
            self.read_only = read_only
            self._engine, self.where = server_engine(str(where))
            self.file: Path | None = None
            self._line: Path | None = None
            self.login = self._engine.url.username or own_login()
        else:
            folder = Path(where)
            if folder.name == DATABASE_NAME:
                folder = folder.parent
            self.file = folder / DATABASE_NAME
            self.where = str(folder)
            self.login = ""
            check_file(folder, self.file, create=create)
            self.read_only = read_only or (not create and not writable(self.file))
            self._engine = file_engine(self.file, self.read_only, create)
            self._shared = on_network_share(self.file)
            self._line = None if self._shared else self.file.with_name(DATABASE_NAME + "-line")
            place = self._place = DatabaseFile(self.file, may_change=self._shared)
            event.listen(self._engine, "connect", lambda *_: place.note())
        self.as_editor = self.one_side = False
        event.listen(self._engine, "begin", self._begin)
        self._writer = self._engine.execution_options(**{_WRITING: True})

    def work_as_editor(self) -> None:
        """Ask from now on as an editor's login may: see :func:`rights.read_by_function`."""

        def rewrite(*given: Any) -> tuple[str, Any]:
            _, _, statement, parameters, *_ = given
            return read_by_function(statement), parameters

        event.listen(self._engine, "before_cursor_execute", rewrite, retval=True)
        self.as_editor = True

    def for_coordinator(self) -> None:
        """Called first by what shows or changes more than one editor's side of a campaign.

        Raises:
            UsageError: ``campaign.one-side``: the campaign was opened for an editor.
        """
        if self.one_side:
            raise UsageError(
                "campaign.one-side",
                "The campaign is open for an editor, who sees one side of it",
                where=self.where,
                remedy="Open the coordinator's rooms",
            )

    def set_aside(self, tables: frozenset[str]) -> None:
        """Read these tables from now on without the rows that break rules: see :mod:`odd`."""
        self._engine.update_execution_options(**{ODD_OPTION: tables})
        self._writer.update_execution_options(**{ODD_OPTION: tables})

    def close(self) -> None:
        """Give all connections back. The database can be used no more."""
        if self._counting is not None:
            self._counting.close()
            self._counting = None
        self._engine.dispose()

    def _begin(self, connection: Connection) -> None:
        writing = connection.get_execution_options().get(_WRITING, False)
        if not self.postgresql:
            if writing:
                opened = cast(sqlite3.Connection, connection.connection.dbapi_connection)
                begin_writing(opened, self._line)
            else:
                connection.exec_driver_sql("BEGIN")
        elif not writing:
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

    def choose_log(self) -> None:
        """Log ahead of writing on a local disk, and not on a network share (SQLite)."""
        if self.file is None or self.read_only:
            return
        mode = "DELETE" if self._shared else "WAL"
        with self.guard(), closing(self._engine.raw_connection()) as connection:
            connection.cursor().execute(f"PRAGMA journal_mode = {mode}")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database throughout.

        Inside :meth:`writing` of the same thread, that transaction.
        """
        outer: Connection | None = getattr(self._open, "connection", None)
        if outer is not None:
            yield outer
            return
        with self.guard(), ExitStack() as stack:
            connection = stack.enter_context(self._engine.connect())
            try:
                stack.enter_context(connection.begin())
            except exc.DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                # It was dead, and nothing has been asked yet: over another one.
                connection = stack.enter_context(self._engine.connect())
                stack.enter_context(connection.begin())
            yield connection

    @contextmanager
    def writing(self, *, keys_at_end: bool = False) -> Iterator[Connection]:
        """A transaction that is kept as a whole or not at all; nested ones join the outermost.

        Args:
            keys_at_end: look at the end only whether every row has the rows that it points to
                (SQLite, which changes a table by putting another one in its place).

        Raises:
            WorldError: read-only, disk full, folder gone, server away.
        """
        outer: Connection | None = getattr(self._open, "connection", None)
        if outer is not None:
            yield outer
            return
        if self.read_only:
            raise self._read_only()
        if self._place is not None:
            self._place.check()
        with (
            self.guard(),
            self._writer.connect() as connection,
            self._without_keys(connection, keys_at_end),
            connection.begin(),
        ):
            self._open.connection = connection
            try:
                yield connection
                if keys_at_end and not self.postgresql:
                    lost = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
                    if lost is not None:
                        raise self.damaged(f"rows of {lost[0]} point to rows that are not there")
            finally:
                self._open.connection = None

    @contextmanager
    def calling(self) -> Iterator[Connection]:
        """A connection to a server for one statement that is a transaction of its own.

        Inside :meth:`writing` of the same thread, it is a part of that: if it fails, that can go
        on.

        Raises:
            WorldError: read-only, disk full, server away.
        """
        outer: Connection | None = getattr(self._open, "connection", None)
        if outer is not None:
            with outer.begin_nested():
                yield outer
            return
        if self.read_only:
            raise self._read_only()
        with self.guard(), self._writer.connect() as connection:
            yield connection.execution_options(isolation_level="AUTOCOMMIT")

    @contextmanager
    def _without_keys(self, connection: Connection, wanted: bool) -> Iterator[None]:
        if self.postgresql or not wanted:
            yield
            return
        # Outside the transaction: within one, SQLite takes no notice.
        file = cast(sqlite3.Connection, connection.connection.dbapi_connection)
        file.execute("PRAGMA foreign_keys = OFF")
        try:
            yield
        finally:
            file.execute("PRAGMA foreign_keys = ON")

    def change_count(self) -> str:
        """A text that is another after any commit of anybody else.

        SQLite counts for each connection what others committed, so one connection is kept for it.
        PostgreSQL numbers writing transactions, and a snapshot tells the numbers that it sees; on
        a server with other databases it changes with theirs too.

        Raises:
            WorldError: the server is away, or the file.
        """
        with self.guard():
            if self.postgresql:
                with self.reading() as connection:
                    return str(
                        connection.exec_driver_sql("SELECT pg_current_snapshot()").scalar_one()
                    )
            if self._counting is None:
                self._counting = self._engine.raw_connection()
            cursor = self._counting.cursor()
            try:
                cursor.execute("PRAGMA data_version")
                row = cursor.fetchone()
                return "" if row is None else str(row[0])
            finally:
                cursor.close()

    def lock(self, connection: Connection, only: tuple[str, str, str] | None = None) -> None:
        """Make what follows in this transaction wait for others that lock, and they for it.

        On SQLite a writer is alone already. A transaction that is to lock all of it does so first:
        two that hold a part and want all would wait for each other.

        Args:
            connection: of the transaction.
            only: kit, team and pass that are changed; those that change another go on beside it,
                those that name none wait.
        """
        if not self.postgresql:
            return
        kind = "" if only is None else "_shared"
        connection.exec_driver_sql(
            f"SELECT pg_advisory_xact_lock{kind}(hashtext(current_schema()))"
        )
        if only is not None:
            connection.exec_driver_sql("SELECT studio_lock_pass(%s, %s, %s)", only)

    def now(self, connection: Connection) -> datetime:
        """The server's time, in UTC; the machine's own where there is no server."""
        if self.postgresql:
            moment: datetime = connection.exec_driver_sql("SELECT clock_timestamp()").scalar_one()
            return moment.astimezone(UTC)
        return datetime.now(UTC)

    def _read_only(self) -> WorldError:
        return WorldError(
            "store.read-only",
            "The campaign is read-only here",
            where=self.where,
            remedy="Copy it to a folder where you can write, or ask for write permission",
        )

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Turn what a database says when the world fails into one message."""
        try:
            yield
        except exc.DBAPIError as error:
            refused = rule_broken_by(error, self.where)
            if refused is not None:
                raise refused from error
            if isinstance(error.orig, sqlite3.Error):
                raise self._sqlite_error(error.orig) from error
            raise self._server_error(error) from error
        except sqlite3.Error as error:
            raise self._sqlite_error(error) from error

    def _sqlite_error(self, error: sqlite3.Error) -> Exception:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return self.damaged(str(error))
        if code == sqlite3.SQLITE_READONLY:
            return self._read_only()
        if code == sqlite3.SQLITE_BUSY:
            return self._busy()
        if code == sqlite3.SQLITE_FULL:
            return WorldError(
                "store.disk-full",
                "The disk is full",
                where=self.where,
                remedy="Make room and try again; nothing was half written",
            )
        if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            return WorldError(
                "store.cannot-open",
                f"The campaign's database cannot be read or written ({error})",
                where=self.where,
                remedy="Check the disk and your permissions for the folder",
            )
        if "no such table" in str(error):
            return self.not_a_campaign()
        if "no such column" in str(error):
            return self._other_tables(str(error))
        return error

    def _busy(self) -> WorldError:
        return WorldError(
            "store.busy",
            f"Another program has been writing to the campaign for {BUSY_SECONDS} seconds",
            where=self.where,
            remedy="Wait for it, or close it, and try again",
        )

    def _server_error(self, error: exc.DBAPIError) -> Exception:
        state = getattr(error.orig, "sqlstate", None) or ""
        # libpq tells why a connection was refused in words only, not by a code.
        words = "" if state else str(error.orig)
        # The functions that an editor asks give no columns but those that may be read.
        hidden = self.as_editor and state == "42703"
        if state == "42501" or "permission denied" in words or hidden:
            return self.not_allowed()
        if state == "25006":
            return self._read_only()
        if state == "55P03":
            return self._busy()
        if state == "53100":
            return WorldError(
                "store.disk-full", "The disk of the database server is full", where=self.where
            )
        if state == "42P01":
            return self.not_a_campaign()
        if state == "42883" and "studio_" in str(error.orig):
            return WorldError(
                "store.other-rights",
                "The server's rights are not those that this program sets",
                where=self.where,
                remedy="The coordinator can set them again with `madcat-studio server init`",
            )
        if state == "42703":
            return self._other_tables(str(error.orig).splitlines()[0])
        if "no password supplied" in words:
            return WorldError(
                "store.password-wanted",
                "The database server asks for a password",
                where=self.where,
                remedy="Set PGPASSWORD, or keep the password in your .pgpass file",
            )
        if state[:2] == "28" or "authentication failed" in words or "role " in words:
            return WorldError(
                "store.login-refused",
                "The database server refused the login",
                where=self.where,
                remedy="Check the user name and the password in the URL",
            )
        if state == "3D000" or ("database " in words and "does not exist" in words):
            return WorldError(
                "store.no-database",
                "The database server has no database with this name",
                where=self.where,
                remedy="Check the URL, or have the database created first",
            )
        if isinstance(error, exc.OperationalError) or error.connection_invalidated:
            reason = str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else ""
            return WorldError(
                "store.server-away",
                "The database server cannot be reached" + (f" ({reason})" if reason else ""),
                where=self.where,
                remedy="Check the network and that the server runs, then try again",
            )
        return error

    def _other_tables(self, reason: str) -> FormatError:
        return FormatError(
            "store.other-tables",
            f"The campaign's tables are not those of this program ({reason})",
            where=self.where,
            remedy="It was made by an unreleased version; make it again",
        )

    def not_allowed(self) -> WorldError:
        """The error for what an editor's login may not do."""
        return WorldError(
            "store.not-allowed",
            "The database does not allow this login to do that",
            where=self.where,
            remedy="Ask the coordinator for the right, or use another login",
        )

    def damaged(self, reason: str) -> FormatError:
        """The error for a file that is no sound database."""
        return damaged(self.file or self.where, reason)

    def not_a_campaign(self) -> FormatError:
        """The error for a sound database that holds something else."""
        return FormatError(
            "store.not-a-campaign",
            "The database has no campaign",
            where=self.where,
            remedy="Check the folder or the URL, or make a campaign with `campaign create`",
        )
