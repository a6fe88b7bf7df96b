"""From the names that people use to the keys that tables use."""

from __future__ import annotations

from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import SegmentName
from madcat_studio.store import schema
from madcat_studio.store.likeness import alike, plain, tell_apart

__all__ = [
    "document_id",
    "editor_id",
    "kit_id",
    "names_of",
    "segment_id",
    "system_id",
    "team_id",
]


def _find(
    connection: Connection, table: sa.Table, column: str, name: str, missing: InputError
) -> str:
    found: str | None = connection.scalar(_key_of(table, column), {"name": name})
    if found is not None:
        return found
    there = {row.name: row.id for row in connection.execute(_names(table, column))}
    same = [one for one in there if plain(one) == plain(name)]
    if len(same) == 1:
        key: str = there[same[0]]
        return key
    other = alike(name, there)
    if other is not None:
        remedy = f"One looks the same: {tell_apart(name, other)}"
        raise InputError(missing.code, missing.reason, where=missing.where, remedy=remedy)
    raise missing


@cache
def _key_of(table: sa.Table, column: str) -> sa.Select[Any]:
    return sa.select(table.c.id).where(table.c[column] == sa.bindparam("name"))


@cache
def _names(table: sa.Table, column: str = "name") -> sa.Select[Any]:
    return sa.select(table.c.id, table.c[column].label("name"))


_REMEDY = "Check the name; `campaign status` shows all of them"


def kit_id(connection: Connection, name: str) -> str:
    """The key of a kit. InputError ``store.unknown-kit`` where there is none."""
    missing = InputError("store.unknown-kit", f"The campaign has no kit {name!r}", remedy=_REMEDY)
    return _find(connection, schema.kits, "name", name, missing)


def team_id(connection: Connection, name: str) -> str:
    """The key of a team. InputError ``store.unknown-team`` where there is none."""
    missing = InputError("store.unknown-team", f"The campaign has no team {name!r}", remedy=_REMEDY)
    return _find(connection, schema.teams, "name", name, missing)


def editor_id(connection: Connection, name: str) -> str:
    """The key of an editor. InputError ``store.unknown-editor`` where there is none."""
    missing = InputError(
        "store.unknown-editor", f"The campaign has no editor {name!r}", remedy=_REMEDY
    )
    return _find(connection, schema.editors, "name", name, missing)


def system_id(connection: Connection, name: str) -> str:
    """The key of a system. InputError ``store.unknown-system`` where there is none."""
    missing = InputError(
        "store.unknown-system", f"The campaign has no system {name!r}", remedy=_REMEDY
    )
    return _find(connection, schema.systems, "name", name, missing)


def document_id(connection: Connection, base: str) -> str:
    """The key of a document. InputError ``store.unknown-document`` where there is none."""
    missing = InputError(
        "store.unknown-document", f"The campaign has no document {base!r}", remedy=_REMEDY
    )
    return _find(connection, schema.documents, "base", base, missing)


def segment_id(connection: Connection, name: SegmentName) -> str:
    """The key of a segment. InputError ``store.unknown-segment`` where there is none."""
    asked = {"base": name.base, "segment": name.segment}
    found: str | None = connection.scalar(_SEGMENT, asked)
    if found is None:
        raise InputError(
            "store.unknown-segment", "The campaign has no such segment", where=str(name)
        )
    return found


_SEGMENT = (
    sa.select(schema.segments.c.id)
    .join_from(
        schema.segments, schema.documents, schema.segments.c.document_id == schema.documents.c.id
    )
    .where(
        schema.documents.c.base == sa.bindparam("base"),
        schema.segments.c.name == sa.bindparam("segment"),
    )
)


def names_of(connection: Connection, table: sa.Table) -> dict[Any, str]:
    """Key -> name of all rows of a table with a ``name``."""
    return {row.id: row.name for row in connection.execute(_names(table))}
