"""What the hand is at while a button is down, as the edit that it would be if it let go now.

A drag is no edit before its end. Kept as one all the while, it is there after a kill as a step of
the history, where the hand had got to.
"""

from __future__ import annotations

from collections.abc import Callable

from madcat_studio.edits.base import Edit
from madcat_studio.workspace.journal import Record

__all__ = ["Held"]


class Held:
    """What is held of one document; every edit, undo and redo ends it.

    Attributes:
        edit: what it would be; None for nothing.
    """

    def __init__(self, keep: Callable[[Record], None]) -> None:
        """``keep`` writes a record into the document's journal."""
        self._keep = keep
        self.edit: Edit | None = None

    def hold(self, edit: Edit | None) -> None:
        """The hand is here now; None: it let go, or is back where it began."""
        if edit != self.edit:
            self.edit = edit
            self._keep(Record("held", edit))

    def ended(self) -> None:
        """Something was done, and written down: that ends it."""
        self.edit = None
