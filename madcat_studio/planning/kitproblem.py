"""A plan of kits that can be changed and rated: the problem that the search works on.

The cost of a plan is the sum over kits of

* the squared share by which its words miss the mean kit, and ten times the share by which they
  leave the tolerance;
* how far its genres, its systems and its control and progress words are from the campaign's own
  mixture (half the sum of absolute differences of shares of words).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from madcat_studio.planning.units import KitRules, PlannedKit, Unit

__all__ = ["KitProblem", "Weights"]


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much."""

    words: float = 4.0
    tolerance: float = 10.0
    genre: float = 1.0
    system: float = 0.3
    data_set: float = 0.5


_WEIGHTS = Weights()

_NO_TEAMS = 100.0
"""The cost of each team too few for a kit's control output."""

_MOVES = 0.2
"""The share of proposals that move one unit; the others exchange two."""


class KitProblem:
    """Units in kits, with each kit's sums kept: the problem that the search works on.

    Passages, kinds (a genre, a system, a set) and teams are numbered; ``-1`` is no unit.
    """

    def __init__(
        self,
        units: Sequence[Unit],
        kits: int,
        rules: KitRules,
        weights: Weights = _WEIGHTS,
        forbidden: Sequence[Collection[str]] = (),
        teams: int = 0,
    ) -> None:
        self.units, self.rules, self.weights = units, rules, weights
        total = sum(unit.words for unit in units)
        self.mean = max(total, 1) / kits
        passages: dict[str, int] = {}
        kinds: dict[tuple[str, str], int] = {}
        self.passage = [passages.setdefault(unit.passage, len(passages)) for unit in units]
        self.kinds: list[tuple[int, ...]] = []
        for unit in units:
            own = [("genre", unit.genre), ("system", unit.system), ("data_set", unit.data_set)]
            self.kinds.append(tuple(kinds.setdefault(kind, len(kinds)) for kind in own))
        words = [0] * len(kinds)
        for unit, own_kinds in zip(units, self.kinds, strict=True):
            for kind in own_kinds:
                words[kind] += unit.words
        # Half the weight: what one kind has too much of, another has too little of.
        self.aims = [
            (count / max(total, 1), getattr(weights, name) / 2)
            for count, (name, _) in zip(words, kinds, strict=True)
        ]
        self.unit_words = [unit.words for unit in units]
        numbers: dict[str, int] = {}
        self.barred = [
            sum({1 << numbers.setdefault(team, len(numbers)) for team in names})
            for names in forbidden
        ]
        self.may_bar = max(teams - 2, 0) if any(self.barred) else -1
        self.members: list[list[int]] = [[] for _ in range(kits)]
        self.passages: list[set[int]] = [set() for _ in range(kits)]
        self.words = [0] * kits
        self.shares = [[0] * len(kinds) for _ in range(kits)]
        self.costs = [0.0] * kits
        self.place = [-1] * len(units)
        self._proposed = (-1, -1, -1, -1)
        self._proposed_costs = (0.0, 0.0)

    # -- changing -----------------------------------------------------------------------------

    def put(self, unit: int, kit: int) -> None:
        """Move a unit into a kit (-1: out of all) without looking at the cost."""
        old, words = self.place[unit], self.unit_words[unit]
        if old >= 0:
            self.members[old].remove(unit)
            self.passages[old].remove(self.passage[unit])
            self.words[old] -= words
            for kind in self.kinds[unit]:
                self.shares[old][kind] -= words
        if kit >= 0:
            self.members[kit].append(unit)
            self.passages[kit].add(self.passage[unit])
            self.words[kit] += words
            for kind in self.kinds[unit]:
                self.shares[kit][kind] += words
        self.place[unit] = kit

    def rate(self, kit: int, out: int = -1, into: int = -1) -> float:
        """The cost of a kit as it is, or as it would be without one unit and with another."""
        words, shares = self.words[kit], self.shares[kit]
        if out >= 0 or into >= 0:
            shares = shares[:]
            if out >= 0:
                count = self.unit_words[out]
                words -= count
                for kind in self.kinds[out]:
                    shares[kind] -= count
            if into >= 0:
                count = self.unit_words[into]
                words += count
                for kind in self.kinds[into]:
                    shares[kind] += count
        rules, weights = self.rules, self.weights
        miss = (words - self.mean) / self.mean
        cost = weights.words * miss * miss
        if words > rules.most:
            cost += weights.tolerance * (words - rules.most) / rules.target
        elif words < rules.least:
            cost += weights.tolerance * (rules.least - words) / rules.target
        whole = words or 1
        for share, (aim, weight) in zip(shares, self.aims, strict=True):
            cost += weight * abs(share / whole - aim)
        if self.may_bar >= 0:
            union = 0 if into < 0 else self.barred[into]
            for member in self.members[kit]:
                if member != out:
                    union |= self.barred[member]
            cost += _NO_TEAMS * max(0, union.bit_count() - self.may_bar)
        return cost

    # -- the search ---------------------------------------------------------------------------

    def cost(self) -> float:
        """Count the cost anew, and with it what exchanges are judged by."""
        self.costs = [self.rate(kit) for kit in range(len(self.members))]
        return sum(self.costs)

    def propose(self, chance: random.Random) -> float | None:
        """Think of one exchange, and by how much the cost would change."""
        # random() costs a third of randrange().
        one = int(chance.random() * len(self.units))
        here = self.place[one]
        there = int(chance.random() * len(self.members))
        if there == here:
            return None
        members = self.members[there]
        other = -1
        if chance.random() >= _MOVES:
            other = members[int(chance.random() * len(members))]
        passage = self.passage[one]
        if other < 0:
            if len(self.members[here]) == 1 or passage in self.passages[there]:
                return None
        else:
            back = self.passage[other]
            if passage != back and (passage in self.passages[there] or back in self.passages[here]):
                return None
        costs = self.rate(here, one, other), self.rate(there, other, one)
        self._proposed, self._proposed_costs = (one, here, other, there), costs
        return costs[0] + costs[1] - self.costs[here] - self.costs[there]

    def accept(self) -> None:
        """Make the exchange that was proposed last."""
        one, here, other, there = self._proposed
        self.put(one, -1)
        if other >= 0:
            self.put(other, here)
        self.put(one, there)
        self.costs[here], self.costs[there] = self._proposed_costs

    def snapshot(self) -> object:
        """The plan as it is, to come back to."""
        return list(self.place)

    def restore(self, snapshot: object) -> None:
        """Come back to a plan."""
        assert isinstance(snapshot, list)
        moved = [unit for unit, kit in enumerate(snapshot) if self.place[unit] != kit]
        for unit in moved:
            self.put(unit, -1)
        for unit in moved:
            self.put(unit, snapshot[unit])
        self.cost()

    def planned(self) -> list[PlannedKit]:
        """The kits as values."""
        return [
            PlannedKit([self.units[member] for member in sorted(members)])
            for members in self.members
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
            passage = self.passage[one]
            # A passage occurs at most as often as there are kits, so one is always free.
            free = [kit for kit, own in enumerate(self.passages) if passage not in own]
            self.put(one, min(free, key=self._room(one)))
        self._leave_none_empty()

    def _leave_none_empty(self) -> None:
        """A kit without units gets one from the fullest."""
        for kit, members in enumerate(self.members):
            if not members:
                fullest = max(range(len(self.members)), key=lambda one: len(self.members[one]))
                self.put(self.members[fullest][-1], kit)

    def _room(self, unit: int) -> Callable[[int], tuple[int, int, int]]:
        """How full a kit is, and how much of the unit's own kind it has already."""

        def room(number: int) -> tuple[int, int, int]:
            own = sum(self.shares[number][kind] for kind in self.kinds[unit])
            return self.words[number], own, number

        return room
