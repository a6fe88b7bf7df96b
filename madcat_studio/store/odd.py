"""Rows that break a rule all the same: set aside by whoever reads, and named.

They come from an owner's own SQL, from a file that another program wrote to, from damage. A
campaign is looked through for them when it is opened; where there are none, which an index tells
at once, reading costs nothing more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.store import schema
from madcat_studio.store.enforcing import ODD_OPTION, kept
from madcat_studio.store.rules import RULES

__all__ = [
    "OddRow",
    "Setting",
    "find_odd",
    "left_behind",
    "left_out",
    "orphaned",
    "setting_of",
    "sound",
    "sound_with_parents",
    "spelt_rows",
]

_MOST_NAMED = 100

_NAMED = 10
"""How many a sentence names."""


class Setting(NamedTuple):
    """What the words of a question hang on, whatever is asked for.

    Questions are put together once for each, and kept: that takes longer than the answer of a
    small campaign.

    Attributes:
        postgresql: in whose SQL.
        odd: tables in which rows break rules.
    """

    postgresql: bool
    odd: frozenset[str]


def setting_of(connection: Connection) -> Setting:
    """That of the questions of this connection."""
    odd = connection.get_execution_options().get(ODD_OPTION, frozenset())
    return Setting(connection.dialect.name == "postgresql", odd)


@dataclass(frozen=True, slots=True)
class OddRow:
    """A row that was set aside.

    Attributes:
        table: in which it is.
        where: kit, team, pass and what else tells where it belongs.
        what: which rule it breaks, for people.
    """

    table: str
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.table}, {self.where}: {self.what}"


def find_odd(connection: Connection, tables: frozenset[str]) -> tuple[OddRow, ...]:
    """The rows of these tables that break rules, each with the first rule that it breaks."""
    return tuple(one for table in sorted(tables) for one in _find(connection, table))


def left_behind(connection: Connection) -> int:
    """How many such rows another campaign had, of which this one is a copy."""
    table = sound(setting_of(connection), schema.set_aside)
    return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


def left_out(odd: Sequence[OddRow], behind: int) -> tuple[str, ...]:
    """What no figure counts, a sentence each without its full stop; nothing where all rows count.

    Args:
        odd: rows that break rules.
        behind: from :func:`left_behind`.
    """
    told = []
    if odd:
        one = len(odd) == 1
        rows = "1 row breaks" if one else f"{len(odd)} rows break"
        named = "; ".join(map(str, odd[:_NAMED]))
        more = f"; and {len(odd) - _NAMED} more" if len(odd) > _NAMED else ""
        told.append(
            f"{rows} the rules of the campaign's tables and {'counts' if one else 'count'}"
            f" in no figure: {named}{more}"
        )
    if behind:
        rows = "1 row" if behind == 1 else f"{behind} rows"
        told.append(f"{rows} that broke rules stayed behind when this campaign was copied")
    return tuple(told)


def _find(connection: Connection, name: str) -> Iterator[OddRow]:
    postgresql = connection.dialect.name == "postgresql"
    rules = RULES[name]
    table = schema.metadata.tables[name]
    which = " ".join(
        f"WHEN NOT {rule.condition(postgresql=postgresql, prefix=f'{name}.')} THEN {number}"
        for number, rule in enumerate(rules)
    )
    places = [
        ("kit", schema.kits, "kit_id"),
        ("team", schema.teams, "team_id"),
        ("pass", None, "pass_"),
        ("segment", schema.segments, "segment_id"),
        ("turn", None, "turn"),
        ("number", None, "number"),
        ("editor", schema.editors, "editor_id"),
    ]
    columns: list[str] = []
    joins, labels = "", []
    for label, other, column in places:
        if column not in table.c:
            continue
        labels.append(label)
        if other is None:
            columns.append(f"CAST({name}.{column} AS TEXT)")
        else:
            joins += f" LEFT JOIN {other.name} ON {other.name}.id = {name}.{column}"
            columns.append(f"{other.name}.name")
    if not columns:
        key = next(iter(table.primary_key)).name
        columns, labels = [f"CAST({name}.{key} AS TEXT)"], ["entry"]
    query = (
        f"SELECT {', '.join([f'CASE {which} END', *columns])} FROM {name}{joins}"
        f" WHERE NOT ({kept(name, postgresql=postgresql, prefix=f'{name}.')})"
        f" LIMIT {_MOST_NAMED}"
    )
    for number, *values in connection.exec_driver_sql(_spelt(query, postgresql)):
        where = ", ".join(
            f"{label} {value}" for label, value in zip(labels, values, strict=True) if value
        )
        yield OddRow(name, where, rules[number].says)


def _spelt(query: str, postgresql: bool) -> str:
    # The driver looks for parameters, though there are none.
    return query.replace("%", "%%") if postgresql else query


@cache  # the same object, so that what is put together of it can be kept as well
def sound(setting: Setting, table: sa.Table) -> sa.FromClause:
    """A table without the rows that break rules."""
    if table.name not in setting.odd:
        return table
    rules = kept(table.name, postgresql=setting.postgresql, prefix=f"{table.name}.")
    return (
        sa.select(table)
        .where(sa.literal_column(rules, sa.Boolean()))
        .subquery(f"sound_{table.name}")
    )


def sound_with_parents(connection: Connection, table: sa.Table) -> sa.ColumnElement[bool] | None:
    """The condition that a row, and every row that it points to, keeps the rules; None: all do."""
    setting = setting_of(connection)
    if not setting.odd or (table.name not in RULES and not table.foreign_key_constraints):
        return None
    return sa.literal_column(_deep(table, table.name, setting.postgresql), sa.Boolean())


def _deep(table: sa.Table, name: str, postgresql: bool) -> str:
    parts = ["true"]
    if table.name in RULES:
        parts = [f"({kept(table.name, postgresql=postgresql, prefix=f'{name}.')})"]
    for number, key in enumerate(sorted(table.foreign_key_constraints, key=str)):
        parent = key.referred_table
        alias = f"{name}_{number}"
        same = " AND ".join(
            f"{alias}.{one.column.name} = {name}.{one.parent.name}" for one in key.elements
        )
        nothing = " OR ".join(
            f"{name}.{one.parent.name} IS NULL" for one in key.elements if one.parent.nullable
        )
        parts.append(
            f"({nothing or 'false'} OR EXISTS (SELECT 1 FROM {parent.name} AS {alias}"
            f" WHERE {same} AND {_deep(parent, alias, postgresql)}))"
        )
    return f"({' AND '.join(parts)})"


def orphaned(connection: Connection) -> frozenset[str]:
    """The tables of a file in which rows point to rows that are not there.

    Other programs than this do not look after that, unless they are told to. It reads all rows.
    """
    if connection.dialect.name == "postgresql":
        return frozenset()
    return frozenset(connection.exec_driver_sql("PRAGMA foreign_key_check").scalars())


def _spelt_value(connection: Connection, column: sa.Column[Any]) -> sa.ColumnElement[str]:
    text = sa.cast(column, sa.Text)
    if connection.dialect.name == "postgresql":
        return text
    # In a file bytes may stand where a text should.
    bytes_ = sa.func.typeof(column, type_=sa.Text()) == "blob"
    return sa.case((bytes_, sa.func.quote(column, type_=sa.Text())), else_=text)


def spelt_rows(connection: Connection, table: sa.Table) -> list[str]:
    """The rows that :func:`sound_with_parents` leaves out, each as JSON of texts."""
    good = sound_with_parents(connection, table)
    if good is None:
        return []
    columns = [_spelt_value(connection, column).label(column.name) for column in table.c]
    query = sa.select(*columns).where(sa.not_(good))
    return [
        json.dumps(dict(row), ensure_ascii=False, sort_keys=True)
        for row in connection.execute(query).mappings()
    ]
