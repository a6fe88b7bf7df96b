"""Making a campaign's tables, and bringing older ones up to date."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.errors import ConflictError, FormatError, WorldError
from madcat_studio.store.database import Database
from madcat_studio.store.enforcing import apply_rules, rules_current
from madcat_studio.store.migrations.history import NEVER_RELEASED, VERSIONS
from madcat_studio.store.rights import VERSION_TABLE, apply_rights
from madcat_studio.store.schema import SCHEMA_VERSION, metadata

__all__ = ["bring_up_to_date", "check_version", "make_tables", "schema_version"]

_MIGRATIONS = Path(__file__).parent / "migrations"

STEPS = _MIGRATIONS / "versions"
"""Where the steps are."""

_VERSION = sa.Table(
    VERSION_TABLE,
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)
"""As Alembic makes it."""

_QUICK_CHECK_BYTES = 64 << 20
"""Up to this size the whole file is checked at each opening (some 100 ms at most)."""


def schema_version(connection: Connection) -> str | None:
    """The version of the tables that are there; None where there is no campaign."""
    if not sa.inspect(connection).has_table(VERSION_TABLE):
        return None
    found = connection.scalar(sa.select(_VERSION.c.version_num))
    return None if found is None else str(found)


def make_tables(database: Database) -> None:
    """Make the tables of an empty campaign, all or none.

    At once, not step by step from the oldest on: a test holds that both make the same.

    Raises:
        ConflictError: there are tables already.
    """
    with database.writing() as connection:
        database.lock(connection)
        if sa.inspect(connection).get_table_names():
            raise ConflictError(
                "store.not-empty",
                "The database is not empty",
                where=database.where,
                remedy="Choose another place, or open the existing campaign",
            )
        for tables in (metadata, _VERSION.metadata):
            tables.create_all(connection, checkfirst=False)
        connection.execute(_VERSION.insert(), {"version_num": SCHEMA_VERSION})
        _guard(connection)


def bring_up_to_date(database: Database, *, migrate: bool | None = None) -> Path | None:
    """Check the version of the tables, and migrate older ones.

    A file is copied beside itself first; a server's owner is asked to make a backup, and so a
    server is migrated only where ``migrate`` is True.

    Returns:
        The backup that was made, or None where nothing had to be done.

    Raises:
        FormatError: damaged, no campaign, or made by a newer program.
        WorldError: older, and it can only be read or must not be migrated.
    """
    with database.reading() as connection:
        if database.file is not None and database.file.stat().st_size <= _QUICK_CHECK_BYTES:
            verdict = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
            if verdict != "ok":
                raise database.damaged(str(verdict))
        found = schema_version(connection)
    if found is None:
        raise database.not_a_campaign()
    if found == SCHEMA_VERSION:
        _renew_rules(database)
        return None
    check_version(found, database.where)
    if migrate is None:
        migrate = not database.postgresql
    if database.read_only or not migrate:
        raise WorldError(
            "store.older-schema",
            "The campaign was made by an older version of the program (tables of version "
            f"{found}) and has to be brought up to date",
            where=database.where,
            remedy="Run `madcat-studio campaign migrate` where the campaign is writable"
            if database.read_only
            else "Back up the database with pg_dump, then run `madcat-studio campaign migrate`",
        )
    backup = None if database.file is None else _back_up(database, database.file, found)
    with database.writing(keys_at_end=True) as connection:
        database.lock(connection)
        if schema_version(connection) != SCHEMA_VERSION:
            _take_steps(connection)
            _guard(connection)
    return backup


def _renew_rules(database: Database) -> None:
    """Give a file the rules of this program, where it has those of another; no table changes."""
    if database.file is None or database.read_only:
        return
    with database.reading() as connection:
        if rules_current(connection):
            return
    with database.writing() as connection:
        apply_rules(connection)


def check_version(found: str, where: str | Path) -> None:
    """Refuse tables of a version from which no step leads to this program's.

    Raises:
        FormatError: made by a newer program, or before the first release.
    """
    if found in NEVER_RELEASED:
        raise FormatError(
            "store.before-release",
            f"The campaign was made before the first release (tables of version {found}), "
            "and this program cannot read it",
            where=where,
            remedy="Make it again from its files with `campaign create`; nothing was changed",
        )
    if found not in VERSIONS:
        raise FormatError(
            "store.newer-schema",
            "The campaign was made by a newer version of the program (tables of version "
            f"{found}; this one knows {SCHEMA_VERSION})",
            where=where,
            remedy="Update MADCAT Studio; nothing was changed",
        )


def _take_steps(connection: Connection) -> None:
    # Alembic costs a third of a second to import and is needed here only.
    from alembic import command
    from alembic.config import Config

    config = Config()
    for name, folder in (("script_location", _MIGRATIONS), ("version_locations", STEPS)):
        config.set_main_option(name, str(folder).replace("%", "%%"))
    # Blanks and colons may stand in a folder's name.
    config.set_main_option("path_separator", "newline")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _guard(connection: Connection) -> None:
    """Give the tables their rules, and on a server the rights of editors."""
    apply_rules(connection)
    if connection.dialect.name == "postgresql":
        apply_rights(connection)


def _back_up(database: Database, file: Path, version: str) -> Path:
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    backup = file.with_name(f"{file.stem}.{version}.{moment}.backup.sqlite")
    partial = backup.with_name(backup.name + ".partial")
    try:
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(partial)) as target:
            source.backup(target)
        partial.replace(backup)
    except (OSError, sqlite3.Error) as error:
        partial.unlink(missing_ok=True)
        raise WorldError(
            "store.no-backup",
            f"No backup could be made before the migration ({error})",
            where=database.where,
            remedy="Make room, or get write permission there; nothing was changed",
        ) from error
    return backup
