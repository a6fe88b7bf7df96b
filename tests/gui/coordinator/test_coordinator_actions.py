"""Every action of plan, board and report can be run, through the window, in a campaign."""

from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.gui.coordinator.boardmodel import BoardModel
from madcat_studio.model.campaign import Pass
from madcat_studio.model.sittings import AS_FILE
from madcat_studio.store import open_campaign
from tests.gui.campaigns import make_campaign
from tests.gui.running import Runner, nobody_answers


@pytest.mark.long
def test_every_action_of_the_plan_runs(make_window, qtbot, tmp_path: Path, monkeypatch) -> None:
    nobody_answers(monkeypatch)
    where = make_campaign(tmp_path / "campaign")
    window = make_window(None)
    window.open(str(where), view="plan")
    view = window.view("plan")
    kits = view.kits
    qtbot.waitUntil(lambda: kits.state is not None)
    runner = Runner(window, "plan")
    change = kits.state.preview("Turn", lambda draft: draft.with_roles_turned("K1", "red"))
    kits.state.make(change)
    kits.show_state(kits.state)
    kits.tree.choose(kits.model.index(0, 0, kits.model.index(0, 0)))
    runner.run("plan.undo", "plan.redo", "plan.accept")
    qtbot.waitUntil(lambda: view.is_ready and not kits.modified)
    qtbot.waitUntil(lambda: not view._reader.busy)
    kits.tree.choose(kits.model.index(0, 0, kits.model.index(0, 0)))
    runner.run_what_can_be(last=("plan.drop", "plan.next-tab"))
    runner.run("plan.next-tab", "plan.drop")
    qtbot.waitUntil(lambda: kits.state is not None and not view._reader.busy)
    assert runner.left == []


@pytest.mark.long
def test_every_action_of_the_board_runs(make_window, qtbot, campaign: Path, monkeypatch) -> None:
    nobody_answers(monkeypatch)
    with open_campaign(campaign) as opened:
        claim = opened.claims.claim("K1", "blue", Pass.REVIEW, "blue2", "there")
        opened.sittings.sit(claim, AS_FILE, "bundle")
    window = make_window(None)
    window.open(str(campaign), view="board")
    view = window.view("board")
    qtbot.waitUntil(lambda: view.model.rowCount() == 2)
    view.table.setCurrentIndex(view.model.index(1, BoardModel.REVIEW))
    runner = Runner(window, "board")
    runner.run_what_can_be(last=("board.next-tab",))
    runner.run("board.next-tab")
    assert runner.left == []


@pytest.mark.long
def test_every_action_of_the_report_runs(report, qtbot, monkeypatch) -> None:
    nobody_answers(monkeypatch)
    view = report()
    runner = Runner(view.window(), "report")
    view.show_table("segments")
    view.table.setCurrentIndex(view.proxy.index(0, 0))
    later = ("report.refresh", "report.pictures")
    runner.run_what_can_be(last=later)
    runner.run(*reversed(later))
    qtbot.waitUntil(lambda: view.ready)
    assert runner.left == []
