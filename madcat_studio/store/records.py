"""What scoring and the board read: streamed records of segments, progress of passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.model.campaign import (
    DataSet,
    Pass,
    PassProgress,
    SegmentRecord,
    TeamText,
)
from madcat_studio.store import lookup, schema
from madcat_studio.store.holds import NOBODY, Hold, holds
from madcat_studio.store.latest import latest_in_kits
from madcat_studio.store.odd import Setting, setting_of, sound
from madcat_studio.store.plans import substitutions
from madcat_studio.store.times import UtcTime

__all__ = ["progress", "segment_records"]

_NONE = (0, 0, 0, None)
"""Segments confirmed, drafts, words of the confirmed, time of the last text: nothing yet."""

_PASSES = [(pass_, pass_.value) for pass_ in Pass]
"""Asking an enumeration for its members costs as much as all else that is done with a pass."""

_KITS_AT_ONCE = 20
"""Kits whose rows are in memory together: some 2,000 segments."""


def segment_records(connection: Connection, *, practice: bool = False) -> Iterator[SegmentRecord]:
    """Every segment of every kit, kit by kit, in the order of the kits; practice kits on demand."""
    kits = schema.kits
    rows = connection.execute(
        sa.select(kits.c.id, kits.c.name, kits.c.practice).order_by(kits.c.position)
    ).all()
    chosen = [(row.id, row.name) for row in rows if practice or not row.practice]
    editors = lookup.names_of(connection, schema.editors)
    for start in range(0, len(chosen), _KITS_AT_ONCE):
        yield from _records(connection, dict(chosen[start : start + _KITS_AT_ONCE]), editors)


def _records(
    connection: Connection, kits: dict[str, str], editors: dict[Any, str]
) -> Iterator[SegmentRecord]:
    standing = holds(connection, kits)
    asked = {"kits": list(kits)}
    teams = _teams(connection, asked)
    texts = _texts(connection, asked)
    for row in connection.execute(_rows(), asked):
        yield SegmentRecord(
            kit=kits[row.kit_id],
            system=row.system,
            code=row.code,
            base=row.base,
            segment=row.segment,
            genre=row.genre,
            source_document=row.source_document,
            passage=row.passage,
            manuscript=row.manuscript,
            page=row.page,
            scribe=row.scribe,
            exposure=row.exposure,
            data_set=DataSet(row.data_set),
            reference=row.reference,
            output=row.output,
            missing=row.missing,
            scribe_error=row.scribe_error,
            teams=tuple(
                _team_text(row, team, name, standing, texts, editors)
                for team, name in teams.get(row.kit_id, ())
            ),
            conditions=row.conditions,
            track=row.track,
            earlier=row.earlier,
        )


def _team_text(
    row: Any,
    team: str,
    name: str,
    standing: dict[tuple[str, str, str], Hold],
    texts: dict[tuple[str, str, str, str], tuple[str, str]],
    editors: dict[Any, str],
) -> TeamText:
    found: dict[Pass, tuple[str | None, str | None]] = {}
    for pass_ in Pass:
        key = (row.kit_id, team, pass_.value)
        if not standing.get(key, NOBODY).handed_over:
            found[pass_] = (None, None)
        elif not row.output:
            # The system gave nothing, so there was nothing to edit: the reference counts.
            found[pass_] = (row.reference, None)
        else:
            text, editor = texts.get((*key, row.segment_id), ("", ""))
            found[pass_] = (text, editors.get(editor))
    return TeamText(
        team=name,
        first=found[Pass.FIRST][0],
        final=found[Pass.REVIEW][0],
        first_editor=found[Pass.FIRST][1],
        reviewer=found[Pass.REVIEW][1],
    )


_Kits = Mapping[str, Sequence[str]]
"""The parameter ``kits`` of a question: keys of kits."""


def _in_kits(column: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    return column.in_(sa.bindparam("kits", expanding=True))


@cache
def _rows() -> sa.Select[Any]:
    items, segments, documents = schema.kit_items, schema.segments, schema.documents
    outputs, systems = schema.outputs, schema.systems
    return (
        sa.select(
            items.c.kit_id,
            systems.c.name.label("system"),
            systems.c.code,
            systems.c.earlier,
            documents.c.base,
            documents.c.genre,
            documents.c.source_document,
            documents.c.passage,
            documents.c.manuscript,
            documents.c.scribe,
            documents.c.exposure,
            documents.c.data_set,
            documents.c.conditions,
            documents.c.track,
            segments.c.id.label("segment_id"),
            segments.c.name.label("segment"),
            segments.c.page,
            segments.c.reference,
            segments.c.scribe_error,
            outputs.c.text.label("output"),
            outputs.c.missing,
        )
        .join_from(items, schema.kits, schema.kits.c.id == items.c.kit_id)
        .join(documents, documents.c.id == items.c.document_id)
        .join(systems, systems.c.id == items.c.system_id)
        .join(segments, segments.c.document_id == documents.c.id)
        .join(
            outputs,
            sa.and_(
                outputs.c.segment_id == segments.c.id, outputs.c.system_id == items.c.system_id
            ),
        )
        .where(_in_kits(items.c.kit_id))
        .order_by(schema.kits.c.position, items.c.position, segments.c.position)
    )


@cache
def _teams_query() -> sa.Select[Any]:
    table, teams = schema.assignments, schema.teams
    return (
        sa.select(table.c.kit_id, teams.c.id, teams.c.name)
        .join_from(table, teams, teams.c.id == table.c.team_id)
        .where(_in_kits(table.c.kit_id))
        .order_by(table.c.kit_id, table.c.position)
    )


def _teams(connection: Connection, kits: _Kits) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for row in connection.execute(_teams_query(), kits):
        found.setdefault(row.kit_id, []).append((row.id, row.name))
    return found


@cache
def _texts_query(setting: Setting) -> sa.Select[Any]:
    latest = latest_in_kits(setting)
    wanted = ("kit_id", "team_id", "pass_", "segment_id", "text", "editor_id")
    return sa.select(*(latest.c[name] for name in wanted))


def _texts(connection: Connection, kits: _Kits) -> dict[tuple[str, str, str, str], tuple[str, str]]:
    rows = connection.execute(_texts_query(setting_of(connection)), kits)
    return {
        (kit, team, pass_, segment): (text, editor)
        for kit, team, pass_, segment, text, editor in rows
    }


@cache
def _plan(setting: Setting, of_first_kits: bool) -> sa.Select[Any]:
    """Each pass of each team over each kit, as planned; ``first_kits`` limits the kits."""
    kits, teams, table = schema.kits, schema.teams, schema.assignments
    roles = sound(setting, schema.roles)
    first, review = (roles.alias(f"{pass_.value}_role") for pass_ in Pass)
    query = (
        sa.select(
            table.c.kit_id,
            table.c.team_id,
            kits.c.name,
            kits.c.segments,
            kits.c.words,
            kits.c.practice,
            teams.c.name.label("team"),
            first.c.editor_id,
            review.c.editor_id,
        )
        .select_from(
            table.join(kits, kits.c.id == table.c.kit_id)
            .join(teams, teams.c.id == table.c.team_id)
            .outerjoin(first, _planned(first, table, Pass.FIRST))
            .outerjoin(review, _planned(review, table, Pass.REVIEW))
        )
        .order_by(kits.c.position, table.c.position)
    )
    if of_first_kits:
        limit = sa.bindparam("first_kits", type_=sa.Integer())
        chosen = sa.select(kits.c.id).order_by(kits.c.position).limit(limit)
        query = query.where(kits.c.id.in_(chosen))
    return query


def progress(connection: Connection, first_kits: int | None = None) -> tuple[PassProgress, ...]:
    """How far every pass of every team over every kit is, in the order of the kits.

    Of so many kits from the beginning, where that is said.

    A segment for which the system gave nothing counts as confirmed: there is nothing to do.
    """
    query = _plan(setting_of(connection), first_kits is not None)
    rows = connection.execute(query, {} if first_kits is None else {"first_kits": first_kits}).all()
    standing = holds(connection, None if first_kits is None else {row.kit_id for row in rows})
    later = substitutions(connection)
    editors = lookup.names_of(connection, schema.editors)
    # Only kits that are being worked on are counted; of the others the numbers are known.
    begun = {key[0] for key, hold in standing.items() if not hold.handed_over and hold.turn}
    counted = _counts(connection, begun)
    nothing = _nothing_to_do(connection, begun)
    found = []
    for kit, team, kit_name, segments, total, practice, team_name, *planned in rows:
        before: Hold | None = None
        for (pass_, name), editor in zip(_PASSES, planned, strict=True):
            key = (kit, team, name)
            hold = standing.get(key, NOBODY)
            state, before = hold.state(before), hold
            turn, holder, machine, at, claimed, handed_over, _ = hold
            if handed_over:
                confirmed, drafts, words, last = segments, 0, total, None
            elif turn:
                free = nothing.get(kit, (0, 0))
                confirmed, drafts, words, last = counted.get(key, _NONE)
                confirmed, words = confirmed + free[0], words + free[1]
            else:
                confirmed, drafts, words, last = _NONE
            if claimed or handed_over:
                editor = holder
            else:
                editor, at = later.get(key, editor), None
            found.append(
                # By place: names of arguments cost a quarter of it all.
                PassProgress(
                    kit_name,
                    team_name,
                    pass_,
                    state,
                    editors.get(editor),
                    machine if claimed else None,
                    at,
                    segments,
                    confirmed,
                    drafts,
                    total,
                    words,
                    last,
                    practice,
                )
            )
    return tuple(found)


def _planned(role: sa.FromClause, assignment: sa.Table, pass_: Pass) -> sa.ColumnElement[bool]:
    return sa.and_(
        role.c.kit_id == assignment.c.kit_id,
        role.c.team_id == assignment.c.team_id,
        role.c.pass_ == pass_.value,
        role.c.turn == 1,
    )


def _counts(
    connection: Connection, kits: set[str]
) -> dict[tuple[str, str, str], tuple[int, int, int, datetime | None]]:
    rows = connection.execute(_counts_query(setting_of(connection)), {"kits": sorted(kits)})
    return {
        (row.kit_id, row.team_id, row.pass_): (row.confirmed, row.drafts, row.words, row.last)
        for row in rows
    }


@cache
def _counts_query(setting: Setting) -> sa.Select[Any]:
    latest, segments = latest_in_kits(setting), schema.segments
    items, outputs = schema.kit_items, schema.outputs
    done = latest.c.state == "confirmed"
    # No text is younger than its arrival, whatever its editor's clock says.
    wrong = latest.c.stored_at < latest.c.at
    at = sa.case((wrong, latest.c.stored_at), else_=latest.c.at)
    return (
        sa.select(
            latest.c.kit_id,
            latest.c.team_id,
            latest.c.pass_,
            sa.func.sum(sa.case((done, 1), else_=0)).label("confirmed"),
            sa.func.sum(sa.case((done, 0), else_=1)).label("drafts"),
            sa.func.sum(sa.case((done, segments.c.reference_words), else_=0)).label("words"),
            sa.func.max(at, type_=UtcTime()).label("last"),
        )
        .join_from(latest, segments, segments.c.id == latest.c.segment_id)
        .join(
            items,
            sa.and_(
                items.c.kit_id == latest.c.kit_id,
                items.c.document_id == segments.c.document_id,
            ),
        )
        .join(
            outputs,
            sa.and_(
                outputs.c.segment_id == segments.c.id, outputs.c.system_id == items.c.system_id
            ),
        )
        .where(outputs.c.text != "")
        .group_by(latest.c.kit_id, latest.c.team_id, latest.c.pass_)
    )


def _nothing_to_do(connection: Connection, kits: set[str]) -> dict[str, tuple[int, int]]:
    rows = connection.execute(_nothing_query(), {"kits": sorted(kits)})
    return {row.kit_id: (row.segments, row.words) for row in rows}


@cache
def _nothing_query() -> sa.Select[Any]:
    items, segments, outputs = schema.kit_items, schema.segments, schema.outputs
    return (
        sa.select(
            items.c.kit_id,
            sa.func.count().label("segments"),
            sa.func.sum(segments.c.reference_words).label("words"),
        )
        .join_from(items, segments, segments.c.document_id == items.c.document_id)
        .join(
            outputs,
            sa.and_(
                outputs.c.segment_id == segments.c.id, outputs.c.system_id == items.c.system_id
            ),
        )
        .where(_in_kits(items.c.kit_id), outputs.c.text == "")
        .group_by(items.c.kit_id)
    )
