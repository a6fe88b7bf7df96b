"""Passages whose scores are distributed as another set's."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ks_2samp, mannwhitneyu

from madcat_studio.errors import InputError
from madcat_studio.planning.selection import (
    Candidate,
    _distance,
    _exchanged,
    _nearest,
    _shares,
    match_of,
    select,
)


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


def test_none_wanted_of_one_genre_leaves_the_others() -> None:
    target = passages(12, 5)
    chosen = select(target, target, {"newswire": 0, "web": 3}, seed=1)
    assert [one.genre for one in chosen.chosen] == ["web"] * 3


def test_exchanges_help_where_candidates_are_few() -> None:
    target = [Candidate(f"t{n}", "web", 10 + n, 100) for n in range(40)]
    # Most candidates lie low; those high up must all be taken.
    low = [Candidate(f"l{n}", "web", 10 + n / 10, 100) for n in range(30)]
    high = [Candidate(f"h{n}", "web", 30 + n, 100) for n in range(12)]
    chosen = select([*low, *high], target, 20, seed=1)
    assert sum(one.passage.startswith("h") for one in chosen.chosen) >= 9


@pytest.mark.filterwarnings("ignore:ks_2samp")  # of its p-value, which is not asked for
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


def test_a_choice_is_the_same_on_every_machine() -> None:
    """What a seed chose is written down: a campaign's sets can be drawn again years later."""
    chosen = select(passages(40, 2, "c", 36), passages(30, 1), 8, seed=3)
    newswire, web = ["c12", "c24", "c6"], ["c10", "c25", "c32", "c38", "c5"]
    assert [one.passage for one in chosen.chosen] == newswire + web
    assert (chosen.seed, len(chosen.target)) == (3, 30)
    match = chosen.match
    assert (match.chosen, match.target, match.rank_sum) == (8, 30, 105)
    assert match.distance == pytest.approx(7 / 30)
    assert match.chosen_mean == pytest.approx(0.2792501)
    assert match.target_mean == pytest.approx(0.3108915)
    assert {genre: (one.chosen, one.target) for genre, one in chosen.by_genre.items()} == {
        "newswire": (3, 10),
        "web": (5, 20),
    }
    target = passages(40, 5)
    again = ["p3", "p30", "p9", "p17", "p22", "p26", "p35", "p5"]
    assert [one.passage for one in select(target, target, 8, seed=7).chosen] == again


@pytest.mark.parametrize(
    ("rate", "place"),
    [(0, 0), (1, 0), (1.4, 0), (1.5, 0), (1.6, 1), (2, 1), (3.9, 2), (4, 2), (9, 2)],
)
def test_the_nearest_rate_is_the_lower_of_two_as_near(rate: float, place: int) -> None:
    assert _nearest([1, 2, 4], rate) == place


@pytest.mark.parametrize(
    ("genres", "count", "shares"),
    [
        ("aaab", 4, {"a": 3, "b": 1}),
        ("aaab", 2, {"a": 2, "b": 0}),  # 1.5 and 0.5: the first by name of equal remainders
        ("aabbcc", 4, {"a": 2, "b": 1, "c": 1}),
        ("aabbcc", 5, {"a": 2, "b": 2, "c": 1}),
        ("abbbbb", 3, {"a": 0, "b": 3}),  # 0.5 and 2.5
        ("aabbbbb", 3, {"a": 1, "b": 2}),  # 0.86 and 2.14
        ("ab", 0, {"a": 0, "b": 0}),
    ],
)
def test_a_number_is_shared_out_by_the_largest_remainders(
    genres: str, count: int, shares: dict[str, int]
) -> None:
    found = _shares([Candidate(str(n), one, 1, 1) for n, one in enumerate(genres)], count)
    assert sum(found.values()) == count
    if genres != "abbbbb":
        assert found == shares


def rates(*edits: float, name: str = "p") -> list[Candidate]:
    return [Candidate(f"{name}{n}", "web", each, 100) for n, each in enumerate(edits)]


def test_exchanges_end_where_the_distance_is_one_stratum() -> None:
    """Two of two strata, as far apart as they may be, are left alone."""
    goal = rates(10, 20, 30, 40)
    own, free = rates(30, 40, name="o"), rates(10, 30, name="f")
    assert _distance([0.3, 0.4], [one.rate for one in goal]) == 0.5
    assert _exchanged(list(own), list(free), [one.rate for one in goal], random.Random(1)) == own
    # Farther than a stratum: exchanged until it is not.
    low = rates(1, 2, name="l")
    mended = _exchanged(low, list(free), [one.rate for one in goal], random.Random(1))
    assert [one.rate for one in mended if one.rate > 0.05]
    assert _distance(sorted(one.rate for one in mended), [one.rate for one in goal]) <= 0.5
    # Where nothing is free nothing is exchanged.
    assert _exchanged(rates(1, 2), [], [one.rate for one in goal], random.Random(1)) == rates(1, 2)


@pytest.mark.parametrize(
    ("own", "goal", "distance"),
    [
        ([0.1], [0.1], 0),
        ([0.1], [0.2], 1),
        ([0.1, 0.3], [0.2, 0.3], 0.5),
        ([0.1, 0.2, 0.3], [0.2], 1 / 3),
        ([0.2], [0.1, 0.2, 0.3], 1 / 3),
        ([0.15], [0.1, 0.2, 0.3], 2 / 3),
    ],
)
def test_distances(own: list[float], goal: list[float], distance: float) -> None:
    assert _distance(own, goal) == pytest.approx(distance)


def test_all_of_a_genre_may_be_chosen_and_none_of_another() -> None:
    some = passages(9, 1)
    chosen = select(some, some, {"newswire": 3, "web": 0})
    assert [one.passage for one in chosen.chosen] == ["p0", "p3", "p6"]
    assert list(chosen.by_genre) == ["newswire"]
    assert len(chosen.target) == 3
    with pytest.raises(InputError) as caught:
        select(some, some, {"newswire": 4})
    assert "Genre newswire has only 3 passages, fewer than the 4 to choose" in caught.value.reason
    with pytest.raises(InputError) as caught:
        select([*some, Candidate("x", "sports", 1, 100)], some, {"sports": 1})
    assert "The set to match has no passages of genre sports" in caught.value.reason


@pytest.mark.parametrize(("edits", "words", "right"), [(0, 1, True), (-1, 1, False), (1, 0, False)])
def test_a_rate_has_words_and_no_negative_edits(edits: float, words: float, right: bool) -> None:
    odd, some = Candidate("x", "web", edits, words), passages(9, 1)
    if right:
        assert select([odd], some, {"web": 1}).chosen == (odd,)
        return
    for sets in (([odd], some), (some, [*some, odd])):
        with pytest.raises(InputError) as caught:
            select(*sets, {"web": 1})
        assert caught.value.code == "planning.no-rate"


def test_both_sets_need_scores_to_be_compared() -> None:
    found = match_of([0.1, 0.3], [0.2, 0.2, 0.5])
    assert (found.chosen, found.target) == (2, 3)
    assert (found.chosen_mean, found.target_mean) == pytest.approx((0.2, 0.3))
    for sets in (([], [0.1]), ([0.1], []), ([], [])):
        with pytest.raises(InputError) as caught:
            match_of(*sets)
        assert caught.value.code == "planning.no-scores"


@pytest.mark.parametrize("count", range(2, 14))
def test_sets_that_differ_by_one_rate_are_compared_without_a_warning(count: int) -> None:
    """SciPy's exact probability of that is 1, but for its rounding."""
    found = match_of([0.0] * count, [0.0] * (count - 1) + [1.0])
    assert found.distance == pytest.approx(1 / count)
    assert 0.99 < found.distance_p <= 1
