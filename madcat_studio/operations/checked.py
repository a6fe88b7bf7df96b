"""Taking many things in at once: everything is checked first, everything wrong is told at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from madcat_studio.errors import InputError, StudioError
from madcat_studio.model.problem import Problem, Severity, Where
from madcat_studio.progress import Cancelled, Progress

__all__ = ["Checking", "Outcome", "Refused", "counted", "describe_added"]

_SHOWN = 20
"""How many problems a message lists; the rest are counted."""


class Refused(InputError):
    """Nothing was written; ``problems`` says everything that is wrong."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        errors = [one for one in self.problems if one.severity is Severity.ERROR]
        things = "1 thing is wrong" if len(errors) == 1 else f"{len(errors)} things are wrong"
        lines = [f"  {one.where}: {one.what}" + _then(one.remedy) for one in errors[:_SHOWN]]
        if len(errors) > _SHOWN:
            lines.append(f"  … and {len(errors) - _SHOWN} more")
        super().__init__(
            "campaign.refused",
            f"{things}, and nothing was written:\n" + "\n".join(lines) + "\n",
            remedy="Mend them and try again",
        )

    def __str__(self) -> str:
        return f"{self.reason}{self.remedy}. [{self.code}]"


def _then(remedy: str) -> str:
    return f". {remedy}" if remedy else ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done, a sentence each, and what should be looked at."""

    done: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


@dataclass(slots=True)
class Checking:
    """What has been found wrong so far, and how far the work is."""

    progress: Progress
    problems: list[Problem] = field(default_factory=list)

    def step(self, done: int, total: int | None, text: str) -> None:
        """Tell how far the work is.

        Raises:
            Cancelled: the user wants it to stop.
        """
        if self.progress.cancelled():
            raise Cancelled
        self.progress.advance(done, total, text)

    def _add(
        self,
        severity: Severity,
        code: str,
        where: str | Path,
        what: str,
        done: str,
        remedy: str,
    ) -> None:
        self.problems.append(Problem(code, severity, Where(str(where)), what, done, remedy))

    def error(self, code: str, where: str | Path, what: str, remedy: str = "") -> None:
        """Something that prevents the whole."""
        self._add(Severity.ERROR, code, where, what, "", remedy)

    def warn(
        self, code: str, where: str | Path, what: str, done: str = "", remedy: str = ""
    ) -> None:
        """Something to look at, which prevents nothing."""
        self._add(Severity.WARNING, code, where, what, done, remedy)

    def failed(self, error: StudioError, where: str | Path = "") -> None:
        """An error that was raised for one of many things."""
        self.error(error.code, error.where or where, error.reason, error.remedy)

    def settle(self) -> None:
        """Go on only where nothing is wrong.

        Raises:
            Refused: something is.
        """
        if any(one.severity is Severity.ERROR for one in self.problems):
            raise Refused(self.problems)


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 text``, ``2 texts``."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


def describe_added(added: int, there: int, noun: str, more: str = "") -> str:
    """``2 kits added, 3 there already``; ``more`` follows the noun."""
    sentence = f"{counted(added, noun)}{' ' + more if more else ''} added"
    return f"{sentence}, {there} already there" if there else sentence
