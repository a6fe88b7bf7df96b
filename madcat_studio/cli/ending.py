"""How a command ends: its exit status, and what is said of an error.

0: done (warnings may have been printed), 1: what was asked for was found (by ``check``, ``doctor``,
``--fail-on``), 2: input, file or server that cannot be used, 70: a fault
of the program itself (a crash report was written), 130: stopped by the user, 143: ended by the
system (SIGTERM); nothing half-written stays.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from madcat_studio.cli.terminal import Ended, speaking
from madcat_studio.errors import StudioError, WorldError

__all__ = ["FAULT", "STATUSES", "STOPPED", "UNUSABLE", "guarded"]

STATUSES = (
    "Exit status: 0 done; 1 something was found (check, doctor, --fail-on-…); 2 input, a file or a "
    "server cannot be used; 70 a fault of the program; 130 stopped by Ctrl+C; 143 ended by the "
    "system. Where a command has --format, json is for scripts. NO_COLOR=1 in the environment "
    "leaves colours out."
)
"""As the help page tells it."""

UNUSABLE = 2
FAULT = 70
STOPPED = 130
ENDED = 128
"""And the number of the signal by which the system ended the program."""


def guarded(work: Callable[[], object]) -> int:
    """Do a command's work and return its exit status. Nothing escapes but a message."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show Arabic letters gets their codes, not a fault.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    with speaking():
        try:
            work()
        except SystemExit as stop:
            return stop.code if isinstance(stop.code, int) else UNUSABLE
        except KeyboardInterrupt:
            return STOPPED
        except Ended as end:
            return ENDED + end.number
        except Exception as error:
            return _tell(error)
    return 0


def _tell(error: Exception) -> int:
    """Say on the error stream what happened; return the exit status for it."""
    from madcat_studio import log  # loads much, and few commands end here
    from madcat_studio.progress import Cancelled

    if isinstance(error, Cancelled):
        return STOPPED
    if isinstance(error, OSError) and error.strerror:
        # The disk is full, the folder may not be written: the world, wherever it was noticed.
        reason = error.strerror[:1].lower() + error.strerror[1:]
        error = WorldError(
            "system.refused",
            reason,
            where=error.filename or "",
            remedy="Check the name, the permissions and the disk space",
        )
    if isinstance(error, StudioError):
        log.record_message(error)
        print(f"madcat-studio: {error}", file=sys.stderr)
        return UNUSABLE
    report = log.report_crash(error)
    print(
        f"madcat-studio: the program has a fault: {type(error).__name__}. What is needed to "
        f"find it was written to {report}; look through it before you pass it on.",
        file=sys.stderr,
    )
    return FAULT
