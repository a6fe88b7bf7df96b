"""Connecting to a campaign's file or server, with what each of the two must be told first."""

from __future__ import annotations

import getpass
import os
import selectors
import sqlite3
import sys
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.engine import Engine, make_url
from sqlalchemy.pool import QueuePool

from madcat_studio.errors import FormatError, StudioError, UsageError, WorldError
from madcat_studio.store.dialects import FILE, KEPT, SERVER
from madcat_studio.store.passwords import use_passwords
from madcat_studio.store.tls import demand_tls
from madcat_studio.store.writequeue import BUSY_SECONDS

__all__ = [
    "DATABASE_NAME",
    "DatabaseFile",
    "check_file",
    "damaged",
    "file_engine",
    "own_login",
    "server_engine",
    "writable",
]

DATABASE_NAME = "campaign.sqlite"
"""The database's file in a campaign's folder."""

CONNECT_SECONDS = 10

_ALIVE = {
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""When the other end is given up (seconds; the last in ms): without this a pulled cable is noticed
after a quarter of an hour at best, and what an editor sends hangs so long. These are parameters of
libpq and timers of the kernel: a server that merely takes its time answers them.
"""


def check_file(folder: Path, file: Path, *, create: bool) -> None:
    """Say in plain words what is wrong with a folder or its file, unless it is to be made.

    Raises:
        UsageError: ``store.no-campaign``.
        FormatError: ``store.damaged``.
        WorldError: ``store.cannot-open``.
    """
    if create:
        return
    if file.is_file():
        _check_readable(file)
        return
    raise UsageError(
        "store.no-campaign",
        "There is no campaign here"
        if folder.is_dir()
        else ("This is a file, not a campaign's folder" if folder.exists() else "No such folder"),
        where=folder,
        remedy=f"Name the folder that holds {DATABASE_NAME}",
    )


def _check_readable(file: Path) -> None:
    """SQLite would make a database of an empty file, and say little of one that may not be read.

    The file is never opened here: closing it again would take away the locks that connections of
    this process hold on it (POSIX), and another program could then remove the log under them.
    """
    try:
        size = file.stat().st_size
    except OSError as error:
        raise _unreadable(file, error.strerror or str(error)) from error
    if not os.access(file, os.R_OK):
        raise _unreadable(file, "you may not read it")
    if not size:
        raise damaged(file, "it is empty")


def _unreadable(file: Path, reason: str) -> WorldError:
    return WorldError(
        "store.cannot-open",
        f"The campaign's database cannot be read ({reason})",
        where=file,
        remedy="Check the disk and your permissions for the folder",
    )


def damaged(where: str | Path, reason: str) -> FormatError:
    """The error for a file that is no sound database."""
    return FormatError(
        "store.damaged",
        f"The campaign's database is damaged ({' '.join(reason.split())})",
        where=where,
        remedy="Nothing was changed; restore the folder from your backup",
    )


def writable(file: Path) -> bool:
    """Whether this user may write the database in ``file``."""
    # SQLite writes its log beside the database, so the folder counts as well.
    return os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)


class DatabaseFile:
    """Which file a database was opened as.

    A folder can be moved, deleted or replaced while it is open. SQLite would go on writing into
    the file that it holds, and what is saved would be in no campaign.
    """

    def __init__(self, file: Path, *, may_change: bool) -> None:
        """Remember nothing yet; ``may_change``: the disk numbers its files anew as it likes."""
        self._file, self._may_change = file, may_change
        self._known: tuple[int, int] | None = None

    def note(self) -> None:
        """It was just opened for the first time, or once more."""
        if self._known is None:
            self._known = self._found()

    def _found(self) -> tuple[int, int] | None:
        try:
            found = self._file.stat()
        except OSError:
            return None
        return (0, 0) if self._may_change else (found.st_dev, found.st_ino)

    def check(self) -> None:
        """See whether it is still there.

        Raises:
            WorldError: ``store.gone``.
        """
        if self._known is not None and self._found() != self._known:
            raise WorldError(
                "store.gone",
                "The campaign's folder was moved, deleted or replaced while it was open",
                where=self._file.parent,
                remedy="Put it back where it was, or open it again",
            )


def file_engine(file: Path, read_only: bool, create: bool) -> Engine:
    """Connections to an SQLite file; transactions are begun by whoever uses them."""
    uri = file.resolve().as_uri()
    # Whoever opens a log for reading only leaves it behind. So where one may write, reading is
    # asked for in another way (below), and the last to close takes the log in and removes it.
    if create or writable(file):
        uri += "?mode=rwc" if create else "?mode=rw"
    elif os.access(file.parent, os.W_OK) or _has_log(file):
        uri += "?mode=ro"
    else:
        # Without a folder to write in, a database with a log opens only as one that never changes.
        uri += "?mode=ro&immutable=1"

    def connect() -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                uri,
                uri=True,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
        except sqlite3.OperationalError as error:
            raise WorldError(
                "store.cannot-open",
                f"The campaign's database cannot be opened ({error})",
                where=file,
                remedy="Check that the folder exists and that you may write in it",
            ) from error
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = FULL")
            if read_only:
                connection.execute("PRAGMA query_only = ON")
        except sqlite3.Error as error:
            connection.close()
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise damaged(file, str(error)) from error
            raise
        return connection

    return sa.create_engine(
        f"{FILE}://",
        creator=connect,
        execution_options=KEPT,
        poolclass=QueuePool,
        pool_size=4,
        max_overflow=16,
    )


def _has_log(file: Path) -> bool:
    log = file.with_name(file.name + "-wal")
    try:
        return log.stat().st_size > 0
    except OSError:
        return False


def own_login() -> str:
    """Whom the driver names to the server where the URL does not say."""
    return os.environ.get("PGUSER") or getpass.getuser()


def server_engine(where: str) -> tuple[Engine, str]:
    """Connections to a server, and its address without the password.

    Raises:
        UsageError: ``store.bad-url``, ``store.no-tls``.
        WorldError: ``store.no-driver``.
    """
    try:
        url = make_url(
            where.replace("postgres:", "postgresql:", 1) if where.startswith("postgres:") else where
        )
    except (exc.ArgumentError, ValueError) as error:
        raise UsageError(
            "store.bad-url",
            "This is not the address of a database",
            where=where.split("@")[-1],
            remedy="Write it as postgresql://user@host:port/database",
        ) from error
    shown = url.set(drivername="postgresql").render_as_string(hide_password=True)
    arguments: dict[str, Any] = dict(demand_tls(url))
    patience = {"connect_timeout": CONNECT_SECONDS, **_ALIVE}
    arguments |= {name: value for name, value in patience.items() if name not in url.query}
    if "options" not in url.query:
        # Whoever keeps a lock for ever must not keep all others waiting for ever.
        arguments["options"] = f"-c lock_timeout={BUSY_SECONDS}s"
    try:
        engine = sa.create_engine(
            url.set(drivername=SERVER),
            connect_args=arguments,
            execution_options=KEPT,
            pool_size=4,
            max_overflow=16,
        )
    except (ImportError, StudioError) as error:
        raise WorldError(
            "store.no-driver",
            f"The driver for PostgreSQL cannot be loaded ({error})",
            where=shown,
            remedy=f"Install it with `{Path(sys.executable).name} -m pip install psycopg[binary]`",
        ) from error
    use_passwords(engine, shown)
    _look_before_use(engine)
    return engine, shown


def _look_before_use(engine: Engine) -> None:
    """Open connections anew that a server has closed since they were used.

    Where nothing has come unasked, nothing has happened, and the server need not be asked either:
    over a line that would be the way there and back, before each question.
    """

    def look(connection: Any, *_: Any) -> None:
        with selectors.DefaultSelector() as waiting:
            waiting.register(connection.pgconn.socket, selectors.EVENT_READ)
            if not waiting.select(0):
                return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise exc.InvalidatePoolError from error

    event.listen(engine, "checkout", look)
