"""Locking lines that are finished, and unlocking them. The lock is never part of the file."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.edits.base import Edit, find_line
from madcat_studio.edits.composite import CompositeEdit
from madcat_studio.model.change import Change
from madcat_studio.model.document import Document

__all__ = ["LockLines"]


@dataclass(frozen=True, slots=True)
class LockLines:
    """Lock lines of one page, or unlock them. Indices from 0."""

    page: int
    lines: tuple[int, ...]
    locked: bool

    @property
    def label(self) -> str:
        """What the user did."""
        what = "a line" if len(self.lines) == 1 else f"{len(self.lines)} lines"
        return f"{'Lock' if self.locked else 'Unlock'} {what}"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Lock or unlock."""
        found = {number: find_line(document, self.page, number) for number in self.lines}
        sides = {
            locked: tuple(number for number, line in found.items() if line.locked is locked)
            for locked in (True, False)
        }
        backs = [LockLines(self.page, lines, locked) for locked, lines in sides.items() if lines]
        for line in found.values():
            line.locked = self.locked
        change = Change(lines=frozenset((self.page, number) for number in self.lines))
        return change, backs[0] if len(backs) == 1 else CompositeEdit(tuple(backs), self.label)
