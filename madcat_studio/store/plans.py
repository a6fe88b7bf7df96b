"""Who edits what: teams, editors, kits, assignments. Frozen, kit by kit, at the first claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.errors import ConflictError, InputError
from madcat_studio.model.campaign import (
    Assignment,
    Editor,
    Kit,
    KitItem,
    Pass,
    Team,
    new_id,
)
from madcat_studio.store import lookup, schema
from madcat_studio.store.covers import cover_name, draw_order
from madcat_studio.store.database import Database
from madcat_studio.store.likeness import plain, refuse_alike
from madcat_studio.store.odd import Setting, setting_of, sound

__all__ = ["Plans", "current_roles", "member_id", "substitutions"]


class Plans:
    """Teams, kits and assignments of a campaign."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- teams --------------------------------------------------------------------------------

    def teams(self) -> tuple[Team, ...]:
        """All teams with their editors, in the order in which they were brought in."""
        teams, members, editors = schema.teams, schema.memberships, schema.editors
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(teams.c.name, editors.c.name.label("editor"), editors.c.full_name)
                .join_from(teams, members, teams.c.id == members.c.team_id)
                .join(editors, editors.c.id == members.c.editor_id)
                .order_by(teams.c.position, members.c.position)
            ).all()
        found: dict[str, list[Editor]] = {}
        for row in rows:
            found.setdefault(row.name, []).append(Editor(row.editor, row.full_name))
        return tuple(Team(name, tuple(editors)) for name, editors in found.items())

    def add_team(self, team: Team) -> int:
        """Add a team, or editors to a team that is there. Returns how many editors are new in it.

        An editor may be in several teams; that nobody is on both sides of a kit is held kit by
        kit.

        Raises:
            ConflictError: ``store.look-alike``: a name looks like another's.
        """
        with self._database.writing() as connection:
            there = _by_name(connection, schema.teams)
            key = there.get(plain(team.name))
            if key is None:
                refuse_alike("team", team.name, there)
                key = new_id()
                name = plain(team.name)
                connection.execute(
                    schema.teams.insert(),
                    {"id": key, "name": name, "position": _next(connection, schema.teams)},
                )
            return sum(self._add_member(connection, key, editor) for editor in team.editors)

    def _add_member(self, connection: Connection, team: str, editor: Editor) -> bool:
        members = schema.memberships
        there = _by_name(connection, schema.editors)
        key = there.get(plain(editor.id))
        if key is None:
            refuse_alike("editor", editor.id, there)
            key = new_id()
            connection.execute(
                schema.editors.insert(),
                {"id": key, "name": plain(editor.id), "full_name": editor.name},
            )
        known = connection.scalar(
            sa.select(sa.literal(1)).where(members.c.team_id == team, members.c.editor_id == key)
        )
        if known is not None:
            return False
        position = connection.scalar(
            sa.select(sa.func.count()).select_from(members).where(members.c.team_id == team)
        )
        connection.execute(
            members.insert(), {"team_id": team, "editor_id": key, "position": position}
        )
        return True

    # -- kits ---------------------------------------------------------------------------------

    def kits(self) -> tuple[Kit, ...]:
        """All kits in order, each with its documents in order."""
        kits, items = schema.kits, schema.kit_items
        systems, documents = schema.systems, schema.documents
        with self._database.reading() as connection:
            kit_rows = connection.execute(sa.select(kits).order_by(kits.c.position)).all()
            rows = connection.execute(
                sa.select(items.c.kit_id, systems.c.name, documents.c.base)
                .join_from(items, systems, items.c.system_id == systems.c.id)
                .join(documents, documents.c.id == items.c.document_id)
                .order_by(items.c.kit_id, items.c.position)
            ).all()
        found: dict[str, list[KitItem]] = {}
        for row in rows:
            found.setdefault(row.kit_id, []).append(KitItem(row.name, row.base))
        return tuple(Kit(row.name, tuple(found.get(row.id, ())), row.practice) for row in kit_rows)

    def tracks(self, *, practice: bool = False) -> dict[str, str]:
        """Kit -> its track, in the order of kits with documents; practice kits on demand."""
        kits, items, documents = schema.kits, schema.kit_items, schema.documents
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(kits.c.name, documents.c.track, kits.c.position)
                .distinct()
                .join_from(kits, items, items.c.kit_id == kits.c.id)
                .join(documents, documents.c.id == items.c.document_id)
                .where(sa.true() if practice else kits.c.practice.is_(False))
                .order_by(kits.c.position)
            )
            return {row.name: row.track for row in rows}

    def claimed(self) -> frozenset[str]:
        """Names of the kits that somebody has ever claimed: they stay as they are."""
        kits, claims = schema.kits, schema.claims
        with self._database.reading() as connection:
            rows = connection.scalars(
                sa.select(kits.c.name).where(kits.c.id.in_(sa.select(claims.c.kit_id)))
            )
            return frozenset(rows)

    def empty_kits(self, kits: Sequence[Kit]) -> None:
        """Take everything out of those of the kits that are there and are to hold something else.

        So an output can go from one kit to another when both are planned anew, in the same
        transaction and after this.

        Raises:
            ConflictError: somebody has claimed one of them.
        """
        items = schema.kit_items
        with self._database.writing() as connection:
            self._database.lock(connection)
            keys = {name: key for key, name in lookup.names_of(connection, schema.kits).items()}
            there = {kit.name: kit for kit in self.kits()}
            for kit in kits:
                if kit.name in there and there[kit.name] != kit:
                    _unclaimed(connection, keys[kit.name], kit.name)
                    connection.execute(items.delete().where(items.c.kit_id == keys[kit.name]))

    def remove_kit(self, name: str) -> None:
        """Take a kit out of the plan, with who should edit it and when.

        Raises:
            ConflictError: somebody has claimed it.
            InputError: there is no such kit.
        """
        with self._database.writing() as connection:
            self._database.lock(connection)
            key = lookup.kit_id(connection, name)
            _unclaimed(connection, key, name)
            for table in (
                schema.due_dates, schema.roles, schema.assignments, schema.kit_items
            ):  # fmt: skip
                connection.execute(table.delete().where(table.c.kit_id == key))
            connection.execute(schema.kits.delete().where(schema.kits.c.id == key))

    def plan_kit(self, kit: Kit) -> bool:
        """Make a kit, or plan an unclaimed one anew. Returns False where it was there just so.

        Raises:
            ConflictError: the kit is there, is another, and somebody has claimed it.
            InputError: an output is not there, in another kit too, or a passage is twice in it.
        """
        table = schema.kits
        with self._database.writing() as connection:
            self._database.lock(connection)
            there = connection.execute(
                sa.select(table).where(table.c.name == kit.name)
            ).one_or_none()
            if there is not None:
                if self._kit(connection, there.id, kit.name) == kit:
                    return False
                _unclaimed(connection, there.id, kit.name)
                connection.execute(
                    schema.kit_items.delete().where(schema.kit_items.c.kit_id == there.id)
                )
                key = there.id
                connection.execute(
                    table.update().where(table.c.id == key).values(practice=kit.practice)
                )
            else:
                key = new_id()
                connection.execute(
                    table.insert(),
                    {
                        "id": key,
                        "name": kit.name,
                        "position": _next(connection, table),
                        "practice": kit.practice,
                        "segments": 0,
                        "words": 0,
                    },
                )
            self._fill(connection, key, kit)
        return True

    def _kit(self, connection: Connection, key: str, name: str) -> Kit:
        items, systems, documents = schema.kit_items, schema.systems, schema.documents
        practice = connection.scalar(sa.select(schema.kits.c.practice).filter_by(id=key))
        rows = connection.execute(
            sa.select(systems.c.name, documents.c.base)
            .join_from(items, systems, items.c.system_id == systems.c.id)
            .join(documents, documents.c.id == items.c.document_id)
            .where(items.c.kit_id == key)
            .order_by(items.c.position)
        ).all()
        return Kit(name, tuple(KitItem(row.name, row.base) for row in rows), bool(practice))

    def _fill(self, connection: Connection, key: str, kit: Kit) -> None:
        # A few questions for the whole kit: a plan may have hundreds.
        if len({item.base for item in kit.items}) < len(kit.items):
            raise InputError(
                "store.document-twice",
                "A document would be in the kit twice",
                where=f"kit {kit.name}",
                remedy="Put one of the two rows into another kit",
            )
        if not kit.items:
            raise InputError("store.empty-kit", "The kit has no documents", where=f"kit {kit.name}")
        table = schema.documents
        documents = {
            row.base: row
            for row in connection.execute(
                sa.select(
                    table.c.id, table.c.base, table.c.passage, table.c.manuscript, table.c.track
                ).where(table.c.base.in_([item.base for item in kit.items]))
            )
        }
        systems = {name: key for key, name in lookup.names_of(connection, schema.systems).items()}
        for item in kit.items:
            if item.base not in documents:
                lookup.document_id(connection, item.base)
            if item.system not in systems:
                lookup.system_id(connection, item.system)
        keys = [(systems[item.system], documents[item.base].id) for item in kit.items]
        _check_outputs(connection, key, kit, keys)
        _check_passages(kit, documents)
        _check_tracks(kit, documents)
        _check_names(kit)
        order = draw_order([(documents[one.base].manuscript, one.system) for one in kit.items])
        connection.execute(
            schema.kit_items.insert(),
            [
                {
                    "kit_id": key,
                    "document_id": document,
                    "system_id": system,
                    "position": place,
                    "cover": new_id(),
                    "shown": shown,
                }
                for place, ((system, document), shown) in enumerate(zip(keys, order, strict=True))
            ],
        )
        segments = schema.segments
        total = connection.execute(
            sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(segments.c.reference_words), 0))
            .select_from(segments)
            .where(segments.c.document_id.in_([document for _, document in keys]))
        ).one()
        connection.execute(
            schema.kits.update()
            .where(schema.kits.c.id == key)
            .values(segments=total[0], words=total[1])
        )

    # -- assignments --------------------------------------------------------------------------

    def assignments(self, kit: str | None = None) -> tuple[Assignment, ...]:
        """Assignments as they stand now, in the order of kits and of teams within them.

        Args:
            kit: the kit of which; None: all kits.
        """
        kits, teams, table = schema.kits, schema.teams, schema.assignments
        with self._database.reading() as connection:
            key = None if kit is None else lookup.kit_id(connection, kit)
            chosen = sa.true() if key is None else table.c.kit_id == key
            editors = lookup.names_of(connection, schema.editors)
            rows = connection.execute(
                sa.select(table.c.kit_id, table.c.team_id, kits.c.name, teams.c.name.label("team"))
                .where(chosen)
                .join_from(table, kits, table.c.kit_id == kits.c.id)
                .join(teams, teams.c.id == table.c.team_id)
                .order_by(kits.c.position, table.c.position)
            ).all()
            roles = current_roles(connection, key)
        return tuple(
            Assignment(
                row.name,
                row.team,
                editors.get(roles.get((row.kit_id, row.team_id, Pass.FIRST.value))),
                editors.get(roles.get((row.kit_id, row.team_id, Pass.REVIEW.value))),
            )
            for row in rows
        )

    def assign(self, kit: str, assignments: Sequence[Assignment], *, by: str = "") -> bool:
        """Give a kit to teams, in this order. Returns False where it was just so.

        Raises:
            ConflictError: the kit is assigned otherwise, and somebody has claimed it.
            InputError: a person would be on both sides or in both passes, or is not in the team.
        """
        table = schema.assignments
        with self._database.writing() as connection:
            self._database.lock(connection)
            key = lookup.kit_id(connection, kit)
            before = self.assignments(kit)
            if before == tuple(assignments):
                return False
            if before:
                _unclaimed(connection, key, kit)
                for old in (schema.roles, table):
                    connection.execute(old.delete().where(old.c.kit_id == key))
            people: dict[str, str] = {}
            now = self._database.now(connection)
            for position, one in enumerate(assignments):
                self._assign(connection, key, position, one, people, now, by)
        return True

    def _assign(
        self,
        connection: Connection,
        kit: str,
        position: int,
        one: Assignment,
        people: dict[str, str],
        now: datetime,
        by: str,
    ) -> None:
        team = lookup.team_id(connection, one.team)
        where = f"kit {one.kit}, team {one.team}"
        connection.execute(
            schema.assignments.insert(), {"kit_id": kit, "team_id": team, "position": position}
        )
        for pass_, editor in ((Pass.FIRST, one.first), (Pass.REVIEW, one.reviewer)):
            key = None
            if editor is not None:
                key = member_id(connection, team, editor, where)
                role = f"{pass_} of team {one.team}"
                before = people.setdefault(editor, role)
                if before != role:
                    raise InputError(
                        "store.both-sides",
                        f"{editor} would do both the {before} and the {role} of one kit",
                        where=where,
                        remedy="Nobody may be on both sides of a kit or in both of its passes",
                    )
            connection.execute(
                schema.roles.insert(),
                {
                    "kit_id": kit,
                    "team_id": team,
                    "pass_": pass_.value,
                    "turn": 1,
                    "editor_id": key,
                    "at": now,
                    "by": by,
                    "reason": "planned",
                },
            )


def _check_passages(kit: Kit, documents: Mapping[str, Any]) -> None:
    """No passage twice; ``documents``: BASE -> its row, with passage and manuscript."""
    passages: dict[str, str] = {}
    for item in kit.items:
        passage, manuscript = documents[item.base].passage, documents[item.base].manuscript
        # Two pages of one manuscript are one passage and belong together; two copies do not.
        copy = f"{manuscript} of system {item.system}"
        before = passages.setdefault(passage, copy)
        if before != copy:
            raise InputError(
                "store.passage-twice",
                f"Passage {passage} would be in the kit twice: {before} and {copy}",
                where=f"kit {kit.name}",
                remedy="Put one of them into another kit",
            )


def _check_tracks(kit: Kit, documents: Mapping[str, Any]) -> None:
    """A kit is of one track; ``documents``: BASE -> its row."""
    tracks: dict[str, str] = {}
    for item in kit.items:
        tracks.setdefault(documents[item.base].track, item.base)
    if len(tracks) > 1:
        (one, first), (other, second), *_ = tracks.items()
        raise InputError(
            "store.tracks-mixed",
            f"The kit would hold two tracks: {first} is of {one!r}, {second} of {other!r}",
            where=f"kit {kit.name}",
            remedy="Put them into different kits: tracks are edited and scored separately",
        )


def _check_names(kit: Kit) -> None:
    """No page is called as another one is called for editors: nobody could tell which is meant."""
    covers = {cover_name(kit.name, place) for place in range(len(kit.items))}
    for item in kit.items:
        if item.base in covers:
            raise InputError(
                "store.cover-taken",
                (
                    f"A page is called {item.base}, which would be the editors' name for one "
                    "of this kit's pages"
                ),
                where=f"kit {kit.name}",
                remedy="Give the kit another name",
            )


def _check_outputs(
    connection: Connection, kit_key: str, kit: Kit, keys: Sequence[tuple[str, str]]
) -> None:
    """Every output is there, and in no other kit; ``keys``: of system and document of each item."""
    files, items, kits = schema.output_files, schema.kit_items, schema.kits
    bases = [document for _, document in keys]
    given = {
        tuple(row)
        for row in connection.execute(
            sa.select(files.c.system_id, files.c.document_id).where(files.c.document_id.in_(bases))
        )
    }
    taken: dict[tuple[str, str], str] = {}
    if not kit.practice:
        taken = {
            (row.system_id, row.document_id): row.name
            for row in connection.execute(
                sa.select(items.c.system_id, items.c.document_id, kits.c.name)
                .join_from(items, kits, items.c.kit_id == kits.c.id)
                .where(
                    items.c.document_id.in_(bases),
                    items.c.kit_id != kit_key,
                    kits.c.practice.is_(False),
                )
            )
        }
    for item, key in zip(kit.items, keys, strict=True):
        if key not in given:
            raise InputError(
                "store.no-output",
                f"System {item.system} gave no output for {item.base}",
                where=f"kit {kit.name}",
                remedy="Add the system's output first, or leave the document out of the kit",
            )
        if key in taken:
            raise InputError(
                "store.output-twice",
                f"The output of system {item.system} for {item.base} is already in kit "
                f"{taken[key]}",
                where=f"kit {kit.name}",
                remedy="An output is edited in one kit only, or it would count twice",
            )


def current_roles(
    connection: Connection, kit: str | None = None
) -> dict[tuple[str, str, str], str | None]:
    """(kit, team, pass) -> editor of the pass by plan or substitution; None: any of the team."""
    return {
        **_roles(connection, kit, planned=True),
        **substitutions(connection, kit),
    }


def substitutions(
    connection: Connection, kit: str | None = None
) -> dict[tuple[str, str, str], str | None]:
    """(kit, team, pass) -> editor of the pass, of those where it is another than planned."""
    return _roles(connection, kit, planned=False)


def _roles(
    connection: Connection, kit: str | None, *, planned: bool
) -> dict[tuple[str, str, str], str | None]:
    query = _roles_query(setting_of(connection), planned, kit is not None)
    rows = connection.execute(query, {} if kit is None else {"kit": kit})
    return {(row_kit, team, pass_): editor for row_kit, team, pass_, editor in rows}


@cache
def _roles_query(setting: Setting, planned: bool, of_kit: bool) -> sa.Select[Any]:
    table = sound(setting, schema.roles)
    query = sa.select(table.c.kit_id, table.c.team_id, table.c.pass_, table.c.editor_id)
    query = query.where(table.c.turn == 1 if planned else table.c.turn > 1)
    if of_kit:
        query = query.where(table.c.kit_id == sa.bindparam("kit"))
    return query.order_by(table.c.turn)


_MEMBER = sa.select(sa.literal(1)).where(
    schema.memberships.c.team_id == sa.bindparam("team"),
    schema.memberships.c.editor_id == sa.bindparam("editor"),
)


def member_id(connection: Connection, team: str, editor: str, where: str) -> str:
    """The key of an editor who is in the team. InputError where that is not so."""
    key = lookup.editor_id(connection, editor)
    if connection.scalar(_MEMBER, {"team": team, "editor": key}) is None:
        raise InputError(
            "store.not-in-team",
            f"{editor} is not in the team",
            where=where,
            remedy="Add the editor to the team first",
        )
    return key


def _by_name(connection: Connection, table: sa.Table) -> dict[str, str]:
    rows = connection.execute(sa.select(table.c.name, table.c.id))
    return {plain(row.name): row.id for row in rows}


def _next(connection: Connection, table: sa.Table) -> int:
    found = connection.scalar(sa.select(sa.func.coalesce(sa.func.max(table.c.position), -1)))
    return int(found if found is not None else -1) + 1


def _unclaimed(connection: Connection, kit: str, name: str) -> None:
    claims = schema.claims
    if connection.scalar(sa.select(sa.func.count()).where(claims.c.kit_id == kit)):
        raise ConflictError(
            "store.kit-frozen",
            "The kit has been claimed and cannot be planned again",
            where=f"kit {name}",
            remedy="Plan only kits that nobody has claimed; an editor can be replaced instead",
        )
