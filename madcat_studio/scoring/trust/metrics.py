"""A metric as sums: what it gives for a segment, a document and a system comes from the same rows.

A document's TER is its edits over its words and no mean of rates, its BLEU is that of its n-grams;
where only scores of segments are known, it is their mean.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from madcat_studio.scoring.scorecards.rosetta_counts import chrf

__all__ = ["Bleu", "Chrf", "Length", "Mean", "Metric", "Rate"]

_Numbers = NDArray[np.float64]


class Metric(ABC):
    """A metric with what it counted of each segment's output.

    Attributes:
        name: as tables show it.
        sums: (segments, numbers): rows of a document or a system are added up.
        lower: whether less is better.
        percent: whether it is a rate, shown in percent.
    """

    lower = False
    percent = False

    def __init__(self, name: str, sums: ArrayLike) -> None:
        self.name = name
        self.sums: _Numbers = np.asarray(sums, np.float64)

    @abstractmethod
    def scores(self, sums: _Numbers) -> _Numbers:
        """The score of each row of sums, over the last axis; nan where there is none."""

    def segments(self) -> _Numbers:
        """The score of each segment."""
        return self.scores(self.sums)

    def kept(self, rows: NDArray[np.bool_]) -> None:
        """Leave out the other segments."""
        self.sums = self.sums[rows]

    def added(self, groups: NDArray[np.intp], count: int) -> _Numbers:
        """The sums of each group of segments: (groups, numbers)."""
        return np.stack([np.bincount(groups, part, count) for part in self.sums.T], axis=1)

    def oriented(self, scores: _Numbers) -> _Numbers:
        """The scores so that more is worse, as it is of HTER."""
        return scores if self.lower else -scores


class Rate(Metric):
    """Edits over words: HTER, TER, WER."""

    lower = percent = True

    def scores(self, sums: _Numbers) -> _Numbers:
        """Edits over words; nothing over nothing is 0, edits over no words are no rate."""
        edits, words = sums[..., 0], sums[..., 1]
        rates = _ratio(edits, words)
        rates[(words <= 0) & (edits <= 0)] = 0.0
        return rates


class Length(Metric):
    """How far an output's words over the reference's words are from 1."""

    lower = percent = True

    def scores(self, sums: _Numbers) -> _Numbers:
        """The distance of the ratio from 1."""
        own, words = sums[..., 0], sums[..., 1]
        return np.abs(_ratio(own, words) - 1)


class Mean(Metric):
    """Scores that were brought in: of more than one segment their mean."""

    def __init__(self, name: str, values: ArrayLike, *, lower: bool = False) -> None:
        column = np.asarray(values, np.float64)
        super().__init__(name, np.stack([column, np.ones(len(column))], axis=1))
        self.lower = lower

    def scores(self, sums: _Numbers) -> _Numbers:
        """The mean."""
        total, count = sums[..., 0], sums[..., 1]
        return _ratio(total, count)


class Chrf(Metric):
    """sacrebleu's chrF++ from its counts of 6 + 2 orders."""

    def scores(self, sums: _Numbers) -> _Numbers:
        """chrF++ of each row."""
        return chrf(sums.reshape(-1, sums.shape[-1])).reshape(sums.shape[:-1])


class Bleu(Metric):
    """sacrebleu's BLEU from matches and n-grams of four orders and both lengths."""

    def scores(self, sums: _Numbers) -> _Numbers:
        """BLEU as of a corpus, each row of sums being one."""
        return _bleu(sums, effective_order=False)

    def segments(self) -> _Numbers:
        """BLEU of single sentences, of the orders that they have."""
        return _bleu(self.sums, effective_order=True)


def _ratio(one: _Numbers, other: _Numbers) -> _Numbers:
    """One over the other; nan where there is nothing to divide by."""
    return np.asarray(np.divide(one, other, out=np.full(other.shape, np.nan), where=other > 0))


def _bleu(sums: _Numbers, *, effective_order: bool) -> _Numbers:
    from sacrebleu.metrics.bleu import BLEU

    rows = sums.reshape(-1, sums.shape[-1]).astype(np.int64).tolist()
    how: dict[str, Any] = {
        "smooth_method": "exp",
        "effective_order": effective_order,
    }  # as its metric by default
    scores = [BLEU.compute_bleu(row[:4], row[4:8], row[8], row[9], **how).score for row in rows]
    return np.array(scores, dtype=np.float64).reshape(sums.shape[:-1])
