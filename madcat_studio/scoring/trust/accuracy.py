"""How often a metric puts two outputs in the order in which people put them.

Of the outputs of one segment (Deutsch, Foster and Freitag, "Ties Matter: Meta-Evaluating Modern
Metrics with Pairwise Accuracy and Tie Calibration", EMNLP 2023): a pair is right where both say the
same, that the outputs are equal included. A metric hardly ever gives equal scores, so two scores
count as equal that differ by no more than a threshold; each metric has the one that suits it best.

Of systems (Kocmi et al., "To Ship or Not to Ship", WMT 2021): of the pairs that people tell apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Calibrated", "SegmentPairs", "system_accuracy"]

_Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Calibrated:
    """How often a metric is right about outputs of one segment.

    Attributes:
        threshold: scores that differ by no more than this count as equal.
        accuracy: the mean over segments of the share of right pairs.
        of_segments: that share of each segment that has pairs.
    """

    threshold: float
    accuracy: float
    of_segments: _Numbers


class SegmentPairs:
    """The pairs of outputs of each segment, and what people say of them."""

    def __init__(self, segments: ArrayLike, people: ArrayLike) -> None:
        """Pair the outputs of each segment.

        Args:
            segments: the number of the segment that each output is of.
            people: what they said of each output.
        """
        numbers = np.asarray(segments, np.intp)
        said = np.asarray(people, np.float64)
        order = np.argsort(numbers, kind="stable")
        sorted_ = numbers[order]
        firsts: list[NDArray[np.intp]] = []
        seconds: list[NDArray[np.intp]] = []
        # Those that stand 1, 2, … places apart in the order and are of one segment.
        for apart in range(1, len(order)):
            (near,) = np.nonzero(sorted_[apart:] == sorted_[:-apart])
            if not len(near):
                break
            firsts.append(order[near])
            seconds.append(order[near + apart])
        nothing = np.empty(0, np.intp)
        self._first = np.concatenate(firsts) if firsts else nothing
        self._second = np.concatenate(seconds) if seconds else nothing
        there, own = np.unique(numbers[self._first], return_inverse=True)
        self.segments: NDArray[np.intp] = there
        """Those that have pairs, in order."""
        self._own = own
        self._weights = 1.0 / np.bincount(own)[own] if len(own) else np.empty(0)
        self._said = np.sign(said[self._first] - said[self._second])

    def __len__(self) -> int:
        return len(self._first)

    def calibrated(self, metric: ArrayLike) -> Calibrated | None:
        """A metric under the threshold that suits it best; None without pairs.

        Args:
            metric: a score for each output; what is larger for one is larger for people too.
        """
        if not len(self):
            return None
        values = np.asarray(metric, np.float64)
        differences = values[self._first] - values[self._second]
        distances = np.abs(differences)
        equal = self._said == 0
        same = (np.sign(differences) == self._said) & ~equal
        order = np.argsort(distances, kind="stable")
        ordered = distances[order]
        # With each pair that the threshold takes in, a right order is lost or an equality won.
        change = (self._weights * (equal.astype(np.float64) - same))[order]
        last = np.append(np.nonzero(np.diff(ordered))[0], len(ordered) - 1)
        thresholds, won = ordered[last], np.cumsum(change)[last]
        if thresholds[0] > 0:
            thresholds, won = np.append(0.0, thresholds), np.append(0.0, won)
        # The sums of other orders differ in the last digits: of equal ones the lowest is taken.
        best = int(np.nonzero(won >= won.max() - 1e-9)[0][0])
        threshold = float(thresholds[best])
        tied = distances <= threshold
        right = np.where(tied, equal, same)
        of_segments = np.asarray(np.bincount(self._own, right * self._weights), np.float64)
        return Calibrated(threshold, float(of_segments.mean()), of_segments)


def system_accuracy(metric: ArrayLike, people: ArrayLike) -> _Numbers:
    """The share of pairs of systems that a metric puts in the order in which people put them.

    Args:
        metric, people: (resamples, systems) each; what is larger for one is larger for the other.

    Returns:
        One value for each resample; nan where people tell no two systems apart.
    """
    one, other = np.asarray(metric, np.float64), np.asarray(people, np.float64)
    first, second = np.triu_indices(one.shape[1], 1)
    said = np.sign(other[:, first] - other[:, second])
    given = np.sign(one[:, first] - one[:, second])
    apart = said != 0
    counts = apart.sum(axis=1)
    right = ((said == given) & apart).sum(axis=1)
    return np.asarray(np.divide(right, counts, out=np.full(len(one), np.nan), where=counts > 0))
