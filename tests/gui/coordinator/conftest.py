"""What the rooms of a coordinator are opened with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


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
