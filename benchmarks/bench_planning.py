"""Planning beside greedy with swaps, and the time that large campaigns take.

    python benchmarks/bench_planning.py [SECONDS [SEEDS]]

For random campaigns, several seeds each, in one run: the cost of the planned kits and of the
planned teams, and that of the peer: greedy, then SECONDS (5, of processor time) of random
exchanges of two units (or of moves of one), each taken if it lowers the cost. For teams the peer
starts from the same numbers of kits of each pair. Where a bound says something it is shown: no plan
has a smaller mean miss of the target, or less carry-over.

Then the time of a whole plan: 400 pages with 10 teams (at most 30 s), and 540 pages by 5 systems
(at most 5 minutes), by processor time: planning is one thread. The exit status is 1 where a plan
costs more than the peer's, or takes longer.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import dataclass

from madcat_studio.planning.assignment import (
    KitTeams,
    assign_kits,
    assignment_cost,
    assignment_figures,
)
from madcat_studio.planning.kitproblem import KitProblem
from madcat_studio.planning.kits import figures, greedy_kits, kit_cost, plan_kits
from madcat_studio.planning.pairs import pair_counts
from madcat_studio.planning.search import Problem
from madcat_studio.planning.teamproblem import TeamProblem
from madcat_studio.planning.units import KitRules, PlannedKit, Unit, check_units

RULES = KitRules()
TEAMS = [f"T{number}" for number in range(1, 11)]


@dataclass(frozen=True)
class Shape:
    """A kind of campaign: passages of each genre, scribes of each, systems."""

    name: str
    passages: int
    scribes: int
    systems: int


SHAPES = (
    Shape("30 passages, 3 scribes, 2 systems", 30, 3, 2),
    Shape("66 passages, 3 scribes, 2 systems", 66, 3, 2),
    Shape("60 passages, 3 scribes, 5 systems", 60, 3, 5),
)


def campaign(shape: Shape, seed: int) -> list[Unit]:
    """Manuscripts of about 160 reference words, a tenth of them in the control set."""
    draw = random.Random(seed)
    units = []
    for passage in range(shape.passages):
        genre = "web" if draw.random() < 0.5 else "newswire"
        data_set = "control" if draw.random() < 0.1 else "evaluation"
        words = max(60, min(400, round(draw.gauss(160, 40))))
        units += [
            Unit(
                f"p{passage}-{scribe}", f"p{passage}", genre, f"sys{system}",
                (f"p{passage}_1_{scribe}",), words, data_set,
            )
            for scribe in range(shape.scribes) for system in range(shape.systems)
        ]  # fmt: skip
    return units


def exchanged(problem: Problem, seconds: float, seed: int) -> float:
    """The cost after random exchanges, each made if it helps, until the time is over."""
    problem.cost()
    # Processor time, as a plan's own: what else runs meanwhile must not hold the peer up.
    chance, end = random.Random(seed), time.thread_time() + seconds
    while time.thread_time() < end:
        for _ in range(200):
            change = problem.propose(chance)
            if change is not None and change < 0:
                problem.accept()
    return problem.cost()


def exchanged_kits(units: list[Unit], seconds: float, seed: int) -> float:
    """The peer's cost: greedy, then exchanges."""
    ordered = sorted(units, key=lambda unit: (unit.passage, unit.manuscript, unit.system))
    plan = KitProblem(ordered, check_units(ordered, RULES), RULES)
    plan.fill()
    return exchanged(plan, seconds, seed)


def exchanged_teams(kits: list[PlannedKit], seconds: float, seed: int) -> float:
    """The same for teams, from the same numbers of kits of each pair."""
    left = pair_counts(len(TEAMS), len(kits), seed=seed)
    start = []
    while any(left.values()):
        for pair in sorted(left):
            if left[pair]:
                start.append(pair)
                left[pair] -= 1
    return exchanged(TeamProblem(kits, start, len(TEAMS)), seconds, seed)


def compare(shape: Shape, seed: int, seconds: float) -> bool:
    """One random campaign; whether no cost is above the peer's."""
    units = campaign(shape, seed)
    begun = time.thread_time()
    kits = plan_kits(units, RULES, seed=seed)
    kit_time = time.thread_time() - begun
    begun = time.thread_time()
    teams: list[KitTeams] = assign_kits(kits, TEAMS, seed=seed)
    team_time = time.thread_time() - begun
    own, peer = kit_cost(kits, RULES), exchanged_kits(units, seconds, seed)
    own_teams = assignment_cost(kits, teams, TEAMS)
    peer_teams = exchanged_teams(kits, seconds, seed)
    greedy = kit_cost(greedy_kits(units, RULES), RULES)
    found, met = figures(kits, RULES), assignment_figures(kits, teams, TEAMS)
    good = own <= peer + 1e-9 and own_teams <= peer_teams + 1e-9
    miss = sum(abs(words - RULES.target) for words in found.words) / len(kits)
    print(
        f"{shape.name}, seed {seed}: kits {own:.3f} (peer {peer:.3f}, greedy {greedy:.1f}) in "
        f"{kit_time:.1f} s; teams {own_teams:.2f} (peer {peer_teams:.2f}) in {team_time:.1f} s; "
        f"miss {miss:.0f} words (bound {found.size_bound:.0f}), carry-over {met.carry_over} "
        f"(bound {met.carry_over_bound}){'' if good else '  WORSE'}",
        flush=True,
    )
    return good


def whole(name: str, shape: Shape, most: float) -> bool:
    """The time of a whole plan."""
    units = campaign(shape, 1)
    begun, clock = time.process_time(), time.perf_counter()
    kits = plan_kits(units, RULES)
    teams = assign_kits(kits, TEAMS)
    taken, clock = time.process_time() - begun, time.perf_counter() - clock
    found, met = figures(kits, RULES), assignment_figures(kits, teams, TEAMS)
    print(
        f"{name}: {len(units)} units, {len(kits)} kits in {taken:.1f} s of processor time "
        f"(at most {most:.0f}; {clock:.0f} s by the clock); "
        f"{found.outside} outside the tolerance, loads {min(met.loads.values())} to "
        f"{max(met.loads.values())}, carry-over {met.carry_over} (bound {met.carry_over_bound})",
        flush=True,
    )
    return taken <= most


def main(seconds: float, seeds: int) -> int:
    good = [compare(shape, seed, seconds) for shape in SHAPES for seed in range(1, seeds + 1)]
    good.append(whole("400 pages, 10 teams", Shape("", 67, 3, 2), 30))
    good.append(whole("540 pages by 5 systems", Shape("", 180, 3, 5), 300))
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(
        main(
            float(sys.argv[1]) if len(sys.argv) > 1 else 5.0,
            int(sys.argv[2]) if len(sys.argv) > 2 else 2,
        )
    )
