"""The rules of :mod:`madcat_studio.store.rules` put where nobody gets past them: in the database.

On PostgreSQL each is a CHECK of its table, on SQLite a part of a trigger. They are no steps of the
migrations: like the rights of editors they are set anew, as a whole, whenever the tables are made
or brought up to date. Rules that look at other rows stand here alone: that a pass is handed over
when its segments are confirmed, and a review after its first pass.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from sqlalchemy import exc
from sqlalchemy.engine import Connection

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import Flag, Pass
from madcat_studio.store.begun import not_begun
from madcat_studio.store.rules import REASONED, RULES, Rule, broken
from madcat_studio.store.schema import metadata

__all__ = [
    "BEGUN",
    "COMPLETE",
    "FOLLOWS",
    "KEPT",
    "LOGS",
    "ODD_OPTION",
    "SCRIPT",
    "apply_rules",
    "check_rows",
    "finished",
    "history",
    "kept",
    "odd_tables",
    "rule_broken_by",
    "rule_statements",
    "rules_current",
    "unfinished",
]

BEGUN = "begun"
"""The name of the rule, in files, that a kit is claimed when editing of its track has begun."""

COMPLETE = "complete"
"""The name of the rule that a pass is handed over whole."""

FOLLOWS = "follows"
"""The name of the rule that a review is handed over after its first pass."""

ODD_OPTION = "madcat_studio_odd"
"""The option of a connection that names the tables in which rows break rules."""

LOGS = ("visits",)
"""Tables whose rows nobody changes or removes, not even the owner by oversight."""

KEPT = "kept"
"""The name of the rule for them."""

SCRIPT = "script"
"""The name of the rule that nothing is left in the source's script, for editors' logins."""

_HANDING_OVER = "rule_handing_over"
_CLAIMING = "rule_claiming"

_BETWEEN_ROWS = {
    BEGUN: "a kit is claimed before editing begins",
    COMPLETE: "a pass is handed over whose segments are not all confirmed, or one is to go back",
    FOLLOWS: "a review is handed over whose first pass is not",
    SCRIPT: "a pass is handed over with Arabic left in it that the reference does not have",
    KEPT: "a log is only added to",
}
"""Rules that look at other rows, or at none: what is said where one is broken."""


@cache  # whoever opens a campaign asks for all of them, and they are long
def kept(table: str, *, postgresql: bool, prefix: str = "", deep: bool = True) -> str:
    """The condition that a row of a table keeps all its rules; without ``deep``, but those."""
    return " AND ".join(
        rule.condition(postgresql=postgresql, prefix=prefix)
        for rule in RULES[table]
        if deep or not rule.deep
    )


def unfinished(kit: str, team: str, pass_: str, *, postgresql: bool) -> str:
    """The question for the segments that keep a pass from being handed over.

    They are not confirmed, or flagged to go back to the first pass. Where the system gave nothing
    there is nothing to confirm.

    Args:
        kit, team, pass_: how SQL names the keys of the pass.
        postgresql: in whose SQL.
    """
    sound = kept("revisions", postgresql=postgresql, prefix="n.")
    name = Flag.RETURNED.value
    back = f"v.flags -> '{name}'" if postgresql else f"json_type(v.flags, '$.\"{name}\"')"
    return f"""
    SELECT s.id AS segment FROM kit_items i
    JOIN segments s ON s.document_id = i.document_id
    JOIN outputs o ON o.segment_id = s.id AND o.system_id = i.system_id
    WHERE i.kit_id = {kit} AND o.text <> '' AND NOT EXISTS (
        SELECT 1 FROM revisions v
        WHERE v.kit_id = {kit} AND v.team_id = {team} AND v.pass_ = {pass_}
            AND v.segment_id = s.id AND NOT v.side AND v.state = 'confirmed' AND {back} IS NULL
            AND v.number = (SELECT max(n.number) FROM revisions n
                WHERE n.kit_id = {kit} AND n.team_id = {team} AND n.pass_ = {pass_}
                    AND n.segment_id = s.id AND NOT n.side AND {sound}))"""


def finished(kit: str, team: str, pass_: str, turn: str = "") -> str:
    """The condition that the latest handing over of a pass stands, not taken back.

    Args:
        kit, team, pass_: how SQL names the keys of the pass.
        turn: the same of the claim that was handed over; "": of any.
    """
    key = f"({kit}, {team}, {pass_})"
    return f"""EXISTS (
        SELECT 1 FROM handovers h WHERE (h.kit_id, h.team_id, h.pass_) = {key}
            AND h.number = (SELECT max(n.number) FROM handovers n
                WHERE (n.kit_id, n.team_id, n.pass_) = {key})
            {f"AND h.turn = {turn}" if turn else ""}
            AND NOT EXISTS (SELECT 1 FROM takebacks t
                WHERE (t.kit_id, t.team_id, t.pass_, t.turn, t.number)
                    = (h.kit_id, h.team_id, h.pass_, h.turn, h.number)))"""


# -- in a program -------------------------------------------------------------------------------


def check_rows(table: str, rows: Iterable[Mapping[str, Any]], where: str) -> None:
    """Refuse rows that the database would refuse, with the same words.

    Raises:
        InputError: ``store.rule-broken``, ``store.empty-text``.
    """
    for row in rows:
        rule = broken(table, row)
        if rule is not None:
            raise _refusal(rule.says, where, rule.name)


def _refusal(says: str, where: str, rule: str = "") -> InputError:
    if rule == REASONED:
        return InputError(
            "store.empty-text",
            f"The campaign refuses this: {says}",
            where=where,
            remedy="Write a text, or give a reason for leaving it empty",
        )
    return InputError(
        "store.rule-broken",
        f"The campaign refuses this: {says}",
        where=where,
        remedy="Nothing of it was kept; if it comes from a file, ask for that file again",
    )


def rule_broken_by(error: exc.DBAPIError, where: str) -> InputError | None:
    """What a database refused by one of these rules, as a message; None: it was something else."""
    if isinstance(error.orig, sqlite3.IntegrityError):
        table, _, name = str(error.orig).removeprefix("rule ").partition(".")
    else:
        named = getattr(getattr(error.orig, "diag", None), "constraint_name", None) or ""
        if not named.startswith("rule_"):
            return None
        table, _, name = named.removeprefix("rule_").partition("_")
        for known in RULES:
            if named.startswith(f"rule_{known}_"):
                table, name = known, named.removeprefix(f"rule_{known}_")
    if name in _BETWEEN_ROWS:
        return _refusal(_BETWEEN_ROWS[name], where)
    for rule in RULES.get(table, ()):
        if rule.name == name:
            return _refusal(rule.says, where, rule.name)
    return None


# -- in the databases ---------------------------------------------------------------------------


def apply_rules(connection: Connection) -> None:
    """Set the rules anew, in the transaction of ``connection``."""
    postgresql = connection.dialect.name == "postgresql"
    removals = _server_removals(connection) if postgresql else _file_removals(connection)
    odd = odd_tables(connection) if postgresql else frozenset()
    for statement in (*removals, *rule_statements(postgresql=postgresql, odd=odd)):
        # The driver looks for parameters, though there are none.
        connection.exec_driver_sql(statement.replace("%", "%%") if postgresql else statement)
    if not postgresql:
        connection.exec_driver_sql(f"PRAGMA user_version = {_mark()}")


def rules_current(connection: Connection) -> bool:
    """Whether a file's rules are this program's; a server's are looked at with its rights."""
    return connection.exec_driver_sql("PRAGMA user_version").scalar() == _mark()


@cache
def _mark() -> int:
    return zlib.crc32("\n".join(rule_statements(postgresql=False)).encode()) & 0x7FFFFFFF


def odd_tables(connection: Connection, *, thorough: bool = False) -> frozenset[str]:
    """The tables in which rows break rules.

    ``thorough``: also rules that no index of a file can have; that reads all rows of such a table.
    """
    postgresql = connection.dialect.name == "postgresql"
    asked = " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table}"
        f" WHERE NOT ({kept(table, postgresql=postgresql, deep=postgresql or thorough)}))"
        for table in RULES
    )
    # The driver looks for parameters, though there are none.
    asked = asked.replace("%", "%%") if postgresql else asked
    return frozenset(connection.exec_driver_sql(asked).scalars())


def rule_statements(*, postgresql: bool, odd: Collection[str] = ()) -> Iterator[str]:
    """What sets the rules where there are none; ``odd``: tables whose rows break some already."""
    for table, rules in RULES.items():
        if postgresql:
            yield from _constraints(table, rules, " NOT VALID" if table in odd else "")
        else:
            yield from _triggers(table, rules)
        # Odd rows are found at once among millions: hardly ever is one in it.
        yield (
            f"CREATE INDEX odd_{table} ON {table} ({_sorted_by(table)})"
            f" WHERE NOT ({kept(table, postgresql=postgresql, deep=postgresql)})"
        )
    if not postgresql:
        yield (
            f"CREATE TRIGGER {_CLAIMING} BEFORE INSERT ON claims WHEN {not_begun('NEW.kit_id')}"
            f" BEGIN SELECT RAISE(ABORT, 'rule claims.{BEGUN}'); END"
        )
        for table in LOGS:
            for event in ("UPDATE", "DELETE"):
                yield (
                    f"CREATE TRIGGER rule_{table}_{KEPT}_{event.lower()} BEFORE {event} ON {table}"
                    f" BEGIN SELECT RAISE(ABORT, 'rule {table}.{KEPT}'); END"
                )
        left = unfinished("NEW.kit_id", "NEW.team_id", "NEW.pass_", postgresql=False)
        first = finished("NEW.kit_id", "NEW.team_id", f"'{Pass.FIRST}'")
        yield (
            f"CREATE TRIGGER {_HANDING_OVER} BEFORE INSERT ON handovers BEGIN SELECT CASE"
            f" WHEN NEW.pass_ = '{Pass.REVIEW}' AND NOT {first}"
            f" THEN RAISE(ABORT, 'rule handovers.{FOLLOWS}')"
            f" WHEN EXISTS ({left}) THEN RAISE(ABORT, 'rule handovers.{COMPLETE}') END; END"
        )


def _sorted_by(table: str) -> str:
    return next(iter(metadata.tables[table].primary_key)).name


@contextmanager
def history(connection: Connection) -> Iterator[None]:
    """Within, claims and hand-overs are written as they were.

    A pass may have been taken back since, or the calendar changed.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("ALTER TABLE handovers DISABLE TRIGGER studio_handing_over")
        yield
        connection.exec_driver_sql("ALTER TABLE handovers ENABLE TRIGGER studio_handing_over")
    else:
        for trigger in (_CLAIMING, _HANDING_OVER):
            connection.exec_driver_sql(f"DROP TRIGGER {trigger}")
        yield
        apply_rules(connection)


def _constraints(table: str, rules: tuple[Rule, ...], valid: str) -> Iterator[str]:
    for rule in rules:
        # Odd rows that are there stay, and are set aside by whoever reads.
        yield (
            f"ALTER TABLE {table} ADD CONSTRAINT rule_{table}_{rule.name}"
            f" CHECK ({rule.condition(postgresql=True)}){valid}"
        )


def _triggers(table: str, rules: tuple[Rule, ...]) -> Iterator[str]:
    cases = " ".join(
        f"WHEN NOT {rule.condition(postgresql=False, prefix='NEW.')}"
        f" THEN RAISE(ABORT, 'rule {table}.{rule.name}')"
        for rule in rules
    )
    for event in ("INSERT", "UPDATE"):
        yield (
            f"CREATE TRIGGER rule_{table}_{event.lower()} BEFORE {event} ON {table}"
            f" BEGIN SELECT CASE {cases} END; END"
        )


def _file_removals(connection: Connection) -> list[str]:
    found = connection.exec_driver_sql(
        "SELECT type, name FROM sqlite_master WHERE (type = 'trigger' AND name LIKE 'rule!_%'"
        " ESCAPE '!') OR (type = 'index' AND name LIKE 'odd!_%' ESCAPE '!')"
    ).all()
    return [f'DROP {kind} "{name}"' for kind, name in found]


def _server_removals(connection: Connection) -> list[str]:
    quote = connection.dialect.identifier_preparer.quote
    here = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
    checks = connection.exec_driver_sql(
        "SELECT conname, relname FROM pg_constraint k JOIN pg_class c ON c.oid = conrelid"
        f" WHERE relnamespace = {here} AND contype = 'c' AND conname LIKE 'rule\\_%%'"
    ).all()
    indexes = connection.exec_driver_sql(
        f"SELECT relname FROM pg_class WHERE relnamespace = {here} AND relkind = 'i'"
        " AND relname LIKE 'odd\\_%%'"
    ).scalars()
    return [
        *(f"ALTER TABLE {quote(table)} DROP CONSTRAINT {quote(name)}" for name, table in checks),
        *(f"DROP INDEX {quote(name)}" for name in indexes),
    ]
