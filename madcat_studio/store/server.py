"""A campaign's database server as its coordinator sets it up: roles, logins, what is granted.

Logins have names that say nothing, since every login of a PostgreSQL server can list the names of
all others; whose they are stands in the table ``logins``, which editors cannot read. Passwords
are turned into SCRAM verifiers here: in clear they reach neither the server nor its log.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, make_url

from madcat_studio.closing import Closing
from madcat_studio.errors import ConflictError, InputError, UsageError, WorldError
from madcat_studio.store import lookup, schema
from madcat_studio.store.audit import note
from madcat_studio.store.database import Database, is_url
from madcat_studio.store.engines import server_engine
from madcat_studio.store.passwords import without_password
from madcat_studio.store.rights import apply_rights, editor_group
from madcat_studio.store.upgrade import schema_version

__all__ = ["LoginState", "Server", "check_server_address"]

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of the names of logins: none that is taken for another when it is read out."""

_CLOSED = (
    "pg_relation_size",
    "pg_table_size",
    "pg_total_relation_size",
    "pg_indexes_size",
    "pg_database_size",
    "pg_tablespace_size",
    "pg_lock_status",
    "pg_notify",
    "pg_notification_queue_usage",
    "lo_creat",
    "lo_create",
    "lo_from_bytea",
)
"""Functions that tell any login how much all others wrote, besides those of the statistics, or let
it write what is in no table."""

_ROWS_TOLD = ("reltuples", "relpages", "relallvisible", "relallfrozen")
"""Columns of the server's list of tables that tell how many rows each has."""


@dataclass(frozen=True, slots=True)
class LoginState:
    """One editor's way in.

    Attributes:
        editor: the id in the campaign.
        login: the role's name; "" where the editor has none.
        state: ``ready``, ``withdrawn``, ``missing`` (there is no such role on this server), or
            ``none``.
    """

    editor: str
    login: str
    state: str


class Server(Closing):
    """An administrator's connection to the database of a campaign. Use it in a ``with``.

    Attributes:
        where: its address without the password.
        database: its name.
        group: the role that editors' logins belong to.
    """

    def __init__(self, where: str) -> None:
        """Remember the address; nothing is asked yet.

        Raises:
            UsageError: it is no address of a server, or names no database.
        """
        check_server_address(where)
        self._database = Database(without_password(where))
        self.where = self._database.where
        name = make_url(self.where).database
        if not name:
            raise UsageError(
                "server.no-name",
                "The address names no database",
                where=self.where,
                remedy="Write it as postgresql://user@host:port/database",
            )
        self.database = name
        self.group = editor_group(name)

    def address(self, login: str) -> str:
        """The address of this database for another login, without a password."""
        url = make_url(self.where).set(username=login)
        if not url.host:
            # Asked over a socket, which editors at other machines have not.
            named = (name for name in url.query if name == "host")
            url = url.difference_update_query(named).set(host=socket.getfqdn())
        port = os.environ.get("PGPORT", "")
        if not url.port and "port" not in url.query and port.isdecimal():
            url = url.set(port=int(port))  # what this machine's settings add, others' do not
        return url.render_as_string()

    def close(self) -> None:
        """Let go of the connections."""
        self._database.close()

    # -- preparing ----------------------------------------------------------------------------

    def prepare(self, coordinator: str, password: Callable[[], str]) -> tuple[str, ...]:
        """Make what is missing: database, coordinator's role, editors' group, rights.

        What is there already is left, and its rights are set anew.

        Args:
            coordinator: the role that owns the database and all in it.
            password: asked for where that role has to be made.

        Returns:
            What was done, a sentence each.

        Raises:
            WorldError: the login may not do that, or the server is away.
        """
        done: list[str] = []
        with self._maintenance() as connection:
            done += self._make_roles(connection, coordinator, password)
            done += self._make_database(connection, coordinator)
        with self._database.writing() as connection:
            quote = connection.dialect.identifier_preparer.quote
            space = quote(str(connection.exec_driver_sql("SELECT current_schema()").scalar_one()))
            owner, group = quote(coordinator), quote(self.group)
            for statement in (
                f"REVOKE ALL ON DATABASE {quote(self.database)} FROM PUBLIC",
                f"GRANT CONNECT ON DATABASE {quote(self.database)} TO {group}",
                f"REVOKE ALL ON SCHEMA {space} FROM PUBLIC",
                f"GRANT ALL ON SCHEMA {space} TO {owner}",
                f"GRANT USAGE ON SCHEMA {space} TO {group}",
            ):
                connection.exec_driver_sql(statement)
            for kind, name in _owned_by_others(connection, coordinator):
                connection.exec_driver_sql(f"ALTER {kind} {name} OWNER TO {owner}")
            if schema_version(connection) == schema.SCHEMA_VERSION:
                # The functions run as whoever makes them, and that must be the owner.
                connection.exec_driver_sql(f"SET LOCAL ROLE {owner}")
                apply_rights(connection)
                connection.exec_driver_sql("RESET ROLE")
                done.append("Set the rights of editors on every table of the campaign")
            if _superuser(connection):
                for statement in _hide_totals(connection, owner):
                    connection.exec_driver_sql(statement)
                done.append("Closed the server's statistics of this database to editors")
        return tuple(done)

    def _make_roles(
        self, connection: Connection, coordinator: str, password: Callable[[], str]
    ) -> Iterator[str]:
        quote = connection.dialect.identifier_preparer.quote
        if not _role(connection, coordinator):
            verifier = _verifier(connection, coordinator, password())
            connection.exec_driver_sql(
                f"CREATE ROLE {quote(coordinator)} LOGIN CREATEROLE PASSWORD '{verifier}'"
            )
            yield f"Made the coordinator's role {coordinator}"
        if not _role(connection, self.group):
            connection.exec_driver_sql(f"CREATE ROLE {quote(self.group)} NOLOGIN")
            yield f"Made the editors' group {self.group}"
        me = str(connection.exec_driver_sql("SELECT current_user").scalar_one())
        if me != coordinator:
            connection.exec_driver_sql(
                f"GRANT {quote(self.group)} TO {quote(coordinator)} WITH ADMIN OPTION"
            )

    def _make_database(self, connection: Connection, coordinator: str) -> Iterator[str]:
        quote = connection.dialect.identifier_preparer.quote
        owner = connection.scalar(
            sa.text("SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = :n"),
            {"n": self.database},
        )
        if owner is None:
            connection.exec_driver_sql(
                f"CREATE DATABASE {quote(self.database)} OWNER {quote(coordinator)}"
                " ENCODING 'UTF8' TEMPLATE template0"
            )
            yield f"Made the database {self.database}"
        elif owner != coordinator:
            connection.exec_driver_sql(
                f"ALTER DATABASE {quote(self.database)} OWNER TO {quote(coordinator)}"
            )
            yield f"Gave the database {self.database} to {coordinator}"

    @contextmanager
    def _maintenance(self) -> Iterator[Connection]:
        """A connection for what concerns the whole server: roles and databases."""
        url = make_url(self.where).set(database="postgres")
        engine, _ = server_engine(url.render_as_string(hide_password=False))
        try:
            # Databases cannot be made inside a transaction.
            with (
                self._database.guard(),
                engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection,
            ):
                yield connection
        finally:
            engine.dispose()

    # -- logins -------------------------------------------------------------------------------

    def logins(self) -> tuple[LoginState, ...]:
        """All editors of the campaign with their logins, by id."""
        with self._database.reading() as connection:
            self._check_campaign(connection)
            rows = connection.execute(
                sa.select(schema.editors.c.name, schema.logins.c.login)
                .join_from(schema.editors, schema.logins, isouter=True)
                .order_by(schema.editors.c.name)
            ).all()
            states = self._role_states(connection)
        return tuple(
            LoginState(
                row.name,
                row.login or "",
                "none" if row.login is None else states.get(row.login, "missing"),
            )
            for row in rows
        )

    def _role_states(self, connection: Connection) -> dict[str, str]:
        rows = connection.execute(
            sa.text(
                "SELECT r.rolname, r.rolcanlogin AND EXISTS (SELECT FROM pg_auth_members m"
                " JOIN pg_roles g ON g.oid = m.roleid"
                " WHERE g.rolname = :group AND m.member = r.oid) FROM pg_roles r"
            ),
            {"group": self.group},
        )
        return {name: "ready" if good else "withdrawn" for name, good in rows}

    def add_login(self, editor: str, password: str) -> LoginState:
        """Make an editor's login, or let a withdrawn one in again, with this password.

        Raises:
            InputError: the campaign has no such editor.
            ConflictError: the editor has a login.
            WorldError: this login may not make others, or ``server init`` was not run.
        """
        with self._changing() as connection:
            key = lookup.editor_id(connection, editor)
            login = self._login(connection, key)
            state = self._role_states(connection).get(login or "")
            if state == "ready":
                raise ConflictError(
                    "server.has-login",
                    f"{editor} has a login: {login}",
                    where=self.where,
                    remedy="Change its password with `server user password`",
                )
            if login is None:
                login = "e" + "".join(secrets.choice(_LETTERS) for _ in range(9))
                connection.execute(
                    schema.logins.insert(),
                    {
                        "login": login,
                        "editor_id": key,
                        "at": self._database.now(connection),
                    },
                )
            quote = connection.dialect.identifier_preparer.quote
            connection.exec_driver_sql(
                # Only a superuser may so much as name these rights of a role that is there.
                ("ALTER" if state else "CREATE")
                + f" ROLE {quote(login)} LOGIN"
                + ("" if state else " NOSUPERUSER NOCREATEDB NOCREATEROLE INHERIT")
                + f" PASSWORD '{_verifier(connection, login, password)}'"
            )
            connection.exec_driver_sql(f"GRANT {quote(self.group)} TO {quote(login)}")
            self._note(connection, "let an editor in", editor)
        return LoginState(editor, login, "ready")

    def set_password(self, editor: str, password: str) -> LoginState:
        """Change the password of an editor's login.

        Raises:
            InputError: there is no such editor, or it has no login here.
            WorldError: this login may not do that.
        """
        with self._changing() as connection:
            login = self._known(connection, editor, "ready")
            quote = connection.dialect.identifier_preparer.quote
            connection.exec_driver_sql(
                f"ALTER ROLE {quote(login)} PASSWORD '{_verifier(connection, login, password)}'"
            )
            self._note(connection, "change an editor's password", editor)
        return LoginState(editor, login, "ready")

    def withdraw(self, editor: str) -> LoginState:
        """Take an editor's right to come in, also from programs that are connected now.

        What the editor wrote stays.

        Raises:
            InputError: there is no such editor, or it has no login here.
            WorldError: this login may not do that.
        """
        with self._changing() as connection:
            login = self._known(connection, editor, "ready", "withdrawn")
            quote = connection.dialect.identifier_preparer.quote
            connection.exec_driver_sql(f"ALTER ROLE {quote(login)} NOLOGIN PASSWORD NULL")
            # This takes hold at the next statement, also of those who are connected.
            connection.exec_driver_sql(f"REVOKE {quote(self.group)} FROM {quote(login)}")
            if _superuser(connection):
                # Nobody else may; and who may read nothing could still keep a lock.
                connection.execute(
                    sa.text(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        " WHERE usename = :login"
                    ),
                    {"login": login},
                )
            self._note(connection, "withdraw an editor's login", editor)
        return LoginState(editor, login, "withdrawn")

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        with self._database.writing() as connection:
            self._check_campaign(connection)
            if not _role(connection, self.group):
                raise WorldError(
                    "server.not-prepared",
                    f"The server has no group {self.group} for the editors of this database",
                    where=self.where,
                    remedy="Run `madcat-studio server init` first",
                )
            yield connection

    def _check_campaign(self, connection: Connection) -> None:
        if schema_version(connection) is None:
            raise self._database.not_a_campaign()

    def _login(self, connection: Connection, editor: str) -> str | None:
        table = schema.logins
        found: str | None = connection.scalar(
            sa.select(table.c.login).where(table.c.editor_id == editor)
        )
        return found

    def _known(self, connection: Connection, editor: str, *states: str) -> str:
        login = self._login(connection, lookup.editor_id(connection, editor))
        if login is None or self._role_states(connection).get(login) not in states:
            raise InputError(
                "server.no-login",
                f"{editor} has no login on this server",
                where=self.where,
                remedy="Make one with `madcat-studio server user add`",
            )
        return login

    def _note(self, connection: Connection, action: str, editor: str) -> None:
        who = str(connection.exec_driver_sql("SELECT session_user").scalar_one())
        note(connection, self._database.now(connection), action, editor, who=who)


def check_server_address(where: str) -> None:
    """Refuse a folder.

    Raises:
        UsageError: ``server.folder``, ``store.bad-url``.
    """
    if not is_url(where):
        raise UsageError(
            "server.folder",
            "This is a folder; only a server has logins",
            where=where,
            remedy="Name the server's database: postgresql://user@host/database",
        )


def _superuser(connection: Connection) -> bool:
    return connection.exec_driver_sql("SELECT current_setting('is_superuser')").scalar() == "on"


def _role(connection: Connection, name: str) -> bool:
    found = connection.scalar(sa.text("SELECT 1 FROM pg_roles WHERE rolname = :n"), {"n": name})
    return found is not None


def _verifier(connection: Connection, login: str, password: str) -> str:
    """What the server keeps instead of the password, made here; it holds no quotes."""
    if not password:
        raise UsageError(
            "server.empty-password",
            "The password is empty",
            remedy="Type one, or let the program make one with --generate",
        )
    driver: Any = connection.connection.driver_connection
    made: bytes = driver.pgconn.encrypt_password(
        password.encode(), login.encode(), b"scram-sha-256"
    )
    return made.decode("ascii")


def _owned_by_others(connection: Connection, owner: str) -> list[tuple[str, str]]:
    """(kind, name) of tables and functions that an earlier owner made."""
    rows = connection.execute(
        sa.text(
            "SELECT 'TABLE', oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'p')"
            " AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
            " AND pg_get_userbyid(relowner) <> :owner"
            " UNION ALL SELECT 'FUNCTION', oid::regprocedure::text FROM pg_proc"
            " WHERE pronamespace ="
            " (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
            " AND proname LIKE 'studio\\_%' AND pg_get_userbyid(proowner) <> :owner"
        ),
        {"owner": owner},
    )
    return [(kind, name) for kind, name in rows]


def _hide_totals(connection: Connection, owner: str) -> list[str]:
    """Close what tells any login how many rows were ever written, and who is connected."""
    names = connection.execute(
        sa.text(
            "SELECT p.oid::regprocedure::text FROM pg_proc p"
            " JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'pg_catalog'"
            " AND (p.proname LIKE 'pg\\_stat\\_get\\_%' OR p.proname = ANY(:names))"
        ),
        {"names": list(_CLOSED)},
    ).scalars()
    statements = []
    for name in names:
        statements.append(f"REVOKE EXECUTE ON FUNCTION pg_catalog.{name} FROM PUBLIC")
        statements.append(f"GRANT EXECUTE ON FUNCTION pg_catalog.{name} TO {owner}")
    columns = connection.execute(
        sa.text(
            "SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute"
            " WHERE attrelid = 'pg_class'::regclass AND attname <> ALL(:names)"
        ),
        {"names": list(_ROWS_TOLD)},
    ).scalar_one()
    return [
        *statements,
        "REVOKE SELECT ON pg_catalog.pg_class FROM PUBLIC",
        f"GRANT SELECT ({columns}) ON pg_catalog.pg_class TO PUBLIC",
        f"GRANT SELECT ON pg_catalog.pg_class TO {owner}",
    ]
