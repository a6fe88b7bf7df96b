"""Where the files that come with the program lie, and a home for a user who has none."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["ensure_home", "manual", "resources", "schemas"]

_PACKAGE = Path(__file__).resolve().parent


def _beside(name: str) -> Path:
    """``name`` inside the package (a wheel) or beside it (a checkout)."""
    installed = _PACKAGE / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def resources() -> Path:
    """The folder of icons, fonts, translations and the demo campaign."""
    return _beside("resources")


def schemas() -> Path:
    """The folder of schemas for the files that we read and write."""
    return _beside("schemas")


def manual() -> Path:
    """The folder of the manual's pages."""
    return _beside("docs")


def ensure_home() -> Path | None:
    """Give this process a home where its user has none; the folder that it got, else None.

    A container may run as a user id without a name, without ``HOME``. Settings, the log and unsaved
    edits have no place then, and each library that looks for one fails in a way of its own.
    """
    if os.environ.get("HOME", "absent") and Path(os.path.expanduser("~")).is_absolute():  # noqa: PTH111 - without an error
        return None
    import tempfile

    folder = Path(tempfile.gettempdir(), f"madcat-studio-{os.getuid()}")
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        told = folder.lstat()
        # Somebody else may have put a folder or a link there, to read what is written.
        if told.st_uid != os.getuid() or told.st_mode & 0o170077 != 0o040000:
            folder = Path(tempfile.mkdtemp(prefix="madcat-studio-"))
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="madcat-studio-"))
    os.environ["HOME"] = str(folder)
    return folder
