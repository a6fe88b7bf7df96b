"""A scribe's hand: the difference to others on the same passages, not to others at large."""

from __future__ import annotations

import numpy as np
import pytest

from madcat_studio.scoring.hands import CopyScore, compare_hands
from madcat_studio.scoring.resampling import Resampling


def test_only_shared_passages_count_and_each_by_the_own_words() -> None:
    found = compare_hands(
        [
            CopyScore("x", "p1", "A", 10, 100),
            CopyScore("x", "p1", "B", 30, 100),
            CopyScore("x", "p1", "C", 10, 100),
            CopyScore("x", "p2", "A", 9, 30),
            CopyScore("x", "p2", "B", 30, 60),
            CopyScore("y", "p1", "A", 50, 100),  # nobody else's copy was read by this system
            CopyScore("x", "p3", "D", 90, 100),  # nobody else copied it
            CopyScore("x", "p1", "E", 5, 0),  # no words: no rate
        ]
    )
    assert [one.scribe for one in found] == ["A", "C", "B"]
    own = {one.scribe: one for one in found}
    # A: 19 of 130; the others would have 20 of 100 and 15 of 30.
    assert own["A"][1:3] == (2, 2)
    assert own["A"].rate == pytest.approx(19 / 130)
    assert own["A"].others == pytest.approx(35 / 130)
    assert own["A"].difference == pytest.approx(-16 / 130)
    # B: 60 of 160; the others 10 of 100 and 18 of 60.
    assert own["B"].difference == pytest.approx((60 - 28) / 160)
    assert own["C"].difference == pytest.approx((10 - 20) / 100)
    assert {one.low for one in found} == {None}
    assert compare_hands([]) == []


@pytest.mark.long
def test_the_interval_holds_what_is_true() -> None:
    """Hands with a known effect: of 100 made studies some 95 intervals hold it."""
    chance = np.random.default_rng(7)
    effects = {"A": -0.05, "B": 0.0, "C": 0.05}
    held = 0
    for _ in range(100):
        scores = []
        for passage in range(40):
            hard = chance.uniform(0.2, 0.4)
            for scribe, effect in effects.items():
                rate = hard + effect + chance.normal(0, 0.05)
                scores.append(CopyScore("x", f"p{passage}", scribe, 100 * rate, 100))
        worst = compare_hands(scores, Resampling(resamples=300))[-1]
        assert worst.scribe == "C"
        # Against the mean of the two others.
        assert worst.low is not None
        assert worst.high is not None
        held += worst.low <= 0.075 <= worst.high
    assert 88 <= held <= 99
