"""Every action of the page view can be run, through the window, on a page that is open."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from madcat_studio.edits import Outline, SetPolygon
from madcat_studio.gui.page.canvasactions import ACTIONS as CANVAS_ACTIONS
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.settings import QUEUE_NAME
from madcat_studio.workspace.page import PageWorkspace
from tests.gui.helpers import BROKEN, NORMAL, PageUser, copy_sample
from tests.gui.running import Runner, nobody_answers

FIRST, SECOND = ShapeKey(0, 0), ShapeKey(0, 1)
QUEUE = ("claim", "finish", "release", "reopen", "next", "give-back")


def another(page: Path, folder: Path) -> Path:
    """The same page with a word elsewhere."""
    folder.mkdir()
    path = copy_sample(NORMAL, folder, image=False)
    workspace = PageWorkspace.open(path)
    box = ((60, 60), (30, 60), (30, 90), (60, 90))
    workspace.execute(SetPolygon(Outline(0, 0, 0), box))
    workspace.save()
    workspace.close()
    return path


def compare(someone: PageUser, runner: Runner, other: Path) -> None:
    runner.run("page.compare")
    comparing = someone.view.features.comparing
    comparing.open(other)
    for answer in ("take-theirs", "keep-mine"):
        someone.wait(lambda: comparing.is_on and not comparing._jobs.busy)
        someone.wait(lambda: comparing.has_differences)
        runner.run("page.next-difference", "page.side-by-side", "page.previous-difference")
        runner.run(f"page.{answer}")
        runner.run("page.undo") if answer == "take-theirs" else None
    runner.run("page.compare")
    assert not comparing.is_on


def settle(someone: PageUser, runner: Runner, other: Path, monkeypatch) -> None:
    settling = someone.view.features.settling
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(other)], ""))
    runner.run("page.settle")
    someone.wait(lambda: settling._fresh and settling.has_current)
    runner.run(*(f"page.settle-version-{number}" for number in range(1, 6)))
    runner.run("page.settle-majority")
    someone.wait(lambda: not settling._jobs.busy)
    runner.run("page.settle")
    assert not settling.is_on


def work_through_the_queue(someone: PageUser, runner: Runner) -> None:
    queue = someone.view.features.queue
    for step in QUEUE:
        someone.wait(lambda: not queue._jobs.busy and queue.work is not None)
        runner.run(f"page.queue-{step}")
    someone.wait(lambda: not queue._jobs.busy)


def go_to_what_can_be_mended(view, runner: Runner) -> bool:
    for _ in range(view.side.problems.model.rowCount()):
        if not view.features.checking.can_mend:
            runner.run("page.problems")
    return view.features.checking.can_mend


@pytest.mark.long
def test_every_action_of_the_page_runs(user, tmp_path: Path, monkeypatch) -> None:
    nobody_answers(monkeypatch)
    page = copy_sample(NORMAL, tmp_path)
    other = another(page, tmp_path / "other")
    copy_sample(BROKEN, tmp_path, image=False)
    someone = user(tmp_path)
    someone.opened(page)
    someone.scan_is_there()
    someone.window.settings.set(QUEUE_NAME, "ana")
    view, canvas, runner = someone.view, someone.view.canvas, Runner(someone.window, "page")
    changes = ("page.save-as", "page.next", "page.previous")
    compare(someone, runner, other)
    work_through_the_queue(someone, runner)
    canvas.selection.select([FIRST])
    runner.run("page.fit-choice", "page.line-down", "page.save", "page.undo", "page.redo")
    canvas.selection.select([FIRST])
    runner.run("page.select-line", "page.fainter", "page.stronger")
    canvas.selection.select([FIRST, SECOND])
    runner.run("page.merge")
    runner.run("page.tool-brush", "page.brush-wider", "page.brush-narrower", "page.tool-select")
    runner.run("page.flow", "page.next-line", "page.previous-line", "page.next-open", "page.flow")
    settle(someone, runner, other, monkeypatch)
    runner.run("page.queue-pace")
    someone.wait(lambda: not view.features.queue._pace.busy)
    for _ in range(2):
        canvas.selection.select([FIRST])
        view.choice.outline(FIRST)
        runner.run_what_can_be(last=changes)
    runner.run("page.save-as", "page.next")
    someone.wait(lambda: view.workspace.path != page)
    someone.wait(lambda: view.features.checking.has_problems)
    someone.wait(
        lambda: (
            not view.features.checking._work.busy and not view.features.checking._timer.isActive()
        )
    )
    runner.run("page.previous-problem")
    go_to_what_can_be_mended(view, runner)
    runner.run("page.mend", "page.undo")
    someone.wait(lambda: go_to_what_can_be_mended(view, runner))
    runner.run("page.mend-all")
    runner.run("page.previous")
    someone.opened(page)
    assert runner.left == []


@pytest.mark.long
def test_every_key_of_the_page_runs(user, tmp_path: Path) -> None:
    """They are the canvas's own, in no menu: each does something, or lets its key go on."""
    someone = user(copy_sample(NORMAL, tmp_path, image=False))
    canvas = someone.view.canvas
    for chosen in ([FIRST], []):
        refused = []
        for action in CANVAS_ACTIONS:
            assert action.local
            assert action.enabled(canvas.tools)
            assert action.checked is None
            canvas.selection.select(chosen)
            if action.run(canvas.tools) is False:
                refused.append(action.id)
        canvas.tools.hold_space(False)
        # Only what moves the chosen outline has nothing to do where none is chosen.
        nudges = [action.id for action in CANVAS_ACTIONS if action.id.startswith("page.nudge-")]
        assert refused == ([] if chosen else nudges)
