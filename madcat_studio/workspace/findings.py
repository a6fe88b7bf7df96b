"""What is found in a kit before it is handed over, and what its editor has set aside with a reason.

A reason is kept in the segment's note, so that it goes where the text goes: undo takes it back, it
is there at the next start and on another machine, and the reviewer and the coordinator read it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from madcat_studio.model.campaign import Flag
from madcat_studio.workspace.kit import KitChange, KitWorkspace
from madcat_studio.workspace.kit_values import KitProblem

__all__ = ["Findings", "findings_of", "ignore"]

_BETWEEN, _BEFORE_REASON = " · ", " – "


@dataclass(frozen=True, slots=True)
class Findings:
    """What there is, each in the order of the kit.

    Attributes:
        problems: what hinders handing over.
        advice: what is only worth a look.
        ignored: how many the editor has set aside.
    """

    problems: tuple[KitProblem, ...] = ()
    advice: tuple[KitProblem, ...] = ()
    ignored: int = 0

    @property
    def all(self) -> tuple[KitProblem, ...]:
        """All, in the order of the kit; of a segment what hinders before what does not."""
        return tuple(sorted((*self.problems, *self.advice), key=lambda one: one.index))


def findings_of(kit: KitWorkspace, seen: Iterable[KitProblem]) -> Findings:
    """What there is now; ``seen`` is the advice that workers found before, such as spelling."""
    advice = (*kit.advice(), *seen)
    left = tuple(one for one in advice if not _is_ignored(kit, one))
    return Findings(kit.check(), left, len(advice) - len(left))


def ignore(kit: KitWorkspace, problem: KitProblem, reason: str) -> KitChange:
    """Set a finding aside: its segment is shown, and the reason is added to the segment's note."""
    kit.go_to(problem.index)
    note = kit.own(problem.index).flags.get(Flag.NOTE, "")
    said = f"{problem.what}{_BEFORE_REASON}{reason.strip()}"
    change = kit.flag(Flag.NOTE, _BETWEEN.join(filter(None, (note, said))))
    return KitChange(states=change.states, current=problem.index)


def _is_ignored(kit: KitWorkspace, problem: KitProblem) -> bool:
    note = kit.own(problem.index).flags.get(Flag.NOTE, "")
    begin = f"{problem.what}{_BEFORE_REASON}"
    return any(one.startswith(begin) for one in note.split(_BETWEEN))
