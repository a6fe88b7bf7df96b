"""The texts that editors save: appended, never changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.model.campaign import (
    Delivery,
    Flag,
    Flagged,
    KitSegment,
    Pass,
    Revision,
    SegmentName,
    SegmentState,
)
from madcat_studio.model.sittings import home_of
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
from madcat_studio.store.holds import NOBODY, holds
from madcat_studio.store.latest import latest_in_pass, latest_revisions
from madcat_studio.store.odd import Setting, setting_of, sound
from madcat_studio.store.returns import returned_segments
from madcat_studio.store.rules import LATEST
from madcat_studio.store.sittings import open_elsewhere

__all__ = ["Revisions"]


class Revisions:
    """Appending and reading revisions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def append(self, revisions: Sequence[Revision]) -> Delivery:
        """Store revisions, all or none. Those stored before are left as they are.

        A revision whose claim is no longer its editor's (released, replaced, handed over) is
        kept as a side revision: work is never refused. So is one from another place than that
        which has the pass open, and one made after another revision than the segment's latest.

        Raises:
            InputError: a segment is not in the kit, or the editor never claimed the pass.
        """
        if self._database.postgresql:
            return deliver(self._database, "texts", revisions, list(map(_to_deliver, revisions)))
        total = Delivery()
        with self._database.writing() as connection:
            now = self._database.now(connection)
            for group in grouped(revisions):
                total += _append(connection, group, now)
        return total

    def latest(self, kit: str, team: str, pass_: Pass) -> dict[SegmentName, Revision]:
        """Segment -> its latest revision in a pass, side revisions left out."""
        with self._database.reading() as connection:
            found = _read(connection, kit, team, pass_, only_latest=True)
        return {revision.segment: revision for revision in found}

    def history(
        self, kit: str, team: str, pass_: Pass, segment: SegmentName | None = None
    ) -> tuple[Revision, ...]:
        """All revisions of a pass, or of one segment in it, in the order of storing."""
        with self._database.reading() as connection:
            found = _read(connection, kit, team, pass_, only_latest=False)
        return tuple(one for one in found if segment is None or one.segment == segment)

    def work_of(
        self, editor: str, begin: datetime, end: datetime
    ) -> Iterator[tuple[str, Pass, SegmentName, SegmentState, int]]:
        """Kit, pass, segment, state and reference words of an editor's revisions.

        Those whose time is from ``begin`` on and before ``end``, in the order of storing within
        a segment.
        """
        documents, segments = schema.documents, schema.segments
        with self._database.reading() as connection:
            table = sound(setting_of(connection), schema.revisions)
            for row in connection.execute(
                sa.select(
                    schema.kits.c.name.label("kit"),
                    table.c.pass_,
                    documents.c.base,
                    segments.c.name.label("segment"),
                    table.c.state,
                    segments.c.reference_words,
                )
                .join_from(table, segments, segments.c.id == table.c.segment_id)
                .join(documents, documents.c.id == segments.c.document_id)
                .join(schema.kits, schema.kits.c.id == table.c.kit_id)
                .where(
                    table.c.editor_id == lookup.editor_id(connection, editor),
                    table.c.at >= begin,
                    table.c.at < end,
                )
                .order_by(table.c.kit_id, table.c.pass_, table.c.segment_id, table.c.number)
            ):
                yield (
                    *(row.kit, Pass(row.pass_), SegmentName(row.base, row.segment)),
                    *(SegmentState(row.state), row.reference_words),
                )

    def flagged(self) -> tuple[Flagged, ...]:
        """All flags as they stand: of the latest revision of each segment in each pass."""
        self._database.for_coordinator()
        with self._database.reading() as connection:
            rows = connection.execute(_flagged(setting_of(connection))).all()
        return tuple(
            Flagged(
                row.kit,
                row.team,
                Pass(row.pass_),
                SegmentName(row.base, row.segment),
                row.editor,
                flag,
                words,
            )
            for row in rows
            for flag, words in _flags(row.flags).items()
        )

    def without_output(self, kit: str) -> frozenset[SegmentName]:
        """The segments of a kit of which its system gave nothing: nobody edits them."""
        items, outputs = schema.kit_items, schema.outputs
        segments, documents = schema.segments, schema.documents
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(documents.c.base, segments.c.name)
                .join_from(items, documents, documents.c.id == items.c.document_id)
                .join(segments, segments.c.document_id == documents.c.id)
                .join(
                    outputs,
                    sa.and_(
                        outputs.c.segment_id == segments.c.id,
                        outputs.c.system_id == items.c.system_id,
                    ),
                )
                .where(items.c.kit_id == lookup.kit_id(connection, kit), outputs.c.text == "")
            ).all()
        return frozenset(SegmentName(*row) for row in rows)

    def kit_segments(self, kit: str, team: str, pass_: Pass) -> tuple[KitSegment, ...]:
        """What the editor of a pass sees, in the order of the kit.

        The transcription is given only where the option ``editing.show_source`` is on.
        """
        with self._database.reading() as connection:
            key = pass_key(connection, kit, team, pass_)
            source = bool(connection.scalar(_SHOW_SOURCE))
            back = returned_segments(
                connection, key[:2], pass_, postgresql=self._database.postgresql
            )
            rows = connection.execute(
                _segments(setting_of(connection), source),
                {
                    **_pass(key),
                    "first_kit": key[0],
                    "first_team": key[1],
                    "first_pass_": Pass.FIRST.value,
                },
            ).all()
        return tuple(
            KitSegment(
                name=SegmentName(row.base, row.name),
                reference=row.reference,
                output=row.output,
                transcription=row.transcription,
                first=(row.first or "") if pass_ is Pass.REVIEW else None,
                text=row.text,
                state=SegmentState(row.state) if row.state else SegmentState.UNTOUCHED,
                reason=row.reason or "",
                flags=_flags(row.flags),
                returned=back.get(row.id),
            )
            for row in rows
        )


def _pass(key: tuple[str, str, str]) -> dict[str, str]:
    return {"kit": key[0], "team": key[1], "pass_": key[2]}


_SHOW_SOURCE = sa.select(schema.options.c.value).where(
    schema.options.c.name == "editing.show_source"
)


@cache
def _segments(setting: Setting, source: bool) -> sa.Select[Any]:
    """What the editor of a pass sees; the first pass is asked for once more, by itself."""
    items, segments, documents = schema.kit_items, schema.segments, schema.documents
    outputs = schema.outputs
    own, first = latest_in_pass(setting), latest_in_pass(setting, "first_")
    return (
        sa.select(
            documents.c.base,
            segments.c.id,
            segments.c.name,
            segments.c.reference,
            (segments.c.transcription if source else sa.null()).label("transcription"),
            outputs.c.text.label("output"),
            own.c.text,
            own.c.state,
            own.c.reason,
            own.c.flags,
            first.c.text.label("first"),
        )
        .join_from(items, documents, items.c.document_id == documents.c.id)
        .join(segments, segments.c.document_id == documents.c.id)
        .join(
            outputs,
            sa.and_(
                outputs.c.segment_id == segments.c.id, outputs.c.system_id == items.c.system_id
            ),
        )
        .outerjoin(own, own.c.segment_id == segments.c.id)
        .outerjoin(first, first.c.segment_id == segments.c.id)
        .where(items.c.kit_id == sa.bindparam("kit"))
        .order_by(items.c.position, segments.c.position)
    )


@cache
def _flagged(setting: Setting) -> sa.Select[Any]:
    segments, documents = schema.segments, schema.documents
    latest = latest_revisions(setting)
    return (
        sa.select(
            schema.kits.c.name.label("kit"),
            schema.teams.c.name.label("team"),
            latest.c.pass_,
            documents.c.base,
            segments.c.name.label("segment"),
            schema.editors.c.name.label("editor"),
            latest.c.flags,
        )
        .join_from(latest, segments, segments.c.id == latest.c.segment_id)
        .join(documents, documents.c.id == segments.c.document_id)
        .join(schema.kits, schema.kits.c.id == latest.c.kit_id)
        .join(schema.teams, schema.teams.c.id == latest.c.team_id)
        .join(schema.editors, schema.editors.c.id == latest.c.editor_id)
        .where(sa.cast(latest.c.flags, sa.Text) != "{}")
        .order_by(
            schema.kits.c.position,
            schema.teams.c.position,
            latest.c.pass_,
            documents.c.base,
            segments.c.position,
        )
    )


def _flags(plain: dict[str, str] | None) -> dict[Flag, str]:
    return {Flag(name): words for name, words in (plain or {}).items()}


def _append(connection: Connection, group: Sequence[Revision], now: datetime) -> Delivery:
    """Store revisions of one pass, editor and claim."""
    table = schema.revisions
    one = group[0]
    key = pass_key(connection, one.kit, one.team, one.pass_)
    editor = lookup.editor_id(connection, one.editor)
    check_claim(connection, key, editor, one)
    hold = holds(connection, [key[0]]).get(key, NOBODY)
    current = hold.claimed and hold.turn == one.turn and hold.editor == editor
    segments = kit_segments(connection, key[0])
    there = stored(connection, table, key[1], [revision.id for revision in group])
    count = numbers(connection, table, key)
    newest = _newest(connection, key) if any(one.base is not None for one in group) else {}
    elsewhere = {
        place: current and open_elsewhere(connection, key, one.turn, place)
        for place in {revision.place for revision in group}
    }
    beside = 0
    rows: list[dict[str, Any]] = []
    for revision in group:
        if revision.id in there:
            continue
        segment = segments.get(revision.segment)
        if segment is None:
            raise not_in_kit(revision)
        there.add(revision.id)
        count[segment] = count.get(segment, 0) + 1
        late = current and (
            elsewhere[revision.place] or revision.base not in (None, newest.get(segment, ""))
        )
        aside = not current or late or revision.side
        beside += int(late and not revision.side)
        if not aside:
            newest[segment] = revision.id
        rows.append(_row(revision, key, segment, editor, count[segment], aside, now))
    if rows:
        check_rows(table.name, rows, f"kit {one.kit}, team {one.team}, {one.pass_} pass")
        connection.execute(table.insert(), rows)
    side = sum(row["side"] for row in rows)
    return Delivery(len(rows), len(group) - len(rows), side, beside)


def _to_deliver(revision: Revision) -> dict[str, object]:
    """What a server is told of a revision beside where it belongs; it gives number and time."""
    where = f"kit {revision.kit}, team {revision.team}, {revision.pass_} pass"
    row = _row(revision, ("", "", revision.pass_), "", "", 1, revision.side, LATEST)
    check_rows(schema.revisions.name, [row], where)
    told = {name: row[name] for name in ("state", "text", "reason", "flags", "side")}
    home = None if revision.place is None else home_of(revision.place)
    return {**told, "after": revision.base, "home": home}


def _newest(connection: Connection, key: tuple[str, str, str]) -> dict[str, str]:
    """Segment -> the id of its latest revision in a pass, by keys."""
    rows = connection.execute(_newest_query(setting_of(connection)), _pass(key))
    return {row.segment_id: row.id for row in rows}


@cache
def _newest_query(setting: Setting) -> sa.Select[Any]:
    latest = latest_in_pass(setting)
    return sa.select(latest.c.segment_id, latest.c.id)


def _row(
    revision: Revision,
    key: tuple[str, str, str],
    segment: str,
    editor: str,
    number: int,
    side: bool,
    now: datetime,
) -> dict[str, Any]:
    if revision.state is SegmentState.UNTOUCHED:
        raise ValueError("a revision is a draft or confirmed")
    return {
        "team_id": key[1],
        "kit_id": key[0],
        "pass_": key[2],
        "segment_id": segment,
        "number": number,
        "id": revision.id,
        "turn": revision.turn,
        "editor_id": editor,
        "machine": revision.machine,
        # The clock of the editor's machine may go fast, but nothing is typed after it is stored.
        "at": min(revision.at, now),
        "stored_at": now,
        "state": revision.state.value,
        "text": revision.text,
        "reason": revision.reason,
        "flags": {flag.value: words for flag, words in revision.flags.items()},
        "side": side,
    }


@cache
def _all_of_pass(setting: Setting) -> sa.Subquery:
    table = sound(setting, schema.revisions)
    of_pass = (table.c[f"{name}_id"] == sa.bindparam(name) for name in ("kit", "team"))
    return sa.select(table).where(*of_pass, table.c.pass_ == sa.bindparam("pass_")).subquery()


@cache
def _revisions(setting: Setting, only_latest: bool) -> sa.Select[Any]:
    segments, documents = schema.segments, schema.documents
    chosen = latest_in_pass(setting) if only_latest else _all_of_pass(setting)
    return (
        sa.select(
            chosen,
            documents.c.base,
            segments.c.name.label("segment"),
            schema.editors.c.name.label("editor"),
        )
        .join_from(chosen, segments, segments.c.id == chosen.c.segment_id)
        .join(documents, documents.c.id == segments.c.document_id)
        .join(schema.editors, schema.editors.c.id == chosen.c.editor_id)
        .order_by(documents.c.base, segments.c.position, chosen.c.number)
    )


def _read(
    connection: Connection, kit: str, team: str, pass_: Pass, *, only_latest: bool
) -> list[Revision]:
    query = _revisions(setting_of(connection), only_latest)
    rows = connection.execute(query, _pass(pass_key(connection, kit, team, pass_)))
    return [
        Revision(
            id=row.id,
            kit=kit,
            team=team,
            pass_=pass_,
            segment=SegmentName(row.base, row.segment),
            editor=row.editor,
            machine=row.machine,
            at=row.at,
            state=SegmentState(row.state),
            text=row.text,
            turn=row.turn,
            reason=row.reason,
            side=row.side,
            flags=_flags(row.flags),
        )
        for row in rows
    ]
