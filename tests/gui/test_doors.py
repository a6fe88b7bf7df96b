"""The demo: made with a bar, and three ways into it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_studio.errors import WorldError
from madcat_studio.formats.tables import read_table
from madcat_studio.gui.doors import _EDITOR, Doors
from madcat_studio.paths import resources
from madcat_studio.progress import Cancelled, Progress
from tests.gui.campaigns import make_campaign
from tests.gui.helpers import SMALL, copy_sample


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As the demo is laid out, and made in no time."""
    folder = make_campaign(tmp_path / "demo")
    (folder / "pages").mkdir()
    copy_sample(SMALL, folder / "pages")
    monkeypatch.setattr("madcat_studio.gui.doors._EDITOR", "blue1")
    return folder


def test_the_demos_editor_has_a_kit_that_waits() -> None:
    plan = read_table(
        resources() / "demo" / "assignments.tsv", required=("kit", "team", "first")
    ).rows
    edits = read_table(resources() / "demo" / "edits.tsv", required=("kit", "team"))
    begun = {(row["kit"], row["team"]) for row in edits.rows}
    hers = [row for row in plan if row["first"] == _EDITOR]
    assert any((row["kit"], row["team"]) not in begun for row in hers)


@pytest.fixture
def opened(make_window, monkeypatch) -> Callable[[object], tuple[object, Doors]]:
    def open_(make: object) -> tuple[object, Doors]:
        monkeypatch.setattr("madcat_studio.gui.demo.demo_campaign", make)
        window = make_window()
        window.commands.named("file.open-demo").trigger()
        doors = window.findChild(Doors)
        assert doors is not None
        return window, doors

    return open_


@pytest.mark.parametrize(("door", "view"), [(0, "page"), (1, "kit"), (2, "board")])
def test_each_door_leads_to_work_that_is_there(opened, demo: Path, qtbot, door, view) -> None:
    window, doors = opened(lambda _: demo)
    qtbot.waitUntil(doors.doors[0].isEnabled)
    assert doors.isVisible()
    assert [door is doors.focusWidget() for door in doors.doors] == [True, False, False]
    doors.doors[door].click()
    assert not doors.isVisible()
    qtbot.waitUntil(lambda: window.front() == view, timeout=20_000)
    shown = window.view(view)
    if view == "page":
        qtbot.waitUntil(shown.splitter.isVisible, timeout=20_000)
    elif view == "kit":
        # As an editor who has a kit that waits for her.
        assert shown.desk_page.who.currentText().startswith("Bo,")
        qtbot.waitUntil(lambda: bool(shown.desk_page.buttons), timeout=20_000)


def test_the_work_is_shown_and_can_be_stopped(opened, qtbot) -> None:
    begun, ended = threading.Event(), threading.Event()

    def make(progress: Progress) -> Path:
        progress.advance(1, 4, "scoring")
        begun.set()
        while not progress.cancelled():
            ended.wait(0.01)
        ended.set()
        raise Cancelled

    window, doors = opened(make)
    assert begun.wait(10)
    qtbot.waitUntil(lambda: "scoring" in doors.bar._text.text())
    assert doors.bar.isVisible()
    assert not any(door.isEnabled() for door in doors.doors)
    doors.bar.stop.click()
    assert ended.wait(10)
    qtbot.waitUntil(lambda: not doors.isVisible())
    # And again, from the beginning.
    window.commands.named("file.open-demo").trigger()
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(Doors)))
    window.close()
    assert not window.isVisible()


def test_a_demo_that_cannot_be_made_is_told(opened, qtbot) -> None:
    def make(_: Progress) -> Path:
        raise WorldError("demo.not-installed", "The files of the demo campaign are not there")

    window, doors = opened(make)
    qtbot.waitUntil(lambda: not doors.isVisible())
    qtbot.waitUntil(lambda: window.message_bar.message is not None)
    assert "not there" in window.message_bar.message.text
