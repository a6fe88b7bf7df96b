"""Which pairs of teams share how many kits, before it is said which kits.

The loads of two teams differ by one kit at the most. "Maximise their overlap" (evaluation plan,
6.1) is read so: the graph of team pairs is connected first; then as many pairs as can share at
least three kits; even over all pairs where there are kits enough. The other mode, ``deep``, keeps
to as few pairs as hold the graph together, and these share many kits.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from enum import StrEnum
from itertools import combinations

from madcat_studio.errors import InputError
from madcat_studio.planning.search import improve

__all__ = ["SHARED", "Overlap", "check_teams", "components", "pair_counts"]

SHARED = 3
"""Kits that a pair should share at least, so that two teams can be compared at all."""

Pair = tuple[int, int]


class Overlap(StrEnum):
    """How pairs of teams are made."""

    WIDE = "wide"
    DEEP = "deep"


def components(teams: int, pairs: Sequence[Pair]) -> int:
    """Into how many parts the graph of pairs falls; 1: every team is compared with every other."""
    root = list(range(teams))

    def find(team: int) -> int:
        while root[team] != team:
            root[team] = root[root[team]]
            team = root[team]
        return team

    parts = teams
    for one, other in pairs:
        a, b = find(one), find(other)
        if a != b:
            root[a] = b
            parts -= 1
    return parts


class _Counts:
    """Kits of each pair: the problem that the search works on."""

    _UNEVEN, _APART, _PAIR, _EVEN = 1_000.0, 200.0, 1.0, 0.001

    def __init__(
        self,
        teams: int,
        kits: int,
        overlap: Overlap,
        barred: Collection[Pair] = (),
        before: Sequence[tuple[int, ...]] = (),
    ) -> None:
        self.teams, self.kits, self.overlap = teams, kits, overlap
        self.pairs = [pair for pair in combinations(range(teams), 2) if pair not in barred]
        self.number = {pair: number for number, pair in enumerate(self.pairs)}
        self.counts = [0] * len(self.pairs)
        self.had = [0] * len(self.pairs)  # of those, the kits of before: they stay
        self.loads = [0] * teams
        for own in before:
            for team in own:
                self.loads[team] += 1
            pair = (min(own, default=0), max(own, default=0))
            if pair in self.number:
                self.counts[self.number[pair]] += 1
                self.had[self.number[pair]] += 1
        self.whole = kits + sum(self.had)
        self.low, rest = divmod(2 * kits + sum(self.loads), teams)
        self.high = self.low + (1 if rest else 0)
        self._proposed: tuple[tuple[int, int], ...] = ()
        self._cost = self._proposed_cost = 0.0

    def add(self, pair: int, amount: int) -> None:
        self.counts[pair] += amount
        for team in self.pairs[pair]:
            self.loads[team] += amount

    def fill(self) -> None:
        """Each kit to the pair whose teams have least to do, of as many pairs as may be filled.

        The pairs are taken by their distance on a circle: the nearest ones are a ring, which
        holds the graph together, and every whole turn leaves the teams' loads even.
        """

        def distance(pair: Pair) -> int:
            one, other = pair
            return min(other - one, self.teams - other + one)

        order = sorted(range(len(self.pairs)), key=lambda p: (distance(self.pairs[p]), p))
        wanted = self.teams
        if self.overlap is Overlap.WIDE:
            wanted = max(self.teams, self.whole // SHARED)
        order = order[:wanted]
        for _ in range(self.kits):
            self.add(
                min(
                    order,
                    key=lambda p: (
                        sum(self.loads[team] for team in self.pairs[p]),
                        max(self.loads[team] for team in self.pairs[p]),
                        self.counts[p],
                    ),
                ),
                1,
            )

    def cost(self) -> float:
        self._cost = self._rate()
        return self._cost

    def _rate(self) -> float:
        used = [pair for pair, count in zip(self.pairs, self.counts, strict=True) if count]
        uneven = sum(max(0, self.low - load, load - self.high) for load in self.loads)
        cost = self._UNEVEN * uneven
        if self.whole >= self.teams - 1:
            cost += self._APART * (components(self.teams, used) - 1)
        if self.overlap is Overlap.DEEP:
            return cost + self._PAIR * len(used)
        mean = self.whole / len(self.pairs)
        cost -= self._PAIR * sum(count >= SHARED for count in self.counts)
        return cost + self._EVEN * sum((count - mean) ** 2 for count in self.counts)

    def propose(self, chance: random.Random) -> float | None:
        filled = [
            number
            for number, (count, had) in enumerate(zip(self.counts, self.had, strict=True))
            if count > had
        ]
        one = chance.choice(filled)
        if chance.random() < 0.5 or len(filled) < 2:
            other = chance.randrange(len(self.pairs))
            if other == one:
                return None
            change: tuple[tuple[int, int], ...] = ((one, -1), (other, 1))
        else:
            # a-b and c-d become a-c and b-d: nobody's load changes.
            two = chance.choice(filled)
            (a, b), (c, d) = self.pairs[one], self.pairs[two]
            if chance.random() < 0.5:
                c, d = d, c
            if one == two or a == c or b == d:
                return None
            pairs = [(min(x, y), max(x, y)) for x, y in ((a, c), (b, d))]
            if any(pair not in self.number for pair in pairs):
                return None
            new = [self.number[pair] for pair in pairs]
            change = ((one, -1), (two, -1), (new[0], 1), (new[1], 1))
        for pair, amount in change:
            self.add(pair, amount)
        self._proposed, self._proposed_cost = change, self._rate()
        for pair, amount in change:
            self.add(pair, -amount)
        return self._proposed_cost - self._cost

    def accept(self) -> None:
        for pair, amount in self._proposed:
            self.add(pair, amount)
        self._cost = self._proposed_cost

    def snapshot(self) -> object:
        return list(self.counts)

    def restore(self, snapshot: object) -> None:
        assert isinstance(snapshot, list)
        for pair, count in enumerate(snapshot):
            self.add(pair, count - self.counts[pair])
        self.cost()


def check_teams(teams: int, away: int = 0) -> None:
    """See that there are two teams at least, besides those that are away.

    Raises:
        InputError: ``planning.two-teams``: there are fewer.
    """
    if teams < 2:
        there = "is 1 team" if teams else "is no team"
        others = f" besides {away} that {'is' if away == 1 else 'are'} away" if away else ""
        back = ", or mark one as back" if away else ""
        raise InputError(
            "planning.two-teams",
            f"Every kit goes to two teams, and there {there}{others}",
            remedy=f"Add at least two teams{back}",
        )


def pair_counts(
    teams: int,
    kits: int,
    overlap: Overlap = Overlap.WIDE,
    *,
    barred: Collection[Pair] = (),
    before: Sequence[tuple[int, ...]] = (),
    seed: int = 1,
) -> dict[Pair, int]:
    """For each pair of teams (as indices) how many kits it shares; pairs without any are left out.

    Args:
        teams: how many there are.
        kits: how many are to be given out.
        overlap: how pairs are made.
        barred: pairs that share no kit, smaller index first.
        before: the teams (of these) of each kit that was given out before; loads and pairs count.
        seed: the same seed gives the same numbers.

    Raises:
        InputError: fewer than two teams, or every pair is barred.
    """
    check_teams(teams)
    problem = _Counts(teams, kits, overlap, barred, before)
    if not problem.pairs:
        raise InputError(
            "planning.shared-editors",
            "Every kit goes to two teams without a common editor, but all teams share one",
            remedy="Add a team of other people",
        )
    problem.fill()
    if len(problem.pairs) > 1 and kits:
        improve(problem, seed=seed, steps=2_000 + 150 * len(problem.pairs), hot=1.0, cold=0.001)
    counts = zip(problem.pairs, problem.counts, problem.had, strict=True)
    return {pair: count - had for pair, count, had in counts if count > had}
