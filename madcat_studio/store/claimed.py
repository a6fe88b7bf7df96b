"""What is appended under a claim: its pass, the segments of the kit, the next numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import Pass, SegmentName
from madcat_studio.store import lookup, schema

__all__ = [
    "check_claim",
    "grouped",
    "kit_segments",
    "never_claimed",
    "not_in_kit",
    "numbers",
    "pass_key",
    "stored",
]


class _Made(Protocol):
    """A revision, or a visit."""

    @property
    def kit(self) -> str: ...
    @property
    def team(self) -> str: ...
    @property
    def pass_(self) -> Pass: ...
    @property
    def editor(self) -> str: ...
    @property
    def segment(self) -> SegmentName: ...
    @property
    def turn(self) -> int: ...


_One = TypeVar("_One", bound=_Made)


def pass_key(connection: Connection, kit: str, team: str, pass_: Pass) -> tuple[str, str, str]:
    """The keys of kit and team, and the pass.

    Raises:
        InputError: there is no such kit or team.
    """
    return lookup.kit_id(connection, kit), lookup.team_id(connection, team), pass_.value


def grouped(made: Iterable[_One]) -> list[list[_One]]:
    """By pass, editor and claim."""
    groups: dict[tuple[str, str, Pass, str, int], list[_One]] = {}
    for one in made:
        key = (one.kit, one.team, one.pass_, one.editor, one.turn)
        groups.setdefault(key, []).append(one)
    return list(groups.values())


def check_claim(connection: Connection, key: tuple[str, str, str], editor: str, one: _Made) -> None:
    """Refuse what is made under a claim that never was.

    Raises:
        InputError: ``store.never-claimed``.
    """
    asked = {**_pass(key), "turn": one.turn, "editor": editor}
    if connection.scalar(_CLAIM, asked) is None:
        raise never_claimed(one)


def _of_pass(table: sa.Table) -> sa.ColumnElement[bool]:
    return sa.and_(
        table.c.kit_id == sa.bindparam("kit"),
        table.c.team_id == sa.bindparam("team"),
        table.c.pass_ == sa.bindparam("pass_"),
    )


def _pass(key: tuple[str, str, str]) -> dict[str, object]:
    return {"kit": key[0], "team": key[1], "pass_": key[2]}


# Put together once: that takes longer than the answer, and a text asks for them all.

_CLAIM = sa.select(sa.literal(1)).where(
    _of_pass(schema.claims),
    schema.claims.c.turn == sa.bindparam("turn"),
    schema.claims.c.editor_id == sa.bindparam("editor"),
)

_KIT_SEGMENTS = (
    sa.select(schema.documents.c.base, schema.segments.c.name, schema.segments.c.id)
    .join_from(
        schema.kit_items,
        schema.documents,
        schema.kit_items.c.document_id == schema.documents.c.id,
    )
    .join(schema.segments, schema.segments.c.document_id == schema.documents.c.id)
    .where(schema.kit_items.c.kit_id == sa.bindparam("kit"))
)


@cache
def _stored(table: sa.Table) -> sa.Select[Any]:
    ids = table.c.id.in_(sa.bindparam("ids", expanding=True))
    return sa.select(table.c.id).where(table.c.team_id == sa.bindparam("team"), ids)


@cache
def _numbers(table: sa.Table) -> sa.Select[Any]:
    number = sa.func.max(table.c.number).label("number")
    query = sa.select(table.c.segment_id, number).where(_of_pass(table))
    return query.group_by(table.c.segment_id)


def never_claimed(one: _Made) -> InputError:
    """What is said where something is made under a claim that never was."""
    return InputError(
        "store.never-claimed",
        f"{one.editor} never claimed this pass",
        where=f"kit {one.kit}, team {one.team}, {one.pass_} pass",
        remedy="Claim the kit first",
    )


def not_in_kit(one: _Made) -> InputError:
    """What is said where something is made for a segment that the kit does not have."""
    return InputError(
        "store.not-in-kit",
        "The segment is not in the kit",
        where=f"kit {one.kit}, {one.segment}",
    )


def kit_segments(connection: Connection, kit: str) -> dict[SegmentName, str]:
    """The segments of a kit with their keys."""
    rows = connection.execute(_KIT_SEGMENTS, {"kit": kit})
    return {SegmentName(row.base, row.name): row.id for row in rows}


def stored(connection: Connection, table: sa.Table, team: str, ids: Sequence[str]) -> set[str]:
    """Which of these are in a table already."""
    return set(connection.scalars(_stored(table), {"team": team, "ids": list(ids)}))


def numbers(connection: Connection, table: sa.Table, key: tuple[str, str, str]) -> dict[str, int]:
    """Segment -> the highest number that it has in a table, in one pass."""
    rows = connection.execute(_numbers(table), _pass(key))
    return {row.segment_id: row.number for row in rows}
