"""How many documents tell two systems apart, by simulation from documents that were measured.

A simulated evaluation draws source documents from a pilot, gives one system so many points more of
HTER, and asks the report's own test (approximate randomisation) whether they are told apart. The
share of simulations in which they are is the power.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from madcat_studio.errors import InputError
from madcat_studio.scoring.resampling import randomisation_p

__all__ = ["FEWEST_DOCUMENTS", "MOST_DOCUMENTS", "Pilot", "Power", "documents_needed", "power_at"]

FEWEST_DOCUMENTS = 3
"""Source documents of a pilot that say anything of how documents vary."""

MOST_DOCUMENTS = 5000
SIMULATIONS = 500
_SWAPS = 400  # of each simulated test
_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Pilot:
    """What was measured on each source document.

    Attributes:
        edits, words: of each source document.
        other: the same of a second system on the same documents; None: there was no second, and
            two systems are taken to find different documents hard, which asks for more of them.
    """

    edits: NDArray[np.float64]
    words: NDArray[np.float64]
    other: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None

    @property
    def documents(self) -> int:
        """How many."""
        return int(self.edits.size)

    @property
    def rate(self) -> float:
        """The first system's HTER."""
        return float(self.edits.sum() / self.words.sum())

    @property
    def spread(self) -> float:
        """The standard deviation of the documents' HTER."""
        return float(np.std(self.edits / self.words, ddof=1))


@dataclass(frozen=True, slots=True)
class Power:
    """How often so many documents tell the systems apart.

    Attributes:
        power: of so many simulations; ``low`` to ``high`` is its own 95 % interval.
    """

    documents: int
    power: float
    low: float
    high: float
    simulations: int


def power_at(
    pilot: Pilot,
    documents: int,
    difference: float,
    *,
    pairs: int = 1,
    simulations: int = SIMULATIONS,
    seed: int = 1,
) -> Power:
    """The power of an evaluation of so many source documents.

    Args:
        pilot: from which they are drawn.
        documents: how many.
        difference: of the two systems' HTER, as a fraction: 0.02 are 2 points.
        pairs: of systems that are compared: as Holm's correction does at its hardest, each is
            held against a level divided by their number.
        simulations: how many.
        seed: the same seed gives the same power.
    """
    from scipy.stats import binomtest

    generator = np.random.default_rng([seed, documents])
    level = _LEVEL / pairs
    found = 0
    for number in range(simulations):
        drawn = generator.integers(0, pilot.documents, documents)
        first = pilot.edits[drawn], pilot.words[drawn]
        second = _second(pilot, drawn, generator, difference)
        swaps = max(_SWAPS, int(4 / level))
        found += randomisation_p(first, second, swaps, seed + number) <= level
    interval = binomtest(found, simulations).proportion_ci(method="wilson")
    return Power(
        documents, found / simulations, float(interval.low), float(interval.high), simulations
    )


def _second(
    pilot: Pilot, drawn: NDArray[np.int64], generator: np.random.Generator, difference: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The other system on the drawn documents, so many points worse than the first."""
    if pilot.other is None:
        words = pilot.words[drawn]
        elsewhere = generator.integers(0, pilot.documents, drawn.size)
        rates = pilot.edits[elsewhere] / pilot.words[elsewhere]
        # On average over what can be drawn it is the first's rate, whatever documents are long.
        even = float(np.mean(pilot.edits / pilot.words))
        return (rates - even + pilot.rate + difference) * words, words
    edits, words = pilot.other
    own = float(edits.sum() / words.sum())
    return edits[drawn] + (pilot.rate - own + difference) * words[drawn], words[drawn]


def documents_needed(
    pilot: Pilot,
    difference: float,
    *,
    wanted: float = 0.8,
    pairs: int = 1,
    simulations: int = SIMULATIONS,
    seed: int = 1,
    look: Callable[[Power], None] = lambda _: None,
) -> Power | None:
    """The fewest source documents whose power is what is wanted; None: more than can be had.

    Args:
        pilot, difference, pairs, simulations, seed: as for :func:`power_at`.
        wanted: the power, such as 0.8.
        look: told of each number that was tried.

    Raises:
        InputError: ``power.pilot``: too few documents, or such that do not vary.
            ``power.difference``: no difference.
    """
    if pilot.documents < FEWEST_DOCUMENTS or not (pilot.words > 0).all():
        raise InputError(
            "power.pilot",
            f"{pilot.documents} source documents do not show how much documents vary",
            remedy=f"Have at least {FEWEST_DOCUMENTS} edited, better 20",
        )
    if not 0 < difference < 1:
        raise InputError(
            "power.difference",
            f"{difference * 100:g} points cannot be a difference between systems",
            remedy="Give more than 0 and less than 100 points of HTER",
        )

    def at(documents: int) -> Power:
        power = power_at(
            pilot, documents, difference, pairs=pairs, simulations=simulations, seed=seed
        )
        look(power)
        return power

    # Fewer cannot be told apart by the test at all, however they differ.
    low = int(np.ceil(1 - np.log2(_LEVEL / pairs)))
    best = at(low)
    if best.power >= wanted:
        return best
    high = low
    while best.power < wanted:
        if high >= MOST_DOCUMENTS:
            return None
        low, high = high, min(MOST_DOCUMENTS, high * 2)
        best = at(high)
    while high - low > max(1, high // 40):
        middle = (low + high) // 2
        power = at(middle)
        if power.power >= wanted:
            high, best = middle, power
        else:
            low = middle
    return best
