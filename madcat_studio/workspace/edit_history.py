"""The steps of an open document: edits made, taken back and made again."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.edits.base import Edit
from madcat_studio.edits.composite import CompositeEdit
from madcat_studio.model.change import Change
from madcat_studio.model.document import Document
from madcat_studio.workspace.history import History

__all__ = ["EditHistory", "EditStep"]


@dataclass(frozen=True, slots=True)
class EditStep:
    """An edit, and what takes it back."""

    edit: Edit
    back: Edit

    @property
    def label(self) -> str:
        """What the user did."""
        return self.edit.label

    def joined(self, later: EditStep) -> EditStep:
        """Both as one step, under this one's label."""
        return EditStep(
            CompositeEdit((*_parts(self.edit), later.edit), self.label),
            CompositeEdit((later.back, *_parts(self.back)), self.label),
        )


class EditHistory(History[EditStep]):
    """The history of a document; it makes the edits too, and says what they changed."""

    def do(self, document: Document, edit: Edit, *, merge: bool) -> Change:
        """Make an edit; what was undone is dropped. See ``PageWorkspace.execute``."""
        # A step that was saved stays one of its own, or undo could not come back to the file.
        joins = merge and bool(self.done) and not self.clean
        change, back = edit.apply(document)
        step = EditStep(edit, back)
        if joins:
            self.amend(self.done[-1].joined(step))
        else:
            self.push(step)
        return change

    def take_back(self, document: Document) -> Change:
        """Take the last step back; an empty change where there is none."""
        step = self.undo()
        return step.back.apply(document)[0] if step is not None else Change()

    def make_again(self, document: Document) -> Change:
        """Make the step again that was undone last; an empty change where there is none."""
        step = self.redo()
        return step.edit.apply(document)[0] if step is not None else Change()


def _parts(edit: Edit) -> tuple[Edit, ...]:
    return edit.edits if isinstance(edit, CompositeEdit) else (edit,)
