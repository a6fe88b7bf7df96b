"""A Debian or Ubuntu in a folder of its own, for what this machine's release does not have."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["CACHE", "Unavailable", "processes", "system", "ubuntu"]

CACHE = Path("/var/cache/madcat-studio")
"""Where they are kept: making one takes minutes."""

_MIRROR = "http://deb.debian.org/debian"
_UBUNTU = "http://archive.ubuntu.com/ubuntu"
_UBUNTUS_KEYS = Path("/usr/share/keyrings/ubuntu-archive-keyring.gpg")
_SCRIPTS = Path("/usr/share/debootstrap/scripts")
_PATIENCE = 1800  # seconds


class Unavailable(Exception):
    """There is no such system here, and none can be had; the text says why."""


@contextmanager
def processes(root: Path) -> Iterator[None]:
    """``/proc`` within a system, which some programs need to find themselves.

    Raises:
        Unavailable: it cannot be mounted here.
    """
    place = root / "proc"
    if (place / "self").exists():
        yield
        return
    mount = ["mount", "-t", "proc", "proc", str(place)]
    done = subprocess.run(mount, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise Unavailable(f"/proc cannot be mounted in {root}: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(place)], check=False, capture_output=True)


def system(name: str, release: str, packages: list[str]) -> Path:
    """The root of a release of Debian with some packages; fetched where it is not there yet.

    Raises:
        Unavailable: it is not here and could not be fetched.
    """
    mirror = os.environ.get("MADCAT_STUDIO_DEBIAN", _MIRROR)
    return _fetched(name, [release], [mirror], packages)


def ubuntu(name: str, release: str, packages: list[str]) -> Path:
    """The same of a release of Ubuntu.

    Raises:
        Unavailable: as :func:`system`; also where Ubuntu's keys are not here.
    """
    if not (CACHE / name).is_dir() and not _UBUNTUS_KEYS.is_file():
        raise Unavailable(
            f"{name} is not here, and Ubuntu's {release} cannot be verified without"
            f" {_UBUNTUS_KEYS} (apt-get install ubuntu-keyring)"
        )
    options = [f"--keyring={_UBUNTUS_KEYS}", "--components=main,universe", release]
    mirror = [os.environ.get("MADCAT_STUDIO_UBUNTU", _UBUNTU)]
    if not (_SCRIPTS / release).exists():  # newer than debootstrap here: all are made by this one
        mirror.append(str(_SCRIPTS / "gutsy"))
    return _fetched(name, options, mirror, packages)


def _fetched(name: str, release: list[str], source: list[str], packages: list[str]) -> Path:
    root = CACHE / name
    if root.is_dir():
        return root
    told = release[-1]
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        raise Unavailable(
            f"{name} is not here, and fetching {told} needs root and debootstrap"
            " (apt-get install debootstrap)"
        )
    CACHE.mkdir(parents=True, exist_ok=True)
    # Under another name until it is whole: what is broken off is made anew.
    new = root.with_suffix(".new")
    _discard(new)
    try:
        done = subprocess.run(
            [
                *("debootstrap", "--variant=minbase", f"--include={','.join(packages)}"),
                *(*release, str(new), *source),
            ],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_PATIENCE,
        )
    except subprocess.TimeoutExpired:
        _discard(new)
        raise Unavailable(f"{told} was not fetched within {_PATIENCE // 60} minutes") from None
    if done.returncode != 0:
        _discard(new)
        raise Unavailable(f"{told} could not be fetched: {done.stdout[-2000:]}")
    new.rename(root)
    return root


def _discard(root: Path, table: Path = Path("/proc/self/mounts")) -> None:
    """Remove a system that did not become whole; never through what is mounted in it."""
    mounts = [line.split()[1] for line in table.read_text("utf-8").splitlines()]
    for place in sorted((one for one in mounts if Path(one).is_relative_to(root)), reverse=True):
        done = subprocess.run(["umount", place], check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise Unavailable(f"{place} is mounted and cannot be let go: {done.stderr.strip()}")
    shutil.rmtree(root, ignore_errors=True)
