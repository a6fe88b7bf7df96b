"""Whole plans of random campaigns: no hard rule is broken, every figure is its recount."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import Assignment, Editor, Team
from madcat_studio.planning.assignment import assign_kits, assignment_cost, assignment_figures
from madcat_studio.planning.draft import Draft, DraftKit, broken_rules, draft_figures
from madcat_studio.planning.kits import figures, plan_kits
from madcat_studio.planning.pairs import pair_counts
from madcat_studio.planning.roles import choose_roles
from madcat_studio.planning.units import KitRules, PlannedKit, Unit, check_units

INFEASIBLE = {
    "planning.passage-twice",
    "planning.long-manuscript",
    "planning.forbidden-team",
    "planning.two-teams",
    "planning.shared-editors",
}


@st.composite
def campaigns(draw) -> tuple[list[Unit], list[Team], dict]:
    """Units of random words, genres, sets; teams, some with an editor in common; old editors."""
    units = [
        Unit(
            f"m{p}.{s}", f"p{p}", draw(st.sampled_from(["web", "newswire"])), f"S{system}",
            (f"d{p}.{s}",), draw(st.integers(40, 260)),
            draw(st.sampled_from(["evaluation", "evaluation", "control", "progress"])),
        )
        for p in range(draw(st.integers(2, 8)))
        for s in range(draw(st.integers(1, 3)))
        for system in range(draw(st.integers(1, 2)))
    ]  # fmt: skip
    teams = [
        Team(f"T{n}", (Editor(f"t{n}a"), Editor(f"t{n}b"))) for n in range(draw(st.integers(2, 6)))
    ]
    if draw(st.booleans()):
        teams.append(Team("T9", (Editor("t0a"), Editor("t9b"))))
    forbidden = {
        unit.key: frozenset(draw(st.lists(st.sampled_from([t.name for t in teams]), max_size=2)))
        for unit in units
        if unit.data_set == "control"
    }
    return units, teams, forbidden


@pytest.mark.long
@given(campaigns(), st.integers(0, 3))
@settings(max_examples=40, deadline=None)
def test_no_plan_breaks_a_hard_rule_and_figures_are_recounts(made, seed: int) -> None:
    units, teams, forbidden = made
    rules = KitRules(300, 0.2)
    people = {team.name: {editor.id for editor in team.editors} for team in teams}
    apart = [(a, b) for a, b in combinations(people, 2) if people[a] & people[b]]
    barred = lambda unit: forbidden.get(unit.key, frozenset())  # noqa: E731
    try:
        kits = plan_kits(units, rules, forbidden=barred, teams=len(teams), seed=seed, steps=2_000)
        assigned = assign_kits(
            kits,
            list(people),
            forbidden=[frozenset().union(*map(barred, kit.units)) for kit in kits],
            apart=apart,
            seed=seed,
            steps=1_000,
        )
    except InputError as error:
        if error.code not in INFEASIBLE or not error.remedy:
            raise
        return
    parts: list[Assignment] = []
    drafted = []
    for number, (kit, pair) in enumerate(zip(kits, assigned, strict=True)):
        own = [
            choose_roles(f"K{number}", next(t for t in teams if t.name == team),
                         [one for one in parts if one.team == team])
            for team in pair
        ]  # fmt: skip
        parts += own
        drafted.append(DraftKit(f"K{number}", tuple(kit.units), tuple(own)))
    draft = Draft(tuple(drafted), tuple(teams), rules=rules, forbidden=forbidden)
    assert broken_rules(draft) == ()
    assert sorted(u.key for kit in kits for u in kit.units) == sorted(unit.key for unit in units)
    assert all(pair not in apart and pair[::-1] not in apart for pair in assigned)
    found = draft_figures(draft)
    assert found.teams == assignment_figures(kits, assigned, list(people))
    assert found.kits == figures(kits, rules)
    _recount(kits, assigned, found)


def _recount(kits: list[PlannedKit], assigned, found) -> None:
    """The soft figures once more, each from the plan alone and in another way."""
    words = Counter(u.genre for kit in kits for u in kit.units for _ in range(u.words))
    whole = sum(words.values())
    misses = []
    for kit in kits:
        own = Counter(u.genre for u in kit.units for _ in range(u.words))
        misses.append(sum(abs(own[g] / own.total() - words[g] / whole) for g in words) / 2)
    assert found.kits.genre_miss == pytest.approx(sum(misses) / len(misses))
    systems = Counter(u.system for kit in kits for u in kit.units for _ in range(u.words))
    shares = []
    for pair in {frozenset(pair) for pair in assigned}:
        own = Counter(
            u.system
            for kit, teams in zip(kits, assigned, strict=True)
            if frozenset(teams) == pair
            for u in kit.units
            for _ in range(u.words)
        )
        shares.append(sum(abs(own[s] / own.total() - systems[s] / whole) for s in systems) / 2)
    assert found.teams.system_miss == pytest.approx(sum(shares) / len(shares))
    meetings = Counter(
        (team, u.passage)
        for kit, pair in zip(kits, assigned, strict=True)
        for u in kit.units
        for team in pair
    )
    assert found.teams.carry_over == sum(count - 1 for count in meetings.values())
    assert found.teams.carry_over_bound <= found.teams.carry_over


def test_the_assignment_costs_least_where_all_can_be_tried() -> None:
    kits = [
        PlannedKit([Unit(f"{p}{n}", p, "web", f"S{n % 2}", (f"{p}{n}",), 90 + 7 * n) for p in text])
        for n, text in enumerate(("ab", "ac", "bd", "cd", "ad"))
    ]
    teams = ["T1", "T2", "T3", "T4"]
    pairs = list(combinations(range(4), 2))
    counts = pair_counts(4, 5)
    assigned = assign_kits(kits, teams, steps=6_000)
    best = min(
        assignment_cost(kits, [(teams[a], teams[b]) for a, b in choice], teams)
        for choice in product(pairs, repeat=5)
        if Counter(choice) == Counter(counts)
    )
    assert assignment_cost(kits, assigned, teams) == pytest.approx(best)


def test_kits_of_before_count_and_their_teams_get_fewer() -> None:
    kit = [PlannedKit([Unit(f"m{n}", f"p{n}", "web", "S", (f"d{n}",), 100)]) for n in range(6)]
    before = [(kit[n], ("T1", "T2")) for n in range(2)]
    assigned = assign_kits(kit[2:], ["T1", "T2", "T3", "T4"], before=before, steps=2_000)
    loads = Counter(team for pair in [*assigned, *(pair for _, pair in before)] for team in pair)
    assert max(loads.values()) - min(loads.values()) <= 1
    again = PlannedKit([Unit("m0x", "p0", "web", "S", ("d0x",), 100)])
    other = PlannedKit([Unit("m9", "p9", "web", "S", ("d9",), 100)])
    pairs = assign_kits([again, other], ["T1", "T2", "T3", "T4"], before=before[:1], steps=2_000)
    assert set(pairs[0]) == {"T3", "T4"}, "whose teams have not met the passage"


def test_teams_that_share_an_editor_never_get_one_kit() -> None:
    kit = [PlannedKit([Unit(f"m{n}", f"p{n}", "web", "S", (f"d{n}",), 100)]) for n in range(9)]
    assigned = assign_kits(kit, ["T1", "T2", "T3"], apart=[("T1", "T2")], steps=1_000)
    assert all(set(pair) != {"T1", "T2"} for pair in assigned)
    with pytest.raises(InputError) as caught:
        assign_kits(kit, ["T1", "T2"], apart=[("T2", "T1")])
    assert caught.value.code == "planning.shared-editors"


def test_control_outputs_are_put_together_so_that_two_teams_are_left() -> None:
    units = [Unit(f"m{n}", f"p{n}", "web", "Old", (f"d{n}",), 100, "control") for n in range(8)]
    teams = ["T1", "T2", "T3", "T4"]
    barred = {f"m{n}": ("T1", "T2") if n % 2 else ("T3", "T4") for n in range(8)}
    kits = plan_kits(
        units,
        KitRules(400, 0.2),
        forbidden=lambda unit: barred[unit.manuscript],
        teams=4,
        steps=3_000,
    )
    forbidden = [set().union(*(barred[u.manuscript] for u in kit.units)) for kit in kits]
    assigned = assign_kits(kits, teams, forbidden=forbidden, steps=1_000)
    assert all(not set(pair) & names for pair, names in zip(assigned, forbidden, strict=True))


def test_long_manuscripts_make_fewer_kits_than_their_words_would() -> None:
    units = [Unit(f"m{n}", f"p{n}", "web", "S", (f"d{n}",), 690) for n in range(10)]
    assert check_units(units, KitRules()) == 10
    assert [len(kit.units) for kit in plan_kits(units, steps=500)] == [1] * 10
