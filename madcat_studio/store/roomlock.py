"""The passphrase that opens the coordinator's rooms of a campaign in a folder.

On a server the logins decide who sees what. A file keeps nothing from whoever reads it by other
means; this keeps the program, which editors have too, from showing them the other side. What was
proven holds while the program runs, or until the passphrase is another one, and is kept nowhere
else.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.errors import UsageError
from madcat_studio.store import audit, schema
from madcat_studio.store.database import Database
from madcat_studio.store.locking import check_passphrase, derive

__all__ = ["RoomLock", "ask_passphrase_with", "lock_rooms"]

_SECRET = "coordinator"
_SALT = 16
_LENGTH = 32

_proven: set[str] = set()
_ask: Callable[[str], str] | None = None


def ask_passphrase_with(ask: Callable[[str], str] | None) -> None:
    """Ask with this function for the passphrase of a campaign's rooms.

    Args:
        ask: takes what the user calls the campaign, gives the passphrase or "". None: nobody is
            asked, and locked rooms are an error.
    """
    global _ask
    _ask = ask


def lock_rooms() -> None:
    """Forget what was proven: the rooms of every campaign are locked again."""
    _proven.clear()


class RoomLock:
    """Whether the coordinator's rooms of one campaign are locked, and opening them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def locked(self) -> bool:
        """Whether a passphrase is wanted that nobody has proven yet."""
        kept = self._kept()
        return bool(kept) and kept not in _proven

    @property
    def has_passphrase(self) -> bool:
        """Whether the rooms have a passphrase at all."""
        return bool(self._kept())

    def demand(self) -> None:
        """Go on only where the rooms are open; ask, where somebody can be asked.

        Raises:
            UsageError: ``campaign.locked``, ``campaign.wrong-passphrase``.
        """
        if not self.locked:
            return
        typed = "" if _ask is None else _ask(self._database.where)
        if not typed:
            raise UsageError(
                "campaign.locked",
                "This shows the coordinator's side of the campaign and needs the "
                "coordinator's passphrase",
                where=self._database.where,
                remedy="Type it when asked, or give it with --coordinator-file or in "
                "MADCAT_STUDIO_COORDINATOR_PASSPHRASE",
            )
        self.unlock(typed)

    def unlock(self, passphrase: str) -> None:
        """Open the rooms for as long as the program runs.

        Raises:
            UsageError: ``campaign.wrong-passphrase``.
        """
        kept = self._kept()
        if kept and not _fits(kept, passphrase):
            raise UsageError(
                "campaign.wrong-passphrase",
                "The passphrase does not open the coordinator's rooms",
                where=self._database.where,
                remedy="Type it again; if it is lost, set another one with `campaign "
                "passphrase --reset`",
            )
        _proven.add(kept)

    def change(self, passphrase: str, *, by: str, reset: bool = False) -> None:
        """Give the rooms another passphrase, or their first; "" takes it away.

        Args:
            passphrase: the new one.
            by: who does it, for the audit trail.
            reset: without the one before. Whoever may write the file could do the same by other
                means; the trail tells of it.

        Raises:
            UsageError: it is too short, or the one before was not given.
        """
        if self._database.postgresql:
            raise ValueError("on a server the logins decide")
        if passphrase:
            check_passphrase(passphrase)
        if not reset:
            self.demand()
        kept = _spell(passphrase) if passphrase else ""
        table = schema.secrets
        with self._database.writing() as connection:
            before = self._read(connection)
            connection.execute(table.delete().where(table.c.name == _SECRET))
            if kept:
                connection.execute(table.insert(), {"name": _SECRET, "value": kept})
            done = "set" if not before else "change" if kept else "remove"
            audit.note(
                connection,
                self._database.now(connection),
                f"{'reset' if reset and before else done} the coordinator's passphrase",
                self._database.where,
                who=by,
            )
        if kept and not reset:
            _proven.add(kept)

    def _kept(self) -> str:
        if self._database.postgresql:
            return ""
        with self._database.reading() as connection:
            return self._read(connection)

    def _read(self, connection: Connection) -> str:
        table = schema.secrets
        found = connection.scalar(sa.select(table.c.value).where(table.c.name == _SECRET))
        return str(found or "")


def _spell(passphrase: str) -> str:
    salt = os.urandom(_SALT)
    return f"{salt.hex()}:{derive(passphrase, salt, _LENGTH).hex()}"


def _fits(kept: str, passphrase: str) -> bool:
    salt, _, check = kept.partition(":")
    try:
        made = derive(passphrase, bytes.fromhex(salt), _LENGTH)
    except ValueError:
        return False  # not spelt by this program: nothing fits it
    return hmac.compare_digest(made.hex(), check)
