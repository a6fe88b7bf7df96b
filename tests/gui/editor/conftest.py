"""A small campaign, and somebody who sits down to edit its kit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gui.campaigns import make_campaign
from tests.gui.editor.people import Person
from tests.store.conftest import server

__all__ = ["server"]


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    return make_campaign(tmp_path / "مشروع small")


@pytest.fixture
def sit(make_window, qtbot, campaign: Path):
    def start(name: str) -> Person:
        person = Person(make_window(campaign), qtbot.waitUntil)
        person.sit_down(name)
        return person

    return start
