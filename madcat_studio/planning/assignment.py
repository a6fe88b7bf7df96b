"""Kits to pairs of teams: who meets a passage again as seldom as can be.

The numbers of kits of each pair are settled first (:mod:`~madcat_studio.planning.pairs`); then
kits are exchanged between pairs. The cost of an assignment is the sum of

* the *carry-over*: for each team and passage, how often the team meets the passage after the
  first time;
* the words of each team's kits: the squared share by which they miss the mean, for all teams;
* each system's share of the words of each pair against its share of all words, and so for the
  control and progress sets of each team (half the summed absolute differences).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from madcat_studio.errors import InputError
from madcat_studio.planning.pairs import Overlap, components, pair_counts
from madcat_studio.planning.search import improve
from madcat_studio.planning.units import PlannedKit, Unit
from madcat_studio.progress import SILENT, Progress

__all__ = [
    "AssignmentFigures",
    "KitTeams",
    "assign_kits",
    "assignment_cost",
    "assignment_figures",
    "carry_over",
    "carry_over_bound",
]

KitTeams = tuple[str, str]
"""The two teams of a kit; the first of them wins ties."""

_CARRY_OVER, _WORDS, _SYSTEMS, _SETS = 1.0, 200.0, 2.0, 2.0
_FORBIDDEN = 1_000.0


@dataclass(frozen=True, slots=True)
class AssignmentFigures:
    """What an assignment came to; each can be counted again from it.

    Attributes:
        loads: kits of each team; ``words``: their words.
        pairs: kits that each pair of teams shares.
        connected: whether every team is compared with every other, at least over others.
        carry_over: as in the module's text; ``carry_over_bound``: no assignment has less.
        system_miss: mean over the pairs that share kits of half the summed differences of the
            systems' shares of the pair's words from their shares of all words; ``set_miss``: the
            same of evaluation, control and progress words.
    """

    loads: Mapping[str, int]
    words: Mapping[str, int]
    pairs: Mapping[KitTeams, int]
    connected: bool
    carry_over: int
    carry_over_bound: int
    system_miss: float
    set_miss: float


class _Assignment:
    """Kits on pairs: the problem that the search works on. Kits change places; counts stay."""

    def __init__(
        self,
        kits: Sequence[PlannedKit],
        pairs: Sequence[tuple[int, int]],
        teams: int,
        forbidden: Sequence[frozenset[int]],
        before: Sequence[tuple[PlannedKit, tuple[int, ...]]] = (),
    ) -> None:
        self.pairs = list(pairs)
        self.forbidden = forbidden
        self.words = [kit.words for kit in kits]
        passages: dict[str, int] = {}
        kinds: dict[tuple[str, str], int] = {}
        self.passages: list[list[int]] = []
        self.kinds: list[dict[int, int]] = []
        for kit in kits:
            self.passages.append(
                [passages.setdefault(unit.passage, len(passages)) for unit in kit.units]
            )
            own: dict[int, int] = {}
            for unit in kit.units:
                for kind in (("system", unit.system), ("set", unit.data_set)):
                    number = kinds.setdefault(kind, len(kinds))
                    own[number] = own.get(number, 0) + unit.words
            self.kinds.append(own)
        total = max(sum(self.words), 1)
        self.expected = [
            sum(own.get(kind, 0) for own in self.kinds) / total for kind in range(len(kinds))
        ]
        self.kind_weight = [_SYSTEMS / 2 if name == "system" else _SETS / 2 for name, _ in kinds]
        self.teams = range(teams)
        earlier = sum(kit.words * len(pair) for kit, pair in before)
        self.mean = max(2 * total + earlier, 1) / teams
        self.met = [[0] * len(passages) for _ in self.teams]
        self.team_words = [0] * teams
        for kit, met_by in before:
            for team in met_by:
                self.team_words[team] += kit.words
                for unit in kit.units:
                    if unit.passage in passages:
                        self.met[team][passages[unit.passage]] += 1
        self.of_pair: dict[tuple[int, int], set[int]] = {}
        for number, pair in enumerate(self.pairs):
            self.of_pair.setdefault(pair, set()).add(number)
            self._count(number, pair, 1)
        self.pair_cost = {pair: self._pair(pair) for pair in self.of_pair}
        self._undo: tuple[int, int] | None = None

    def _count(self, kit: int, pair: tuple[int, int], amount: int) -> float:
        """Put a kit on a pair (or take it off); by how much carry-over and words change."""
        change = 0.0
        for team in pair:
            met = self.met[team]
            for passage in self.passages[kit]:
                if amount > 0:
                    change += _CARRY_OVER if met[passage] > 0 else 0.0
                    met[passage] += 1
                else:
                    met[passage] -= 1
                    change -= _CARRY_OVER if met[passage] > 0 else 0.0
            old = self.team_words[team]
            self.team_words[team] = old + amount * self.words[kit]
            change += self._load(self.team_words[team]) - self._load(old)
            if team in self.forbidden[kit]:
                change += amount * _FORBIDDEN
        return change

    def _load(self, words: int) -> float:
        miss = (words - self.mean) / self.mean
        return _WORDS * miss * miss

    def _pair(self, pair: tuple[int, int]) -> float:
        """How far a pair's systems and sets are from the campaign's mixture."""
        kits = self.of_pair[pair]
        words = max(sum(self.words[kit] for kit in kits), 1)
        cost = 0.0
        for kind, (expected, weight) in enumerate(
            zip(self.expected, self.kind_weight, strict=True)
        ):
            own = sum(self.kinds[kit].get(kind, 0) for kit in kits)
            cost += weight * abs(own / words - expected)
        return cost

    def cost(self) -> float:
        carried = sum(max(0, times - 1) for met in self.met for times in met)
        words = sum(self._load(count) for count in self.team_words)
        banned = sum(
            team in self.forbidden[kit] for kit, pair in enumerate(self.pairs) for team in pair
        )
        self.pair_cost = {pair: self._pair(pair) for pair in self.of_pair}
        return _CARRY_OVER * carried + words + _FORBIDDEN * banned + sum(self.pair_cost.values())

    def _exchange(self, one: int, other: int) -> float:
        a, b = self.pairs[one], self.pairs[other]
        change = self._count(one, a, -1) + self._count(other, b, -1)
        change += self._count(one, b, 1) + self._count(other, a, 1)
        self.pairs[one], self.pairs[other] = b, a
        self.of_pair[a].remove(one)
        self.of_pair[b].remove(other)
        self.of_pair[a].add(other)
        self.of_pair[b].add(one)
        for pair in (a, b):
            old = self.pair_cost[pair]
            self.pair_cost[pair] = self._pair(pair)
            change += self.pair_cost[pair] - old
        return change

    def propose(self, chance: random.Random) -> float | None:
        one, other = chance.randrange(len(self.pairs)), chance.randrange(len(self.pairs))
        if self.pairs[one] == self.pairs[other]:
            return None
        self._undo = (one, other)
        return self._exchange(one, other)

    def take_back(self) -> None:
        assert self._undo is not None
        self._exchange(*self._undo)

    def snapshot(self) -> object:
        return list(self.pairs)

    def restore(self, snapshot: object) -> None:
        assert isinstance(snapshot, list)
        for kit, pair in enumerate(snapshot):
            self._count(kit, self.pairs[kit], -1)
            self.of_pair[self.pairs[kit]].remove(kit)
            self._count(kit, pair, 1)
            self.of_pair[pair].add(kit)
            self.pairs[kit] = pair


def assign_kits(
    kits: Sequence[PlannedKit],
    teams: Sequence[str],
    *,
    absent: Collection[str] = (),
    overlap: Overlap = Overlap.WIDE,
    forbidden: Sequence[Collection[str]] | None = None,
    apart: Collection[tuple[str, str]] = (),
    before: Sequence[tuple[PlannedKit, KitTeams]] = (),
    seed: int = 1,
    steps: int | None = None,
    progress: Progress = SILENT,
) -> list[KitTeams]:
    """Two teams for each kit.

    Args:
        kits: the kits, in order.
        teams: all teams, in order.
        absent: teams that get nothing.
        overlap: how pairs are made.
        forbidden: for each kit the teams that must not get it, such as the first editors of
            control output.
        apart: pairs of teams that never get the same kit, since somebody is in both.
        before: kits that are assigned already: what their teams have met and have to do counts.
        seed: the same seed gives the same assignment.
        steps: exchanges that are tried; by default 400 for each kit, at least 40,000.
        progress: may cancel.

    Returns:
        For each kit its two teams, in the order of ``teams``, turned about from kit to kit of a
        pair so that neither always wins the ties.

    Raises:
        InputError: fewer than two teams are there, or the forbidden teams leave no assignment.
        Cancelled: ``progress`` said so.
    """
    there = [team for team in teams if team not in absent]
    number = {team: place for place, team in enumerate(there)}
    had = [(kit, tuple(number[team] for team in pair if team in number)) for kit, pair in before]
    counts = pair_counts(
        len(there),
        len(kits),
        overlap,
        barred={
            _ordered(number[one], number[other])
            for one, other in apart
            if one in number and other in number
        },
        before=[teams_of for _, teams_of in had],
        seed=seed,
    )
    start: list[tuple[int, int]] = []
    left = dict(counts)
    while len(start) < len(kits):
        # Turn by turn, so that neighbouring kits (often of like passages) go to different pairs.
        for pair in sorted(left):
            if left[pair]:
                start.append(pair)
                left[pair] -= 1
    banned = [
        frozenset(number[team] for team in names if team in number)
        for names in (forbidden if forbidden is not None else [()] * len(kits))
    ]
    problem = _Assignment(kits, start, len(there), banned, had)
    if len(kits) > 1:
        improve(
            problem,
            seed=seed,
            steps=max(40_000, 400 * len(kits)) if steps is None else steps,
            progress=progress,
            text="Assigning teams",
        )
    for kit, pair in enumerate(problem.pairs):
        if banned[kit] & set(pair):
            name = there[next(iter(banned[kit] & set(pair)))]
            raise InputError(
                "planning.forbidden-team",
                f"Kit {kit + 1} would go to team {name}, which edited its control output before",
                remedy="Bring in another team, or leave that control output out",
            )
    turned: dict[tuple[int, int], int] = {}
    result = []
    for one, other in problem.pairs:
        turn = turned.get((one, other), 0)
        turned[one, other] = turn + 1
        result.append((there[other], there[one]) if turn % 2 else (there[one], there[other]))
    return result


def carry_over(kits: Sequence[PlannedKit], assigned: Sequence[KitTeams]) -> int:
    """How often a team meets a passage again, summed over teams and passages."""
    met: dict[tuple[str, str], int] = {}
    for kit, pair in zip(kits, assigned, strict=True):
        for team in pair:
            for unit in kit.units:
                key = (team, unit.passage)
                met[key] = met.get(key, 0) + 1
    return sum(times - 1 for times in met.values())


def carry_over_bound(kits: Sequence[PlannedKit], teams: int) -> int:
    """No assignment to so many teams has less carry-over: a passage in k kits is met 2k times."""
    occurrences: dict[str, int] = {}
    for kit in kits:
        for unit in kit.units:
            occurrences[unit.passage] = occurrences.get(unit.passage, 0) + 1
    return sum(max(0, 2 * count - teams) for count in occurrences.values())


def assignment_figures(
    kits: Sequence[PlannedKit], assigned: Sequence[KitTeams], teams: Sequence[str]
) -> AssignmentFigures:
    """What an assignment came to; ``teams`` are those that are there."""
    loads, words = dict.fromkeys(teams, 0), dict.fromkeys(teams, 0)
    pairs: dict[KitTeams, int] = {}
    number = {team: place for place, team in enumerate(teams)}
    for kit, pair in zip(kits, assigned, strict=True):
        for team in pair:
            loads[team] += 1
            words[team] += kit.words
        one, other = sorted(pair, key=number.__getitem__)
        pairs[one, other] = pairs.get((one, other), 0) + 1
    graph = [(number[one], number[other]) for one, other in pairs]
    return AssignmentFigures(
        loads=loads,
        words=words,
        pairs=pairs,
        connected=components(len(teams), graph) == 1,
        carry_over=carry_over(kits, assigned),
        carry_over_bound=carry_over_bound(kits, len(teams)),
        system_miss=_pair_miss(kits, assigned, lambda unit: unit.system),
        set_miss=_pair_miss(kits, assigned, lambda unit: unit.data_set),
    )


def _pair_miss(
    kits: Sequence[PlannedKit], assigned: Sequence[KitTeams], kind: Callable[[Unit], str]
) -> float:
    """Mean over pairs of half the summed differences from the shares of all words."""
    total: Counter[str] = Counter()
    of_pair: dict[frozenset[str], Counter[str]] = {}
    for kit, pair in zip(kits, assigned, strict=True):
        own = of_pair.setdefault(frozenset(pair), Counter())
        for unit in kit.units:
            own[kind(unit)] += unit.words
            total[kind(unit)] += unit.words
    if not of_pair:
        return 0.0
    whole = max(total.total(), 1)
    misses = [
        sum(abs(own[name] / max(own.total(), 1) - count / whole) for name, count in total.items())
        for own in of_pair.values()
    ]
    return sum(misses) / 2 / len(misses)


def assignment_cost(
    kits: Sequence[PlannedKit], assigned: Sequence[KitTeams], teams: Sequence[str]
) -> float:
    """The cost of an assignment, counted from the assignment alone.

    Args:
        kits, assigned: the kits and the two teams of each.
        teams: those that are there.
    """
    if not kits:
        return 0.0
    number = {team: place for place, team in enumerate(teams)}
    pairs = [_ordered(number[one], number[other]) for one, other in assigned]
    return _Assignment(kits, pairs, len(teams), [frozenset()] * len(kits)).cost()


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
