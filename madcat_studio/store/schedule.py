"""When passes are due, and which teams are away. Appended: the latest entry counts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.model.campaign import Pass
from madcat_studio.store import lookup, schema
from madcat_studio.store.audit import note
from madcat_studio.store.database import Database
from madcat_studio.store.enforcing import check_rows
from madcat_studio.store.odd import Setting, setting_of, sound

__all__ = ["Schedule"]


_NAMED = 10
"""How many kits an entry of the trail names."""


class Schedule:
    """Due dates and absences of a campaign."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def due(self) -> Mapping[tuple[str, Pass], datetime]:
        """(kit, pass) -> when it is due, UTC; those without a date are left out."""
        with self._database.reading() as connection:
            rows = connection.execute(_due(setting_of(connection))).all()
        latest = {(name, Pass(pass_)): due for name, pass_, due in rows}
        return {key: due for key, due in latest.items() if due is not None}

    def set_due(
        self, kits: Iterable[str], passes: Collection[Pass], due: datetime | None, *, by: str = ""
    ) -> int:
        """Say when passes of some kits are due, for both teams; None: no more.

        Returns:
            For how many passes of kits it was otherwise before.

        Raises:
            InputError: there is no such kit.
        """
        changed: dict[str, list[Pass]] = {}
        with self._database.writing() as connection:
            self._database.lock(connection)
            now = self._database.now(connection)
            before = self.due()
            for kit in dict.fromkeys(kits):
                key = lookup.kit_id(connection, kit)
                for pass_ in passes:
                    if before.get((kit, pass_)) != due:
                        _add_date(connection, (key, kit), pass_, due, now, by)
                        changed.setdefault(kit, []).append(pass_)
            if changed:
                # One entry, however many kits and passes: a plan has hundreds.
                names = list(changed)
                named = ", ".join(names[:_NAMED])
                more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
                kind = "kit" if len(names) == 1 else f"{len(names)} kits:"
                told = {one for own in changed.values() for one in own}
                which = " and ".join(one for one in Pass if one in told)
                note(
                    connection,
                    now,
                    "set due date",
                    f"{kind} {named}{more}, {which} pass",
                    who=by,
                    detail="none" if due is None else f"{due:%Y-%m-%d %H:%M} UTC",
                )
        return sum(map(len, changed.values()))

    def absent(self) -> frozenset[str]:
        """Names of the teams that are away."""
        table, teams = schema.absences, schema.teams
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(teams.c.name, table.c.absent)
                .join_from(table, teams, teams.c.id == table.c.team_id)
                .order_by(table.c.number)
            ).all()
        latest = {row.name: row.absent for row in rows}
        return frozenset(name for name, absent in latest.items() if absent)

    def set_absent(self, team: str, absent: bool, *, by: str = "", reason: str = "") -> bool:
        """Say that a team is away, or back. Returns False where that was known.

        Raises:
            InputError: there is no such team.
        """
        table = schema.absences
        with self._database.writing() as connection:
            self._database.lock(connection)
            key = lookup.team_id(connection, team)
            if (team in self.absent()) == absent:
                return False
            number = connection.scalar(
                sa.select(sa.func.max(table.c.number)).where(table.c.team_id == key)
            )
            now = self._database.now(connection)
            connection.execute(
                table.insert(),
                {
                    "team_id": key,
                    "number": int(number or 0) + 1,
                    "absent": absent,
                    "at": now,
                    "by": by,
                    "reason": reason,
                },
            )
            action = "team away" if absent else "team back"
            note(connection, now, action, f"team {team}", who=by, detail=reason)
        return True


@cache
def _due(setting: Setting) -> sa.Select[Any]:
    kits, table = schema.kits, sound(setting, schema.due_dates)
    return (
        sa.select(kits.c.name, table.c.pass_, table.c.due)
        .join_from(table, kits, kits.c.id == table.c.kit_id)
        .order_by(table.c.number)
    )


def _add_date(
    connection: Connection,
    kit: tuple[str, str],
    pass_: Pass,
    due: datetime | None,
    now: datetime,
    by: str,
) -> None:
    """Another date for a pass of a kit, given by key and name."""
    table = schema.due_dates
    number = connection.scalar(
        sa.select(sa.func.max(table.c.number)).where(
            table.c.kit_id == kit[0], table.c.pass_ == pass_.value
        )
    )
    row = {
        "kit_id": kit[0],
        "pass_": pass_.value,
        "number": int(number or 0) + 1,
        "due": due,
        "at": now,
        "by": by,
    }
    check_rows(table.name, [row], f"kit {kit[1]}, {pass_} pass")
    connection.execute(table.insert(), row)
