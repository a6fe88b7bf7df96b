from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from madcat_studio.scoring.resampling import (
    RESAMPLES,
    Resampling,
    compare,
    difference_interval,
    holm,
    interval,
)


def rates_of(seed: int, clusters: int, rate: float) -> tuple[list[int], list[int]]:
    generator = np.random.default_rng(seed)
    words = generator.integers(20, 200, clusters)
    return list(generator.binomial(words, rate)), list(words)


def test_the_interval_is_scipys() -> None:
    edits, words = rates_of(1, 40, 0.3)
    ours = interval(edits, words, Resampling(resamples=20_000))
    theirs = stats.bootstrap(
        (np.array(edits), np.array(words)),
        lambda e, w, axis: e.sum(axis) / w.sum(axis),
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=20_000,
        rng=2,
    ).confidence_interval
    assert ours is not None
    assert ours.point == sum(edits) / sum(words)
    width = theirs.high - theirs.low
    assert ours.low == pytest.approx(theirs.low, abs=0.05 * width)
    assert ours.high == pytest.approx(theirs.high, abs=0.05 * width)


def test_worked_by_hand() -> None:
    # Two clusters, 0/1 and 1/1: the mean of two draws is 0, 1/2 or 1 with 1/4, 1/2, 1/4.
    found = interval([0, 1], [1, 1])
    assert found is not None
    assert (found.point, found.low, found.high) == (0.5, 0.0, 1.0)
    same = interval([2, 4, 8], [10, 20, 40])
    assert same is not None
    assert (same.point, same.low, same.high) == (0.2, 0.2, 0.2)


def test_the_seed_decides() -> None:
    edits, words = rates_of(3, 30, 0.4)
    assert interval(edits, words) == interval(edits, words)
    assert interval(edits, words) != interval(edits, words, Resampling(seed=1))


def test_no_interval_without_two_clusters_or_without_words() -> None:
    assert interval([1], [10]) is None
    assert interval([], []) is None
    assert interval([1, 2], [0, 0]) is None
    assert compare(([1], [10]), ([2], [10])) is None


def test_clusters_without_words_do_no_harm() -> None:
    found = interval([1, 2, 3], [0, 10, 20])
    assert found is not None
    assert found.point == 6 / 30
    assert np.isfinite([found.low, found.high]).all()


def test_ninety_five_per_cent_is_what_it_says() -> None:
    hits = 0
    for seed in range(300):
        edits, words = rates_of(seed, 40, 0.25)
        found = interval(edits, words, Resampling(resamples=300, seed=seed))
        assert found is not None
        hits += found.low <= 0.25 <= found.high
    # Binomial(300, .95) has a standard deviation of 3.8; the percentile method is a little short.
    assert 0.90 <= hits / 300 <= 0.98


def test_systems_that_differ_and_systems_that_do_not() -> None:
    first, same = rates_of(6, 60, 0.30), rates_of(10, 60, 0.30)
    worse = rates_of(7, 60, 0.40)
    apart = compare(worse, first)
    assert apart is not None
    assert apart.difference.low > 0
    assert apart.p_bootstrap == apart.p_randomisation * 2 == 2 / (RESAMPLES + 1)
    alike = compare(first, same)
    assert alike is not None
    assert alike.difference.low < 0 < alike.difference.high
    assert min(alike.p_bootstrap, alike.p_randomisation) > 0.05
    assert apart.clusters == 60


def test_a_system_against_itself() -> None:
    one = rates_of(8, 20, 0.3)
    found = compare(one, one)
    assert found is not None
    assert found.difference.point == found.difference.low == found.difference.high == 0
    assert (found.p_bootstrap, found.p_randomisation) == (1.0, 1.0)


def test_randomisation_is_scipys_exact_test_on_a_small_case() -> None:
    first = ([3, 1, 4, 1, 5, 9], [10, 10, 20, 15, 20, 30])
    second = ([4, 3, 5, 4, 5, 12], [11, 10, 19, 15, 21, 33])
    e, w = np.array([first[0], second[0]]), np.array([first[1], second[1]])
    index = np.arange(6)

    def difference(x: np.ndarray, y: np.ndarray, axis: int = -1) -> np.ndarray:
        flat_e, flat_w = e.ravel(), w.ravel()
        one = flat_e[x].sum(axis) / flat_w[x].sum(axis)
        return one - flat_e[y].sum(axis) / flat_w[y].sum(axis)

    exact = stats.permutation_test(
        (index, index + 6), difference, permutation_type="samples", n_resamples=np.inf, axis=0
    ).pvalue
    found = compare(first, second, Resampling(resamples=20_000))
    assert found is not None
    assert found.p_randomisation == pytest.approx(exact, abs=0.015)


def test_the_difference_is_paired() -> None:
    # Documents differ widely and the systems by little: only a paired interval sees it.
    generator = np.random.default_rng(9)
    words = np.full(50, 100)
    base = generator.integers(5, 90, 50)
    found = difference_interval((base + 2, words), (base, words))
    assert found is not None
    assert found.low == pytest.approx(0.02)
    assert found.high == pytest.approx(0.02)


@pytest.mark.parametrize(
    ("given_", "wanted"),
    [
        ([], []),
        ([0.04], [0.04]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.9], [1.0, 1.0]),
        ([0.02, 0.02], [0.04, 0.04]),
    ],
)
def test_holm(given_: list[float], wanted: list[float]) -> None:
    assert holm(given_) == pytest.approx(wanted)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_keeps_the_order_and_only_raises(values: list[float]) -> None:
    corrected = holm(values)
    assert all(new >= old for new, old in zip(corrected, values, strict=True))
    assert all(new <= 1 for new in corrected)
    order = sorted(range(len(values)), key=values.__getitem__)
    assert [corrected[i] for i in order] == sorted(corrected)
