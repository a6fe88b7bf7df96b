"""What the board counts down to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog

from madcat_studio.gui.coordinator.calendardialog import CalendarDialog
from madcat_studio.gui.coordinator.countdown import countdown_text
from madcat_studio.model.calendar import Calendar, Date
from madcat_studio.operations.campaign.calendar import countdown, read_calendar, set_dates

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
    qtbot.waitUntil(lambda: shown.calendar is not None, timeout=30_000)
    yield shown
    shown.reject()


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
        (Date.IMAGES_DUE, "soon", "soon is no date"),
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
