"""An assignment of kits to pairs of teams that can be changed and rated: what the search works on.

Kits are exchanged between pairs; how many each pair has stays. The cost of an assignment is the
sum of

* the *carry-over*: for each team and passage, how often the team meets the passage after the
  first time;
* the words of each team's kits: the squared share by which they miss the mean, for all teams;
* each system's share of the words of each pair against its share of all words, and so for the
  control and progress sets of each team (half the summed absolute differences).
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from madcat_studio.planning.units import PlannedKit

__all__ = ["TeamProblem"]

_CARRY_OVER, _WORDS, _SYSTEMS, _SETS = 1.0, 200.0, 2.0, 2.0
_FORBIDDEN = 1_000.0


class TeamProblem:
    """Kits on pairs: the problem that the search works on. Kits change places; counts stay.

    Passages, kinds (a system, a set) and pairs are numbered.
    """

    def __init__(
        self,
        kits: Sequence[PlannedKit],
        pairs: Sequence[tuple[int, int]],
        teams: int,
        forbidden: Sequence[frozenset[int]] = (),
        before: Sequence[tuple[PlannedKit, tuple[int, ...]]] = (),
    ) -> None:
        self.forbidden = forbidden or [frozenset()] * len(kits)
        self.words = [kit.words for kit in kits]
        passages: dict[str, int] = {}
        kinds: dict[tuple[str, str], int] = {}
        self.passages: list[frozenset[int]] = []
        self.kinds: list[list[tuple[int, int]]] = []
        for kit in kits:
            self.passages.append(
                frozenset(passages.setdefault(unit.passage, len(passages)) for unit in kit.units)
            )
            own: dict[int, int] = {}
            for unit in kit.units:
                for kind in (("system", unit.system), ("set", unit.data_set)):
                    number = kinds.setdefault(kind, len(kinds))
                    own[number] = own.get(number, 0) + unit.words
            self.kinds.append(list(own.items()))
        total = sum(self.words)
        sums = [0] * len(kinds)
        for own_kinds in self.kinds:
            for number, count in own_kinds:
                sums[number] += count
        self.aims = [
            (count / max(total, 1), (_SYSTEMS if name == "system" else _SETS) / 2)
            for count, (name, _) in zip(sums, kinds, strict=True)
        ]
        earlier = sum(kit.words * len(own) for kit, own in before)
        self.mean = max(2 * total + earlier, 1) / teams
        self.met = [[0] * len(passages) for _ in range(teams)]
        self.team_words = [0] * teams
        for kit, met_by in before:
            for team in met_by:
                self.team_words[team] += kit.words
                for unit in kit.units:
                    if unit.passage in passages:
                        self.met[team][passages[unit.passage]] += 1
        self.pairs = list(dict.fromkeys(pairs))
        numbers = {pair: number for number, pair in enumerate(self.pairs)}
        self.place = [-1] * len(kits)
        self.pair_words = [0] * len(self.pairs)
        self.pair_kinds = [[0] * len(kinds) for _ in self.pairs]
        self.pair_costs = [0.0] * len(self.pairs)
        for number, pair in enumerate(pairs):
            self._put(number, numbers[pair])
        self._proposed = (-1, -1)
        self._proposed_costs = (0.0, 0.0)

    def _put(self, kit: int, pair: int) -> None:
        """Give a kit to a pair (-1: to none) without looking at the cost."""
        for place, sign in ((self.place[kit], -1), (pair, 1)):
            if place < 0:
                continue
            for team in self.pairs[place]:
                self.team_words[team] += sign * self.words[kit]
                met = self.met[team]
                for passage in self.passages[kit]:
                    met[passage] += sign
            self.pair_words[place] += sign * self.words[kit]
            own = self.pair_kinds[place]
            for kind, count in self.kinds[kit]:
                own[kind] += sign * count
        self.place[kit] = pair

    def _load(self, words: int) -> float:
        miss = (words - self.mean) / self.mean
        return _WORDS * miss * miss

    def _rate_pair(self, pair: int, out: int = -1, into: int = -1) -> float:
        """How far a pair's systems and sets are from the campaign's mixture.

        As it is, or as it would be without one kit and with another.
        """
        words, own = self.pair_words[pair], self.pair_kinds[pair]
        if out >= 0:
            own = own[:]
            words += self.words[into] - self.words[out]
            for kind, count in self.kinds[out]:
                own[kind] -= count
            for kind, count in self.kinds[into]:
                own[kind] += count
        whole = words or 1
        return sum(
            weight * abs(count / whole - aim)
            for count, (aim, weight) in zip(own, self.aims, strict=True)
        )

    def _handed(self, team: int, out: int, into: int) -> float:
        """By how much the cost changes where a team gives one kit away and gets another."""
        met, gone, come = self.met[team], self.passages[out], self.passages[into]
        change = 0.0
        for passage in come:
            if met[passage] and passage not in gone:
                change += _CARRY_OVER
        for passage in gone:
            if met[passage] > 1 and passage not in come:
                change -= _CARRY_OVER
        words = self.team_words[team]
        change += self._load(words + self.words[into] - self.words[out]) - self._load(words)
        return change + _FORBIDDEN * (
            (team in self.forbidden[into]) - (team in self.forbidden[out])
        )

    def cost(self) -> float:
        """Count the cost anew, and with it what exchanges are judged by."""
        self.pair_costs = [self._rate_pair(pair) for pair in range(len(self.pairs))]
        carried = sum(max(0, times - 1) for met in self.met for times in met)
        words = sum(self._load(count) for count in self.team_words)
        banned = sum(
            team in self.forbidden[kit]
            for kit, pair in enumerate(self.place)
            for team in self.pairs[pair]
        )
        return _CARRY_OVER * carried + words + _FORBIDDEN * banned + sum(self.pair_costs)

    def propose(self, chance: random.Random) -> float | None:
        """Think of one exchange, and by how much the cost would change."""
        one = int(chance.random() * len(self.place))
        other = int(chance.random() * len(self.place))
        here, there = self.place[one], self.place[other]
        if here == there:
            return None
        a, b = self.pairs[here]
        c, d = self.pairs[there]
        change = 0.0
        if a != c and a != d:
            change += self._handed(a, one, other)
        if b != c and b != d:
            change += self._handed(b, one, other)
        if c != a and c != b:
            change += self._handed(c, other, one)
        if d != a and d != b:
            change += self._handed(d, other, one)
        costs = self._rate_pair(here, one, other), self._rate_pair(there, other, one)
        self._proposed, self._proposed_costs = (one, other), costs
        return change + costs[0] + costs[1] - self.pair_costs[here] - self.pair_costs[there]

    def accept(self) -> None:
        """Make the exchange that was proposed last."""
        one, other = self._proposed
        here, there = self.place[one], self.place[other]
        self._put(one, there)
        self._put(other, here)
        self.pair_costs[here], self.pair_costs[there] = self._proposed_costs

    def snapshot(self) -> object:
        """The plan as it is, to come back to."""
        return list(self.place)

    def restore(self, snapshot: object) -> None:
        """Come back to a plan."""
        assert isinstance(snapshot, list)
        for kit, pair in enumerate(snapshot):
            if self.place[kit] != pair:
                self._put(kit, pair)
        self.cost()
