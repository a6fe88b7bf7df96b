"""Segments that a reviewer gives back to the first pass, where the campaign allows it.

Nothing new is stored: the reviewer's text carries a flag, the review's claim is released, and the
first pass's handing over is taken back. A segment stays returned until the first editor has saved
it again; then its review begins anew with that text.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.errors import ConflictError, InputError, UsageError
from madcat_studio.model.campaign import Flag, Pass
from madcat_studio.store import lookup, schema
from madcat_studio.store.audit import RETURN_REASON
from madcat_studio.store.database import Database
from madcat_studio.store.guards import RETURN_OPTION
from madcat_studio.store.holds import NOBODY, holds
from madcat_studio.store.latest import latest_in_pass
from madcat_studio.store.odd import Setting, setting_of

__all__ = ["Returns", "returned_segments"]


class Returns:
    """Giving segments back to the first pass."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def allowed(self) -> bool:
        """Whether the campaign lets reviewers return segments; it does not by default."""
        with self._database.reading() as connection:
            return _allowed(connection)

    def send_back(self, kit: str, team: str, *, editor: str) -> None:
        """End a review for now: the first pass is its editor's again, for the flagged segments.

        Raises:
            UsageError: ``store.returns-off``: the campaign does not allow it.
            ConflictError: the editor does not hold the review.
            InputError: ``store.nothing-returned``: no segment is flagged.
        """
        where = f"kit {kit}, team {team}"
        with self._database.writing() as connection:
            self._database.lock(connection)
            if not _allowed(connection):
                raise UsageError(
                    "store.returns-off",
                    "This campaign does not return segments to the first pass",
                    where=where,
                    remedy=f"The option {RETURN_OPTION} allows it, before the first claim",
                )
            key = lookup.kit_id(connection, kit), lookup.team_id(connection, team)
            standing = holds(connection, [key[0]])
            review = standing.get((*key, Pass.REVIEW.value), NOBODY)
            first = standing.get((*key, Pass.FIRST.value), NOBODY)
            if not review.claimed or review.editor != lookup.editor_id(connection, editor):
                raise ConflictError(
                    "store.not-holder", f"{editor} does not hold this review", where=where
                )
            if not any(Flag.RETURNED in flags for flags, _ in _reviewed(connection, key).values()):
                raise InputError(
                    "store.nothing-returned",
                    "No segment is flagged to go back to the first pass",
                    where=where,
                    remedy="Flag the segments, each with a message to the first editor",
                )
            now = self._database.now(connection)
            # While the review is held: a server's policies ask for it.
            connection.execute(
                schema.takebacks.insert(),
                {
                    **_pass(key, Pass.FIRST),
                    "turn": first.turn,
                    "number": first.handovers,
                    "at": now,
                    "by": editor,
                },
            )
            connection.execute(
                schema.releases.insert(),
                {
                    **_pass(key, Pass.REVIEW),
                    "turn": review.turn,
                    "at": now,
                    "by": editor,
                    "reason": RETURN_REASON,
                },
            )


def returned_segments(
    connection: Connection, key: tuple[str, str], pass_: Pass, *, postgresql: bool
) -> dict[str, str]:
    """Key of a segment -> the reviewer's words.

    For a first pass: what is to be done again. For a review: what was done again. Nothing where
    the campaign does not allow it, whatever is flagged.
    """
    if not _allowed(connection):
        return {}
    if postgresql and pass_ is Pass.FIRST:
        # A first editor's login may not read the review; its flags alone are told.
        rows = connection.execute(
            sa.text("SELECT segment, words, at FROM studio_returned(:kit, :team)"),
            {"kit": key[0], "team": key[1]},
        ).all()
        asked = {str(row.segment): (row.words, row.at) for row in rows}
    else:
        asked = {
            segment: (flags[Flag.RETURNED], at)
            for segment, (flags, at) in _reviewed(connection, key).items()
            if Flag.RETURNED in flags
        }
    if not asked:
        return {}
    done = {row.segment_id: row.stored_at or row.at for row in _latest(connection, key, Pass.FIRST)}
    wanted = pass_ is Pass.REVIEW
    return {
        segment: words
        for segment, (words, at) in asked.items()
        if (segment in done and done[segment] > at) == wanted
    }


def _reviewed(
    connection: Connection, key: tuple[str, str]
) -> dict[str, tuple[dict[str, str], datetime]]:
    """Key of a segment -> flags of its latest text in the review, and when that was stored."""
    return {
        row.segment_id: (row.flags or {}, row.stored_at or row.at)
        for row in _latest(connection, key, Pass.REVIEW)
    }


def _latest(connection: Connection, key: tuple[str, str], pass_: Pass) -> sa.Result[Any]:
    asked = {"kit": key[0], "team": key[1], "pass_": pass_.value}
    return connection.execute(_latest_query(setting_of(connection)), asked)


@cache
def _latest_query(setting: Setting) -> sa.Select[Any]:
    latest = latest_in_pass(setting).c
    return sa.select(latest.segment_id, latest.flags, latest.stored_at, latest.at)


_ALLOWED = sa.select(schema.options.c.value).where(schema.options.c.name == RETURN_OPTION)


def _allowed(connection: Connection) -> bool:
    return connection.scalar(_ALLOWED) is True


def _pass(key: tuple[str, str], pass_: Pass) -> dict[str, str]:
    return {"kit_id": key[0], "team_id": key[1], "pass_": pass_.value}
