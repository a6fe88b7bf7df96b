"""Who runs this program, as the trail and the queue call them."""

from __future__ import annotations

import getpass

__all__ = ["login", "who"]


def login(otherwise: str) -> str:
    """The name of whoever uses the machine, which may know none: ``otherwise`` then."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # the latter before Python 3.13
        return otherwise


def who() -> str:
    """What the audit trail calls whoever runs this program."""
    return login("coordinator")
