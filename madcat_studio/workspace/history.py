"""Undo and redo: the steps that were done, those undone, and which state was saved.

One history serves pages, kits and plans. What a step holds, and how it is made and taken back, is
the workspace's; the history keeps the steps in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

__all__ = ["History", "Point", "States", "Step"]


class Step(Protocol):
    """What a user takes back at once."""

    @property
    def label(self) -> str:
        """What the user did, for the undo menu."""
        ...


_S = TypeVar("_S", bound=Step)


@dataclass(frozen=True, slots=True)
class Point(Generic[_S]):
    """A state: how many steps lead to it, and the last of them."""

    position: int
    step: _S | None


class History(Generic[_S]):
    """Undo without end. Positions count the steps that are done, from the opened state on.

    Attributes:
        saved: the position that was saved last, None where no step leads back to it.
    """

    def __init__(self) -> None:
        self._done: list[_S] = []
        self._undone: list[_S] = []
        self.saved: int | None = 0

    @property
    def done(self) -> Sequence[_S]:
        """The steps that are done, the oldest first."""
        return self._done

    @property
    def position(self) -> int:
        """How many steps are done."""
        return len(self._done)

    @property
    def count(self) -> int:
        """How many steps there are, those included that are undone."""
        return len(self._done) + len(self._undone)

    @property
    def clean(self) -> bool:
        """Whether the state is the saved one."""
        return self.saved == len(self._done)

    def label(self, number: int) -> str:
        """What a step (from 0) does, whether it is done or undone; "" where there is none."""
        if not 0 <= number < self.count:
            return ""
        if number < len(self._done):
            return self._done[number].label
        return self._undone[self.count - 1 - number].label

    @property
    def undo_label(self) -> str:
        """What undo would take back, or ""."""
        return self.label(self.position - 1)

    @property
    def redo_label(self) -> str:
        """What redo would do again, or ""."""
        return self.label(self.position)

    def point(self) -> Point[_S]:
        """The state as it is now, to be found again."""
        return Point(len(self._done), self._done[-1] if self._done else None)

    def mark_saved(self, point: Point[_S] | None = None) -> None:
        """The state as it is now is the saved one, or as it was at a point, if steps lead there."""
        if point is None:
            self.saved = len(self._done)
            return
        steps = self.steps()
        there = point.position == 0 or (
            point.position <= len(steps) and steps[point.position - 1] is point.step
        )
        self.saved = point.position if there else None

    def push(self, step: _S) -> None:
        """Add a step that was done; what was undone is dropped."""
        if self.saved is not None and self.saved > len(self._done):
            self.saved = None  # the saved state was among the steps that are dropped now
        self._undone.clear()
        self._done.append(step)

    def amend(self, step: _S) -> None:
        """The last step is this one now: what was done belongs to it. Undone steps are dropped."""
        self._done.pop()
        self.push(step)

    def undo(self) -> _S | None:
        """The step to take back, None where there is none."""
        if not self._done:
            return None
        self._undone.append(self._done.pop())
        return self._undone[-1]

    def redo(self) -> _S | None:
        """The step to make again, None where there is none."""
        if not self._undone:
            return None
        self._done.append(self._undone.pop())
        return self._done[-1]

    def steps(self) -> Sequence[_S]:
        """All steps, those undone included, in the order in which they were done."""
        return [*self._done, *reversed(self._undone)]


class States(Generic[_S]):
    """A workspace whose steps are whole states: the one that came last is shown."""

    def __init__(self, start: _S) -> None:
        self._start = start
        self._history = History[_S]()

    @property
    def _now(self) -> _S:
        done = self._history.done
        return done[-1] if done else self._start

    @property
    def undo_label(self) -> str:
        """What an undo takes back, or ""."""
        return self._history.undo_label

    @property
    def redo_label(self) -> str:
        """What a redo does again, or ""."""
        return self._history.redo_label

    def undo(self) -> None:
        """Back to the state before."""
        self._history.undo()

    def redo(self) -> None:
        """Forward again."""
        self._history.redo()
