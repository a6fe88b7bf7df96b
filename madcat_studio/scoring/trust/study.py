"""All metrics against what people said: of segments, documents and systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from madcat_studio.progress import SILENT, Progress
from madcat_studio.scoring.resampling import Interval, Resampling, holm
from madcat_studio.scoring.trust.accuracy import SegmentPairs, system_accuracy
from madcat_studio.scoring.trust.correlation import Coefficient, averaged, correlate
from madcat_studio.scoring.trust.drawing import Drawn, interval_from, told_apart
from madcat_studio.scoring.trust.metrics import Metric
from madcat_studio.scoring.trust.permutation import permutation_of_both
from madcat_studio.scoring.trust.williams import williams

__all__ = [
    "FEWEST_SYSTEMS",
    "Compared",
    "Estimate",
    "Grouping",
    "Level",
    "Study",
    "Units",
    "study",
]

FEWEST_SYSTEMS = 3
"""Of fewer there is one pair or none: nothing to correlate, and no share of pairs."""

_FEWEST_SEGMENTS = 3
"""Of a system or a group, for a coefficient: two points always lie on a line."""

_Numbers = NDArray[np.float64]
_Places = NDArray[np.intp]


class Level(StrEnum):
    """What is scored as one."""

    SEGMENT = "segment"
    DOCUMENT = "document"
    SYSTEM = "system"


class Grouping(StrEnum):
    """What a coefficient compares with each other."""

    ALL = "over all"
    SYSTEM = "within systems"
    ITEM = "within segments"


@dataclass(frozen=True, slots=True)
class Units:
    """The segments' outputs that are looked at, by numbers.

    Attributes:
        systems: the system of each; ``documents``: the source document, which is drawn;
            ``pages``: the document that it is scored in; ``segments``: the segment, whatever the
            system.
    """

    systems: _Places
    documents: _Places
    pages: _Places
    segments: _Places


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient or an accuracy of one metric.

    Attributes:
        value: None where there is none: a column is constant, or there is too little.
        interval: None where there is none.
        units: over how many units it is.
    """

    value: float | None
    interval: Interval | None
    units: int


@dataclass(frozen=True, slots=True)
class Compared:
    """Two metrics, by their numbers.

    Attributes:
        pearson: the difference of both Pearson's r over all segments.
        p_both: by the permutation of both; ``p_holm``: the same, corrected over all pairs.
        p_williams: by Williams' test.
        kendall: the difference of both tau-b over all segments.
        p_bootstrap: of that, by the paired bootstrap.
    """

    first: int
    second: int
    pearson: Estimate
    p_both: float | None
    p_holm: float | None
    p_williams: float | None
    kendall: Estimate
    p_bootstrap: float | None


@dataclass(frozen=True, slots=True)
class Study:
    """What was found.

    Attributes:
        coefficients: (level, grouping, coefficient) -> one estimate for each metric.
        accuracies: of each metric within segments; ``thresholds``: its threshold for equal scores.
        system_accuracies: of each metric; empty with fewer than three systems.
        groups: (kind, name) -> tau-b over all of its segments, for each metric.
        compared: each two metrics.
        people: of each system, turned so that more is worse; ``systems``: of each metric and
            system, likewise.
        pairs: of outputs of one segment.
    """

    coefficients: Mapping[tuple[Level, Grouping, Coefficient], Sequence[Estimate]]
    accuracies: Sequence[Estimate]
    thresholds: Sequence[float | None]
    system_accuracies: Sequence[Estimate]
    groups: Mapping[tuple[str, str], Sequence[Estimate]]
    compared: Sequence[Compared]
    people: _Numbers
    systems: _Numbers
    pairs: int


@dataclass(slots=True)
class _Work:
    """What each step needs, and how far the work is."""

    metrics: Sequence[Metric]
    people: Metric
    units: Units
    drawn: Drawn
    progress: Progress
    steps: int
    done: int = field(default=0)

    def step(self, what: str) -> None:
        self.progress.advance(self.done, self.steps, what)
        self.done += 1

    def estimates(self, made: _Numbers, units: int) -> list[Estimate]:
        documents = self.drawn.times.shape[1]
        return [
            Estimate(
                float(column[0]) if np.isfinite(column[0]) else None,
                interval_from(column, documents, self.drawn.how),
                units,
            )
            for column in made.T
        ]


def study(
    metrics: Sequence[Metric],
    people: Metric,
    units: Units,
    groups: Mapping[str, Sequence[str]],
    how: Resampling = Resampling(),
    progress: Progress = SILENT,
) -> Study:
    """Hold metrics against what people said.

    Args:
        metrics: each with one row for each segment's output, all with a score.
        people: likewise.
        units: whose output of which segment each row is.
        groups: kind, such as ``genre`` -> the name of each row's group.
        how: documents are drawn, and scores swapped.
        progress: may cancel.

    Raises:
        Cancelled: ``progress`` said so.
    """
    drawn = Drawn.of(int(units.documents.max()) + 1, how)
    work = _Work(metrics, people, units, drawn, progress, 6 + len(groups))
    said = people.oriented(people.segments())
    values = np.stack([metric.oriented(metric.segments()) for metric in metrics])
    work.step("Segments over all")
    whole = correlate(values, said, units.documents, drawn, progress=progress)
    found = {
        (Level.SEGMENT, Grouping.ALL, one): work.estimates(made, len(said))
        for one, made in whole.items()
    }
    work.step("Segments within systems")
    found |= _within(work, Level.SEGMENT, values, said, units.systems, units.documents)
    work.step("Documents")
    found |= _documents(work)
    work.step("Outputs of one segment")
    pairs, accuracies, thresholds = _accuracies(work, values, said)
    work.step("Systems")
    of_people, of_metrics, by_system = _systems(work)
    found |= by_system
    few = len(of_people[0]) < FEWEST_SYSTEMS
    right = [] if few else [system_accuracy(one, of_people)[:, None] for one in of_metrics]
    by_group: dict[tuple[str, str], list[Estimate]] = {}
    for kind, names in groups.items():
        work.step(f"By {kind}")
        by_group |= _grouped(work, kind, names, values, said)
    work.step("Comparing metrics")
    compared = _compared(work, values, said, whole)
    return Study(
        coefficients=found,
        accuracies=accuracies,
        thresholds=thresholds,
        system_accuracies=[work.estimates(one, len(of_people[0]))[0] for one in right],
        groups=by_group,
        compared=compared,
        people=of_people[0],
        systems=np.stack([one[0] for one in of_metrics]),
        pairs=pairs,
    )


def _within(
    work: _Work,
    level: Level,
    values: _Numbers,
    said: _Numbers,
    systems: _Places,
    documents: _Places,
) -> dict[tuple[Level, Grouping, Coefficient], list[Estimate]]:
    """The mean of the systems' own coefficients."""
    parts: dict[Coefficient, list[_Numbers]] = {one: [] for one in Coefficient}
    units = 0
    for system in range(int(systems.max()) + 1):
        own = systems == system
        if own.sum() < _FEWEST_SEGMENTS:
            continue
        units += int(own.sum())
        made = correlate(
            values[:, own], said[own], documents[own], work.drawn, progress=work.progress
        )
        for one, part in made.items():
            parts[one].append(part)
    return {
        (level, Grouping.SYSTEM, one): work.estimates(mean, units)
        for one, own_parts in parts.items()
        if (mean := averaged(iter(own_parts))[0]) is not None
    }


def _documents(work: _Work) -> dict[tuple[Level, Grouping, Coefficient], list[Estimate]]:
    """Each system's output of a document as one, from sums."""
    units = work.units
    pages = int(units.pages.max()) + 1
    cells, first, own = np.unique(
        units.systems * pages + units.pages, return_index=True, return_inverse=True
    )

    def scores(metric: Metric) -> _Numbers:
        return metric.oriented(metric.scores(metric.added(own, len(cells))))

    said = scores(work.people)
    values = np.stack([scores(metric) for metric in work.metrics])
    # A rate of edits over no words is none: nothing to hold against another.
    known = np.isfinite(said) & np.isfinite(values).all(axis=0)
    said, values, first = said[known], values[:, known], first[known]
    if len(said) < _FEWEST_SEGMENTS:
        return {}
    documents = units.documents[first]
    whole = correlate(values, said, documents, work.drawn, progress=work.progress)
    found = {
        (Level.DOCUMENT, Grouping.ALL, one): work.estimates(made, len(said))
        for one, made in whole.items()
    }
    return found | _within(work, Level.DOCUMENT, values, said, units.systems[first], documents)


def _accuracies(
    work: _Work, values: _Numbers, said: _Numbers
) -> tuple[int, list[Estimate], list[float | None]]:
    """How often a metric is right about two outputs of one segment; ties calibrated once."""
    pairs = SegmentPairs(work.units.segments, said)
    estimates: list[Estimate] = []
    thresholds: list[float | None] = []
    of_segment = np.zeros(int(work.units.segments.max()) + 1, np.intp)
    of_segment[work.units.segments] = work.units.documents
    documents = of_segment[pairs.segments]
    count = work.drawn.times.shape[1]
    for row in values:
        made = pairs.calibrated(row) if np.ptp(row) > 0 else None
        if made is None:
            estimates.append(Estimate(None, None, len(pairs)))
            thresholds.append(None)
            continue
        right = work.drawn.times @ np.bincount(documents, made.of_segments, count)
        there = work.drawn.times @ np.bincount(documents, minlength=count).astype(np.float64)
        shares = np.divide(right, there, out=np.full(len(there), np.nan), where=there > 0)
        estimates += work.estimates(shares[:, None], len(pairs))
        thresholds.append(made.threshold)
    return len(pairs), estimates, thresholds


def _systems(
    work: _Work,
) -> tuple[_Numbers, list[_Numbers], dict[tuple[Level, Grouping, Coefficient], list[Estimate]]]:
    """What each system got in each resample, from people and from each metric."""
    units, times = work.units, work.drawn.times
    systems, documents = int(units.systems.max()) + 1, times.shape[1]
    cells = units.systems * documents + units.documents

    def scores(metric: Metric) -> _Numbers:
        sums = metric.added(cells, systems * documents).reshape(systems, documents, -1)
        drawn = np.stack([times @ own for own in sums], axis=1)
        return metric.oriented(metric.scores(drawn))

    of_people, of_metrics = scores(work.people), [scores(metric) for metric in work.metrics]
    if systems < FEWEST_SYSTEMS:
        return of_people, of_metrics, {}
    found: dict[tuple[Level, Grouping, Coefficient], list[Estimate]] = {}
    of_one = np.arange(systems)
    for one in Coefficient:
        made = np.full((len(times), len(of_metrics)), np.nan)
        for row in range(len(times)):
            own = np.stack([metric[row] for metric in of_metrics])
            if np.isfinite(own).all() and np.isfinite(of_people[row]).all():
                once = Drawn(np.ones((1, systems)), work.drawn.how)
                made[row] = correlate(own, of_people[row], of_one, once, (one,))[one][0]
        found[Level.SYSTEM, Grouping.ALL, one] = work.estimates(made, systems)
    return of_people, of_metrics, found


def _grouped(
    work: _Work, kind: str, names: Sequence[str], values: _Numbers, said: _Numbers
) -> dict[tuple[str, str], list[Estimate]]:
    """Tau-b of each group's segments."""
    own_names, own = np.unique(np.asarray(names, dtype=object).astype(str), return_inverse=True)
    found = {}
    for place, name in enumerate(own_names):
        rows = own == place
        if rows.sum() < _FEWEST_SEGMENTS:
            continue
        made = correlate(
            values[:, rows],
            said[rows],
            work.units.documents[rows],
            work.drawn,
            (Coefficient.KENDALL,),
            work.progress,
        )
        found[kind, str(name)] = work.estimates(made[Coefficient.KENDALL], int(rows.sum()))
    return found


def _compared(
    work: _Work,
    values: _Numbers,
    said: _Numbers,
    whole: Mapping[Coefficient, _Numbers],
) -> list[Compared]:
    """Each two metrics over all segments."""
    pairs = list(combinations(range(len(values)), 2))
    swapped = permutation_of_both(
        values, said, work.units.systems, work.units.documents, pairs, work.drawn.how
    )
    known = [p for p in swapped if p is not None]
    corrected = iter(holm(known))
    pearson, kendall = whole[Coefficient.PEARSON], whole[Coefficient.KENDALL]
    found = []
    for (first, second), p in zip(pairs, swapped, strict=True):
        of_both = [one[:, first] - one[:, second] for one in (pearson, kendall)]
        r, tau = (work.estimates(one[:, None], len(said))[0] for one in of_both)
        seen = pearson[0, first], pearson[0, second]
        between = None
        if np.isfinite(seen).all():
            between = float(np.corrcoef(values[first], values[second])[0, 1])
        found.append(
            Compared(
                first,
                second,
                pearson=r,
                p_both=p,
                p_holm=None if p is None else next(corrected),
                p_williams=None
                if between is None
                else williams(float(seen[0]), float(seen[1]), between, len(said)),
                kendall=tau,
                p_bootstrap=told_apart(of_both[1]),
            )
        )
    return found
