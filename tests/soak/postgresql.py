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

from scripts import debian

__all__ = ["DEBIAN", "Programs", "installed", "programs", "version_of"]

DEBIAN = {"15": "bookworm", "17": "trixie"}
"""Version of PostgreSQL -> the release of Debian that has it."""

_FOLDERS = ("usr/lib/postgresql/*/bin", "usr/pgsql-*/bin", "usr/local/pgsql/bin")


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
        debian.Unavailable: they are not here and could not be fetched.
    """
    own = installed()
    if own is not None and version_of(own) == version:
        return own
    name = f"postgresql-{version}"
    root = debian.system(name, DEBIAN[version], [name])
    found = _within(root)
    if found is None or version_of(found) != version:
        raise debian.Unavailable(f"there is no PostgreSQL {version} in {root}; remove that folder")
    return found
