"""The coordinator's rooms of a campaign: whether they are open, and their passphrase.

In a folder a passphrase opens them; on a server the login's role decides.
"""

from __future__ import annotations

from enum import StrEnum

from madcat_studio.errors import UsageError
from madcat_studio.operations.checked import Outcome
from madcat_studio.operations.user import who
from madcat_studio.store import Campaign, is_url, lock_rooms, open_campaign

__all__ = [
    "LOCKED",
    "NO_PASSPHRASE",
    "Rooms",
    "check_folder",
    "close_rooms",
    "read_rooms",
    "rooms_of",
    "set_passphrase",
    "unlock_rooms",
]

NO_PASSPHRASE = (
    "The coordinator's rooms are open to anybody who opens the campaign; `campaign "
    "passphrase` locks them"
)
"""What is said of a campaign in a folder that has no passphrase."""


LOCKED = ("campaign.locked", "campaign.wrong-passphrase")
"""The codes of errors that the right passphrase would have spared."""


class Rooms(StrEnum):
    """How the coordinator's rooms stand.

    Attributes:
        OPEN: to everybody: the folder's campaign has no passphrase.
        LOCKED: the passphrase is wanted.
        UNLOCKED: it was given.
        COORDINATOR, EDITOR: on a server, by the login.
    """

    OPEN = "open"
    LOCKED = "locked"
    UNLOCKED = "unlocked"
    COORDINATOR = "coordinator"
    EDITOR = "editor"


def rooms_of(campaign: Campaign) -> Rooms:
    """How the rooms of an open campaign stand."""
    if campaign.login:
        return Rooms.COORDINATOR if campaign.editor is None else Rooms.EDITOR
    if not campaign.rooms.has_passphrase:
        return Rooms.OPEN
    return Rooms.LOCKED if campaign.rooms.locked else Rooms.UNLOCKED


def read_rooms(where: str) -> Rooms:
    """How the rooms of a campaign stand.

    Raises:
        StudioError: the campaign cannot be opened.
    """
    with open_campaign(where, read_only=True, for_editor=True) as campaign:
        return rooms_of(campaign)


def unlock_rooms(where: str, passphrase: str) -> None:
    """Open the rooms for as long as the program runs, or until they are closed.

    Raises:
        UsageError: ``campaign.wrong-passphrase``.
        StudioError: the campaign cannot be opened.
    """
    with open_campaign(where, read_only=True, for_editor=True) as campaign:
        campaign.rooms.unlock(passphrase)


def check_folder(where: str) -> None:
    """Refuse a server as the place of a passphrase, before anybody is asked for one.

    Raises:
        UsageError: ``campaign.roles-decide``.
    """
    if is_url(where):
        raise UsageError(
            "campaign.roles-decide",
            "On a server there is no passphrase for the coordinator's rooms: each login "
            "sees what its role allows",
            where=where,
            remedy="Make and withdraw logins with `server user`",
        )


def close_rooms() -> None:
    """Close the rooms of every campaign again: each wants its passphrase anew."""
    lock_rooms()


def set_passphrase(where: str, passphrase: str, *, reset: bool = False) -> Outcome:
    """Give the rooms of a folder's campaign another passphrase; "" takes it away.

    Args:
        where: the campaign.
        passphrase: the new one.
        reset: without the one before: whoever may write the file can do that. The audit trail
            tells of it.

    Raises:
        UsageError: too short, the one before is not given or wrong, or it is on a server.
        StudioError: the campaign cannot be written.
    """
    check_folder(where)
    with open_campaign(where, for_editor=True) as campaign:
        campaign.rooms.change(passphrase, by=who(), reset=reset)
    if not passphrase:
        return Outcome((NO_PASSPHRASE,))
    return Outcome(("The coordinator's rooms open with the new passphrase from now on",))
