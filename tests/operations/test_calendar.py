"""The calendar of a campaign, and that nothing is shown, given out or taken in before its time."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import ConflictError, InputError, UsageError
from madcat_studio.model.calendar import Calendar, Date, option_of
from madcat_studio.model.campaign import Assignment, DataSet, Kit, KitItem, Pass, System
from madcat_studio.operations.campaign.board import read_board
from madcat_studio.operations.campaign.calendar import (
    countdown,
    in_words,
    read_calendar,
    read_calendars,
    release_of,
    set_calendars,
    set_dates,
)
from madcat_studio.operations.pages.derive import Release, derive_files
from madcat_studio.operations.submission import receive_submission
from madcat_studio.pages.derive import Task
from madcat_studio.store import give_out, open_campaign
from tests.gui.campaigns import add_tracks, make_campaign

DATA = Path(__file__).parent.parent / "data" / "madcat"
BASE = "ZZN_ARB_20991231.0001_1_SCR0001"
NOW = datetime(2048, 11, 1, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def where(tmp_path: Path) -> Path:
    return make_campaign(tmp_path / "campaign")


def later(**days: float) -> dict[Date, datetime | None]:
    """Dates so many days from the real present, by which claims are judged."""
    return {Date(name): datetime.now(UTC) + timedelta(days=many) for name, many in days.items()}


def test_dates_are_set_shown_and_taken_away(
    where: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spelt = ["images_due=2048-11-18T10:00-05:00", "text-out=2048-11-18T15:00-05:00"]
    assert main(["campaign", "calendar", str(where), *spelt]) == 0
    shown = capsys.readouterr().out
    assert "images_due        2048-11-18 15:00 UTC   to come   results of the image tasks" in shown
    assert " until results of the image tasks are due (2048-11-18 15:00 UTC)" in shown
    assert read_calendar(str(where)).dates == {
        Date.IMAGES_DUE: datetime(2048, 11, 18, 15, tzinfo=UTC),
        Date.TEXT_OUT: datetime(2048, 11, 18, 20, tzinfo=UTC),
    }
    assert main(["campaign", "calendar", str(where), "text_out=none", "--format", "json"]) == 0
    dates = json.loads(capsys.readouterr().out)["dates"]
    assert dates["images_due"] == "2048-11-18T15:00:00+00:00"
    assert dates["text_out"] is None
    assert main(["campaign", "status", str(where)]) == 0
    assert "Calendar: " in capsys.readouterr().out
    assert main(["campaign", "log", str(where)]) == 0
    assert "calendar.images_due=2048-11-18T15:00:00+00:00" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("spelt", "code"),
    [
        (["party=2048-11-18"], "calendar.date"),
        (["images_due"], "calendar.date"),
        (["images_due=soon"], "campaign.due"),
        (["images_due=2048-11-20", "text_out=2048-11-19"], "calendar.order"),
        (["editing_begins=2048-11-20", "editing_ends=2048-11-19"], "calendar.order"),
    ],
)
def test_what_makes_no_sense_changes_nothing(
    where: Path, spelt: list[str], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["campaign", "calendar", str(where), *spelt]) == 2
    assert f"[{code}]" in " ".join(capsys.readouterr().err.split())
    assert read_calendar(str(where)).dates == {}


def test_an_option_that_is_no_moment_is_told(where: Path) -> None:
    for value in ("2048-11-18T10:00", "soon", 3):
        with pytest.raises(InputError) as refused:
            Calendar.of({option_of(Date.IMAGES_DUE): value})
        assert refused.value.code == "calendar.moment"
    arguments = ["campaign", "set", str(where), "calendar.images_due=soon"]
    assert main(arguments) == 2
    assert Calendar.of({}).dates == {}


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (timedelta(seconds=20), "1 minute"),
        (timedelta(minutes=119), "119 minutes"),
        (timedelta(hours=2), "2 hours"),
        (timedelta(hours=47, minutes=1), "48 hours"),
        (timedelta(days=2), "2 days"),
        (timedelta(days=3, seconds=1), "4 days"),
    ],
)
def test_what_is_left_is_never_told_shorter(left: timedelta, said: str) -> None:
    assert in_words(left) == said
    calendar = Calendar({Date.RESULTS: NOW + left, Date.TRAINING_OUT: NOW - DAY})
    assert countdown(calendar, NOW).startswith(f"{said} until final results are due (")


def test_nothing_is_claimed_before_editing_begins(where: Path) -> None:
    set_dates(str(where), later(editing_begins=2))
    with open_campaign(where) as campaign:
        claims = [
            lambda: campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here"),
            lambda: campaign.claims.claim_next("red1", "here"),
            lambda: give_out(
                campaign, "K1", "red", Pass.FIRST, "red1", where.parent / "kit.madcatkit"
            ),
        ]
        for claim in claims:
            with pytest.raises(ConflictError) as refused:
                claim()
            assert refused.value.code == "store.editing-not-begun"
        assert not campaign.claims.any()
        assert not (where.parent / "kit.madcatkit").exists()
        # A practice kit is what one practises on before.
        campaign.contents.add_system(System("Practice", "P1"))
        campaign.contents.add_output("Practice", "D_1_S1", b"<p/>", {"s1": "The mayor opened."})
        campaign.plans.plan_kit(Kit("P", (KitItem("Practice", "D_1_S1"),), practice=True))
        campaign.plans.assign("P", [Assignment("P", "red", "red1", "red2")])
        assert campaign.claims.claim("P", "red", Pass.FIRST, "red1", "here").turn == 1
    # The coordinator may bring it forward, also later on: the dates are never frozen.
    set_dates(str(where), later(editing_begins=-1))
    with open_campaign(where) as campaign:
        assert campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here").turn == 1
    set_dates(str(where), later(editing_begins=3))
    with open_campaign(where) as campaign:
        # What is held goes on.
        assert campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here").turn == 1
        with pytest.raises(ConflictError):
            campaign.claims.claim("K1", "blue", Pass.FIRST, "blue1", "here")


def test_the_board_has_the_calendar(where: Path) -> None:
    set_dates(str(where), {Date.EDITING_ENDS: NOW})
    board = read_board(str(where))
    assert board.calendars.campaign.dates == {Date.EDITING_ENDS: NOW}


@pytest.mark.parametrize(
    ("purpose", "task", "date"),
    [
        (DataSet.EVALUATION, Task.LINE, Date.IMAGES_OUT),
        (DataSet.PROGRESS, Task.WORD, Date.IMAGES_OUT),
        (DataSet.EVALUATION, Task.TEXT, Date.IMAGES_DUE),
        (DataSet.EVALUATION, Task.TEXT, Date.TEXT_OUT),
        (DataSet.DEVELOPMENT, Task.LINE, Date.DEVELOPMENT_OUT),
        (DataSet.TRAINING, Task.LINE, Date.TRAINING_OUT),
    ],
)
def test_inputs_are_given_out_from_their_date_on_and_not_before(
    tmp_path: Path, purpose: DataSet, task: Task, date: Date
) -> None:
    reference = DATA / f"{BASE}.madcat.xml"
    calendar = Calendar({date: NOW})

    def write(now: datetime) -> list[object]:
        release = Release(True, purpose, calendar=calendar, now=now)
        return list(derive_files([reference], tmp_path / "out", task, release))

    # That somebody says the image tasks are closed does not open what the calendar keeps.
    with pytest.raises(UsageError) as refused:
        write(NOW - timedelta(seconds=1))
    assert refused.value.code == "derive.before-time"
    assert not (tmp_path / "out").exists()
    (made,) = write(NOW)
    assert made.output is not None  # type: ignore[attr-defined]
    for other in set(Date) - {date, Date.IMAGES_DUE, Date.TEXT_OUT, Date.IMAGES_OUT}:
        early = Release(True, purpose, calendar=Calendar({other: NOW + DAY}), now=NOW)
        assert early.before_time(task, BASE) is None


def test_the_calendar_closes_the_image_tasks(tmp_path: Path) -> None:
    due = Calendar({Date.IMAGES_DUE: NOW})
    assert not Release(True, calendar=due, now=NOW - DAY).closed(BASE)
    assert Release(False, calendar=due, now=NOW).closed(BASE)
    assert not Release(False, now=NOW).closed(BASE)


def test_a_campaigns_sequestered_passages_bind_the_command_line(
    where: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = release_of(str(where), DataSet.TRAINING)
    assert release.refuses("D_1_S1") == ""
    assert "which passage" in release.refuses(BASE)
    arguments = ["derive", str(DATA / f"{BASE}.madcat.xml"), "--task", "lineseg"]
    arguments += ["--out", str(tmp_path / "out"), "--campaign", str(where)]
    assert main(arguments) == 0
    assert "1 left out" in capsys.readouterr().out
    set_dates(str(where), later(images_out=1))
    assert main(arguments) == 2
    assert "derive.before-time" in capsys.readouterr().err
    assert main([*arguments, "--corpus", "x", "--sequestered", "y"]) == 2
    assert "derive.two-lists" in capsys.readouterr().err


def test_a_submission_is_late_by_the_calendar(tmp_path: Path) -> None:
    inputs, outputs = tmp_path / "inputs", tmp_path / "plato_1"
    inputs.mkdir()
    outputs.mkdir()
    for kind in ("lineseg", "textseg"):
        shutil.copy(DATA / f"{BASE}.{kind}.madcat.xml", inputs)
    shutil.copy(DATA / f"{BASE}.linesys.madcat.xml", outputs)
    from madcat_studio.operations.submission import pack_submission

    archive, _ = pack_submission(outputs, inputs)

    def late(now: datetime, **dates: datetime) -> bool:
        calendar = Calendar({Date(name): moment for name, moment in dates.items()})
        row, _ = receive_submission(archive, inputs, tmp_path / "kept", calendar=calendar, now=now)
        return row.late

    assert late(NOW, images_due=NOW - DAY)
    assert not late(NOW, images_due=NOW)
    assert not late(NOW, text_due=NOW - DAY)  # of another task
    assert not late(NOW)


# -- tracks -----------------------------------------------------------------------------------


@pytest.fixture
def tracked(where: Path) -> Path:
    """Pages of two tracks, besides that of none."""
    add_tracks(where, {BASE: "challenge", "D_1_S9": "go-no-go"})
    return where


@pytest.mark.long
def test_a_track_has_dates_of_its_own_and_goes_by_the_campaigns_else(
    tracked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = str(tracked)
    set_dates(where, {Date.IMAGES_DUE: NOW, Date.RESULTS: NOW + 9 * DAY})
    asked = ["campaign", "calendar", where, "--track", "challenge"]
    assert main([*asked, "images_due=2048-11-04T00:00Z", "text_out=2048-11-05T00:00Z"]) == 0
    shown = capsys.readouterr().out
    assert (
        "images_due        2048-11-04 00:00 UTC   to come   results of the image tasks are due"
        in shown
    )
    assert "results of the image tasks are due (the track's own)" in shown
    assert "final results are due\n" in shown
    calendars = read_calendars(where)
    assert dict(calendars.of("challenge").dates) == {
        Date.IMAGES_DUE: NOW + 3 * DAY,
        Date.TEXT_OUT: NOW + 4 * DAY,
        Date.RESULTS: NOW + 9 * DAY,
    }
    assert calendars.of("go-no-go") == calendars.campaign == read_calendar(where)
    assert main([*asked, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["track"], told["own"]) == ("challenge", ["images_due", "text_out"])
    assert told["dates"]["results"] == "2048-11-10T00:00:00+00:00"
    # What comes next of those that go apart is told of each.
    assert main(["campaign", "calendar", where]) == 0
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Next: ")]
    assert len(said) == 2
    assert said[0].endswith("until results of the image tasks are due (2048-11-01 00:00 UTC)")
    assert said[1].startswith("Next: challenge: ")
    assert main(["campaign", "status", where]) == 0
    assert "Calendar: challenge: " in capsys.readouterr().out
    # Taken away, the campaign's holds again.
    assert main([*asked, "images_due=none", "text_out=none"]) == 0
    assert read_calendar(where, "challenge") == read_calendar(where)


@pytest.mark.parametrize(
    ("spelt", "code"),
    [
        (["--track", "chalenge", "images_due=2048-11-18"], "calendar.no-track"),
        (["--track", "chalenge", "images_due=none"], "calendar.no-track"),
        (["--track", "chalenge"], "calendar.no-track"),
        # Against a date of the campaign's that holds for the track as well, from either side.
        (["--track", "challenge", "images_due=2048-12-01"], "calendar.order"),
        (["text_out=2048-11-02T12:00Z", "images_due=2048-11-01T12:00Z"], "calendar.order"),
    ],
)
def test_a_track_that_is_none_or_out_of_order_changes_nothing(
    tracked: Path, spelt: list[str], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    where = str(tracked)
    set_calendars(
        where, {"": {Date.TEXT_OUT: NOW + 9 * DAY}, "challenge": {Date.IMAGES_DUE: NOW + 2 * DAY}}
    )
    before = read_calendars(where)
    assert main(["campaign", "calendar", where, *spelt]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert f"[{code}]" in " ".join(said.err.split())
    assert read_calendars(where) == before


def test_an_option_of_a_track_is_held_as_the_calendar_is(
    tracked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("images_due@chalenge", "images_due@", "party@challenge"):
        assert main(["campaign", "set", str(tracked), f"calendar.{name}=2048-11-18T10:00Z"]) == 2
        assert capsys.readouterr().err.count("[") == 1
    assert read_calendars(str(tracked)).of("challenge").dates == {}
    option = "calendar.images_due@challenge=2048-11-18T10:00-05:00"
    assert main(["campaign", "set", str(tracked), option]) == 0
    with open_campaign(tracked, read_only=True) as campaign:
        kept = campaign.options()["calendar.images_due@challenge"]
    assert kept == "2048-11-18T15:00:00+00:00"


def test_each_input_is_given_out_by_the_calendar_of_its_track(
    tracked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_calendars(str(tracked), {"": later(images_out=-1), "challenge": later(images_out=1)})
    release = release_of(str(tracked), DataSet.EVALUATION)
    early = [release.before_time(Task.LINE, base) for base in (BASE, "D_1_S9", "D_1_S1")]
    assert [one is not None for one in early] == [True, False, False]
    folder = tmp_path / "references"
    folder.mkdir()
    for base in (BASE, "D_1_S9"):
        shutil.copy(DATA / f"{BASE}.madcat.xml", folder / f"{base}.madcat.xml")
    arguments = ["derive", str(folder), "--task", "lineseg", "--out", str(tmp_path / "out")]
    arguments += ["--campaign", str(tracked)]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    assert "1 file written" in said
    assert "not given out before" in said
    assert [one.name for one in (tmp_path / "out").iterdir()] == ["D_1_S9.lineseg.madcat.xml"]
    # Of that track alone nothing can be given out, and that is an error.
    (folder / "D_1_S9.madcat.xml").unlink()
    assert main(arguments) == 2
    assert "derive.before-time" in capsys.readouterr().err
    # Transcriptions wait for the image tasks of their own track.
    set_calendars(str(tracked), {"": later(images_due=-1), "challenge": later(images_due=1)})
    release = release_of(str(tracked), DataSet.EVALUATION)
    assert [release.closed(base) for base in (BASE, "D_1_S9")] == [False, True]


def test_a_submission_is_late_by_the_calendar_of_its_track(
    tracked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from madcat_studio.operations.submission import pack_submission

    inputs, outputs = tmp_path / "inputs", tmp_path / "plato_1"
    inputs.mkdir()
    outputs.mkdir()
    shutil.copy(DATA / f"{BASE}.lineseg.madcat.xml", inputs)
    shutil.copy(DATA / f"{BASE}.linesys.madcat.xml", outputs)
    archive, _ = pack_submission(outputs, inputs)
    set_calendars(str(tracked), {"": later(images_due=-1), "challenge": later(images_due=1)})
    arguments = ["submission", "receive", str(archive), "--inputs", str(inputs), "--into"]
    arguments += [str(tmp_path / "kept"), "--campaign", str(tracked)]

    def late(*more: str) -> bool:
        assert main([*arguments, *more]) == 0
        return ", late:" in capsys.readouterr().out

    assert late("--track", "go-no-go")  # by the campaign's date
    assert not late("--track", "challenge")  # by its own
    kept = len([*(tmp_path / "kept").iterdir()])
    for more, code in (
        ([], "calendar.which-track"),
        (["--track", "chalenge"], "calendar.no-track"),
    ):
        assert main([*arguments, *more]) == 2
        assert f"[{code}]" in " ".join(capsys.readouterr().err.split())
    assert main([*arguments[:-2], "--track", "challenge"]) == 2
    assert "[submission.track-alone]" in " ".join(capsys.readouterr().err.split())
    assert len([*(tmp_path / "kept").iterdir()]) == kept
    # Where all are due together, no track has to be named.
    set_dates(str(tracked), {Date.IMAGES_DUE: None}, "challenge")
    assert late()
