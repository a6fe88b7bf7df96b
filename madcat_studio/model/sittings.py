"""Where a pass is open: one editor may have a kit open in one place at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

__all__ = ["AS_FILE", "Sitting", "home_of"]

AS_FILE = "file"
"""The place of a pass that is out as a file."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A pass is open in a place.

    Attributes:
        place: what tells one place from another: a home and a window in it, or :data:`AS_FILE`.
        machine: its name, for people.
        at: since when, UTC.
    """

    place: str
    machine: str
    at: datetime

    @property
    def home(self) -> str:
        """What its windows have in common: one of them gives its texts to the next."""
        return home_of(self.place)

    @property
    def as_file(self) -> bool:
        """Whether the pass is out as a file."""
        return self.place == AS_FILE


def home_of(place: str) -> str:
    """The home of a place, without the window."""
    return place.partition("/")[0]
