"""The plan that is being worked on, without a window: drafts that can be undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from madcat_studio.planning.draft import Change, Draft, DraftFigures, draft_figures, effect

__all__ = ["PlanState", "Preview"]


@dataclass(frozen=True, slots=True)
class Preview:
    """A change that was not made yet.

    Attributes:
        label: what it is, for people.
        draft: the plan with it.
        figures: what that plan comes to.
        changes: every figure that it moves.
    """

    label: str
    draft: Draft
    figures: DraftFigures
    changes: tuple[Change, ...]


class PlanState:
    """The drafts since the plan was read, and which of them is shown."""

    def __init__(self, draft: Draft, figures: DraftFigures | None = None) -> None:
        self._steps = [("", draft, figures if figures is not None else draft_figures(draft))]
        self._now = 0
        self._written = draft

    @property
    def draft(self) -> Draft:
        """The plan as it is shown."""
        return self._steps[self._now][1]

    @property
    def figures(self) -> DraftFigures:
        """What it comes to."""
        return self._steps[self._now][2]

    @property
    def modified(self) -> bool:
        """Whether it is another than that of the campaign."""
        return self.draft.kits != self._written.kits

    @property
    def undo_label(self) -> str | None:
        """What an undo takes back; None where there is nothing."""
        return self._steps[self._now][0] if self._now else None

    @property
    def redo_label(self) -> str | None:
        """What a redo does again; None where there is nothing."""
        return self._steps[self._now + 1][0] if self._now + 1 < len(self._steps) else None

    def preview(self, label: str, change: Callable[[Draft], Draft]) -> Preview:
        """What a change would do. Safe in a thread: the state is only read.

        Raises:
            InputError: a hard rule refuses it.
        """
        draft = change(self.draft)
        figures = draft_figures(draft)
        return Preview(label, draft, figures, effect(self.figures, figures))

    def make(self, preview: Preview) -> None:
        """Make the change: it can be undone."""
        del self._steps[self._now + 1 :]
        self._steps.append((preview.label, preview.draft, preview.figures))
        self._now += 1

    def undo(self) -> None:
        """Back to the plan before."""
        self._now = max(0, self._now - 1)

    def redo(self) -> None:
        """Forward again."""
        self._now = min(len(self._steps) - 1, self._now + 1)

    def written(self) -> None:
        """The campaign has the plan as it is shown."""
        self._written = self.draft
