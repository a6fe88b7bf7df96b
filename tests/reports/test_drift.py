"""The drift on the control set: like with like, intervals from enough, a model, an alarm."""

from __future__ import annotations

import random
import sys

import numpy as np
import pytest

from madcat_studio.errors import UsageError
from madcat_studio.model.control import FEWEST_DOCUMENTS
from madcat_studio.reports.drift import (
    ALL_TEAMS,
    BETTER_OF_TWO,
    OwnMeasure,
    alarms,
    drift_table,
    drifts,
    mixed_model,
)
from madcat_studio.scoring.resampling import Resampling

QUICK = Resampling(resamples=400)


def one(document: int, team: str, edits: float, words: float = 100) -> OwnMeasure:
    return OwnMeasure("old", f"D{document}", f"S{document}", team, edits, words)


def made(
    documents: int, more: float, teams: int = 4, noise: float = 2, seed: int = 1
) -> tuple[list[OwnMeasure], list[OwnMeasure]]:
    """Documents of 100 words that differ, teams that differ; now so many edits more than then."""
    chance = random.Random(seed)
    hard = [chance.gauss(25, 6) for _ in range(documents)]
    sides = []
    for phase, shift in (("now", more), ("then", 0.0)):
        zeal = [chance.gauss(0, 1) for _ in range(teams)]
        own = []
        for number in range(documents):
            for team in chance.sample(range(teams), 2):
                edits = hard[number] + shift + zeal[team] + chance.gauss(0, noise)
                own.append(one(number, f"{phase}{team}", max(0, edits)))
        sides.append(own)
    return sides[0], sides[1]


def test_a_teams_own_is_held_against_the_teams_own_of_then() -> None:
    # Then 10 and 30 edits: the better of two is 10. Now 12 and 30: nothing much has changed.
    then = [one(1, "A", 10), one(1, "B", 30)]
    now = [one(1, "C", 12), one(1, "D", 30), one(2, "C", 5)]
    found = {each.team: each for each in drifts(now, then)}
    assert list(found) == ["C", "D", ALL_TEAMS]
    assert found["C"].difference == pytest.approx(0.12 - 0.20)
    assert found["D"].difference == pytest.approx(0.30 - 0.20)
    assert found[ALL_TEAMS].difference == pytest.approx(0.21 - 0.20)
    assert {each.documents for each in found.values()} == {1}, "the second was not edited then"


def test_a_document_counts_the_same_however_many_teams_it_had() -> None:
    then = [one(1, "A", 10), one(2, "A", 20), one(2, "B", 20), one(2, "C", 20)]
    now = [one(1, "D", 10), one(1, "E", 10), one(1, "F", 10), one(2, "D", 20)]
    assert drifts(now, then)[-1].difference == 0


def test_the_better_of_two_is_held_against_the_better_of_two() -> None:
    found = drifts([one(1, BETTER_OF_TWO, 12)], [one(1, BETTER_OF_TWO, 10)])
    assert [(each.team, each.difference) for each in found] == [
        (BETTER_OF_TWO, pytest.approx(0.02))
    ]
    assert "better of two teams now against the better of two then" in drift_table(found, None).note


@pytest.mark.parametrize("documents", [FEWEST_DOCUMENTS - 1, FEWEST_DOCUMENTS])
def test_an_interval_needs_documents_and_says_how_many(documents: int) -> None:
    now, then = made(documents, 3)
    found = drifts(now, then, QUICK)
    table = {row["team"]: row for row in drift_table(found, None).records()}
    row = table[ALL_TEAMS]
    assert row["documents"] == documents
    if documents < FEWEST_DOCUMENTS:
        assert (row["low"], row["high"]) == (None, None)
        assert row["note"] == "no interval: it needs 10 source documents, and there are 9"
        return
    assert row["note"] == ""
    assert row["low"] < row["difference"] < row["high"]
    # Teams that did fewer documents still get none.
    assert all(table[team]["low"] is None for team in table if table[team]["documents"] < 10)


def test_an_interval_is_what_drawing_documents_gives() -> None:
    now, then = made(30, 3, noise=1)
    found = drifts(now, then, Resampling(resamples=4000))[-1]
    # By the textbook: the mean of differences of documents, with Student's t.
    sums = np.array(found.sums)
    each = sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]
    half = 2.045 * each.std(ddof=1) / np.sqrt(30)
    assert found.interval is not None
    assert found.interval.point == pytest.approx(each.mean(), abs=1e-9)
    assert found.interval.low == pytest.approx(each.mean() - half, abs=0.002)
    assert found.interval.high == pytest.approx(each.mean() + half, abs=0.002)


@pytest.mark.long
def test_the_alarm_is_raised_by_a_change_and_by_nothing_else() -> None:
    raised = [bool(alarms(drifts(*made(20, 6, seed=seed), QUICK), QUICK)) for seed in range(20)]
    assert sum(raised) == 20
    # Teams differ from each other by chance; documents are what is drawn.
    still = [
        bool(alarms(drifts(*made(40, 0, teams=2, noise=8, seed=seed), QUICK), QUICK))
        for seed in range(40)
    ]
    assert sum(still) <= 6
    few = drifts(*made(5, 30), QUICK)
    assert few[-1].difference == pytest.approx(0.3, abs=0.03)
    assert alarms(few, QUICK) == []


@pytest.mark.long
def test_the_mixed_model_finds_what_was_put_in() -> None:
    found = [mixed_model(*made(40, 4, teams=6, seed=seed)) for seed in range(8)]
    assert np.mean([each.point for each in found]) == pytest.approx(0.04, abs=0.006)
    inside = sum(each.low < 0.04 < each.high for each in found)  # type: ignore[operator]
    assert inside >= 7
    assert "12 teams, 10 degrees of freedom" in found[0].said
    row = list(drift_table([], found[0]).records())[-1]
    assert (row["team"], row["difference"]) == ("mixed model", found[0].point)


def test_the_mixed_model_is_left_out_where_data_are_few_and_says_so() -> None:
    assert mixed_model(*made(9, 3)).said == (
        "No mixed model: it needs 10 documents and two teams in each phase; here are 9 documents, "
        "4 teams now and 4 then."
    )
    now, then = made(20, 3)
    alone = [each._replace(team="A") for each in now]
    assert "1 teams now" in mixed_model(alone, then).said


def test_without_statsmodels_one_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "statsmodels.regression.mixed_linear_model", None)
    with pytest.raises(UsageError) as told:
        mixed_model(*made(12, 3))
    assert told.value.code == "report.no-statsmodels"
    assert "pip install madcat-studio[models]" in told.value.remedy
