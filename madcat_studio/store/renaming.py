"""Giving a person, a team or a system another name: the row stays, and with it all that was done.

Names that are written into rows (who handed over, who released) follow, so that the log goes on
telling of one person; what the coordinator's own entries of before say stays as it was written.
Programs and files that editors have in hand know an editor and a team by name: while one of their
passes is claimed, neither is renamed.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.errors import ConflictError
from madcat_studio.store import audit, lookup, schema
from madcat_studio.store.database import Database
from madcat_studio.store.holds import holds
from madcat_studio.store.likeness import plain, refuse_alike

__all__ = ["Renaming"]

_SIGNED = (
    *(schema.releases, schema.handovers, schema.takebacks, schema.roles),
    *(schema.due_dates, schema.absences, schema.selections),
)
"""Tables whose rows say by name who did it."""


class Renaming:
    """Other names for what is there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def person(self, old: str, new: str, *, by: str = "") -> None:
        """Give an editor another short name.

        Raises:
            InputError: ``store.unknown-editor``.
            ConflictError: ``store.name-taken``, ``store.look-alike``, ``store.name-in-use``.
        """
        self._database.for_coordinator()
        with self._database.writing() as connection:
            self._database.lock(connection)
            key = lookup.editor_id(connection, old)
            name = self._rename(connection, "editor", schema.editors, key, new)
            held = {hold.editor for hold in holds(connection).values() if hold.claimed}
            _free(key in held, "editor", old)
            for table in _SIGNED:
                connection.execute(table.update().where(table.c.by == plain(old)).values(by=name))
            self._note(connection, f"editor {plain(old)}", name, by)

    def full_name(self, editor: str, name: str, *, by: str = "") -> None:
        """Say what a person is called in reports; at any time.

        Raises:
            InputError: ``store.unknown-editor``.
        """
        table = schema.editors
        self._database.for_coordinator()
        with self._database.writing() as connection:
            key = lookup.editor_id(connection, editor)
            before = connection.scalar(sa.select(table.c.full_name).where(table.c.id == key))
            connection.execute(table.update().where(table.c.id == key).values(full_name=name))
            self._note(connection, f"editor {editor}", name, by, f"before: {before}")

    def team(self, old: str, new: str, *, by: str = "") -> None:
        """Give a team another name.

        Raises:
            InputError: ``store.unknown-team``.
            ConflictError: ``store.name-taken``, ``store.look-alike``, ``store.name-in-use``.
        """
        self._database.for_coordinator()
        with self._database.writing() as connection:
            self._database.lock(connection)
            key = lookup.team_id(connection, old)
            name = self._rename(connection, "team", schema.teams, key, new)
            held = {key_[1] for key_, hold in holds(connection).items() if hold.claimed}
            _free(key in held, "team", old)
            self._note(connection, f"team {plain(old)}", name, by)

    def system(self, old: str, new: str, *, by: str = "") -> None:
        """Give a system another name; at any time, since no editor knows it.

        Raises:
            InputError: ``store.unknown-system``.
            ConflictError: ``store.name-taken``, ``store.look-alike``.
        """
        table = schema.systems
        self._database.for_coordinator()
        with self._database.writing() as connection:
            key = lookup.system_id(connection, old)
            codes = connection.scalars(sa.select(table.c.code).where(table.c.id != key))
            if plain(new).casefold() in {code.casefold() for code in codes}:
                raise ConflictError(
                    "store.look-alike",
                    f"The name {new!r} looks like the code of another system",
                    where=new,
                    remedy="Give this system a name that looks different",
                )
            name = self._rename(connection, "system", table, key, new)
            self._note(connection, f"system {plain(old)}", name, by)

    def _rename(
        self, connection: Connection, kind: str, table: sa.Table, key: str, new: str
    ) -> str:
        name = plain(new)
        others = {
            row.name for row in connection.execute(sa.select(table.c.name).where(table.c.id != key))
        }
        if not name or name in others:
            raise ConflictError(
                "store.name-taken",
                f"Another {kind} is called {name!r}"
                if name
                else f"The new name of the {kind} is empty",
                remedy="Choose another name; two cannot be merged into one",
            )
        refuse_alike(kind, name, others)
        connection.execute(table.update().where(table.c.id == key).values(name=name))
        return name

    def _note(
        self, connection: Connection, subject: str, name: str, by: str, more: str = ""
    ) -> None:
        now = self._database.now(connection)
        detail = f"now {name}" + (f"; {more}" if more else "")
        audit.note(connection, now, "rename", subject, who=by, detail=detail)


def _free(held: bool, kind: str, name: str) -> None:
    if held:
        raise ConflictError(
            "store.name-in-use",
            f"This {kind} has a claimed pass, and is known by the name {name} on editors' machines "
            "and in their files",
            where=f"{kind} {name}",
            remedy="Rename when it is handed over or released",
        )
