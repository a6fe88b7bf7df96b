"""Who holds which pass of which kit: claims, releases, hand-overs, substitutions.

Each of them is an inserted row under a unique key, and so is a person's part in a kit. Of two
programs that ask for the same thing at once one gets it, on SQLite and on PostgreSQL alike.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from madcat_studio.errors import ConflictError, InputError
from madcat_studio.model.campaign import AvailablePass, Claim, Pass, PassState
from madcat_studio.store import lookup, schema
from madcat_studio.store.begun import NOT_BEGUN, check_begun
from madcat_studio.store.covers import cover_name
from madcat_studio.store.database import Database
from madcat_studio.store.enforcing import check_rows, rule_broken_by, unfinished
from madcat_studio.store.expiry import has_expired
from madcat_studio.store.holds import NOBODY, Hold, PassKey, holds
from madcat_studio.store.plans import current_roles, member_id

__all__ = ["Claims"]

_SHOWN = 10
"""How many segments a message names; the rest are counted."""


class Claims:
    """Claiming, releasing, handing over and taking back the passes of kits."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- what may be claimed ------------------------------------------------------------------

    def available(self, editor: str) -> tuple[AvailablePass, ...]:
        """The passes that an editor holds or may claim now: held ones first, then in kit order."""
        with self._database.reading() as connection:
            return _offers(self._database, connection, lookup.editor_id(connection, editor))

    def current(self, kit: str, team: str, pass_: Pass) -> Claim | None:
        """The claim that is held on a pass, or None."""
        with self._database.reading() as connection:
            key = _key(connection, kit, team, pass_)
            hold = holds(connection, [key[0]]).get(key, NOBODY)
            if not hold.claimed:
                return None
            return _claim(kit, team, pass_, _editor_name(connection, hold), hold)

    def handed_over(self, kit: str, team: str, pass_: Pass) -> bool:
        """Whether a pass is finished."""
        with self._database.reading() as connection:
            key = _key(connection, kit, team, pass_)
            return holds(connection, [key[0]]).get(key, NOBODY).handed_over

    def last_turn(self, kit: str, team: str, pass_: Pass, editor: str) -> int:
        """The turn of the latest claim that an editor ever had on a pass; 0: never."""
        table = schema.claims
        with self._database.reading() as connection:
            key = _key(connection, kit, team, pass_)
            found = connection.scalar(
                sa.select(sa.func.max(table.c.turn)).where(
                    table.c.kit_id == key[0],
                    table.c.team_id == key[1],
                    table.c.pass_ == key[2],
                    table.c.editor_id == lookup.editor_id(connection, editor),
                )
            )
        return int(found or 0)

    def any(self) -> bool:
        """Whether anything was ever claimed: the campaign's options are frozen then."""
        with self._database.reading() as connection:
            return connection.execute(sa.select(schema.claims.c.turn).limit(1)).first() is not None

    # -- claiming -----------------------------------------------------------------------------

    def claim(self, kit: str, team: str, pass_: Pass, editor: str, machine: str) -> Claim:
        """Claim a pass for an editor, or go on with a claim that the editor holds already.

        A claim that has expired is released first, whoever's it is.

        Raises:
            ConflictError: someone else holds it, it is finished, its turn has not come, or editing
                has not begun.
            InputError: the pass is someone else's by plan, or the editor is on the other side of
                the kit or in its other pass.
        """
        where = _where(kit, team, pass_)
        with self._database.writing() as connection:
            self._database.lock(connection)
            key = _key(connection, kit, team, pass_)
            editor_key = member_id(connection, key[1], editor, where)
            standing = holds(connection, [key[0]])
            hold = standing.get(key, NOBODY)
            _check_role(connection, key, editor, editor_key, where)
            now = self._database.now(connection)
            expired = has_expired(self._database, connection, key, hold, now)
            if hold.claimed and hold.editor == editor_key and not expired:
                return _claim(kit, team, pass_, editor, hold)
            if expired:
                # Also one's own: whoever goes on with it must not lose it while reading.
                self._release(connection, key, hold, editor, "expired", where)
                hold = hold._replace(claimed=False)
            before = (
                standing.get((key[0], key[1], Pass.FIRST.value), NOBODY)
                if pass_ is Pass.REVIEW
                else None
            )
            _check_open(connection, hold, before, where)
            check_begun(connection, key[0], now, where)
            row = {
                **_columns(key),
                "turn": hold.turn + 1,
                "editor_id": editor_key,
                "machine": machine,
                "at": now,
            }
            check_rows("claims", [row], where)
            try:
                self._take_part(connection, key, editor, editor_key, where)
                connection.execute(schema.claims.insert(), row)
            except IntegrityError as error:
                if rule_broken_by(error, where) is not None:
                    raise
                raise ConflictError(
                    "store.kit-claimed",
                    "Someone else claimed this pass at the same moment",
                    where=where,
                    remedy="Ask for the next kit",
                ) from error
            # As it stands: a server's clock says when an editor claimed.
            return _claim(kit, team, pass_, editor, holds(connection, [key[0]])[key])

    def claim_next(self, editor: str, machine: str) -> Claim | None:
        """Go on with the kit that the editor holds, or claim the next one. None: nothing to do.

        Raises:
            ConflictError: ``store.editing-not-begun``: there is something to do, later.
        """
        waiting: ConflictError | None = None
        for offer in self.available(editor):
            try:
                return self.claim(offer.kit, offer.team, offer.pass_, editor, machine)
            except ConflictError as error:
                if error.code == NOT_BEGUN:  # the same for every kit that is evaluated
                    waiting = waiting or error
                # Another program was quicker: the next offer may be free.
                continue
        if waiting is not None:
            raise waiting
        return None

    # -- giving back and handing over ---------------------------------------------------------

    def release(self, kit: str, team: str, pass_: Pass, *, by: str, reason: str = "") -> None:
        """End a claim, so that the pass can be claimed again. Its texts stay.

        Raises:
            ConflictError: nobody holds the pass.
        """
        self._database.for_coordinator()
        with self._database.writing() as connection:
            self._database.lock(connection)
            key, hold = _held(connection, kit, team, pass_)
            self._release(connection, key, hold, by, reason, _where(kit, team, pass_))

    def _release(
        self, connection: Connection, key: PassKey, hold: Hold, by: str, reason: str, where: str
    ) -> None:
        now = self._database.now(connection)
        row = {**_columns(key), "turn": hold.turn, "at": now, "by": by, "reason": reason}
        check_rows("releases", [row], where)
        connection.execute(schema.releases.insert(), row)

    def hand_over(self, kit: str, team: str, pass_: Pass, *, editor: str) -> None:
        """Finish a pass: its texts become the team's first or final ones.

        Segments for which the system gave nothing need no text.

        Raises:
            ConflictError: the editor does not hold the pass, or it is a review whose first pass
                is open again.
            InputError: a segment is not confirmed, or flagged to go back to the first pass.
        """
        where = _where(kit, team, pass_)
        with self._database.writing() as connection:
            self._database.lock(connection)
            key, hold = _held(connection, kit, team, pass_)
            if hold.editor != lookup.editor_id(connection, editor):
                raise ConflictError(
                    "store.not-holder", f"{editor} does not hold this pass", where=where
                )
            first = (key[0], key[1], Pass.FIRST.value)
            before = holds(connection, [key[0]]).get(first, NOBODY)
            if pass_ is Pass.REVIEW and not before.handed_over:
                raise _first_pass_open(where)
            self._check_complete(connection, key, where)
            now = self._database.now(connection)
            connection.execute(
                schema.handovers.insert(),
                {
                    **_columns(key),
                    "turn": hold.turn,
                    "number": hold.handovers + 1,
                    "at": now,
                    "by": editor,
                },
            )

    def take_back(self, kit: str, team: str, pass_: Pass, *, editor: str) -> Claim:
        """Take a finished first pass back; its editor holds it again. A review is final.

        Raises:
            ConflictError: it is a review, is not finished, is another's, or the reviewer has
                begun.
        """
        where = _where(kit, team, pass_)
        if pass_ is Pass.REVIEW:
            raise ConflictError(
                "store.final",
                "The review is handed over, and its texts are final",
                where=where,
                remedy="Tell the coordinator what should change",
            )
        with self._database.writing() as connection:
            self._database.lock(connection)
            key = _key(connection, kit, team, pass_)
            standing = holds(connection, [key[0]])
            hold = standing.get(key, NOBODY)
            if not hold.handed_over or hold.editor != lookup.editor_id(connection, editor):
                raise ConflictError(
                    "store.not-handed-over", f"{editor} has not handed this pass over", where=where
                )
            review = standing.get((key[0], key[1], Pass.REVIEW.value), NOBODY)
            if review.turn:
                raise ConflictError(
                    "store.review-begun",
                    "The reviewer has begun, and the first pass cannot be taken back",
                    where=where,
                    remedy="Tell the reviewer what should change",
                )
            now = self._database.now(connection)
            connection.execute(
                schema.takebacks.insert(),
                {
                    **_columns(key),
                    "turn": hold.turn,
                    "number": hold.handovers,
                    "at": now,
                    "by": editor,
                },
            )
            return _claim(kit, team, pass_, editor, holds(connection, [key[0]])[key])

    def replace_editor(
        self, kit: str, team: str, pass_: Pass, editor: str, *, by: str, reason: str = ""
    ) -> None:
        """Give a pass to another editor of the team; a claim that is held is released.

        What the one before wrote stays, under that name.

        Raises:
            ConflictError: the pass is finished.
            InputError: the editor is on the other side of the kit or in its other pass.
        """
        self._database.for_coordinator()
        where = _where(kit, team, pass_)
        table = schema.roles
        with self._database.writing() as connection:
            self._database.lock(connection)
            key = _key(connection, kit, team, pass_)
            editor_key = member_id(connection, key[1], editor, where)
            hold = holds(connection, [key[0]]).get(key, NOBODY)
            if hold.handed_over:
                raise ConflictError("store.handed-over", "This pass is finished", where=where)
            roles = current_roles(connection, key[0])
            if key in roles and roles[key] == editor_key:
                return
            if _part(connection, key[0], editor_key) not in (None, key[1:]) or _planned_elsewhere(
                roles, key, editor_key
            ):
                raise _both_sides(editor, where)
            if hold.claimed and hold.editor != editor_key:
                self._release(connection, key, hold, by, reason or "editor replaced", where)
            turn = connection.scalar(
                sa.select(sa.func.max(table.c.turn)).where(
                    table.c.kit_id == key[0], table.c.team_id == key[1], table.c.pass_ == key[2]
                )
            )
            row = {
                **_columns(key),
                "turn": int(turn or 0) + 1,
                "editor_id": editor_key,
                "at": self._database.now(connection),
                "by": by,
                "reason": reason,
            }
            check_rows(table.name, [row], where)
            connection.execute(table.insert(), row)

    # -- what the rules ask for ---------------------------------------------------------------

    def _take_part(
        self, connection: Connection, key: PassKey, editor: str, editor_key: str, where: str
    ) -> None:
        part = _part(connection, key[0], editor_key)
        if part is not None and part != key[1:]:
            raise _both_sides(editor, where)
        # For an editor's login the server does it, together with the claim.
        if part is None and not self._database.as_editor:
            connection.execute(
                schema.participations.insert(), {**_columns(key), "editor_id": editor_key}
            )

    def _check_complete(self, connection: Connection, key: PassKey, where: str) -> None:
        segments, items = schema.segments, schema.kit_items
        asked = dict(zip(("kit_id", "team_id", "pass_"), key, strict=True))
        left = set(connection.scalars(_unfinished(self._database.postgresql), asked))
        if not left:
            return
        # As the editor knows them, who is the one to confirm them.
        shown = items.c.position if self._database.as_editor else items.c.shown
        kits = schema.kits
        rows = connection.execute(
            sa.select(kits.c.name, shown.label("shown"), segments.c.position, segments.c.id)
            .join_from(items, segments, segments.c.document_id == items.c.document_id)
            .join(kits, kits.c.id == items.c.kit_id)
            .where(items.c.kit_id == key[0])
            .order_by(shown, segments.c.position)
        )
        unconfirmed = [
            f"{cover_name(row.name, row.shown)}/{row.position + 1}"
            for row in rows
            if row.id in left
        ]
        raise InputError(
            "store.unconfirmed",
            f"{_number(unconfirmed)} not confirmed"
            f"{', or flagged to go back' * (key[2] == Pass.REVIEW)}: {_some(unconfirmed)}",
            where=where,
            remedy="Confirm every segment, also those that need no change",
        )


@cache
def _unfinished(postgresql: bool) -> sa.Executable:
    """The keys of the segments that keep a pass from being handed over."""
    columns = schema.claims.c
    asked = [sa.bindparam(one, type_=columns[one].type) for one in ("kit_id", "team_id", "pass_")]
    if postgresql:
        # By a function of the server's, which looks at the same when the row comes.
        result = schema.segments.c.id.type
        return sa.select(sa.func.studio_unfinished(*asked, type_=result))
    # A colon that names no parameter, as in a time, is no colon of SQLAlchemy's.
    return sa.text(unfinished(":kit_id", ":team_id", ":pass_", postgresql=False)).bindparams(*asked)


@cache
def _kits_of_editor() -> sa.Select[Any]:
    kits, teams, members = schema.kits, schema.teams, schema.memberships
    table = schema.assignments
    return (
        sa.select(table.c.kit_id, table.c.team_id, kits.c.name, teams.c.name.label("team"))
        .join_from(table, members, members.c.team_id == table.c.team_id)
        .join(kits, kits.c.id == table.c.kit_id)
        .join(teams, teams.c.id == table.c.team_id)
        .where(members.c.editor_id == sa.bindparam("editor"))
        .order_by(kits.c.position, table.c.position)
    )


_PARTS = sa.select(schema.participations).where(
    schema.participations.c.editor_id == sa.bindparam("editor")
)


def _offers(database: Database, connection: Connection, editor: str) -> tuple[AvailablePass, ...]:
    rows = connection.execute(_kits_of_editor(), {"editor": editor}).all()
    parts = {
        row.kit_id: (row.team_id, row.pass_)
        for row in connection.execute(_PARTS, {"editor": editor})
    }
    roles = current_roles(connection)
    planned = {key: key[1:] for key, name in roles.items() if name == editor}
    by_kit: dict[str, set[tuple[str, str]]] = {}
    for key, part in planned.items():
        by_kit.setdefault(key[0], set()).add((part[0], part[1]))
    standing = holds(connection, {row.kit_id for row in rows})
    now = database.now(connection)
    found = []
    for row in rows:
        before: Hold | None = None
        for pass_ in Pass:
            key = (row.kit_id, row.team_id, pass_.value)
            part = (row.team_id, pass_.value)
            hold = standing.get(key, NOBODY)
            state, before = hold.state(before), hold
            mine = roles.get(key) in (None, editor)
            elsewhere = by_kit.get(row.kit_id, set()) - {part}
            if parts.get(row.kit_id, part) != part or not mine or elsewhere:
                continue
            held = state is PassState.CLAIMED and hold.editor == editor
            if held or state is PassState.OPEN or has_expired(database, connection, key, hold, now):
                found.append(AvailablePass(row.name, row.team, pass_, held))
    return tuple(sorted(found, key=lambda offer: not offer.held))


def _check_role(
    connection: Connection, key: PassKey, editor: str, editor_key: str, where: str
) -> None:
    roles = current_roles(connection, key[0])
    if key not in roles:
        raise InputError(
            "store.not-assigned",
            "The kit is not assigned to this team",
            where=where,
            remedy="Assign it with `campaign plan`",
        )
    if roles[key] not in (None, editor_key):
        raise InputError(
            "store.not-yours",
            f"This pass is not planned for {editor}",
            where=where,
            remedy="The coordinator can replace the editor of a pass",
        )
    if _planned_elsewhere(roles, key, editor_key):
        raise _both_sides(editor, where)


def _planned_elsewhere(roles: dict[PassKey, str | None], key: PassKey, editor: str) -> bool:
    return any(
        other != key and other[0] == key[0] and planned == editor
        for other, planned in roles.items()
    )


def _check_open(connection: Connection, hold: Hold, before: Hold | None, where: str) -> None:
    state = hold.state(before)
    if state is PassState.OPEN:
        return
    if state is PassState.CLAIMED:
        since = "" if hold.at is None else f" since {hold.at:%Y-%m-%d %H:%M} UTC"
        raise ConflictError(
            "store.kit-claimed",
            f"{_editor_name(connection, hold)} holds this pass{since} on {hold.machine}",
            where=where,
            remedy="Ask for the next kit; the coordinator can release this one",
        )
    if state is PassState.WAITING:
        raise _first_pass_open(where)
    raise ConflictError(
        "store.handed-over",
        "This pass is finished",
        where=where,
        remedy="A first pass can be taken back by its editor until the reviewer has begun",
    )


def _first_pass_open(where: str) -> ConflictError:
    return ConflictError(
        "store.first-pass-open",
        "The first pass has not been handed over",
        where=where,
        remedy="The review can only be claimed and handed over after it",
    )


def _part(connection: Connection, kit: str, editor: str) -> tuple[str, str] | None:
    table = schema.participations
    row = connection.execute(
        sa.select(table.c.team_id, table.c.pass_).where(
            table.c.kit_id == kit, table.c.editor_id == editor
        )
    ).one_or_none()
    return None if row is None else (row.team_id, row.pass_)


def _key(connection: Connection, kit: str, team: str, pass_: Pass) -> PassKey:
    return lookup.kit_id(connection, kit), lookup.team_id(connection, team), pass_.value


def _held(connection: Connection, kit: str, team: str, pass_: Pass) -> tuple[PassKey, Hold]:
    key = _key(connection, kit, team, pass_)
    hold = holds(connection, [key[0]]).get(key, NOBODY)
    if not hold.claimed:
        raise ConflictError(
            "store.not-claimed",
            "Nobody holds this pass",
            where=_where(kit, team, pass_),
            remedy="If it was yours, it has been released since: ask the coordinator, or "
            "claim it again",
        )
    return key, hold


def _editor_name(connection: Connection, hold: Hold) -> str:
    editors = schema.editors
    return str(connection.scalar(sa.select(editors.c.name).where(editors.c.id == hold.editor)))


def _columns(key: PassKey) -> dict[str, str]:
    return {"kit_id": key[0], "team_id": key[1], "pass_": key[2]}


def _claim(kit: str, team: str, pass_: Pass, editor: str, hold: Hold) -> Claim:
    if hold.at is None or hold.machine is None:
        raise ValueError("a hold without a claim")
    return Claim(kit, team, pass_, hold.turn, editor, hold.machine, hold.at)


def _where(kit: str, team: str, pass_: Pass) -> str:
    return f"kit {kit}, team {team}, {pass_} pass"


def _both_sides(editor: str, where: str) -> InputError:
    return InputError(
        "store.both-sides",
        f"{editor} already has another role in this kit",
        where=where,
        remedy="Nobody may be on both sides of a kit or in both of its passes",
    )


def _number(names: list[str]) -> str:
    return "1 segment is" if len(names) == 1 else f"{len(names)} segments are"


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    rest = len(names) - _SHOWN
    return f"{shown} and {rest} more" if rest > 0 else shown
