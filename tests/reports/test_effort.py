from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
import pytest

from madcat_studio.reports.effort import (
    EffortOfPass,
    EffortOnSegment,
    effort_table,
    outlier_limit,
    segment_effort_table,
)


def work(seconds: float, words: int = 10, **more: str) -> EffortOnSegment:
    names = {"team": "T1", "editor": "ann", "pass_": "first", **more}
    return EffortOnSegment(
        **names,
        kit="K1",
        document="A",
        segment="s1",
        words=words,
        visits=2,
        seconds=seconds,
        raw_seconds=seconds + 60,
        characters=2,
        deletes=1,
        navigations=1,
        other_keys=1,
        mouse=3,
        commands=4,
        pastes=1,
        pasted_characters=20,
    )


def by_pass(efforts: Sequence[EffortOnSegment]) -> Iterator[EffortOfPass]:
    for (team, editor, pass_), group in groupby(efforts, key=lambda one: one[:3]):
        own = list(group)
        yield EffortOfPass(
            *(team, editor, pass_, [one[3:6] for one in own]),
            words=np.array([one.words for one in own]),
            visits=np.array([one.visits for one in own]),
            seconds=np.array([one.seconds for one in own]),
            raw_seconds=np.array([one.raw_seconds for one in own]),
            counts=np.array([one[10:] for one in own]),
        )


def test_worked_by_hand() -> None:
    # 10 20 30 40 1000: quartiles 20 and 40, limit 40 + 3 * 20 = 100; 1000 is cut.
    table = effort_table(by_pass([work(s) for s in (10, 20, 30, 40, 1000)]), 45)
    (row,) = table.records()
    assert row == {
        "team": "T1",
        "editor": "ann",
        "pass": "first",
        "segments": 5,
        "words": 50,
        "visits": 10,
        "raw_minutes": pytest.approx(1400 / 60),
        "characters": 10,
        "deletes": 5,
        "navigations": 5,
        "other_keys": 5,
        "mouse": 15,
        "commands": 20,
        "pasted_characters": 100,
        "minutes": pytest.approx(1100 / 60),
        "outliers": 1,
        "median_seconds": 25.0,
        "words_per_hour": pytest.approx(40 * 3600 / 100),
        "keys_per_word": 0.5,
        "pastes": 5,
    }
    assert "every rest longer than 45 seconds" in table.note


def test_segment_by_segment() -> None:
    table = segment_effort_table([work(10), work(20, pass_="review")], 45)
    assert [row["seconds"] for row in table.records()] == [10, 20]
    row = next(iter(table.records()))
    assert (row["kit"], row["document"], row["segment"], row["visits"]) == ("K1", "A", "s1", 2)
    assert (row["raw_seconds"], row["characters"], row["pasted_characters"]) == (70, 2, 20)
    assert "every rest longer than 45 seconds" in table.note


def test_each_editor_and_pass_on_its_own() -> None:
    table = effort_table(by_pass([work(10), work(20, pass_="review"), work(30, editor="bob")]), 60)
    assert [(r["editor"], r["pass"], r["median_seconds"]) for r in table.records()] == [
        ("ann", "first", 10.0),
        ("ann", "review", 20.0),
        ("bob", "first", 30.0),
    ]


def test_too_few_to_cut_and_nothing_to_divide_by() -> None:
    assert outlier_limit([1, 1, 999]) == float("inf")
    table = effort_table(by_pass([work(0, words=0)]), 60)
    (row,) = table.records()
    assert (row["words_per_hour"], row["keys_per_word"]) == (None, None)
    assert list(effort_table(by_pass([]), 60).rows) == []
