"""What there is to know of a campaign's server before editors are let in: facts, no judgement."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection, make_url

from madcat_studio.store.database import Database
from madcat_studio.store.guards import GUARDS
from madcat_studio.store.rights import RIGHTS, editor_group, fingerprint
from madcat_studio.store.schema import SCHEMA_VERSION
from madcat_studio.store.server import check_server_address
from madcat_studio.store.tls import asks_here, is_local
from madcat_studio.store.upgrade import schema_version

__all__ = ["ServerFacts", "inspect_server"]

_HERE = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """How a server stands. Names are those of tables, views and roles.

    Attributes:
        version: of PostgreSQL, as it says; ``number``: such as 150004.
        seconds_ahead: the server's clock against this machine's.
        encrypted: this connection; ``local``: the server is on this machine.
        verified: the driver checks the server's certificate.
        tls: the server offers encryption.
        scram: new passwords are kept as SCRAM verifiers.
        open_doors: lines of pg_hba.conf that let others in without encryption or password; None
            where only a superuser may read them.
        group: the editors' role is there.
        tables: schema version of the campaign; None where there is none. ``current``: the one
            that this program knows.
        owner: of the tables; ``owners``: all of them, which should be one.
        unprotected: tables without row-level security.
        without_policy: tables that have row-level security and no policy.
        plain_views: views that run with their owner's rights.
        public: what everybody may use: tables, functions, the schema, the database.
        strangers: roles besides owner and group that have rights on tables.
        rights_current: policies and functions are this program's.
        editors, logins: how many there are, and how many of them may come in.
        powerful: logins of editors that are superusers, may bypass row-level security or make
            roles.
        totals_hidden: the server's statistics are closed to editors.
    """

    version: str
    number: int
    seconds_ahead: float
    encrypted: bool
    local: bool
    verified: bool
    tls: bool
    scram: bool
    open_doors: tuple[str, ...] | None
    group: bool
    tables: str | None
    current: bool
    owner: str
    owners: tuple[str, ...]
    unprotected: tuple[str, ...]
    without_policy: tuple[str, ...]
    plain_views: tuple[str, ...]
    public: tuple[str, ...]
    strangers: tuple[str, ...]
    rights_current: bool
    editors: int
    logins: int
    powerful: tuple[str, ...]
    totals_hidden: bool


def inspect_server(where: str) -> ServerFacts:
    """Look at the server at an address.

    Raises:
        WorldError: it is away, or refuses the login.
        UsageError: it is no address of a server.
    """
    check_server_address(where)
    database = Database(where, read_only=True)
    try:
        with database.reading() as connection:
            return _facts(connection, database)
    finally:
        database.close()


def _facts(connection: Connection, database: Database) -> ServerFacts:
    url = make_url(database.where)
    owners = _names(
        connection,
        f"SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class WHERE relnamespace = {_HERE}"
        " AND relkind IN ('r', 'p')",
    )
    name = str(connection.exec_driver_sql("SELECT current_database()").scalar_one())
    version = schema_version(connection)
    return ServerFacts(
        version=str(connection.exec_driver_sql("SHOW server_version").scalar_one()),
        number=int(connection.exec_driver_sql("SHOW server_version_num").scalar_one()),
        seconds_ahead=(database.now(connection) - datetime.now(UTC)).total_seconds(),
        encrypted=_encrypted(connection),
        local=asks_here(url),
        verified=str(url.query.get("sslmode", "")).startswith("verify"),
        tls=connection.exec_driver_sql("SHOW ssl").scalar_one() == "on",
        scram=connection.exec_driver_sql("SHOW password_encryption").scalar_one()
        == "scram-sha-256",
        open_doors=_open_doors(connection, name),
        group=bool(
            _names(
                connection, "SELECT rolname FROM pg_roles WHERE rolname = :n", editor_group(name)
            )
        ),
        tables=version,
        current=version == SCHEMA_VERSION,
        owner=owners[0] if owners else "",
        owners=owners,
        unprotected=_names(
            connection,
            f"SELECT relname FROM pg_class WHERE relnamespace = {_HERE}"
            " AND relkind IN ('r', 'p', 'f') AND NOT relrowsecurity",
        ),
        without_policy=_names(
            connection,
            f"SELECT relname FROM pg_class c WHERE relnamespace = {_HERE} AND relrowsecurity"
            " AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid)",
        ),
        plain_views=_names(
            connection,
            f"SELECT relname FROM pg_class WHERE relnamespace = {_HERE} AND relkind IN ('v', 'm')"
            " AND NOT coalesce(reloptions::text LIKE '%security_invoker=true%', false)",
        ),
        public=_public(connection),
        strangers=_strangers(connection, editor_group(name)),
        rights_current=_rights_current(connection),
        editors=_count(connection, "editors", version),
        logins=_ready(connection, editor_group(name), version),
        powerful=_names(
            connection,
            "SELECT r.rolname FROM pg_roles r JOIN pg_auth_members m ON m.member = r.oid"
            " JOIN pg_roles g ON g.oid = m.roleid WHERE g.rolname = :n"
            " AND r.rolname NOT IN (SELECT pg_get_userbyid(datdba) FROM pg_database"
            " WHERE datname = current_database())"
            " AND (r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR r.rolcreatedb)",
            editor_group(name),
        ),
        totals_hidden=not _names(
            connection,
            "SELECT proname FROM pg_proc WHERE proname = 'pg_stat_get_tuples_inserted'"
            " AND (proacl IS NULL OR EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = 0))"
            " UNION ALL SELECT relname FROM pg_class WHERE oid = 'pg_class'::regclass"
            " AND EXISTS (SELECT FROM aclexplode(relacl) WHERE grantee = 0)",
        ),
    )


def _names(connection: Connection, query: str, name: str | None = None) -> tuple[str, ...]:
    given = {} if name is None else {"n": name}
    return tuple(str(one) for one in connection.execute(sa.text(query), given).scalars())


def _encrypted(connection: Connection) -> bool:
    query = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
    return bool(connection.exec_driver_sql(query).scalar())


def _count(connection: Connection, table: str, version: str | None) -> int:
    if version != SCHEMA_VERSION:
        return 0
    return int(connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())


def _ready(connection: Connection, group: str, version: str | None) -> int:
    if version != SCHEMA_VERSION:
        return 0
    query = (
        "SELECT count(*) FROM logins l JOIN pg_roles r ON r.rolname = l.login AND r.rolcanlogin"
        " JOIN pg_auth_members m ON m.member = r.oid"
        " JOIN pg_roles g ON g.oid = m.roleid AND g.rolname = :n"
    )
    return connection.scalar(sa.text(query), {"n": group}) or 0


def _open_doors(connection: Connection, database: str) -> tuple[str, ...] | None:
    allowed = connection.exec_driver_sql(
        "SELECT has_table_privilege('pg_hba_file_rules', 'SELECT')"
        " AND has_function_privilege('pg_hba_file_rules()', 'EXECUTE')"
    ).scalar()
    if not allowed:
        return None
    rows = connection.exec_driver_sql(
        "SELECT line_number, type, database, address, auth_method FROM pg_hba_file_rules"
        " WHERE error IS NULL ORDER BY line_number"
    )
    found = []
    for line, kind, databases, address, method in rows:
        near = kind == "local" or (address is not None and _loopback(address))
        ours = {"all", database} & set(databases)
        if near or not ours or method == "reject":
            continue
        if kind in ("host", "hostnossl", "hostnogssenc"):
            found.append(f"line {line}: {kind} {address} does not demand encryption")
        elif method in ("trust", "password", "md5", "ident"):
            found.append(f"line {line}: {kind} {address} lets in by {method}")
    return tuple(found)


def _loopback(address: str) -> bool:
    return address == "samehost" or is_local(address)


def _public(connection: Connection) -> tuple[str, ...]:
    return _names(
        connection,
        "SELECT 'table ' || relname FROM pg_class c CROSS JOIN LATERAL aclexplode(relacl) a"
        f" WHERE relnamespace = {_HERE} AND a.grantee = 0"
        " UNION SELECT 'columns of ' || relname FROM pg_class c"
        " JOIN pg_attribute t ON t.attrelid = c.oid CROSS JOIN LATERAL aclexplode(t.attacl) a"
        f" WHERE relnamespace = {_HERE} AND a.grantee = 0"
        " UNION SELECT 'function ' || proname FROM pg_proc p CROSS JOIN LATERAL"
        " aclexplode(coalesce(proacl, acldefault('f', proowner))) a"
        f" WHERE pronamespace = {_HERE} AND a.grantee = 0"
        " UNION SELECT 'schema ' || nspname FROM pg_namespace CROSS JOIN LATERAL"
        " aclexplode(coalesce(nspacl, acldefault('n', nspowner))) a"
        f" WHERE oid = {_HERE} AND a.grantee = 0"
        " UNION SELECT 'database ' || datname FROM pg_database CROSS JOIN LATERAL"
        " aclexplode(coalesce(datacl, acldefault('d', datdba))) a"
        " WHERE datname = current_database() AND a.grantee = 0",
    )


def _strangers(connection: Connection, group: str) -> tuple[str, ...]:
    return _names(
        connection,
        "SELECT DISTINCT pg_get_userbyid(a.grantee) FROM pg_class c"
        " LEFT JOIN pg_attribute t ON t.attrelid = c.oid CROSS JOIN LATERAL"
        " (SELECT * FROM aclexplode(relacl) UNION SELECT * FROM aclexplode(t.attacl)) a"
        f" WHERE relnamespace = {_HERE} AND a.grantee NOT IN (0, c.relowner)"
        " AND pg_get_userbyid(a.grantee) <> :n",
        group,
    )


def _rights_current(connection: Connection) -> bool:
    comment = _names(
        connection,
        "SELECT obj_description(oid, 'pg_proc') FROM pg_proc WHERE proname = 'studio_owns'"
        f" AND pronamespace = {_HERE}",
    )
    policies = _names(
        connection,
        "SELECT relname || '.' || polname FROM pg_policy p JOIN pg_class c ON c.oid = polrelid"
        f" WHERE relnamespace = {_HERE}",
    )
    wanted = {f"{table}.studio_read" for table in RIGHTS}
    wanted |= {f"{table}.studio_append" for table, rights in RIGHTS.items() if rights.append}
    # A function that other functions call can be gone without any policy going along.
    functions = _names(
        connection, f"SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = {_HERE}"
    )
    return (
        comment == (f"rights {fingerprint()}",)
        and set(policies) == wanted
        and {one.name for one in GUARDS} <= set(functions)
    )
