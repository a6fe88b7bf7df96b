"""Kits to pairs of teams: who meets a passage again as seldom as can be.

The numbers of kits of each pair are settled first (:mod:`~madcat_studio.planning.pairs`); then
kits are exchanged between pairs. What an assignment costs stands in
:mod:`madcat_studio.planning.teamproblem`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from madcat_studio.errors import InputError
from madcat_studio.planning.pairs import Overlap, components, pair_counts
from madcat_studio.planning.search import improve, usual_steps
from madcat_studio.planning.teamproblem import TeamProblem
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

_HOT, _COLD = 0.3, 0.0005
"""Warmth of the search: meeting a passage again costs 1."""


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
        steps: exchanges that are tried; by default :func:`usual_steps`, 6,000 for each kit.
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
    barred = {
        _ordered(number[one], number[other])
        for one, other in apart
        if one in number and other in number
    }
    banned = [
        frozenset(number[team] for team in names if team in number)
        for names in (forbidden if forbidden is not None else [()] * len(kits))
    ]
    start = _start(banned, len(there), overlap, barred, [own for _, own in had], seed)
    problem = TeamProblem(kits, start, len(there), banned, had)
    if len(kits) > 1:
        improve(
            problem,
            seed=seed,
            steps=usual_steps(2 * len(kits), 3_000) if steps is None else steps,
            hot=_HOT,
            cold=_COLD,
            progress=progress,
            text="Assigning teams",
        )
    turned: dict[int, int] = {}
    result = []
    for pair in problem.place:
        one, other = problem.pairs[pair]
        turn = turned.get(pair, 0)
        turned[pair] = turn + 1
        result.append((there[other], there[one]) if turn % 2 else (there[one], there[other]))
    return result


def _start(
    banned: Sequence[frozenset[int]],
    teams: int,
    overlap: Overlap,
    barred: Collection[tuple[int, int]],
    before: Sequence[tuple[int, ...]],
    seed: int,
) -> list[tuple[int, int]]:
    """A pair for each kit that it may go to, the numbers of kits as even as that allows.

    Raises:
        InputError: a kit may go to no pair, or there are no pairs.
    """
    start: dict[int, tuple[int, int]] = {}
    loads = [sum(team in own for own in before) for team in range(teams)]
    allowed = {
        kit: [
            pair
            for pair in combinations(range(teams), 2)
            if pair not in barred and not names.intersection(pair)
        ]
        for kit, names in enumerate(banned)
        if names
    }
    # Kits that may go to few pairs choose first, each the pair with least to do.
    for kit in sorted(allowed, key=lambda one: (len(allowed[one]), one)):
        if not allowed[kit]:
            raise InputError(
                "planning.forbidden-team",
                "A kit with control output would go to a team that edited this output before, "
                "whichever two teams get it",
                where=f"kit {kit + 1} of the proposal",
                remedy="Add another team, or leave that control output out",
            )
        start[kit] = min(
            allowed[kit],
            key=lambda pair: (
                max(loads[team] for team in pair),
                sum(loads[team] for team in pair),
                pair,
            ),
        )
        for team in start[kit]:
            loads[team] += 1
    counts = pair_counts(
        teams,
        len(banned) - len(start),
        overlap,
        barred=barred,
        before=[*before, *start.values()],
        seed=seed,
    )
    # Turn by turn, so that neighbouring kits (often of like passages) go to different pairs.
    order = []
    while any(counts.values()):
        for pair in sorted(counts):
            if counts[pair]:
                order.append(pair)
                counts[pair] -= 1
    rest = iter(order)
    return [start[kit] if kit in start else next(rest) for kit in range(len(banned))]


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
    return TeamProblem(kits, pairs, len(teams)).cost()


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
