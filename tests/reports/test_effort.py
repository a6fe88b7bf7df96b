from __future__ import annotations

import pytest

from madcat_studio.reports.effort import EffortOnSegment, effort_table, outlier_limit


def work(seconds: float, words: int = 10, keys: int = 5, **more: str) -> EffortOnSegment:
    names = {"team": "T1", "editor": "ann", "pass_": "first", **more}
    return EffortOnSegment(seconds=seconds, keys=keys, pastes=1, words=words, **names)


def test_worked_by_hand() -> None:
    # 10 20 30 40 1000: quartiles 20 and 40, limit 40 + 3 * 20 = 100; 1000 is cut.
    table = effort_table([work(s) for s in (10, 20, 30, 40, 1000)])
    assert table is not None
    (row,) = table.records()
    assert row == {
        "team": "T1",
        "editor": "ann",
        "pass": "first",
        "segments": 5,
        "words": 50,
        "minutes": pytest.approx(1100 / 60),
        "outliers": 1,
        "median_seconds": 25.0,
        "words_per_hour": pytest.approx(40 * 3600 / 100),
        "keys_per_word": 0.5,
        "pastes": 5,
    }


def test_each_editor_and_pass_on_its_own() -> None:
    table = effort_table([work(10), work(20, pass_="review"), work(30, editor="bob")])
    assert table is not None
    assert [(r["editor"], r["pass"], r["median_seconds"]) for r in table.records()] == [
        ("ann", "first", 10.0),
        ("ann", "review", 20.0),
        ("bob", "first", 30.0),
    ]


def test_too_few_to_cut_and_nothing_to_divide_by() -> None:
    assert outlier_limit([1, 1, 999]) == float("inf")
    table = effort_table([work(0, words=0)])
    assert table is not None
    (row,) = table.records()
    assert (row["words_per_hour"], row["keys_per_word"]) == (None, None)
    assert effort_table([]) is None
