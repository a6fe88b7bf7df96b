"""How often the intervals of trust hold the truth, on made data with known correlation."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from madcat_studio.scoring.resampling import ENOUGH, Resampling, coverage
from madcat_studio.scoring.trust.correlation import Coefficient, correlate
from madcat_studio.scoring.trust.drawing import Drawn, interval_from

SIMULATIONS = 1000
SMALL = 40
"""Of each everyday run: enough to see that the way is whole."""

OUTPUTS = 12
"""Of a source document: segments, scribes' copies and systems."""

ALIKE = 0.3
"""The share of what outputs vary that their document has in common."""

CORRELATION = 0.6
TRUTH = {
    Coefficient.PEARSON: CORRELATION,
    Coefficient.KENDALL: 2 / math.pi * math.asin(CORRELATION),
    Coefficient.SPEARMAN: 6 / math.pi * math.asin(CORRELATION / 2),
}
"""Of two normal columns with that correlation, whichever two outputs are compared: a document's own
part and the rest have it alike."""

Record = Callable[[str, object], None]


def held(documents: int, simulations: int, resamples: int) -> dict[str, float]:
    """The share of simulations whose interval holds the truth."""
    hits = dict.fromkeys(TRUTH, 0)
    mixed = np.array([[1.0, 0.0], [CORRELATION, math.sqrt(1 - CORRELATION**2)]])
    own = np.repeat(np.arange(documents), OUTPUTS)
    for number in range(simulations):
        generator = np.random.default_rng([documents, number])
        shared = mixed @ generator.normal(size=(2, documents))
        alone = mixed @ generator.normal(size=(2, len(own)))
        metric, people = math.sqrt(ALIKE) * shared[:, own] + math.sqrt(1 - ALIKE) * alone
        drawn = Drawn.of(documents, Resampling(resamples=resamples, seed=number))
        made = correlate(metric[None], people, own, drawn)
        for one, truth in TRUTH.items():
            interval = interval_from(made[one][:, 0], documents, drawn.how)
            assert interval is not None
            hits[one] += interval.low <= truth <= interval.high
    return {one.value: count / simulations for one, count in hits.items()}


@pytest.mark.long
def test_most_intervals_hold_the_truth() -> None:
    # Four standard deviations of what is counted in so few.
    shares = held(40, SMALL, 200)
    assert min(shares.values()) >= 0.93 - 4 * np.sqrt(0.93 * 0.07 / SMALL), shares


@pytest.mark.soak
@pytest.mark.parametrize("documents", [10, 20, 30, 60, 100])
def test_soak_coverage_of_the_intervals_of_trust(documents: int, record_property: Record) -> None:
    shares = held(documents, SIMULATIONS, 500)
    for name, share in shares.items():
        record_property(name, share)
    if documents >= ENOUGH:
        assert all(0.93 <= share <= 0.97 for share in shares.values()), shares
    else:
        # Not worse than is told beside them, by two standard deviations of what is counted.
        wanted = coverage(documents)
        assert wanted is not None
        assert all(wanted - 0.017 <= share <= 0.98 for share in shares.values()), shares
