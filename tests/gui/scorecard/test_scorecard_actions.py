"""Every action of the evaluation view can be run, through the window, on a result."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gui.running import Runner, nobody_answers


@pytest.mark.long
def test_every_action_of_a_result_runs(ltb: Path, opened, monkeypatch) -> None:
    nobody_answers(monkeypatch)
    view = opened(ltb)
    view.show_table("documents")
    view.table.setCurrentIndex(view.proxy.index(0, 0))
    runner = Runner(view.window(), "scorecard")
    runner.run_what_can_be()
    assert runner.left == []
