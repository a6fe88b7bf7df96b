"""The log and crash reports: what the program did, never what a document says.

The log is a small rotating file in the user's log folder. Who logs gives names, numbers and codes
(file, kit, seconds, ``madcat.not-xml``) and leaves texts of segments, names of people and the
messages of exceptions out. A crash report may hold more, since the message of an unexpected
exception is needed to find the fault: it stays on this machine until its user passes it on.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from madcat_studio.errors import StudioError

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["folder", "record_message", "report_crash", "start"]

BYTES_PER_FILE = 512 * 1024
OLD_FILES = 3
_FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"
_PACKAGES = ("lxml", "numpy", "PySide6-Essentials", "shapely", "SQLAlchemy", "typer")

_logger = logging.getLogger("madcat_studio")


def folder() -> Path:
    """The folder of the log and the crash reports; it need not exist yet."""
    import platformdirs

    return platformdirs.user_log_path("madcat-studio", appauthor=False)


def start() -> None:
    """Write the log of ``madcat_studio`` to its file from now on; quietly not, where it cannot."""
    from logging.handlers import RotatingFileHandler

    if any(isinstance(handler, RotatingFileHandler) for handler in _logger.handlers):
        return
    try:
        folder().mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            folder() / "madcat-studio.log",
            maxBytes=BYTES_PER_FILE,
            backupCount=OLD_FILES,
            encoding="utf-8",
        )
    except (OSError, RuntimeError):  # RuntimeError: its user has no home
        _logger.addHandler(logging.NullHandler())
        return  # no place for a log is no reason not to work
    handler.setFormatter(logging.Formatter(_FORMAT))
    _logger.addHandler(handler)
    _logger.setLevel(logging.INFO)


def record_message(error: StudioError) -> None:
    """Log that the user was given this message: its code and place, not its words."""
    _logger.info("told the user %s (%s)", error.code, Path(error.where).name)


def report_crash(error: BaseException) -> Path:
    """Write a crash report beside the log (or in the temporary folder) and return its path."""
    from datetime import UTC, datetime

    now = datetime.now(UTC)
    name = f"crash-{now:%Y%m%d-%H%M%S}-{os.getpid()}.txt"
    text = "\n".join(_report(error, now)) + "\n"
    _logger.error("crashed with %s, see %s", type(error).__name__, name)
    for where in (folder, lambda: Path(tempfile.gettempdir())):
        try:
            place = where()
            place.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(text, encoding="utf-8", errors="backslashreplace")
        except (OSError, RuntimeError):
            continue
        return place / name
    print(text, file=sys.stderr)
    return Path("the error stream")


def _report(error: BaseException, now: datetime) -> list[str]:
    """The lines of a crash report, ready to paste: versions, system, traceback."""
    import platform
    import traceback

    from madcat_studio import __version__

    return [
        f"MADCAT Studio {__version__}, crash of {now:%Y-%m-%d %H:%M:%S} UTC",
        f"Python {platform.python_version()} on {platform.platform()}",
        *(f"{package} {_version(package)}" for package in _PACKAGES),
        "",
        *"".join(traceback.format_exception(error)).splitlines(),
    ]


def _version(package: str) -> str:
    from importlib import metadata  # slow to import, and only a crash needs it

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
