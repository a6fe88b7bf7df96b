"""The coach and the list of things to see to: in a low window they share one place."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QTabBar

from madcat_studio.gui.editor.lowerpanel import LOW
from madcat_studio.store import open_campaign
from tests.gui.campaigns import make_campaign
from tests.gui.editor.people import Person


@pytest.fixture
def person(make_window, qtbot, tmp_path: Path) -> Person:
    where = make_campaign(tmp_path / "coached")
    with open_campaign(where) as opened:
        opened.set_options({"editing.coach": True})
    person = Person(make_window(where), qtbot.waitUntil)
    person.sit_down("red1")
    person.rewrite("The mayor opened a new bridge.")
    person.wait(lambda: bool(person.view.kit_page.coach.advice))
    return person


def seen(person: Person) -> tuple[bool, bool, bool]:
    """Whether the coach, the list and the tabs are to be seen."""
    page = person.view.kit_page
    parts = (page.coach.bar, page.findings, page.below.tabs)
    return tuple(part.isVisible() for part in parts)  # type: ignore[return-value]


@pytest.mark.long
def test_in_a_low_window_one_is_in_front_and_keys_bring_the_other(person: Person) -> None:
    page = person.view.kit_page
    person.window.resize(1280, LOW - 80)
    assert seen(person) == (True, False, False)
    person.press("F5")
    person.wait(page.findings.isVisible)
    assert seen(person) == (False, True, True)
    person.press("F9")
    assert seen(person) == (True, False, True)
    assert page.below.tabs.currentIndex() == 0
    person.press("F5")
    person.wait(lambda: seen(person) == (False, True, True))
    tabs = page.below.tabs
    QTest.mouseClick(
        tabs, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, tabs.tabRect(0).center()
    )
    assert seen(person) == (True, False, True)
    assert isinstance(tabs, QTabBar)
    page.findings.close_panel()
    assert seen(person) == (True, False, False)


@pytest.mark.long
def test_in_a_high_window_both_are_seen(person: Person) -> None:
    page = person.view.kit_page
    person.window.resize(1280, LOW + 80)
    person.press("F5")
    person.wait(page.findings.isVisible)
    assert seen(person) == (True, True, False)
    person.window.resize(1280, LOW - 80)
    person.wait(lambda: seen(person) == (False, True, True))


@pytest.mark.long
def test_nothing_is_cut_at_1280_by_720(person: Person) -> None:
    page = person.view.kit_page
    person.window.resize(1280, 720)
    person.press("F5")
    person.wait(page.findings.isVisible)
    for panel in (page.findings, page.coach.bar):
        if panel is page.coach.bar:
            person.press("F9")
        person.wait(panel.isVisible)
        inside = panel.rect()
        for button in panel.findChildren(QPushButton):
            if button.isVisible():
                box = QRect(button.mapTo(panel, QPoint()), button.size())
                assert inside.contains(box), button.text()
                assert button.width() >= button.sizeHint().width(), button.text()
        corner = panel.mapTo(person.window, inside.bottomRight())
        assert person.window.rect().contains(corner)
    assert page.box.visibleRegion().boundingRect().height() == page.box.height()


@pytest.mark.long
def test_the_bar_of_the_coach_is_as_high_with_advice_as_without(person: Person) -> None:
    bar = person.view.kit_page.coach.bar
    high = bar.height()
    person.press("Ctrl+R")
    person.wait(lambda: not person.view.kit_page.coach.busy and bar.list.count() == 0)
    assert bar.sizeHint().height() == high
