"""What a page's workspace tells of its file and of an earlier session."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["DiskState", "Recovery"]


class DiskState(StrEnum):
    """What became of the file on the disk since it was opened or saved."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Recovery:
    """What a session that ended badly left unsaved.

    Attributes:
        steps: how many edits, undos and redos came after its last save.
        conflict: whether the file was changed by somebody else since.
        damaged: whether later steps could not be read and are lost.
        begun: how many things were begun and not finished.
    """

    steps: int
    conflict: bool
    damaged: bool
    begun: int = 0
