"""Statistics of the hand-worked campaign (conftest.py, test_hand_worked.py), derived by hand."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import numpy as np
import pytest

from madcat_studio.model.campaign import SegmentRecord
from madcat_studio.operations.scores.report import report_records
from madcat_studio.reports import charts
from madcat_studio.reports.charts import file_of
from madcat_studio.reports.significance import Pairing, compared
from madcat_studio.reports.statistics import MOST_LISTED
from madcat_studio.reports.tables import Cell, Report
from madcat_studio.scoring.resampling import Resampling


def row(report: Report, name: str, **wanted: Cell) -> dict[str, Cell]:
    (found,) = [
        row
        for row in report.table(name).records()
        if all(row[key] == value for key, value in wanted.items())
    ]
    return found


def test_intervals(report: Report) -> None:
    # alpha: SD1 15/37, SD2 3/8. Two are drawn: both SD1 (1/4), both SD2 (1/4), one each (1/2).
    alpha = row(report, "intervals", set="evaluation", system="alpha")
    assert (alpha["clusters"], alpha["hter"], alpha["low"], alpha["high"]) == (
        2, 18 / 45, 3 / 8, 15 / 37,
    )  # fmt: skip
    beta = row(report, "intervals", set="evaluation", system="beta")
    assert (beta["clusters"], beta["low"], beta["high"]) == (1, None, None)
    assert beta["note"] == "one source document only: no interval"
    assert set(report.intervals) == {("evaluation", "alpha")}


def test_systems_with_one_document_in_common_are_not_compared(report: Report) -> None:
    found = row(report, "comparisons", first="beta", second="alpha")
    assert (found["documents"], found["clusters"]) == (1, 1)
    assert (found["hter_first"], found["hter_second"]) == (5 / 15, 15 / 37)
    assert found["difference"] is None
    assert found["note"] == "fewer than two source documents in common"


def test_systems_compared(record_of: Callable[..., SegmentRecord]) -> None:
    # Three source documents of 10 words; first 1, 2, 3 edits, second 2, 3, 4: always .1 lower.
    words = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
    documents = ("D1", "D2", "D8")
    records = []
    for system, more in (("alpha", 0), ("beta", 1)):
        for number, base in enumerate(documents, start=1 + more):
            text = " ".join(["x"] * number + words[number:])
            final = " ".join(words)
            teams = {"T1": (final, final), "T2": (final, final)}
            records.append(record_of("k1", system, base, "s1", final, text, teams))
    with report_records(records, title="Two") as report:
        found = row(report, "comparisons")
    # D8 is the progress set: two documents are left.
    assert (found["clusters"], found["hter_first"], found["hter_second"]) == (2, 3 / 20, 5 / 20)
    for key in ("difference", "low", "high"):
        assert found[key] == pytest.approx(-0.1)
    # Bootstrap: no drawing is at or above 0, so 2 (1 + 0) / 1001.
    assert found["p_bootstrap"] == found["p_bootstrap_holm"] == pytest.approx(2 / 1001)
    # Swapping both or none is as extreme, half of all: about .5.
    assert found["p_randomisation"] == pytest.approx(0.5, abs=0.06)
    # With n source documents two of 2^n ways to swap are always as extreme.
    assert "With only 2 source documents, p by randomisation cannot be below 0.5" in found["note"]


@pytest.mark.parametrize(
    ("sources", "told"),
    [
        (5, ["p by randomisation cannot be below 0.0625", "over 5 source", "about 90 of 100"]),
        (6, ["over 6 source", "about 90 of 100"]),
        (29, ["over 29 source", "about 93 of 100"]),
        (30, []),
    ],
)
def test_few_source_documents_are_told(sources: int, told: list[str]) -> None:
    sums = np.tile(np.array([[1.0], [10.0], [2.0], [10.0]]), sources)
    _, (cells,) = compared([Pairing("one", "other", sources, sums)], Resampling(resamples=100))
    assert all(words in str(cells[-1]) for words in told)
    assert bool(cells[-1]) == bool(told)
    assert ("by randomisation" in str(cells[-1])) == (sources < 6)


def test_agreement(report: Report) -> None:
    # T1 and T2, final: k1 without s6 and the control segment, 9; s2 and s8 have the same text.
    # s5 and s8 have no rate for T1. T1 - T2: s1 1/5-1/6, s2 0, s3 0, s4 5/8-3/4, s7 1/8-2/8,
    # s9 1/4-2/4, control 0-1/4: their sum 1/30 - 3/4 = -43/60.
    found = row(report, "agreement", stage="final", first="T1", second="T2")
    assert (found["segments"], found["same"]) == (9, 2)
    assert found["mean"] == pytest.approx(-43 / 420)
    # T3 and T4: a b c d / a b c x 1/4 both ways; x y z / a y z w 2/4 and 2/3; a b / a c 1/2 twice.
    other = row(report, "agreement", stage="final", first="T3", second="T4")
    assert other["segments"] == 3
    assert other["ter"] == (2 + 4 + 2) / (8 + 7 + 4)
    # All pairs: 9 + 3 and T2, T3 in k3, 3.
    assert row(report, "agreement", stage="final", first="all pairs")["segments"] == 15
    assert row(report, "agreement", stage="first pass", first="all pairs")["segments"] == 15


def test_drift_and_progress(report: Report) -> None:
    # Only scores of then are there, of the better of two: T1's 0 of 4 and not T2's 1 of 4.
    (first,) = report.table("drift").records()
    assert (first["team"], first["documents"]) == ("better of two", 1)
    assert (first["edits"], first["words"], first["edits_earlier"]) == (0, 4, 1)
    assert first["difference"] == pytest.approx(-1 / 5)
    assert first["low"] is None  # one source document
    assert first["note"] == "no interval: it needs 10 source documents, and there is 1"
    change = row(report, "progress-change", system="alpha")
    assert (change["earlier"], change["passages"], change["hter"]) == ("old", 1, 0)
    assert change["difference"] == pytest.approx(-1 / 4)


def test_worst_and_best(report: Report) -> None:
    worst = list(report.table("worst-segments").records())
    # Of five words and more: alpha s1 1/6, s4 5/8, s7 1/8, beta s1 1/6.
    assert [(r["system"], r["segment"]) for r in worst] == [
        ("alpha", "s4"), ("alpha", "s1"), ("beta", "s1"), ("alpha", "s7"),
    ]  # fmt: skip
    best = list(report.table("best-segments").records())
    assert [r["segment"] for r in best] == ["s7", "s1", "s1", "s4"]
    assert len(worst) <= MOST_LISTED


def test_the_seed_is_told_and_decides(records: list[SegmentRecord]) -> None:
    how = Resampling(resamples=200, seed=5)
    with report_records(records, title="Seeded", resampling=how) as report:
        (note,) = [note for note in report.notes if "seed" in note]
    assert "200 bootstrap resamples (percentiles expanded for small samples, seed 5)" in note


@pytest.mark.long
def test_charts_are_self_contained_and_the_same_each_time(
    report: Report, records: list[SegmentRecord]
) -> None:
    assert [chart.name for chart in report.charts] == ["systems", "distribution", "teams"]
    charts._drawn.cache_clear()  # drawn anew, not given again
    with report_records(records, title="Hand-worked") as again:
        assert [chart.svg for chart in again.charts] == [chart.svg for chart in report.charts]
    for chart in report.charts:
        ElementTree.fromstring(chart.svg)
        alone = file_of(chart).decode()
        ElementTree.fromstring(alone)
        assert "var(--" in chart.svg
        assert "var(--" not in alone
        assert "<image" not in chart.svg


@pytest.mark.long
def test_names_in_charts_are_escaped(record_of: Callable[..., SegmentRecord]) -> None:
    record = record_of("k1", "alpha", "D1", "s1", "a", "a b", {"T1": ("a", "a"), "T2": ("b", "b")})
    evil = '<script>alert("x")</script> $x_1$ & قال'

    records = [record._replace(system=evil), record._replace(system=evil, segment="s2")]
    with report_records(records, title="x") as report:
        for chart in report.charts:
            assert "<script" not in chart.svg
            ElementTree.fromstring(chart.svg)
