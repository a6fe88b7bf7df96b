"""Plots by language: drawn from a report's tables, so that a saved one has them too."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from madcat_studio.reports.cards import CardReport, PlotRow, interval_plot
from madcat_studio.reports.language_plots import language_plots, with_language_plots
from madcat_studio.reports.table import some_of
from madcat_studio.reports.tables import CellKind, Column, Table

EMPTY = CardReport("t", "k", "ltb", "now", {}, {}, (), (), (), {})


def table(name: str, keys: str, *rows: tuple[object, ...]) -> Table:
    return Table(name, name, tuple(Column(key, key, CellKind.TEXT) for key in keys.split()), rows)


PAIRS = table(
    "pairs",
    "system pair group ltb_100 ci_low ci_high",
    ("low", "en-es", "CORE", 40.0, 30.0, 50.0),
    ("low", "en-th", "CORE", 20.0, None, None),
    ("low", "all pairs", "mean", 30.0, 20.0, 40.0),
    ("high", "en-es", "CORE", 60.0, 55.0, 65.0),
    ("given", "en-es", "CORE", 90.0, 85.0, 95.0),
    ("given", "en-th", "CORE", 80.0, 75.0, 85.0),
    ("none", "en-es", "CORE", None, None, None),
)
BOARDS = (
    table("board-end-to-end", "rank system", (1, "high"), (2, "low")),
    table("board-oracle-layout", "rank system", (1, "given")),
)


def told(report: CardReport) -> dict[str, list[tuple[str, str, float]]]:
    return {
        one.title: [(row.group, row.label, row.point) for row in one.rows]
        for one in language_plots(report)
    }


def test_systems_that_were_given_boxes_stand_apart_and_means_are_no_language() -> None:
    assert told(replace(EMPTY, tables=(*BOARDS, PAIRS))) == {
        "LTB-100 by pair of languages, end-to-end": [
            ("en-es", "high", 60.0),
            ("en-es", "low", 40.0),
            ("en-th", "low", 20.0),
        ],
        "LTB-100 by pair of languages, oracle-layout": [
            ("en-es", "given", 90.0),
            ("en-th", "given", 80.0),
        ],
    }


def test_data_sets_of_a_board_stand_apart() -> None:
    keys = "set system pair ltb_100 ci_low ci_high"
    pairs = [(n, "one", pair, 10.0 * n, None, None) for n in (1, 2) for pair in ("en-es", "en-de")]
    boards = [table(f"board-{n}-end-to-end", "rank system", (1, "one")) for n in (1, 2)]
    report = replace(EMPTY, schema="ltb-board", tables=(*boards, table("pairs", keys, *pairs)))
    assert told(report) == {
        f"LTB-100 by pair of languages, data set {n}, end-to-end": [
            ("en-es", "one", 10.0 * n),
            ("en-de", "one", 10.0 * n),
        ]
        for n in (1, 2)
    }


def test_shares_are_shown_in_percent() -> None:
    rows = [("one", "zh", 0.25), ("one", "ar", 0.5), ("other", "ar", 0.75), ("other", "zh", None)]
    report = replace(
        EMPTY, schema="imtbench", tables=(table("by-target", "system target s", *rows),)
    )
    assert told(report) == {
        "S by target, in %": [("zh", "one", 25.0), ("ar", "other", 75.0), ("ar", "one", 50.0)]
    }


@pytest.mark.parametrize(
    "report",
    [
        EMPTY,
        replace(EMPTY, schema="trust", tables=(PAIRS,)),
        # One language is no comparison of languages.
        replace(EMPTY, tables=(table("pairs", "system pair ltb_100", ("a", "en-es", 1.0)),)),
    ],
)
def test_where_there_is_nothing_to_draw(report: CardReport) -> None:
    assert language_plots(report) == []
    assert with_language_plots(report) is report


def test_each_language_is_a_heading_over_its_systems() -> None:
    rows = [
        PlotRow("one", 40.0, 30.0, 50.0, "العربية"),
        PlotRow("two", 20.0, None, None, "العربية"),
        PlotRow("one", 60.0, 55.0, 65.0, "Ελλ & <b>"),
    ]
    svg = interval_plot(rows, (0.0, 100.0), "by language")
    heads = re.findall(r'<text class="group" x="0" y="(\d+)">([^<]+)</text>', svg)
    assert heads == [("24", "العربية"), ("102", "Ελλ &amp; &lt;b&gt;")]
    assert re.findall(r'<circle cx="[\d.]+" cy="(\d+)"', svg) == ["46", "72", "124"]
    # Without groups nothing moved.
    plain = interval_plot([replace(row, group="") for row in rows], (0.0, 100.0), "all")
    assert re.findall(r'<circle cx="[\d.]+" cy="(\d+)"', plain) == ["20", "46", "72"]
    assert 'viewBox="0 0 860 112"' in plain
    assert 'viewBox="0 0 860 164"' in svg


def labels(*names: str) -> list[str]:
    svg = interval_plot([PlotRow(name, 1.0, None, None) for name in names], (0.0, 2.0), "t")
    return re.findall(r'<text class="label"[^>]*>([^<]+)</text>', svg)


def test_long_names_lose_what_all_begin_with() -> None:
    assert labels("run_20260612_1247_openai_gpt55_naive_all", "run_20260612_1248_x") == [
        "…1247_openai_gpt55_naive_all",
        "…1248_x",
    ]
    assert labels("run_20260612_1", "run_20260612_2") == ["run_20260612_1", "run_20260612_2"]
    assert labels("x" * 40) == ["x" * 29 + "…"]
    assert labels("x" * 40, "y") == ["x" * 29 + "…", "y"]


def test_many_names_are_told_by_the_first() -> None:
    assert some_of(["a"]) == "a"
    assert some_of(["a", "b", "c", "d"]) == "a, b, c, d"
    assert some_of(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"
