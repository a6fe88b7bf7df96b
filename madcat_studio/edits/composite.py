"""Several edits as one step of the user."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.edits.base import Edit
from madcat_studio.model.change import Change, combined
from madcat_studio.model.document import Document

__all__ = ["CompositeEdit"]


@dataclass(frozen=True, slots=True)
class CompositeEdit:
    """Edits that are made, undone and redone together, in this order."""

    edits: tuple[Edit, ...]
    label: str

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Apply all, or none: where one is refused, those before it are taken back."""
        changes: list[Change] = []
        undo: list[Edit] = []
        for edit in self.edits:
            try:
                change, back = edit.apply(document)
            except BaseException:
                for done in reversed(undo):
                    done.apply(document)
                raise
            changes.append(change)
            undo.append(back)
        return combined(changes), CompositeEdit(tuple(reversed(undo)), self.label)
