"""The plan that is being worked on, without a window: drafts that can be undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

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


@dataclass(slots=True)
class _Step:
    """One plan since the plan was read. Figures are counted when it is shown."""

    label: str
    draft: Draft
    figures: DraftFigures | None


class PlanState:
    """The drafts since the plan was read, and which of them is shown."""

    def __init__(self, draft: Draft, figures: DraftFigures | None = None) -> None:
        self._steps = [_Step("", draft, figures or draft_figures(draft))]
        self._now = 0
        self._read = draft
        self._written = draft.kits

    @property
    def draft(self) -> Draft:
        """The plan as it is shown."""
        return self._steps[self._now].draft

    @property
    def figures(self) -> DraftFigures:
        """What it comes to."""
        step = self._steps[self._now]
        if step.figures is None:
            step.figures = draft_figures(step.draft)
        return step.figures

    @property
    def modified(self) -> bool:
        """Whether it is another than that of the campaign."""
        return self.draft.kits != self._written

    @property
    def undo_label(self) -> str | None:
        """What an undo takes back; None where there is nothing."""
        return self._steps[self._now].label if self._now else None

    @property
    def redo_label(self) -> str | None:
        """What a redo does again; None where there is nothing."""
        return self._steps[self._now + 1].label if self._now + 1 < len(self._steps) else None

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
        # Somebody may have come in since the change was thought of.
        draft = self._with_people(preview.draft)
        figures = preview.figures if draft == preview.draft else None
        self._steps.append(_Step(preview.label, draft, figures))
        self._now += 1

    def undo(self) -> None:
        """Back to the plan before."""
        self._now = max(0, self._now - 1)

    def redo(self) -> None:
        """Forward again."""
        self._now = min(len(self._steps) - 1, self._now + 1)

    def written(self) -> None:
        """The campaign has the plan as it is shown."""
        self._written = self.draft.kits

    def meet(self, read: Draft) -> bool:
        """Take the people from the campaign as it was read anew; the kits stay as they are here.

        Returns:
            Whether teams, editors or absences are others than before.
        """
        self._read = read
        changed = False
        for step in self._steps:
            draft = self._with_people(step.draft)
            if draft != step.draft:
                step.draft, step.figures, changed = draft, None, True
        return changed

    def _with_people(self, draft: Draft) -> Draft:
        read = self._read
        return replace(draft, teams=read.teams, absent=read.absent, forbidden=read.forbidden)
