"""Passwords of database servers: kept in memory while the program runs, and nowhere else.

An address that is shown, remembered or logged never holds one. Where none is known the driver
looks for it itself: in ``PGPASSWORD``, in the password file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError

__all__ = ["ask_with", "keep_password", "use_passwords", "without_password"]

_known: dict[str, str] = {}
_ask: Callable[[str], str] | None = None


def _key(url: URL) -> str:
    return f"{url.username or ''}@{url.host or ''}:{url.port or ''}"


def ask_with(ask: Callable[[str], str] | None) -> None:
    """Ask with this function for a password that a server wants and nobody gave.

    Args:
        ask: takes the address, gives the password or "". It is called in the thread that
            connects. None: nobody is asked, and the server's refusal is an error.
    """
    global _ask
    _ask = ask


def keep_password(address: str, password: str) -> None:
    """Use this password for the login and server of an address from now on."""
    _known[_key(make_url(address))] = password


def without_password(address: str) -> str:
    """The address without the password in it, which is kept for connecting."""
    try:
        url = make_url(address)
    except ArgumentError:
        return address
    if url.password is None:
        return address
    keep_password(address, str(url.password))
    # Not by ``set``, which takes None for "as it was".
    return url._replace(password=None).render_as_string(hide_password=False)


def use_passwords(engine: Engine, shown: str) -> None:
    """Let an engine's connections use the passwords that are known, or ask for one.

    Args:
        engine: to connect with.
        shown: its address, to show to whoever is asked.
    """

    @event.listens_for(engine, "do_connect")
    def connect(dialect: Any, _record: Any, arguments: Any, named: dict[str, Any]) -> Any:
        key = _key(engine.url)
        if key in _known and "password" not in named:
            named["password"] = _known[key]
        try:
            return dialect.connect(*arguments, **named)
        except dialect.dbapi.OperationalError as error:
            if _ask is None or "no password supplied" not in str(error):
                raise
            named["password"] = _known[key] = _ask(shown)
            return dialect.connect(*arguments, **named)
