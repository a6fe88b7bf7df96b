"""What the board counts down to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog

from madcat_studio.gui.coordinator.calendardialog import CalendarDialog
from madcat_studio.gui.coordinator.countdown import countdown_text, countdown_texts
from madcat_studio.model.calendar import Calendar, Date
from madcat_studio.operations.campaign.calendar import (
    Calendars,
    countdown,
    countdowns,
    read_calendar,
    read_calendars,
    set_calendars,
    set_dates,
)
from tests.gui.campaigns import add_tracks

NOW = datetime(2048, 11, 1, tzinfo=UTC)


@pytest.mark.parametrize("date", Date)
@pytest.mark.parametrize(
    "left", [timedelta(seconds=1), timedelta(minutes=90), timedelta(hours=30), timedelta(days=9)]
)
def test_the_window_says_what_the_command_says(qapp, date: Date, left: timedelta) -> None:
    calendar = Calendar({date: NOW + left})
    assert countdown(calendar, NOW).startswith(countdown_text(calendar, NOW) + " (")
    assert date.told in countdown_text(calendar, NOW)
    assert countdown_text(calendar, NOW + left) == ""


def test_the_board_counts_down(make_window, qtbot, campaign: Path) -> None:
    set_dates(str(campaign), {Date.EDITING_ENDS: datetime.now(UTC) + timedelta(days=9, hours=12)})
    window = make_window(None)
    window.open(str(campaign), view="board")
    view = window.view("board")
    qtbot.waitUntil(lambda: "10 days until editing ends" in view.summary.text(), timeout=30_000)


@pytest.fixture
def dialog(make_window, qtbot, campaign: Path):
    set_dates(str(campaign), {Date.RESULTS: NOW.replace(second=7)})
    window = make_window(None)
    window.open(str(campaign), view="board")
    view = window.view("board")
    shown = CalendarDialog(view.shell, str(campaign), view)
    shown.show()
    qtbot.waitUntil(lambda: shown.calendars is not None, timeout=30_000)
    yield shown
    shown.reject()


@pytest.mark.long
def test_dates_are_written_in_the_window(dialog, qtbot, campaign: Path) -> None:
    local = NOW.astimezone()
    assert dialog.boxes[Date.RESULTS].text() == f"{local:%Y-%m-%d %H:%M}"
    dialog.boxes[Date.IMAGES_DUE].setText("2048-09-01 10:00")
    dialog.boxes[Date.TEXT_OUT].setText("2048-09-02")
    dialog.write()
    qtbot.waitUntil(lambda: dialog.result() == QDialog.DialogCode.Accepted, timeout=30_000)
    dates = read_calendar(str(campaign)).dates
    shown = [dates[date].astimezone().isoformat()[:19] for date in (Date.IMAGES_DUE, Date.TEXT_OUT)]
    assert shown == ["2048-09-01T10:00:00", "2048-09-02T23:59:59"]
    assert dates[Date.RESULTS] == NOW.replace(second=7)  # what was not changed has its seconds


@pytest.mark.parametrize(
    ("date", "spelt", "said"),
    [
        (Date.IMAGES_DUE, "soon", "soon is not a date"),
        (Date.IMAGES_DUE, "0001-01-01", "campaign.due-year"),
        (Date.EDITING_ENDS, "2048-12-24", "calendar.order"),
    ],
)
def test_what_cannot_be_meant_is_told_and_nothing_is_set(
    dialog, qtbot, campaign: Path, date: Date, spelt: str, said: str
) -> None:
    dialog.boxes[date].setText(spelt)
    dialog.write()
    qtbot.waitUntil(lambda: said in dialog.wrong.text(), timeout=30_000)
    assert dialog.isVisible()
    assert read_calendar(str(campaign)).dates == {Date.RESULTS: NOW.replace(second=7)}


# -- tracks -----------------------------------------------------------------------------------

SOON, LATER = NOW + timedelta(days=3), NOW + timedelta(days=9)


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({}, ["9 days until editing ends"]),
        ({"challenge": {}}, ["9 days until editing ends"]),
        ({"go": {}, "challenge": {Date.EDITING_ENDS: LATER}}, ["9 days until editing ends"]),
        (
            {"go": {}, "challenge": {Date.TEXT_DUE: SOON}},
            [
                "9 days until editing ends",
                "challenge: 3 days until results of text translation are due",
            ],
        ),
        # Where no track goes by the campaign's own, that is not told.
        ({"challenge": {Date.EDITING_ENDS: SOON}}, ["challenge: 3 days until editing ends"]),
        ({"go": {}, "challenge": {Date.EDITING_ENDS: NOW}}, ["9 days until editing ends"]),
    ],
)
def test_tracks_that_go_apart_count_down_apart(qapp, own, said: list[str]) -> None:
    dates = {track: Calendar(one) for track, one in own.items()}
    calendars = Calendars(Calendar({Date.EDITING_ENDS: LATER}), dates)
    assert countdown_texts(calendars, NOW) == said
    told = countdowns(calendars, NOW)
    assert len(told) == len(said)
    assert all(long.startswith(f"{short} (") for long, short in zip(told, said, strict=True))


def test_the_board_counts_down_for_each_track(make_window, qtbot, campaign: Path) -> None:
    add_tracks(campaign)
    now = datetime.now(UTC)
    ends = {"": now + timedelta(days=9, hours=12), "challenge": now + timedelta(days=4, hours=12)}
    set_calendars(str(campaign), {track: {Date.EDITING_ENDS: at} for track, at in ends.items()})
    window = make_window(None)
    window.open(str(campaign), view="board")
    view = window.view("board")
    said = "10 days until editing ends · challenge: 5 days until editing ends"
    qtbot.waitUntil(lambda: said in view.summary.text(), timeout=30_000)


@pytest.mark.long
def test_dates_of_tracks_are_written_in_the_window(make_window, qtbot, campaign: Path) -> None:
    add_tracks(campaign)
    set_dates(str(campaign), {Date.RESULTS: NOW})
    view = make_window(None)
    view.open(str(campaign), view="board")
    dialog = CalendarDialog(view.view("board").shell, str(campaign), view)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.calendars is not None, timeout=30_000)
    choices = dialog.tracks.list
    assert [choices.itemText(row) for row in range(choices.count())] == [
        "whole campaign",
        "challenge",
        "go-no-go",
    ]

    def turn(track: str) -> None:
        row = choices.findData(track)
        choices.setCurrentIndex(row)
        choices.activated.emit(row)

    dialog.boxes[Date.TEXT_DUE].setText("2048-09-03 10:00")
    turn("challenge")
    # Nothing of its own; where the campaign has a date, that is shown behind.
    assert dialog.boxes[Date.RESULTS].text() == ""
    assert dialog.boxes[Date.RESULTS].placeholderText() == f"{NOW.astimezone():%Y-%m-%d %H:%M}"
    assert dialog.states[Date.RESULTS].text().endswith(", by the campaign")
    assert dialog.boxes[Date.TEXT_DUE].placeholderText() == "no date"
    dialog.boxes[Date.IMAGES_DUE].setText("2048-09-01 10:00")
    dialog.boxes[Date.TEXT_OUT].setText("sometime")
    turn("go-no-go")
    dialog.write()
    # What is wrong is shown where it stands, and nothing is set.
    assert (dialog.tracks.track(), dialog.wrong.text()) == ("challenge", "sometime is not a date")
    assert dialog.boxes[Date.TEXT_OUT].text() == "sometime"
    assert read_calendar(str(campaign)).dates == {Date.RESULTS: NOW}
    dialog.boxes[Date.TEXT_OUT].setText("")
    turn("")
    assert dialog.boxes[Date.TEXT_DUE].text() == "2048-09-03 10:00"
    dialog.write()
    qtbot.waitUntil(lambda: dialog.result() == QDialog.DialogCode.Accepted, timeout=30_000)
    calendars = read_calendars(str(campaign))
    assert {*calendars.campaign.dates} == {Date.RESULTS, Date.TEXT_DUE}
    assert {*calendars.own["challenge"].dates} == {Date.IMAGES_DUE}
    assert calendars.own["go-no-go"].dates == {}


@pytest.mark.long
def test_one_track_alone_is_not_chosen(dialog) -> None:
    assert not dialog.tracks.isVisible()
