"""Encryption on the way to a database server: demanded unless the server is on this machine."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping

from sqlalchemy.engine import URL

from madcat_studio.errors import UsageError

__all__ = ["asks_here", "demand_tls", "is_local"]

_WEAK = ("disable", "allow", "prefer")
"""Modes in which the driver may send password and texts in the clear."""


def is_local(host: str) -> bool:
    """Whether a host (a name, an address or a socket's folder) is this machine."""
    if not host or host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _hosts(url: URL, environment: Mapping[str, str]) -> list[str]:
    """All hosts that the driver may try."""
    named: list[str] = []
    for key, variable in (("host", "PGHOST"), ("hostaddr", "PGHOSTADDR")):
        given = url.query.get(key) or (url.host if key == "host" else None)
        if given is None:
            given = environment.get(variable)
        for one in (given,) if isinstance(given, str) else given or ():
            named += one.split(",")
    return [host.partition(":")[0] if host.count(":") == 1 else host for host in named]


def asks_here(url: URL, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether all servers that an address may mean are on this machine."""
    # A service file may name any host.
    unknown = "service" in url.query or "PGSERVICE" in environment
    return not unknown and all(is_local(host) for host in _hosts(url, environment))


def demand_tls(url: URL, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What the driver must be told so that it encrypts, or gives up.

    A server on this machine needs nothing. A stronger mode (``verify-full``) stays as it is.

    Raises:
        UsageError: ``store.no-tls``: the address or the environment asks for less.
    """
    if asks_here(url, environment):
        return {}
    wanted = url.query.get("sslmode") or environment.get("PGSSLMODE")
    if wanted in _WEAK:
        raise UsageError(
            "store.no-tls",
            f"The address allows a connection without encryption (sslmode={wanted})",
            where=url.set(drivername="postgresql").render_as_string(hide_password=True),
            remedy="Leave sslmode out of it, or write sslmode=verify-full; only a server on "
            "this machine may be used without encryption",
        )
    return {} if wanted else {"sslmode": "require"}
