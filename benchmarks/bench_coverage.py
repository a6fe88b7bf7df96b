"""How often the intervals of a report hold the true value, on made data with known truth.

    python benchmarks/bench_coverage.py [SIMULATIONS [SEED]]

Documents of a system are drawn whose difficulty, length and edits vary as those of a campaign do;
two systems share the documents. For each number of documents it is counted in how many of
SIMULATIONS (4,000) the 95 % interval of the first system's rate, and that of the difference of
both, holds the truth. From 30 documents on it must be 93 to 97 %; the exit status is 1 where it is
not. What comes out below 30 is what reports print beside such intervals (``coverage``).
"""

from __future__ import annotations

import sys

import numpy as np

from madcat_studio.scoring.resampling import ENOUGH, Resampling, coverage, difference_interval
from madcat_studio.scoring.resampling import interval as interval_of

TRUTH = (0.25, 0.22)
"""The two systems' rates."""

DOCUMENTS = (2, 3, 5, 10, 15, 20, 30, 40, 60, 100)
Sides = tuple[np.ndarray, np.ndarray]


def made(documents: int, generator: np.random.Generator) -> tuple[Sides, Sides]:
    """Edits and words of two systems on the same documents.

    The standard deviation of a document's rate is about 45 % of it, 35 of which are the document's
    own difficulty; documents have 100 to 300 words.
    """
    words = generator.integers(100, 300, documents)
    hard = generator.gamma(8, 1 / 8, documents)
    sides = []
    for truth in TRUTH:
        rates = truth * hard * generator.gamma(16, 1 / 16, documents)
        sides.append((generator.poisson(rates * words), words))
    return sides[0], sides[1]


def covered(documents: int, simulations: int, seed: int) -> tuple[float, float]:
    """The share of simulations whose interval holds the truth: of a rate, of a difference."""
    generator = np.random.default_rng([seed, documents])
    hits = [0, 0]
    for number in range(simulations):
        first, second = made(documents, generator)
        how = Resampling(seed=number)
        rate = interval_of(*first, how)
        difference = difference_interval(first, second, how)
        assert rate is not None
        assert difference is not None
        hits[0] += rate.low <= TRUTH[0] <= rate.high
        hits[1] += difference.low <= TRUTH[0] - TRUTH[1] <= difference.high
    return hits[0] / simulations, hits[1] / simulations


def main() -> int:
    simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    broken = False
    for documents in DOCUMENTS:
        rate, difference = covered(documents, simulations, seed)
        told = coverage(documents)
        said = f", told {told:.0%}" if told is not None else ""
        print(
            f"{documents:>4} documents: rate {rate:.1%}, difference {difference:.1%}{said}",
            flush=True,
        )
        if documents >= ENOUGH:
            broken |= not all(0.93 <= one <= 0.97 for one in (rate, difference))
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
