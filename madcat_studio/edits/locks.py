"""Locking lines that are finished, and unlocking them. The lock is never part of the file."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.edits.base import Edit, find_line
from madcat_studio.edits.several import Several
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

    def apply(self, document: Document) -> Change:
        """Lock or unlock."""
        found = [find_line(document, self.page, line) for line in self.lines]
        for line in found:
            line.locked = self.locked
        return Change(lines=frozenset((self.page, line) for line in self.lines))

    def inverse(self, document: Document) -> Edit:
        """Lock and unlock as it is now."""
        now: dict[bool, list[int]] = {True: [], False: []}
        for line in self.lines:
            now[find_line(document, self.page, line).locked].append(line)
        back = [LockLines(self.page, tuple(lines), yes) for yes, lines in now.items() if lines]
        return back[0] if len(back) == 1 else Several(tuple(back), self.label)
