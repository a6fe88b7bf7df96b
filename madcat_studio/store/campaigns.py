"""A campaign, opened: the one door to its database."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa

from madcat_studio.closing import Closing
from madcat_studio.errors import ConflictError, WorldError
from madcat_studio.model.campaign import PassProgress, SegmentRecord, new_id
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import audit, records, schema
from madcat_studio.store.claims import Claims
from madcat_studio.store.contents import Contents
from madcat_studio.store.copying import Copied, copy_rows
from madcat_studio.store.covered import CoveredCampaign, Covers
from madcat_studio.store.database import DATABASE_NAME, Database, is_url
from madcat_studio.store.dates import with_dates_kept
from madcat_studio.store.earlier import EarlierPhase
from madcat_studio.store.enforcing import odd_tables
from madcat_studio.store.odd import OddRow, find_odd, left_behind, left_out
from madcat_studio.store.plans import Plans
from madcat_studio.store.references import References
from madcat_studio.store.renaming import Renaming
from madcat_studio.store.returns import Returns
from madcat_studio.store.revisions import Revisions
from madcat_studio.store.rights import editor_of_login
from madcat_studio.store.roomlock import RoomLock
from madcat_studio.store.schedule import Schedule
from madcat_studio.store.selection import Selections
from madcat_studio.store.sittings import Sittings
from madcat_studio.store.upgrade import bring_up_to_date, make_tables, schema_version
from madcat_studio.store.visits import Visits

__all__ = [
    "Campaign",
    "OptionValue",
    "campaign_there",
    "copy_campaign",
    "create_campaign",
    "discard_campaign",
    "open_campaign",
]

log = logging.getLogger("madcat_studio.store.odd")

_NAMED = 10
"""How many odd rows the log names; all are in :attr:`Campaign.odd`."""

OptionValue = str | int | float | bool | None
"""What an option of a campaign may be."""


class Campaign(Closing):
    """A campaign in a folder or on a server. Close it, or use it in a ``with``.

    Safe to use from several threads; each transaction belongs to the thread that began it.

    Attributes:
        id, name: of the campaign.
        where: its folder, or its URL without the password.
        login: as whom the server is asked; "" for a folder.
        editor: whose login it is, by the editor's id; None for a coordinator's, and for a folder.
        read_only: nothing may be written (asked for, or no right to).
        odd: rows that break a rule, and are left out of all that is read.
        backup: the copy that was made before the tables were brought up to date, or None.
        rooms: whether a passphrase opens the coordinator's side, in a folder.
        contents: documents, segments, scribe errors, systems, outputs, blobs.
        references: replaced where nobody has begun to work with them.
        earlier: texts and scores of an earlier phase.
        plans: teams, editors, kits, assignments.
        schedule: when passes are due; which teams are absent.
        selections: passages that were chosen for a set.
        claims: who holds which pass; hand over, take back, release, replace.
        returns: giving segments back to the first pass.
        revisions: the texts.
        sittings: where passes are open.
        visits: the log of who was at which segment, when, and what was done there.
        covers: what editors call the segments of a kit.
        renaming: other names for people, teams and systems.
    """

    def __init__(
        self, database: Database, backup: Path | None = None, *, for_editor: bool = False
    ) -> None:
        self._database = database
        database.one_side = for_editor
        self.backup = backup
        self.where = database.where
        self.login = database.login
        self.read_only = database.read_only
        self.contents = Contents(database)
        self.references = References(database, self.contents)
        self.earlier = EarlierPhase(database)
        self.plans = Plans(database)
        self.schedule = Schedule(database)
        self.selections = Selections(database)
        self.claims = Claims(database)
        self.returns = Returns(database)
        self.revisions = Revisions(database)
        self.visits = Visits(database)
        self.covers = Covers(database)
        self.renaming = Renaming(database)
        self.sittings = Sittings(database)
        with database.reading() as connection:
            row = connection.execute(sa.select(schema.campaign)).first()
            self.editor = editor_of_login(connection) if database.postgresql else None
            # An editor's login is not shown such rows.
            tables = odd_tables(connection) if self.editor is None else frozenset()
            self.odd = find_odd(connection, tables)
        if self.editor is not None:
            database.work_as_editor()
        if self.odd:
            database.set_aside(tables)
            _tell_odd(self.where, self.odd)
        if row is None:
            raise database.not_a_campaign()
        self.id: str = row.id
        self.name: str = row.name
        self.rooms = RoomLock(database)
        if not for_editor:
            self.rooms.demand()

    @property
    def one_side(self) -> bool:
        """Whether it shows one editor's side: by the login, or opened so."""
        return self.editor is not None or self._database.one_side

    def left_out(self) -> tuple[str, ...]:
        """What no figure counts since it breaks the tables' rules: a sentence each."""
        if self.editor is not None:
            return ()
        with self._database.reading() as connection:
            return left_out(self.odd, left_behind(connection))

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything that this thread writes inside is kept as a whole, or not at all."""
        with self._database.writing():
            yield

    def for_editors(self) -> Campaign | CoveredCampaign:
        """The campaign as editors' kits use it: pages under the names that editors know."""
        if self.editor is not None:
            return self  # the server names them so by itself
        named = (self.id, self.where)
        return CoveredCampaign(
            named, self.covers, self.revisions, self.visits, self.claims, self.sittings
        )

    # -- options ------------------------------------------------------------------------------

    def options(self) -> dict[str, OptionValue]:
        """The options that were set, by name."""
        table = schema.options
        with self._database.reading() as connection:
            rows = connection.execute(sa.select(table).order_by(table.c.name)).all()
        return {row.name: row.value for row in rows}

    def set_options(self, values: Mapping[str, OptionValue], *, by: str = "") -> None:
        """Set options. They are frozen at the first claim; setting them as they are is allowed.

        How long claims last (``claims.`` options) and the calendar may be changed at any time.

        Raises:
            ConflictError: a kit has been claimed.
            InputError: ``calendar.moment``, ``calendar.no-track``.
        """
        self._database.for_coordinator()
        table = schema.options
        with self._database.writing() as connection:
            self._database.lock(connection)
            old = self.options()
            values = with_dates_kept(values, self.contents.tracks(), self.where)
            new = {name: value for name, value in values.items() if old.get(name, ...) != value}
            if not new:
                return
            frozen = sorted(name for name in new if not name.startswith(("claims.", "calendar.")))
            if frozen and self.claims.any():
                raise ConflictError(
                    "store.options-frozen",
                    "These options can no longer be changed, because editing has begun: "
                    + ", ".join(frozen),
                    where=self.where,
                    remedy="To use other options, make a new campaign",
                )
            for name, value in new.items():
                connection.execute(table.delete().where(table.c.name == name))
                connection.execute(table.insert(), {"name": name, "value": value})
            now = self._database.now(connection)
            audit.note(
                connection,
                now,
                "set options",
                self.name,
                who=by,
                detail=", ".join(f"{name}={value}" for name, value in sorted(new.items())),
            )

    @property
    def frozen(self) -> bool:
        """Whether editing has begun, so that options, guidelines and claimed kits stay."""
        return self.claims.any()

    def guidelines(self) -> tuple[int, str]:
        """The latest version of the editors' guidelines and its text; (0, "") without any."""
        table = schema.guidelines
        with self._database.reading() as connection:
            row = connection.execute(
                sa.select(table).order_by(table.c.version.desc()).limit(1)
            ).first()
        return (0, "") if row is None else (row.version, row.text)

    def set_guidelines(self, text: str, *, by: str = "") -> int:
        """Make a new version of the guidelines, unless the text is the same. Returns its number.

        Raises:
            ConflictError: a kit has been claimed.
        """
        self._database.for_coordinator()
        with self._database.writing() as connection:
            self._database.lock(connection)
            version, old = self.guidelines()
            if version and old == text:
                return version
            if self.claims.any():
                raise ConflictError(
                    "store.guidelines-frozen",
                    "The guidelines can no longer be changed, because editing has begun",
                    where=self.where,
                )
            now = self._database.now(connection)
            connection.execute(
                schema.guidelines.insert(), {"version": version + 1, "text": text, "at": now}
            )
            audit.note(connection, now, "set guidelines", f"version {version + 1}", who=by)
            return version + 1

    def bundle_key(self) -> str:
        """The key that seals bundles, hexadecimal; made at its first use. It stays in here.

        Raises:
            WorldError: it is to be made, and the campaign can only be read.
        """
        self._database.for_coordinator()
        table = schema.secrets
        query = sa.select(table.c.value).where(table.c.name == "bundle")
        with self._database.reading() as connection:
            found: str | None = connection.scalar(query)
        if found is not None:
            return found
        with self._database.writing() as connection:
            self._database.lock(connection)
            found = connection.scalar(query)
            if found is None:
                found = secrets.token_hex(32)
                connection.execute(table.insert(), {"name": "bundle", "value": found})
            return found

    # -- reading it as a whole ----------------------------------------------------------------

    def segment_records(self, *, practice: bool = False) -> Iterator[SegmentRecord]:
        """Every segment of every kit for scoring, streamed, all from one moment.

        ``first`` and ``final`` are texts of passes that are handed over. Where the system gave
        nothing, the reference counts as both. Practice kits are left out unless asked for.
        """
        self._database.for_coordinator()
        with self._database.reading() as connection:
            yield from records.segment_records(connection, practice=practice)

    def progress(self, first_kits: int | None = None) -> tuple[PassProgress, ...]:
        """How far every pass is: kits in order, teams within, first before review.

        Args:
            first_kits: of so many kits from the beginning; by default of all.
        """
        with self._database.reading() as connection:
            return records.progress(connection, first_kits)

    def audit_trail(
        self, limit: int = 1000, *, who: str = "", about: str = ""
    ) -> tuple[audit.AuditEntry, ...]:
        """Who did what, newest first: one person's, about something, where that is asked."""
        self._database.for_coordinator()
        with self._database.reading() as connection:
            return audit.entries(connection, limit, who=who, about=about)

    def guideline_versions(self) -> tuple[tuple[int, str, datetime], ...]:
        """All versions of the guidelines, oldest first: number, text, when they were set."""
        table = schema.guidelines
        with self._database.reading() as connection:
            rows = connection.execute(sa.select(table).order_by(table.c.version)).all()
        return tuple((row.version, row.text, row.at) for row in rows)

    def note(self, action: str, subject: str, *, who: str = "", detail: str = "") -> None:
        """Write into the audit trail."""
        with self._database.writing() as connection:
            now = self._database.now(connection)
            audit.note(connection, now, action, subject, who=who, detail=detail)


def _tell_odd(where: str, odd: Sequence[OddRow]) -> None:
    named = "; ".join(map(str, odd[:_NAMED]))
    more = f"; and {len(odd) - _NAMED} more" if len(odd) > _NAMED else ""
    log.warning(
        "%s: set aside, and left out of every figure: %s%s. Rows of a campaign's tables break its "
        "rules; whoever has the database changed them by other ways than this program",
        where,
        named,
        more,
    )


def campaign_there(where: str | Path) -> bool:
    """Whether there is a database with anything in it at ``where``.

    Raises:
        WorldError: the server is away.
    """
    if not is_url(where):
        return _holds_anything(Path(where))
    database = Database(where)
    try:
        with database.reading() as connection:
            return schema_version(connection) is not None
    finally:
        database.close()


def _holds_anything(folder: Path) -> bool:
    # A program that was killed while it made the tables leaves an empty file behind.
    file = folder / DATABASE_NAME
    return file.exists() and (not file.is_file() or file.stat().st_size > 0)


def discard_campaign(where: str | Path) -> None:
    """Remove a campaign that was made a moment ago and could not be filled; on a server, leave it.

    The folder goes too, where nothing else is in it.
    """
    if is_url(where):
        return
    folder = Path(where)
    for ending in ("", "-wal", "-shm", "-journal"):
        (folder / (DATABASE_NAME + ending)).unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()


def _empty_place(where: str | Path) -> Database:
    """An empty database to fill.

    Raises:
        ConflictError: there is one already.
        WorldError: the folder cannot be made.
    """
    if not is_url(where):
        folder = Path(where)
        if _holds_anything(folder):
            raise ConflictError(
                "store.not-empty",
                "There is already a campaign here",
                where=folder,
                remedy="Choose another folder, or open the existing campaign",
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WorldError(
                "store.cannot-make",
                f"The folder cannot be made ({error.strerror})",
                where=folder,
                remedy="Choose a folder where you can write",
            ) from error
    return Database(where, create=True)


def create_campaign(where: str | Path, name: str) -> Campaign:
    """Make an empty campaign in a folder (made if need be) or in an empty database.

    Raises:
        ConflictError: there is a campaign, or something else, already.
        WorldError: no right to write, disk full, server away.
    """
    database = _empty_place(where)
    try:
        with database.writing() as connection:
            make_tables(database)
            connection.execute(
                schema.campaign.insert(),
                {"id": new_id(), "name": name, "at": database.now(connection)},
            )
        database.choose_log()
        return Campaign(database)
    except BaseException:
        database.close()
        discard_campaign(where)
        raise


def copy_campaign(
    where: str | Path,
    target: str | Path,
    *,
    for_editor: bool = False,
    progress: Progress = SILENT,
) -> Copied:
    """Copy a campaign into an empty folder or database: every text, time and identifier.

    Args:
        where: the campaign.
        target: the folder, or the address of the database.
        for_editor: as :func:`open_campaign`; for a backup that is restored, lock and all.
        progress: told of rows.

    Returns:
        What was copied, compared row by row.

    Raises:
        ConflictError: there is something at ``target``.
        StudioError: one of the two cannot be opened, reached or written.
        Cancelled: ``progress`` said so; nothing was written.
    """
    with open_campaign(where, read_only=True, for_editor=for_editor) as campaign:
        there = _empty_place(target)
        try:
            copied = copy_rows(campaign._database, there, progress=progress)
            there.choose_log()
        except BaseException:
            there.close()
            discard_campaign(target)
            raise
        there.close()
        return copied


def open_campaign(
    where: str | Path,
    *,
    read_only: bool = False,
    migrate: bool | None = None,
    for_editor: bool = False,
) -> Campaign:
    """Open a campaign's folder (or the database file in it) or URL.

    Whoever opens it is the coordinator, unless it is said to be ``for_editor``: then what shows
    more than one editor's side refuses to. On a server the login decides in any case.

    Where it may not be written it opens read-only. A file of an older program is brought up to
    date, with a copy beside it; a server only where ``migrate`` is True.

    Raises:
        UsageError: no campaign there; its rooms are locked, and the passphrase is not given.
        FormatError: damaged, not a campaign, or made by a newer program.
        WorldError: cannot be opened, server away, older and not to be migrated.
    """
    database = Database(where, read_only=read_only)
    try:
        backup = bring_up_to_date(database, migrate=migrate)
        database.choose_log()
        return Campaign(database, backup, for_editor=for_editor)
    except BaseException:
        database.close()
        raise
