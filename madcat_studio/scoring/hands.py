"""What a scribe's hand does to scores: each against the others on the same passages.

Two scribes can be compared where both have copied a passage and a system has read both copies. What
a scribe's copies would score if others had written them is the others' rate on each of these
passages, over the scribe's own words; the difference to what they did score is the hand's.
Intervals resample passages, with all that is of one of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from madcat_studio.scoring.resampling import Resampling, percentiles

__all__ = ["FEWEST", "CopyScore", "Hand", "compare_hands"]

FEWEST = 3
"""Passages below which no interval is given."""


class CopyScore(NamedTuple):
    """What a system's output of a scribe's copy of a passage scored."""

    system: str
    passage: str
    scribe: str
    edits: float
    words: float


class Hand(NamedTuple):
    """A scribe against the others.

    Attributes:
        copies: of passages that another scribe has copied, for each system; ``passages``: of these.
        rate: of the own copies; ``others``: of the others', weighted as the own.
        difference: the one less the other; ``low``, ``high``: its interval, None of few passages.
    """

    scribe: str
    copies: int
    passages: int
    rate: float
    others: float
    difference: float
    low: float | None
    high: float | None


def compare_hands(scores: Iterable[CopyScore], how: Resampling = Resampling()) -> list[Hand]:
    """Each scribe who has passages in common with another, from the best hand to the worst."""
    shared: dict[tuple[str, str], list[CopyScore]] = defaultdict(list)
    for one in scores:
        if one.words > 0:
            shared[one.system, one.passage].append(one)
    own: dict[str, list[tuple[str, CopyScore, float]]] = defaultdict(list)
    for (_, passage), copies in shared.items():
        for one in copies:
            others = [other for other in copies if other.scribe != one.scribe]
            if others:
                rate = sum(other.edits for other in others) / sum(other.words for other in others)
                own[one.scribe].append((passage, one, rate * one.words))
    found = [_hand(scribe, rows, how) for scribe, rows in own.items()]
    return sorted(found, key=lambda one: (one.difference, one.scribe))


def _hand(scribe: str, rows: list[tuple[str, CopyScore, float]], how: Resampling) -> Hand:
    places = {name: place for place, name in enumerate(dict.fromkeys(row[0] for row in rows))}
    sums = np.zeros((3, len(places)))
    for passage, one, expected in rows:
        sums[:, places[passage]] += one.edits, expected, one.words
    edits, expected_edits, words = sums.sum(axis=1).tolist()
    low = high = None
    if len(places) >= FEWEST:
        generator = np.random.default_rng(how.seed)
        times = generator.multinomial(
            len(places), np.full(len(places), 1 / len(places)), size=how.resamples
        )
        drawn = times @ sums.T
        low, high = percentiles((drawn[:, 0] - drawn[:, 1]) / drawn[:, 2], how.level, len(places))
    rate, others = edits / words, expected_edits / words
    return Hand(scribe, len(rows), len(places), rate, others, rate - others, low, high)
