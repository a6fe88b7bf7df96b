"""Several edits as one step of the user."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.edits.base import Edit
from madcat_studio.model.change import Change, combined
from madcat_studio.model.document import Document

__all__ = ["Several"]


@dataclass(frozen=True, slots=True)
class Several:
    """Edits that are made, undone and redone together, in this order."""

    edits: tuple[Edit, ...]
    label: str

    def apply(self, document: Document) -> Change:
        """Apply all, or none: where one is refused, those before it are taken back."""
        changes: list[Change] = []
        undo: list[Edit] = []
        for edit in self.edits:
            try:
                back = edit.inverse(document)
                changes.append(edit.apply(document))
            except BaseException:
                for done in reversed(undo):
                    done.apply(document)
                raise
            undo.append(back)
        return combined(changes)

    def inverse(self, document: Document) -> Edit:
        """The inverses in reverse. To ask for them the edits are made, then taken back."""
        undo: list[Edit] = []
        try:
            for edit in self.edits:
                back = edit.inverse(document)
                edit.apply(document)
                undo.append(back)
        finally:
            for done in reversed(undo):
                done.apply(document)
        return Several(tuple(reversed(undo)), self.label)
