"""The coordinator's board."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QInputDialog

from madcat_studio.gui.coordinator.board import alarm_text
from madcat_studio.gui.coordinator.boardmodel import BoardModel, ago_text
from madcat_studio.model.campaign import Pass, PassState
from madcat_studio.operations.campaign.board import STALLED_AFTER, read_board
from madcat_studio.operations.people.passes import set_due
from madcat_studio.reports.drift import ALL_TEAMS, Drift
from madcat_studio.scoring.resampling import Interval
from madcat_studio.store import open_campaign
from tests.gui.campaigns import CHANGES, finish
from tests.gui.helpers import can, run


def test_the_board_knows_every_pass_and_what_stalls(campaign: Path) -> None:
    board = read_board(str(campaign))
    states = {
        (row.team, one.progress.pass_): one.progress.state
        for row in board.rows
        for one in (row.first, row.review)
    }
    assert states == {
        ("red", Pass.FIRST): PassState.HANDED_OVER,
        ("red", Pass.REVIEW): PassState.HANDED_OVER,
        ("blue", Pass.FIRST): PassState.HANDED_OVER,
        ("blue", Pass.REVIEW): PassState.OPEN,
    }
    with open_campaign(campaign) as opened:
        opened.claims.claim("K1", "blue", Pass.REVIEW, "blue2", "there")
    later = datetime.now(UTC) + STALLED_AFTER
    assert not any(one.stalled for one in read_board(str(campaign)).passes)
    stalled = [
        one for one in read_board(str(campaign), now=later + timedelta(1)).passes if one.stalled
    ]
    assert [one.progress.editor for one in stalled] == ["blue2"]


@pytest.mark.long
def test_an_alarm_of_drift_stands_before_all_else(
    make_window, qtbot, campaign: Path, monkeypatch
) -> None:
    sums = ((60.0, 100.0, 20.0, 100.0),) * 12
    red = Drift("red", 12, 12, (720, 1200), (240, 1200), sums, Interval(0.4, 0.31, 0.48))
    monkeypatch.setattr("madcat_studio.gui.coordinator.board.read_alarms", lambda _: (red,))
    window = make_window(None)
    window.open(str(campaign), view="board")
    view = window.view("board")
    qtbot.waitUntil(lambda: view.alarm.text() == "⚠ Drift of red: +40.0 points of HTER")
    assert view.alarm.isVisible()
    assert view.alarm.toolTip() == (
        "Drift: Team red edits 40.0 points of HTER more on the control set than the earlier phase "
        "did [+31.0, +48.0], over 12 documents"
    )


@pytest.mark.long
def test_alarms_are_read_whole_and_what_is_left_gives_way(
    make_window, qtbot, campaign: Path, monkeypatch
) -> None:
    sums = ((60.0, 100.0, 20.0, 100.0),) * 12
    found = tuple(
        Drift(team, 12, 12, (720, 1200), (240, 1200), sums, Interval(0.4, 0.31, 0.48))
        for team in ("red", "blue", ALL_TEAMS)
    )
    monkeypatch.setattr("madcat_studio.gui.coordinator.board.read_alarms", lambda _: found)
    window = make_window(None)
    window.resize(1280, 720)
    window.open(str(campaign), view="board")
    view = window.view("board")
    qtbot.waitUntil(view.alarm.isVisible)
    assert view.alarm.text() == "⚠ Drift of red: +40.0 · blue: +40.0 points of HTER …"
    assert alarm_text(found[::2]) == "⚠ Drift of red: +40.0 · all teams: +40.0 points of HTER"
    assert view.alarm.accessibleDescription().count("12 documents") == 3
    view.summary.setText("so much of it is handed over " * 9)
    qtbot.waitUntil(lambda: view.summary.shown().endswith("…"))
    assert view.alarm.width() >= view.alarm.sizeHint().width()
    assert view.summary.shown().startswith("so much of it")


@pytest.mark.long
def test_rows_that_are_left_out_are_told_on_the_board(
    make_window, qtbot, campaign: Path, monkeypatch
) -> None:
    mark = "1 row breaks the rules of the campaign's tables and counts in no figure: claims"
    monkeypatch.setattr("madcat_studio.store.Campaign.left_out", lambda _: (mark,))
    window = make_window(None)
    window.open(str(campaign), view="board")
    view = window.view("board")
    qtbot.waitUntil(view.alarm.isVisible)
    assert view.alarm.text() == "⚠ Rows left out"
    assert view.alarm.toolTip() == mark


def test_times_are_told_as_people_do() -> None:
    now = datetime(2026, 1, 10, tzinfo=UTC)
    told = [ago_text(now - timedelta(seconds=s), now) for s in (-5, 30, 600, 7200, 400_000)]
    assert told == ["just now", "just now", "10 min ago", "2 h ago", "5 days ago"]


def test_a_pass_is_released_from_the_board(make_window, qtbot, campaign: Path, monkeypatch) -> None:
    with open_campaign(campaign) as opened:
        opened.claims.claim("K1", "blue", Pass.REVIEW, "blue2", "there")
    window = make_window(None)
    window.open(str(campaign), view="board")
    view = window.view("board")
    qtbot.waitUntil(lambda: view.model.rowCount() == 2)
    tester = QAbstractItemModelTester(
        view.model, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    assert "3 of 4 passes handed over" in view.summary.text()
    assert not can(view, "board.release")
    cell = view.model.index(1, BoardModel.REVIEW)
    assert cell.data().startswith("blue2")
    view.table.setCurrentIndex(cell)
    assert can(view, "board.release")
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: ("She is ill", True))
    run(view, "board.release")
    qtbot.waitUntil(lambda: cell.data().startswith("open"))
    assert not can(view, "board.release")
    with open_campaign(campaign) as opened:
        assert opened.claims.current("K1", "blue", Pass.REVIEW) is None
    del tester


def test_the_rest_of_the_kits_comes_below_the_first(qtbot, campaign: Path) -> None:
    model = BoardModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    whole = read_board(str(campaign))
    resets, inserted = [], []
    model.show_board(replace(whole, rows=whole.rows[:1], complete=False))
    model.modelReset.connect(lambda: resets.append(1))
    model.rowsInserted.connect(lambda _, first, last: inserted.append((first, last)))
    model.show_board(whole)
    assert (resets, inserted, model.rowCount()) == ([], [(1, 1)], 2)
    model.show_board(replace(whole, rows=whole.rows[1:]))
    assert (resets, model.rowCount()) == ([1], 1)
    del tester


@pytest.mark.long
def test_what_somebody_else_writes_appears_by_itself(make_window, qtbot, campaign: Path) -> None:
    window = make_window(None)
    window.open(str(campaign), view="board")
    view = window.view("board")
    qtbot.waitUntil(lambda: view.model.rowCount() == 2)
    qtbot.waitUntil(lambda: not view._watcher._queue.busy)
    set_due(str(campaign), ["K1"], datetime(2026, 1, 9, tzinfo=UTC), passes=[Pass.REVIEW])
    with open_campaign(campaign) as opened:
        opened.claims.claim("K1", "blue", Pass.REVIEW, "blue2", "there")
    cell = view.model.index(1, BoardModel.REVIEW)
    qtbot.waitUntil(lambda: cell.data().startswith("blue2"))
    assert cell.data().endswith("late, due 2026-01-09")
    assert "1 late" in view.summary.text()
    view.tabs.setCurrentWidget(view.trail)
    qtbot.waitUntil(lambda: view.trail.table.rows.rowCount() > 0)
    assert view.trail.table.rows.shown(0, 2) == "claim"
    view.tabs.setCurrentWidget(view.overlap)
    pair = view.overlap.map.model()
    qtbot.waitUntil(lambda: pair.rowCount() == 2)
    assert pair.index(0, 1).data() == "1"
    assert "red and blue: 1 kit shared" in pair.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)


@pytest.mark.long
def test_agreement_is_counted_when_it_is_looked_at(make_window, qtbot, campaign: Path) -> None:
    finish(campaign, "blue", Pass.REVIEW, "blue2", CHANGES)
    window = make_window(None)
    window.open(str(campaign), view="board")
    view = window.view("board")
    qtbot.waitUntil(lambda: view.model.rowCount() == 2)
    tab = view.agreement
    assert tab.raw.rows.rowCount() == 0
    view.tabs.setCurrentWidget(tab)
    qtbot.waitUntil(lambda: tab.raw.rows.rowCount() > 0)
    assert "4 of 5 segments have final texts by two teams" in tab.said.text()
    before = tab.raw.proxy.rowCount()
    tab.filter.setText("final")
    assert 0 < tab.raw.proxy.rowCount() < before
