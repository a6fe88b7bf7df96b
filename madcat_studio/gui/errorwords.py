"""What an error says, in the window's language; what is raised and logged is English."""

from __future__ import annotations

from typing import NamedTuple

from madcat_studio.errors import StudioError
from madcat_studio.gui.translation import tr_report

__all__ = ["Told", "tr_error", "tr_failure"]


class Told(NamedTuple):
    """What an error says: a reason and what to do, without their stops."""

    reason: str
    remedy: str

    @property
    def sentences(self) -> str:
        """Both with their stops, in one line whatever was quoted from a file."""
        line = self.line
        return line[:1].upper() + line[1:]

    @property
    def line(self) -> str:
        """The same where a place stands before them: a name that the reason begins with is kept."""
        reason = " ".join(self.reason.split())
        return f"{reason}." + (f" {self.remedy}." if self.remedy else "")


def tr_error(error: StudioError) -> Told:
    """What an error says in the user's language."""
    return Told(tr_report(error.reason, error.code), tr_report(error.remedy, error.code))


def tr_failure(error: BaseException) -> str:
    """All that an error says, with its place and its code, as a command line says it."""
    if not isinstance(error, StudioError):
        return str(error)
    place = f"{error.where}: " if error.where else ""
    return f"{place}{tr_error(error).line} [{error.code}]"
