"""A plan that is being worked on, without a window: drafts that can be undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from madcat_studio.planning.difference import PlanDifference, difference_of
from madcat_studio.planning.draft import Change, Draft, DraftFigures, draft_figures, effect
from madcat_studio.workspace.history import States

__all__ = ["PlanWorkspace", "Preview"]


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
    """A change, and the plan that came of it. Figures are counted when it is shown."""

    label: str
    draft: Draft
    figures: DraftFigures | None


class PlanWorkspace(States[_Step]):
    """The drafts since the plan was read, and which of them is shown."""

    def __init__(self, draft: Draft, figures: DraftFigures | None = None) -> None:
        super().__init__(_Step("", draft, figures or draft_figures(draft)))
        self._read = draft
        self._written = self._start

    @property
    def draft(self) -> Draft:
        """The plan as it is shown."""
        return self._now.draft

    @property
    def figures(self) -> DraftFigures:
        """What it comes to."""
        step = self._now
        if step.figures is None:
            step.figures = draft_figures(step.draft)
        return step.figures

    @property
    def modified(self) -> bool:
        """Whether it is another than that of the campaign."""
        return self.draft.kits != self._written.draft.kits

    @property
    def difference(self) -> PlanDifference | None:
        """To the campaign's plan; None where it is that, or the campaign has none."""
        before = self._written
        if not before.draft.kits or not self.modified:
            return None
        if before.figures is None:
            before.figures = draft_figures(before.draft)
        return difference_of(before.draft, self.draft, (before.figures, self.figures))

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
        # Somebody may have come in since the change was thought of.
        draft = self._with_people(preview.draft)
        figures = preview.figures if draft == preview.draft else None
        self._history.push(_Step(preview.label, draft, figures))

    def written(self) -> None:
        """The campaign has the plan as it is shown."""
        self._written = self._now

    def meet(self, read: Draft) -> bool:
        """Take the people from the campaign as it was read anew; the kits stay as they are here.

        Returns:
            Whether teams, editors or absences are others than before.
        """
        self._read = read
        changed = False
        for step in (self._start, *self._history.steps()):
            draft = self._with_people(step.draft)
            if draft != step.draft:
                step.draft, step.figures, changed = draft, None, True
        return changed

    def _with_people(self, draft: Draft) -> Draft:
        read = self._read
        return replace(draft, teams=read.teams, absent=read.absent, forbidden=read.forbidden)
