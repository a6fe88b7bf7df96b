"""The log of visits: appended, never changed, read by its editor and the coordinator."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache
from itertools import chain
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.model.campaign import Delivery, Pass, SegmentName
from madcat_studio.model.visits import (
    TIMES_ONLY_OPTION,
    Visit,
    events_of,
    plain_events,
)
from madcat_studio.model.visitsums import VisitsOfPass, parse_all_sums, sums_of, sums_of_plain
from madcat_studio.store import lookup, schema
from madcat_studio.store.claimed import (
    check_claim,
    grouped,
    kit_segments,
    not_in_kit,
    numbers,
    pass_key,
    stored,
)
from madcat_studio.store.database import Database
from madcat_studio.store.delivering import deliver
from madcat_studio.store.enforcing import check_rows
from madcat_studio.store.odd import setting_of, sound
from madcat_studio.store.rules import LATEST

__all__ = ["DERIVED", "Visits"]

log = logging.getLogger("madcat_studio.store.odd")


DERIVED = ("sums",)
"""Columns that are made of the others; an editor's login may not read them."""


class Visits:
    """Appending and reading the log."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def times_only(self) -> bool:
        """Whether the campaign records times and nothing else."""
        with self._database.reading() as connection:
            return _times_only(connection)

    def append(self, visits: Sequence[Visit]) -> Delivery:
        """Store visits, all or none. Those stored before are left as they are.

        Where the campaign records times only, nothing else of them is stored.

        Raises:
            InputError: a segment is not in the kit, or the editor never claimed the pass.
        """
        if self._database.postgresql:
            return deliver(self._database, "visits", visits, list(map(_to_deliver, visits)))
        total = Delivery()
        with self._database.writing() as connection:
            now = self._database.now(connection)
            if _times_only(connection):
                visits = [one.times_only for one in visits]
            for group in grouped(visits):
                total += _append(connection, group, now)
        return total

    def any(self) -> bool:
        """Whether anything was recorded, on practice kits too."""
        self._database.for_coordinator()
        with self._database.reading() as connection:
            return connection.scalar(sa.select(schema.visits.c.id).limit(1)) is not None

    def of_pass(self, kit: str, team: str, pass_: Pass, editor: str = "") -> tuple[Visit, ...]:
        """The visits of a pass, of one editor where that is asked, in the order of beginning."""
        if not editor:
            self._database.for_coordinator()
        with self._database.reading() as connection:
            table = sound(setting_of(connection), schema.visits)
            key = pass_key(connection, kit, team, pass_)
            asked = {"kit": key[0], "team": key[1], "pass_": key[2]}
            if editor:
                asked["editor"] = lookup.editor_id(connection, editor)
            query = _of_pass(table, editor != "")
            return tuple(map(_visit, connection.execute(query, asked)))

    def of_segment(self, kit: str, segment: SegmentName) -> tuple[Visit, ...]:
        """The visits to a segment in a kit: by team and pass, then in the order of beginning."""
        self._database.for_coordinator()
        with self._database.reading() as connection:
            table = sound(setting_of(connection), schema.visits)
            query = _query(table).where(
                table.c.kit_id == lookup.kit_id(connection, kit),
                table.c.segment_id == lookup.segment_id(connection, segment),
            )
            order = (schema.teams.c.position, table.c.pass_, schema.editors.c.name)
            return tuple(_visits(connection, query.order_by(*order, table.c.at, table.c.number)))

    def of_editor(self, editor: str, begin: datetime, end: datetime) -> Iterator[Visit]:
        """An editor's visits that began from ``begin`` on and before ``end``; streamed."""
        with self._database.reading() as connection:
            table = sound(setting_of(connection), schema.visits)
            yield from _visits(
                connection,
                _query(table)
                .where(table.c.editor_id == lookup.editor_id(connection, editor))
                .where(table.c.at >= begin, table.c.at < end)
                .order_by(table.c.at, table.c.number),
            )

    def all(self, *, practice: bool = False) -> Iterator[tuple[Visit, int]]:
        """Every visit with the reference words of its segment; streamed.

        By team, editor and pass, then by kit and segment, in the order of beginning. Practice
        kits are left out unless asked for.
        """
        self._database.for_coordinator()
        with self._database.reading() as connection:
            table = sound(setting_of(connection), schema.visits)
            for _, blocks in _by_pass(connection, table, _query(table), practice):
                for row in chain.from_iterable(blocks):
                    yield _visit(row), row.reference_words

    def sums(self) -> Iterator[VisitsOfPass]:
        """What the visits of each pass come to, without practice kits, in the order of :meth:`all`.

        Their events are read only where the campaign holds no sums of them.
        """
        self._database.for_coordinator()
        with self._database.reading() as connection:
            table = sound(setting_of(connection), schema.visits)
            # What is the same for all rows of a query is not asked for: there are very many rows.
            query = _joined(
                table,
                *(schema.kits.c.name, schema.documents.c.base, schema.segments.c.name),
                *(schema.segments.c.reference_words, table.c.ms),
                *(_spelt(connection, table).label("spelt"), table.c.number),
            )
            for who, blocks in _by_pass(connection, table, query, practice=False):
                found = VisitsOfPass(*who, [], [], [], [])
                for block in blocks:
                    # By column: names, and objects of rows, cost as much as all else.
                    kits, bases, segments, words, ms, spelt, numbers = zip(*block, strict=True)
                    places = list(zip(kits, bases, segments, strict=True))
                    sums = parse_all_sums(spelt)
                    found.places.extend(places)
                    found.words.extend(words)
                    found.ms.extend(ms)
                    for place, number, one in zip(places, numbers, sums, strict=True):
                        if one is None:
                            row = _numbered(connection, table, (*who, *place, number))
                            one = sums_of(_visit(row)).plain()
                        found.sums.append(one)
                yield found


def _numbered(connection: Connection, table: sa.FromClause, where: Sequence[Any]) -> Any:
    """The row of one visit: team, editor, pass, kit, document, segment, number."""
    teams, editors, kits = schema.teams, schema.editors, schema.kits
    columns = (
        *(teams.c.name, editors.c.name, table.c.pass_, kits.c.name),
        *(schema.documents.c.base, schema.segments.c.name, table.c.number),
    )
    equal = (column == value for column, value in zip(columns, where, strict=True))
    return connection.execute(_query(table).where(*equal)).one()


def _spelt(connection: Connection, table: sa.FromClause) -> sa.ColumnElement[str | None]:
    """The sums as text; in a file there may be anything, and bytes that are no text."""
    if connection.dialect.name == "postgresql":
        return sa.cast(table.c.sums, sa.Text)
    name = f"{_name(table)}.sums"
    return sa.literal_column(
        f"CASE WHEN typeof({name}) = 'text' AND {name} NOT GLOB '*[^][0-9, ]*' THEN {name} END",
        sa.Text(),
    )


def _name(table: sa.FromClause) -> str:
    """What a query calls visits, or the sound ones of them."""
    return str(table.name)  # type: ignore[attr-defined]


def _by_pass(
    connection: Connection, table: sa.FromClause, query: sa.Select[Any], practice: bool
) -> Iterator[tuple[tuple[str, str, str], Iterator[Sequence[Any]]]]:
    """Team, editor and pass, and blocks of a query's rows in it: by kit and segment, then time."""
    # A query for each editor's pass: one for all would sort the whole log first.
    who = (table.c.team_id, table.c.editor_id, table.c.pass_)
    teams, editors = schema.teams, schema.editors
    people = connection.execute(
        sa.select(*who)
        .distinct()
        .join_from(table, teams, teams.c.id == table.c.team_id)
        .join(editors, editors.c.id == table.c.editor_id)
        .order_by(teams.c.position, editors.c.name, table.c.pass_)
        .add_columns(teams.c.position, editors.c.name, teams.c.name)
    ).all()
    asked: list[sa.ColumnElement[Any]] = [*who]
    if connection.dialect.name == "sqlite":
        # It would go through all that a team did; this leaves it the index of editors.
        asked[0] = sa.literal_column(f"+{_name(table)}.team_id", table.c.team_id.type)
    query = query.where(
        *(own == sa.bindparam(f"who_{c.name}") for own, c in zip(asked, who, strict=True))
    )
    if not practice:
        query = query.where(schema.kits.c.practice.is_(False))
    query = query.order_by(
        schema.kits.c.position,
        schema.documents.c.base,
        schema.segments.c.position,
        table.c.at,
        table.c.number,
    )
    for *own, _, editor, team in people:
        keys = {f"who_{c.name}": key for c, key in zip(who, own, strict=True)}
        # By the thousand: one at a time costs as much as all that is done with a row.
        yield (team, editor, own[2]), connection.execute(query, keys).partitions(1000)


_TIMES_ONLY = sa.select(schema.options.c.value).where(schema.options.c.name == TIMES_ONLY_OPTION)


def _times_only(connection: Connection) -> bool:
    return connection.scalar(_TIMES_ONLY) is True


def _append(connection: Connection, group: Sequence[Visit], now: datetime) -> Delivery:
    """Store visits of one pass, editor and claim."""
    table, one = schema.visits, group[0]
    key = pass_key(connection, one.kit, one.team, one.pass_)
    editor = lookup.editor_id(connection, one.editor)
    check_claim(connection, key, editor, one)
    segments = kit_segments(connection, key[0])
    there = stored(connection, table, key[1], [visit.id for visit in group])
    count = numbers(connection, table, key)
    rows: list[dict[str, Any]] = []
    for visit in group:
        if visit.id in there:
            continue
        segment = segments.get(visit.segment)
        if segment is None:
            raise not_in_kit(visit)
        there.add(visit.id)
        count[segment] = count.get(segment, 0) + 1
        row = _row(visit, key, segment, editor, count[segment], now)
        rows.append({**row, "sums": sums_of_plain(visit.ms, row["events"])})
    if rows:
        check_rows(table.name, rows, f"kit {one.kit}, team {one.team}, {one.pass_} pass")
        connection.execute(table.insert(), rows)
    return Delivery(len(rows), len(group) - len(rows))


def _row(
    visit: Visit, key: tuple[str, str, str], segment: str, editor: str, number: int, now: datetime
) -> dict[str, Any]:
    return {
        "kit_id": key[0],
        "team_id": key[1],
        "pass_": key[2],
        "segment_id": segment,
        "number": number,
        "id": visit.id,
        "turn": visit.turn,
        "editor_id": editor,
        "machine": visit.machine,
        "at": min(visit.at, now),
        "ms": visit.ms,
        "events": plain_events(visit.events),
        "stored_at": now,
    }


def _to_deliver(visit: Visit) -> dict[str, object]:
    """What a server is told of a visit beside where it belongs; it gives number, time and sums."""
    where = f"kit {visit.kit}, team {visit.team}, {visit.pass_} pass"
    row = _row(visit, ("", "", visit.pass_), "", "", 1, LATEST)
    check_rows(schema.visits.name, [row], where)
    return {name: row[name] for name in ("ms", "events")}


@cache
def _of_pass(table: sa.FromClause, of_editor: bool) -> sa.Select[Any]:
    query = _query(table).where(
        table.c.kit_id == sa.bindparam("kit"),
        table.c.team_id == sa.bindparam("team"),
        table.c.pass_ == sa.bindparam("pass_"),
    )
    if of_editor:
        query = query.where(table.c.editor_id == sa.bindparam("editor"))
    return query.order_by(table.c.at, table.c.number)


@cache
def _query(table: sa.FromClause) -> sa.Select[Any]:
    """Visits with the names of where they belong."""
    return _joined(
        table,
        *(column for column in table.c if column.name not in DERIVED),
        schema.documents.c.base,
        schema.segments.c.name.label("segment"),
        schema.segments.c.reference_words,
        schema.editors.c.name.label("editor"),
        schema.kits.c.name.label("kit"),
        schema.teams.c.name.label("team"),
    )


def _joined(table: sa.FromClause, *columns: sa.ColumnElement[Any]) -> sa.Select[Any]:
    """Columns of visits, and of the tables that tell where they belong."""
    segments, documents, editors = schema.segments, schema.documents, schema.editors
    return (
        sa.select(*columns)
        .join_from(table, segments, segments.c.id == table.c.segment_id)
        .join(documents, documents.c.id == segments.c.document_id)
        .join(editors, editors.c.id == table.c.editor_id)
        .join(schema.kits, schema.kits.c.id == table.c.kit_id)
        .join(schema.teams, schema.teams.c.id == table.c.team_id)
    )


def _visits(connection: Connection, query: sa.Select[Any]) -> Iterator[Visit]:
    return map(_visit, connection.execute(query))


def _visit(row: Any) -> Visit:
    events, odd = events_of(row.events)
    if odd:
        log.warning(
            "kit %s, team %s, %s pass, %s %s: %d events of visit %d are none, and were left out",
            *(row.kit, row.team, row.pass_, row.base, row.segment, odd, row.number),
        )
    return Visit(
        id=row.id,
        kit=row.kit,
        team=row.team,
        pass_=Pass(row.pass_),
        segment=SegmentName(row.base, row.segment),
        editor=row.editor,
        machine=row.machine,
        at=row.at,
        ms=row.ms,
        turn=row.turn,
        events=events,
    )
