"""Times at their edges: a year that cannot be meant, an hour that there is not, or is twice."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.cli.words import read_due
from madcat_studio.errors import UsageError
from madcat_studio.model.campaign import Kit, KitItem, Pass
from madcat_studio.store import create_campaign, open_campaign
from tests.store.conftest import fill


@pytest.fixture(autouse=True)
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("text", ["0001-01-01", "9999-12-31", "1970-12-31", "2200-01-01T00:00+14"])
def test_a_year_that_cannot_be_meant_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_due(text if len(text) <= 10 else text + ":00")
    assert caught.value.code == "campaign.due-year"


@pytest.mark.parametrize(
    ("text", "words"),
    [("2048-03-29T02:30", "skips this time"), ("2048-10-25T02:30", "shows this time twice")],
)
def test_a_time_that_the_clock_skips_or_doubles_is_refused(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        read_due(text)
    assert caught.value.code == "campaign.due-clock"
    assert read_due(text + "+01:00") == datetime.fromisoformat(text + "+01:00")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2048-03-29", datetime(2048, 3, 29, 21, 59, 59, tzinfo=UTC)),
        ("2048-03-29T01:59", datetime(2048, 3, 29, 0, 59, tzinfo=UTC)),
        ("2048-03-29T03:00", datetime(2048, 3, 29, 1, 0, tzinfo=UTC)),
        ("2048-10-25", datetime(2048, 10, 25, 22, 59, 59, tzinfo=UTC)),
        ("2048-10-25T01:59", datetime(2048, 10, 24, 23, 59, tzinfo=UTC)),
        ("2048-10-25T03:00", datetime(2048, 10, 25, 2, 0, tzinfo=UTC)),
        ("none", None),
    ],
)
def test_the_other_times_of_those_days_are_as_the_clock_shows_them(
    text: str, moment: datetime | None
) -> None:
    assert read_due(text) == moment


@pytest.mark.long
def test_many_passes_are_one_entry_of_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = str(tmp_path / "c")
    with create_campaign(where, "x") as campaign:
        fill(campaign)  # two kits
        for number in range(3, 67):
            items = (KitItem("Alpha", "A.x_1_S2"),)
            campaign.plans.plan_kit(Kit(f"K{number}", items, practice=True))
    assert main(["campaign", "due", where, "0001-01-01"]) == 2
    assert "campaign.due-year" in capsys.readouterr().err
    assert main(["campaign", "due", where, "2048-03-01", "--pass", "first"]) == 0
    with open_campaign(where) as campaign:
        [entry] = [one for one in campaign.audit_trail() if one.action == "set due date"]
        named = ", ".join(f"K{number}" for number in range(1, 11))
        assert entry.subject == f"66 kits: {named} and 56 more, first pass"
        assert len(campaign.schedule.due()) == 66
        assert {pass_ for _, pass_ in campaign.schedule.due()} == {Pass.FIRST}
    assert main(["campaign", "due", where, "2048-03-02"]) == 0
    with open_campaign(where) as campaign:
        entries = [one for one in campaign.audit_trail() if one.action == "set due date"]
        assert entries[0].subject == f"66 kits: {named} and 56 more, first and review pass"
        assert len(entries) == 2, "one for each time that somebody set dates"
        assert len(campaign.schedule.due()) == 132
