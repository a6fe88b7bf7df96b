"""What the program asks Qt before it says that a window can be opened."""

from __future__ import annotations

import json

import pytest

from madcat_studio.gui.probe import main


def test_it_tells_qt_display_and_letters(qapp, capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    found = json.loads(capsys.readouterr().out)
    assert found["platform"] == "offscreen"
    assert found["qt"].startswith("6.")
    assert found["arabic"]
    assert all("x" in screen for screen in found["screens"])
