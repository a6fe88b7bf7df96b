"""How one plan differs from another: kits, manuscripts that moved, teams, figures."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.planning.draft import Change, Draft, DraftFigures, draft_figures, effect
from madcat_studio.planning.units import UnitKey

__all__ = ["Moved", "PlanDifference", "Restaffed", "difference_of"]


@dataclass(frozen=True, slots=True)
class Moved:
    """A manuscript that is in another kit; ``before`` or ``after`` is "" where it is in none."""

    unit: UnitKey
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Restaffed:
    """A kit of both plans whose teams, or their roles, are others."""

    kit: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlanDifference:
    """All of it.

    Attributes:
        new, gone: names of kits that only the one plan has.
        figures: those that differ; empty where one of the plans has no kits.
    """

    new: tuple[str, ...]
    gone: tuple[str, ...]
    moved: tuple[Moved, ...]
    restaffed: tuple[Restaffed, ...]
    figures: tuple[Change, ...]

    def __bool__(self) -> bool:
        return bool(self.new or self.gone or self.moved or self.restaffed)

    def sentences(self, most: int = 20) -> list[str]:
        """For people; at most so many manuscripts and kits are named."""
        told = []
        for what, kits in (("New", self.new), ("Gone", self.gone)):
            if kits:
                noun = "kit" if len(kits) == 1 else "kits"
                told.append(f"{what}: {len(kits)} {noun}, {_some(list(kits), most)}")
        moved = [
            f"{one.unit.manuscript} of {one.unit.system} {one.before} -> {one.after}"
            for one in self.moved
            if one.before and one.after
        ]
        added = sum(not one.before for one in self.moved)
        dropped = sum(not one.after for one in self.moved)
        if added:
            told.append(f"Into the plan: {_manuscripts(added)}")
        if dropped:
            told.append(f"Out of the plan: {_manuscripts(dropped)}")
        if moved:
            told.append(f"Into another kit: {_manuscripts(len(moved))}")
            told += [f"  {line}" for line in _first(moved, most)]
        if self.restaffed:
            count = len(self.restaffed)
            told.append(f"Other teams or roles: {count} {'kit' if count == 1 else 'kits'}")
            told += [
                f"  {line}"
                for line in _first(
                    [
                        f"{one.kit}: {', '.join(one.before) or 'none'} -> "
                        f"{', '.join(one.after) or 'none'}"
                        for one in self.restaffed
                    ],
                    most,
                )
            ]
        return told


def _manuscripts(count: int) -> str:
    return f"{count} manuscript" if count == 1 else f"{count} manuscripts"


def _first(lines: list[str], most: int) -> list[str]:
    return lines if len(lines) <= most else [*lines[:most], f"and {len(lines) - most} more"]


def _some(names: list[str], most: int) -> str:
    return ", ".join(_first(names, most))


def difference_of(
    before: Draft, after: Draft, figures: tuple[DraftFigures, DraftFigures] | None = None
) -> PlanDifference:
    """How ``after`` differs from ``before``; ``figures``: theirs, where they are known."""
    here, there = ({kit.name: kit for kit in draft.kits} for draft in (before, after))
    old, new = (
        {unit.key: kit.name for kit in draft.kits for unit in kit.units}
        for draft in (before, after)
    )
    units = [*old, *(key for key in new if key not in old)]
    return PlanDifference(
        new=tuple(name for name in there if name not in here),
        gone=tuple(name for name in here if name not in there),
        moved=tuple(
            Moved(key, old.get(key, ""), new.get(key, ""))
            for key in units
            if old.get(key) != new.get(key)
        ),
        restaffed=tuple(
            Restaffed(name, kit.teams, there[name].teams)
            for name, kit in here.items()
            if name in there and kit.parts != there[name].parts
        ),
        figures=effect(*(figures or map(draft_figures, (before, after)))) if here and there else (),
    )
