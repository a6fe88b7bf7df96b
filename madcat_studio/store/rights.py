"""Who may read and append what on a database server: the one list, and what applies it.

An editor's login is a member of the campaign's group of editors. The group may read the columns
that stand here and append to the tables that say so; row-level security narrows both to the
editor of the login. Nobody but the owner may change or delete a row. A table that is not in
:data:`RIGHTS` is closed to editors; a test fails for a table that is missing in it.

The rights are no steps of the migrations: they are set anew, as a whole, whenever the tables of a
server are made or brought up to date, and by ``server init``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.model.sittings import AS_FILE
from madcat_studio.store.begun import BEGIN_OPTION
from madcat_studio.store.covers import COVER_NAME, SHOWN_ID
from madcat_studio.store.enforcing import apply_rules, kept, rule_statements
from madcat_studio.store.guards import (
    BUNDLE_MACHINE,
    CLAIM_OPTION,
    GUARDS,
    TRIGGERS,
)
from madcat_studio.store.rules import RULES
from madcat_studio.store.schema import metadata

__all__ = [
    "RIGHTS",
    "TableRights",
    "apply_rights",
    "editor_group",
    "editor_of_login",
    "fingerprint",
    "read_by_function",
]

VERSION_TABLE = "alembic_version"

_ME = "(SELECT studio_editor())"
_TEAMS = "(SELECT studio_teams())"
_WHO = "(SELECT studio_editor_name())"
_ALL = "true"
_CLAIM = "kit_id, team_id, pass_, turn"


@dataclass(frozen=True, slots=True)
class TableRights:
    """What editors may do with one table.

    Attributes:
        columns: that they may read, separated by blanks; none: they may not read it.
        read: the condition, in SQL, of the rows that they may read.
        append: the condition for rows that they may append; "": they may not append.
        join: what the table ``t`` is joined with, where its rows are shown under covers, once for
            each kit: see ``covers.py``.
        shown: column -> what they read in its place, in SQL.
    """

    columns: str = ""
    read: str = "false"
    append: str = ""
    join: str = ""
    shown: Mapping[str, str] = field(default_factory=dict)

    @property
    def by_function(self) -> bool:
        """Whether editors read these rows by way of a function, and may not touch the table.

        ``EXPLAIN ANALYZE`` of a table tells how many rows a policy left out, and with a condition
        such as ``base = '…'`` whether there is such a row.
        """
        return bool(self.columns) and self.read != _ALL

    @property
    def policy(self) -> str:
        """The condition of the table's own policy, under which no editor's login reads it."""
        return "false" if self.join or self.shown else self.read


CLOSED = TableRights()

_KEY = "kit_id team_id pass_ turn"

_OPENED = "IN (SELECT studio_opened())"
_SEGMENT = SHOWN_ID.format(i="i", s="s")
_ITEM_OF_ROW = (
    "JOIN segments s ON s.id = t.segment_id"
    " JOIN kit_items i ON i.kit_id = t.kit_id AND i.document_id = s.document_id"
)

RIGHTS: dict[str, TableRights] = {
    VERSION_TABLE: TableRights("version_num", _ALL),
    "campaign": TableRights("id name at", _ALL),
    "options": TableRights(
        "name value", f"name LIKE 'editing.%' OR name IN ('{CLAIM_OPTION}', '{BEGIN_OPTION}')"
    ),
    "guidelines": TableRights("version text at", _ALL),
    "secrets": CLOSED,
    "logins": CLOSED,
    # What is evaluated: pages that are in a kit that one has claimed, under their covers, and of
    # them not what tells where they come from, who wrote them, or that they are old ones.
    "blobs": TableRights("sha256 size content", "sha256 IN (SELECT studio_blobs())"),
    "documents": TableRights(
        "id base image_sha256",
        f"i.kit_id {_OPENED}",
        join="JOIN kit_items i ON i.document_id = t.id",
        shown={"id": "i.cover", "base": COVER_NAME.format(i="i")},
    ),
    "segments": TableRights(
        "id document_id position name transcription reference reference_words",
        f"i.kit_id {_OPENED}",
        join="JOIN kit_items i USING (document_id)",
        shown={
            "id": SHOWN_ID.format(i="i", s="t"),
            "document_id": "i.cover",
            "name": "(t.position + 1)::text",
            "transcription": "CASE WHEN studio_shows('source') THEN t.transcription END",
        },
    ),
    "outlines": TableRights(
        "segment_id lines",
        f"i.kit_id {_OPENED} AND studio_shows('page')",
        join="JOIN segments s ON s.id = t.segment_id JOIN kit_items i USING (document_id)",
        shown={"segment_id": _SEGMENT},
    ),
    "scribe_errors": CLOSED,
    "systems": CLOSED,
    "output_files": CLOSED,
    "outputs": TableRights(
        "segment_id system_id text",
        f"i.kit_id {_OPENED}",
        join="JOIN segments s ON s.id = t.segment_id JOIN kit_items i"
        " ON i.document_id = s.document_id AND i.system_id = t.system_id",
        shown={"segment_id": _SEGMENT, "system_id": "i.cover"},
    ),
    "earlier_texts": CLOSED,
    "earlier_scores": CLOSED,
    # Who edits what: one's own teams.
    "teams": TableRights("id name position", f"id IN {_TEAMS}"),
    "editors": TableRights("id name full_name", "id IN (SELECT studio_members())"),
    "memberships": TableRights("team_id editor_id position", f"team_id IN {_TEAMS}"),
    "kits": TableRights("id name position practice segments words", "id IN (SELECT studio_kits())"),
    "kit_items": TableRights(
        "kit_id document_id system_id position",
        f"kit_id {_OPENED}",
        shown={"document_id": "t.cover", "system_id": "t.cover", "position": "t.shown"},
    ),
    "assignments": TableRights("kit_id team_id position", f"team_id IN {_TEAMS}"),
    "roles": TableRights(f"{_KEY} editor_id", f"team_id IN {_TEAMS}"),
    # When, and with whom.
    "due_dates": TableRights("kit_id pass_ number due", "kit_id IN (SELECT studio_kits())"),
    "absences": CLOSED,
    "selections": CLOSED,
    # What editors do: how the passes of one's own teams stand; texts by pass.
    "participations": TableRights(
        "kit_id team_id pass_ editor_id",
        f"editor_id = {_ME}",
    ),
    "claims": TableRights(
        f"{_KEY} editor_id machine at",
        f"team_id IN {_TEAMS}",
        f"editor_id = {_ME} AND machine <> '{BUNDLE_MACHINE}' AND studio_may_claim({_CLAIM})",
    ),
    "releases": TableRights(
        _KEY,
        f"team_id IN {_TEAMS}",
        f"by = {_WHO} AND studio_may_release({_CLAIM})",
    ),
    "handovers": TableRights(
        f"{_KEY} number at",
        f"team_id IN {_TEAMS}",
        f"by = {_WHO} AND studio_may_hand_over({_CLAIM}, number)",
    ),
    "takebacks": TableRights(
        f"{_KEY} number",
        f"team_id IN {_TEAMS}",
        f"by = {_WHO} AND (studio_may_take_back({_CLAIM}, number)"
        f" OR studio_may_send_back({_CLAIM}, number))",
    ),
    "revisions": TableRights(
        f"{_KEY} segment_id number id editor_id machine at state text reason flags side stored_at",
        f"t.editor_id = {_ME} OR (t.kit_id, t.team_id, t.pass_) IN"
        " (SELECT kit, team, pass FROM studio_passes())",
        f"editor_id = {_ME} AND studio_may_append({_CLAIM}, segment_id, side)",
        join=_ITEM_OF_ROW,
        shown={"segment_id": _SEGMENT},
    ),
    # Where one has a pass open; what is out as a file was given out by the coordinator.
    "sittings": TableRights(
        f"{_KEY} number editor_id place machine at ended",
        f"editor_id = {_ME}",
        f"editor_id = {_ME} AND place <> '{AS_FILE}' AND studio_may_sit({_CLAIM}, number)",
    ),
    # An editor's own log, and nobody else's. Aside or not: time that was spent was spent.
    "visits": TableRights(
        f"{_KEY} segment_id number id editor_id machine at ms events stored_at",
        f"t.editor_id = {_ME}",
        f"editor_id = {_ME} AND studio_may_append({_CLAIM}, segment_id, true)",
        join=_ITEM_OF_ROW,
        shown={"segment_id": _SEGMENT},
    ),
    "set_aside": CLOSED,
    "audit": CLOSED,
}
"""Table -> what editors may do with it."""


_READ = re.compile(
    r"(?<![\w.\"])(?<!INTO )(?<!UPDATE )(?<!DELETE FROM )(?<!AS )"
    rf"({'|'.join(table for table, one in RIGHTS.items() if one.by_function)})"
    r"(?![\w.\"(])( AS \w+)?"
)


def read_by_function(statement: str) -> str:
    """A statement of an editor's, asking functions where it reads tables that are read by them.

    Column names follow their table and a dot; what is written to stays a table.
    """
    return _READ.sub(lambda hit: f"studio_read_{hit[1]}(){hit[2] or ' AS ' + hit[1]}", statement)


def editor_group(database: str) -> str:
    """The name of the role that all editors' logins of a database belong to."""
    return f"{database[:56]}_editor"


def editor_of_login(connection: Connection) -> str | None:
    """The id by which the campaign knows whose login this is; None for a coordinator's."""
    # Where the functions are missing, whoever comes in does so by rights of another kind.
    known = connection.exec_driver_sql("SELECT to_regprocedure('studio_editor_name()')").scalar()
    if known is None:
        return None
    name: str | None = connection.exec_driver_sql("SELECT studio_editor_name()").scalar()
    return name


def fingerprint() -> str:
    """Changes whenever the rights do; kept in the database, so that older ones are seen."""
    text = "\n".join((*rule_statements(postgresql=True), *_statements('"here"')))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def apply_rights(connection: Connection) -> None:
    """Set rules, functions, policies and grants anew, in the transaction of ``connection``.

    Nothing is granted to editors where ``server init`` has not made their group.
    """
    apply_rules(connection)
    quote = connection.dialect.identifier_preparer.quote
    schema = quote(str(connection.exec_driver_sql("SELECT current_schema()").scalar_one()))
    for statement in (*_removals(connection), *_statements(schema)):
        # The driver looks for parameters, though there are none.
        connection.exec_driver_sql(statement.replace("%", "%%"))
    connection.exec_driver_sql(f"COMMENT ON FUNCTION studio_owns() IS 'rights {fingerprint()}'")
    name = editor_group(str(connection.exec_driver_sql("SELECT current_database()").scalar_one()))
    known = connection.scalar(sa.text("SELECT 1 FROM pg_roles WHERE rolname = :n"), {"n": name})
    if known is not None:
        for statement in _grants(schema, quote(name)):
            connection.exec_driver_sql(statement)


def _removals(connection: Connection) -> Iterator[str]:
    """Take away whatever rights there were, whoever gave them."""
    quote = connection.dialect.identifier_preparer.quote
    here = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
    for name, table in connection.exec_driver_sql(
        "SELECT p.polname, c.relname FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid"
        f" WHERE c.relnamespace = {here}"
    ).all():
        yield f"DROP POLICY {quote(name)} ON {quote(table)}"
    for table, who in connection.exec_driver_sql(
        "SELECT DISTINCT c.relname, CASE a.grantee WHEN 0 THEN 'PUBLIC'"
        " ELSE quote_ident(pg_get_userbyid(a.grantee)) END"
        " FROM pg_class c LEFT JOIN pg_attribute t ON t.attrelid = c.oid"
        " CROSS JOIN LATERAL (SELECT * FROM aclexplode(c.relacl)"
        " UNION SELECT * FROM aclexplode(t.attacl)) a"
        f" WHERE c.relnamespace = {here} AND c.relkind IN ('r', 'p', 'v', 'm')"
        " AND a.grantee <> c.relowner"
    ).all():
        yield f"REVOKE ALL ON {quote(table)} FROM {who}"
    for trigger in TRIGGERS:
        for table in trigger.tables:
            yield f"DROP TRIGGER IF EXISTS {trigger.name} ON {table}"
    for table, rights in RIGHTS.items():
        if rights.append:
            yield f"DROP RULE IF EXISTS studio_no_merge ON {table}"
    for signature in connection.exec_driver_sql(
        f"SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = {here}"
        " AND proname LIKE 'studio\\_%%'"
    ).scalars():
        yield f"DROP FUNCTION {signature} CASCADE"


def _statements(schema: str) -> Iterator[str]:
    # A printed plan would give the server's estimates of how many rows there are.
    settings = f"SET search_path = {schema}, pg_temp SET debug_print_plan = off"
    around = f"SECURITY DEFINER {settings}"
    for guard in GUARDS:
        rows = f" ROWS {guard.rows}" if guard.rows else ""
        language = "plpgsql" if guard.steps else "sql"
        whose = f"SECURITY INVOKER {settings}" if guard.writes else around
        kind = "VOLATILE" if guard.writes or guard.waits else "STABLE"
        yield (
            f"CREATE FUNCTION {guard.name}({guard.takes}) RETURNS {guard.gives}"
            f" LANGUAGE {language} {kind} {whose}{rows} AS $guard${guard.body}$guard$"
        )
        yield f"REVOKE ALL ON FUNCTION {guard.signature} FROM PUBLIC"
    for trigger in TRIGGERS:
        # Volatile, so that it counts the rows that the same statement has put in.
        yield (
            f"CREATE FUNCTION {trigger.name}() RETURNS trigger LANGUAGE plpgsql"
            f" {around} AS $guard${trigger.body}$guard$"
        )
        yield f"REVOKE ALL ON FUNCTION {trigger.name}() FROM PUBLIC"
        for table in trigger.tables:
            yield (
                f"CREATE TRIGGER {trigger.name} BEFORE {trigger.before} ON {table}"
                f" FOR EACH ROW EXECUTE FUNCTION {trigger.name}()"
            )
    from sqlalchemy.dialects import postgresql  # brings all of its drivers along

    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    for table, rights in RIGHTS.items():
        yield f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
        yield f"CREATE POLICY studio_read ON {table} FOR SELECT USING ({rights.policy})"
        if rights.append:
            yield f"CREATE POLICY studio_append ON {table} FOR INSERT WITH CHECK ({rights.append})"
            # MERGE needs no other right than that to append, and its plan counts all rows. It is
            # refused where a table has a rule; this one changes nothing else.
            yield f"CREATE RULE studio_no_merge AS ON DELETE TO {table} DO ALSO NOTHING"
        if rights.by_function:
            known = metadata.tables[table].columns
            names = rights.columns.split()
            types = (known[name].type.compile(dialect=dialect) for name in names)
            # Quoted: some are words of SQL.
            gives = ", ".join(f'"{name}" {kind}' for name, kind in zip(names, types, strict=True))
            asked = ", ".join(rights.shown.get(name, f't."{name}"') for name in names)
            # What breaks a rule is nobody's to read: an editor's program never meets it.
            rules = (
                f" AND {kept(table, postgresql=True, prefix='t.', deep=False)}"
                if table in RULES
                else ""
            )
            # Not in the order in which the rows were written: that tells what was brought in when.
            keys = [str(place) for place, name in enumerate(names, 1) if known[name].primary_key]
            yield (
                f"CREATE FUNCTION studio_read_{table}() RETURNS TABLE({gives}) LANGUAGE sql"
                f" STABLE {around} AS $guard$SELECT {asked} FROM {table} t {rights.join}"
                f" WHERE ({rights.read}){rules} ORDER BY {', '.join(keys)}$guard$"
            )
            yield f"REVOKE ALL ON FUNCTION studio_read_{table}() FROM PUBLIC"


def _grants(schema: str, group: str) -> Iterator[str]:
    yield f"GRANT USAGE ON SCHEMA {schema} TO {group}"
    for guard in GUARDS:
        if guard.inner:
            continue
        yield f"GRANT EXECUTE ON FUNCTION {guard.signature} TO {group}"
    for table, rights in RIGHTS.items():
        # By column, also where all are granted: that leaves out the hidden ones, which tell how
        # many rows a table has and when they were written.
        if rights.by_function:
            yield f"GRANT EXECUTE ON FUNCTION studio_read_{table}() TO {group}"
        elif rights.columns:
            columns = ", ".join(rights.columns.split())
            yield f"GRANT SELECT ({columns}) ON {table} TO {group}"
        if rights.append:
            yield f"GRANT INSERT ON {table} TO {group}"
