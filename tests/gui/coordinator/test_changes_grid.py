"""What is better or worse by a change of the plan keeps its colour in every theme."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

import madcat_studio.gui
from madcat_studio.gui.coordinator.changesgrid import ChangesGrid
from madcat_studio.gui.settings import THEME, Settings
from madcat_studio.gui.theme import DARK, LIGHT, Theme
from madcat_studio.planning.draft import Change

CHANGES = [
    Change("cost of the kits", 0.9, 0.02, True),
    Change("carry-over", 1, 2, False),
    Change("kits", 1, 2, None),
]


@pytest.mark.long
def test_colours_follow_the_theme_while_they_are_shown(qtbot, qapp) -> None:
    settings = Settings()
    settings.set(THEME, "light")
    theme = Theme(qapp, settings)
    grid = ChangesGrid()
    qtbot.addWidget(grid)
    grid.fill(CHANGES)
    grid.show()
    for name, colours in (("light", LIGHT), ("dark", DARK), ("light", LIGHT)):
        settings.set(THEME, name)
        assert theme.dark is (name == "dark")
        found = {
            label.text(): label.palette().color(label.foregroundRole()).name()
            for label in grid.findChildren(QLabel)
            if label.text() in ("better", "worse")
        }
        assert found == {"better": colours.accent, "worse": colours.warning}


def test_no_widget_has_a_style_sheet_of_its_own() -> None:
    """Its colours would stay those of the theme in which it was made."""
    folder = Path(madcat_studio.gui.__file__).parent
    found = {
        path.name
        for path in folder.rglob("*.py")
        if re.search(r"\.setStyleSheet\(", path.read_text("utf-8"))
    }
    assert found == {"theme.py"}
