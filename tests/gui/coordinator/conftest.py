"""A campaign of which one team has handed everything over and the other one kit's first pass."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_studio.model.campaign import Pass
from madcat_studio.store import open_campaign
from madcat_studio.workspace.kit import KitWorkspace
from tests.gui.campaigns import make_campaign

CHANGES = {
    "s2": "He did not name the builder.",
    "s3": "The bridge is 187 metres long.",
    "s5": "The Minister spoke at last.",
}


def finish(campaign: Path, team: str, pass_: Pass, editor: str, changes: dict[str, str]) -> None:
    """One pass, done by its editor."""
    with open_campaign(campaign) as opened:
        claim = opened.claims.claim("K1", team, pass_, editor, "here")
        kit = KitWorkspace(opened, claim, folder=campaign.parent / "spools")
        while kit.check():
            name = kit.segments[kit.current].name.segment
            if name in changes:
                kit.set_text(changes[name], 0)
            kit.confirm_and_next()
        kit.hand_over()


@pytest.fixture(scope="session")
def _edited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """To be copied: editing it anew for each test takes longer."""
    where = make_campaign(tmp_path_factory.mktemp("edited") / "campaign")
    finish(where, "red", Pass.FIRST, "red1", {})
    finish(where, "red", Pass.REVIEW, "red2", CHANGES)
    finish(where, "blue", Pass.FIRST, "blue1", {"s2": "He did not name a builder."})
    return where


@pytest.fixture
def campaign(_edited: Path, tmp_path: Path) -> Path:
    return shutil.copytree(_edited, tmp_path / "حملة")


@pytest.fixture
def report(make_window, qtbot, campaign: Path) -> Callable[[], object]:
    """Opens the report of the campaign."""

    def start():
        window = make_window(None)
        window.open(str(campaign), view="report")
        view = window.view("report")
        qtbot.waitUntil(lambda: view.model.rowCount() > 0)
        return view

    return start
