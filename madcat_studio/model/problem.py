"""A problem found in a user's file: never an exception, always shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from madcat_studio.model.characters import one_line

__all__ = ["Problem", "Severity", "Where"]


class Severity(StrEnum):
    """How much a problem matters, in rising order."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Where:
    """The place of a problem, as exactly as it is known.

    Attributes:
        file: path as the user gave it.
        line: 1-based line in the file, or None.
        element: what the user would call it, such as ``page p1 line z3 word t7``.
        origin: ordinal of the XML element in the file (document order, from 0), or None.
        column: 1-based column of that line, in characters, or None.
    """

    file: str
    line: int | None = None
    element: str = ""
    origin: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        numbers = (self.line, self.column) if self.line is not None else ()
        known = (str(number) for number in numbers if number is not None)
        place = ":".join((one_line(self.file), *known))
        return f"{place}: {self.element}" if self.element else place


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem.

    Attributes:
        code: a stable name such as ``polygon-self-crossing``.
        severity: how much it matters.
        where: the place.
        what: one sentence telling what is wrong, without a final full stop.
        done: what the program made of it ("kept as it is", "read as 310.5"), or "".
        remedy: what the user can do, or "".
    """

    code: str
    severity: Severity
    where: Where
    what: str
    done: str = ""
    remedy: str = ""
