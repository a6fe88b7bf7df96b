"""What the board counts down to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from madcat_studio.gui.coordinator.countdown import countdown_text
from madcat_studio.model.calendar import Calendar, Date
from madcat_studio.operations.campaign.calendar import countdown, set_dates

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
