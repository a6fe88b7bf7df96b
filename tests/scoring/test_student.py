"""Student's quantile beside SciPy's."""

from __future__ import annotations

import pytest
from scipy.special import stdtrit

from madcat_studio.scoring.student import quantile


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 10, 29, 500, 4999])
@pytest.mark.parametrize("tail", [0.0001, 0.0025, 0.025, 0.3, 0.5, 0.9])
def test_it_is_scipys(tail: float, freedom: int) -> None:
    assert quantile(tail, freedom) == pytest.approx(stdtrit(freedom, tail), rel=1e-10, abs=1e-12)
