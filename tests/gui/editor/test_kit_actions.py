"""Every action of the kit view can be run, through the window, in a kit that is open."""

from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.model.campaign import Pass
from madcat_studio.operations.campaign.kit_files import export_kit
from madcat_studio.store import open_campaign
from tests.gui.editor.people import Person
from tests.gui.editor.test_returning import finish
from tests.gui.running import Runner, nobody_answers

LEAVES = ("kit.close", "kit.change-editor")


@pytest.mark.long
def test_every_action_of_a_kit_runs(sit, campaign: Path, monkeypatch) -> None:
    with open_campaign(campaign) as opened:
        opened.set_options({"editing.allow_return": True, "editing.coach": True})
        opened.set_guidelines("Edit little.")
    nobody_answers(monkeypatch)
    person = sit("red1")
    runner = Runner(person.window, "kit")
    person.rewrite("The mayor opened the old bridge.")
    runner.run("kit.undo", "kit.redo")
    runner.run_what_can_be(last=LEAVES)
    # Run in test_elsewhere.py and test_translated_page.py.
    elsewhere = ["kit.asides", "kit.take-over", "kit.translated"]
    assert runner.left == [
        "kit.revert-output",
        "kit.next-pair",
        "kit.previous-pair",
        *elsewhere,
        "kit.send-back",
        "kit.return",
        *LEAVES,
    ]
    runner.run("kit.pause")
    finish(person)
    person.sit_down("red2")
    runner.run("kit.revert-output", "kit.next-pair", "kit.previous-pair")
    runner.run("kit.send-back", "kit.close")
    person.wait(lambda: bool(person.view.desk_page.buttons))
    runner.run("kit.change-editor")
    assert runner.left == [*elsewhere, "kit.return"]


def test_a_copy_of_a_kit_that_came_as_a_file_runs(
    make_window, qtbot, campaign: Path, tmp_path: Path, monkeypatch
) -> None:
    nobody_answers(monkeypatch)
    path = tmp_path / "K1.madcat-kit"
    export_kit(str(campaign), "K1", "red", Pass.FIRST, "red1", path)
    person = Person(make_window(path), qtbot.waitUntil)
    person.wait(lambda: person.window.current_view() is not None)
    Runner(person.window, "kit").run("kit.return")
