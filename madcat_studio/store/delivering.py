"""Texts and visits given to a server: one question for all of them, see :mod:`arriving`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from sqlalchemy import exc

from madcat_studio.model.campaign import Delivery, Revision
from madcat_studio.model.visits import Visit
from madcat_studio.store import lookup, schema
from madcat_studio.store.arriving import REFUSED
from madcat_studio.store.claimed import never_claimed, not_in_kit
from madcat_studio.store.database import Database

__all__ = ["deliver"]

_One = TypeVar("_One", Revision, Visit)


class _UnknownName(Exception):
    """The campaign has no kit, team or editor of this name, or the login may not know it."""


def deliver(
    database: Database, what: str, made: Sequence[_One], rows: Sequence[Mapping[str, Any]]
) -> Delivery:
    """Give them to the server, all or none.

    Args:
        database: on a server.
        what: ``texts`` or ``visits``.
        made: what is delivered.
        rows: what is said of each beside where it belongs.

    Raises:
        InputError: ``store.never-claimed``, ``store.not-in-kit``; no such kit, team or editor.
    """
    if not made:
        return Delivery()
    try:
        return _give(database, what, made, rows)
    except _UnknownName:
        try:
            return _give(database, what, _by_their_names(database, made), rows)
        except _UnknownName as unknown:
            raise never_claimed(made[0]) from unknown


def _give(
    database: Database, what: str, made: Sequence[_One], rows: Sequence[Mapping[str, Any]]
) -> Delivery:
    arrived = [{**_place(one), **row} for one, row in zip(made, rows, strict=True)]
    given = {"arrived": json.dumps(arrived)}
    query = f"SELECT studio_append_{what}(%(arrived)s::jsonb)"
    with database.calling() as connection:
        try:
            return Delivery(*connection.exec_driver_sql(query, given).scalar_one())
        except exc.DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) != REFUSED:
                raise
            told = error.orig.diag  # type: ignore[union-attr]
            one = made[int(told.message_detail) - 1]
            if told.message_primary == "unknown":
                raise _UnknownName from error
            refused = not_in_kit if told.message_primary == "outside" else never_claimed
            raise refused(one) from error


def _place(one: Revision | Visit) -> dict[str, object]:
    return {
        "kit": one.kit,
        "team": one.team,
        "pass": one.pass_,
        "turn": one.turn,
        "editor": one.editor,
        "page": one.segment.base,
        "segment": one.segment.segment,
        "id": one.id,
        "machine": one.machine,
        "at": one.at.isoformat(),
    }


def _by_their_names(database: Database, made: Sequence[_One]) -> list[_One]:
    """The same, by the names that the campaign has: one may be spelt so that it looks the same.

    Raises:
        InputError: no such kit, team or editor.
    """
    with database.reading() as connection:
        kits, teams, editors = (
            lookup.names_of(connection, table)
            for table in (schema.kits, schema.teams, schema.editors)
        )
        return [
            replace(
                one,
                kit=kits[lookup.kit_id(connection, one.kit)],
                team=teams[lookup.team_id(connection, one.team)],
                editor=editors[lookup.editor_id(connection, one.editor)],
            )
            for one in made
        ]
