from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from madcat_studio.scoring.agreement import (
    interval_alpha,
    limits_of_agreement,
    rank_correlation,
)

# Four observers, twelve units, with gaps: Krippendorff's own example. Interval alpha .849.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def test_alpha_of_the_published_example() -> None:
    units = [[v for v in unit if v is not None] for unit in zip(*OBSERVERS, strict=True)]
    assert interval_alpha(units) == pytest.approx(0.849, abs=0.0005)


def test_alpha_by_the_definition() -> None:
    # Units (0, 1), (1, 1), (2, 4): observed pairs 1, 0, 4, twice each, over n = 6: 10 / 6.
    # Values 0 1 1 1 2 4: squared differences of ordered pairs over n(n - 1) = 30.
    values = [0, 1, 1, 1, 2, 4]
    expected = sum((a - b) ** 2 for a in values for b in values) / 30
    assert interval_alpha([[0, 1], [1, 1], [2, 4]]) == pytest.approx(1 - (10 / 6) / expected)


def test_alpha_without_pairs_or_variation() -> None:
    assert interval_alpha([]) is None
    assert interval_alpha([[1], [2]]) is None
    assert interval_alpha([[1, 1], [1, 1]]) is None
    assert interval_alpha([[0, 1], [5]]) == pytest.approx(0)  # the lone value is left out


@pytest.mark.long
@given(st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=4), min_size=2, max_size=6))
def test_alpha_does_not_mind_scale_or_shift(units: list[list[int]]) -> None:
    first = interval_alpha(units)
    second = interval_alpha([[3.0 * value - 7 for value in unit] for unit in units])
    if first is None:
        assert second is None
    else:
        assert second == pytest.approx(first)
        assert first <= 1


def test_limits() -> None:
    # Differences 1, 2, 3: mean 2, deviation 1.
    found = limits_of_agreement([2, 4, 6], [1, 2, 3])
    assert found is not None
    assert (found.count, found.mean, found.deviation) == (3, 2, 1)
    assert found.low == pytest.approx(2 - 1.96)
    assert found.high == pytest.approx(2 + 1.96)
    assert limits_of_agreement([1], [2]) is None


def test_rank_correlation() -> None:
    assert rank_correlation([1, 2, 3, 4], [10, 20, 30, 35]) == pytest.approx(1)
    assert rank_correlation([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    # Ranks 1 2.5 2.5 4 against 1 2 3 4: Pearson of the ranks, 4.5 / sqrt(4.5 * 5).
    assert rank_correlation([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(4.5 / math.sqrt(22.5))
    assert rank_correlation([1, 2], [1, 2]) is None
    assert rank_correlation([1, 1, 1], [1, 2, 3]) is None


@pytest.mark.long
@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.floats(0, 3, allow_subnormal=False)),
        min_size=3,
        max_size=40,
    )
)
def test_rank_correlation_is_scipys(pairs: list[tuple[int, float]]) -> None:
    first, second = zip(*pairs, strict=True)
    found = rank_correlation(first, second)
    if found is None:
        assert len(set(first)) == 1 or len(set(second)) == 1
    else:
        assert found == pytest.approx(float(spearmanr(first, second).statistic), abs=1e-12)
