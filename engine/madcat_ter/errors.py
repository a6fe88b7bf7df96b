"""What is wrong with an input or an option, told so that a user can mend it::

    MadcatError             anything that is told in one message
    └── InputError          a text, a list or an option cannot be used as it is
        └── UsageError      an argument or an option makes no sense

Whatever is none of these is a fault of the program.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["InputError", "MadcatError", "UsageError"]


class MadcatError(Exception):
    """One message for a user: what is wrong, where, and what to do about it.

    Attributes:
        code: a stable name such as ``scoring.no-reference``: topic, then reason.
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
        place = self.where.replace("\n", "\u240a") + ": " if self.where else ""
        remedy = f" {self.remedy}." if self.remedy else ""
        return f"{place}{self.reason}.{remedy} [{self.code}]"


def _again(kind: type[MadcatError], arguments: tuple[object, ...]) -> MadcatError:
    error = kind.__new__(kind)
    error.args = arguments
    return error


class InputError(MadcatError):
    """Something the user gave cannot be used as it is."""


class UsageError(InputError):
    """An argument or an option makes no sense."""
