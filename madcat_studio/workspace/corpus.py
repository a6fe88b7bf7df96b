"""A corpus that is being planned, without a window: its order and its plan, which can be undone."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.planning.corpus import CorpusOrder, CorpusPlan, standing_before
from madcat_studio.planning.quotas import Standing
from madcat_studio.workspace.history import States

__all__ = ["CorpusWorkspace"]


@dataclass(frozen=True, slots=True)
class _Step:
    """What a user did, and the corpus that came of it."""

    label: str
    order: CorpusOrder
    plan: CorpusPlan | None


class CorpusWorkspace(States[_Step]):
    """The states since the corpus was opened, and which of them is shown."""

    def __init__(
        self, order: CorpusOrder, plan: CorpusPlan | None = None, *, saved: bool = True
    ) -> None:
        """Begin.

        Args:
            order: what the corpus is made from.
            plan: who copies what; None: nobody is assigned yet.
            saved: whether a folder has it so.
        """
        super().__init__(_Step("", order, plan))
        if not saved:
            self._history.saved = None

    @property
    def order(self) -> CorpusOrder:
        """What the corpus is made from."""
        return self._now.order

    @property
    def plan(self) -> CorpusPlan | None:
        """Who copies what; None while nobody is assigned."""
        return self._now.plan

    @property
    def stale(self) -> bool:
        """Whether the quotas are others than those that scribes were assigned by."""
        return self.plan is not None and self.plan.order.own_quotas != self.order.own_quotas

    @property
    def standing(self) -> tuple[Standing, ...]:
        """How the quotas are kept."""
        plan, order = self.plan, self.order
        return standing_before(order) if plan is None else plan.standing(order.own_quotas)

    @property
    def modified(self) -> bool:
        """Whether it is otherwise than the folder has it."""
        return not self._history.clean

    def make(self, label: str, order: CorpusOrder, plan: CorpusPlan | None) -> None:
        """Go on to another state; it can be undone."""
        self._history.push(_Step(label, order, plan))

    def written(self) -> None:
        """A folder has it as it is now."""
        self._history.mark_saved()
