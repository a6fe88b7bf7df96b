"""Passages whose scores are distributed as another set's."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ks_2samp, mannwhitneyu

from madcat_studio.errors import InputError
from madcat_studio.planning.selection import Candidate, _distance, match_of, select


def passages(count: int, seed: int, name: str = "p", mean: float = 30) -> list[Candidate]:
    draw = random.Random(seed)
    return [
        Candidate(f"{name}{n}", "web" if n % 3 else "newswire", max(1, draw.gauss(mean, 9)), 100)
        for n in range(count)
    ]


@given(st.integers(0, 50), st.integers(6, 40), st.integers(2, 6))
@settings(max_examples=25, deadline=None)
def test_a_part_of_a_set_is_within_one_stratum_of_it(seed: int, size: int, count: int) -> None:
    target = passages(size, seed)
    chosen = select(target, target, {"web": min(count, size // 3)}, seed=seed)
    assert len({one.passage for one in chosen.chosen}) == min(count, size // 3)
    assert chosen.match.distance <= 1 / len(chosen.chosen) + 1e-9
    assert all(one in target for one in chosen.chosen)


def test_other_passages_match_and_the_figures_are_scipys() -> None:
    target, candidates = passages(60, 1), passages(300, 2, "c", 36)
    chosen = select(candidates, target, 30, seed=3)
    assert len(chosen.chosen) == 30
    assert sum(one.genre == "newswire" for one in chosen.chosen) == 10, "in the target's proportion"
    ours, theirs = [one.rate for one in chosen.chosen], [one.rate for one in chosen.target]
    distance, ranks = ks_2samp(ours, theirs), mannwhitneyu(ours, theirs)
    assert chosen.match.distance == pytest.approx(distance.statistic)
    assert chosen.match.distance_p == pytest.approx(distance.pvalue)
    assert chosen.match.rank_sum == pytest.approx(ranks.statistic)
    assert chosen.match.rank_sum_p == pytest.approx(ranks.pvalue)
    assert chosen.match.distance < 0.1
    plain = [one.rate for one in candidates]
    assert match_of(plain, theirs).distance > 0.2, "which without choosing it would not be"


def test_the_same_seed_gives_the_same_choice_whatever_the_order() -> None:
    target = passages(40, 5)
    first = select(target, target, 8, seed=7)
    assert select(target[::-1], target, 8, seed=7) == first
    assert select(target, target, 8, seed=8).chosen != first.chosen


def test_exchanges_help_where_candidates_are_few() -> None:
    target = [Candidate(f"t{n}", "web", 10 + n, 100) for n in range(40)]
    # Most candidates lie low; those high up must all be taken.
    low = [Candidate(f"l{n}", "web", 10 + n / 10, 100) for n in range(30)]
    high = [Candidate(f"h{n}", "web", 30 + n, 100) for n in range(12)]
    chosen = select([*low, *high], target, 20, seed=1)
    assert sum(one.passage.startswith("h") for one in chosen.chosen) >= 9


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=12),
    st.lists(st.integers(0, 9), min_size=1, max_size=12),
)
@settings(max_examples=60, deadline=None)
def test_the_distance_is_kolmogorov_and_smirnovs(one: list[int], other: list[int]) -> None:
    assert _distance(sorted(one), sorted(other)) == pytest.approx(ks_2samp(one, other).statistic)


@pytest.mark.parametrize(
    ("code", "candidates", "target", "count"),
    [
        ("planning.too-few-passages", passages(3, 1), passages(30, 2), 20),
        ("planning.too-few-passages", passages(9, 1), passages(9, 1), {"sports": 1}),
        ("planning.nothing-selected", passages(9, 1), passages(9, 1), 0),
        ("planning.passage-listed-twice", passages(3, 1) * 2, passages(9, 1), 1),
        ("planning.no-rate", [Candidate("x", "web", 3, 0)], passages(9, 1), 1),
        ("planning.no-rate", [Candidate("x", "web", 3, float("nan"))], passages(9, 1), 1),
    ],
)
def test_what_cannot_be_chosen_is_told(code: str, candidates, target, count) -> None:
    with pytest.raises(InputError) as caught:
        select(candidates, target, count)
    assert caught.value.code == code
    assert caught.value.remedy


def test_nothing_to_compare_is_told() -> None:
    with pytest.raises(InputError, match="no scores"):
        match_of([], [0.1])
