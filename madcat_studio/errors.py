"""The exception tree. Core code raises these; the command line and the window show them.

    StudioError               anything a user is told in one message
    ├── InputError            a file, a line or an option cannot be used as it is
    │   ├── FormatError       a file is not what it should be (not XML, wrong root, truncated)
    │   └── UsageError        an argument or an option makes no sense
    ├── ConflictError         somebody else got there first (file changed on disk, kit claimed)
    └── WorldError            the machine or the network failed (disk full, no rights, server away)

Whatever is not a StudioError is our own fault: a crash report, never a message.
"""

from __future__ import annotations

from pathlib import Path

__all__ = [
    "ConflictError",
    "FormatError",
    "InputError",
    "StudioError",
    "UsageError",
    "WorldError",
]


class StudioError(Exception):
    """One message for a user: what is wrong, where, and what to do about it.

    Attributes:
        code: a stable name such as ``madcat.not-xml``: room, then reason.
            docs/errors.md lists them all.
        reason: what is wrong, one sentence without a final full stop.
        where: the file, or file and line, or segment, as the user knows it; empty if nowhere.
        remedy: what the user can do, one sentence without a final full stop; may be empty.
    """

    def __init__(self, code: str, reason: str, *, where: str | Path = "", remedy: str = "") -> None:
        super().__init__(code, reason, str(where), remedy)
        self.code = code
        self.reason = reason
        self.where = str(where)
        self.remedy = remedy

    def __reduce__(self) -> tuple[object, ...]:
        """Errors travel from worker processes whole, whatever their class's arguments are."""
        return _again, (type(self), self.args), self.__dict__

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f" {self.remedy}." if self.remedy else ""
        return f"{place}{self.reason}.{remedy} [{self.code}]"


def _again(kind: type[StudioError], arguments: tuple[object, ...]) -> StudioError:
    error = kind.__new__(kind)
    error.args = arguments
    return error


class InputError(StudioError):
    """Something the user gave cannot be used as it is."""


class FormatError(InputError):
    """A file is not what it should be."""


class UsageError(InputError):
    """An argument or an option makes no sense."""


class ConflictError(StudioError):
    """Somebody or something else changed the same thing first."""


class WorldError(StudioError):
    """The machine, the disk or the network failed."""
