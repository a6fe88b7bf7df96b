"""Kits to pairs of teams."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madcat_studio.errors import InputError
from madcat_studio.planning.assignment import (
    assign_kits,
    assignment_cost,
    assignment_figures,
    carry_over,
    carry_over_bound,
)
from madcat_studio.planning.kits import plan_kits
from madcat_studio.planning.pairs import SHARED, Overlap, components, pair_counts
from madcat_studio.planning.teamproblem import TeamProblem
from madcat_studio.planning.units import PlannedKit, Unit


def kits_of(*passages: str) -> list[PlannedKit]:
    """One kit for each text; a letter is a passage."""
    return [
        PlannedKit([Unit(f"{p}{n}", p, "web", "sys", (f"{p}{n}",), 100) for p in text])
        for n, text in enumerate(passages)
    ]


@pytest.mark.long
@given(st.integers(2, 6), st.integers(1, 30), st.sampled_from(Overlap))
@settings(max_examples=30)
def test_loads_are_even_and_the_graph_is_connected(teams: int, kits: int, overlap: Overlap) -> None:
    counts = pair_counts(teams, kits, overlap)
    assert sum(counts.values()) == kits
    assert all(one < other for one, other in counts)
    loads = [sum(count for pair, count in counts.items() if team in pair) for team in range(teams)]
    assert max(loads) - min(loads) <= 1
    if kits >= teams - 1:
        assert components(teams, list(counts)) == 1


def test_where_there_are_kits_enough_all_pairs_share_as_many() -> None:
    assert set(pair_counts(4, 18).values()) == {3}
    assert len(pair_counts(4, 18)) == 6


@pytest.mark.long
def test_as_many_pairs_as_can_share_three_kits() -> None:
    wide = pair_counts(10, 60)
    assert sum(count >= SHARED for count in wide.values()) == 60 // SHARED
    deep = pair_counts(10, 60, Overlap.DEEP)
    assert len(deep) <= 10


@pytest.mark.long
@given(st.integers(0, 5), st.integers(3, 5))
@settings(max_examples=10)
def test_figures_are_recounts_and_nobody_is_on_both_sides(seed: int, number: int) -> None:
    units = [
        Unit(f"p{p}-{s}", f"p{p}", "web", f"sys{s % 2}", (f"d{p}{s}",), 100 + 10 * s)
        for p in range(8)
        for s in range(3)
    ]
    kits = plan_kits(units, steps=500, seed=seed)
    teams = [f"T{team}" for team in range(number)]
    assigned = assign_kits(kits, teams, seed=seed, steps=2_000)
    assert all(one != other for one, other in assigned)
    counted = assignment_figures(kits, assigned, teams)
    for team in teams:
        own = [kit for kit, pair in zip(kits, assigned, strict=True) if team in pair]
        assert counted.loads[team] == len(own)
        assert counted.words[team] == sum(kit.words for kit in own)
    assert max(counted.loads.values()) - min(counted.loads.values()) <= 1
    assert counted.carry_over >= counted.carry_over_bound


def test_carry_over_is_least_where_all_assignments_can_be_tried() -> None:
    kits = kits_of("ab", "ac", "bd", "cd", "ae", "be")
    teams = ["T1", "T2", "T3", "T4"]
    assigned = assign_kits(kits, teams, steps=5_000)
    pairs = [tuple(sorted(pair)) for pair in assigned]
    best = min(carry_over(kits, order) for order in set(permutations(pairs)))
    assert carry_over(kits, assigned) == best
    assert best >= carry_over_bound(kits, 4)


@pytest.mark.long
def test_an_absent_team_gets_nothing_and_a_first_editor_no_control_output() -> None:
    kits = kits_of(*"abcdef")
    teams = ["T1", "T2", "T3", "T4"]
    assigned = assign_kits(kits, teams, absent=["T2"])
    assert all("T2" not in pair for pair in assigned)
    forbidden = [["T1"], [], ["T3"], [], [], []]
    assigned = assign_kits(kits, teams, forbidden=forbidden)
    assert "T1" not in assigned[0]
    assert "T3" not in assigned[2]


def test_neither_team_of_a_pair_wins_all_ties() -> None:
    assigned = assign_kits(kits_of(*"abcdefgh"), ["T1", "T2"])
    assert assigned.count(("T1", "T2")) == assigned.count(("T2", "T1")) == 4


@pytest.mark.parametrize(("teams", "bound"), [(2, 4), (3, 3), (4, 2), (5, 1), (6, 0), (7, 0)])
def test_the_least_carry_over_is_what_meetings_are_more_than_teams(teams: int, bound: int) -> None:
    # "a" is in three kits and so is met six times; "b" and "c" are met twice.
    assert carry_over_bound(kits_of("ab", "ac", "a"), teams) == bound


def test_carry_over_counts_each_meeting_after_the_first() -> None:
    kits = kits_of("ab", "ac", "ab")
    assert carry_over(kits, [("T1", "T2"), ("T3", "T4"), ("T5", "T6")]) == 0
    assert carry_over(kits, [("T1", "T2"), ("T1", "T3"), ("T4", "T5")]) == 1
    # T1 meets "a" three times and "b" twice, T2 "a" twice.
    assert carry_over(kits, [("T1", "T2"), ("T1", "T2"), ("T1", "T3")]) == 4
    counted = assignment_figures(
        kits, [("T1", "T2"), ("T1", "T2"), ("T1", "T3")], ["T1", "T2", "T3"]
    )
    assert (counted.carry_over, counted.carry_over_bound) == (4, 4)
    assert counted.loads == {"T1": 3, "T2": 2, "T3": 1}
    assert counted.words == {"T1": 600, "T2": 400, "T3": 200}
    assert counted.pairs == {("T1", "T2"): 2, ("T1", "T3"): 1}


def test_what_teams_had_before_counts_as_work_and_as_meeting() -> None:
    kits = kits_of("a", "b")
    both, one = kits_of("a", "c")
    problem = TeamProblem(kits, [(0, 1), (0, 1)], 2, before=[(both, (0, 1)), (one, (0,))])
    # The mean of two teams is 350 words; they have 400 and 300, and both meet "a" again.
    assert problem.mean == 350
    assert problem.cost() == pytest.approx(2 + 2 * 200 * (50 / 350) ** 2)


@pytest.mark.parametrize("teams", [[], ["T1"]])
def test_fewer_than_two_teams_are_refused(teams: list[str]) -> None:
    with pytest.raises(InputError, match="two teams"):
        assign_kits(kits_of("ab"), teams)


def test_forbidden_teams_that_leave_nothing_are_told() -> None:
    with pytest.raises(InputError) as caught:
        assign_kits(kits_of("a", "b"), ["T1", "T2"], forbidden=[["T1"], []])
    assert caught.value.code == "planning.forbidden-team"


def test_an_assignment_is_the_same_on_every_machine() -> None:
    kits = [
        PlannedKit(
            [
                Unit(
                    f"{passage}{n}",
                    passage,
                    "web",
                    "odd" if n % 2 else "even",
                    (f"{passage}{n}",),
                    100 + n,
                    "evaluation" if n % 3 else "control",
                )
                for passage in text
            ]
        )
        for n, text in enumerate(("ab", "ac", "bd", "cd", "ae", "be", "fa"))
    ]
    teams = ["T1", "T2", "T3", "T4"]
    assigned = assign_kits(kits, teams, seed=3, steps=2_000)
    # Pairs share one, three and three kits, turned about from kit to kit of a pair.
    assert assigned == [
        ("T2", "T3"),
        ("T2", "T4"),
        ("T4", "T2"),
        ("T1", "T3"),
        ("T2", "T4"),
        ("T3", "T1"),
        ("T1", "T3"),
    ]
    counted = assignment_figures(kits, assigned, teams)
    assert counted.loads == {"T1": 3, "T2": 4, "T3": 4, "T4": 3}
    assert counted.words == {"T1": 628, "T2": 814, "T3": 828, "T4": 614}
    assert counted.pairs == {("T2", "T3"): 1, ("T2", "T4"): 3, ("T1", "T3"): 3}
    assert counted.connected
    assert (counted.carry_over, counted.carry_over_bound) == (6, 6)
    assert counted.system_miss == pytest.approx(0.2540005)
    assert counted.set_miss == pytest.approx(0.4123446)
    assert assignment_cost(kits, assigned, teams) == pytest.approx(25.4627991)
    assert assignment_cost([], [], teams) == 0
    restricted = assign_kits(
        kits,
        teams,
        seed=3,
        steps=2_000,
        forbidden=[["T1"], ["T1", "T2"], [], ["T3"], [], [], []],
        apart=[("T1", "T2")],
        before=[(kits[0], ("T1", "T3"))],
    )
    assert restricted == [
        ("T2", "T4"),
        ("T3", "T4"),
        ("T2", "T3"),
        ("T4", "T2"),
        ("T2", "T4"),
        ("T1", "T3"),
        ("T3", "T1"),
    ]


def test_mixtures_of_pairs_by_hand() -> None:
    def kit(system: str, words: int, data_set: str = "evaluation") -> PlannedKit:
        name = f"{system}{words}"
        return PlannedKit([Unit(name, name, "web", system, (name,), words, data_set)])

    kits = [kit("x", 100), kit("y", 300, "control")]
    # A quarter of all words is x's. One pair has x alone, the other y alone.
    counted = assignment_figures(kits, [("A", "B"), ("B", "C")], ["A", "B", "C"])
    wanted = ((0.75 + 0.75) / 2 + (0.25 + 0.25) / 2) / 2
    assert counted.system_miss == counted.set_miss == pytest.approx(wanted)
    assert counted.connected
    assert counted.pairs == {("A", "B"): 1, ("B", "C"): 1}
    both = assignment_figures(kits, [("B", "A"), ("A", "B")], ["A", "B", "C"])
    assert (both.system_miss, both.set_miss) == (0, 0)
    assert both.pairs == {("A", "B"): 2}
    assert not both.connected
    assert both.loads == {"A": 2, "B": 2, "C": 0}
    nothing = assignment_figures([], [], ["A"])
    assert (nothing.system_miss, nothing.set_miss, nothing.carry_over) == (0, 0, 0)


def test_kits_that_may_go_to_few_pairs_choose_first() -> None:
    kits = kits_of("a", "b", "c")
    # Only T1 and T2 may have the second; the first takes another pair of those with least to do.
    forbidden = [["T4"], ["T3", "T4"], []]
    assigned = assign_kits(kits, ["T1", "T2", "T3", "T4"], forbidden=forbidden, steps=0)
    assert set(assigned[1]) == {"T1", "T2"}
    assert set(assigned[0]) == {"T1", "T3"}
    assert "T4" in assigned[2]


def test_who_may_not_have_a_kit_together_does_not() -> None:
    kits = kits_of(*"abcdef")
    teams = ["T1", "T2", "T3"]
    for apart in (("T1", "T2"), ("T2", "T1")):
        assigned = assign_kits(kits, teams, apart=[apart, ("T1", "gone")], steps=200)
        assert {frozenset(pair) for pair in assigned} == {
            frozenset({"T1", "T3"}),
            frozenset({"T2", "T3"}),
        }
    with pytest.raises(InputError) as caught:
        assign_kits(kits, teams[:2], apart=[("T1", "T2")], forbidden=[["T3"], *[[]] * 5])
    assert caught.value.code.startswith("planning.")


def test_a_kit_that_may_go_nowhere_is_named_by_its_number() -> None:
    with pytest.raises(InputError) as caught:
        assign_kits(kits_of("a", "b", "c"), ["T1", "T2"], forbidden=[[], [], ["T2"]])
    assert caught.value.where == "kit 3 of the proposal"
