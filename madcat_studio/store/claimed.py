"""What is appended under a claim: its pass, the segments of the kit, the next numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

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
    claims = schema.claims
    found = connection.scalar(
        sa.select(sa.literal(1)).where(
            claims.c.kit_id == key[0],
            claims.c.team_id == key[1],
            claims.c.pass_ == key[2],
            claims.c.turn == one.turn,
            claims.c.editor_id == editor,
        )
    )
    if found is None:
        raise never_claimed(one)


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
    items, segments, documents = schema.kit_items, schema.segments, schema.documents
    rows = connection.execute(
        sa.select(documents.c.base, segments.c.name, segments.c.id)
        .join_from(items, documents, items.c.document_id == documents.c.id)
        .join(segments, segments.c.document_id == documents.c.id)
        .where(items.c.kit_id == kit)
    )
    return {SegmentName(row.base, row.name): row.id for row in rows}


def stored(connection: Connection, table: sa.Table, team: str, ids: Sequence[str]) -> set[str]:
    """Which of these are in a table already."""
    query = sa.select(table.c.id).where(table.c.team_id == team, table.c.id.in_(ids))
    return set(connection.scalars(query))


def numbers(connection: Connection, table: sa.Table, key: tuple[str, str, str]) -> dict[str, int]:
    """Segment -> the highest number that it has in a table, in one pass."""
    rows = connection.execute(
        sa.select(table.c.segment_id, sa.func.max(table.c.number).label("number"))
        .where(table.c.kit_id == key[0], table.c.team_id == key[1], table.c.pass_ == key[2])
        .group_by(table.c.segment_id)
    )
    return {row.segment_id: row.number for row in rows}
