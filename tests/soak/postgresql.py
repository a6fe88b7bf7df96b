"""A PostgreSQL server of a certain version: this machine's, or Debian's in a folder of its own.

Debian 12 comes with 15 and Debian 13 with 17. What the machine does not have is fetched once by
debootstrap, which needs root, into a folder under ``/var/cache``; its programs run by chroot.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

__all__ = ["CACHE", "DEBIAN", "Programs", "Unavailable", "installed", "programs", "version_of"]

DEBIAN = {"15": "bookworm", "17": "trixie"}
"""Version of PostgreSQL -> the release of Debian that has it."""

CACHE = Path("/var/cache/madcat-studio")

_MIRROR = "http://deb.debian.org/debian"
_FOLDERS = ("usr/lib/postgresql/*/bin", "usr/pgsql-*/bin", "usr/local/pgsql/bin")


class Unavailable(Exception):
    """There is no such server here, and none can be had; the text says why."""


class Programs(NamedTuple):
    """A server's programs.

    Attributes:
        folder: in which they are, as they see it themselves.
        root: of the system that they belong to.
    """

    folder: Path
    root: Path = Path("/")

    def command(self, program: str, *arguments: str) -> list[str]:
        """What runs one of them; a server refuses to run as root."""
        command = [str(self.folder / program), *arguments]
        if self.root != Path("/"):
            return ["chroot", "--userspec=postgres:postgres", str(self.root), *command]
        if os.geteuid() == 0:
            return ["runuser", "-u", "postgres", "--", *command]
        return command


def installed() -> Programs | None:
    """This machine's own, the newest of them."""
    found = shutil.which("initdb")
    if found:
        return Programs(Path(found).parent)
    return _within(Path("/"))


def _within(root: Path) -> Programs | None:
    for pattern in _FOLDERS:
        for folder in sorted(root.glob(pattern), reverse=True):
            if (folder / "initdb").is_file():
                return Programs(Path("/") / folder.relative_to(root), root)
    return None


def version_of(found: Programs) -> str:
    """The version of a server's programs, as ``15``."""
    told = subprocess.run(
        found.command("postgres", "--version"),
        check=True,
        capture_output=True,
        text=True,
        cwd="/",
    ).stdout
    return told.split()[2].partition(".")[0]


def programs(version: str) -> Programs:
    """Those of a version; fetched where they are not there yet.

    Raises:
        Unavailable: they are not here and could not be fetched.
    """
    own = installed()
    if own is not None and version_of(own) == version:
        return own
    root = CACHE / f"postgresql-{version}"
    if not root.is_dir():
        _fetch(version, root)
    found = _within(root)
    if found is None or version_of(found) != version:
        raise Unavailable(f"there is no PostgreSQL {version} in {root}; remove that folder")
    return found


def _fetch(version: str, root: Path) -> None:
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        raise Unavailable(
            f"this machine has no PostgreSQL {version}, and fetching it from Debian needs root and"
            " debootstrap (apt-get install debootstrap)"
        )
    CACHE.mkdir(parents=True, exist_ok=True)
    # Under another name until it is whole: what is broken off is made anew.
    new = root.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    done = subprocess.run(
        [
            *("debootstrap", "--variant=minbase", f"--include=postgresql-{version}"),
            *(DEBIAN[version], str(new), os.environ.get("MADCAT_STUDIO_DEBIAN", _MIRROR)),
        ],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=1800,
    )
    if done.returncode != 0:
        shutil.rmtree(new, ignore_errors=True)
        raise Unavailable(f"PostgreSQL {version} could not be fetched: {done.stdout[-2000:]}")
    new.rename(root)
