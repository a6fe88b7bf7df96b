"""Where a claimed pass is open: appended, never changed; the latest row of a claim counts.

A text that comes from another place than the one that has the pass open is kept aside: one person
at two machines must not write over what is newer, in whatever order it arrives.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.errors import ConflictError
from madcat_studio.model.campaign import Claim, Pass
from madcat_studio.model.sittings import AS_FILE, Sitting, home_of
from madcat_studio.store import audit, lookup, schema
from madcat_studio.store.claimed import pass_key
from madcat_studio.store.database import Database
from madcat_studio.store.enforcing import check_rows
from madcat_studio.store.holds import NOBODY, PassKey, holds
from madcat_studio.store.odd import Setting, setting_of, sound

__all__ = ["Sittings", "open_elsewhere", "sittings_of"]


class Sittings:
    """Sitting down to a pass, leaving it, and who sits there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def current(self, claim: Claim) -> Sitting | None:
        """Where a claimed pass is open, None where it is nowhere."""
        with self._database.reading() as connection:
            key = pass_key(connection, claim.kit, claim.team, claim.pass_)
            return sittings_of(connection, [key[0]]).get((*key, claim.turn))

    def all(self, *, files: bool = False) -> dict[tuple[str, str, Pass], Sitting]:
        """Where claimed passes are open: (kit, team, pass) -> the place.

        Args:
            files: those only that are out as a file: asked for whenever a board is read.
        """
        kits, teams, table = schema.kits, schema.teams, schema.sittings
        with self._database.reading() as connection:
            chosen: set[str] | None = None
            if files:
                asked = sa.select(table.c.kit_id).where(table.c.place == AS_FILE).distinct()
                chosen = set(connection.scalars(asked))
            found = {} if chosen == set() else sittings_of(connection, chosen)
            if files:
                found = {key: one for key, one in found.items() if one.as_file}
            if not found:
                return {}
            standing = holds(connection, {key[0] for key in found})
            kit_names, team_names = (
                {row.id: row.name for row in connection.execute(sa.select(one.c.id, one.c.name))}
                for one in (kits, teams)
            )
        return {
            (kit_names[key[0]], team_names[key[1]], Pass(key[2])): one
            for key, one in found.items()
            if (hold := standing.get(key[:3], NOBODY)).claimed and hold.turn == key[3]
        }

    def sit(self, claim: Claim, place: str, machine: str) -> None:
        """The pass is open in this place from now on, and nowhere else.

        Raises:
            StudioError: the campaign cannot be written.
        """
        self._append(claim, place, machine, ended=False)

    def leave(self, claim: Claim, place: str, machine: str) -> None:
        """The pass is open in this place no more; nothing is done where it is open elsewhere.

        Raises:
            StudioError: the campaign cannot be written.
        """
        with self._database.writing():
            now = self.current(claim)
            if now is not None and now.place == place:
                self._append(claim, place, machine, ended=True)

    def call_back(self, kit: str, team: str, pass_: Pass, *, by: str) -> str:
        """The file that a pass is out as counts no more: what comes of it is kept aside.

        Returns:
            The editor whose file it is.

        Raises:
            ConflictError: the pass is not out as a file.
        """
        self._database.for_coordinator()
        where = f"kit {kit}, team {team}, {pass_} pass"
        with self._database.writing() as connection:
            self._database.lock(connection, (kit, team, pass_))
            key = pass_key(connection, kit, team, pass_)
            hold = holds(connection, [key[0]]).get(key, NOBODY)
            now = sittings_of(connection, [key[0]]).get((*key, hold.turn))
            if not hold.claimed or now is None or not now.as_file:
                raise ConflictError(
                    "store.not-out",
                    "The pass is not out as a file",
                    where=where,
                    remedy="There is nothing to call back",
                )
            self._insert(connection, (*key, hold.turn), str(hold.editor), AS_FILE, AS_FILE, True)
            audit.note(
                connection, self._database.now(connection), "call bundle back", where, who=by
            )
            editors = schema.editors
            return str(
                connection.scalar(sa.select(editors.c.name).where(editors.c.id == hold.editor))
            )

    def _append(self, claim: Claim, place: str, machine: str, *, ended: bool) -> None:
        with self._database.writing() as connection:
            # Texts of this pass and this row come one after the other.
            self._database.lock(connection, (claim.kit, claim.team, claim.pass_))
            key = pass_key(connection, claim.kit, claim.team, claim.pass_)
            editor = lookup.editor_id(connection, claim.editor)
            self._insert(connection, (*key, claim.turn), editor, place, machine, ended)

    def _insert(
        self,
        connection: Connection,
        key: tuple[str, str, str, int],
        editor: str,
        place: str,
        machine: str,
        ended: bool,
    ) -> None:
        table = schema.sittings
        kit, team, pass_, turn = key
        asked = {"kit": kit, "team": team, "pass_": pass_, "turn": turn}
        number = connection.scalar(_NUMBER, asked)
        row = {
            "kit_id": kit,
            "team_id": team,
            "pass_": pass_,
            "turn": turn,
            "number": int(number or 0) + 1,
            "editor_id": editor,
            "place": place,
            "machine": machine,
            "at": self._database.now(connection),
            "ended": ended,
        }
        check_rows(table.name, [row], f"{pass_} pass")
        connection.execute(table.insert(), row)


_NUMBER = sa.select(sa.func.max(schema.sittings.c.number)).where(
    schema.sittings.c.kit_id == sa.bindparam("kit"),
    schema.sittings.c.team_id == sa.bindparam("team"),
    schema.sittings.c.pass_ == sa.bindparam("pass_"),
    schema.sittings.c.turn == sa.bindparam("turn"),
)


@cache
def _query(setting: Setting) -> sa.Select[Any]:
    table = sound(setting, schema.sittings)
    return sa.select(table).order_by(table.c.number)


@cache
def _query_of_kits(setting: Setting) -> sa.Select[Any]:
    query = _query(setting)
    kit = query.selected_columns["kit_id"]
    return query.where(kit.in_(sa.bindparam("kits", expanding=True)))


def sittings_of(
    connection: Connection, kits: Iterable[str] | None = None
) -> dict[tuple[str, str, str, int], Sitting]:
    """(kit, team, pass, turn) -> where it is open, by keys; what is open nowhere is left out."""
    setting = setting_of(connection)
    if kits is None:
        rows = connection.execute(_query(setting))
    else:
        rows = connection.execute(_query_of_kits(setting), {"kits": list(kits)})
    found: dict[tuple[str, str, str, int], Sitting] = {}
    for row in rows:
        key = row.kit_id, row.team_id, row.pass_, row.turn
        if row.ended:
            found.pop(key, None)
        else:
            found[key] = Sitting(row.place, row.machine, row.at)
    return found


def open_elsewhere(connection: Connection, key: PassKey, turn: int, place: str | None) -> bool:
    """Whether a pass is open in another home than this place's, or out as a file.

    Texts of another window of the same home are in the same spool. An unknown place is never
    elsewhere.
    """
    if place is None:
        return False
    now = sittings_of(connection, [key[0]]).get((*key, turn))
    return now is not None and now.home != home_of(place)
