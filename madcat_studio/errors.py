"""The exception tree. Core code raises these; the command line and the window show them.

    StudioError               anything a user is told in one message
    ├── InputError            a file, a line or an option cannot be used as it is
    │   ├── FormatError       a file is not what it should be (not XML, wrong root, truncated)
    │   └── UsageError        an argument or an option makes no sense
    ├── ConflictError         somebody else got there first (file changed on disk, kit claimed)
    └── WorldError            the machine or the network failed (disk full, no rights, server away)

The first three come from the engine, which stands on nothing of the studio: its errors are told
like all others. Whatever is not a StudioError is our own fault: a crash report, never a message.
docs/errors.md lists all codes.
"""

from __future__ import annotations

from madcat_ter.errors import InputError, UsageError
from madcat_ter.errors import MadcatError as StudioError

__all__ = [
    "ConflictError",
    "FormatError",
    "InputError",
    "StudioError",
    "UsageError",
    "WorldError",
]


class FormatError(InputError):
    """A file is not what it should be."""


class ConflictError(StudioError):
    """Somebody or something else changed the same thing first."""


class WorldError(StudioError):
    """The machine, the disk or the network failed."""
