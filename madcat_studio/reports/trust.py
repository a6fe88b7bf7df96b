"""The report on which metric may be trusted: tables, plots, and the segments behind the points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from madcat_studio.reports.cards import CardReport, Drawing, Exhibit, Figure, PlotRow
from madcat_studio.reports.scatter import SERIES, Axis, Dot, scatter_plot
from madcat_studio.reports.significance import few_documents
from madcat_studio.reports.table import Cell, CellKind, Column, Table, number_of
from madcat_studio.scoring.resampling import Resampling
from madcat_studio.scoring.trust.correlation import Coefficient
from madcat_studio.scoring.trust.metrics import Metric
from madcat_studio.scoring.trust.study import (
    FEWEST_SYSTEMS,
    Compared,
    Estimate,
    Grouping,
    Level,
    Study,
)

__all__ = ["Point", "Told", "chosen_points", "order_of", "trust_report"]

MOST_POINTS = 500
"""In the plots: more lie over one another, and each brings its texts along."""

_LISTED = 8
"""Segments of each metric about which it and people differ most."""

_Numbers = NDArray[np.float64]
_MAIN = Level.SEGMENT, Grouping.ALL, Coefficient.KENDALL


@dataclass(frozen=True, slots=True)
class Point:
    """An output in the plots, with its texts."""

    row: int
    system: str
    document: str
    segment: str
    kit: str
    genre: str
    scribe: str
    output: str
    final: str
    reference: str


@dataclass(frozen=True, slots=True)
class Told:
    """What the report is made of, beside the study.

    Attributes:
        title: the campaign's name.
        people: by what is judged, such as HTER.
        metrics: in the study's order.
        systems: in the study's order.
        documents: source documents that are drawn.
        scores: (metrics, outputs) as they are shown; ``said``: (outputs,) likewise.
        points: that are drawn and listed.
        pictures: (document, segment) -> handwriting as a ``data:`` address.
    """

    title: str
    made: str
    people: Metric
    metrics: Sequence[Metric]
    systems: Sequence[str]
    documents: int
    scores: _Numbers
    said: _Numbers
    points: Sequence[Point]
    pictures: Mapping[tuple[str, str], str]


def order_of(study: Study) -> list[int]:
    """The metrics from the most to the least trustworthy by tau-b over all segments."""
    values = [one.value for one in study.coefficients[_MAIN]]
    return sorted(range(len(values)), key=lambda at: (values[at] is None, -(values[at] or 0.0)))


def chosen_points(scores: _Numbers, said: _Numbers, seed: int) -> tuple[list[int], list[list[int]]]:
    """Which outputs are drawn: those that each metric and people differ about most, and others.

    Args:
        scores: (metrics, outputs), oriented as people's.
        said: (outputs,).
        seed: of the others, which are a random sample.

    Returns:
        The rows of all, in order; for each metric the rows of those that differ most.
    """
    ranks = _ranks(said)
    differing = [
        np.argsort(-np.abs(_ranks(row) - ranks), kind="stable")[:_LISTED].tolist()
        if np.ptp(row) > 0
        else []
        for row in scores
    ]
    wanted = {row for rows in differing for row in rows}
    shuffled = np.random.default_rng(seed).permutation(len(said)).tolist()
    for row in shuffled:
        if len(wanted) >= MOST_POINTS:
            break
        wanted.add(row)
    return sorted(wanted), differing


def _ranks(values: _Numbers) -> _Numbers:
    """The share of outputs that are no worse, those that are equal in the middle."""
    from scipy.stats import rankdata

    return np.asarray((rankdata(values) - 0.5) / len(values))


def trust_report(
    study: Study,
    told: Told,
    differing: Sequence[Sequence[int]],
    *,
    warnings: Sequence[str],
    signatures: Mapping[str, str],
    hashes: Mapping[str, str],
    settings: Resampling,
) -> CardReport:
    """The report, for every form that reports have."""
    order = order_of(study)
    tables = [
        _metrics_table(study, told, order),
        _comparisons_table(study, told, order),
        _systems_table(study, told, order),
        _otherwise_table(study, told, order),
        _groups_table(study, told, order),
        _coefficients_table(study, told, order),
        _differing_table(told, differing, order),
        _points_table(told, order),
    ]
    plot = _plot(study, told, order)
    low = min([0.0, *(row.low if row.low is not None else row.point for row in plot)])
    return CardReport(
        title=told.title,
        kind="Trust of metrics",
        schema="trust",
        made=told.made,
        signatures=dict(signatures),
        hashes=dict(hashes),
        warnings=(*warnings, *_warnings(study, told)),
        notes=_notes(study, told, settings),
        tables=tuple(table for table in tables if table.count() or table.name == "otherwise"),
        result={},
        figures=_figures(study, told, order),
        plot=plot,
        plot_range=(round(float(np.floor(low * 5)) / 5, 1), 1.0),
        plot_title=f"Kendall's tau-b with {told.people.name} over all segments, 95 % intervals",
        drawings=_drawings(told, order),
        exhibits=_exhibits(told, order),
    )


# -- what is said in sentences ---------------------------------------------------------------------


def _notes(study: Study, told: Told, settings: Resampling) -> tuple[str, ...]:
    people = told.people.name
    return (
        f"Each metric is held against {people} on the same "
        f"{number_of(len(told.said), 'output')} of segments. Every coefficient is turned so that 1 "
        f"means: the metric says what {people} says, whether more is better by it or worse.",
        "A document's or a system's score comes from sums (edits and words, n-grams), of scores "
        "that were brought in it is the mean.",
        f"Intervals hold {settings.level:.0%} of {settings.resamples:,} bootstrap resamples "
        f"(percentiles expanded for small samples, seed {settings.seed}). What is drawn is the "
        f"source document with all its scribes, pages and systems: there are {told.documents:,}.",
        "Within systems: the mean of the systems' own coefficients. Over all: the differences "
        "between systems count as well.",
        "Right about two outputs of one segment: the share of pairs that the metric puts in the "
        f"order of {people}; scores that differ by no more than a threshold count as equal, and "
        "each metric has the threshold that suits it best (Deutsch, Foster and Freitag 2023). The "
        "threshold is that of all outputs in each resample.",
        f"Right about two systems: the share of pairs that {people} tells apart and the metric "
        "puts in the same order (Kocmi et al. 2021).",
        "Two metrics are compared by Pearson's r over all segments: permutation of both (Deutsch, "
        "Dror and Roth 2021; scores are swapped for random systems and source documents), with "
        "Holm's correction over all pairs, and Williams' test, which takes segments for "
        "independent and is too sure where they are not; and by tau-b, with the paired bootstrap.",
        "What has no value is left empty: the coefficient of a constant score, and of fewer than "
        f"{FEWEST_SYSTEMS} systems.",
    )


def _warnings(study: Study, told: Told) -> list[str]:
    found = []
    for metric, row, estimate in zip(
        told.metrics, told.scores, study.coefficients[_MAIN], strict=True
    ):
        if np.ptp(row) == 0:
            found.append(
                f"{metric.name} gives every output the same score: nothing can be said of it."
            )
        elif estimate.interval is not None and estimate.interval.high < 0:
            found.append(
                f"{metric.name} says the opposite of {told.people.name}. "
                + (
                    "If more is better by it, do not name it as a score of which less is better."
                    if metric.lower
                    else "If less is better by it, say so: --lower."
                )
            )
    if np.ptp(told.said) == 0:
        found.append(f"{told.people.name} is the same for every output: there is no correlation.")
    if len(told.systems) < FEWEST_SYSTEMS:
        found.append(
            f"With {number_of(len(told.systems), 'system')}, systems are not compared: that takes "
            f"at least {FEWEST_SYSTEMS}."
        )
    if few := few_documents(told.documents):
        found.append(f"{few[0].upper()}{few[1:]}.")
    return found


def _figures(study: Study, told: Told, order: Sequence[int]) -> tuple[Figure, ...]:
    found = []
    for at in order[:3]:
        main = study.coefficients[_MAIN][at]
        if main.value is None:
            continue
        how = [f"Kendall's tau-b with {told.people.name}{_between(main)}"]
        if (right := study.accuracies[at].value) is not None:
            how.append(f"right about {right * 100:.0f} of 100 pairs of outputs of one segment")
        if study.system_accuracies and (ok := study.system_accuracies[at].value) is not None:
            pairs = len(told.systems) * (len(told.systems) - 1) // 2
            how.append(f"right about {ok * 100:.0f} % of {number_of(pairs, 'pair')} of systems")
        found.append(Figure(told.metrics[at].name, f"{main.value:.3f}", tuple(how)))
    return tuple(found)


def _between(one: Estimate) -> str:
    return "" if one.interval is None else f" [{one.interval.low:.3f}, {one.interval.high:.3f}]"


def _plot(study: Study, told: Told, order: Sequence[int]) -> tuple[PlotRow, ...]:
    rows = []
    for at in order:
        one = study.coefficients[_MAIN][at]
        if one.value is not None:
            ends = (None, None) if one.interval is None else (one.interval.low, one.interval.high)
            rows.append(PlotRow(told.metrics[at].name, one.value, *ends))
    return tuple(rows)


# -- tables ----------------------------------------------------------------------------------------


def _number(key: str, title: str, note: str = "") -> Column:
    return Column(key, title, CellKind.NUMBER, note)


def _ends(one: Estimate | None) -> tuple[Cell, Cell, Cell]:
    """Value and interval."""
    if one is None or one.value is None:
        return None, None, None
    if one.interval is None:
        return one.value, None, None
    return one.value, one.interval.low, one.interval.high


def _why(one: Estimate) -> str:
    if one.value is None:
        return "no value: a column is the same for all"
    return "" if one.interval is not None else "no interval: too few documents, or resamples"


def _metrics_table(study: Study, told: Told, order: Sequence[int]) -> Table:
    def of(level: Level, grouping: Grouping, coefficient: Coefficient, at: int) -> Cell:
        found = study.coefficients.get((level, grouping, coefficient))
        return None if found is None else found[at].value

    columns = (
        Column("metric", "Metric"),
        Column("better", "Better is"),
        _number("tau_b", "tau-b", "Kendall's, over all segments"),
        _number("low", "From"),
        _number("high", "To"),
        _number("rho", "rho", "Spearman's, over all segments"),
        _number("r", "r", "Pearson's, over all segments"),
        _number("tau_b_systems", "tau-b, within systems", "mean of the systems' own"),
        _number("tau_b_documents", "tau-b, documents", "over all documents of all systems"),
        Column("right", "Right about outputs", CellKind.RATE, "of two outputs of one segment"),
        _number("threshold", "Equal up to", "difference of scores that counts as none"),
        Column("right_systems", "Right about systems", CellKind.RATE, "of pairs of systems"),
        Column("note", "Note"),
    )
    rows: list[tuple[Cell, ...]] = []
    for at in order:
        main = study.coefficients[_MAIN][at]
        rows.append(
            (
                told.metrics[at].name,
                "less" if told.metrics[at].lower else "more",
                *_ends(main),
                of(Level.SEGMENT, Grouping.ALL, Coefficient.SPEARMAN, at),
                of(Level.SEGMENT, Grouping.ALL, Coefficient.PEARSON, at),
                of(Level.SEGMENT, Grouping.SYSTEM, Coefficient.KENDALL, at),
                of(Level.DOCUMENT, Grouping.ALL, Coefficient.KENDALL, at),
                study.accuracies[at].value,
                study.thresholds[at],
                study.system_accuracies[at].value if study.system_accuracies else None,
                _why(main),
            )
        )
    note = f"From the most to the least trustworthy by tau-b with {told.people.name}."
    return Table("metrics", "Metrics", columns, rows, note)


def _comparisons_table(study: Study, told: Told, order: Sequence[int]) -> Table:
    columns = (
        Column("first", "Metric"),
        Column("second", "Against"),
        _number("r_difference", "Difference of r", "above 0: the first says more"),
        _number("r_low", "From"),
        _number("r_high", "To"),
        _number("p_both", "p, permutation of both"),
        _number("p_both_holm", "p, corrected", "Holm, over all pairs"),
        _number("p_williams", "p, Williams", "treats segments as independent"),
        _number("tau_difference", "Difference of tau-b"),
        _number("tau_low", "From"),
        _number("tau_high", "To"),
        _number("p_bootstrap", "p, paired bootstrap", "of tau-b"),
    )
    place = {at: rank for rank, at in enumerate(order)}
    turned = [
        one if place[one.first] < place[one.second] else _turned(one) for one in study.compared
    ]
    turned.sort(key=lambda one: (place[one.first], place[one.second]))
    rows: list[tuple[Cell, ...]] = [
        (
            told.metrics[one.first].name,
            told.metrics[one.second].name,
            *_ends(one.pearson),
            one.p_both,
            one.p_holm,
            one.p_williams,
            *_ends(one.kendall),
            one.p_bootstrap,
        )
        for one in turned
    ]
    note = "Over all segments; of two metrics, the first is ahead by tau-b."
    return Table("comparisons", "Metrics compared", columns, rows, note)


def _turned(one: Compared) -> Compared:
    """The same with the second metric first."""

    def negative(estimate: Estimate) -> Estimate:
        value, low, high = _ends(estimate)
        if not isinstance(value, float):
            return estimate
        interval = estimate.interval
        if interval is not None and isinstance(low, float) and isinstance(high, float):
            interval = type(interval)(-value, -high, -low)
        return Estimate(-value, interval, estimate.units)

    return Compared(
        one.second,
        one.first,
        negative(one.pearson),
        one.p_both,
        one.p_holm,
        one.p_williams,
        negative(one.kendall),
        one.p_bootstrap,
    )


def _score(metric: Metric, key: str, title: str) -> Column:
    return Column(key, title, CellKind.RATE if metric.percent else CellKind.NUMBER)


def _cell(value: float | _Numbers) -> Cell:
    return float(value) if np.isfinite(value) else None


def _places(worse: _Numbers) -> list[int]:
    """The place of each system, 1 for the best."""
    return [1 + int((worse < value).sum()) for value in worse]


def _systems_table(study: Study, told: Told, order: Sequence[int]) -> Table:
    columns = [
        Column("system", "System"),
        _score(told.people, "people", told.people.name),
        Column("place", "Place", CellKind.COUNT),
    ]
    places = {}
    for rank, at in enumerate(order, 1):
        metric = told.metrics[at]
        columns += [
            _score(metric, f"score_{rank}", metric.name),
            Column(f"place_{rank}", "Place", CellKind.COUNT, f"place by {metric.name}"),
        ]
        places[at] = _places(study.systems[at])
    by_people = _places(study.people)
    rows = []
    for system in np.argsort(study.people, kind="stable").tolist():
        row: list[Cell] = [
            told.systems[system],
            _cell(told.people.oriented(study.people[system])),
            by_people[system],
        ]
        for at in order:
            # To turn a score twice gives it as it is shown.
            row += [_cell(told.metrics[at].oriented(study.systems[at][system])), places[at][system]]
        rows.append(tuple(row))
    return Table("systems", "Systems", tuple(columns), rows, f"Ranked by {told.people.name}.")


def _otherwise_table(study: Study, told: Told, order: Sequence[int]) -> Table:
    columns = (
        Column("metric", "Metric"),
        Column("better", "Better by it"),
        Column("worse", "Than"),
        _number("score_better", "Score"),
        _number("score_worse", "Score of the other"),
        _score(told.people, "people_better", told.people.name),
        _score(told.people, "people_worse", f"{told.people.name} of the other"),
    )
    rows: list[tuple[Cell, ...]] = []
    for at in order:
        metric, own = told.metrics[at], study.systems[at]
        for one, other in combinations(range(len(told.systems)), 2):
            if (own[one] - own[other]) * (study.people[one] - study.people[other]) >= 0:
                continue
            better, worse = (one, other) if own[one] < own[other] else (other, one)
            rows.append(
                (
                    metric.name,
                    told.systems[better],
                    told.systems[worse],
                    *(_cell(metric.oriented(own[system])) for system in (better, worse)),
                    *(
                        _cell(told.people.oriented(study.people[system]))
                        for system in (better, worse)
                    ),
                )
            )
    note = (
        f"Pairs of systems that a metric ranks differently from {told.people.name}."
        if rows
        else f"No metric ranks any two systems differently from {told.people.name}."
    )
    return Table("otherwise", "Ranked otherwise", columns, rows, note)


def _groups_table(study: Study, told: Told, order: Sequence[int]) -> Table:
    columns = (
        Column("by", "By"),
        Column("group", "Group"),
        Column("metric", "Metric"),
        Column("segments", "Outputs", CellKind.COUNT),
        _number("tau_b", "tau-b", "Kendall's, over all segments of the group"),
        _number("low", "From"),
        _number("high", "To"),
        Column("note", "Note"),
    )
    rows: list[tuple[Cell, ...]] = [
        (kind, name, told.metrics[at].name, own[at].units, *_ends(own[at]), _why(own[at]))
        for (kind, name), own in study.groups.items()
        for at in order
    ]
    return Table("groups", "By genre, scribe and length", columns, rows, "Over all segments.")


def _coefficients_table(study: Study, told: Told, order: Sequence[int]) -> Table:
    columns = (
        Column("level", "Of each"),
        Column("grouping", "Compared"),
        Column("measure", "Measure"),
        Column("metric", "Metric"),
        Column("units", "Units", CellKind.COUNT, "segments, documents, systems, or pairs"),
        _number("value", "Value"),
        _number("low", "From"),
        _number("high", "To"),
        Column("note", "Note"),
    )
    rows: list[tuple[Cell, ...]] = [
        (level, grouping, one, told.metrics[at].name, own[at].units, *_ends(own[at]), _why(own[at]))
        for (level, grouping, one), own in study.coefficients.items()
        for at in order
    ]
    for level, grouping, own in (
        (Level.SEGMENT, Grouping.ITEM, study.accuracies),
        (Level.SYSTEM, Grouping.ALL, study.system_accuracies),
    ):
        rows += [
            (
                *(level, grouping, "pairwise accuracy", told.metrics[at].name, own[at].units),
                *_ends(own[at]),
                _why(own[at]),
            )
            for at in (order if own else ())
        ]
    return Table("coefficients", "All coefficients", columns, rows)


def _text_columns() -> tuple[Column, ...]:
    return (
        Column("system", "System"),
        Column("document", "Document"),
        Column("segment", "Segment"),
        Column("kit", "Kit"),
        Column("genre", "Genre"),
        Column("scribe", "Scribe"),
    )


def _texts(point: Point) -> tuple[Cell, ...]:
    return (*(point.system, point.document, point.segment, point.kit, point.genre, point.scribe),)


def _differing_table(told: Told, differing: Sequence[Sequence[int]], order: Sequence[int]) -> Table:
    columns = (
        Column("metric", "Metric"),
        *_text_columns(),
        _score(told.people, "people", told.people.name),
        _number("score", "Score"),
        Column("share_people", f"Worse than, {told.people.name}", CellKind.RATE, "of all outputs"),
        Column("share_metric", "Worse than, metric", CellKind.RATE, "of all outputs"),
        Column("output", "Output"),
        Column("final", "Final text"),
        Column("reference", "Reference"),
    )
    points = {point.row: point for point in told.points}
    shares = _ranks(told.people.oriented(told.said))
    rows: list[tuple[Cell, ...]] = []
    for at in order:
        if not differing[at]:
            continue
        own = _ranks(told.metrics[at].oriented(told.scores[at]))
        for row in differing[at]:
            point = points[row]
            rows.append(
                (
                    told.metrics[at].name,
                    *_texts(point),
                    float(told.said[row]),
                    float(told.scores[at][row]),
                    float(shares[row]),
                    float(own[row]),
                    point.output,
                    point.final,
                    point.reference,
                )
            )
    note = f"The outputs about which each metric and {told.people.name} differ most, by rank."
    return Table("differing", "Where they differ", columns, rows, note)


def _points_table(told: Told, order: Sequence[int]) -> Table:
    columns = (
        *_text_columns(),
        _score(told.people, "people", told.people.name),
        *(
            _score(told.metrics[at], f"score_{rank}", told.metrics[at].name)
            for rank, at in enumerate(order, 1)
        ),
    )
    rows = [
        (
            *_texts(point),
            float(told.said[point.row]),
            *(float(told.scores[at][point.row]) for at in order),
        )
        for point in told.points
    ]
    note = (
        "The outputs in the plots."
        if len(rows) == len(told.said)
        else f"The outputs in the plots: a random sample of all {len(told.said):,}, and those that "
        "differ most."
    )
    return Table("points", "Points", columns, rows, note, long=True)


# -- plots -----------------------------------------------------------------------------------------


def _spelt(metric: Metric, value: float) -> str:
    return (CellKind.RATE if metric.percent else CellKind.NUMBER).shown(float(value))


def _drawings(told: Told, order: Sequence[int]) -> tuple[Drawing, ...]:
    """A plot for each metric that varies: people across, the metric upwards."""
    found = []
    places = {name: place for place, name in enumerate(told.systems)}
    rows = [point.row for point in told.points]
    across = Axis.around(
        told.people.name, [float(value) for value in told.said[rows]], told.people.percent
    )
    for at in order:
        metric, own = told.metrics[at], told.scores[at]
        if np.ptp(own) == 0 or not rows:
            continue
        up = Axis.around(metric.name, [float(value) for value in own[rows]], metric.percent)
        dots = [
            Dot(
                float(told.said[point.row]),
                float(own[point.row]),
                places[point.system],
                f"output-{number}",
                f"{point.system}, {point.document}/{point.segment}: {told.people.name} "
                f"{across.spelt(told.said[point.row])}, {metric.name} {up.spelt(own[point.row])}",
            )
            for number, point in enumerate(told.points, 1)
        ]
        title = f"{metric.name} and {told.people.name}"
        svg = scatter_plot(dots, across, up, told.systems, title)
        found.append(Drawing(title, "A point is an output; a click shows it.", svg))
    if len(told.systems) > SERIES and found:
        found[0] = Drawing(found[0].title, f"{found[0].note} All systems look alike.", found[0].svg)
    return tuple(found)


def _exhibits(told: Told, order: Sequence[int]) -> tuple[Exhibit, ...]:
    return tuple(
        Exhibit(
            f"output-{number}",
            f"{point.document}/{point.segment}",
            " · ".join(
                [
                    point.system,
                    point.genre,
                    f"scribe {point.scribe}",
                    f"{told.people.name} {_spelt(told.people, told.said[point.row])}",
                    *(
                        f"{told.metrics[at].name} "
                        f"{_spelt(told.metrics[at], told.scores[at][point.row])}"
                        for at in order
                    ),
                ]
            ),
            (
                ("Output", point.output),
                ("Final text", point.final),
                ("Reference", point.reference),
            ),
            told.pictures.get((point.document, point.segment), ""),
        )
        for number, point in enumerate(told.points, 1)
    )
