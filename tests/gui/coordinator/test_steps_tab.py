"""The path of a campaign in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from madcat_studio.cli.app import main
from madcat_studio.model.doors import Door
from madcat_studio.operations.campaign.steps import read_steps
from madcat_studio.paths import resources
from madcat_studio.store import open_campaign

DEMO = resources() / "demo"


def shown(tab) -> list[str]:
    return [label.text() for label in tab.findChildren(QLabel)]


def test_every_step_leads_to_one_action(make_window) -> None:
    doors = [action.door for action in make_window(None).commands.declared() if action.door]
    assert sorted(doors, key=lambda one: one.name) == sorted(
        set(Door) - {Door.PLAN}, key=lambda one: one.name
    ), "a plan is brought in from a table: there the view alone is shown"


@pytest.mark.long
def test_a_campaign_without_a_plan_shows_what_comes_next(
    make_window, qtbot, tmp_path: Path
) -> None:
    where = tmp_path / "campaign"
    command = ["campaign", "create", str(where), "--documents", str(DEMO / "reference")]
    command += ["--corpus", str(DEMO / "corpus.tsv"), "--teams", str(DEMO / "teams.tsv")]
    assert main([*command, "--system", f"juniper={DEMO / 'systems/juniper_1'}"]) == 0
    window = make_window(None)
    window.open(str(where), view="board")
    view = window.view("board")
    qtbot.waitUntil(lambda: view.tabs.currentWidget() is view.steps)
    qtbot.waitUntil(lambda: "Plan" in shown(view.steps))
    said = shown(view.steps)
    found = read_steps(str(where), tmp_path)
    assert found.next is not None
    assert found.next.key == "plan"
    assert said[0] == f"Next: Plan – {found.next.told}"
    for step in found.steps:
        assert step.title in said
        assert step.told in {one.removesuffix(" (optional)") for one in said}
    (button,) = [
        one for one in view.steps.findChildren(QPushButton) if one.objectName() == "primary"
    ]
    opened: list[tuple[str, str | None]] = []
    run: list[str] = []
    view.shell.open = lambda place, view=None: opened.append((place, view))
    view.shell.run = lambda action: run.append(action.id)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert opened == [(str(where), "plan")]
    assert run == ["plan.propose"]


@pytest.mark.long
def test_it_follows_the_campaign(make_window, qtbot, campaign: Path) -> None:
    window = make_window(None)
    window.open(str(campaign), view="board")
    view = window.view("board")
    qtbot.waitUntil(lambda: view.model.rowCount() == 2)
    assert view.tabs.currentWidget() is not view.steps
    view.tabs.setCurrentWidget(view.steps)
    qtbot.waitUntil(lambda: "Give out" in shown(view.steps))
    assert any("3 of 4 passes handed over" in one for one in shown(view.steps))
    with open_campaign(campaign) as opened:
        claim = opened.claims.available("blue2")[0]
        opened.claims.claim(claim.kit, claim.team, claim.pass_, "blue2", "there")
    view.look_again()
    qtbot.waitUntil(lambda: any("with blue2 (K1)" in one for one in shown(view.steps)))
