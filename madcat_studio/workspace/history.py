"""The steps of an open document: done, undone, and which of its states was saved."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.edits.base import Edit
from madcat_studio.edits.several import Several
from madcat_studio.model.change import Change
from madcat_studio.model.document import Document

__all__ = ["History", "Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """An edit, and what takes it back."""

    edit: Edit
    back: Edit


class History:
    """Undo without end. Positions count the steps that are done, from the opened file on.

    Attributes:
        done: the steps that are done, the oldest first.
        saved: the position that was saved last, None where no step leads back to it.
    """

    def __init__(self) -> None:
        self.done: list[Step] = []
        self._undone: list[Step] = []
        self.saved: int | None = 0

    @property
    def position(self) -> int:
        """How many steps are done."""
        return len(self.done)

    @property
    def count(self) -> int:
        """How many steps there are, those included that are undone."""
        return len(self.done) + len(self._undone)

    @property
    def clean(self) -> bool:
        """Whether the state is the saved one."""
        return self.saved == len(self.done)

    def label(self, number: int) -> str:
        """What a step (from 0) does, whether it is done or undone; "" where there is none."""
        if not 0 <= number < self.count:
            return ""
        if number < len(self.done):
            return self.done[number].edit.label
        return self._undone[self.count - 1 - number].edit.label

    def mark_saved(self) -> None:
        """The state as it is now is the saved one."""
        self.saved = len(self.done)

    def do(self, document: Document, edit: Edit, *, merge: bool) -> Change:
        """Make an edit; what was undone is dropped. See ``PageWorkspace.execute``."""
        back = edit.inverse(document)
        change = edit.apply(document)
        if self.saved is not None and self.saved > len(self.done):
            self.saved = None  # the saved state was among the steps that are dropped now
        self._undone.clear()
        # A step that was saved stays one of its own, or undo could not come back to the file.
        if merge and self.done and not self.clean:
            last = self.done.pop()
            edits = (*_parts(last.edit), edit)
            backs = (back, *_parts(last.back))
            label = last.edit.label
            self.done.append(Step(Several(edits, label), Several(backs, label)))
        else:
            self.done.append(Step(edit, back))
        return change

    def undo(self, document: Document) -> Change | None:
        """Take the last step back; None where there is none."""
        if not self.done:
            return None
        step = self.done.pop()
        self._undone.append(step)
        return step.back.apply(document)

    def redo(self, document: Document) -> Change | None:
        """Make the step again that was undone last; None where there is none."""
        if not self._undone:
            return None
        step = self._undone.pop()
        self.done.append(step)
        return step.edit.apply(document)


def _parts(edit: Edit) -> tuple[Edit, ...]:
    return edit.edits if isinstance(edit, Several) else (edit,)
