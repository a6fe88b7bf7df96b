"""Manuscripts into kits."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madcat_studio.errors import InputError
from madcat_studio.planning.kits import figures, greedy_kits, kit_cost, plan_kits
from madcat_studio.planning.search import usual_steps
from madcat_studio.planning.units import KitRules, PlannedKit, Unit
from madcat_studio.progress import Cancelled


def units(
    passages: int, scribes: int, systems: int, words: tuple[int, ...] = (130, 150, 170)
) -> list[Unit]:
    return [
        Unit(
            manuscript=f"p{p}-s{s}",
            passage=f"p{p}",
            genre="web" if p % 2 else "newswire",
            system=f"system {y}",
            documents=(f"P{p}_1_S{s}",),
            words=words[(p + s) % len(words)],
        )
        for p, s, y in product(range(passages), range(scribes), range(systems))
    ]


campaigns = st.builds(
    units,
    passages=st.integers(4, 14),
    scribes=st.integers(1, 3),
    systems=st.integers(1, 2),
    words=st.lists(st.integers(60, 200), min_size=1, max_size=5).map(tuple),
)


@given(campaigns, st.integers(0, 3))
@settings(max_examples=25)
def test_no_plan_breaks_a_hard_rule_and_figures_are_recounts(
    planned: list[Unit], seed: int
) -> None:
    rules = KitRules(target=500, tolerance=0.2)
    try:
        kits = plan_kits(planned, rules, seed=seed, steps=2_000)
    except InputError as error:
        if error.code not in {"planning.passage-twice", "planning.long-manuscript"}:
            raise
        return
    assert sorted(map(repr, planned)) == sorted(repr(unit) for kit in kits for unit in kit.units)
    for kit in kits:
        passages = [unit.passage for unit in kit.units]
        assert len(passages) == len(set(passages)), "a passage is twice in a kit"
        assert kit.units
    counted = figures(kits, rules)
    assert counted.words == tuple(sum(unit.words for unit in kit.units) for kit in kits)
    assert counted.outside == sum(not 400 <= words <= 600 for words in counted.words)
    assert counted.cost == pytest.approx(kit_cost(kits, rules))
    assert counted.cost <= kit_cost(greedy_kits(planned, rules), rules) + 1e-9


def test_the_same_seed_gives_the_same_plan_whatever_the_order_of_units() -> None:
    planned = units(8, 3, 2)
    first = plan_kits(planned, seed=7, steps=5_000)
    assert plan_kits(planned[::-1], seed=7, steps=5_000) == first
    assert plan_kits(planned, seed=8, steps=5_000) != first


def test_kits_are_near_the_target_and_mixed() -> None:
    counted = figures(plan_kits(units(16, 3, 2), steps=20_000))
    assert counted.outside == 0
    assert counted.genre_miss < 0.05


def test_the_plan_is_optimal_where_all_plans_can_be_tried() -> None:
    planned = units(6, 1, 1, (100, 140, 180))
    rules = KitRules(target=280, tolerance=0.2)
    kits = plan_kits(planned, rules, steps=20_000)
    assert len(kits) == 3
    best = min(
        kit_cost(
            [
                PlannedKit([u for u, k in zip(planned, where, strict=True) if k == n])
                for n in range(3)
            ],
            rules,
        )
        for where in product(range(3), repeat=6)
        if len(set(where)) == 3
    )
    assert kit_cost(kits, rules) == pytest.approx(best)


@pytest.mark.parametrize(
    ("planned", "rules", "code"),
    [
        ([], KitRules(), "planning.nothing"),
        (units(2, 1, 1, (900,)), KitRules(), "planning.long-manuscript"),
        (units(1, 3, 1, (150,)), KitRules(), "planning.passage-twice"),
    ],
)
def test_an_infeasible_plan_says_which_rule_binds(planned, rules, code) -> None:
    with pytest.raises(InputError) as caught:
        plan_kits(planned, rules)
    assert caught.value.code == code
    assert caught.value.remedy


def kits_with(*words: int) -> list[PlannedKit]:
    """Kits of one manuscript each, which differ in nothing but their words."""
    return [
        PlannedKit([Unit(f"m{n}", f"p{n}", "web", "system", (f"d{n}",), count)])
        for n, count in enumerate(words)
    ]


@pytest.mark.parametrize(
    ("words", "cost", "outside"),
    [
        ((500, 500), 0, 0),
        ((460, 540), 2 * 4 * 0.08**2, 0),
        # Both miss the mean of 500 by a tenth, and are as short and as long as is allowed.
        ((450, 550), 2 * 4 * 0.1**2, 0),
        ((449, 551), 2 * 4 * (51 / 500) ** 2 + 10 * 1 / 500 + 10 * 1 / 500, 2),
        ((400, 600), 2 * 4 * 0.2**2 + 10 * 50 / 500 + 10 * 50 / 500, 2),
        # All alike, so that none misses the mean: too short, and too long.
        ((400, 400), 2 * 10 * 50 / 500, 2),
        ((600, 600), 2 * 10 * 50 / 500, 2),
    ],
)
def test_a_kit_costs_what_it_misses_the_mean_and_the_tolerance_by(
    words: tuple[int, ...], cost: float, outside: int
) -> None:
    rules = KitRules(target=500, tolerance=0.1)
    assert (rules.least, rules.most) == pytest.approx((450, 550))
    counted = figures(kits_with(*words), rules)
    assert counted.cost == pytest.approx(cost)
    assert counted.outside == outside
    assert counted.size_bound == abs(sum(words) / len(words) - 500)


@pytest.mark.parametrize(("words", "kits"), [(515, 5), (510, 5), (509, None)])
def test_kits_become_more_for_a_passage_as_long_as_they_are_long_enough(
    words: int, kits: int | None
) -> None:
    """Five copies make four kits by their words; a fifth needs 510 in each."""
    copies = units(1, 5, 1, (words,))
    if kits is not None:
        assert len(plan_kits(copies, steps=10)) == kits
        return
    with pytest.raises(InputError) as caught:
        plan_kits(copies, steps=10)
    assert caught.value.code == "planning.passage-twice"


@pytest.mark.parametrize("bad", [{"target": 0}, {"tolerance": 1.0}, {"tolerance": -0.1}])
def test_rules_that_make_no_sense_are_refused(bad) -> None:
    with pytest.raises(InputError):
        KitRules(**bad)


def test_planning_can_be_cancelled() -> None:
    class Impatient:
        def advance(self, done: int, total: int | None, text: str = "") -> None:
            pass

        def cancelled(self) -> bool:
            return True

    with pytest.raises(Cancelled):
        plan_kits(units(8, 3, 2), progress=Impatient())


def test_the_plan_by_hand_is_this_one() -> None:
    """Passages with most copies first, the longest first, each into the emptiest kit."""
    kits = greedy_kits(units(6, 2, 1))
    assert [[unit.manuscript for unit in kit.units] for kit in kits] == [
        ["p0-s1", "p2-s0", "p4-s1", "p5-s1"],
        ["p0-s0", "p1-s0", "p3-s1", "p4-s0"],
        ["p1-s1", "p2-s1", "p3-s0", "p5-s0"],
    ]
    assert figures(kits).words == (620, 580, 600)


def test_how_far_kits_are_from_the_campaigns_genres() -> None:
    def kit(*parts: tuple[str, int]) -> PlannedKit:
        return PlannedKit([Unit(f"{g}{n}", f"{g}{n}", g, "s", (f"{g}{n}",), n) for g, n in parts])

    # Of the campaign 3/4 is web. The first kit is all web, a quarter off; the other half, as well.
    counted = figures([kit(("web", 200)), kit(("web", 100), ("news", 101))])
    shares = (300 / 401, 101 / 401)
    first = (abs(1 - shares[0]) + shares[1]) / 2
    second = (abs(100 / 201 - shares[0]) + abs(101 / 201 - shares[1])) / 2
    assert counted.genre_miss == pytest.approx((first + second) / 2)
    assert counted.words == (200, 201)
    empty = figures([])
    assert (empty.words, empty.outside, empty.genre_miss) == ((), 0, 0)
    assert (empty.cost, empty.size_bound) == (0, 0)
    assert kit_cost([]) == 0
    assert figures([PlannedKit()]).genre_miss == 0
    # A kit without words is as far from every genre as one can be; one word is all of a campaign.
    assert figures([PlannedKit(), kit(("web", 1))]).genre_miss == pytest.approx(0.25)


def test_progress_is_told_and_steps_are_counted() -> None:
    seen: list[tuple[int, int | None, str]] = []

    class Watched:
        def advance(self, done: int, total: int | None, text: str = "") -> None:
            seen.append((done, total, text))

        def cancelled(self) -> bool:
            return False

    planned = units(6, 2, 1)
    plan_kits(planned, steps=500, progress=Watched())
    assert seen[-1][:2] == (500, 500)
    assert seen[-1][2].startswith("Planning kits")
    seen.clear()
    plan_kits(planned, progress=Watched())
    assert seen[-1][:2] == (18_000, 18_000)
    assert [usual_steps(n, 4_500) for n in (12, 40, 50)] == [18_000, 160_000, 225_000]


def test_forbidden_teams_keep_two_for_each_kit() -> None:
    """Three teams: a kit whose units bar two of them could go to one team alone."""
    planned = units(4, 1, 2, (300,))
    barred = {"p0": ["T1"], "p1": ["T2"], "p2": ["T1"], "p3": ["T2"]}
    kits = plan_kits(
        planned, forbidden=lambda unit: barred[unit.passage], teams=3, seed=2, steps=4_000
    )
    for kit in kits:
        assert len({team for unit in kit.units for team in barred[unit.passage]}) == 1
