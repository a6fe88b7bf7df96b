"""Manuscripts into kits: about the target of words, mixed like the campaign, no passage twice.

The cost of a plan is the sum over kits of

* the squared share by which its words miss the mean kit, and ten times the share by which they
  leave the tolerance;
* how far its genres, its systems and its control and progress words are from the campaign's own
  mixture (half the sum of absolute differences of shares of words).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from madcat_studio.planning.search import improve
from madcat_studio.planning.units import KitRules, PlannedKit, Unit, check_units
from madcat_studio.progress import SILENT, Progress

__all__ = ["KitFigures", "Weights", "figures", "greedy_kits", "kit_cost", "plan_kits"]


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much."""

    words: float = 4.0
    tolerance: float = 10.0
    genre: float = 1.0
    system: float = 0.3
    data_set: float = 0.5


@dataclass(frozen=True, slots=True)
class KitFigures:
    """What a plan of kits came to; each can be counted again from the plan.

    Attributes:
        words: of each kit.
        outside: kits whose words lie outside the tolerance.
        genre_miss: mean over kits of half the summed differences from the campaign's genres.
        cost: as :func:`kit_cost`.
        size_bound: no plan of so many kits has a smaller mean miss of the target, in words.
    """

    words: tuple[int, ...]
    outside: int
    genre_miss: float
    cost: float
    size_bound: float


_RULES = KitRules()
_WEIGHTS = Weights()


@dataclass(slots=True)
class _Kit:
    members: list[int] = field(default_factory=list)
    words: int = 0
    shares: list[int] = field(default_factory=list)
    cost: float = 0.0


class _Plan:
    """Units in kits, with each kit's cost kept: the problem that the search works on."""

    def __init__(self, units: Sequence[Unit], kits: int, rules: KitRules, weights: Weights) -> None:
        self.units, self.rules, self.weights = units, rules, weights
        total = sum(unit.words for unit in units)
        self.mean = total / kits
        kinds: dict[tuple[str, str], int] = {}
        self.kinds: list[tuple[int, ...]] = []
        for unit in units:
            own = [("genre", unit.genre), ("system", unit.system), ("data_set", unit.data_set)]
            self.kinds.append(tuple(kinds.setdefault(kind, len(kinds)) for kind in own))
        self.weight = [getattr(weights, name) / 2 for name, _ in kinds]
        words = [0] * len(kinds)
        for unit, own_kinds in zip(units, self.kinds, strict=True):
            for kind in own_kinds:
                words[kind] += unit.words
        self.expected = [count / max(total, 1) for count in words]
        self.kits = [_Kit(shares=[0] * len(kinds)) for _ in range(kits)]
        self.place = [-1] * len(units)
        self._undo: tuple[tuple[int, int], ...] = ()

    # -- changing -----------------------------------------------------------------------------

    def put(self, unit: int, kit: int) -> None:
        """Move a unit into a kit (-1: out of all) without looking at the cost."""
        old, words = self.place[unit], self.units[unit].words
        if old >= 0:
            left = self.kits[old]
            left.members.remove(unit)
            left.words -= words
            for kind in self.kinds[unit]:
                left.shares[kind] -= words
        if kit >= 0:
            right = self.kits[kit]
            right.members.append(unit)
            right.words += words
            for kind in self.kinds[unit]:
                right.shares[kind] += words
        self.place[unit] = kit

    def rate(self, number: int) -> float:
        """The cost of one kit as it is."""
        kit, weights = self.kits[number], self.weights
        miss = (kit.words - self.mean) / self.mean
        target = self.rules.target
        outside = max(0.0, kit.words - self.rules.most, self.rules.least - kit.words) / target
        cost = weights.words * miss * miss + weights.tolerance * outside
        whole = max(kit.words, 1)
        for share, expected, weight in zip(kit.shares, self.expected, self.weight, strict=True):
            cost += weight * abs(share / whole - expected)
        return cost

    def rate_again(self, *numbers: int) -> float:
        """Rate some kits anew; by how much the cost changed."""
        change = 0.0
        for number in numbers:
            kit = self.kits[number]
            old, kit.cost = kit.cost, self.rate(number)
            change += kit.cost - old
        return change

    def has(self, kit: int, passage: str, except_for: int = -1) -> bool:
        """Whether a passage is in a kit, one unit apart."""
        units = self.units
        return any(
            units[member].passage == passage
            for member in self.kits[kit].members
            if member != except_for
        )

    # -- the search ---------------------------------------------------------------------------

    def cost(self) -> float:
        for number in range(len(self.kits)):
            self.kits[number].cost = self.rate(number)
        return sum(kit.cost for kit in self.kits)

    def propose(self, chance: random.Random) -> float | None:
        one = chance.randrange(len(self.units))
        here = self.place[one]
        there = chance.randrange(len(self.kits))
        if there == here:
            return None
        members = self.kits[there].members
        other = members[chance.randrange(len(members))] if members else -1
        if other < 0 or chance.random() < 0.2:
            if len(self.kits[here].members) == 1 or self.has(there, self.units[one].passage):
                return None
            self._undo = ((one, here),)
            self.put(one, there)
        else:
            if self.has(there, self.units[one].passage, other) or self.has(
                here, self.units[other].passage, one
            ):
                return None
            self._undo = ((one, here), (other, there))
            self.put(one, there)
            self.put(other, here)
        return self.rate_again(here, there)

    def take_back(self) -> None:
        touched = set()
        for unit, kit in self._undo:
            touched |= {self.place[unit], kit}
            self.put(unit, kit)
        self.rate_again(*touched)

    def snapshot(self) -> object:
        return list(self.place)

    def restore(self, snapshot: object) -> None:
        assert isinstance(snapshot, list)
        for unit, kit in enumerate(snapshot):
            if self.place[unit] != kit:
                self.put(unit, kit)
        self.cost()

    def planned(self) -> list[PlannedKit]:
        """The kits as values."""
        return [
            PlannedKit([self.units[member] for member in sorted(kit.members)]) for kit in self.kits
        ]

    # -- a start ------------------------------------------------------------------------------

    def fill(self) -> None:
        """Greedy: the passages with most copies first, each unit where it costs least."""
        copies: dict[str, int] = {}
        for unit in self.units:
            copies[unit.passage] = copies.get(unit.passage, 0) + 1
        order = sorted(
            range(len(self.units)),
            key=lambda one: (
                -copies[self.units[one].passage],
                self.units[one].passage,
                -self.units[one].words,
                self.units[one].manuscript,
                self.units[one].system,
            ),
        )
        for one in order:
            passage = self.units[one].passage
            # A passage occurs at most as often as there are kits, so one is always free.
            free = [kit for kit in range(len(self.kits)) if not self.has(kit, passage)]
            self.put(one, min(free, key=self._room(one)))

    def _room(self, unit: int) -> Callable[[int], tuple[int, int, int]]:
        """How full a kit is, and how much of the unit's own kind it has already."""

        def room(number: int) -> tuple[int, int, int]:
            kit = self.kits[number]
            return kit.words, sum(kit.shares[kind] for kind in self.kinds[unit]), number

        return room


def plan_kits(
    units: Sequence[Unit],
    rules: KitRules = _RULES,
    *,
    weights: Weights = _WEIGHTS,
    seed: int = 1,
    steps: int | None = None,
    progress: Progress = SILENT,
) -> list[PlannedKit]:
    """Divide manuscripts into kits.

    Args:
        units: manuscripts of systems' outputs, in any order: the plan does not depend on it.
        rules: how long a kit is.
        weights: what counts how much.
        seed: the same seed gives the same plan.
        steps: exchanges that are tried; by default 600 for each unit, at least 60,000.
        progress: may cancel.

    Returns:
        The kits. A manuscript is in one kit, and no passage is twice in a kit.

    Raises:
        InputError: there is no such plan (see :func:`~madcat_studio.planning.units.check_units`).
        Cancelled: ``progress`` said so.
    """
    ordered = sorted(units, key=lambda unit: (unit.passage, unit.manuscript, unit.system))
    count = check_units(ordered, rules)
    plan = _Plan(ordered, count, rules, weights)
    plan.fill()
    improve(
        plan,
        seed=seed,
        steps=max(60_000, 600 * len(ordered)) if steps is None else steps,
        progress=progress,
        text="Planning kits",
    )
    return plan.planned()


def greedy_kits(units: Sequence[Unit], rules: KitRules = _RULES) -> list[PlannedKit]:
    """The plan that the search starts from: what a person would do by hand.

    Raises:
        InputError: as :func:`plan_kits`.
    """
    ordered = sorted(units, key=lambda unit: (unit.passage, unit.manuscript, unit.system))
    plan = _Plan(ordered, check_units(ordered, rules), rules, _WEIGHTS)
    plan.fill()
    return plan.planned()


def kit_cost(
    kits: Sequence[PlannedKit], rules: KitRules = _RULES, weights: Weights = _WEIGHTS
) -> float:
    """The cost of a plan, counted from the plan alone; 0 of one without kits."""
    if not kits:
        return 0.0
    units = [unit for kit in kits for unit in kit.units]
    plan = _Plan(units, len(kits), rules, weights)
    number = 0
    for place, kit in enumerate(kits):
        for _ in kit.units:
            plan.put(number, place)
            number += 1
    return plan.cost()


def figures(
    kits: Sequence[PlannedKit], rules: KitRules = _RULES, weights: Weights = _WEIGHTS
) -> KitFigures:
    """What a plan came to."""
    words = tuple(kit.words for kit in kits)
    total = sum(words)
    genres: dict[str, int] = {}
    for kit in kits:
        for unit in kit.units:
            genres[unit.genre] = genres.get(unit.genre, 0) + unit.words
    misses = []
    for kit in kits:
        own: dict[str, int] = {}
        for unit in kit.units:
            own[unit.genre] = own.get(unit.genre, 0) + unit.words
        misses.append(
            sum(
                abs(own.get(genre, 0) / max(kit.words, 1) - count / max(total, 1))
                for genre, count in genres.items()
            )
            / 2
        )
    return KitFigures(
        words=words,
        outside=sum(not rules.least <= count <= rules.most for count in words),
        genre_miss=sum(misses) / len(misses) if misses else 0.0,
        cost=kit_cost(kits, rules, weights),
        size_bound=abs(total / len(kits) - rules.target) if kits else 0.0,
    )
