"""The left side of a kit: which segments are listed, going to one by its number, the clock."""

from __future__ import annotations

from math import inf

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog

from madcat_studio.gui.editor.kitside import Shown, clock_seconds_text, clock_text
from madcat_studio.gui.editor.worst import worst_quarter
from madcat_studio.model.campaign import Flag, KitSegment, SegmentName, SegmentState
from madcat_studio.workspace.advice import spelling_advice
from madcat_studio.workspace.spelling import Speller
from tests.gui.editor.people import Person
from tests.gui.helpers import is_checked, run


def listed(person: Person) -> list[int]:
    side = person.view.kit_page.side
    rows = range(side.model.rowCount())
    return [row for row in rows if not side.list.isRowHidden(row)]


def choose(person: Person, shown: Shown) -> None:
    box = person.view.kit_page.side.shown
    wanted = list(Shown).index(shown)
    while box.currentIndex() != wanted:
        down = box.currentIndex() < wanted
        QTest.keyClick(box, Qt.Key.Key_Down if down else Qt.Key.Key_Up)


def test_the_list_shows_what_is_wanted_and_always_the_current_one(sit) -> None:
    person = sit("red1")
    assert person.view.kit_page.side.shown.itemText(0) == "All segments"
    assert listed(person) == [0, 1, 2, 3, 4]
    person.press("Ctrl+Return")
    person.rewrite("He did not name the builder.")
    person.kit.flag(Flag.DISCUSS, "who?")
    choose(person, Shown.UNCONFIRMED)
    assert listed(person) == [1, 2, 4]
    choose(person, Shown.FLAGGED)
    assert listed(person) == [1]
    choose(person, Shown.CHANGED)
    assert listed(person) == [1]
    person.press("Alt+Down")
    assert listed(person) == [1, 2]
    person.press("Ctrl+Return")
    choose(person, Shown.UNCONFIRMED)
    assert listed(person) == [1, 4]
    choose(person, Shown.ALL)
    assert listed(person) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("rates", "worst"),
    [
        ({}, set()),
        ({0: 0.0, 1: 0.0}, set()),
        ({0: 0.1, 1: 0.0, 2: 0.3, 3: 0.3, 4: 0.2}, {2, 3}),
        ({0: 0.1, 1: 0.1, 2: 0.1, 3: 0.1}, {0}),
        ({7: inf, 8: 0.9}, {7}),
    ],
)
def test_the_worst_are_a_quarter_by_hter_and_were_edited(rates, worst) -> None:
    assert worst_quarter(rates) == worst


@pytest.mark.long
def test_the_list_shows_the_worst_quarter_and_follows_the_texts(sit) -> None:
    person = sit("red1")
    worst = person.view.kit_page.side.worst
    person.rewrite("The mayor opened on Monday the old bridge.")
    person.press("Alt+Down")
    person.rewrite("He said nothing.")
    person.press("Alt+Down")
    choose(person, Shown.WORST)
    person.wait(lambda: worst.rows == {1})  # of four with an output
    assert listed(person) == [1, 2], "and the current one"
    person.press("Alt+Up")
    person.press("Ctrl+R")
    person.press("Alt+Down")
    person.wait(lambda: worst.rows == {0})
    assert listed(person) == [0, 2]


def test_a_number_is_gone_to_whatever_is_listed(sit, monkeypatch: pytest.MonkeyPatch) -> None:
    person = sit("red1")
    person.press("Ctrl+Return")
    choose(person, Shown.FLAGGED)
    assert listed(person) == [1]
    monkeypatch.setattr(QInputDialog, "getInt", lambda *_: (5, True))
    person.press("Ctrl+G")
    assert person.kit.current == 4
    assert listed(person) == [4]
    assert person.view.kit_page.side.list.currentIndex().row() == 4
    assert person.view.kit_page.side.shown.currentData() == Shown.FLAGGED


def test_a_segment_is_gone_to_by_its_number(sit, monkeypatch: pytest.MonkeyPatch) -> None:
    person = sit("red1")
    asked: list[tuple[object, ...]] = []
    answers = iter([(5, True), (2, False)])

    def answer(*given: object) -> tuple[int, bool]:
        asked.append(given[3:])
        return next(answers)

    monkeypatch.setattr(QInputDialog, "getInt", answer)
    person.press("Ctrl+G")
    assert person.kit.current == 4
    person.press("Ctrl+G")
    assert person.kit.current == 4
    assert asked == [(1, 1, 5), (5, 1, 5)]


def test_the_clock_shows_seconds_on_demand(sit) -> None:
    assert clock_text(3725.9) == "1:02 h"
    assert clock_seconds_text(3725.9) == "1:02:05 h"
    assert clock_seconds_text(0) == "0:00:00 h"
    person = sit("red1")
    clock = person.view.kit_page.side.clock
    assert clock.text() == "0:00 h"
    run(person.view, "kit.seconds")
    assert is_checked(person.view, "kit.seconds")
    assert clock.text().startswith("0:00:")
    run(person.view, "kit.seconds")
    assert clock.text() == "0:00 h"


@pytest.mark.long
def test_a_name_of_another_reference_is_not_misspelt(sit) -> None:
    """Names and terms of the references are right wherever they are written in the kit."""
    segment = KitSegment(
        SegmentName("D", "s1"), "He spoke.", "He said.", None, None, None, SegmentState.DRAFT
    )
    speller = Speller()

    def found(*allowed: str) -> list[str]:
        text = "Hadadi spoek."
        return [one.what for one in spelling_advice(0, segment, text, speller, allowed)]

    assert found() == ["Not in the dictionary: Hadadi", "Not in the dictionary: spoek"]
    assert found("Colonel Hadadi said so.") == ["Not in the dictionary: spoek"]

    person = sit("red1")
    box = person.box
    told = [one.reference for one in person.kit.segments]
    assert not any("mayr" in one for one in told)
    person.rewrite("The metres of the mayr.")
    person.wait(lambda: bool(box.accessibleDescription()))
    assert box.accessibleDescription() == "Not in the dictionary: mayr"
