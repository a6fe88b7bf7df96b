"""What the rooms of a coordinator are opened with."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from madcat_studio.operations.scores import power


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


@pytest.fixture
def few_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cost is soon there; how sure it is has tests of its own."""
    few = partial(power.documents_needed, simulations=20)
    monkeypatch.setattr(power, "documents_needed", few)
