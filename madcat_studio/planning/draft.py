"""A plan that can be changed by hand: what each change does to every figure, and what is refused.

A draft is a value; a change gives a new one. The hard rules hold in every draft that a change
gives:

* a manuscript is whole (a unit), no passage is twice in a kit, and a kit is of one track;
* a kit goes to two teams that are there, and nobody is on both sides of it or in both passes;
* control output never goes to a team that edited it in the earlier phase;
* a kit that somebody has claimed stays as it is.

Everything else (words, mixture, loads, carry-over) is a figure: it may become worse, and
:func:`effect` says by how much.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import Assignment, Team
from madcat_studio.planning.assignment import (
    AssignmentFigures,
    KitTeams,
    assignment_cost,
    assignment_figures,
)
from madcat_studio.planning.kits import KitFigures, figures
from madcat_studio.planning.roles import choose_roles
from madcat_studio.planning.units import KitRules, PlannedKit, Unit, UnitKey

__all__ = [
    "Change",
    "Draft",
    "DraftFigures",
    "DraftKit",
    "broken_rules",
    "draft_figures",
    "effect",
]

_RULES = KitRules()


@dataclass(frozen=True, slots=True)
class DraftKit:
    """A kit of a draft.

    Attributes:
        parts: what its two teams do; the first of them wins ties. Empty without teams.
        frozen: somebody has claimed it.
        new: the campaign does not have it yet.
    """

    name: str
    units: tuple[Unit, ...]
    parts: tuple[Assignment, ...] = ()
    frozen: bool = False
    new: bool = False

    @property
    def teams(self) -> tuple[str, ...]:
        """Its teams, in order."""
        return tuple(part.team for part in self.parts)

    @property
    def words(self) -> int:
        """Reference words."""
        return sum(unit.words for unit in self.units)

    @property
    def track(self) -> str:
        """The track of its units."""
        return self.units[0].track if self.units else ""


@dataclass(frozen=True, slots=True)
class DraftFigures:
    """What a draft comes to; each figure can be counted again from it.

    Attributes:
        kits: words, tolerance, mixture, cost of the kits.
        teams: loads, pairs, carry-over; of the kits that have teams.
        team_cost: cost of the assignment, as :mod:`madcat_studio.planning.teamproblem` says.
    """

    kits: KitFigures
    teams: AssignmentFigures
    team_cost: float


class Change(NamedTuple):
    """A figure that a change moved. ``better`` is None where neither is better."""

    name: str
    before: float
    after: float
    better: bool | None


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan, or a proposal for one.

    Attributes:
        kits: all kits in order, practice kits left out.
        teams: all teams, in order.
        absent: names of those that get nothing new.
        rules: how long a kit is.
        forbidden: for control output the teams that must not get it.
    """

    kits: tuple[DraftKit, ...]
    teams: tuple[Team, ...]
    absent: frozenset[str] = frozenset()
    rules: KitRules = _RULES
    forbidden: Mapping[UnitKey, frozenset[str]] = field(default_factory=dict)

    @property
    def there(self) -> tuple[str, ...]:
        """Names of the teams that can get kits."""
        return tuple(team.name for team in self.teams if team.name not in self.absent)

    def kit(self, name: str) -> DraftKit:
        """A kit by its name. InputError ``planning.no-kit`` where there is none."""
        for kit in self.kits:
            if kit.name == name:
                return kit
        raise InputError(
            "planning.no-kit", f"The plan has no kit {name!r}", remedy="Name one of the plan's kits"
        )

    def kit_of(self, unit: UnitKey) -> DraftKit:
        """The kit that a unit is in. InputError ``planning.no-unit`` where it is in none."""
        for kit in self.kits:
            if any(one.key == unit for one in kit.units):
                return kit
        raise InputError(
            "planning.no-unit",
            f"Manuscript {unit.manuscript} of system {unit.system} is in no kit of the plan",
            remedy="Check the names of manuscript and system",
        )

    # -- changes ------------------------------------------------------------------------------

    def with_unit_moved(self, unit: UnitKey, to: str) -> Draft:
        """Move a manuscript into another kit.

        Raises:
            InputError: a hard rule refuses it; the message says which.
        """
        here, there = self.kit_of(unit), self.kit(to)
        if here.name == there.name:
            return self
        moved = next(one for one in here.units if one.key == unit)
        if len(here.units) == 1:
            raise InputError(
                "planning.empty-kit",
                f"Kit {here.name} would be empty",
                remedy="Exchange the manuscript for another instead",
            )
        return self._checked(
            replace(here, units=tuple(one for one in here.units if one is not moved)),
            replace(there, units=(*there.units, moved)),
        )

    def with_units_swapped(self, one: UnitKey, other: UnitKey) -> Draft:
        """Exchange two manuscripts of different kits.

        Raises:
            InputError: a hard rule refuses it; the message says which.
        """
        here, there = self.kit_of(one), self.kit_of(other)
        if here.name == there.name:
            return self
        first = next(unit for unit in here.units if unit.key == one)
        second = next(unit for unit in there.units if unit.key == other)
        return self._checked(
            replace(here, units=tuple(second if unit is first else unit for unit in here.units)),
            replace(there, units=tuple(first if unit is second else unit for unit in there.units)),
        )

    def with_team(self, kit: str, old: str, new: str) -> Draft:
        """Give one team's part in a kit to another team.

        Raises:
            InputError: a hard rule refuses it; the message says which.
        """
        found = self.kit(kit)
        place = self._place(found, old)
        if old == new:
            return self
        names = list(found.teams)
        names[place] = new
        return self._checked(self._staffed(found, names))

    def with_teams_swapped(self, one: str, other: str) -> Draft:
        """Exchange the teams of two kits.

        Raises:
            InputError: a hard rule refuses it; the message says which.
        """
        first, second = self.kit(one), self.kit(other)
        return self._checked(self._staffed(first, second.teams), self._staffed(second, first.teams))

    def with_roles_turned(self, kit: str, team: str) -> Draft:
        """Let a team's first editor and reviewer of a kit change places.

        Raises:
            InputError: the kit is claimed, or has no such team.
        """
        found = self.kit(kit)
        place = self._place(found, team)
        parts = list(found.parts)
        part = parts[place]
        parts[place] = replace(part, first=part.reviewer, reviewer=part.first)
        return self._checked(replace(found, parts=tuple(parts)))

    def _place(self, kit: DraftKit, team: str) -> int:
        if team not in kit.teams:
            raise InputError(
                "planning.not-in-kit",
                f"Kit {kit.name} is not edited by team {team}",
                remedy="Its teams are " + (" and ".join(kit.teams) or "not chosen yet"),
            )
        return kit.teams.index(team)

    def _staffed(self, kit: DraftKit, names: Sequence[str]) -> DraftKit:
        """The kit with these teams; who edits is kept where the team stays, else chosen."""
        kept = {part.team: part for part in kit.parts}
        people = {team.name: team for team in self.teams}
        others = [one for one in self.kits if one.name != kit.name]
        parts: list[Assignment] = []
        for place, name in enumerate(names):
            if name in kept:
                parts.append(kept[name])
                continue
            if name not in people:
                raise InputError(
                    "planning.no-team",
                    f"There is no team {name!r}",
                    remedy="Name one of the campaign's teams",
                )
            if name in self.absent:
                raise InputError(
                    "planning.absent-team",
                    f"Kit {kit.name} would go to team {name}, which is away",
                    remedy="Choose a team that is not away",
                )
            taken = [kept[one] for one in names[place:] if one in kept]
            parts.append(
                choose_roles(
                    kit.name,
                    people[name],
                    [part for one in others for part in one.parts if part.team == name],
                    busy=_people([*parts, *taken]),
                )
            )
        return replace(kit, parts=tuple(parts))

    def _checked(self, *changed: DraftKit) -> Draft:
        new = {kit.name: kit for kit in changed}
        for kit in self.kits:
            if kit.frozen and kit.name in new and new[kit.name] != kit:
                raise InputError(
                    "planning.frozen",
                    f"Kit {kit.name} has been claimed and stays as it is",
                    remedy="Change kits that nobody has begun",
                )
        draft = replace(self, kits=tuple(new.get(kit.name, kit) for kit in self.kits))
        for kit in changed:
            for error in _broken(draft, kit):
                raise error
        return draft


def _people(parts: Sequence[Assignment]) -> frozenset[str]:
    return frozenset(name for part in parts for name in (part.first, part.reviewer) if name)


def _broken(draft: Draft, kit: DraftKit) -> Iterator[InputError]:
    """The hard rules that a kit breaks."""
    passages: dict[str, str] = {}
    for unit in kit.units:
        copy = f"{unit.manuscript} of system {unit.system}"
        before = passages.setdefault(unit.passage, copy)
        if before != copy:
            yield InputError(
                "planning.passage-in-kit",
                f"Passage {unit.passage} would be in kit {kit.name} twice: {before} and {copy}",
                remedy="Choose another kit, or exchange the two",
            )
    tracks = sorted({unit.track for unit in kit.units})
    if len(tracks) > 1:
        yield InputError(
            "planning.tracks-in-kit",
            f"Kit {kit.name} would hold output of two tracks: {' and '.join(map(repr, tracks))}",
            remedy="Tracks are edited and scored separately: choose a kit of the same track",
        )
    if not kit.units:
        yield InputError("planning.empty-kit", f"Kit {kit.name} would be empty")
    yield from _broken_teams(draft, kit)


def _broken_teams(draft: Draft, kit: DraftKit) -> Iterator[InputError]:
    if not kit.parts:
        return
    if len(kit.parts) != 2 or len(set(kit.teams)) != 2:
        yield InputError(
            "planning.two-teams-of-kit",
            f"Kit {kit.name} would not go to two teams: {', '.join(kit.teams)}",
            remedy="Every output is edited by two independent teams",
        )
    everybody = [name for part in kit.parts for name in (part.first, part.reviewer) if name]
    for name in sorted({name for name in everybody if everybody.count(name) > 1}):
        yield InputError(
            "planning.both-sides",
            f"{name} would have two roles in kit {kit.name}",
            remedy="Nobody may be on both sides of a kit or in both of its passes",
        )
    for unit in kit.units:
        for team in sorted(draft.forbidden.get(unit.key, frozenset()) & set(kit.teams)):
            yield InputError(
                "planning.forbidden-team",
                f"Kit {kit.name} would go to team {team}, which edited its control output "
                f"({unit.manuscript} of system {unit.system}) before",
                remedy="Choose another team, or another kit for that output",
            )


def broken_rules(draft: Draft) -> tuple[InputError, ...]:
    """Every hard rule that a draft breaks, kit by kit; none for a draft of this program."""
    found = [error for kit in draft.kits for error in _broken(draft, kit)]
    seen: dict[UnitKey, str] = {}
    for kit in draft.kits:
        for unit in kit.units:
            before = seen.setdefault(unit.key, kit.name)
            if before != kit.name:
                found.append(
                    InputError(
                        "planning.unit-twice",
                        f"Manuscript {unit.manuscript} of system {unit.system} is in kits "
                        f"{before} and {kit.name}",
                        remedy="An output is edited in one kit only",
                    )
                )
    return tuple(found)


def draft_figures(draft: Draft) -> DraftFigures:
    """What a draft comes to, counted from the draft alone."""
    kits = [PlannedKit(list(kit.units)) for kit in draft.kits]
    staffed: list[tuple[PlannedKit, KitTeams]] = [
        (made, (kit.parts[0].team, kit.parts[1].team))
        for made, kit in zip(kits, draft.kits, strict=True)
        if len(kit.parts) == 2
    ]
    own, pairs = [kit for kit, _ in staffed], [pair for _, pair in staffed]
    # A team that is absent now may have kits from before.
    names = [
        team.name
        for team in draft.teams
        if team.name not in draft.absent or any(team.name in pair for pair in pairs)
    ]
    return DraftFigures(
        kits=figures(kits, draft.rules),
        teams=assignment_figures(own, pairs, names),
        team_cost=assignment_cost(own, pairs, names),
    )


def effect(before: DraftFigures, after: DraftFigures) -> tuple[Change, ...]:
    """Every figure that a change moved, those that the coordinator looks at first to begin with."""
    found: list[Change] = []

    def add(name: str, old: float, new: float, *, less_is_better: bool | None = True) -> None:
        if abs(old - new) < 1e-12:
            return
        better = None if less_is_better is None else (new < old) == less_is_better
        found.append(Change(name, old, new, better))

    kits, kits_now = before.kits, after.kits
    teams, teams_now = before.teams, after.teams
    add("carry-over", teams.carry_over, teams_now.carry_over)
    add("kits outside the tolerance", kits.outside, kits_now.outside)
    for name, pick in (("shortest kit", min), ("longest kit", max)):
        old, new = (pick(one.words, default=0) for one in (kits, kits_now))
        add(name, old, new, less_is_better=None)
    add("genre mixture missed by", kits.genre_miss, kits_now.genre_miss)
    add("systems over pairs missed by", teams.system_miss, teams_now.system_miss)
    add("sets over pairs missed by", teams.set_miss, teams_now.set_miss)
    add("kits between busiest and idlest team", _spread(teams.loads), _spread(teams_now.loads))
    add("words between busiest and idlest team", _spread(teams.words), _spread(teams_now.words))
    for team in teams_now.words:
        old_words = teams.words.get(team, 0)
        add(f"words of team {team}", old_words, teams_now.words[team], less_is_better=None)
    add("pairs of teams that share kits", len(teams.pairs), len(teams_now.pairs),
        less_is_better=None)  # fmt: skip
    add("teams compared with every other", teams.connected, teams_now.connected,
        less_is_better=False)  # fmt: skip
    add("cost of the kits", kits.cost, kits_now.cost)
    add("cost of the assignment", before.team_cost, after.team_cost)
    return tuple(found)


def _spread(values: Mapping[str, int]) -> int:
    return max(values.values(), default=0) - min(values.values(), default=0)
